"""Archives of packages (a .deb, a wheel, a source archive, a Qt resource file) and the listed photographs in them.

Qt resource files are read without Qt.
"""

from __future__ import annotations

import hashlib
import shutil
import struct
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from app.demo.listing import ListedPhotograph, Package, PackageFolder
from core.errors import InvalidError
from core.message import Message

Wanted = Callable[[str], bool]
AR_MAGIC = b"!<arch>\n"
AR_HEADER_SIZE = 60


class ArchiveError(InvalidError):
    """The archive is damaged, or of an unknown type."""


def archive_members(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    """Read the wanted files of an archive.

    Parameters
    ----------
    archive : Path
        A .deb, a wheel, or a .tar.gz that holds one folder.
    wanted : callable
        Takes the path in the package (``usr/share/...``; of a source archive without its folder), and returns whether
        to read the file.

    Yields
    ------
    tuple of str and bytes
        Path and content, in the archive's order.

    Raises
    ------
    ArchiveError
        If it cannot be read.
    """
    readers = {".deb": _deb, ".whl": _wheel, ".gz": _source_archive}
    try:
        yield from readers[archive.suffix](archive, wanted)
    except KeyError as error:
        raise ArchiveError(Message("{name} is of an unknown type", name=archive.name)) from error
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, ValueError, OSError) as error:
        reason = error.message if isinstance(error, InvalidError) else error
        raise ArchiveError(Message("{name} cannot be read ({reason})", name=archive.name, reason=reason)) from error


def _deb(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    with archive.open("rb") as opened:
        member = _ar_member(opened, "data.tar")
        if member.endswith(".zst"):  # the standard library reads it from Python 3.14 on
            yield from _deb_by_dpkg(archive, wanted)
            return
        with tarfile.open(fileobj=opened, mode="r|*") as files:
            yield from _tar_members(files, wanted)


def _ar_member(opened: IO[bytes], start_of_name: str) -> str:
    """Seek to the content of a member of an ar archive, and return the member's name."""
    if opened.read(len(AR_MAGIC)) != AR_MAGIC:
        raise ArchiveError(Message("it is no Debian package"))
    while len(header := opened.read(AR_HEADER_SIZE)) == AR_HEADER_SIZE:
        name = header[:16].decode("ascii").rstrip(" /")
        if name.startswith(start_of_name):
            return name
        size = int(header[48:58])
        opened.seek(size + size % 2, 1)
    raise ArchiveError(Message("it holds no {name}", name=start_of_name))


def _deb_by_dpkg(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    program = shutil.which("dpkg-deb")
    if program is None:
        raise ArchiveError(Message("{name} needs dpkg-deb to be read", name=archive.name))
    with subprocess.Popen([program, "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE) as unpacking:  # noqa: S603
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as files:
            yield from _tar_members(files, wanted)
        assert unpacking.stdout is not None
        unpacking.stdout.read()  # the padding behind the last file


def _tar_members(opened: tarfile.TarFile, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    for member in opened:
        path = member.name.removeprefix("./")
        if member.isfile() and wanted(path):
            file = opened.extractfile(member)
            assert file is not None
            yield path, file.read()


def _wheel(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            if not member.is_dir() and wanted(member.filename):
                yield member.filename, opened.read(member)


def _source_archive(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(archive, mode="r:gz") as opened:
        for path, content in _tar_members(opened, lambda path: wanted(path.partition("/")[2])):
            yield path.partition("/")[2], content


SUFFIXES = (".jpg", ".jpeg", ".mpo", ".png", ".webp", ".avif")


@dataclass(frozen=True, slots=True)
class SelectedPhotograph:
    """A photograph that was found in a package.

    Attributes
    ----------
    content : bytes
    sha256 : str
        Of the content.
    suffix : str
        The ending of its file name in this version of the package.
    """

    group: PackageFolder
    listed: ListedPhotograph
    suffix: str
    content: bytes
    sha256: str

    @property
    def known(self) -> bool:
        """Whether the content is the one that was listed."""
        return self.sha256 == self.listed.sha256

    @property
    def path(self) -> str:
        """Path of the file, relative to the folder of the photographs."""
        return f"{self.group.folder}/{self.listed.stem}{self.suffix}"


def select_photographs(package: Package, archive: Path) -> tuple[SelectedPhotograph, ...]:
    """Find the listed photographs of a package, whatever the ending of their file names.

    Parameters
    ----------
    archive : Path
        The package itself.

    Returns
    -------
    tuple of SelectedPhotograph
        In the list's order; photographs that the package lacks are left out. Of several files that differ in their
        ending alone, the one whose content was listed, or else the largest.

    Raises
    ------
    ArchiveError
        If the archive cannot be read.
    """
    where = {
        f"{group.resource}:{group.path}/{listed.file}": (group, listed)
        for group in package.groups
        for listed in group.photographs
    }
    found: dict[str, SelectedPhotograph] = {}
    for path, content in _pictures(package, archive):
        stem, suffix = path.removesuffix(PurePosixPath(path).suffix), PurePosixPath(path).suffix
        if stem in where:
            candidate = SelectedPhotograph(*where[stem], suffix.lower(), content, hashlib.sha256(content).hexdigest())
            before = found.get(stem)
            if before is None or (candidate.known, len(content)) > (before.known, len(before.content)):
                found[stem] = candidate
    return tuple(found[stem] for stem in where if stem in found)


def _pictures(package: Package, archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures in the listed folders as (resource:path, content); there is no resource in a plain folder."""
    resources = {group.resource for group in package.groups if group.resource}
    folders = tuple(f"{group.path}/" for group in package.groups if not group.resource)
    for path, content in archive_members(archive, lambda path: path in resources or _is_picture(path, folders)):
        if path not in resources:
            yield f":{path}", content
            continue
        folders_inside = tuple(f"{group.path}/" for group in package.groups if group.resource == path)
        # Another version may pack in an unknown way: those photographs are missing, which is counted.
        with suppress(QtResourceError):
            inside = QtResources(content)
            for name in inside:
                if _is_picture(name, folders_inside):
                    with suppress(QtResourceError):
                        yield f"{path}:{name}", inside.read(name)


def _is_picture(path: str, folders: tuple[str, ...]) -> bool:
    return bool(folders) and path.startswith(folders) and path.lower().endswith(SUFFIXES)


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


@dataclass(frozen=True, slots=True)
class _Entry:
    start: int
    flags: int
