"""Photographs out of the library: copies or links in a folder, or a table of what is known of them.

Nothing that is there is ever written over: a name that is taken gets a number. Originals are only read.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Literal

from app.library import volumes
from app.library.browsing import Photograph, photographs
from app.library.library import Library
from app.library.results import ExportResult
from app.machine.csv_table import Table
from app.results import shown
from core.errors import TwinlensError
from core.files.unfinished_copies import clear, making
from core.message import NOTHING, Message, verbatim
from core.progress import Progress, silent
from storage.database.batches import pieces

How = Literal["copy", "link", "csv"]

_COLUMNS = ("path", "name", "folder", "taken", "camera", "width", "height", "bytes", "id")
_PAGE = 500
_MANY = 10_000  # a name that is taken so often is no accident
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}


def export(
    library: Library,
    ids: Sequence[int],
    target: Path,
    how: How,
    progress: Progress = silent,
) -> ExportResult:
    """Export photographs.

    Parameters
    ----------
    library : Library
    ids : sequence of int
        In the order of the table; for files the order does not matter.
    target : Path
        The folder for copies or links, made where there is none; the file of the table, or a folder for it.
    how : "copy", "link" or "csv"
        Links are symbolic ones to the originals.
    progress : Progress
        When it raises ``Cancelled``, what is exported stays, and no file is half written.

    Returns
    -------
    ExportResult
        Photographs whose disk or file is away are left out of the copies and links, each with its reason.

    Raises
    ------
    TwinlensError
        If the target cannot be written, or its disk is full.
    """
    target = target.expanduser().absolute()
    try:
        if how == "csv":
            return _write_table(library, ids, target, progress)
        target.mkdir(parents=True, exist_ok=True)
        return _put_files(library, ids, target, how, progress)
    except FileExistsError as error:
        raise TwinlensError(
            Message("{filename} is a file, not a folder.", filename=error.filename), Message("Choose a folder.")
        ) from error
    except OSError as error:
        what = "The table cannot be written" if how == "csv" else "The photographs cannot be exported"
        raise TwinlensError(
            Message(
                "{what} to {fsencode}: {value}.",
                what=what,
                fsencode=shown(os.fsencode(target)),
                value=error.strerror or error,
            ),
            Message("Choose another folder, or make space there. What is exported stays."),
        ) from error


def numbered(name: bytes) -> Iterator[bytes]:
    """Yield a name, and then the same with numbers.

    Examples
    --------
    >>> names = numbered(b"a.tar.gz")
    >>> [next(names) for _ in range(3)]
    [b'a.tar.gz', b'a.tar (2).gz', b'a.tar (3).gz']
    """
    stem, ending = os.path.splitext(name)
    yield name
    for number in range(2, _MANY):
        yield b"%s (%d)%s" % (stem, number, ending)


def _put_files(library: Library, ids: Sequence[int], target: Path, how: How, progress: Progress) -> ExportResult:
    done, size = 0, 0
    refused: list[str] = []
    clear(target)
    for some in pieces(ids, _PAGE):
        with library.store.reading() as r:
            rows, known = r.photographs.by_id(some), library.volumes(r)
        for row in rows:
            progress(done + len(refused), len(ids), verbatim(shown(os.path.basename(row.path))))
            path = volumes.locate(known[row.volume_id], row.path)
            try:
                with open(path, "rb") as original:
                    size += _put(original, path, os.fsencode(target), how)
                done += 1
            except OSError as error:
                # Of the target, not of this photograph: then none of the others could be exported either.
                if error.errno in _NO_SPACE or not os.access(target, os.W_OK):
                    raise
                away = not volumes.is_present(known[row.volume_id])
                why = "its disk is not connected" if away else error.strerror or str(error)
                refused.append(f"{shown(path)}: {why}.")
    return ExportResult(target=shown(os.fsencode(target)), photographs=done, bytes=size, refused=refused)


def _put(original: IO[bytes], path: bytes, folder: bytes, how: How) -> int:
    """Copy or link one file to a name that is free; give the bytes that were written."""
    wanted = os.path.join(folder, os.path.basename(path))
    if how == "link":
        _first_free(wanted, lambda place: os.symlink(path, place))
        return 0
    with making(Path(os.fsdecode(wanted)), "exporting photographs") as part:
        with part.open("xb") as copy:
            size = _copy(original, copy)
        _first_free(wanted, lambda place: _take_name(part, place))
    return size


def _first_free(wanted: bytes, take: Callable[[bytes], None]) -> None:
    """Take a name, or the first numbered one that is free."""
    folder, name = os.path.split(wanted)
    for free in numbered(name):
        with contextlib.suppress(FileExistsError):
            take(os.path.join(folder, free))
            return
    raise FileExistsError(errno.EEXIST, "the folder has too many files of this name", folder)


def _take_name(part: Path, place: bytes) -> None:
    """Rename a complete file, unless the name is taken."""
    try:
        os.link(part, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(place):
            raise FileExistsError(errno.EEXIST, "it is there already", place) from None
        os.replace(part, place)


def _copy(original: IO[bytes], copy: IO[bytes]) -> int:
    shutil.copyfileobj(original, copy, 1 << 20)
    copy.flush()
    with contextlib.suppress(OSError):  # the time is a kindness; some file systems do not keep it
        status = os.fstat(original.fileno())
        os.utime(copy.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))
    return copy.tell()


def _write_table(library: Library, ids: Sequence[int], target: Path, progress: Progress) -> ExportResult:
    if target.is_dir():
        target /= "photographs.csv"
    target.parent.mkdir(parents=True, exist_ok=True)
    folder, name = os.path.split(os.fsencode(target))
    for free in numbered(name):
        place = os.path.join(folder, free)
        try:
            file = open(place, "x", encoding="utf-8", errors="replace", newline="")  # noqa: SIM115 (closed below)
        except FileExistsError:
            continue
        try:
            with file:
                done = _write_rows(library, ids, file, progress)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(place)
            raise
        return ExportResult(target=shown(place), photographs=done, bytes=os.path.getsize(place), refused=[])
    raise FileExistsError(errno.EEXIST, "the folder has too many files of this name", target)


def _write_rows(library: Library, ids: Sequence[int], file: IO[str], progress: Progress) -> int:
    table = Table(file)
    table.writerow(_COLUMNS)
    done = 0
    for some in pieces(ids, _PAGE):
        progress(done, len(ids), NOTHING)
        for one in photographs(library, some):
            table.writerow(_row(one))
            done += 1
    return done


def _row(one: Photograph) -> tuple[object, ...]:
    return (one.path, one.name, one.folder, one.taken, one.camera, one.width, one.height, one.size, one.id)
