"""A trash and a disk of a test's own: the person's are never touched."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a trash that can be read")


def use(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Have this process use a home of its own in a folder, and return the trash there."""
    from send2trash import plat_other

    home, data = folder / "home", folder / "home" / "data"
    home.mkdir(parents=True, exist_ok=True)
    patch.setenv("HOME", str(home))
    patch.setenv("XDG_DATA_HOME", str(data))
    patch.setattr(plat_other, "XDG_DATA_HOME", os.fsencode(data))  # as they were when it was imported
    patch.setattr(plat_other, "HOMETRASH_B", os.fsencode(data / "Trash"))
    return data / "Trash"


@pytest.fixture
def private_trash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the trash that files go to; it is not there before the first."""
    return use(tmp_path, monkeypatch)


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """Yield where a disk of two megabytes is mounted, which everybody may look into."""
    if shutil.which("mount") is None:
        pytest.skip("needs the program mount")
    point = Path(tempfile.mkdtemp(prefix="twinlens-disk-"))
    point.chmod(0o755)
    try:
        command = ["mount", "-t", "tmpfs", "-o", "size=2m", f"twinlens-{point.name}", str(point)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"needs the right to mount: {done.stderr.strip()}")
        yield point
        subprocess.run(["umount", "--lazy", point], check=False, capture_output=True)
    finally:
        point.rmdir()


def fill(disk: Path) -> None:
    """Write until a disk is full."""
    with (disk / "rest").open("wb", buffering=0) as rest, contextlib.suppress(OSError):
        while True:
            rest.write(bytes(4096))
