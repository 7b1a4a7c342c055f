"""Arrays of numpy from files that anybody may have made: .npy, .npz, and members of other zip files.

What a header claims is held against the bytes that are there before any memory is taken, and no object is ever
unpickled. Everything that is wrong is an ``InvalidError`` that completes "the file cannot be read: ...".
"""

from __future__ import annotations

import io
import math
import os
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any, Literal, NamedTuple

import numpy as np
from numpy.lib import format as npy

from twinlens.core.arrays import AnyArray
from twinlens.core.errors import InvalidError
from twinlens.core.files.untrusted_input import check_kind
from twinlens.core.message import Message, verbatim

MOST_MEMBERS = 1000
"""Arrays in one .npz."""

NOT_PLAIN = Message("it is no file of plain arrays of numbers")
_LONGEST_HEADER = 10_000
_LARGEST_ITEM = 1 << 16
_CHUNK = 1 << 22
_PACKED = 100  # how many times its size a file may grow when it is unpacked: arrays of numbers grow a few times
_ALWAYS = 1 << 28


def read_npy(file: Path) -> AnyArray:
    """Map the array of a .npy into memory.

    Raises
    ------
    OSError, ValueError
        If it cannot be read, or is no array of numbers or words.
    """
    status = file.stat()
    check_kind(status)
    with file.open("rb") as opened:
        header = _header(opened)
        has = status.st_size - header.length
        if header.bytes > has:
            raise InvalidError(
                "it says that it holds {claimed} bytes of numbers, and has {has}", claimed=header.bytes, has=has
            )
        if not header.bytes or not header.shape:
            opened.seek(header.length)
            return _filled(opened, header)
    return np.asarray(np.memmap(file, header.dtype, "r", header.length, header.shape, header.order))


class Archive:
    """The arrays of an open .npz. Made by :func:`open_npz`."""

    def __init__(self, packed: zipfile.ZipFile, size: int) -> None:
        self._packed = packed
        self._members = {}
        members = packed.infolist()
        if len(members) > MOST_MEMBERS:
            raise InvalidError("it holds {count} files", count=len(members))
        claimed = sum(member.file_size for member in members)
        if claimed > most_unpacked(size):
            raise InvalidError(
                "its {size} bytes claim to unpack to {claimed}, as no file of vectors does", size=size, claimed=claimed
            )
        self._members = {member.filename.removesuffix(".npy"): member for member in members}
        self.names = tuple(self._members)

    def __getitem__(self, name: str) -> AnyArray:
        """Read an array by its name; KeyError if there is none."""
        member = self._members[name]
        with _sound(), self._packed.open(member) as opened:
            header = _header(opened)
            has = member.file_size - header.length
            if header.bytes != has:
                raise InvalidError(
                    "{name} says that it holds {claimed} bytes of numbers, and has {has}",
                    name=name,
                    claimed=header.bytes,
                    has=has,
                )
            opened.seek(header.length)
            return _filled(opened, header)

    def all(self) -> dict[str, AnyArray]:
        """Read every array."""
        return {name: self[name] for name in self.names}


@contextmanager
def open_npz(file: Path | IO[bytes]) -> Iterator[Archive]:
    """Open a .npz.

    Raises
    ------
    OSError, ValueError
        If it cannot be read, is no .npz, or claims more than a file of its size holds.
    """
    if isinstance(file, Path):
        status = file.stat()
        check_kind(status)
        size = status.st_size
    else:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
    with open_zip(file) as packed:
        yield Archive(packed, size)


@contextmanager
def open_zip(file: Path | IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """Open a zip whose members are plain or deflated, as numpy and Twinlens write them."""
    with _sound():
        packed = zipfile.ZipFile(file)
    with packed:
        if any(one.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED} for one in packed.infolist()):
            raise InvalidError("it is packed in an unusual way")
        yield packed


def read_member(packed: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Read a member of a zip of a limited size; KeyError if there is none."""
    member = packed.getinfo(name)
    if member.file_size > most:
        raise InvalidError("its {name} is too large", name=name)
    with _sound(), packed.open(member) as opened:
        data = opened.read(most + 1)
    if len(data) != member.file_size:
        raise InvalidError("its {name} is cut short", name=name)
    return data


def most_unpacked(size: int) -> int:
    """Return how many bytes a packed file of some size may unpack to: 256 MB, or a hundred times its own."""
    return max(_ALWAYS, _PACKED * size)


@contextmanager
def _sound() -> Iterator[None]:
    """Turn errors of zipfile about a damaged file into an InvalidError."""
    try:
        yield
    except zipfile.BadZipFile as error:
        raise InvalidError(verbatim(str(error)) or Message("it is damaged")) from None
    except (zlib.error, struct.error, EOFError, IndexError) as error:
        raise InvalidError("it is damaged ({error})", error=error) from None
    except (NotImplementedError, RuntimeError) as error:  # another way of packing, or a password
        raise InvalidError(verbatim(str(error))) from None


class _Header(NamedTuple):
    """The header of a .npy file, ``length`` bytes."""

    shape: tuple[int, ...]
    order: Literal["F", "C"]
    dtype: np.dtype[Any]
    length: int

    @property
    def bytes(self) -> int:
        """Size of the array in bytes."""
        return math.prod(self.shape) * self.dtype.itemsize


def _header(opened: IO[bytes]) -> _Header:
    """Read a header of numpy's first two versions; the third has names of fields, which no plain array has."""
    head = io.BytesIO(opened.read(_LONGEST_HEADER))  # numpy reads as many bytes as a header claims to have
    try:
        read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(head)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # an old file, of Python 2
            shape, fortran, dtype = read(head, _LONGEST_HEADER)
    except (KeyError, TypeError, ValueError, SyntaxError, TokenError, RecursionError, MemoryError):
        raise InvalidError(NOT_PLAIN) from None  # numpy parses it as a literal of Python
    if dtype.kind not in "biufcUS" or not 1 <= dtype.itemsize <= _LARGEST_ITEM:
        raise InvalidError(NOT_PLAIN)
    if min(shape, default=0) < 0 or math.prod(side or 1 for side in shape) * dtype.itemsize >= 1 << 62:
        raise InvalidError("no array has such a shape")
    return _Header(shape, "F" if fortran else "C", dtype, head.tell())


def _filled(opened: IO[bytes], header: _Header) -> AnyArray:
    """Read the array after a header whose size was checked."""
    data = bytearray()
    while some := opened.read(min(_CHUNK, header.bytes - len(data))):
        data += some
    if len(data) != header.bytes:
        raise InvalidError("it is cut short")
    return np.ndarray(header.shape, header.dtype, data, order=header.order)
