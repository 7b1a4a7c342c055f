"""Descriptors of pictures, written into a file for ``bench``, ``tune``, ``metric`` or other programs.

Pictures are read and described as those of a library: in float16, written as float32. Descriptors that the library has
are taken from it, without reading the photographs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from app.describe.results import DescribeResult
from app.describe.rows import DescribeCounts, DescriptorRows, PictureToDescribe
from app.describe.vector_writer import DenseWriter, SparseWriter, Writer
from app.indexes.descriptor_kinds import DrawnPhotographs, drawn_pictures, load_extractor
from app.library import volumes
from app.library.extraction import PICTURE_ENDINGS
from app.library.folder_survey import resolved_folder
from app.library.folder_walk import RefusedPath, walk
from app.library.library import Library
from app.library.pace import usual_workers
from app.machine.csv_table import CsvTable
from app.machine.output_file import ONLY_COPY, OutputFile
from app.methods import catalogue
from app.results import shown
from core.errors import Remedy, TwinlensError
from core.message import NOTHING, Message, joined
from core.progress import Progress, part, silent
from features.descriptor import Descriptor, Extractor
from features.vocabulary.point_sets import PointExtractor
from features.vocabulary.pyramid_match import PyramidMatch
from storage.database.schema import PhotographState
from storage.photographs.descriptors import KindRow
from storage.photographs.filters import Filter

_LEARNING = 0.3  # share of the time, where a vocabulary is learned


@dataclass(frozen=True)
class Description:
    """The pictures, the descriptor and the file.

    Attributes
    ----------
    descriptor : str
        Text form.
    target : Path
        A .npy, or a .npz if sparse. The table lies beside it, as .csv.
    sources : tuple of Path
        Pictures and folders; empty for the photographs of the library.
    sparse : bool
        Whether to write the exact sparse form, which pyramid-match has.
    workers : int, optional
        Processes that read.
    """

    descriptor: str
    target: OutputFile
    sources: tuple[Path, ...] = ()
    sparse: bool = False
    workers: int | None = None


def describe_pictures(
    wanted: Description, library: Library | None = None, progress: Progress = silent
) -> DescribeResult:
    """Write a row of numbers for each picture.

    Parameters
    ----------
    wanted : Description
    library : Library, optional
        Its photographs are described where no pictures are named.
    progress : Progress

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
    Cancelled
        If progress says so; nothing is written then.
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
            raise TwinlensError(sentence, Message("Restore the file, or choose another descriptor."))
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
                joined([Message("None of the pictures could be described."), first]),
                Message("Name other files or folders."),
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


def table_beside(target: OutputFile) -> OutputFile:
    """Return the table that lists the picture of each row."""
    return target.beside(target.path.with_suffix(".csv"))


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
            Message("The file {name} does not end in {ending}.", name=wanted.target.path.name, ending=ending),
            Message("Name a file that ends in {ending}.", ending=ending),
        )


# ---- the pictures ----------------------------------------------------------------------------------------------------


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
        raise TwinlensError(Message("There is no file or folder {path}.", path=shown(path)), Remedy("connect disk"))
    for found in walk(resolved_folder(path)):
        if isinstance(found, RefusedPath):
            tally.refuse(found.path, found.reason, found.next_step)
        else:
            yield found.path


def _of_library(library: Library) -> list[PictureToDescribe]:
    with library.store.reading() as r:
        ids = r.photographs.matching(Filter(states=(PhotographState.READY,)))
        rows = sorted(r.photographs.by_id(ids), key=lambda row: row.id)
        paths = library.paths(r, rows)
    return [PictureToDescribe(path, row.id) for path, row in zip(paths, rows, strict=True)]


# ---- the descriptor --------------------------------------------------------------------------------------------------


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
