"""Versions of the program and of what it runs on, for error reports."""

from __future__ import annotations

import functools
import platform
from importlib.metadata import PackageNotFoundError, version

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
