"""Installed packages with their licences, as their metadata tell them, and what is compiled into them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

from app.notices.libraries import libraries, library_listing
from app.notices.part import LicenceText, ProgramPart

EXTRAS = ("words", "server", "cluster")
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
    """Find the packages that one needs, itself included, as far as they are installed.

    Parameters
    ----------
    name : str
    extras : tuple of str
    path : list of str, optional
        Folders of packages, in place of those of this Python.

    Returns
    -------
    dict of str to Distribution
        By their names in registries, in the order in which they are come upon.
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
    package : Distribution
    is_inside : callable
        Whether a file, named as from the folder of packages, counts; texts and lists count always.
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
    """Return the expression that a package states, or that is listed for it."""
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
    """Name the texts of a licence that lie with the program; of several to choose from, the first."""
    if "LGPL-3.0" in licence:
        return ["LGPL-3.0", "GPL-3.0"]
    chosen = next(([name] for name in ("Apache-2.0", "MIT", "Zlib") if name in licence), [])
    return chosen + ["Unicode-3.0"] * ("Unicode" in licence)


def _texts(package: Distribution, files: list[str]) -> Iterator[LicenceText]:
    """Yield the texts that come with a package, each once."""
    told = set()
    for file in files:
        *folders, name = file.split("/")
        in_licences = "licenses" in folders and folders[0].endswith(".dist-info")
        if (in_licences or _TEXT.search(name)) and not name.endswith(_NO_TEXT):
            text = _read(package, file)
            if text not in told:
                told.add(text)
                yield LicenceText(title=name, text=text)


def _crates(package: Distribution, files: list[str], within: str) -> Iterator[ProgramPart]:
    """Yield what a package's own bill of materials says is compiled into it."""
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
