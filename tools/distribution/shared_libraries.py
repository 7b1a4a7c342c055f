"""Shared libraries of a bundle on Linux: what nothing asks for goes, symbols for debuggers go, the system's own stay.

A bundle brings what its packages bring, what Python itself needs, and the small libraries of X11 that many desktops
lack. All else is the system's: what draws on its screen must be its own.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

_OWN_COPIES = (
    "libbz2.so.*", "libcrypto.so.*", "libffi.so.*", "liblzma.so.*", "libpython3*", "libsqlite3.so.*", "libssl.so.*",
    "libtwinlens-*", "libuuid.so.*", "libxcb-*.so.*", "libxkbcommon*.so.*",
)  # fmt: skip
_OF_SOME_DESKTOPS = "*/platformthemes/libqgtk3.so"
"""A plug-in that is passed over where the libraries it needs are not there."""


def shared_objects(folder: Path) -> list[Path]:
    """Find all shared libraries, plug-ins and extension modules of a folder, each once."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    return [path for path in files if _begins(path) == b"\x7fELF"]


def needed_libraries(path: Path) -> list[str]:
    """Name the libraries that a shared object asks for."""
    return _needed(path, path.stat().st_mtime_ns)


@cache
def _needed(path: Path, _changed: int) -> list[str]:
    return re.findall(r"\(NEEDED\).*\[(.+)\]", _told("readelf", "--dynamic", "--wide", str(path)))


def drop_unused(internal: Path) -> None:
    """Remove libraries of the system that it has itself, and then all that nothing else inside asks for."""
    for path in shared_objects(internal):
        if path.parent == internal and not any(fnmatchcase(path.name, pattern) for pattern in _OWN_COPIES):
            path.unlink()
    objects = shared_objects(internal)
    inside = _by_name(internal)
    reached = {path for path in objects if not _is_library(path, internal)}
    waiting = list(reached)
    while waiting:
        for name in needed_libraries(waiting.pop()):
            library = inside.get(name)
            if library is not None and library not in reached:
                reached.add(library)
                waiting.append(library)
    for path in objects:
        if path not in reached:
            path.unlink()
    for path in internal.rglob("*"):
        if path.is_symlink() and not path.exists():
            path.unlink()


def strip(path: Path) -> None:
    """Take the symbols for debuggers out of a shared object, if it remains one: what patchelf changed may not."""
    stripped = path.with_name(f"{path.name}.stripped")
    subprocess.run(["strip", "--strip-unneeded", "-o", str(stripped), str(path)], check=True)
    if stripped.stat().st_size < path.stat().st_size and _is_aligned(stripped):
        stripped.replace(path)
    else:
        stripped.unlink()


def system_libraries(internal: Path) -> set[str]:
    """Name the libraries that are asked for and not inside."""
    inside = _by_name(internal)
    users = (path for path in shared_objects(internal) if not fnmatchcase(path.as_posix(), _OF_SOME_DESKTOPS))
    return {name for path in users for name in needed_libraries(path) if name not in inside}


def least_glibc(internal: Path) -> str:
    """Return the version of the C library that everything inside runs with, such as 2.36."""
    told = (_told("readelf", "--version-info", "--wide", str(path)) for path in shared_objects(internal))
    versions = {tuple(map(int, found.split("."))) for text in told for found in re.findall(r"GLIBC_(\d+\.\d+)", text)}
    return ".".join(map(str, max(versions)))


def _by_name(internal: Path) -> dict[str, Path]:
    return {path.name: path.resolve() for path in internal.rglob("*.so*")}


def _is_library(path: Path, internal: Path) -> bool:
    """Whether it is there only because another asks for it; Python itself asks for nothing else at the top."""
    if path.name.startswith("libpython"):
        return False
    return path.parent == internal or path.parent.name.endswith(".libs") or path.parent.match("Qt/lib")


def _is_aligned(path: Path) -> bool:
    return all((address - offset) % alignment == 0 for offset, address, alignment in _segments(path))


def _segments(path: Path) -> Iterator[tuple[int, int, int]]:
    for line in _told("readelf", "--segments", "--wide", str(path)).splitlines():
        words = line.split()
        if words[:1] == ["LOAD"]:
            yield int(words[1], 16), int(words[2], 16), int(words[-1], 16)


def _begins(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4)


def _told(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
