"""The source photographs of what is made from photographs: those of the demo, near-duplicates left out, and split.

Base and queries, and a vocabulary and what it describes, never come from the same photograph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from app.demo.photographs import fetch_photographs
from core.progress import Progress
from features.pictures.picture import Picture
from features.reading.reading import read

SIDE = 1600
"""Pixels of the longer side, at most, at which photographs are read."""

_ALIKE = 0.97
"""Of the correlation of two photographs brought to 16 x 16: above it they are taken for the same."""

_SEED = 20_150_607


@dataclass(frozen=True)
class Source:
    """Photographs, in an order of their own, and the packages that they are from."""

    files: tuple[Path, ...]
    packages: tuple[str, ...]

    def split(self, share: float) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
        """Put a random share of the photographs aside; gives the others, then those."""
        order = np.random.default_rng(_SEED).permutation(len(self.files))
        aside = set(order[: round(share * len(self.files))].tolist())
        others = tuple(file for number, file in enumerate(self.files) if number not in aside)
        return others, tuple(file for number, file in enumerate(self.files) if number in aside)


def source_photographs(progress: Progress) -> Source:
    """Fetch the photographs and leave out near-duplicates.

    Raises
    ------
    TwinlensError
        If there is none and none can be fetched.
    """
    fetched = fetch_photographs(progress)
    files = sorted(fetched.folder / one.path for one in fetched.photographs)
    small = [_small(open_photograph(file)) for file in files]
    return Source(tuple(files[row] for row in distinct(np.stack(small))), fetched.packages)


def open_photograph(file: Path) -> Picture:
    """Read a photograph, as large as it is up to ``SIDE``."""
    return read(file.read_bytes(), file.name, side=SIDE)


def distinct(small: npt.NDArray[np.float64]) -> list[int]:
    """Return the rows that correlate with no row before them that was taken, (n, d)."""
    unit = small - small.mean(axis=1, keepdims=True)
    unit /= np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), 1e-12)
    taken: list[int] = []
    for row, one in enumerate(unit):
        if not taken or (unit[taken] @ one).max() < _ALIKE:
            taken.append(row)
    return taken


def drawn(tables: Sequence[npt.NDArray[np.float32]], count: int, seed: int) -> npt.NDArray[np.float32]:
    """Draw so many rows of some tables, all where there are no more, in a random order."""
    rows = np.concatenate(tables)
    return rows[np.random.default_rng(seed).permutation(len(rows))[:count]]


def _small(picture: Picture) -> npt.NDArray[np.float64]:
    return np.asarray(cv2.resize(picture.grey, (16, 16), interpolation=cv2.INTER_AREA), np.float64).ravel()
