"""Copies of a library from a file to a server, back, and between any two places."""

from __future__ import annotations

from pathlib import Path

from app.library.results import FileResult
from app.machine.output_file import refuse_original
from core.files.unfinished_copies import unfinished_copy
from core.progress import Progress, part, silent
from storage.database.address import Address
from storage.database.schema import PhotographState
from storage.library.backup import restore
from storage.library.copying import copy
from storage.library.store import Store


def copy_library(source: Address, target: Address, replace: bool = False, progress: Progress = silent) -> FileResult:
    """Copy a library, while it is in use, to another place; the copy is there when it is complete.

    Parameters
    ----------
    source, target : Address
    replace : bool
        Whether a library that is there may be replaced; a file is kept beside the new one.
    progress : Progress
        May raise ``Cancelled``: then the target is as it was.

    Raises
    ------
    TwinlensError
        If there is no library to copy, or one that may not be replaced, or one of both cannot be read or written.
    """
    kept: Path | None = None
    if target.is_file:
        refuse_original(target.path)
    if replace and target.is_file and target.path.exists():
        kept = _in_place(source, target.path, progress)
    else:
        copy(source, target, progress, replace=replace)
    with Store.open(target) as store, store.reading() as r:
        return FileResult(
            file=target.shown,
            photographs=r.photographs.counts()[PhotographState.READY],
            bytes=store.place.space(r.connection).total,
            kept=None if kept is None else str(kept),
        )


def _in_place(source: Address, target: Path, progress: Progress) -> Path | None:
    """Put a copy in the place of a file, as a backup is restored, and give where that file is kept now."""
    if source.is_file:
        return restore(target, source.path, progress)
    with unfinished_copy(target.with_name(f"new {target.name}"), "copying a library") as file:
        copy(source, file, part(progress, 0.0, 0.6))
        return restore(target, file, part(progress, 0.6, 1.0))
