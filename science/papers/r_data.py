"""R's .rda files, as far as tables of numbers and factors need them.

The form is R's serialization in XDR, versions 2 and 3, big-endian (R Internals, section 1.8): ``RDX2`` or ``RDX3`` and
a newline, then ``X`` and a newline, three version numbers (and the encoding's name in version 3), then one item, a
pairlist of the saved objects. An item begins with four bytes of flags: the lowest is its type, 0x100 says that it is an
object, 0x200 that attributes follow, 0x400 that a tag does.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import TwinlensError
from core.message import NOTHING, Message

_NIL, _GLOBAL, _REFERENCE = 254, 253, 255
_SYMBOL, _PAIRS, _CHARACTERS, _LOGICALS, _INTEGERS, _DOUBLES, _STRINGS, _LIST, _COMPACT = (
    1,
    2,
    9,
    10,
    13,
    14,
    16,
    19,
    238,
)
_ATTRIBUTES, _TAG = 0x200, 0x400


@dataclass(frozen=True)
class Factor:
    """A column of classes: codes from 1 up, 0 where there is none, and the names of the classes."""

    codes: npt.NDArray[np.int64]
    levels: list[str]


Column = npt.NDArray[Any] | Factor | list[str]


@dataclass
class _Item:
    value: Any
    attributes: dict[str, Any] = field(default_factory=dict)


def read_r_data(content: bytes) -> dict[str, dict[str, Column]]:
    """Read the tables (data frames) of an .rda file: by name, their columns by name.

    Raises
    ------
    TwinlensError
        If it is no such file, or holds what is not known here.
    """
    try:
        reader = _Reader(_expanded(content))
        saved = reader.item()
    except (struct.error, OSError, EOFError, lzma.LZMAError, ValueError, IndexError) as error:
        raise TwinlensError(Message("The .rda file cannot be read: {error}.", error=error), NOTHING) from error
    return {name: _columns(item) for name, item in saved.value.items() if "names" in item.attributes}


def _expanded(content: bytes) -> bytes:
    for start, expand in ((b"\x1f\x8b", gzip.decompress), (b"BZh", bz2.decompress), (b"\xfd7zXZ", lzma.decompress)):
        if content.startswith(start):
            return expand(content)
    return content


def _columns(table: _Item) -> dict[str, Column]:
    names = table.attributes["names"].value
    return {name: _column(item) for name, item in zip(names, table.value, strict=True)}


def _column(item: _Item) -> Column:
    levels = item.attributes.get("levels")
    if levels is not None:
        return Factor(np.maximum(np.asarray(item.value, np.int64), 0), levels.value)
    value: Column = item.value
    return value


class _Reader:
    """Reads items one after the other; what was seen before is referred to by number."""

    def __init__(self, content: bytes) -> None:
        if content[:5] not in {b"RDX2\n", b"RDX3\n"} or content[5:7] != b"X\n":
            raise ValueError("it is not R's binary form")
        self._content, self._at = content, 7
        self._seen: list[_Item] = []
        version = self._integer()
        self._at += 8
        if version == 3:
            self._bytes(self._integer())

    def _integer(self) -> int:
        return int(struct.unpack(">i", self._bytes(4))[0])

    def _bytes(self, count: int) -> bytes:
        if count < 0 or self._at + count > len(self._content):
            raise ValueError("it is cut off")
        self._at += count
        return self._content[self._at - count : self._at]

    def _numbers(self, dtype: str) -> npt.NDArray[Any]:
        count = self._integer()
        kind = np.dtype(dtype)
        return np.frombuffer(self._bytes(count * kind.itemsize), kind).astype(kind.newbyteorder("="))

    def item(self) -> _Item:
        flags = self._integer()
        kind = flags & 0xFF
        if kind == _PAIRS:
            return self._pairs(flags)
        if kind == _REFERENCE:
            return self._seen[(flags >> 8 or self._integer()) - 1]
        if kind == _SYMBOL:
            self._seen.append(self.item())
            return self._seen[-1]
        if kind == _COMPACT:
            return self._compact()
        found = _Item(self._value(kind))
        if flags & _ATTRIBUTES and kind != _CHARACTERS:
            found.attributes = self.item().value
        return found

    def _value(self, kind: int) -> Any:
        if kind in {_NIL, _GLOBAL}:
            return {}
        if kind == _CHARACTERS:
            length = self._integer()
            return "" if length < 0 else self._bytes(length).decode("utf-8", "replace")
        if kind in {_INTEGERS, _LOGICALS}:
            return self._numbers(">i4")
        if kind == _DOUBLES:
            return self._numbers(">f8")
        if kind == _STRINGS:
            return [self.item().value for _ in range(self._integer())]
        if kind == _LIST:
            return [self.item() for _ in range(self._integer())]
        raise ValueError(f"it holds an item of type {kind}")

    def _pairs(self, flags: int) -> _Item:
        """Read a pairlist as a dict; it ends with NIL."""
        found: dict[str, _Item] = {}
        while flags & 0xFF == _PAIRS:
            if flags & _ATTRIBUTES:
                self.item()
            tag = str(self.item().value) if flags & _TAG else str(len(found))
            found[tag] = self.item()
            flags = self._integer()
        return _Item(found)

    def _compact(self) -> _Item:
        """Read what version 3 keeps short: a stretch of whole numbers, as row names are."""
        about = self.item()
        state = self.item()
        self.item()
        names = [one.value for one in about.value.values()]
        if names[0] != "compact_intseq":
            raise ValueError(f"it holds a {names[0]}")
        count, first, step = state.value
        return _Item(np.arange(count) * step + first)
