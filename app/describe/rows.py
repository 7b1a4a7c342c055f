"""Rows of a file of descriptors, from the library or from worker processes."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from app.describe.results import NotDescribed
from app.library.allowance import preferred_limits
from app.library.extraction import FileReadingTask, Outcome, ReadPhotograph, UnreadableFile
from app.library.library import Library
from app.library.workers import Workers
from app.results import shown
from core.message import Message
from core.progress import Progress
from features.descriptor import Extractor
from storage.database.batches import pieces
from storage.library.transaction import Transaction
from storage.photographs.descriptors import KindRow

_KEY = "described"
_PAGE = 500

Row = npt.NDArray[np.generic]


@dataclass(frozen=True)
class PictureToDescribe:
    """A picture to describe: its path, and its id if it is of the library."""

    path: bytes
    id: int | None = None


@dataclass(eq=False)
class DescribeCounts:
    """Counts of the work, as in `app.describe.results.DescribeResult`."""

    written: int = 0
    blank: int = 0
    known: int = 0
    passed_over: int = 0
    problems: list[NotDescribed] = field(default_factory=list)

    def refuse(self, path: bytes, reason: Message, next_step: Message) -> None:
        """Add a picture that has no row."""
        self.problems.append(NotDescribed(path=shown(path), reason=reason, next_step=next_step))


class DescriptorRows:
    """Describes pictures; a context manager that ends its processes.

    Parameters
    ----------
    extractor : Extractor
    workers : int
    library : Library, optional
    kind : KindRow, optional
        Kind of the library's descriptors by this extractor, which are taken as they are.
    """

    def __init__(self, extractor: Extractor, workers: int, library: Library | None, kind: KindRow | None) -> None:
        self._workers = Workers(workers, {_KEY: extractor}, preferred_limits(workers))
        self._library, self._kind = library, kind
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._open.enter_context(self._workers)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def of(
        self, pictures: Sequence[PictureToDescribe], tally: DescribeCounts, progress: Progress
    ) -> Iterator[tuple[PictureToDescribe, Row]]:
        """Yield the rows of pictures, in their order; pictures without one are added to the tally.

        Parameters
        ----------
        pictures : sequence of Named
        tally : Tally
        progress : Progress

        Raises
        ------
        Cancelled
            If progress says so.
        """
        started, done = time.perf_counter(), 0

        def report() -> None:
            rate = done / max(time.perf_counter() - started, 1e-9)
            progress(
                done,
                len(pictures),
                Message("{done} of {pictures} pictures · {rate:,.1f}/s", done=done, pictures=len(pictures), rate=rate),
            )

        r = None if self._library is None else self._open.enter_context(self._library.store.reading())
        there = self._there(r)
        outcomes = self._workers.run((_task(one) for one in pictures if one.id not in there), report)
        for page in pieces(pictures, _PAGE):
            known = self._known(r, page, there)
            for one in page:
                report()
                row = known[one.id] if one.id in known else _row(next(outcomes), tally)
                tally.known += one.id in known
                done += 1
                if row is not None:
                    yield one, row

    def _there(self, r: Transaction | None) -> frozenset[int | None]:
        """Return the ids of the photographs that the library has described."""
        if r is None or self._kind is None:
            return frozenset()
        return frozenset(r.descriptors.ids(self._kind).tolist())

    def _known(
        self, r: Transaction | None, page: Sequence[PictureToDescribe], there: frozenset[int | None]
    ) -> dict[int | None, Row]:
        ids = [one.id for one in page if one.id is not None and one.id in there]
        if r is None or self._kind is None or not ids:
            return {}
        return dict(zip(ids, r.descriptors.read(self._kind, ids)[0], strict=True))


def _task(one: PictureToDescribe) -> FileReadingTask:
    size = mtime = 0
    with contextlib.suppress(OSError):  # the worker meets the error again and reports it
        status = os.stat(one.path)
        size, mtime = status.st_size, status.st_mtime_ns
    return FileReadingTask(one.id or 0, one.path, size, mtime, wanted=(_KEY,), to_keep=False)


def _row(outcome: Outcome, tally: DescribeCounts) -> Row | None:
    if isinstance(outcome, ReadPhotograph) and _KEY in outcome.vectors:
        return np.frombuffer(outcome.vectors[_KEY], "<f2")
    if isinstance(outcome, UnreadableFile) and not outcome.not_a_picture:
        tally.refuse(outcome.path, outcome.reason, outcome.next_step)
    elif isinstance(outcome, UnreadableFile):
        tally.passed_over += 1
    else:
        tally.refuse(outcome.path, Message("The descriptor could not describe this picture."), Message("Try again."))
    return None
