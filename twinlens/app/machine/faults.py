"""Faults of the program itself: their log, with the versions of the program and of what it runs on."""

from __future__ import annotations

import functools
import logging
import platform
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from twinlens.app.machine import app_folders
from twinlens.core.files import private_files
from twinlens.storage.database.address import without_passwords

_LOG = "twinlens.log"


def log_file() -> Path:
    """Return the log; the file need not be there."""
    return app_folders.log_folder() / _LOG


def log_fault(error: BaseException) -> Path | None:
    """Write a fault with its traceback into the log; return the file, or None where it cannot be written."""
    try:
        log = log_file()
        private_files.make_folder(log.parent)
        private_files.tighten(log)
        handler = _PrivateHandler(log, maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True)
        handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(message)s"))
        logger = logging.Logger("twinlens faults")  # its own logger, so that no settings suppress it
        logger.addHandler(handler)
        try:
            logger.error("unexpected error", exc_info=error)
        finally:
            handler.close()
    except OSError:
        return None
    return log


class _PrivateHandler(RotatingFileHandler):
    """A rotating log whose next file is private, too."""

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, opener=private_files.opener)


class _Formatter(logging.Formatter):
    """A formatter that leaves out the passwords of servers."""

    def format(self, record: logging.LogRecord) -> str:
        return without_passwords(super().format(record))


def last_lines(most: int = 200) -> str:
    """Return the last lines of the log; empty where there is none."""
    try:
        text = log_file().read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-most:])


_LIBRARIES = ("PySide6-Essentials", "numpy", "opencv-python-headless", "SQLAlchemy", "numba")


@functools.cache
def version_text() -> str:
    """Write versions of the program, Python, the system and the libraries that matter, in one line."""
    parts = [f"Twinlens {_version('twinlens')}", f"Python {platform.python_version()}", platform.platform()]
    return " · ".join([*parts, *(f"{name} {_version(name)}" for name in _LIBRARIES)])


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
