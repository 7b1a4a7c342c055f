"""Files of an index in the disposable cache, under the token of its codes: they are good until the codes change."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.files import private_files
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction

_SHARE = 0.25  # of what is free on the disk
_PART = "part-"  # while it is made
_FORGOTTEN_S = 86_400.0


def index_file_name(row: IndexRow) -> str:
    """Return the name of the folder that holds the files of an index."""
    return f"{row.id}-{row.codes_token:x}"


@contextmanager
def making_index_file(r: Transaction, folder: Path, row: IndexRow, size: int) -> Iterator[Path]:
    """Yield an empty folder for the files of an index; at the end of the block it takes its place.

    What was kept of indexes that are gone or have other codes is removed then.

    Parameters
    ----------
    r : Transaction
        In which the index was read.
    folder : Path
        Of all such files of one library; made if it is missing.
    row : IndexRow
    size : int
        Bytes of the files.

    Raises
    ------
    OSError
        If they would take too much of the disk, or cannot be written.
    """
    private_files.make_folder(folder)
    if size > _SHARE * shutil.disk_usage(folder).free:
        raise OSError("too little room is free")
    with tempfile.TemporaryDirectory(dir=folder, prefix=_PART, ignore_cleanup_errors=True) as made:
        there = Path(made) / "whole"
        there.mkdir()
        yield there
        _remove_others(
            folder, {index_file_name(one) for one in r.indexes.all()} - {index_file_name(row)}
        )  # a damaged one, too
        with contextlib.suppress(FileExistsError):
            there.rename(folder / index_file_name(row))


def _remove_others(folder: Path, wanted: set[str]) -> None:
    """Remove what was kept of indexes that are gone or have other codes, and what a killed program left."""
    before = time.time() - _FORGOTTEN_S
    for old in folder.glob("*-*"):
        with contextlib.suppress(OSError):
            being_made = old.name.startswith(_PART) and old.stat().st_mtime > before
            if old.name not in wanted and not being_made:
                shutil.rmtree(old, ignore_errors=True)
