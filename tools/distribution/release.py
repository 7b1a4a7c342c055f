"""Release: everything that people download, made from one commit into ``dist`` and tried there.

``python -m tools.distribution.release`` (``run.py release``) makes the wheel and the source archive, the site of the
guide, and the bundle with its packages. A trial prints a program's version, adds photographs and finds one of them. Two
builds of one commit are compared: whole files, and the members of archives that are not equal.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from tests.features.rare_pictures import RARE
from tests.features.sample_pictures import GOOD
from tools import socket_guard
from tools.distribution.build_environment import ROOT, VARIABLE, source_date
from tools.distribution.bundle import compile_loops
from tools.distribution.bundle_contents import LOOPS
from twinlens.app.notices import FOLDER as NOTICES

_CLOUDS = 6
_PICTURES = {one.name: one.make for one in GOOD} | {name: one.make for name, one in RARE.items()}
COUNT = _CLOUDS + len(_PICTURES)
_NAMES = ("app", "core", "features", "resources", "storage")


class TrialError(Exception):
    """A program failed its trial."""


class TrialResult(NamedTuple):
    """One result of the search, without its folder."""

    photograph: str
    distance: float
    similarity: float


def try_program(command: Sequence[str], version: str, folder: Path) -> list[TrialResult]:
    """Run a program's version, let it add photographs, and search with one of them.

    Parameters
    ----------
    command : sequence of str
        What starts it.
    version : str
        What it must say that it is.
    folder : Path
        An empty folder for the photographs and for what the program keeps.

    Returns
    -------
    list of TrialResult
        All photographs, in the order found.

    Raises
    ------
    TrialError
        If it fails, says something else, or a process of it asks for a socket to another machine.
    UnguardedError
        If this machine cannot watch for that.
    """
    photographs = folder / "photographs"
    _write_photographs(photographs)
    told = _run_program([*command, "--version"], folder).strip()
    if told != f"twinlens {version}":
        raise TrialError(f"{command[0]} says that it is “{told}”, not version {version}.")
    library = ["--library", str(folder / "trial.twinlens"), "--json"]
    added = _document([*command, "add", str(photographs), *library], folder)
    if added["added"] != COUNT or added["problems"]:
        raise TrialError(f"{command[0]} added {added['added']} of {COUNT} photographs, {added['problems']} problems.")
    wanted = photographs / "2.jpg"
    found = _document([*command, "search", str(wanted), "-k", str(COUNT), *library], folder)
    hits = [
        TrialResult(Path(hit["path"]).name, hit["distance"], hit["similarity"]) for hit in found["results"][0]["hits"]
    ]
    if len(hits) != COUNT or hits[0].photograph != wanted.name:
        raise TrialError(f"{command[0]} did not find {wanted.name} first: {hits}.")
    return hits


def _write_photographs(folder: Path) -> None:
    """Write photographs of clouds, the same on every machine with the same Pillow, and a picture of each format."""
    folder.mkdir()
    for name, make in _PICTURES.items():
        (folder / name).write_bytes(make())
    for number in range(_CLOUDS):
        seeds = np.random.default_rng(number).integers(0, 256, (9, 12, 3), dtype=np.uint8)
        Image.fromarray(seeds).resize((640, 480), Image.Resampling.BICUBIC).save(folder / f"{number}.jpg", quality=90)


def _document(command: Sequence[str], folder: Path) -> Any:
    return json.loads(_run_program(command, folder))


def _run_program(command: Sequence[str], folder: Path) -> str:
    """Run a command for a person with modules of our names in the current folder and on the path."""
    hostile = folder / "here"
    for name in _NAMES:
        module = hostile / name / "__init__.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text("raise SystemExit('a module of somebody else was imported')\n", "utf-8")
    environment = {
        "PATH": os.defpath,
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(hostile),
        "TWINLENS_CACHE": str(folder / "cache"),
        "TWINLENS_DATA": str(folder / "data"),
    }
    done, sockets = socket_guard.run(command, cwd=hostile, env=environment)
    if sockets:
        raise TrialError(f"`{' '.join(command)}` would speak to another machine:\n" + "\n".join(sockets))
    if done.returncode:
        raise TrialError(f"`{' '.join(command)}` ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def build_differences(first: Path, second: Path) -> list[str]:
    """Return the files that differ between two folders, with the differences inside, one a line.

    Parameters
    ----------
    first, second : Path
        Folders of builds.
    """
    names = sorted({path.name for folder in (first, second) for path in folder.iterdir() if path.is_file()})
    found = []
    for name in names:
        contents = [
            folder.joinpath(name).read_bytes() if folder.joinpath(name).exists() else b"" for folder in (first, second)
        ]
        if contents[0] == contents[1]:
            continue
        inner = [archive_members(name, content) for content in contents]
        unequal = sorted(key for key in inner[0].keys() | inner[1].keys() if inner[0].get(key) != inner[1].get(key))
        found += [f"{name}: {member}" for member in unequal] or [f"{name}: the file as a whole"]
    return found


def archive_members(name: str, content: bytes) -> dict[str, str]:
    """Return the digests of an archive's members, with their modes; nothing for other files.

    Parameters
    ----------
    name : str
        Its file name, which tells its kind.
    content : bytes
    """
    if name.endswith((".whl", ".zip")):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            return {one.filename: f"{one.external_attr:o} {_digest(packed.read(one))}" for one in packed.infolist()}
    if name.endswith(".deb"):
        done = subprocess.run(
            ["dpkg-deb", "--fsys-tarfile", "/dev/stdin"], input=content, capture_output=True, check=True
        )
        return archive_members("data.tar", done.stdout)
    if ".tar" in name:
        with tarfile.open(fileobj=io.BytesIO(content)) as packed_tar:
            return {
                one.name: f"{one.mode:o} {one.mtime} {one.linkname} {_digest(_content(packed_tar, one))}"
                for one in packed_tar
            }
    return {}


def _content(packed: tarfile.TarFile, one: tarfile.TarInfo) -> bytes:
    file = packed.extractfile(one) if one.isfile() else None
    return b"" if file is None else file.read()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


TARGET = ROOT / "dist"
_FIRST = ROOT / "build" / "first"
"""Where the first of two builds waits for the second."""

CHECKSUMS = "SHA256SUMS"
_FOR_ALL = "*-none-any.whl"
"""The name of the wheel for every system; the other one is for this system and Python, and has compiled loops."""


class ReleaseError(Exception):
    """No release can be made of this checkout."""


def main() -> int:
    """Make a release."""
    parser = argparse.ArgumentParser(prog="run.py release", description="Make and try everything that people download.")
    parser.add_argument("--twice", action="store_true", help="Make it twice, and list what differs.")
    arguments = parser.parse_args()
    try:
        release(arguments.twice)
    except (ReleaseError, TrialError, socket_guard.UnguardedError, subprocess.CalledProcessError) as error:
        print(f"No release: {error}", file=sys.stderr)
        return 2
    return 0


def release(twice: bool) -> None:
    """Make a release of the last commit.

    Raises
    ------
    ReleaseError
        If something is not committed, or two programs give different answers.
    TrialError
        If a program does not do what it must.
    UnguardedError
        If this machine cannot watch for sockets to others.
    subprocess.CalledProcessError
        If a tool fails, which says why.
    """
    version = str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])
    _refuse_changes()
    os.environ.update({VARIABLE: str(source_date()), "PYTHONHASHSEED": "0"})
    _make(version)
    if twice:
        shutil.rmtree(_FIRST, ignore_errors=True)
        _FIRST.parent.mkdir(exist_ok=True)
        TARGET.rename(_FIRST)
        _make(version)
        found = build_differences(_FIRST, TARGET)
        print("\n".join(found) if found else "Both builds are the same, to the byte.")
    _try_all(version)
    _refuse_changes()
    for line in write_checksums(TARGET):
        print(line)


def _refuse_changes() -> None:
    changed = _asked("git", "status", "--porcelain")
    if changed:
        raise ReleaseError(f"A release is made of a commit, and this is not committed:\n{changed}")


def _make(version: str) -> None:
    """Make all downloads; the folder is emptied before."""
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir()
    python = [sys.executable, "-m"]
    with _step("Wheel and source archive"):
        _run(*python, "hatchling", "build", "-d", str(TARGET))
    with _step("Guide"):
        _run(*python, "tools.distribution.guide_site", str(TARGET / "guide"))
        pack(TARGET / "guide", TARGET / f"twinlens-{version}-guide.zip")
    with _step("Bundle, Debian package and portable archive"):
        _run(*python, "tools.distribution.bundle")
    with _step("Wheel with compiled loops"):
        loops = os.fspath(compile_loops(Path(sys.executable)))
        _run(*python, "hatchling", "build", "-t", "wheel", "-d", str(TARGET), loops=loops)
    for source, target in (("NOTICES.txt", "notices.txt"), ("twinlens.cdx.json", "bill-of-materials.cdx.json")):
        shutil.copyfile(TARGET / "twinlens" / NOTICES / source, TARGET / f"twinlens-{version}-{target}")


def pack(folder: Path, target: Path) -> None:
    """Pack a folder into a zip archive, with the time of the commit on all members."""
    now = datetime.fromtimestamp(source_date(), UTC)
    moment = (now.year, now.month, now.day, now.hour, now.minute, now.second)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                one = zipfile.ZipInfo(path.relative_to(folder.parent).as_posix(), moment)
                one.external_attr = 0o644 << 16
                packed.writestr(one, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def _try_all(version: str) -> None:
    """Try every download, unpacked in an empty folder; all must give the results of the sources."""
    with tempfile.TemporaryDirectory(prefix="twinlens-release-") as name:
        place = Path(name)
        programs = {"The sources": [sys.executable, "-m", "twinlens"]}
        with _step("Installing the wheel"):
            programs["The wheel"] = [str(_installed(_only(_FOR_ALL), place / "wheel"))]
        with _step("Installing the wheel with compiled loops"):
            (wheel,) = set(TARGET.glob("*.whl")) - {_only(_FOR_ALL)}
            programs["The wheel with compiled loops"] = [str(_installed(wheel, place / "loops"))]
        with _step("Unpacking"):
            _rebuilt(place / "sdist", version)
            with tarfile.open(_only("twinlens-*-*.tar.*")) as packed:
                packed.extractall(place / "archive", filter="tar")
            _run("dpkg-deb", "-x", str(_only("*.deb")), str(place / "deb"))
        for title, folder in (("The archive", "archive"), ("The Debian package", "deb")):
            (program,) = (path for path in (place / folder).rglob("twinlens") if path.with_name("_internal").is_dir())
            programs[title] = [str(program)]
        expected: list[TrialResult] = []
        for title, command in programs.items():
            with _step(f"{title}: version, adding, searching"):
                trial = Path(tempfile.mkdtemp(dir=place))
                answers = try_program(command, version, trial)
            expected = expected or answers
            if answers != expected:
                raise ReleaseError(f"{title} answered {answers}, and the sources {expected}.")


def _installed(wheel: Path, environment: Path) -> Path:
    """Install the wheel with its locked packages into an environment of its own, and return its command."""
    uv = [sys.executable, "-m", "uv", "--quiet"]
    into = ["--python", str(environment / "bin" / "python"), "--no-deps"]
    _run(*uv, "venv", "--python", sys.executable, str(environment))
    _run(*uv, "pip", "install", *into, "--require-hashes", "-r", str(ROOT / "requirements.lock"))
    _run(*uv, "pip", "install", *into, str(wheel))
    return environment / "bin" / "twinlens"


def _rebuilt(folder: Path, version: str) -> None:
    """Build the wheel from the source archive, and compare it with that of the checkout."""
    with tarfile.open(TARGET / f"twinlens-{version}.tar.gz") as packed:
        packed.extractall(folder, filter="data")
    source = folder / f"twinlens-{version}"
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=source)
    wheel = _only(_FOR_ALL)
    if (folder / wheel.name).read_bytes() != wheel.read_bytes():
        raise ReleaseError("The wheel from the source archive is not the one from the checkout.")


def write_checksums(folder: Path) -> list[str]:
    """Write the digests of all files of a folder, as ``sha256sum --check`` reads them, and return the lines."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != CHECKSUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in files]
    (folder / CHECKSUMS).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return lines


def _only(pattern: str) -> Path:
    found = sorted(TARGET.glob(pattern))
    if len(found) != 1:
        raise ReleaseError(f"{TARGET} has {len(found)} files {pattern}, and one is expected.")
    return found[0]


def _run(*command: str, cwd: Path = ROOT, loops: str = "") -> None:
    environment = {**os.environ, LOOPS: loops}
    subprocess.run(command, cwd=cwd, check=True, stdout=sys.stderr, env=environment)


def _asked(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


@contextlib.contextmanager
def _step(title: str) -> Iterator[None]:
    """Print a step on standard error, and how long it took."""
    began = time.monotonic()
    print(f"{title} ...", file=sys.stderr, flush=True)
    yield
    print(f"{title}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
