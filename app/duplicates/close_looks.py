"""Photographs that look the same small are looked at closely: only their files tell whether they were taken twice.

And only they tell which of two is damaged, where they are one but for a few bytes, or from a row on.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from app.duplicates.compared_pictures import ComparedContent
from app.duplicates.comparing_tasks import Alignment, CloseComparisonTask, DamageTask, GreyPicture
from app.library import decoders
from app.library.decoding import unchanged_file
from app.library.decoding_tasks import BlocksTask, DecodingTask, ResizedBlocksTask
from app.library.library import Library
from core.arrays import UInt8Pixels
from core.errors import TwinlensError
from features.copies.blocks import Blocks
from features.copies.damage import Damage
from features.copies.made_smaller import is_made_smaller
from features.copies.relation import Relation, RelationKind
from features.copies.taken_twice import FORMATS_WITH_BLOCKS, LARGE_SIDE, LargePicture

_KEPT = 16  # pictures of 2 MB, and as many blocks of 0.5 MB


class FileVerification:
    """Looks at photographs closely; the last ones are kept."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._grey = lru_cache(_KEPT)(self._read_grey)
        self._blocks = lru_cache(_KEPT)(self._read_blocks)
        self._resized = lru_cache(_KEPT)(self._read_resized)

    def told(self, first: ComparedContent, second: ComparedContent, laid: Alignment) -> Relation:
        """Return the relation of two photographs that were laid over each other.

        Those that look the same are a series where a file cannot be read now.

        Raises
        ------
        UnreadableError
            If they cannot be compared.
        """
        found, suspicious = laid
        suspicious |= first.format == second.format and first.bytes == second.bytes
        if found.kind is RelationKind.SAME:
            kind, more = self._told_closely(first, second)
            found, suspicious = replace(found, kind=kind), suspicious or more
        if suspicious and first.size == second.size and (damaged := self._damage(first, second)) is not None:
            return replace(found, kind=RelationKind.DAMAGED, second_damaged=damaged.second, damaged_from=damaged.start)
        return found

    def _told_closely(self, first: ComparedContent, second: ComparedContent) -> tuple[RelationKind, bool]:
        """Return the relation of two that look the same, and whether one may be damaged."""
        if first.at_the_moment_of(second):
            return RelationKind.SAME, False
        side = min(LARGE_SIDE, max(first.size), max(second.size))
        grey = self._grey(first, side), self._grey(second, side)
        if grey[0] is None or grey[1] is None:
            return RelationKind.SIMILAR, False
        blocks = (self._blocks(first), self._blocks(second)) if first.size == second.size else (None, None)
        kind, suspicious = decoders.ask(
            CloseComparisonTask(
                LargePicture(grey[0], first.size, first.format, blocks[0]),
                LargePicture(grey[1], second.size, second.format, blocks[1]),
                None if first.size == second.size else self._is_made_smaller(first, second),
            )
        )
        one, other = (b"" if each is None else each.beginning for each in blocks)
        return kind, suspicious or (one == other != b"")

    def _damage(self, first: ComparedContent, second: ComparedContent) -> Damage | None:
        with suppress(TwinlensError):
            return decoders.ask(DamageTask(self._file(first), self._file(second)))
        return None

    def _is_made_smaller(self, first: ComparedContent, second: ComparedContent) -> bool | None:
        """Return whether the smaller of two pictures is the other one made smaller; None where nothing says."""
        small, large = sorted((first, second), key=lambda one: one.size[0] * one.size[1])
        if small.format not in FORMATS_WITH_BLOCKS or (blocks := self._blocks(small)) is None:
            return None
        larger = self._resized(large, small.size)
        return None if larger is None else is_made_smaller(blocks, larger, small.size[0] / large.size[0])

    def _read_resized(self, one: ComparedContent, size: tuple[int, int]) -> list[Blocks] | None:
        with suppress(TwinlensError):
            return decoders.ask(ResizedBlocksTask(self._file(one), size))
        return None

    def _read_grey(self, one: ComparedContent, side: int) -> UInt8Pixels | None:
        with suppress(TwinlensError):
            return decoders.ask(GreyPicture(self._file(one, side)))
        return None

    def _read_blocks(self, one: ComparedContent) -> Blocks | None:
        with suppress(TwinlensError):
            return decoders.ask(BlocksTask(self._file(one)))
        return None

    def _file(self, one: ComparedContent, side: int = LARGE_SIDE) -> DecodingTask:
        with self._library.store.reading() as r:
            (path,) = self._library.paths(r, r.photographs.by_id([one.id])) or [b""]
        return unchanged_file(Path(os.fsdecode(path)), one.content, side)
