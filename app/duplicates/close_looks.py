"""Photographs that look the same small are looked at closely: only their files tell whether they were taken twice."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from app.duplicates.compared_pictures import Compared
from app.library import decoding
from app.library.library import Library
from app.machine import waiting
from core.errors import TwinlensError
from features.copies.blocks import Blocks
from features.copies.made_smaller import is_made_smaller
from features.copies.relation import RelationKind
from features.copies.taken_twice import SIDE, TOLD_BY_BLOCKS, LargePicture, told_closely
from features.pictures.picture import Pixels

_KEPT = 16  # pictures of 2 MB, and as many blocks of 0.5 MB


class CloseLooks:
    """Looks at photographs closely; the last ones are kept."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._grey = lru_cache(_KEPT)(self._read_grey)
        self._blocks = lru_cache(_KEPT)(self._read_blocks)
        self._resized = lru_cache(_KEPT)(self._read_resized)

    def told(self, first: Compared, second: Compared) -> RelationKind:
        """Return the relation of two photographs that look the same; a series where a file cannot be read now."""
        if first.at_the_moment_of(second):
            return RelationKind.SAME
        side = min(SIDE, max(first.size), max(second.size))
        grey = self._grey(first, side), self._grey(second, side)
        if grey[0] is None or grey[1] is None:
            return RelationKind.SIMILAR
        blocks = (self._blocks(first), self._blocks(second)) if first.size == second.size else (None, None)
        return told_closely(
            LargePicture(grey[0], first.size, first.format, blocks[0]),
            LargePicture(grey[1], second.size, second.format, blocks[1]),
            None if first.size == second.size else self._is_made_smaller(first, second),
        )

    def _is_made_smaller(self, first: Compared, second: Compared) -> bool | None:
        """Return whether the smaller of two pictures is the other one made smaller; None where nothing says."""
        small, large = sorted((first, second), key=lambda one: one.size[0] * one.size[1])
        if small.format not in TOLD_BY_BLOCKS or (blocks := self._blocks(small)) is None:
            return None
        larger = self._resized(large, small.size)
        return None if larger is None else is_made_smaller(blocks, larger, small.size[0] / large.size[0])

    def _read_resized(self, one: Compared, size: tuple[int, int]) -> list[Blocks] | None:
        with suppress(TwinlensError), waiting.in_background():
            return decoding.resized_blocks(self._path(one), one.content, size)
        return None

    def _read_grey(self, one: Compared, side: int) -> Pixels | None:
        with suppress(TwinlensError), waiting.in_background():
            rgb = decoding.unchanged(self._path(one), one.content, side).rgb
            return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8)
        return None

    def _read_blocks(self, one: Compared) -> Blocks | None:
        with suppress(TwinlensError), waiting.in_background():
            return decoding.blocks(self._path(one), one.content)
        return None

    def _path(self, one: Compared) -> Path:
        with self._library.store.reading() as r:
            (path,) = self._library.paths(r, r.photographs.by_id([one.id])) or [b""]
        return Path(os.fsdecode(path))
