"""Folders for Twinlens's files: the platform's, or those that the environment names.

``TWINLENS_DATA`` names the folder of what cannot be recomputed (and of the logs), ``TWINLENS_CACHE`` the folder of what
can be deleted at any time. All of it is closed to other users.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

import platformdirs

from core.errors import TwinlensError
from core.files import private_files
from core.files.untrusted_input import plain
from core.message import Message
from core.systems import system

NAME = "twinlens"
DATA_VARIABLE = "TWINLENS_DATA"
CACHE_VARIABLE = "TWINLENS_CACHE"


def data_folder() -> Path:
    """Return the folder of what cannot be recomputed: libraries and settings; made when it is not there.

    Raises
    ------
    TwinlensError
        If it cannot be made or written to.
    """
    return _own(_named(DATA_VARIABLE), platformdirs.user_data_path(NAME, appauthor=False), DATA_VARIABLE)


def cache_folder() -> Path:
    """Return the folder of what can be made or fetched again; made when it is not there.

    Raises
    ------
    TwinlensError
        If it cannot be made or written to.
    """
    return _own(_named(CACHE_VARIABLE), platformdirs.user_cache_path(NAME, appauthor=False), CACHE_VARIABLE)


def log_folder() -> Path:
    """Return the folder of the logs; made when it is not there.

    Raises
    ------
    TwinlensError
        If it cannot be made or written to.
    """
    named = _named(DATA_VARIABLE)
    usual = platformdirs.user_log_path(NAME, appauthor=False)
    return _own(None, named / "log" if named else usual, DATA_VARIABLE)


def default_library() -> Path:
    """Return the library that is used where none is named; the file need not be there."""
    return data_folder() / "library.twinlens"


def tighten_libraries() -> None:
    """Close the libraries in the data folder, their journals and copies to other users; one elsewhere stays as it is.

    Raises
    ------
    TwinlensError
        If the data folder cannot be made.
    """
    for file in data_folder().iterdir():
        if ".twinlens" in file.name or file.name.startswith("preferences"):
            private_files.tighten(file)


def compiled_cache_folder() -> Path:
    """Return the folder of compiled loops, which another processor or release compiles anew."""
    return _own(None, cache_folder() / "compiled", CACHE_VARIABLE)


def demo_folder() -> Path:
    """Return the folder of what the demo fetches and makes: its photographs, its library."""
    return _own(None, cache_folder() / "demo", CACHE_VARIABLE)


def meeting_folder() -> Path:
    """Return the folder where windows of this user can be spoken to: on a local disk, and closed to everybody else.

    Raises
    ------
    TwinlensError
        If it cannot be made, or somebody else has made it.
    """
    usual = os.environ.get("XDG_RUNTIME_DIR", "")
    shared = Path(tempfile.gettempdir()) / f"{NAME}-{system.user()}"
    for folder in (*([Path(usual) / NAME] if usual else []), shared):
        with contextlib.suppress(OSError):
            private_files.make_folder(folder)
            private_files.tighten(folder)
            status = folder.lstat()
            own = system.is_own(status) and not status.st_mode & system.OTHERS
            if stat.S_ISDIR(status.st_mode) and own and os.access(folder, os.W_OK):
                return folder
    raise TwinlensError(
        Message("The folder {folder} is needed for this user alone.", folder=folder),
        Message("Remove it, or name another in TMPDIR."),
    )


def told(path: str) -> str:
    """Write a path for people: what lies in their home folder begins with ``~``, as their shell writes it."""
    path, home = plain(path), os.path.expanduser("~").rstrip("/")
    if os.name == "nt" or not home or home == "~" or not (path == home or path.startswith(f"{home}/")):
        return path
    return f"~{path[len(home) :]}"


def _named(variable: str) -> Path | None:
    value = os.environ.get(variable, "")
    return Path(value).expanduser().absolute() if value else None


def _own(named: Path | None, usual: Path, variable: str) -> Path:
    """Return a folder of Twinlens's own, made private; one that the environment names keeps its mode if it is there."""
    folder = named or usual
    next_step = Message(
        "Make it writable, or name another folder in the environment variable {variable}.", variable=variable
    )
    try:
        private_files.make_folder(folder)
    except FileExistsError as error:
        raise TwinlensError(
            Message("{folder} is needed as a folder, but is a file.", folder=folder), next_step
        ) from error
    except OSError as error:
        raise TwinlensError(
            Message("The folder {folder} cannot be made: {strerror}.", folder=folder, strerror=error.strerror),
            next_step,
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise TwinlensError(Message("The folder {folder} is not writable.", folder=folder), next_step)
    if named is None:
        private_files.tighten(folder)
    return folder
