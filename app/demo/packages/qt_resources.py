"""Qt resource files (.rcc): many files in one, read without Qt.

A file of format 1 to 3 is a header, a tree of nodes, the names and the data, all big-endian: ``qres``, the format, and
where tree, data and names begin. A node is 14 bytes, or 22 with the time that formats 2 and 3 keep.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

MAGIC = b"qres"
FORMATS = (1, 2, 3)
COMPRESSED, FOLDER, ZSTD = 1, 2, 4
"""Flags of a node."""

HEADER = struct.Struct(">4sIIII")  # magic, format, where the tree, the data and the names begin
NODE = struct.Struct(">IH")  # where the name is, flags; then one of the next two
CHILDREN = struct.Struct(">II")  # how many, the first
FILE = struct.Struct(">HHI")  # territory, language, where the data are
NAME = struct.Struct(">HI")  # length in UTF-16 units, hash
SIZE = struct.Struct(">I")  # before the data; and of the expanded data, before what is compressed


class QtResourceError(ValueError):
    """The bytes are not a Qt resource file that can be read here."""


@dataclass(frozen=True, slots=True)
class _Entry:
    start: int
    flags: int


class QtResources:
    """The files in a Qt resource file; iteration gives their paths, without a leading slash.

    Parameters
    ----------
    content : bytes
        The whole resource file.

    Raises
    ------
    QtResourceError
        If it is damaged, or of an unknown format.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        try:
            magic, version, self._tree, self._data, self._names = HEADER.unpack_from(content)
            if magic != MAGIC or version not in FORMATS:
                raise QtResourceError("it is no Qt resource file of a known format")
            self._node_size = NODE.size + FILE.size + (8 if version > 1 else 0)
            self._entries = dict(self._walk())
        except (struct.error, UnicodeDecodeError) as error:
            raise QtResourceError(f"it is damaged ({error})") from error

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def read(self, path: str) -> bytes:
        """Return the content of a file.

        Parameters
        ----------
        path : str
            As iteration gives it.

        Raises
        ------
        KeyError
            If there is no such file.
        QtResourceError
            If its data are damaged, or compressed in a way that cannot be read here (Zstandard).
        """
        entry = self._entries[path]
        if entry.flags & ZSTD:
            raise QtResourceError(f"{path} is compressed with Zstandard")
        try:
            (size,) = SIZE.unpack_from(self._content, entry.start)
            data = self._content[entry.start + SIZE.size : entry.start + SIZE.size + size]
            if len(data) != size:
                raise QtResourceError(f"{path} is cut off")
            return _expanded(data) if entry.flags & COMPRESSED else data
        except (struct.error, zlib.error) as error:
            raise QtResourceError(f"{path} is damaged ({error})") from error

    def _walk(self) -> Iterator[tuple[str, _Entry]]:
        seen = set()  # a damaged tree may lead back to itself
        waiting = [(0, "")]
        while waiting:
            number, parent = waiting.pop()
            if number in seen:
                raise QtResourceError("its tree leads back to itself")
            seen.add(number)
            at = self._tree + number * self._node_size
            name_at, flags = NODE.unpack_from(self._content, at)
            path = f"{parent}/{self._name(name_at)}".lstrip("/") if number else ""
            if flags & FOLDER:
                count, first = CHILDREN.unpack_from(self._content, at + NODE.size)
                if count > len(self._content) // self._node_size:
                    raise QtResourceError("it names more files than it can hold")
                waiting.extend((first + child, path) for child in reversed(range(count)))
            else:
                _, _, data_at = FILE.unpack_from(self._content, at + NODE.size)
                yield path, _Entry(self._data + data_at, flags)

    def _name(self, at: int) -> str:
        length, _ = NAME.unpack_from(self._content, self._names + at)
        start = self._names + at + NAME.size
        name = self._content[start : start + 2 * length]
        if len(name) != 2 * length:
            raise QtResourceError("its names are cut off")
        return name.decode("utf-16-be")


def _expanded(data: bytes) -> bytes:
    (size,) = SIZE.unpack_from(data)
    expander = zlib.decompressobj()
    content = expander.decompress(data[SIZE.size :], max_length=size + 1)
    if len(content) != size:
        raise zlib.error("it is not of the size that it says")
    return content
