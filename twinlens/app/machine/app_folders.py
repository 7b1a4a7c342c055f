"""Folders of Twinlens's files: those of the platform, or those that the environment names.

One preference at a time can be read from them quickly (:func:`preferred_value`): the language, the look of a window
and the cache are needed before everything else.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

import platformdirs

from twinlens.core.errors import TwinlensError
from twinlens.core.files import private_files
from twinlens.core.files.untrusted_input import parse_json, plain, read_bytes
from twinlens.core.message import Message
from twinlens.core.systems import system

NAME = "twinlens"
DATA_VARIABLE = "TWINLENS_DATA"
CACHE_VARIABLE = "TWINLENS_CACHE"
_NOWHERE = Path(os.devnull) / NAME
"""Folder of a user without a home folder, or with a server named in its place: nothing can be made there."""


def data_folder() -> Path:
    """Return the folder of data that cannot be recomputed: libraries; it need not be there."""
    return _named(DATA_VARIABLE) or _usual(platformdirs.user_data_path)


def config_folder() -> Path:
    """Return the folder of the preferences: where the environment names one for data, that; it need not be there."""
    return _named(DATA_VARIABLE) or _usual(platformdirs.user_config_path)


def _named(variable: str) -> Path | None:
    value = os.environ.get(variable, "")
    if not value:
        return None
    from twinlens.storage.database.address import names_server  # here: a worker process imports nothing of the storage

    if names_server(value):
        return _NOWHERE  # the folder's name would have the password in it
    return Path(os.path.abspath(os.path.expanduser(value)))


def _usual(folder_of_platform: Callable[..., Path]) -> Path:
    try:
        folder = folder_of_platform(NAME, appauthor=False)
    except RuntimeError:  # nobody knows a home folder
        return _NOWHERE
    return _NOWHERE if folder.parts[0] == "~" else folder.absolute()  # in older versions of platformdirs


def cache_folder() -> Path:
    """Return the folder of data that can be made or fetched again; it need not be there."""
    return _named(CACHE_VARIABLE) or _usual(platformdirs.user_cache_path)


def log_folder() -> Path:
    """Return the folder of the logs; it need not be there."""
    named = _named(DATA_VARIABLE)
    return named / "log" if named else _usual(platformdirs.user_log_path)


def default_library() -> Path:
    """Return the library that is used where none is named; the file need not be there."""
    return data_folder() / "library.twinlens"


def compiled_cache_folder() -> Path:
    """Return the folder of compiled loops, which another processor or release compiles anew; it need not be there."""
    return cache_folder() / "compiled"


def demo_folder() -> Path:
    """Make the folder of the demo's photographs and library, and return it.

    Raises
    ------
    TwinlensError
        If it cannot be made or written to.
    """
    return made(cache_folder() / "demo")


def home() -> Path | None:
    """Return the person's home folder; None where they have none, as some services."""
    path = os.path.expanduser("~")
    return Path(path) if os.path.isabs(path) else None


def needed_home() -> Path:
    """Return the person's home folder.

    Raises
    ------
    TwinlensError
        If they have none.
    """
    folder = home()
    if folder is None:
        raise TwinlensError("There is no home folder.", "Name it in the environment variable HOME.")
    return folder


def made(folder: Path) -> Path:
    """Make one of the folders above if it is missing, and return it.

    Raises
    ------
    TwinlensError
        If it cannot be made or written to.
    """
    if folder.is_relative_to(_NOWHERE):
        raise TwinlensError(
            "There is no folder for the files of Twinlens: no home folder, or a server is named in its place.",
            "Name folders for them in the environment variables {data} and {cache}.",
            data=DATA_VARIABLE,
            cache=CACHE_VARIABLE,
        )
    next_step = Message(
        "Make it writable, or name another folder in the environment variable {variable}.",
        variable=CACHE_VARIABLE if folder.is_relative_to(cache_folder()) else DATA_VARIABLE,
    )
    try:
        private_files.make_folder(folder)
    except FileExistsError as error:
        raise TwinlensError(
            "Cannot create folder {folder}: a file of that name exists.", next_step, folder=error.filename
        ) from error
    except OSError as error:
        raise TwinlensError(
            "The folder {folder} cannot be made: {strerror}.", next_step, folder=folder, strerror=error.strerror
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise TwinlensError("The folder {folder} is not writable.", next_step, folder=folder)
    return folder


def tighten() -> None:
    """Close our folders to other users, and in the data folder the libraries, their journals and copies.

    A folder that the environment names keeps its rights, and so does a library elsewhere.
    """
    own = ((data_folder(), DATA_VARIABLE), (config_folder(), DATA_VARIABLE), (cache_folder(), CACHE_VARIABLE))
    for folder, variable in own:
        if _named(variable) is None:
            private_files.tighten(folder)
    for folder in {data_folder(), config_folder()}:
        with contextlib.suppress(OSError):
            for file in folder.iterdir():
                if ".twinlens" in file.name or file.name.startswith("preferences"):
                    private_files.tighten(file)


def meeting_folder() -> Path:
    """Return the folder of the sockets of this user's windows: on a local disk, and closed to everybody else.

    Raises
    ------
    TwinlensError
        If it cannot be made, or somebody else has made it.
    """
    usual = os.environ.get("XDG_RUNTIME_DIR", "")
    candidates = [Path(usual) / NAME] if usual else []
    with contextlib.suppress(OSError):
        candidates.append(Path(tempfile.gettempdir()) / f"{NAME}-{system.user()}")
    for folder in candidates:
        with contextlib.suppress(OSError):
            private_files.make_folder(folder)
            private_files.tighten(folder)
            status = folder.lstat()
            own = system.is_own(status) and not status.st_mode & system.OTHERS
            if stat.S_ISDIR(status.st_mode) and own and os.access(folder, os.W_OK):
                return folder
    raise TwinlensError(
        Message("The folder {folder} is needed for this user alone.", folder=candidates[-1])
        if candidates
        else Message("There is no folder for temporary files."),
        "Remove it, or name another in TMPDIR.",
    )


def home_relative(path: str) -> str:
    """Write a path for people: one in their home folder begins with ``~``, as in a shell."""
    path, folder = plain(path), str(home() or "").rstrip("/")
    if os.name == "nt" or not folder or not (path == folder or path.startswith(f"{folder}/")):
        return path
    return f"~{path[len(folder) :]}"


MOST = 1 << 20
"""Bytes of the file of preferences, at most."""


def preferences_file() -> Path:
    """Return the file in which the preferences are kept; it need not be there."""
    return config_folder() / "preferences.json"


def former_preferences_file() -> Path:
    """Return the file in which 1.0 kept the preferences: among the data."""
    return data_folder() / "preferences.json"


def kept_preferences_file() -> Path:
    """Return the file that holds the preferences: that of 1.0 where only this can be seen."""
    with contextlib.suppress(OSError):  # a folder that may not be looked into has none
        if not preferences_file().exists() and former_preferences_file().is_file():
            return former_preferences_file()
    return preferences_file()


def preferred_value(name: str, default: str = "system") -> str:
    """Read one preference that is a word, faster than reading all; the default where none is written."""
    try:
        word = parse_json(read_bytes(kept_preferences_file(), MOST))[name]
    except (OSError, ValueError, KeyError, TypeError):
        return default
    return word if isinstance(word, str) else default
