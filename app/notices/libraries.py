"""Native libraries that packages bring along: told by the names of their files, and listed beside the licence texts."""

from __future__ import annotations

import fnmatch
import functools
import re
import tomllib
from collections.abc import Iterable
from typing import Any

import resources
from app.notices.part import ProgramPart

_LIBRARY = re.compile(r"(^|/)lib[^/]*\.(so(\.[\w.]+)?|dylib)$|\.dll$")


@functools.cache
def library_listing() -> dict[str, Any]:
    """Read the list of licences that no program can read elsewhere."""
    return tomllib.loads(resources.read_text("notices/libraries.toml"))


def is_library(file: str) -> bool:
    """Return whether a file is a native library, by its name."""
    return _LIBRARY.search(file) is not None


def libraries(files: Iterable[str], within: str) -> list[ProgramPart]:
    """Find the libraries of a package.

    Parameters
    ----------
    files : iterable of str
        Its files, with ``/``; those that are no libraries are passed over.
    within : str
        Its name.

    Returns
    -------
    list of Part
        In the order of the list; one without a licence for each file that is not listed.
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
