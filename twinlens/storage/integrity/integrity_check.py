"""Check of a library: every row is as it was written, and everything fits together.

What should be impossible is blamed on a library that proves to be damaged, otherwise on the program.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import NOTHING, Message, counted
from twinlens.core.progress import Progress, part, silent
from twinlens.storage.database import library_errors
from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.place import Reports
from twinlens.storage.database.schema import GIVEN
from twinlens.storage.database.values import MOST_ID, PHOTOGRAPH_BITS, PhotographState
from twinlens.storage.indexes.index_codes import Segments
from twinlens.storage.integrity.mending import AGAIN, ANEW, REMOVED, Finding, findings, is_of_database
from twinlens.storage.integrity.row_checks import Fits, check_rows
from twinlens.storage.library.store import Store, Transaction

_FILE, _ROWS = 0.3, 0.95  # shares of the work, for the progress
_OF_NO_KIND = f"""
    DELETE FROM descriptor WHERE id >> {PHOTOGRAPH_BITS} NOT IN (SELECT id FROM descriptor_kind)
"""


@dataclass(frozen=True)
class IntegrityReport:
    """The result of a check.

    Attributes
    ----------
    findings : list of Finding
        Empty when all is well.
    readable : bool
        False where the file itself is damaged, so that nothing was said of its rows.
    """

    findings: list[Finding]
    readable: bool = True


def check(store: Store, progress: Progress = silent, fits: Fits = lambda version, data: True) -> IntegrityReport:
    """Check the file, every row by its checksum, the references, and the counts.

    Each part says something only where those before it have found nothing.

    Parameters
    ----------
    progress : Progress
        Raises :class:`twinlens.core.errors.Cancelled` to stop.
    fits : callable
        Tells whether bytes are keypoints of a version, on a server, whose rows have no checksums.
    """
    with store.reading() as moment, store.place.checking(moment.dialect, part(progress, 0.0, _FILE)) as reports:
        damage = list(_database(reports))
        if any(one.mend is None for one in damage):
            return IntegrityReport(damage, readable=False)
        rows = check_rows(store.place, moment.dialect, fits, part(progress, _FILE, _ROWS))
        damage += findings(store.place, moment, rows)
        if not damage:
            damage += [Finding(one) for one in reports.values]
            for number, look in enumerate((_photographs, _descriptors, _codes)):
                part(progress, _ROWS, 1.0)(number, 3, Message("Checking what refers to what"))
                damage += look(moment)
        progress(1, 1, Message("Checked"))
    return IntegrityReport(damage)


def _database(reports: Reports) -> Iterator[Finding]:
    yield from map(Finding, reports.damage)
    if reports.stale_index:
        yield Finding(
            Message("The file's own indexes do not agree with its tables: {report}.", report=reports.stale_index),
            Message("A repair makes them anew."),
            partial(_execute, "REINDEX"),
        )
    for table, count in reports.astray.items():
        sentence = counted(
            "{count} row of the table {table} refers to something that is not there.",
            "{count} rows of the table {table} refer to something that is not there.",
            count,
            table=table,
        )
        if table == "keypoints":
            yield Finding(sentence, REMOVED, lambda w: w.keypoints.remove_dangling())
        else:
            yield Finding(sentence)


def _photographs(moment: Transaction) -> Iterator[Finding]:
    ids = moment.dialect.ids(
        "SELECT id FROM photograph WHERE state = ? AND content_hash IS NULL", (PhotographState.READY.value,)
    )
    if len(ids):
        sentence = counted(
            "{count} photo counts as read, but nothing of its content is known.",
            "{count} photos count as read, but nothing of their content is known.",
            len(ids),
        )
        yield Finding(sentence, AGAIN, partial(_read_again, ids))
    reason = "SELECT 1 FROM problem WHERE photograph_id = photograph.id"
    unexplained = f"SELECT id FROM photograph WHERE state = ? AND NOT EXISTS ({reason})"
    ids = moment.dialect.ids(unexplained, (PhotographState.UNREADABLE.value,))
    if len(ids):
        sentence = counted(
            "{count} photo counts as unreadable without a reason.",
            "{count} photos count as unreadable without a reason.",
            len(ids),
        )
        yield Finding(sentence, AGAIN, partial(_read_again, ids))
    for table in GIVEN:
        last = moment.dialect.value(f"SELECT coalesce(max(id), 0) FROM {table.name}")
        if not last <= moment.dialect.last_given(table.name) < MOST_ID:
            yield Finding(
                Message("The last id that was given in the table {table} is wrong.", table=table.name),
                Message("A repair counts on from the last one that is there."),
                partial(_count_on, table.name, last),
            )


def _count_on(table: str, last: int, w: Transaction) -> None:
    w.dialect.set_given(table, last)


def _descriptors(moment: Transaction) -> Iterator[Finding]:
    photographs = moment.dialect.ids("SELECT id FROM photograph")
    known = 0
    for kind in moment.descriptors.kinds():
        ids = moment.descriptors.ids(kind)
        known += len(ids)
        dangling = ids[np.isin(ids, photographs, assume_unique=True, invert=True)]
        if len(dangling):
            yield Finding(
                counted(
                    "{count} vector of {kind} belongs to no photo.",
                    "{count} vectors of {kind} belong to no photo.",
                    len(dangling),
                    kind=kind.name,
                ),
                REMOVED,
                partial(_remove_vectors, dangling),
            )
        length = kind.dimensions * kind.stored().itemsize
        wrong = f"FROM descriptor WHERE id BETWEEN {kind.first()} AND {kind.last()} AND length(vector) <> {length}"
        count = moment.dialect.value(f"SELECT count(*) {wrong}")
        if count:
            yield Finding(
                counted(
                    "{count} vector of {kind} has not {dimensions} numbers.",
                    "{count} vectors of {kind} have not {dimensions} numbers.",
                    count,
                    kind=kind.name,
                    dimensions=kind.dimensions,
                ),
                AGAIN,
                partial(_execute, f"DELETE {wrong}"),
            )
    others = moment.dialect.value("SELECT count(*) FROM descriptor INDEXED BY descriptor_ids") - known
    if others:
        yield Finding(
            counted(
                "{count} vector belongs to no kind of descriptor.",
                "{count} vectors belong to no kind of descriptor.",
                others,
            ),
            REMOVED,
            partial(_execute, _OF_NO_KIND),
        )


def _codes(moment: Transaction) -> Iterator[Finding]:
    photographs = moment.dialect.ids("SELECT id FROM photograph")
    segments = Segments(moment.dialect)
    for index in moment.indexes.all():
        clear, unfit = partial(_clear, index.id), partial(_unfit, index.id)
        if _misfit(moment.dialect, index.id):
            apart = Message("The codes of the index “{name}” do not fit together.", name=index.name)
            yield Finding(apart, ANEW, clear)
            continue
        ids = segments.read_ids(segments.all(index.id))
        if len(ids) and index.model_id is None:
            orphaned = Message("The index “{name}” has codes, but not what made them.", name=index.name)
            yield Finding(orphaned, ANEW, unfit)
        metric = index.metric_id is not None or index.metric is not None
        if len(ids) and metric != (index.metric_model_id is not None):
            foreign = Message("The index “{name}” has codes, but they are not of its metric.", name=index.name)
            yield Finding(foreign, ANEW, unfit)
        twice = len(ids) - len(np.unique(ids))
        if twice:
            doubled = counted(
                "{count} photo is twice in the index “{name}”.",
                "{count} photos are twice in the index “{name}”.",
                twice,
                name=index.name,
            )
            yield Finding(doubled, ANEW, clear)
        dangling = ids[np.isin(ids, photographs, invert=True)]
        if len(dangling):
            yield Finding(
                counted(
                    "{count} code of the index “{name}” belongs to no photo.",
                    "{count} codes of the index “{name}” belong to no photo.",
                    len(dangling),
                    name=index.name,
                ),
                REMOVED,
                partial(_remove_codes, dangling),
            )


def _misfit(dialect: Dialect, index_id: int) -> bool:
    """Return whether values of segments are not as long as they say, or hold codes of several lengths."""
    of_index = "FROM code_segment WHERE index_id = ?"
    unlike = "length <= 0 OR length(ids) <> 8 * length OR length(codes) = 0 OR length(codes) % nullif(length, 0) <> 0"
    wrong = dialect.value(f"SELECT id {of_index} AND ({unlike}) LIMIT 1", (index_id,))
    widths = dialect.value(f"SELECT count(DISTINCT length(codes) / nullif(length, 0)) {of_index}", (index_id,))
    return wrong is not None or widths > 1


# --- repairs: removed rows are computed again from the remaining ones -------------------------------------------------
def _execute(statement: str, w: Transaction) -> None:
    w.dialect.execute(statement)


def _read_again(ids: Int64Ids, w: Transaction) -> None:
    w.photographs.mark_pending(ids)


def _remove_vectors(ids: Int64Ids, w: Transaction) -> None:
    w.descriptors.remove(ids)


def _remove_codes(ids: Int64Ids, w: Transaction) -> None:
    w.codes.remove(ids)


def _clear(index_id: int, w: Transaction) -> None:
    w.codes.clear(index_id)


def _unfit(index_id: int, w: Transaction) -> None:
    w.indexes.unfit(index_id)


_LONGEST_S = 20.0
"""For the check: of a library that takes longer, the program is to blame until somebody checks it."""

_IMPOSSIBLE = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, RecursionError, StopIteration,
    TypeError, ValueError,
)  # fmt: skip
"""The errors that are raised where the rows of a library do not fit together, beside those of its database."""


def _is_impossible(error: BaseException) -> bool:
    return isinstance(error, _IMPOSSIBLE) or is_of_database(error, "DatabaseError")


def damage_behind(error: BaseException, store: Store) -> TwinlensError | None:
    """Return the error that a library is damaged, where that explains another error; None where it does not."""
    if not _is_impossible(error):
        return None
    until = time.monotonic() + _LONGEST_S

    def patience(done: float, total: float, text: Message = NOTHING) -> None:
        if time.monotonic() > until:
            raise Cancelled

    try:
        damaged = bool(check(store, patience).findings)
    except Cancelled:
        return None
    except TwinlensError as damage:
        return damage
    except Exception as further:
        if not _is_impossible(further):
            raise
        damaged = True
    return library_errors.damaged_throughout(store.address.shown) if damaged else None
