"""Files that a command is told to write."""

from __future__ import annotations

from pathlib import Path

from core.errors import TwinlensError
from core.message import Message


def check_writable(file: Path) -> None:
    """Refuse a file that cannot be written before the time is spent; what is in it stays."""
    there = file.exists()
    try:
        with file.open("a", encoding="utf-8"):
            pass
        if not there:
            file.unlink()
    except OSError as error:
        raise TwinlensError(
            Message("{file} cannot be written: {strerror}.", file=file, strerror=error.strerror),
            Message("Name another file."),
        ) from None
