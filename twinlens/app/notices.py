"""Notices: the parts that Twinlens is made of, with their versions and licences and the texts of these.

A bundle has a list of them; elsewhere they are read from the installed packages. The parts are packages, by their
metadata, and what is compiled into them; native libraries that packages bring along, known by their file names and
listed beside the licence texts; and data.
"""

from __future__ import annotations

import fnmatch
import functools
import gzip
import json
import platform
import re
import sys
import sysconfig
import tomllib
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from pydantic import Field

from twinlens import resources
from twinlens.app.demo.listing import LISTING, read_listing
from twinlens.app.results import Result

FOLDER = "notices"
"""Folder of a bundle, beside the program, that holds the notices."""

FILE = "parts.json.gz"
"""The parts with all their texts, compressed: `NOTICES.txt` beside it has the texts once more, for people."""


def read_notices() -> Notices:
    """Return the parts of this program."""
    listed = Path(sys.executable).with_name(FOLDER) / FILE
    if getattr(sys, "frozen", False) and listed.is_file():
        return Notices.model_validate_json(gzip.decompress(listed.read_bytes()))
    packages = [part for package in needed_packages().values() for part in parts_of_package(package)]
    return in_order([*packages, python_part(Path(sysconfig.get_path("stdlib"))), *data_parts()])


def in_order(parts: list[ProgramPart]) -> Notices:
    """Order parts: Twinlens, then Python, then by name, with parts compiled into others last."""
    first = {"twinlens": 0, "Python": 1}
    return Notices(
        parts=sorted(
            parts,
            key=lambda part: (
                3 if part.purl.startswith("pkg:cargo/") else first.get(part.name, 2),
                part.name.lower(),
                part.version,
                part.within,
            ),
        )
    )


def python_part(standard_library: Path) -> ProgramPart:
    """Describe Python itself."""
    text = standard_library / "LICENSE.txt"
    own = [LicenceText(title=text.name, text=text.read_text("utf-8"))] if text.is_file() else []
    return ProgramPart(
        name="Python",
        version=platform.python_version(),
        licence="PSF-2.0",
        purl=f"pkg:generic/python@{platform.python_version()}",
        home="https://www.python.org",
        texts=own,
        standard=[] if own else ["PSF-2.0"],
    )


def data_parts() -> list[ProgramPart]:
    """Describe the data of other people in the program's own files: photographs, and numbers learned from them."""
    rows = [
        ", ".join(filter(None, (photograph.stem, photograph.author, photograph.licence))) + f" ({package.name})"
        for package in read_listing().of("debian")
        for group in package.groups
        for photograph in group.photographs
    ]
    learned = (
        "The ready-made vocabulary and the components of the ready-made network are numbers learned from these "
        "photographs, and hold no picture of them. The demo fetches them only when you ask for it.\n\n"
    )
    return [
        ProgramPart(
            name="Photographs in the guide",
            licence="CC0-1.0 OR LicenseRef-public-domain",
            within="twinlens",
            texts=[LicenceText(title="credits.txt", text=resources.read_text("guide/pictures/credits.txt"))],
        ),
        ProgramPart(
            name="DejaVu fonts",
            version="2.37",
            licence="Bitstream-Vera",
            within="twinlens",
            home="https://dejavu-fonts.github.io",
            texts=[LicenceText(title="DejaVu.txt", text=resources.read_text("notices/DejaVu.txt"))],
        ),
        ProgramPart(
            name="Towns of GeoNames",
            licence="CC-BY-4.0",
            within="twinlens",
            home="https://www.geonames.org",
            texts=[LicenceText(title="GeoNames.txt", text=resources.read_text("notices/GeoNames.txt"))],
        ),
        ProgramPart(
            name="Ready-made vocabulary",
            licence="MIT",
            within="twinlens",
            texts=[LicenceText(title=LISTING, text=learned + "\n".join(rows) + "\n")],
        ),
    ]


EXTRAS = ("app", "words", "server", "cluster")
"""Extras of Twinlens that count where they are installed."""

_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)\s*(\[(?P<extras>[^\]]*)\])?")
_EXTRA = re.compile(r"""extra\s*==\s*["']([\w.-]+)["']""")

_TEXT = re.compile(r"licen[cs]e|copying|notice|copyright|authors", re.IGNORECASE)
_NO_TEXT = (".py", ".pyc", ".pyi", ".so", ".json", ".png", ".qml")
_BY_CLASSIFIER = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
}


def needed_packages(
    name: str = "twinlens", extras: tuple[str, ...] = EXTRAS, path: list[str] | None = None
) -> dict[str, Distribution]:
    """Find the installed packages that a package needs, itself included.

    Parameters
    ----------
    path : list of str, optional
        Folders of packages, in place of those of this Python.

    Returns
    -------
    dict of str to Distribution
        By their names in registries, in the order of their discovery.
    """
    found: dict[str, Distribution] = {}
    _follow(name, frozenset(extras), found, set(), sys.path if path is None else path)
    return found


def _follow(
    name: str,
    extras: frozenset[str],
    found: dict[str, Distribution],
    seen: set[tuple[str, str]],
    path: list[str],
) -> None:
    key = registered(name)
    if key not in found:
        package = next(iter(distributions(name=name, path=path)), None)
        if package is None:  # of another system, or of an extra that is not installed
            return
        found[key] = package
    for wanted in ("", *sorted(extras)):
        if (key, wanted) in seen:
            continue
        seen.add((key, wanted))
        for text in found[key].requires or ():
            extra = _EXTRA.search(text)
            if (extra[1] if extra else "") == wanted:
                requirement = _REQUIREMENT.match(text)
                assert requirement is not None
                inner = (requirement["extras"] or "").replace(" ", "").split(",")
                _follow(requirement["name"], frozenset(filter(None, inner)), found, seen, path)


def registered(name: str) -> str:
    """Write the name of a package as registries do."""
    return re.sub(r"[-_.]+", "-", name).lower()


def parts_of_package(package: Distribution, is_inside: Callable[[str], bool] = lambda _: True) -> list[ProgramPart]:
    """Describe a package, the native libraries that it brings along and the crates that are compiled into it.

    Parameters
    ----------
    is_inside : callable
        Whether a file, given relative to the folder of packages, counts; texts and lists always count.
    """
    files = [file.as_posix() for file in package.files or ()]
    metadata = package.metadata
    key = registered(metadata["Name"])
    texts = list(_texts(package, files))
    home = _field(package, "Home-page")
    for line in metadata.get_all("Project-URL") or ():
        kind, _, address = line.partition(",")
        if kind.strip().lower() in ("homepage", "repository", "source", "source code"):
            home = home or address.strip()
    own = ProgramPart(
        name=metadata["Name"],
        version=metadata["Version"],
        licence=_licence(package, key),
        purl=f"pkg:pypi/{key}@{metadata['Version']}",
        home=home,
        texts=texts,
        standard=[] if texts else _standard(_licence(package, key)),
    )
    inside = [file for file in files if is_inside(file)]
    return [own, *libraries(inside, own.name), *_crates(package, files, own.name)]


def _licence(package: Distribution, key: str) -> str:
    """Return the licence expression of a package: the listed one, or the one in its metadata."""
    listed = library_listing()["packages"].get(key)
    if listed is not None:
        return str(listed)
    stated = _field(package, "License-Expression")
    if stated:
        return stated
    for line in package.metadata.get_all("Classifier") or ():
        found = _BY_CLASSIFIER.get(line.rpartition(" :: ")[2])
        if found is not None and line.startswith("License"):
            return found
    return ""


def _field(package: Distribution, name: str) -> str:
    found: list[str] = package.metadata.get_all(name, [])
    return next(iter(found), "")


def _read(package: Distribution, file: str) -> str:
    return Path(str(package.locate_file(file))).read_text("utf-8", errors="replace")


def _standard(licence: str) -> list[str]:
    """Return the names of a licence's texts that come with the program; of alternatives, the first."""
    if "LGPL-3.0" in licence:
        return ["LGPL-3.0", "GPL-3.0"]
    chosen = next(([name] for name in ("Apache-2.0", "MIT", "Zlib") if name in licence), [])
    return chosen + ["Unicode-3.0"] * ("Unicode" in licence)


def _texts(package: Distribution, files: list[str]) -> Iterator[LicenceText]:
    """Yield the texts that come with a package, each once."""
    seen = set()
    for file in files:
        *folders, name = file.split("/")
        in_licences = "licenses" in folders and folders[0].endswith(".dist-info")
        if (in_licences or _TEXT.search(name)) and not name.endswith(_NO_TEXT):
            text = _read(package, file)
            if text not in seen:
                seen.add(text)
                yield LicenceText(title=name, text=text)


def _crates(package: Distribution, files: list[str], within: str) -> Iterator[ProgramPart]:
    """Yield the crates compiled into a package, by its own bill of materials."""
    for file in files:
        if ".dist-info/sboms/" not in file:
            continue
        bill = json.loads(_read(package, file))
        for row in bill.get("components", ()):
            if not row.get("purl", "").startswith("pkg:cargo/"):
                continue
            licence = " AND ".join(_expressions(row))
            authors = [LicenceText(title="Authors", text=row["author"])] if row.get("author") else []
            yield ProgramPart(
                name=row["name"],
                version=row.get("version", ""),
                licence=licence,
                within=within,
                purl=row["purl"].partition("?")[0],
                texts=authors,
                standard=_standard(licence),
            )


def _expressions(row: dict[str, object]) -> Iterator[str]:
    licences = row.get("licenses")
    for one in licences if isinstance(licences, list) else ():
        named = one.get("license", {})
        yield re.sub(r"\s+", " ", str(one.get("expression") or named.get("id") or named.get("name") or ""))


_LIBRARY = re.compile(r"(^|/)lib[^/]*\.(so(\.[\w.]+)?|dylib)$|\.dll$")


@functools.cache
def library_listing() -> dict[str, Any]:
    """Read the list of licences that are in no metadata."""
    return tomllib.loads(resources.read_text("notices/libraries.toml"))


def is_library(file: str) -> bool:
    """Return whether a file is a native library, by its name."""
    return _LIBRARY.search(file) is not None


def libraries(files: Iterable[str], within: str) -> list[ProgramPart]:
    """Find the libraries of a package.

    Parameters
    ----------
    files : iterable of str
        Its files, with ``/``; others than libraries are ignored.
    within : str
        Its name.

    Returns
    -------
    list of ProgramPart
        In the order of the list, followed by a part without a licence for each unlisted file.
    """
    left = sorted(filter(is_library, files))
    found = []
    for row in library_listing()["libraries"]:
        own = [path for path in left if any(_matches(path, pattern) for pattern in row.get("files", ()))]
        if own or row.get("inside") == within:
            left = [path for path in left if path not in own]
            known = {name: row[name] for name in ("name", "licence", "home", "source") if name in row}
            found.append(ProgramPart(within=within, files=own, standard=row.get("texts", []), **known))
    return found + [ProgramPart(name=path.rpartition("/")[2], licence="", within=within, files=[path]) for path in left]


def _matches(path: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(path if "/" in pattern else path.rpartition("/")[2], pattern)


class LicenceText(Result):
    """One text that comes with a part."""

    title: str = Field(description="name of the file")
    text: str


class ProgramPart(Result):
    """A part of the program, as its makers describe it."""

    name: str
    version: str = Field(default="", description="empty where nothing tells it")
    licence: str = Field(description="an expression of SPDX")
    within: str = Field(default="", description="the part that brings it along")
    purl: str = Field(default="", description="its name in registries, as Package URL")
    home: str = Field(default="", description="address of its makers")
    source: str = Field(default="", description="where the source code is, if the licence grants it to you")
    files: list[str] = Field(default=[], description="files of a native library")
    texts: list[LicenceText] = Field(default=[], description="what comes with it")
    standard: list[str] = Field(default=[], description="texts of its licence that lie with the program")


class Notices(Result):
    """All parts of the program."""

    parts: list[ProgramPart]

    def texts(self, part: ProgramPart) -> list[LicenceText]:
        """Return the texts of a part; those of the part that brings it along where it has none."""
        own = [*part.texts, *map(standard_text, part.standard)]
        around = next((one for one in self.parts if one.name == part.within and not one.within), None)
        return own if own or around is None else self.texts(around)


def standard_text(name: str) -> LicenceText:
    """Read a text that lies with the program, such as ``LGPL-3.0``."""
    return LicenceText(title=name, text=resources.read_text(f"notices/{name}.txt"))
