"""Release: what people download, made from one commit into ``dist`` and tried before it counts as done.

``python -m tools.distribution.release`` (``run.py release``) makes the wheel and the source archive, the site of the
guide, the bundle with its notices, the Debian package, the portable archive and the checksums. Tools take the time of
the commit for now, so the same commit gives the same bytes where they allow it: ``--twice`` makes all of it again and
lists what differs. Nothing is uploaded.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from app.notices.notices import FOLDER as NOTICES
from tools.distribution.build_environment import ROOT
from tools.distribution.differences import build_differences
from tools.distribution.source_date import VARIABLE, source_date
from tools.distribution.trial import TrialError, TrialResult, try_program

TARGET = ROOT / "dist"
_FIRST = ROOT / "build" / "first"
"""Where the first of two builds waits for the second."""

CHECKSUMS = "SHA256SUMS"


class ReleaseError(Exception):
    """No release can be made of what is here."""


def main() -> int:
    """Make a release."""
    parser = argparse.ArgumentParser(prog="run.py release", description="Make and try everything that people download.")
    parser.add_argument("--twice", action="store_true", help="Make it twice, and list what differs.")
    arguments = parser.parse_args()
    try:
        release(arguments.twice)
    except (ReleaseError, TrialError, subprocess.CalledProcessError) as error:
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
    """Make everything; what lay in the folder before goes."""
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
    for source, target in (("NOTICES.txt", "notices.txt"), ("twinlens.cdx.json", "bill-of-materials.cdx.json")):
        shutil.copyfile(TARGET / "twinlens" / NOTICES / source, TARGET / f"twinlens-{version}-{target}")


def pack(folder: Path, target: Path) -> None:
    """Pack a folder into a zip archive, which holds the time of the commit and no other."""
    now = datetime.fromtimestamp(source_date(), UTC)
    moment = (now.year, now.month, now.day, now.hour, now.minute, now.second)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                one = zipfile.ZipInfo(path.relative_to(folder.parent).as_posix(), moment)
                one.external_attr = 0o644 << 16
                packed.writestr(one, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def _try_all(version: str) -> None:
    """Try what a person would download, unpacked where nothing else is; all must give the answers of the sources."""
    with tempfile.TemporaryDirectory(prefix="twinlens-release-") as name:
        place = Path(name)
        programs = {"The sources": [sys.executable, "-m", "twinlens"]}
        with _step("Installing the wheel"):
            programs["The wheel"] = [str(_installed(_only("*.whl"), place / "wheel"))]
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
    """Install the wheel with what is locked into an environment of its own, and return its command."""
    uv = [sys.executable, "-m", "uv", "--quiet"]
    into = ["--python", str(environment / "bin" / "python"), "--no-deps"]
    _run(*uv, "venv", "--python", sys.executable, str(environment))
    _run(*uv, "pip", "install", *into, "--require-hashes", "-r", str(ROOT / "requirements.lock"))
    _run(*uv, "pip", "install", *into, str(wheel))
    return environment / "bin" / "twinlens"


def _rebuilt(folder: Path, version: str) -> None:
    """Make the wheel from the source archive, and hold it against the one from the checkout."""
    with tarfile.open(TARGET / f"twinlens-{version}.tar.gz") as packed:
        packed.extractall(folder, filter="data")
    source = folder / f"twinlens-{version}"
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=source)
    wheel = _only("*.whl")
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


def _run(*command: str, cwd: Path = ROOT) -> None:
    subprocess.run(command, cwd=cwd, check=True, stdout=sys.stderr)


def _asked(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


@contextlib.contextmanager
def _step(title: str) -> Iterator[None]:
    """Print on standard error what is done, and how long it took."""
    began = time.monotonic()
    print(f"{title} ...", file=sys.stderr, flush=True)
    yield
    print(f"{title}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
