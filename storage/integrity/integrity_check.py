"""Check of a library: every row is as it was written, and everything fits together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from sqlalchemy import text

from core.message import Message, counted
from core.progress import Progress, part, silent
from storage.database.batches import Ids, gathered
from storage.database.place import Reports
from storage.database.schema import PHOTOGRAPH_BITS
from storage.indexes.segments import Segments
from storage.integrity.mending import AGAIN, ANEW, REMOVED, Finding, findings
from storage.integrity.row_checks import Fits, check_rows
from storage.library.store import Store
from storage.library.transaction import Transaction

_FILE, _ROWS = 0.3, 0.95  # shares of the work, for the progress
# Segments whose values are not as long as they say, or that hold codes of several lengths.
_MISFITS = """
    SELECT coalesce(sum(length(ids) <> 8 * length OR length(codes) = 0 OR length(codes) % length <> 0), 0)
        + (count(DISTINCT length(codes) / length) > 1)
    FROM code_segment WHERE index_id = :index_id
"""
_OF_NO_KIND = f"DELETE FROM descriptor WHERE id >> {PHOTOGRAPH_BITS} NOT IN (SELECT id FROM descriptor_kind)"  # noqa: S608
_PHOTOGRAPHS = "SELECT group_concat(id) FROM photograph WHERE"
_UNREADABLE_WITHOUT_REASON = (
    "state = 'unreadable' AND NOT EXISTS (SELECT 1 FROM problem WHERE photograph_id = photograph.id)"
)
_NUMBERED = ("photograph", "mark", "lab_run")


@dataclass(frozen=True)
class Checked:
    """The result of a check.

    Attributes
    ----------
    findings : list of Finding
        Empty when all is well.
    unprotected : int
        Rows of an older library that have no checksum yet: of those only is known that they can be decoded.
    """

    findings: list[Finding]
    unprotected: int = 0


def check(store: Store, progress: Progress = silent, fits: Fits = lambda version, data: True) -> Checked:
    """Check the file, every row by its checksum, what refers to what, and the counts.

    Each part says something only where those before it have found nothing.

    Parameters
    ----------
    store : Store
    progress : Progress
        Raises :class:`core.errors.Cancelled` to stop.
    fits : callable
        Tells whether bytes are keypoints of a version, of a library whose keypoints have no checksums yet.
    """
    with store.reading() as moment, store.place.checking(moment.connection, part(progress, 0.0, _FILE)) as reports:
        damage = list(_database(reports))
        if any(one.mend is None for one in damage):
            return Checked(damage)
        rows = check_rows(moment.connection, fits, part(progress, _FILE, _ROWS))
        damage += findings(moment, rows)
        if not damage:
            damage += [Finding(one) for one in reports.values]
            for number, look in enumerate((_photographs, _descriptors, _codes)):
                part(progress, _ROWS, 1.0)(number, 3, Message("Checking what refers to what"))
                damage += look(moment)
        progress(1, 1, Message("Checked"))
    return Checked(damage, rows.unprotected)


def _database(reports: Reports) -> Iterator[Finding]:
    yield from map(Finding, reports.damage)
    if reports.stale_index:
        yield Finding(
            Message("The file's own indexes do not agree with its tables: {report}.", report=reports.stale_index),
            Message("A repair makes them anew."),
            partial(_execute, "REINDEX", {}),
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
    ids = gathered(moment.connection, f"{_PHOTOGRAPHS} state = 'ready' AND content_hash IS NULL")
    if len(ids):
        sentence = counted(
            "{count} photo counts as read, but nothing of its content is known.",
            "{count} photos count as read, but nothing of their content is known.",
            len(ids),
        )
        yield Finding(sentence, AGAIN, partial(_read_again, ids))
    ids = gathered(moment.connection, f"{_PHOTOGRAPHS} {_UNREADABLE_WITHOUT_REASON}")
    if len(ids):
        sentence = counted(
            "{count} photo counts as unreadable without a reason.",
            "{count} photos count as unreadable without a reason.",
            len(ids),
        )
        yield Finding(sentence, AGAIN, partial(_read_again, ids))
    for table in _NUMBERED:
        given = f"coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = '{table}'), 0)"  # noqa: S608
        if _number(moment, f"SELECT coalesce(max(id), 0) > {given} FROM {table}"):  # noqa: S608
            yield Finding(Message("The last id that was given in the table {table} is wrong.", table=table))


def _descriptors(moment: Transaction) -> Iterator[Finding]:
    photographs = gathered(moment.connection, "SELECT group_concat(id) FROM photograph")
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
                    kind=kind.text,
                ),
                REMOVED,
                partial(_remove_vectors, dangling),
            )
        here = {"first": kind.first(), "last": kind.last(), "length": kind.dimensions * kind.stored().itemsize}
        wrong = "FROM descriptor WHERE id BETWEEN :first AND :last AND length(vector) <> :length"
        count = moment.connection.execute(text(f"SELECT count(*) {wrong}"), here).scalar_one()
        if count:
            yield Finding(
                counted(
                    "{count} vector of {kind} has not {dimensions} numbers.",
                    "{count} vectors of {kind} have not {dimensions} numbers.",
                    count,
                    kind=kind.text,
                    dimensions=kind.dimensions,
                ),
                AGAIN,
                partial(_execute, f"DELETE {wrong}", here),
            )
    others = _number(moment, "SELECT count(*) FROM descriptor INDEXED BY descriptor_ids") - known
    if others:
        yield Finding(
            counted(
                "{count} vector belongs to no kind of descriptor.",
                "{count} vectors belong to no kind of descriptor.",
                others,
            ),
            REMOVED,
            partial(_execute, _OF_NO_KIND, {}),
        )


def _codes(moment: Transaction) -> Iterator[Finding]:
    photographs = gathered(moment.connection, "SELECT group_concat(id) FROM photograph")
    segments = Segments(moment.connection)
    for index in moment.indexes.all():
        clear, unfit = partial(_clear, index.id), partial(_unfit, index.id)
        if moment.connection.execute(text(_MISFITS), {"index_id": index.id}).scalar_one():
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


def _number(moment: Transaction, statement: str) -> int:
    return int(moment.connection.execute(text(statement)).scalar_one())


# --- what is done about it: what is removed here is computed again from what is left ---------------------------------


def _execute(statement: str, values: dict[str, int], w: Transaction) -> None:
    w.connection.execute(text(statement), values)


def _read_again(ids: Ids, w: Transaction) -> None:
    w.photographs.mark_pending(ids)


def _remove_vectors(ids: Ids, w: Transaction) -> None:
    w.descriptors.remove(ids)


def _remove_codes(ids: Ids, w: Transaction) -> None:
    w.codes.remove(ids)


def _clear(index_id: int, w: Transaction) -> None:
    w.codes.clear(index_id)


def _unfit(index_id: int, w: Transaction) -> None:
    w.indexes.unfit(index_id)
