"""Descriptors of pictures into a file, for ``bench``, ``tune``, ``metric`` or other programs.

Pictures are read by the same processes, and described by the same numbers, as those of a library: float16, written as
float32. What the library has described already is taken from it, and its photographs need not be there.
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
from app.describe.rows import Named, Rows, Tally
from app.describe.vector_writer import DenseWriter, SparseWriter, Writer, new_files
from app.indexes.descriptor_kinds import Drawn, drawn_pictures, load_extractor
from app.library.extraction import PICTURE_ENDINGS
from app.library.folder_survey import absolute
from app.library.folder_walk import Refused, walk
from app.library.library import Library
from app.library.pace import usual_workers
from app.methods import catalogue
from app.results import shown
from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress, part, silent
from features.descriptor import Descriptor, Extractor
from features.point_sets import PointExtractor
from features.pyramid_match import PyramidMatch
from storage.descriptors import KindRow
from storage.filters import Filter
from storage.schema import State

_LEARNING = 0.3  # share of the time, where a vocabulary is learned


@dataclass(frozen=True)
class Description:
    """What is to be described, by what, and where to.

    Attributes
    ----------
    descriptor : str
        Text form.
    target : Path
        A .npy; or a .npz, where it is sparse. The table is beside it, as .csv.
    sources : tuple of Path
        Pictures and folders; empty for the photographs of the library.
    sparse : bool
        Whether the exact sparse form is wanted, which pyramid-match has.
    workers : int, optional
        Processes that read.
    """

    descriptor: str
    target: Path
    sources: tuple[Path, ...] = ()
    sparse: bool = False
    workers: int | None = None


def describe(wanted: Description, library: Library | None = None, progress: Progress = silent) -> DescribeResult:
    """Describe pictures, and write a row for each.

    Parameters
    ----------
    wanted : Description
    library : Library, optional
        Whose photographs are described where no pictures are named.
    progress : Progress

    Returns
    -------
    DescribeResult
        Rows are in the order of the sources, folders in path order; or of the photographs' ids. What cannot be read has
        no row and is listed.

    Raises
    ------
    TwinlensError
        If the descriptor cannot be used, a source is not there, the file is there already or cannot be written, or no
        picture can be read.
    Cancelled
        If progress says so; nothing is written then.
    """
    started, tally = time.perf_counter(), Tally()
    descriptor = catalogue.descriptor(wanted.descriptor)
    target = _target(wanted, descriptor)
    table = target.with_suffix(".csv")
    pictures = _of_library(library) if library is not None else list(_named(wanted.sources, tally))
    kind = None if library is None or wanted.sparse else _kind(library, descriptor)
    with new_files(target, table) as (file, lines):
        share = _LEARNING if descriptor.learns and kind is None else 0.0
        extractor = _extractor(wanted, descriptor, pictures, library, kind, part(progress, 0, share))
        writer = _writer(file, descriptor, extractor)
        lines.writerow(("row", "path", "id"))
        with Rows(extractor, wanted.workers or usual_workers(), library, kind) as rows:
            for picture, row in rows.of(pictures, tally, part(progress, share, 1)):
                tally.blank += writer.put(row)
                lines.writerow((tally.written, shown(picture.path), "" if picture.id is None else picture.id))
                tally.written += 1
        if not tally.written:
            first = f" {tally.problems[0].path}: {tally.problems[0].reason}" if tally.problems else ""
            raise TwinlensError(
                Message("There is no picture that can be described.{first}", first=first),
                Message("Name other files or folders."),
            )
        writer.finish()
    return DescribeResult(
        descriptor=descriptor.text(),
        file=str(target),
        table=str(table),
        sparse=wanted.sparse,
        pictures=tally.written,
        dimensions=extractor.pyramid.dimensions if isinstance(extractor, PointExtractor) else descriptor.dimensions,
        blank=tally.blank,
        known=tally.known,
        passed_over=tally.passed_over,
        problems=tally.problems,
        bytes=target.stat().st_size,
        seconds=time.perf_counter() - started,
    )


def _target(wanted: Description, descriptor: Descriptor) -> Path:
    """Return the file as its absolute path; refuse an ending that bench would misread, and a form that is not there."""
    if wanted.sparse and not isinstance(descriptor, PyramidMatch):
        raise TwinlensError(
            Message("{key} has no sparse form; {key2} has one.", key=descriptor.key, key2=PyramidMatch.key),
            Message("Leave out --sparse, or choose that."),
        )
    target, ending = wanted.target.expanduser().absolute(), ".npz" if wanted.sparse else ".npy"
    if target.suffix.lower() != ending:
        what = "Sparse rows" if wanted.sparse else "Vectors"
        raise TwinlensError(
            Message("{what} are written as {ending}, not as {name}.", what=what, ending=ending, name=target.name),
            Message("Name a file that ends {ending}.", ending=ending),
        )
    return target


# ---- which pictures --------------------------------------------------------------------------------------------------


def _named(sources: Sequence[Path], tally: Tally) -> Iterator[Named]:
    """Yield the files that are named, and those in folders; each once."""
    seen: set[bytes] = set()
    for source in sources:
        for path in _below(source, tally):
            if path not in seen:
                seen.add(path)
                yield Named(path)


def _below(source: Path, tally: Tally) -> Iterator[bytes]:
    path = os.path.realpath(os.fsencode(source.expanduser()))
    if os.path.isfile(path):
        yield path
        return
    if not os.path.lexists(path):
        raise TwinlensError(
            Message("There is no file or folder {path}.", path=shown(path)),
            Message("Check the spelling, or connect its disk."),
        )
    for found in walk(absolute(path)):
        if isinstance(found, Refused):
            tally.refuse(found.path, found.reason, found.next_step)
        else:
            yield found.path


def _of_library(library: Library) -> list[Named]:
    with library.store.reading() as r:
        ids = r.photographs.matching(Filter(states=(State.READY,)))
        rows = sorted(r.photographs.by_id(ids), key=lambda row: row.id)
        paths = library.paths(r, rows)
    return [Named(path, row.id) for path, row in zip(paths, rows, strict=True)]


# ---- by what ---------------------------------------------------------------------------------------------------------


def _kind(library: Library, descriptor: Descriptor) -> KindRow | None:
    """Find what the library has described by this descriptor, the newest where there are several."""
    with library.store.reading() as r:
        kinds = [kind for kind in r.descriptors.kinds() if catalogue.descriptor(kind.text) == descriptor]
    return kinds[-1] if kinds else None


def _extractor(
    wanted: Description,
    descriptor: Descriptor,
    pictures: Sequence[Named],
    library: Library | None,
    kind: KindRow | None,
    progress: Progress,
) -> Extractor:
    """Fit the descriptor, on a sample of these pictures where it learns, or take what the library has fitted."""
    if library is not None and kind is not None:
        with library.store.reading() as r:
            extractor = load_extractor(r, kind)
    else:
        paths = _sample(descriptor, pictures, library) if descriptor.learns else []
        fit = descriptor.points if wanted.sparse and isinstance(descriptor, PyramidMatch) else descriptor.fit
        extractor = fit(lambda: drawn_pictures(paths), progress)
    if sentence := extractor.unusable():
        raise TwinlensError(sentence, Message("Bring the file back, or choose another descriptor."))
    return extractor


def _sample(descriptor: Descriptor, pictures: Sequence[Named], library: Library | None) -> list[bytes]:
    seed = int(getattr(descriptor, "seed", 0))
    if library is not None:
        return Drawn.of(library, descriptor.sample_size, seed).paths
    paths = sorted(picture.path for picture in pictures if _ends_as_picture(picture.path))
    return [paths[place] for place in np.random.default_rng(seed).permutation(len(paths))[: descriptor.sample_size]]


def _ends_as_picture(path: bytes) -> bool:
    return os.path.splitext(os.fsdecode(path))[1].lower() in PICTURE_ENDINGS


def _writer(file: IO[bytes], descriptor: Descriptor, extractor: Extractor) -> Writer:
    if isinstance(extractor, PointExtractor):
        return SparseWriter(file, extractor)
    return DenseWriter(file, descriptor.dimensions)
