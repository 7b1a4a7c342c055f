"""Restoring a library file from a backup, so that at no moment there is none."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.files import private_files
from twinlens.core.files.file_lock import FileLock
from twinlens.core.files.unfinished_copies import unfinished_copy
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part
from twinlens.storage.database import library_errors
from twinlens.storage.database.place import WAIT_S
from twinlens.storage.database.values import REVISIONS
from twinlens.storage.sqlite import failures, library_file
from twinlens.storage.sqlite.engine import Access, connect
from twinlens.storage.sqlite.failures import shown
from twinlens.storage.sqlite.file_copy import copy, keep_beside, pour, refuse_without_space
from twinlens.storage.sqlite.place import SqlitePlace, ask, beside


def restore(path: Path, file: Path, progress: Progress, wait_s: float) -> Path | None:
    """Restore a library from a backup.

    The backup is checked first. What was there before is kept beside it. A library that can be read is replaced in one
    transaction, while other programs may have it open; one that is damaged must not be open. At no moment is there
    none, and a kill leaves either the one or the other.

    Parameters
    ----------
    path : Path
        The library; may be damaged or missing.
    file : Path
        The backup.
    wait_s : float
        How long to wait for another program.

    Returns
    -------
    Path or None
        Where what was there before is kept now.

    Raises
    ------
    TwinlensError
        If the backup is none, is damaged or of a newer version, or the library is in use or cannot be written.
    """
    path, file = Path(os.path.realpath(path)), file.absolute()
    _refuse(path, file, part(progress, 0.0, 0.0))
    writing, adding = FileLock(beside(path, "writing")), FileLock(beside(path, "adding"))
    if not adding.acquire("restoring a backup", wait_s):
        raise library_errors.busy(shown(path), adding.holder())
    try:
        if not writing.acquire("restoring a backup", wait_s):
            raise library_errors.busy(shown(path), writing.holder())
        try:
            private_files.make_folder(path.parent)
            with unfinished_copy(path, "restoring a backup") as fresh:
                _prepare(file, fresh, wait_s, part(progress, 0.0, 0.5))
                return _put_in_place(path, fresh, wait_s, part(progress, 0.5, 1.0))
        except OSError as error:
            raise TwinlensError(
                "The library {path} cannot be written: {why}.",
                "Name another file with --library, in a folder where you may write.",
                path=shown(path),
                why=error.strerror,
            ) from error
        finally:
            writing.release()
    finally:
        adding.release()


@contextmanager
def opened_backup(file: Path, wait_s: float, progress: Progress) -> Iterator[SqlitePlace]:
    """Open a backup to read it; where it is of an older version, a copy of it that is brought up to date.

    Raises
    ------
    TwinlensError
        If it is none, is damaged or of a newer version.
    """
    found = _look(file)
    _refuse_damaged(file, found, part(progress, 0.0, 0.0))
    with TemporaryDirectory(prefix="twinlens-") as folder:
        path = file
        if found.revision != REVISIONS[-1]:
            path = Path(folder) / file.name
            _prepare(file, path, wait_s, progress)
        with closing(SqlitePlace.open(path, False, wait_s)) as place:
            yield place


def _look(file: Path) -> library_file.FoundFile:
    with _naming_the_backup(file):
        found = library_file.look(file, 0.0)
    if found is None:
        raise TwinlensError("There is no backup {file}.", "Check its name.", file=shown(file))
    if not found.revision:
        raise _no_backup(file)
    return found


def _no_backup(file: Path) -> TwinlensError:
    return TwinlensError(
        "{path} is not a Twinlens library.", "Name a backup, or another copy of a library.", path=shown(file)
    )


def _refuse(path: Path, file: Path, progress: Progress) -> None:
    """Check everything that can be known before anything is touched."""
    found = _look(file)
    library_file.refuse_other_kinds(path)
    if path.exists() and path.samefile(file):
        raise TwinlensError(
            "{file} is the library itself.", "Name the backup that is to take its place.", file=shown(file)
        )
    _refuse_protected(path)
    _refuse_damaged(file, found, progress)


def _refuse_protected(path: Path) -> None:
    """Refuse a library that cannot be written, before copies of it and of the backup are made beside it."""
    for one in (path, path.parent):
        if one.exists() and not os.access(one, os.W_OK):
            raise TwinlensError(
                "The library {path} cannot be replaced: the file or its folder is write-protected.",
                "Allow writing to both, or name another file with --library.",
                path=shown(path),
            )


def _refuse_damaged(file: Path, found: library_file.FoundFile, progress: Progress) -> None:
    with _naming_the_backup(file):
        if _first_report(file, found.access, 0.0, "integrity_check(1)", progress) != "ok":
            raise library_errors.damaged(shown(file))


@contextmanager
def _naming_the_backup(file: Path) -> Iterator[None]:
    """Call a damaged file the backup that it is: the remedy of a library would be to restore from it."""
    try:
        with failures.in_sentences(file):
            yield
    except TwinlensError as error:
        if error.next_step == Remedy("choose another library"):
            raise _no_backup(file) from error
        if error.next_step != Remedy("restore backup"):
            raise
        raise TwinlensError(
            "The backup {file} is damaged.", "Use another backup; the library is unchanged.", file=shown(file)
        ) from error


def _first_report(path: Path, access: Access, wait_s: float, check: str, progress: Progress) -> str:
    """Return the first that SQLite finds wrong with a file, or "ok"."""

    def first_report(connection: sqlite3.Connection) -> str:
        return str(connection.execute(f"PRAGMA {check}").fetchone()[0])

    return ask(path, access, wait_s, first_report, lambda: progress(0, 1, Message("Checking the file")))


def _prepare(file: Path, fresh: Path, wait_s: float, progress: Progress) -> None:
    """Copy the backup beside the library and bring it up to date there."""
    copy(file, fresh, wait_s, progress, Message("Reading the backup"))
    found = library_file.look(fresh, wait_s)
    if found is not None and found.revision != REVISIONS[-1]:
        library_file.upgrade(fresh, wait_s, REVISIONS[-1]).unlink(missing_ok=True)
    with failures.in_sentences(fresh):
        keep_beside(fresh, wait_s)


def _put_in_place(path: Path, fresh: Path, wait_s: float, progress: Progress) -> Path | None:
    if not path.exists():
        fresh.replace(path)
        return None
    kept = free_name(path)
    if not _healthy(path, part(progress, 0.0, 0.0)):
        _exchange(path, fresh, kept)
        return kept
    copy(path, kept, wait_s, part(progress, 0.0, 0.5), Message("Keeping the present library"))
    with failures.in_sentences(path):
        try:
            refuse_without_space(path, fresh.stat().st_size)
            library = connect(path, Access.WRITE, wait_s)
        except BaseException:
            kept.unlink(missing_ok=True)  # nothing was written yet; from here on, it may be all that there is
            raise
        with closing(library):
            pour(fresh, library, wait_s, part(progress, 0.5, 1.0), Message("Restoring"))
    return kept


def free_name(path: Path) -> Path:
    """Return a name beside the library that says when it was replaced, and is free."""
    stem = f"{path.stem} (replaced {datetime.now():%Y-%m-%d %H.%M.%S})"
    names = (stem if n == 1 else f"{stem} {n}" for n in range(1, 1000))
    return next(name for name in (path.with_name(name + path.suffix) for name in names) if not name.exists())


def _healthy(path: Path, progress: Progress) -> bool:
    """Return whether a library can be read from end to end and be written to."""
    try:
        found = library_file.look(path, WAIT_S)
        whole = _first_report(path, Access.WRITE, WAIT_S, "quick_check(1)", progress) == "ok"
        return whole and found is not None and bool(found.revision)
    except TwinlensError:
        return False  # damaged, foreign, newer or from before 1.0; a lock would have been met before
    except sqlite3.DatabaseError as error:
        if failures.primary_code(error) in failures.DAMAGED:
            return False
        sentence = failures.translated(path, error)
        if sentence is None:
            raise
        raise sentence from error


def _exchange(path: Path, fresh: Path, kept: Path) -> None:
    """Put a file in the place of a damaged one, which gets another name.

    Nobody may have the damaged one open: SQLite removes the journal by its name when it closes a library, and that
    would be the journal of the new one by then.
    """
    presence = FileLock(beside(path, "open"))
    if not presence.acquire("restoring a backup"):
        raise TwinlensError(
            "The library {path} is damaged and open in another program.", "Close that one first.", path=shown(path)
        )
    try:
        # The journal goes first: it must never be applied to the new file.
        for suffix in ("-wal", "-shm"):
            with suppress(FileNotFoundError):  # a connection that ends meanwhile removes them
                path.with_name(path.name + suffix).replace(kept.with_name(kept.name + suffix))
        try:
            os.link(path, kept)
        except OSError:
            path.replace(kept)  # a file system without links: for one moment the library has only its other name
        shutil.copymode(kept, fresh)  # what others may do with it, its owner has chosen
        fresh.replace(path)
    except OSError as error:
        raise TwinlensError(
            "The library {path} cannot be replaced: {strerror}.",
            "See whether you may write to its folder; what was there is {kept}.",
            path=shown(path),
            strerror=error.strerror,
            kept=shown(kept),
        ) from error
    finally:
        presence.release()
