"""The files in a package's archive: Debian's .deb, a wheel, a source archive."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

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
        Told the path in the package (``usr/share/...``; of a source archive without its folder), says whether the
        file is read.

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


def _wheel(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            if not member.is_dir() and wanted(member.filename):
                yield member.filename, opened.read(member)


def _source_archive(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(archive, mode="r:gz") as opened:
        for path, content in _tar_members(opened, lambda path: wanted(path.partition("/")[2])):
            yield path.partition("/")[2], content


def _deb(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    with archive.open("rb") as opened:
        member = _ar_member(opened, "data.tar")
        if member.endswith(".zst"):  # the standard library reads it from Python 3.14 on
            yield from _deb_by_dpkg(archive, wanted)
            return
        with tarfile.open(fileobj=opened, mode="r|*") as files:
            yield from _tar_members(files, wanted)


def _deb_by_dpkg(archive: Path, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    program = shutil.which("dpkg-deb")
    if program is None:
        raise ArchiveError(Message("{name} needs dpkg-deb to be read", name=archive.name))
    with subprocess.Popen([program, "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE) as unpacking:  # noqa: S603
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as files:
            yield from _tar_members(files, wanted)
        assert unpacking.stdout is not None
        unpacking.stdout.read()  # the padding behind the last file


def _ar_member(opened: IO[bytes], start_of_name: str) -> str:
    """Go to the content of a member of an ar archive, and give the member's name."""
    if opened.read(len(AR_MAGIC)) != AR_MAGIC:
        raise ArchiveError(Message("it is no Debian package"))
    while len(header := opened.read(AR_HEADER_SIZE)) == AR_HEADER_SIZE:
        name = header[:16].decode("ascii").rstrip(" /")
        if name.startswith(start_of_name):
            return name
        size = int(header[48:58])
        opened.seek(size + size % 2, 1)
    raise ArchiveError(Message("it holds no {name}", name=start_of_name))


def _tar_members(opened: tarfile.TarFile, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    for member in opened:
        path = member.name.removeprefix("./")
        if member.isfile() and wanted(path):
            file = opened.extractfile(member)
            assert file is not None
            yield path, file.read()
