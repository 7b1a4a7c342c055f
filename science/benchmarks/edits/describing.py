"""Pictures to vectors and local features, once: kept as .npy files in the user's cache, made by two processes."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np

from core.arrays import FloatArray
from core.declaration.declaration import read_declaration
from core.message import Message
from core.progress import Progress
from features import DESCRIPTORS
from features.descriptor import Descriptor, Extractor
from features.keypoints.sift import LENGTH, local_features
from features.pictures.picture import Picture
from features.question.question_pictures import inverted, mirrored
from science.benchmarks.edits.plan import PictureLine, pictures
from science.papers.debian_files import papers_folder

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
