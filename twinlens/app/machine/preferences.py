"""Preferences of a person on this machine, for every library: one declaration, kept as JSON in the folder of settings.

The form in the window, the limits and the messages all come from the fields of :class:`Preferences`.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
from pathlib import Path
from typing import Any, Literal

from twinlens.app.machine import app_folders
from twinlens.app.machine.app_folders import MOST, preferences_file, preferred_value
from twinlens.core.declaration.declaration import Declaration, parameter
from twinlens.core.errors import DeclarationError, TwinlensError
from twinlens.core.files import private_files
from twinlens.core.files.untrusted_input import parse_json, read_bytes

_log = logging.getLogger(__name__)
_LOOK, _READING, _SPACE = "Look and language", "Reading photos", "Space on the disk"


class Preferences(Declaration):
    """How the program works on this machine. Each library has the same."""

    key = "preferences"
    title = "Preferences"

    theme: Literal["system", "light", "dark"] = parameter(
        "system",
        help="The colours of the window: those of the system, light, or dark.",
        group=_LOOK,
    )
    text_size: Literal["small", "normal", "large", "very large"] = parameter(
        "normal",
        help="How large the words of the window are; “normal” is the size that the system has chosen.",
        group=_LOOK,
    )
    language: Literal["system", "en", "de"] = parameter(
        "system",
        help="The language of the window.",
        group=_LOOK,
    )
    rescan_on_start: bool = parameter(
        True,
        help="Whether to look for new and changed photos in all folders when the program starts.",
        group=_READING,
    )
    watch_folders: bool = parameter(
        True,
        help="Whether new, changed and moved photos appear by themselves while the window is open.",
        group=_READING,
    )
    pause_on_battery: bool = parameter(
        False,
        help="Whether adding photos and looking through folders rests while the computer runs on its battery. "
        "It goes on by itself when it is plugged in.",
        group=_READING,
    )
    excludes: str = parameter(
        "",
        help="Names of files and folders that are passed over, besides hidden ones and the like, with spaces or "
        "semicolons between them: “*.png; drafts”. Taken into account with the next look through the folders.",
        group=_READING,
    )
    workers: int | Literal["auto"] = parameter(
        "auto",
        ge=1,
        le=256,
        unit="processes",
        help="How many photos are read at the same time. More is faster as long as there are processors for "
        "them; “auto” takes one for each.",
        group=_READING,
    )
    worker_memory: int | Literal["auto"] = parameter(
        "auto",
        ge=256,
        le=65_536,
        unit="MB",
        help="How much memory each of these processes may take in all. A photo that would need more is not read, "
        "and is listed as a problem. “auto” shares three quarters of the computer's memory out to the processes: at "
        "most 2,048 MB to each, and at least 256 MB.",
        group=_READING,
    )
    thumbnail_cache: int = parameter(
        10_000,
        ge=50,
        le=1_000_000,
        unit="MB",
        help="How much space the thumbnails of one library may take: about 12 MB for a thousand photos. Beyond "
        "it the oldest go, and are made again from the photos when they are shown.",
        group=_SPACE,
    )
    desktop_thumbnails: Literal["use", "share", "off"] = parameter(
        "use",
        help="What is done with the thumbnails that file managers keep on Linux. “use”: a photo that has one "
        "there is shown with it, and none is kept for it twice. “share”: besides, photos that are read leave one "
        "there for file managers, which takes five times the space and a little longer. “off”: they are left alone.",
        group=_SPACE,
    )
    cache_folder: str = parameter(
        "",
        help="The folder for what can be made again: thumbnails and compiled code. Empty for the usual one. Used from "
        "the next start on.",
        group=_SPACE,
    )

    def patterns(self) -> tuple[str, ...]:
        """Return the patterns of ``excludes``.

        Examples
        --------
        >>> Preferences(excludes="*.png; drafts").patterns()
        ('*.png', 'drafts')
        """
        return tuple(dict.fromkeys(pattern for pattern in re.split(r"[\s;]+", self.excludes) if pattern))


def load() -> Preferences:
    """Return the preferences of the person.

    An invalid value is left at its default, and the file is then kept aside under another name.
    """
    path = app_folders.kept_preferences_file()
    try:
        text = read_bytes(path, MOST)
    except OSError:  # there is no file, or its folder may not be read
        return Preferences()
    except ValueError as error:
        _log.warning("The preferences cannot be read: %s", error)
        return Preferences()
    values, sound = _understood(text)
    if not sound:
        _keep_aside(path)
    return Preferences(**values)


def _understood(text: bytes) -> tuple[dict[str, Any], bool]:
    """Return the valid values, and whether these are all."""
    try:
        written = parse_json(text)
    except ValueError:
        return {}, False
    if not isinstance(written, dict):
        return {}, False
    written.pop("key", None)
    values = {}
    for name, value in written.items():
        with contextlib.suppress(DeclarationError):
            values[name] = getattr(Preferences(**{name: value}), name)
    return values, len(values) == len(written)


def _keep_aside(path: Path) -> None:
    aside = path.with_suffix(".damaged.json")
    _log.warning("The preferences in %s are damaged; they are kept as %s.", path, aside.name)
    with contextlib.suppress(OSError):
        path.replace(aside)


def keep(preferences: Preferences) -> None:
    """Write the preferences of the person, whole or not at all.

    Raises
    ------
    TwinlensError
        If it cannot be written.
    """
    path = preferences_file()
    text = json.dumps(preferences.to_json(), indent=2, ensure_ascii=False) + "\n"
    new = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    app_folders.made(path.parent)
    try:
        with open(new, "w", encoding="utf-8", opener=private_files.opener) as written:
            written.write(text)
            written.flush()
            os.fsync(written.fileno())
        os.replace(new, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            new.unlink()
        raise TwinlensError(
            "The preferences cannot be kept in {path}: {strerror}.",
            "Make some space, or the folder writable.",
            path=path,
            strerror=error.strerror,
        ) from error
    former = app_folders.former_preferences_file()
    with contextlib.suppress(OSError, ValueError):
        if former != path and read_bytes(former, MOST):  # one that cannot be read may say what this does not
            former.unlink()


def move_former() -> None:
    """Move the preferences of 1.0 from the data to the settings, once; where that is not possible they are read there.

    A kill leaves the old file, the new one, or both, of which the new one counts.
    """
    path = app_folders.kept_preferences_file()
    if path != preferences_file():
        with contextlib.suppress(OSError, ValueError, TwinlensError):
            read_bytes(path, MOST)  # what cannot be read stays where it is
            keep(load())


def use_cache_folder() -> None:
    """Use the preferred cache folder in this run; called once, before the cache is first used.

    A folder that the environment names takes precedence. Processes that this one starts use the same. Of a name that
    no folder can have, by a damaged file, the usual folder is used.
    """
    folder = preferred_value("cache_folder", "").strip()
    if folder and not os.environ.get(app_folders.CACHE_VARIABLE):
        try:
            os.environ[app_folders.CACHE_VARIABLE] = os.path.abspath(os.path.expanduser(folder))
        except ValueError:
            _log.warning("No folder can have the name %r, so the usual folder of the cache is used.", folder)
