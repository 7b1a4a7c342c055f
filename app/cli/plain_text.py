"""Outside text for the terminal: names of files, words of EXIF and messages are printed, never obeyed.

A file name may hold escape sequences that repaint the screen, line breaks that forge a line, signs that turn the
direction of writing, or what rich takes for markup.
"""

from __future__ import annotations

import contextlib
import logging
import sys

from core.files.untrusted_input import plain
from storage.database.address import without_passwords

__all__ = ["PlainLogHandler", "plain", "tell"]


def tell(text: str) -> None:
    """Print one line on standard error."""
    with contextlib.suppress(OSError):  # a disk that is full, or nobody who listens
        print(plain(without_passwords(text)), file=sys.stderr, flush=True)


class PlainLogHandler(logging.Handler):
    """Prints warnings of the program on standard error, as logging itself would, but in plain text."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one."""
        tell(record.getMessage())
