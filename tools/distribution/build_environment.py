"""The environment that a bundle is built in: the packages of the users' lock, PyInstaller, and the project's wheel.

Everything made from one commit bears the time of the commit, so the same sources give the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_TOOLS = {"altgraph", "macholib", "pefile", "pyinstaller", "pyinstaller-hooks-contrib", "pywin32-ctypes", "setuptools"}


def make_environment(folder: Path) -> Path:
    """Make the environment in a folder, or bring the project in it up to date, and return its Python."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    people, developers = (ROOT / name for name in ("requirements.lock", "requirements-dev.lock"))
    record = folder / "made-from"
    made_from = hashlib.sha256(people.read_bytes() + developers.read_bytes() + sys.version.encode()).hexdigest()
    if not record.is_file() or record.read_text("utf-8") != made_from:
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, symlinks=os.name != "nt")
        tools = folder / "tools.txt"
        tools.write_text(_entries(developers, _TOOLS - _names(people)), "utf-8")
        locked = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", str(people), "-r", str(tools)]
        _pip("--python", str(python), "install", "--no-compile", *locked)
        record.write_text(made_from, "utf-8")
    wheels = folder / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    _pip("wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(wheels), str(ROOT))
    wheel = next(wheels.iterdir())
    _pip("--python", str(python), "install", "--no-compile", "--no-deps", "--no-index", "--force-reinstall", str(wheel))
    return python


def packages_of(python: Path) -> Path:
    """Return the folder where an environment has its packages."""
    folder = python.parents[1]
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return folder / ("Lib" if os.name == "nt" else f"lib/{version}") / "site-packages"


def run_in(python: Path, *arguments: str, **variables: str) -> None:
    """Run Python of an environment, which finds Twinlens in its wheel and `tools` here."""
    places = os.pathsep.join([str(packages_of(python)), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": places, "PYTHONHASHSEED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([str(python), *arguments], check=True, cwd=python.parents[1], env={**environment, **variables})


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--quiet", "--no-input", *arguments], check=True)


def _entries(lock: Path, names: set[str]) -> str:
    """Return the lock's entries of some names, with their hashes."""
    entries = re.split(r"\n(?=\S)", lock.read_text("utf-8").strip())
    return "\n".join(entry for entry in entries if entry.partition("==")[0] in names) + "\n"


def _names(lock: Path) -> set[str]:
    return set(re.findall(r"^([\w.-]+)==", lock.read_text("utf-8"), re.MULTILINE))


VARIABLE = "SOURCE_DATE_EPOCH"
_ROOT = Path(__file__).resolve().parents[2]


def source_date() -> int:
    """Return the time in seconds since 1970."""
    given = os.environ.get(VARIABLE)
    if given is not None:
        return int(given)
    asked = ["git", "log", "-1", "--format=%ct"]
    return int(subprocess.run(asked, cwd=_ROOT, capture_output=True, text=True, check=True).stdout)


def settle(folder: Path, programs: frozenset[Path] = frozenset()) -> None:
    """Set the build time and the permissions of an installed program on all files of a folder.

    Parameters
    ----------
    programs : frozenset of Path
        Files that can be run; links lead to what they lead to.
    """
    time = source_date()
    for path in [*folder.rglob("*"), folder]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path in programs else 0o644)
        os.utime(path, (time, time), follow_symlinks=False)
