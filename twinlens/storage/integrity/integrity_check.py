"""Check of a library: every row is as it was written, and everything fits together.

What should be impossible is blamed on a library that proves to be damaged, otherwise on the program.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from sqlalchemy import Connection, Executable, Table, and_, delete, distinct, func, or_, select, text
from sqlalchemy.exc import SQLAlchemyError

from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import NOTHING, Message, counted
from twinlens.core.progress import Progress, part, silent
from twinlens.storage.database import dialect, library_errors
from twinlens.storage.database.place import Reports
from twinlens.storage.database.schema import (
    MOST_ID,
    PHOTOGRAPH_BITS,
    PhotographState,
    code_segment,
    descriptor,
    descriptor_kind,
    photograph,
    problem,
)
from twinlens.storage.indexes.index_codes import Segments
from twinlens.storage.integrity.checksums import GIVEN
from twinlens.storage.integrity.mending import AGAIN, ANEW, REMOVED, Finding, findings
from twinlens.storage.integrity.row_checks import Fits, check_rows
from twinlens.storage.library.store import Store, Transaction

_FILE, _ROWS = 0.3, 0.95  # shares of the work, for the progress
_OF_NO_KIND = delete(descriptor).where(
    descriptor.c.id.bitwise_rshift(PHOTOGRAPH_BITS).not_in(select(descriptor_kind.c.id))
)


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
    with store.reading() as moment, store.place.checking(moment.connection, part(progress, 0.0, _FILE)) as reports:
        damage = list(_database(reports))
        if any(one.mend is None for one in damage):
            return IntegrityReport(damage, readable=False)
        rows = check_rows(store.place, moment.connection, fits, part(progress, _FILE, _ROWS))
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
            partial(_execute, text("REINDEX")),
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
    database, c = dialect.of(moment.connection), photograph.c
    photographs = select(c.id)
    ids = database.ids(photographs.where(c.state == PhotographState.READY, c.content_hash.is_(None)))
    if len(ids):
        sentence = counted(
            "{count} photo counts as read, but nothing of its content is known.",
            "{count} photos count as read, but nothing of their content is known.",
            len(ids),
        )
        yield Finding(sentence, AGAIN, partial(_read_again, ids))
    reason = select(problem.c.id).where(problem.c.photograph_id == c.id)
    ids = database.ids(photographs.where(c.state == PhotographState.UNREADABLE, ~reason.exists()))
    if len(ids):
        sentence = counted(
            "{count} photo counts as unreadable without a reason.",
            "{count} photos count as unreadable without a reason.",
            len(ids),
        )
        yield Finding(sentence, AGAIN, partial(_read_again, ids))
    for table in GIVEN:
        last = moment.connection.execute(select(func.coalesce(func.max(table.c.id), 0))).scalar_one()
        if not last <= database.last_given(table) < MOST_ID:
            yield Finding(
                Message("The last id that was given in the table {table} is wrong.", table=table.name),
                Message("A repair counts on from the last one that is there."),
                partial(_count_on, table, last),
            )


def _count_on(table: Table, last: int, w: Transaction) -> None:
    dialect.of(w.connection).set_given(table, last)


def _descriptors(moment: Transaction) -> Iterator[Finding]:
    photographs = dialect.of(moment.connection).ids(select(photograph.c.id))
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
        wrong = and_(descriptor.c.id.between(kind.first(), kind.last()), func.length(descriptor.c.vector) != length)
        count = moment.connection.execute(select(func.count()).select_from(descriptor).where(wrong)).scalar_one()
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
                partial(_execute, delete(descriptor).where(wrong)),
            )
    every = select(func.count()).select_from(descriptor).with_hint(descriptor, "INDEXED BY descriptor_ids", "sqlite")
    others = moment.connection.execute(every).scalar_one() - known
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
    photographs = dialect.of(moment.connection).ids(select(photograph.c.id))
    segments = Segments(moment.connection)
    for index in moment.indexes.all():
        clear, unfit = partial(_clear, index.id), partial(_unfit, index.id)
        if _misfit(moment.connection, index.id):
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


def _misfit(connection: Connection, index_id: int) -> bool:
    """Return whether values of segments are not as long as they say, or hold codes of several lengths."""
    c = code_segment.c
    ids, codes = func.length(c.ids), func.length(c.codes)
    length = func.nullif(c.length, 0)
    wrong = select(c.id).where(
        c.index_id == index_id, or_(c.length <= 0, ids != 8 * c.length, codes == 0, codes % length != 0)
    )
    widths = select(func.count(distinct(codes // length))).where(c.index_id == index_id)
    return connection.execute(wrong.limit(1)).first() is not None or connection.execute(widths).scalar_one() > 1


# --- repairs: removed rows are computed again from the remaining ones -------------------------------------------------
def _execute(statement: Executable, w: Transaction) -> None:
    w.connection.execute(statement)


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
    TypeError, ValueError, SQLAlchemyError,
)  # fmt: skip
"""The errors that are raised where the rows of a library do not fit together."""


def damage_behind(error: BaseException, store: Store) -> TwinlensError | None:
    """Return the error that a library is damaged, where that explains another error; None where it does not."""
    if not isinstance(error, _IMPOSSIBLE):
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
    except _IMPOSSIBLE:
        damaged = True
    return library_errors.damaged_throughout(store.address.shown) if damaged else None
