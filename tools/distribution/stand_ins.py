"""Libraries that wheels bring for what Twinlens never calls, and those that they bring twice, as next to nothing.

The extension modules of OpenCV and Pillow ask for FFmpeg and X11 by name before they load. A *stand-in* bears the names
and holds the functions, and each ends the program: nobody plays videos or takes pictures of the screen here. OpenCV's
OpenBLAS is that of SciPy by other names, so its functions go on to those. Where two packages bring the same library,
one is kept that has all that is asked for.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.distribution.shared_libraries import needed_libraries, shared_objects

VIDEO = ("libavcodec-*", "libavformat-*", "libavutil-*", "libswscale-*")
_CODE = {"x86_64": ("ud2", "jmp scipy_{}@PLT"), "aarch64": ("udf #0", "b scipy_{}")}
"""By machine: what ends the program, and what goes on to another function."""

_ASKS, _HAS = "--undefined-only", "--defined-only"

_SAME = (
    ("opencv_python_headless.libs/libavif-*", "pillow.libs/libavif-*"),
    ("opencv_python_headless.libs/libpng16-*", "pillow.libs/libpng16-*"),
    ("rawpy.libs/liblcms2-*", "pillow.libs/liblcms2-*"),
    ("scipy.libs/libgfortran-*", "numpy.libs/libgfortran-*"),
    ("scipy.libs/libquadmath-*", "numpy.libs/libquadmath-*"),
    ("libcrypto.so.*", "psycopg_binary.libs/libcrypto-*"),
    ("libssl.so.*", "psycopg_binary.libs/libssl-*"),
)
"""Libraries of which the second serves the users of the first, where it is of the same version of their interface."""


def put_stand_ins(internal: Path) -> None:
    """Put stand-ins into a bundle; what they stand in for is asked for by nobody afterwards."""
    opencv = internal / "opencv_python_headless.libs"
    _stand_in(internal, "libtwinlens-no-video.so", [path for name in VIDEO for path in opencv.glob(name)])
    _stand_in(internal, "libtwinlens-no-screen.so", list((internal / "pillow.libs").glob("libxcb-*")))
    (scipy,) = (internal / "scipy.libs").glob("libscipy_openblas-*")
    _stand_in(internal, "libtwinlens-blas.so", list(opencv.glob("libopenblasp-*")), scipy)


def share_twice_brought(internal: Path) -> None:
    """Keep one of two copies of a library, where it is of the same interface and has all that is asked for."""
    for pattern, kept_pattern in _SAME:
        for copy in internal.glob(pattern):
            for kept in internal.glob(kept_pattern):
                is_same = _interface(copy.name) == _interface(kept.name)
                if is_same and _asked_of([copy], internal) <= symbols(kept, _HAS):
                    _link(copy, kept)


def _stand_in(internal: Path, name: str, libraries: list[Path], goes_on_to: Path | None = None) -> None:
    """Make one library that stands in for some, with the functions that the rest of the bundle asks them for."""
    versions: dict[str, list[str]] = defaultdict(list)
    for symbol in sorted(_asked_of(libraries, internal)):
        function, _, version = symbol.partition("@")
        versions[version].append(function)
    made = internal / name
    link(made, versions, goes_on_to)
    for library in libraries:
        _link(library, made)


def _asked_of(libraries: list[Path], internal: Path) -> set[str]:
    """Name what other shared objects ask of some libraries."""
    names = {library.name for library in libraries}
    users = (
        path for path in shared_objects(internal) if path.name not in names and names & set(needed_libraries(path))
    )
    wanted = {symbol for path in users for symbol in symbols(path, _ASKS)}
    return wanted & {symbol for library in libraries for symbol in symbols(library, _HAS)}


def link(made: Path, versions: Mapping[str, Sequence[str]], goes_on_to: Path | None = None) -> None:
    """Write a library of functions, which end the program or go on to those of the same names with scipy_ before.

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
    """Name the functions that a shared object asks for or has, as name or name@version."""
    told = subprocess.run(["nm", "--dynamic", which, str(path)], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].replace("@@", "@") for line in told.splitlines() if line.split()[-2] in "UTWiDBR"}


def _interface(name: str) -> str:
    """Return the first number after .so in a name: 16 of libavif-43e630fc.so.16.4.2."""
    return re.sub(r".*\.so\.(\d+).*", r"\1", name)


def _link(path: Path, to: Path) -> None:
    path.unlink()
    path.symlink_to(os.path.relpath(to, path.parent))
