"""A library file that is made under a hidden name, and gets its own when it is complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import TwinlensError
from core.files.unfinished_copies import clear, take_name, unfinished_copy
from core.message import Message
from storage.sqlite import failures
from storage.sqlite.failures import shown


@contextmanager
def complete(target: Path, purpose: str, replace: bool = False) -> Iterator[Path]:
    """Yield the name under which a library file is made; it has its own, and is on the disk, when the block ends.

    Parameters
    ----------
    target : Path
    purpose : str
        As of :func:`core.files.unfinished_copies.unfinished_copy`.
    replace : bool
        Whether a file that has this name by then may be replaced.

    Raises
    ------
    TwinlensError
        If it cannot be written, or something has its name; what was there is as it was.
    """
    clear(target.parent)
    try:
        with failures.in_sentences(target), unfinished_copy(target, purpose) as part:
            yield part
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            part.replace(target) if replace else take_name(part, target)
    except OSError as error:
        raise TwinlensError(
            Message("{target} cannot be written: {strerror}.", target=shown(target), strerror=error.strerror),
            Message("Name a file in a folder where you may write."),
        ) from error
