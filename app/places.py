"""Where Twinlens keeps its files: the platform's folders, or those that the environment names.

``TWINLENS_DATA`` names the folder of what cannot be recomputed (and of the logs), ``TWINLENS_CACHE`` the folder of what
can be deleted at any time.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from app.one_line import one_line
from core.errors import TwinlensError

NAME = "twinlens"
DATA_VARIABLE = "TWINLENS_DATA"
CACHE_VARIABLE = "TWINLENS_CACHE"


def data_folder() -> Path:
    """Give the folder of what cannot be recomputed: libraries and settings; made when it is not there.

    Raises
    ------
    TwinlensError
        If it cannot be made or written to.
    """
    named = _named(DATA_VARIABLE)
    return _writable(named or platformdirs.user_data_path(NAME, appauthor=False), DATA_VARIABLE)


def cache_folder() -> Path:
    """Give the folder of what can be made or fetched again; made when it is not there.

    Raises
    ------
    TwinlensError
        If it cannot be made or written to.
    """
    named = _named(CACHE_VARIABLE)
    return _writable(named or platformdirs.user_cache_path(NAME, appauthor=False), CACHE_VARIABLE)


def log_folder() -> Path:
    """Give the folder of the logs; made when it is not there.

    Raises
    ------
    TwinlensError
        If it cannot be made or written to.
    """
    named = _named(DATA_VARIABLE)
    return _writable(named / "log" if named else platformdirs.user_log_path(NAME, appauthor=False), DATA_VARIABLE)


def default_library() -> Path:
    """Give the library that is used where none is named; the file need not be there."""
    return data_folder() / "library.twinlens"


def compiled_cache_folder() -> Path:
    """Give the folder of compiled loops, which another processor or release compiles anew."""
    return _writable(cache_folder() / "compiled", CACHE_VARIABLE)


def demo_folder() -> Path:
    """Give the folder of what the demo fetches and makes: its photographs, its library."""
    return _writable(cache_folder() / "demo", CACHE_VARIABLE)


def told(path: str) -> str:
    """Write a path for people: what lies in their home folder begins with ``~``, as their shell writes it."""
    path, home = one_line(path), os.path.expanduser("~").rstrip("/")
    if os.name == "nt" or not home or home == "~" or not (path == home or path.startswith(f"{home}/")):
        return path
    return f"~{path[len(home) :]}"


def _named(variable: str) -> Path | None:
    value = os.environ.get(variable, "")
    return Path(value).expanduser().absolute() if value else None


def _writable(folder: Path, variable: str) -> Path:
    next_step = f"Make it writable, or name another folder in the environment variable {variable}."
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise TwinlensError(f"{folder} is needed as a folder, but is a file.", next_step) from error
    except OSError as error:
        raise TwinlensError(f"The folder {folder} cannot be made: {error.strerror}.", next_step) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise TwinlensError(f"The folder {folder} is not writable.", next_step)
    return folder
