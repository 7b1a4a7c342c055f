"""Programs that open files of a type, as their own files declare them: ``.desktop`` on Linux, bundles on macOS.

The Desktop Entry and MIME Applications Associations specifications of freedesktop.org say what a ``.desktop`` file
means, and which program comes first.
"""

from __future__ import annotations

import configparser
import os
import plistlib
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.parsers.expat import ExpatError


class Program(NamedTuple):
    """A program that opens files.

    Attributes
    ----------
    name : str
        For people; empty for the system's own list of programs.
    command : tuple of str
        Its words; the file stands for "%f", and its address for "%u".
    """

    name: str
    command: tuple[str, ...]

    def words(self, path: Path) -> list[str]:
        """Return the words of the command that opens a file.

        Examples
        --------
        >>> Program("Viewer", ("viewer", "--new", "%f")).words(Path("/a b.jpg"))
        ['viewer', '--new', '/a b.jpg']
        """
        places = {"%f": str(path), "%u": path.as_uri()} if path.is_absolute() else {"%f": str(path), "%u": str(path)}
        return [re.sub("%[fu]", lambda code: places[code[0]], word) for word in self.command]


def desktop_entries() -> DesktopEntries:
    """Return those of the running desktop, in the folders that the environment names."""
    home, set_to = Path.home(), os.environ.get
    data = [set_to("XDG_DATA_HOME") or str(home / ".local" / "share")]
    data += (set_to("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")
    settings = [set_to("XDG_CONFIG_HOME") or str(home / ".config")]
    settings += (set_to("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")
    language = (set_to("LC_ALL") or set_to("LC_MESSAGES") or set_to("LANG") or "").partition(".")[0]
    return DesktopEntries(
        [Path(one) for one in data if one],
        [Path(one) for one in settings if one],
        [one for one in (set_to("XDG_CURRENT_DESKTOP") or "").split(":") if one],
        [language, language.partition("_")[0]],
    )


class DesktopEntries:
    """The ``.desktop`` files of a desktop.

    Parameters
    ----------
    data, settings : sequence of Path
        XDG's data folders and its folders of settings, a person's own first.
    desktops : sequence of str
        The running desktop by its names, the most telling first: "KDE".
    languages : sequence of str
        Those of the person, the first wish first: "de".
    """

    def __init__(
        self,
        data: Sequence[Path],
        settings: Sequence[Path],
        desktops: Sequence[str] = (),
        languages: Sequence[str] = (),
    ) -> None:
        self._data, self._settings = data, settings
        self._desktops, self._languages = desktops, languages

    def programs(self, kinds: Sequence[str], category: str = "") -> list[Program]:
        """Return the programs for the first type that has any, the default first, the others by name.

        Parameters
        ----------
        kinds : sequence of str
            MIME types, the narrowest first: ``image/x-canon-cr2``, ``image/tiff``.
        category : str
            The category that all but the default must have; empty for any.
        """
        entries = {name: entry for name, entry in self._entries() if _works(entry)}
        found: dict[str, None] = {}
        for kind in kinds:
            defaults, added, removed = self._associations(kind)
            declaring = (
                name
                for name, entry in entries.items()
                if kind in _listed(entry, "MimeType")
                and (not category or category in _listed(entry, "Categories"))
                and self._is_offered(entry)
            )
            own = sorted(set(declaring) - removed, key=lambda name: self._name(entries[name]).casefold())
            found |= dict.fromkeys(name for name in (*defaults, *added, *own) if name in entries)
        return list(dict.fromkeys(Program(self._name(entries[one]), _command(entries[one])) for one in found))

    def _entries(self) -> Iterator[tuple[str, configparser.SectionProxy]]:
        """Yield each entry by its identifier; a person's own hides the system's."""
        known: set[str] = set()
        for folder in (one / "applications" for one in self._data):
            for file in sorted(folder.rglob("*.desktop")):
                name = "-".join(file.relative_to(folder).parts)
                if name not in known:
                    known.add(name)
                    read = _read(file)
                    if read.has_section("Desktop Entry"):
                        yield name, read["Desktop Entry"]

    def _is_offered(self, entry: configparser.SectionProxy) -> bool:
        only, but = _listed(entry, "OnlyShowIn"), _listed(entry, "NotShowIn")
        here = set(self._desktops)
        return not _says(entry, "NoDisplay") and (not only or bool(only & here)) and not but & here

    def _name(self, entry: configparser.SectionProxy) -> str:
        named = (entry.get(f"Name[{language}]") for language in self._languages)
        return next(filter(None, named), entry.get("Name", "")).strip()

    def _associations(self, kind: str) -> tuple[list[str], list[str], set[str]]:
        """Return the entries that a person or the system made the default for a type, added to it, and took from it."""
        defaults: list[str] = []
        added: list[str] = []
        removed: set[str] = set()
        for folder in (*self._settings, *(one / "applications" for one in self._data)):
            for name in (*(f"{one.lower()}-mimeapps.list" for one in self._desktops), "mimeapps.list"):
                read = _read(folder / name)
                sections = ("Default Applications", "Added Associations", "Removed Associations")
                default, more, fewer = (_split(read.get(one, kind, fallback="")) for one in sections)
                defaults += default
                added += [one for one in more if one not in removed]
                removed |= set(fewer)
        return defaults, added, removed


def _works(entry: configparser.SectionProxy) -> bool:
    """Return whether an entry is of a program with a window that is installed."""
    command, needed = _command(entry), entry.get("TryExec", "")
    is_there = bool(command) and all(shutil.which(one) for one in (command[0], needed) if one)
    return is_there and entry.get("Type") == "Application" and not (_says(entry, "Hidden") or _says(entry, "Terminal"))


def _says(entry: configparser.SectionProxy, key: str) -> bool:
    return entry.get(key, "").strip().lower() == "true"


def _read(file: Path) -> configparser.ConfigParser:
    """Read a file of the desktop; what cannot be read is empty."""
    read = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=",), comment_prefixes=("#",))
    read.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        read.read_string(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, configparser.Error):
        return configparser.ConfigParser()
    return read


def _split(text: str) -> list[str]:
    return [one.strip() for one in text.split(";") if one.strip()]


def _listed(entry: configparser.SectionProxy, key: str) -> set[str]:
    return set(_split(entry.get(key, "")))


def _command(entry: configparser.SectionProxy) -> tuple[str, ...]:
    """Return the words of an entry's command: with one file, and without what only a menu of the desktop puts in."""
    try:
        words = shlex.split(entry.get("Exec", "").replace("\\\\", "\\"))
    except ValueError:
        return ()
    known = [re.sub("%([FU])", lambda code: f"%{code[1].lower()}", word) for word in words]
    left = [re.sub("%[^fu]", "", word) for word in known if not re.fullmatch("%[^fuFU]", word)]
    return tuple(left if any(re.search("%[fu]", word) for word in left) or not left else (*left, "%f"))


def bundled_programs(folders: Iterable[Path], endings: Sequence[str]) -> list[Program]:
    """Return the programs of macOS in some folders that declare to open pictures, or files of an ending, by name.

    Parameters
    ----------
    endings : sequence of str
        Without their dots: "jpg".
    """
    found = [bundle for folder in folders for bundle in folder.glob("*.app") if _opens(bundle, set(endings))]
    named = sorted(found, key=lambda bundle: bundle.stem.casefold())
    return [Program(bundle.stem, ("open", "-a", str(bundle), "%f")) for bundle in named]


def _opens(bundle: Path, endings: set[str]) -> bool:
    try:
        with (bundle / "Contents" / "Info.plist").open("rb") as file:
            declared: dict[str, Any] = plistlib.load(file)
    except (OSError, ValueError, ExpatError):
        return False
    types = declared.get("CFBundleDocumentTypes")
    return any(
        "public.image" in kind.get("LSItemContentTypes", ())
        or endings & {str(one).lower() for one in kind.get("CFBundleTypeExtensions", ())}
        for kind in (types if isinstance(types, list) else ())
        if isinstance(kind, dict)
    )
