"""Archives of packages (a .deb, a wheel, a source archive, a Qt resource file) and the listed photographs in them."""

from __future__ import annotations

import hashlib
import struct
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from twinlens.app.demo.listing import ListedPhotograph, Package, PackageFolder
from twinlens.core.errors import InvalidError
from twinlens.core.message import Message

Wanted = Callable[[str], bool]


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
    """Read a Debian package by dpkg-deb, which is wherever apt is."""
    command = ["dpkg-deb", "--fsys-tarfile", str(archive)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as unpacking:  # noqa: S603
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as files:
            yield from _tar_members(files, wanted)
        assert unpacking.stdout is not None
        unpacking.stdout.read()  # the padding behind the last file
    if unpacking.returncode:
        raise ArchiveError(Message("it is damaged"))


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
        for name, inside in _resource_files(content):
            if _is_picture(name, folders_inside):
                yield f"{path}:{name}", inside


_HEADER, _NODE = struct.Struct(">4sIIII"), struct.Struct(">IHII")
_NODE_BYTES = {1: 14, 2: 22, 3: 22}  # by version of the file
_ZLIB, _FOLDER, _ZSTANDARD = 1, 2, 4


def _resource_files(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Read the files of a Qt resource file; none of one that is damaged, and none that Zstandard packs.

    It has a tree of nodes, the root first: each with the place of its name, flags, and either how many nodes its folder
    has from which number on, or, after four bytes, the place of its file.
    """
    try:
        magic, version, tree, data, names = _HEADER.unpack_from(content)
        if magic != b"qres" or version not in _NODE_BYTES:
            return
        waiting = [(0, "")]
        for number, folder in waiting:  # grows while it is gone through
            name, flags, count, place = _NODE.unpack_from(content, tree + number * _NODE_BYTES[version])
            path = f"{folder}/{_name(content, names + name)}" if number else ""
            if flags & _FOLDER:
                if place <= number or place + count > len(content):  # a ring, or more than there can be
                    return
                waiting += [(child, path) for child in range(place, place + count)]
            elif not flags & _ZSTANDARD:
                start = data + place + 4
                packed = content[start : start + int.from_bytes(content[start - 4 : start])]
                yield path.removeprefix("/"), zlib.decompress(packed[4:]) if flags & _ZLIB else packed
    except (struct.error, zlib.error, UnicodeDecodeError):
        return


def _name(content: bytes, start: int) -> str:
    """Read a name: its length, Qt's hash of it, and its letters."""
    length = int.from_bytes(content[start : start + 2])
    return content[start + 6 : start + 6 + 2 * length].decode("utf-16-be")


def _is_picture(path: str, folders: tuple[str, ...]) -> bool:
    return bool(folders) and path.startswith(folders) and path.lower().endswith(SUFFIXES)
