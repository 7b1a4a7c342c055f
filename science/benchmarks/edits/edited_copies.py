"""Photographs, distractors and edited copies of the yardstick, with their vectors and local features.

Each picture is a line of a plan that any process can follow. Two processes make the vectors once and keep them as .npy
files in the user's cache.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from science.benchmarks.edits.sources import Sources, open_picture
from science.papers.data_set import papers_folder
from twinlens.core.arrays import FloatArray
from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.features import DESCRIPTORS
from twinlens.features.descriptor import Descriptor, Extractor
from twinlens.features.keypoints.sift import LENGTH, local_features
from twinlens.features.pictures.channels import fit
from twinlens.features.pictures.edits import EDITS, FURTHER_EDITS
from twinlens.features.pictures.picture import Picture, PictureFacts, Region
from twinlens.features.query.query_variants import inverted, mirrored
from twinlens.features.reading.reading import crop

_SEED = 26
BY_NAME = {edit.name: edit for edit in (*EDITS, *FURTHER_EDITS)}


@dataclass(frozen=True)
class PictureLine:
    """A picture: a file, or a part of it, or an edited copy of it."""

    file: Path
    region: Region | None = None
    edit: str = ""
    host: Path | None = None
    seed: int = 0


def base(found: Sources, size: int) -> list[PictureLine]:
    """Return photographs to find, then others, then parts of others, until there are so many."""
    lines = [PictureLine(file) for file in (*found.seen, *found.unseen, *found.cut, *found.others)]
    rng = np.random.default_rng(_SEED)
    # Photographs are cut up more often than stars and stamps: they are what a photograph is confused with.
    donors = [*found.cut] * 6 + [*found.others]
    cut = [PictureLine(donors[number % len(donors)], _part(rng)) for number in range(max(0, size - len(lines)))]
    return [*lines, *cut][:size]


def copies(files: Sequence[Path], hosts: Sequence[Path], edits: Sequence[str]) -> list[PictureLine]:
    """Return every edited copy of every photograph, edit by edit of each photograph."""
    return [
        PictureLine(file, None, edit, hosts[row % len(hosts)], _SEED + row)
        for row, file in enumerate(files)
        for edit in edits
    ]


def pictures(lines: Sequence[PictureLine]) -> Iterator[Picture]:
    """Make the pictures of some lines; consecutive lines of one file read it once."""
    last: Path | None = None
    for line in lines:
        if line.file != last:
            opened, last = open_picture(line.file), line.file
        if line.edit:
            assert line.host is not None
            copy = BY_NAME[line.edit].apply(
                opened.rgb, open_picture(line.host).rgb if line.edit == "pasted" else opened.rgb, line.seed
            )
            yield Picture(fit(copy), None, opened.facts)
        else:
            yield _fitted(crop(opened, line.region) if line.region else opened)


def _fitted(picture: Picture) -> Picture:
    mask: npt.NDArray[np.bool_] | None = picture.mask
    if mask is not None:
        mask = fit(mask.astype(np.float32)) >= 0.5
    return Picture(fit(picture.rgb), mask, PictureFacts("PNG", *picture.rgb.shape[1::-1]))


def _part(rng: np.random.Generator) -> Region:
    share = rng.uniform(0.15, 0.8)
    wide = min(1.0, float(share**0.5 * rng.uniform(0.8, 1.25)))
    high = min(1.0, share / wide)
    left, top = rng.uniform(0, 1 - wide), rng.uniform(0, 1 - high)
    return float(left), float(top), float(left + wide), float(top + high)


KEYPOINTS = 300
BLOCK = 520
PROCESSES = int(os.environ.get("TWINLENS_YARDSTICK_PROCESSES", "2"))
PLACED = 4
"""Columns of a local feature's place: x, y and size, in shares of the longer side, and angle in degrees."""

Wanted = tuple[str, ...]
LOCAL, PLACES, COUNTS, SHAPES = "local", "places", "counts", "shapes"
OF = " of "
VARIANTS: dict[str, Callable[[Picture], Picture]] = {
    "": lambda picture: picture,
    "mirrored": lambda picture: mirrored(picture, [KEYPOINTS]),
    "inverted": lambda picture: inverted(picture, [KEYPOINTS]),
}
"""As what a picture is described; by the first part of ``mirrored of compact-vlad``."""

_LOCAL = (LOCAL, PLACES, COUNTS, SHAPES)


def described(lines: Sequence[PictureLine], texts: Sequence[str], progress: Progress) -> dict[str, FloatArray]:
    """Describe some lines of a plan; in blocks, so that a run that is stopped loses at most one.

    Returns
    -------
    dict of str to ndarray
        By the descriptor's text (n, d); ``local`` (n, KEYPOINTS, 128) float16; ``places`` (n, KEYPOINTS, 4); ``counts``
        (n,) how many keypoints of those there are; ``shapes`` (n, 2) height and width in pixels.
    """
    blocks = []
    for start in range(0, len(lines), BLOCK):
        blocks.append(_block(lines[start : start + BLOCK], texts))
        progress(min(start + BLOCK, len(lines)), len(lines), Message("Describing pictures"))
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def _block(lines: Sequence[PictureLine], texts: Sequence[str]) -> dict[str, FloatArray]:
    paths = {name: _path(lines, name) for name in (*_LOCAL, *texts)}
    missing = tuple(name for name, path in paths.items() if not path.is_file())
    if missing:
        _make(lines, missing, paths)
    return {name: np.load(path, mmap_mode="r") for name, path in paths.items()}


def _path(lines: Sequence[PictureLine], name: str) -> Path:
    told = hashlib.sha256(repr(lines).encode()).hexdigest()[:12]
    if name in _LOCAL:
        called = f"{name}-{KEYPOINTS}"
    else:
        variant, text = split(name)
        called = f"{variant}{declared(text).identity()[:16]}"
    folder = papers_folder() / "edits"
    folder.mkdir(exist_ok=True)
    return folder / f"{told}-{called}.npy"


def split(name: str) -> tuple[str, str]:
    """Take ``mirrored of TEXT`` apart; a plain text has no variant."""
    variant, of, text = name.partition(OF)
    return (variant, text) if of else ("", name)


def declared(text: str) -> Descriptor:
    """Read a descriptor's text."""
    return read_declaration(DESCRIPTORS, text)


def _make(lines: Sequence[PictureLine], names: Wanted, paths: dict[str, Path]) -> None:
    order = sorted(range(len(lines)), key=lambda row: lines[row].file)  # a file is read once
    groups = [list(group) for _, group in groupby(order, key=lambda row: lines[row].file)]
    with multiprocessing.get_context("spawn").Pool(PROCESSES, _begin, (names,)) as pool:
        made = list(pool.imap(_describe, [[lines[row] for row in group] for group in groups], chunksize=1))
    back = np.argsort(order, kind="stable")
    for name in names:
        new = paths[name].with_suffix(".new.npy")
        np.save(new, np.concatenate([rows[name] for rows in made])[back])
        new.rename(paths[name])


_extractors: dict[str, Extractor] = {}


def _begin(names: Wanted) -> None:
    cv2.setNumThreads(1)
    _extractors.clear()
    _extractors.update({name: declared(split(name)[1]).fit(lambda: ()) for name in names if name not in _LOCAL})


def _describe(lines: list[PictureLine]) -> dict[str, FloatArray]:
    return {name: np.stack(rows) for name, rows in _columns(lines).items()}


def _columns(lines: list[PictureLine]) -> dict[str, list[FloatArray]]:
    columns: dict[str, list[FloatArray]] = {name: [] for name in (*_LOCAL, *_extractors)}
    for picture in pictures(lines):
        shown = {variant: change(picture) for variant, change in VARIANTS.items()}
        for name, extractor in _extractors.items():
            columns[name].append(extractor.extract(shown[split(name)[0]]))
        found = local_features(picture, KEYPOINTS)
        count, longer = len(found), max(picture.rgb.shape)
        local, places = np.zeros((KEYPOINTS, LENGTH), np.float16), np.zeros((KEYPOINTS, PLACED), np.float32)
        local[:count] = found.roots
        places[:count] = np.column_stack((found.places / longer, found.sizes / longer, found.angles))
        columns[LOCAL].append(local)
        columns[PLACES].append(places)
        columns[COUNTS].append(np.array(count))
        columns[SHAPES].append(np.array(picture.rgb.shape[:2]))
    return columns
