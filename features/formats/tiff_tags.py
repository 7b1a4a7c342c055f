"""The tags of a TIFF structure: what EXIF blocks, TIFF pictures and most raw files are made of (TIFF 6.0, section 2).

Pillow reads them too, but decodes every tag, warns about each that is damaged, and does not say where a raw file keeps
its sensor data. Here only the tags asked for are decoded, and what is damaged is simply not there.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_BYTES_OF_TYPE = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}
_INTEGERS = {1: "B", 3: "H", 4: "I", 7: "B", 13: "I", 16: "Q", 18: "Q"}
_MAGICS = frozenset({42, 43, 0x4F52, 0x5352, 0x0055})  # TIFF, BigTIFF, Olympus RO and RS, Panasonic U
_MOST_TAGS = 4096


@dataclass(frozen=True)
class Tag:
    """One tag of a directory: its type (TIFF 6.0, page 15), how many values it has, and where they begin."""

    kind: int
    count: int
    position: int


class TiffTags:
    """Reads the directories of one TIFF structure. Never raises on damaged bytes: what cannot be read is missing.

    Parameters
    ----------
    block : bytes
        Beginning with the byte order mark, ``II`` or ``MM``.

    Attributes
    ----------
    first : dict of int to Tag
        The first directory; empty where the block is no TIFF structure.
    """

    def __init__(self, block: bytes) -> None:
        self._block = block
        self._order = ">" if block[:2] == b"MM" else "<"
        self._big = False
        self.first: dict[int, Tag] = {}
        if block[:2] not in (b"II", b"MM") or len(block) < 8:
            return
        magic, start = struct.unpack_from(self._order + "HI", block, 2)
        if magic not in _MAGICS:
            return
        self._big = magic == 43
        if self._big:
            if len(block) < 16:
                return
            (start,) = struct.unpack_from(self._order + "Q", block, 8)
        self.first = self.directory(start)

    def directory(self, position: int) -> dict[int, Tag]:
        """Read the directory at a position: its tags by number, without those whose values lie outside the block."""
        block, size = self._block, len(self._block)
        head, entry, inline = ("Q", "HHQ", 8) if self._big else ("H", "HHI", 4)
        start = position + struct.calcsize("<" + head)
        if position < 1 or start > size:
            return {}
        (count,) = struct.unpack_from(self._order + head, block, position)
        step = struct.calcsize("<" + entry) + inline
        tags: dict[int, Tag] = {}
        for at in range(start, min(start + min(count, _MOST_TAGS) * step, size - step + 1), step):
            number, kind, values = struct.unpack_from(self._order + entry, block, at)
            length = _BYTES_OF_TYPE.get(kind, 0) * values
            where = at + step - inline
            if length > inline:
                (where,) = struct.unpack_from(self._order + ("Q" if self._big else "I"), block, where)
            if 0 < length <= size - where:
                tags.setdefault(number, Tag(kind, values, where))
        return tags

    def numbers(self, tag: Tag | None, most: int = 16) -> tuple[int, ...]:
        """Return a tag's values as whole numbers, `most` of them; none where it is missing or of another type."""
        if tag is None or tag.kind not in _INTEGERS:
            return ()
        count = min(tag.count, most)
        return struct.unpack_from(f"{self._order}{count}{_INTEGERS[tag.kind]}", self._block, tag.position)

    def number(self, tag: Tag | None) -> int | None:
        """Return a tag's first value as a whole number."""
        return next(iter(self.numbers(tag, most=1)), None)

    def fractions(self, tag: Tag | None, most: int = 16) -> tuple[float, ...]:
        """Return a tag's values that are kept as fractions; none where one of them is divided by 0."""
        if tag is None or tag.kind != 5:
            return ()
        count = min(tag.count, most)
        numbers = struct.unpack_from(f"{self._order}{2 * count}I", self._block, tag.position)
        if not all(numbers[1::2]):
            return ()
        return tuple(above / below for above, below in zip(numbers[::2], numbers[1::2], strict=True))

    def text(self, tag: Tag | None, most: int = 256) -> str:
        """Return a tag's text up to its first NUL, printable characters only, blanks trimmed; empty where missing."""
        if tag is None or tag.kind not in (1, 2, 7):
            return ""
        raw = self._block[tag.position : tag.position + min(tag.count, most)].split(b"\0", 1)[0]
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
        return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
