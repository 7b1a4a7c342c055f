"""Arrays of numpy from files that anybody may have made: .npy, .npz, and members of other zip files.

What a header claims is held against the bytes that are there before any memory is taken, no object is ever unpickled,
and nothing of a header is evaluated. Everything that is wrong is an ``InvalidError`` that completes "the file cannot be
read: ...".
"""

from __future__ import annotations

import math
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import numpy as np

from core.arrays import AnyArray
from core.errors import InvalidError
from core.files.untrusted_input import check_kind
from core.message import Message, verbatim

MOST_MEMBERS = 1000
"""Arrays in one .npz."""

NOT_PLAIN = Message("it is no file of plain arrays of numbers")
_LONGEST_HEADER = 10_000
_MOST_SIDES = 8
_CHUNK = 1 << 22
_PACKED = 100  # how many times its size a file may grow when it is unpacked: arrays of numbers grow a few times
_ALWAYS = 1 << 28
_DESCR = re.compile(r"'descr'\s*:\s*'([<>|=][biufcUS]\d{1,9})'")
_ORDER = re.compile(r"'fortran_order'\s*:\s*(True|False)\b")
_SHAPE = re.compile(r"'shape'\s*:\s*\(([\d\s,L]*)\)")


class Header(NamedTuple):
    """The header of a .npy file.

    Attributes
    ----------
    length : int
        Bytes of the header itself.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    fortran: bool
    length: int

    @property
    def bytes(self) -> int:
        """Size of the array in bytes."""
        return math.prod(self.shape) * self.dtype.itemsize


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
    if header.length + header.bytes > status.st_size:
        raise InvalidError(
            "it says that it holds {claimed} bytes of numbers, and has {has}",
            claimed=header.bytes,
            has=status.st_size - header.length,
        )
    if not header.bytes or not header.shape:
        with file.open("rb") as opened:
            opened.seek(header.length)
            return _filled(opened, header)
    order: Literal["F", "C"] = "F" if header.fortran else "C"
    return np.asarray(np.memmap(file, header.dtype, "r", header.length, header.shape, order))


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
            if header.length + header.bytes != member.file_size:
                raise InvalidError(
                    "{name} says that it holds {claimed} bytes of numbers, and has {has}",
                    name=name,
                    claimed=header.bytes,
                    has=member.file_size - header.length,
                )
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


def _header(opened: IO[bytes]) -> Header:
    start = opened.read(8)
    if len(start) < 8 or start[:6] != b"\x93NUMPY" or start[6] not in {1, 2, 3}:
        raise InvalidError(NOT_PLAIN)
    width = 2 if start[6] == 1 else 4
    length = int.from_bytes(opened.read(width), "little")
    if length > _LONGEST_HEADER:
        raise InvalidError("its header is too long")
    text = opened.read(length).decode("utf-8" if start[6] == 3 else "latin-1")
    descr, order, shape = _DESCR.search(text), _ORDER.search(text), _SHAPE.search(text)
    if descr is None or order is None or shape is None:
        raise InvalidError(NOT_PLAIN)
    sides = tuple(int(side.strip().rstrip("L")) for side in shape[1].split(",") if side.strip())
    if len(sides) > _MOST_SIDES or any(side >= 1 << 62 for side in sides):
        raise InvalidError("no array has such a shape")
    try:
        dtype = np.dtype(descr[1])
    except TypeError:
        raise InvalidError("it holds numbers of the unknown kind {kind}", kind=descr[1]) from None
    if not 1 <= dtype.itemsize <= 1 << 16:
        raise InvalidError("its items have {size} bytes each", size=dtype.itemsize)
    return Header(dtype, sides, order[1] == "True", 8 + width + length)


def _filled(opened: IO[bytes], header: Header) -> AnyArray:
    """Read the array after a header whose size was checked."""
    if math.prod(side or 1 for side in header.shape) * header.dtype.itemsize >= 1 << 62:
        raise InvalidError("no array has such a shape")
    flat = np.empty(math.prod(header.shape), header.dtype)
    into = flat.view(np.uint8)
    at = 0
    while at < len(into):
        some = opened.read(min(_CHUNK, len(into) - at))
        if not some:
            raise InvalidError("it is cut short")
        into[at : at + len(some)] = np.frombuffer(some, np.uint8)
        at += len(some)
    return flat.reshape(header.shape, order="F" if header.fortran else "C")
