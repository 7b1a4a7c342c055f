"""Whether everything in a library fits together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from core.progress import Progress, silent
from storage import failures
from storage.batches import gathered
from storage.segments import Segments
from storage.store import Store
from storage.transaction import Transaction

RESTORE = "Restore a backup with `twinlens restore FILE`."
REMAKE = "Delete the index and create it again: its codes are computed anew."
RESCAN = "Run `twinlens rescan`: what is missing is read again."
# Segments whose values are not as long as they say, or that hold codes of several lengths.
_MISFITS = """
    SELECT coalesce(sum(length(ids) <> 8 * length OR length(codes) = 0 OR length(codes) % length <> 0), 0)
        + (count(DISTINCT length(codes) / length) > 1)
    FROM code_segment WHERE index_id = :index_id
"""


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with a library, and what to do about it."""

    sentence: str
    next_step: str


def check(store: Store, progress: Progress = silent) -> list[Finding]:
    """Check the file, what refers to what, and the counts.

    Parameters
    ----------
    store : Store
    progress : Progress
        Raises :class:`core.errors.Cancelled` to stop.

    Returns
    -------
    list of Finding
        Empty when all is well.
    """
    findings: list[Finding] = []
    with store.reading() as moment:
        progress(0, 4, "Checking the file")
        findings += _file(moment)
        if findings:
            return findings  # in a damaged file the rest says nothing
        progress(1, 4, "Checking photographs")
        findings += _photographs(moment)
        progress(2, 4, "Checking descriptors")
        findings += _descriptors(moment)
        progress(3, 4, "Checking codes")
        findings += _codes(moment)
        progress(4, 4, "Checked")
    return findings


def _file(moment: Transaction) -> Iterator[Finding]:
    try:
        reports = moment.connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
    except DBAPIError as error:
        if failures.primary_code(error) not in failures.DAMAGED:
            raise
        reports = [str(error.orig)]
    if reports != ["ok"]:
        for report in reports:
            yield Finding(f"The file is damaged: {report}.", RESTORE)
        return
    astray = moment.connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    for table in sorted({row[0] for row in astray}):
        count = sum(row[0] == table for row in astray)
        yield Finding(f"{count} row(s) of the table {table} refer to something that is not there.", RESTORE)


def _photographs(moment: Transaction) -> Iterator[Finding]:
    unread = _number(moment, "SELECT count(*) FROM photograph WHERE state = 'ready' AND content_hash IS NULL")
    if unread:
        yield Finding(f"{unread} photograph(s) count as read, but nothing of their content is known.", RESCAN)
    unexplained = _number(
        moment,
        "SELECT count(*) FROM photograph WHERE state = 'unreadable' "
        "AND NOT EXISTS (SELECT 1 FROM problem WHERE photograph_id = photograph.id)",
    )
    if unexplained:
        yield Finding(f"{unexplained} photograph(s) count as unreadable without a reason.", RESCAN)


def _descriptors(moment: Transaction) -> Iterator[Finding]:
    photographs = gathered(moment.connection, "SELECT group_concat(id) FROM photograph")
    known = 0
    for kind in moment.descriptors.kinds():
        ids = moment.descriptors.ids(kind)
        known += len(ids)
        dangling = int(np.isin(ids, photographs, assume_unique=True, invert=True).sum())
        if dangling:
            yield Finding(f"{dangling} vector(s) of {kind.text} belong to no photograph.", RESTORE)
        length = kind.dimensions * kind.stored().itemsize
        wrong = moment.connection.execute(
            text("SELECT count(*) FROM descriptor WHERE id BETWEEN :first AND :last AND length(vector) <> :length"),
            {"first": kind.first(), "last": kind.last(), "length": length},
        ).scalar_one()
        if wrong:
            yield Finding(f"{wrong} vector(s) of {kind.text} have not {kind.dimensions} numbers.", RESTORE)
    others = _number(moment, "SELECT count(*) FROM descriptor INDEXED BY descriptor_ids") - known
    if others:
        yield Finding(f"{others} vector(s) belong to no kind of descriptor.", RESTORE)


def _codes(moment: Transaction) -> Iterator[Finding]:
    photographs = gathered(moment.connection, "SELECT group_concat(id) FROM photograph")
    segments = Segments(moment.connection)
    for index in moment.indexes.all():
        if moment.connection.execute(text(_MISFITS), {"index_id": index.id}).scalar_one():
            yield Finding(f"The codes of the index “{index.name}” do not fit together.", REMAKE)
            continue
        ids = segments.read_ids(segments.all(index.id))
        if len(ids) and index.model_id is None:
            yield Finding(f"The index “{index.name}” has codes, but not what made them.", REMAKE)
        metric = index.metric_id is not None or index.metric is not None
        if len(ids) and metric != (index.metric_model_id is not None):
            yield Finding(f"The index “{index.name}” has codes, but they are not of its metric.", REMAKE)
        twice = len(ids) - len(np.unique(ids))
        if twice:
            yield Finding(f"{twice} photograph(s) are twice in the index “{index.name}”.", REMAKE)
        dangling = int(np.isin(ids, photographs, invert=True).sum())
        if dangling:
            yield Finding(f"{dangling} code(s) of the index “{index.name}” belong to no photograph.", REMAKE)


def _number(moment: Transaction, statement: str) -> int:
    return int(moment.connection.execute(text(statement)).scalar_one())
