"""The bundle: one folder with the program, Python and all it needs (``run.py bundle``); on Linux, packages of it.

PyInstaller collects it in an environment of its own. On Linux it is thinned then, and written as an archive and, where
Debian's tools are, as a Debian package. The same sources give the same bytes on the same system.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from tools.distribution import linux_packages, shared_libraries
from tools.distribution.build_environment import (
    ROOT,
    VARIABLE,
    make_environment,
    packages_of,
    run_in,
    settle,
    source_date,
)
from tools.distribution.bundle_contents import LOOPS, is_wanted
from tools.distribution.notices import write_notices
from twinlens.app.cli.man_page import write_system_files
from twinlens.app.machine import desktop_entry
from twinlens.core.compilation.compilation import LEVELS, MODULES

BUILD, DIST = ROOT / "build" / "bundle", ROOT / "dist"
MOST_BYTES = 440_000_000


def main() -> None:
    """Make the bundle, and on Linux its packages."""
    parser = argparse.ArgumentParser(prog="run.py bundle", description="Make the bundle.")
    parser.add_argument("--folder", action="store_true", help="no package and no archive of dist/twinlens")
    given = parser.parse_args()
    os.environ[VARIABLE] = str(source_date())
    bundle = make_bundle(DIST / "twinlens")
    if sys.platform == "linux" and not given.folder:
        if shutil.which("dh"):
            with _step("Debian package"):
                linux_packages.write_package(ROOT, DIST)
        with _step("Archive"):
            linux_packages.write_archive(bundle, DIST, f"twinlens-{version('twinlens')}")


def make_bundle(bundle: Path) -> Path:
    """Make the folder anew and return it."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with _step("Environment"):
        python = make_environment(BUILD / "environment")
    with _step("Compiled loops"):
        loops = compile_loops(python)
    with _step("PyInstaller"):
        folders = ["--distpath", str(bundle.parent), "--workpath", str(BUILD / "pyinstaller")]
        spec = str(ROOT / "tools" / "distribution" / "bundle.spec")
        run_in(
            python, "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", *folders, spec, **{LOOPS: str(loops)}
        )
    drop_unwanted(bundle / "_internal")
    if sys.platform == "linux":
        with _step("Shared libraries"):
            thin(bundle / "_internal")
        (bundle / "twinlens-gui").symlink_to("twinlens")
        write_system_files(bundle / "share")
        desktop_entry.write(bundle / "share", ["twinlens-gui"])
    with _step("Notices"):
        write_notices(bundle, packages_of(python))
    settle(bundle, frozenset({bundle / "twinlens"}))
    size = sum(path.stat().st_size for path in bundle.rglob("*") if path.is_file() and not path.is_symlink())
    print(f"{bundle.relative_to(ROOT)}: {size / 1e6:.0f} MB", file=sys.stderr)
    if size > MOST_BYTES:
        raise SystemExit(f"The bundle may have {MOST_BYTES / 1e6:.0f} MB.")
    return bundle


def compile_loops(python: Path) -> Path:
    """Compile the loops for every level of processors, unless they are kept from an earlier build."""
    sources = [ROOT.joinpath(*module.split(".")).with_suffix(".py") for module in MODULES]
    sources += sorted((ROOT / "twinlens" / "core" / "compilation").glob("*.py"))
    sources += [ROOT / "tools" / "distribution" / "compiled_loops.py", ROOT / "requirements.lock"]
    folder = BUILD / f"loops-{hashlib.sha256(b''.join(path.read_bytes() for path in sources)).hexdigest()[:16]}"
    if not folder.is_dir():
        draft = folder.with_suffix(".draft")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        for level in LEVELS[platform.machine()]:
            run_in(python, "-m", "tools.distribution.compiled_loops", str(draft), level)
        draft.rename(folder)
    return folder


def drop_unwanted(internal: Path) -> None:
    """Remove unneeded files that PyInstaller collected, and the folders that are empty then."""
    for path in sorted(internal.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):
                path.rmdir()
        elif not is_wanted(path.relative_to(internal).as_posix()):
            path.unlink()


def thin(internal: Path) -> None:
    """Reduce the shared libraries of a bundle on Linux to what is used."""
    shared_libraries.put_stand_ins(internal)
    shared_libraries.share_twice_brought(internal)
    shared_libraries.drop_unused(internal)
    for path in shared_libraries.shared_objects(internal):
        shared_libraries.forget_builder(path)
        if path.name.startswith("libicudata."):
            shared_libraries.thin_icu_data(path)
        elif path.parent.suffix != ".libs":  # patchelf has been there: OpenBLAS does not load once it is stripped
            shared_libraries.strip(path)


@contextmanager
def _step(name: str) -> Iterator[None]:
    print(f"{name} ...", file=sys.stderr, flush=True)
    try:
        yield
    except subprocess.CalledProcessError as error:
        command = " ".join(map(str, error.cmd[:4]))
        raise SystemExit(f"{name}: `{command} ...` ended with code {error.returncode}.") from None


if __name__ == "__main__":
    main()
