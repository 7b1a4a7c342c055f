"""Export of photographs: copies or links in a folder, or a table of what is known of them.

No existing file is ever overwritten: a name that is taken gets a number. Originals are only read.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Literal

from twinlens.app.library import volumes
from twinlens.app.library.browsing.photographs import Photograph, photographs
from twinlens.app.library.browsing.places import town_near
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import ExportResult
from twinlens.app.machine.output_file import CsvTable, OutputFile, table
from twinlens.core.errors import TwinlensError
from twinlens.core.files.unfinished_copies import clear, take_name, unfinished_copy
from twinlens.core.files.untrusted_input import expanded, shown
from twinlens.core.message import NOTHING, verbatim
from twinlens.core.progress import Progress, silent
from twinlens.storage.database.dialect import pieces

How = Literal["copy", "link"]
COLUMNS = (
    *("path", "name", "folder", "taken", "subsecond", "offset", "dated_by", "camera"),
    *("rating", "label", "favourite", "pick", "keywords", "title", "caption", "place", "town"),
    *("lens", "aperture", "exposure", "iso", "focal_length"),
    *("width", "height", "bytes", "id"),
)
TABLE = table(COLUMNS)
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
    target : Path
        The folder for copies or links, made where there is none.
    how : "copy" or "link"
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
    target = expanded(target).absolute()
    try:
        target.mkdir(parents=True, exist_ok=True)
        return _put_files(library, ids, target, how, progress)
    except FileExistsError as error:
        raise TwinlensError(
            "{filename} is a file, not a folder.", "Choose a folder.", filename=error.filename
        ) from error
    except OSError as error:
        raise TwinlensError(
            "The photographs cannot be exported to {folder}: {reason}.",
            "Choose another folder, or make space there. What is exported stays.",
            folder=shown(os.fsencode(target)),
            reason=error.strerror or str(error),
        ) from error


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
                # An error of the target, not of this photograph: no other could be exported either.
                if error.errno in _NO_SPACE or not os.access(target, os.W_OK):
                    raise
                away = not volumes.is_present(known[row.volume_id])
                why = "its disk is not connected" if away else error.strerror or str(error)
                refused.append(f"{shown(path)}: {why}.")
    return ExportResult(target=shown(os.fsencode(target)), photographs=done, bytes=size, refused=refused)


def _put(original: IO[bytes], path: bytes, folder: bytes, how: How) -> int:
    """Copy or link one file to a free name; return the bytes written."""
    wanted = os.path.join(folder, os.path.basename(path))
    if how == "link":
        _first_free(wanted, lambda place: os.symlink(path, place))
        return 0
    with unfinished_copy(Path(os.fsdecode(wanted)), "exporting photographs") as part:
        with part.open("xb") as copy:
            size = _copy(original, copy)
        _first_free(wanted, lambda place: take_name(part, Path(os.fsdecode(place))))
    return size


def _first_free(wanted: bytes, take: Callable[[bytes], None]) -> None:
    """Take a name, or the first numbered one that is free."""
    folder, name = os.path.split(wanted)
    for free in numbered(name):
        with contextlib.suppress(FileExistsError):
            take(os.path.join(folder, free))
            return
    raise FileExistsError(errno.EEXIST, "the folder has too many files of this name", folder)


def _copy(original: IO[bytes], copy: IO[bytes]) -> int:
    shutil.copyfileobj(original, copy, 1 << 20)
    copy.flush()
    with contextlib.suppress(OSError):  # some file systems do not keep times
        status = os.fstat(original.fileno())
        os.utime(copy.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))
    return copy.tell()


def export_table(library: Library, ids: Sequence[int], file: OutputFile, progress: Progress = silent) -> ExportResult:
    """Write a table of photographs, in their order.

    Raises
    ------
    TwinlensError
        If the file cannot be written, or must not be replaced.
    """
    with file.opened_text(TABLE) as out:
        done = _write_rows(library, ids, out, progress)
    return ExportResult(target=str(file), photographs=done, bytes=file.size, refused=[])


def _write_rows(library: Library, ids: Sequence[int], file: IO[str], progress: Progress) -> int:
    rows = CsvTable(file)
    rows.writerow(COLUMNS)
    done = 0
    for some in pieces(ids, _PAGE):
        progress(done, len(ids), NOTHING)
        for one in photographs(library, some):
            rows.writerow(_row(one))
            done += 1
    return done


def _row(one: Photograph) -> tuple[object, ...]:
    noted = one.notes
    picks = (noted.rating or "", noted.label, noted.favourite or "", noted.pick or "")
    town = None if not one.place else town_near(one.place)
    place = (one.place, "" if town is None else town.words())
    notes = (*picks, "; ".join(noted.keywords), noted.title, noted.caption, *place)
    file = (one.path, one.name, one.folder, one.taken, one.subsecond, noted.offset, one.dated_by, one.camera)
    settings = (noted.lens, noted.aperture or "", noted.exposure, noted.iso or "", noted.focal_length_mm or "")
    return (*file, *notes, *settings, one.width, one.height, one.size, one.id)


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
