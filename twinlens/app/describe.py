"""The description of pictures: a row of numbers for each, in a file for ``bench``, ``tune`` and other programs.

The rows come from the library or from worker processes, and go into a .npy or a .npz of scipy.sparse.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from twinlens.app.indexes.fitted_models import DrawnPhotographs, drawn_pictures, load_extractor
from twinlens.app.library import volumes
from twinlens.app.library.ingest.folder_walk import RefusedPath, resolved_folder, walk
from twinlens.app.library.library import Library
from twinlens.app.library.workers.capacity import preferred_limits, usual_workers
from twinlens.app.library.workers.extraction import Outcome, ReadPhotograph, UnreadableFile
from twinlens.app.library.workers.file_contents import PICTURE_ENDINGS, FileReadingTask
from twinlens.app.library.workers.worker_pool import Workers
from twinlens.app.machine.output_file import ONLY_COPY, CsvTable, OutputFile
from twinlens.app.methods import catalogue
from twinlens.app.results import Result
from twinlens.app.vector_requests import Description
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.kernels.pyramid_match_kernel import Pyramid
from twinlens.core.message import NOTHING, Message, joined
from twinlens.core.progress import Progress, part, silent
from twinlens.features.descriptor import Descriptor, Extractor
from twinlens.features.vocabulary.pyramid_match import PointExtractor, PyramidMatch
from twinlens.storage.database.dialect import pieces
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow
from twinlens.storage.photographs.photograph_listing import Filter

_LEARNING = 0.3  # share of the time for learning a vocabulary, if there is one


def describe_pictures(
    wanted: Description, library: Library | None = None, progress: Progress = silent
) -> DescribeResult:
    """Write a row of numbers for each picture.

    Parameters
    ----------
    library : Library, optional
        Its photographs are described where no pictures are named.

    Returns
    -------
    DescribeResult
        Rows are in the order of the sources, folders in path order; or of the photographs' ids. Unreadable pictures
        have no row and are listed.

    Raises
    ------
    TwinlensError
        If the descriptor cannot be used, a source does not exist, the file must not be replaced or cannot be written,
        or no picture can be read.
    """
    started, tally = time.perf_counter(), DescribeCounts()
    descriptor = catalogue.descriptor(wanted.descriptor)
    _check_form(wanted, descriptor)
    target, table = wanted.target, table_beside(wanted.target)
    pictures = _of_library(library) if library is not None else list(_named(wanted.sources, tally))
    kind = None if library is None or wanted.sparse else _kind(library, descriptor)
    with target.opened(ONLY_COPY) as file, table.opened_text(ONLY_COPY) as text:
        lines = CsvTable(text)
        share = _LEARNING if descriptor.learns and kind is None else 0.0
        if library is not None and kind is not None:
            extractor = _kept(library, kind)
        else:
            extractor = _fitted(wanted, descriptor, pictures, library, part(progress, 0, share))
        if sentence := extractor.unusable():
            raise TwinlensError(sentence, "Restore the file, or choose another descriptor.")
        writer = _writer(file, descriptor, extractor)
        lines.writerow(("row", "path", "id"))
        with DescriptorRows(extractor, wanted.workers or usual_workers(), library, kind) as rows:
            for picture, row in rows.of(pictures, tally, part(progress, share, 1)):
                tally.blank += writer.put(row)
                lines.writerow((tally.written, shown(picture.path), "" if picture.id is None else picture.id))
                tally.written += 1
        if not tally.written:
            first = NOTHING
            if tally.problems:
                problem = tally.problems[0]
                first = Message("{path}: {reason}", path=problem.path, reason=problem.reason)
            raise TwinlensError(
                joined([Message("None of the pictures could be described."), first]), "Name other files or folders."
            )
        writer.finish()
    return DescribeResult(
        descriptor=descriptor.text(),
        file=str(target.path.absolute()),
        table=str(table.path.absolute()),
        sparse=wanted.sparse,
        pictures=tally.written,
        dimensions=extractor.pyramid.dimensions if isinstance(extractor, PointExtractor) else descriptor.dimensions,
        blank=tally.blank,
        known=tally.known,
        passed_over=tally.passed_over,
        problems=tally.problems,
        bytes=target.size,
        seconds=time.perf_counter() - started,
    )


def _check_form(wanted: Description, descriptor: Descriptor) -> None:
    """Refuse an ending that bench would misread, and a missing sparse form."""
    if wanted.sparse and not isinstance(descriptor, PyramidMatch):
        raise TwinlensError(
            Message("{descriptor} has no sparse form.", descriptor=descriptor.key),
            Message("Leave out --sparse, or choose {descriptor}.", descriptor=PyramidMatch.key),
        )
    ending = ".npz" if wanted.sparse else ".npy"
    if wanted.target.ending != ending:
        raise TwinlensError(
            "The file {name} does not end in {ending}.",
            "Name a file that ends in {ending}.",
            name=wanted.target.path.name,
            ending=ending,
        )


def _of_library(library: Library) -> list[PictureToDescribe]:
    with library.store.reading() as r:
        ids = r.photographs.matching(Filter(states=(PhotographState.READY,)))
        rows = sorted(r.photographs.by_id(ids), key=lambda row: row.id)
        paths = library.paths(r, rows)
    return [PictureToDescribe(path, row.id) for path, row in zip(paths, rows, strict=True)]


def _named(sources: Sequence[Path], tally: DescribeCounts) -> Iterator[PictureToDescribe]:
    """Yield the named files, and those in named folders; each once."""
    seen: set[bytes] = set()
    for source in sources:
        for path in _below(source, tally):
            if path not in seen:
                seen.add(path)
                yield PictureToDescribe(path)


def _below(source: Path, tally: DescribeCounts) -> Iterator[bytes]:
    path = volumes.full_path(source)
    if os.path.isfile(path):
        yield path
        return
    if not os.path.lexists(path):
        raise TwinlensError("There is no file or folder {path}.", Remedy("connect disk"), path=shown(path))
    for found in walk(resolved_folder(path)):
        if isinstance(found, RefusedPath):
            tally.refuse(found.path, found.reason, found.next_step)
        else:
            yield found.path


def _kind(library: Library, descriptor: Descriptor) -> KindRow | None:
    """Return the library's kind of this descriptor, the newest of several; None if there is none."""
    with library.store.reading() as r:
        kinds = [kind for kind in r.descriptors.kinds() if catalogue.descriptor(kind.text) == descriptor]
    return kinds[-1] if kinds else None


def _kept(library: Library, kind: KindRow) -> Extractor:
    with library.store.reading() as r:
        return load_extractor(r, kind)


def _fitted(
    wanted: Description,
    descriptor: Descriptor,
    pictures: Sequence[PictureToDescribe],
    library: Library | None,
    progress: Progress,
) -> Extractor:
    """Fit the descriptor, on a sample of these pictures if it learns."""
    paths = _sample(descriptor, pictures, library) if descriptor.learns else []
    fit = descriptor.points if wanted.sparse and isinstance(descriptor, PyramidMatch) else descriptor.fit
    return fit(lambda: drawn_pictures(paths, descriptor.caps), progress)


def _sample(descriptor: Descriptor, pictures: Sequence[PictureToDescribe], library: Library | None) -> list[bytes]:
    seed = int(getattr(descriptor, "seed", 0))
    if library is not None:
        return DrawnPhotographs.of(library, descriptor.sample_size, seed).paths
    paths = sorted(picture.path for picture in pictures if _ends_as_picture(picture.path))
    return [paths[place] for place in np.random.default_rng(seed).permutation(len(paths))[: descriptor.sample_size]]


def _ends_as_picture(path: bytes) -> bool:
    return os.path.splitext(os.fsdecode(path))[1].lower() in PICTURE_ENDINGS


def _writer(file: IO[bytes], descriptor: Descriptor, extractor: Extractor) -> Writer:
    if isinstance(extractor, PointExtractor):
        return SparseWriter(file, extractor)
    return DenseWriter(file, descriptor.dimensions)


def table_beside(target: OutputFile) -> OutputFile:
    """Return the table that lists the picture of each row."""
    return target.beside(target.path.with_suffix(".csv"))


Row = npt.NDArray[np.generic]


@dataclass(frozen=True)
class PictureToDescribe:
    """A picture to describe: its path, and its id if it is of the library."""

    path: bytes
    id: int | None = None


class NotDescribed(Result):
    """One picture that has no row in the file."""

    path: str
    reason: Message
    next_step: Message


@dataclass(eq=False)
class DescribeCounts:
    """Counts of the work, as in `twinlens.app.describe.DescribeResult`."""

    written: int = 0
    blank: int = 0
    known: int = 0
    passed_over: int = 0
    problems: list[NotDescribed] = field(default_factory=list)

    def refuse(self, path: bytes, reason: Message, next_step: Message) -> None:
        """Add a picture that has no row."""
        self.problems.append(NotDescribed(path=shown(path), reason=reason, next_step=next_step))


_KEY = "described"
_PAGE = 500


class DescriptorRows:
    """The rows of pictures; a context manager that ends its processes.

    Parameters
    ----------
    kind : KindRow, optional
        Kind of the library's descriptors by this extractor, whose vectors are used as they are.
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
        """Yield the rows of pictures, in their order; pictures without one are added to the tally."""
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


VectorRow = npt.NDArray[np.generic]


class Writer(Protocol):
    """A writer of rows, one after another."""

    def put(self, row: VectorRow) -> bool:
        """Write a row of an extractor; return whether it is zero."""

    def finish(self) -> None:
        """Complete the file."""


class DenseWriter:
    """A writer of a .npy of float32, (n, d); n is known only at the end."""

    def __init__(self, file: IO[bytes], dimensions: int) -> None:
        self._file, self._dimensions, self._rows = file, dimensions, 0
        self._header()

    def put(self, row: VectorRow) -> bool:
        """Write a row, (d,)."""
        self._file.write(row.astype("<f4").tobytes())
        self._rows += 1
        return not row.any()

    def finish(self) -> None:
        """Write the number of rows into the header."""
        self._file.seek(0)
        self._header()

    def _header(self) -> None:
        # numpy leaves room in the header for any number of rows, so the second one is as long as the first.
        about = {"descr": "<f4", "fortran_order": False, "shape": (self._rows, self._dimensions)}
        np.lib.format.write_array_header_1_0(self._file, about)


class SparseWriter:
    """A writer of the pyramid matches of sets of points, in the form of scipy.sparse.save_npz."""

    def __init__(self, file: IO[bytes], points: PointExtractor) -> None:
        self._file, self._points = file, points
        self._sets: list[npt.NDArray[np.int16]] = []

    def put(self, row: VectorRow) -> bool:
        """Add a set of an extractor, its points' cells one after another."""
        self._sets.append(row.astype(np.int16))
        return not len(row)

    def finish(self) -> None:
        """Write the table."""
        from scipy.sparse import save_npz

        pyramid: Pyramid = self._points.pyramid
        save_npz(self._file, pyramid.rows(self._points.cells_in(one) for one in self._sets), compressed=True)


class DescribeResult(Result):
    """Result of ``describe_pictures``."""

    descriptor: str = Field(description="in text form")
    file: str = Field(description="with a row for each picture, as bench takes it")
    table: str = Field(description="CSV beside it with the picture of each row")
    sparse: bool = Field(description="whether the rows are sparse, as scipy.sparse.save_npz writes them")
    pictures: int = Field(description="rows")
    dimensions: int = Field(description="columns")
    blank: int = Field(description="rows of zeros: pictures in which the descriptor finds nothing")
    known: int = Field(description="rows taken from the library")
    passed_over: int = Field(description="files that are not pictures")
    problems: list[NotDescribed] = Field(description="pictures that cannot be read")
    bytes: int = Field(description="of the file")
    seconds: float
