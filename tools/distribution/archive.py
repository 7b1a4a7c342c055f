"""The portable archive: the bundle to be unpacked anywhere, the same bytes for the same files whoever packs them."""

from __future__ import annotations

import platform
import subprocess
import tarfile
from pathlib import Path

from tools.distribution.source_date import source_date

_XZ = ["xz", "--compress", "--stdout", "--threads=4", "--block-size=24MiB"]
"""The number of threads decides how the archive is cut, so it is a fixed one."""


def write_archive(bundle: Path, target: Path, top: str) -> Path:
    """Pack a folder under another name and return the archive, ``target/TOP-linux-MACHINE.tar.xz``."""
    archive = target / f"{top}-linux-{platform.machine()}.tar.xz"
    with archive.open("wb") as output, subprocess.Popen(_XZ, stdin=subprocess.PIPE, stdout=output) as packing:
        assert packing.stdin is not None
        with tarfile.open(fileobj=packing.stdin, mode="w|", format=tarfile.GNU_FORMAT) as tar:
            for path in [bundle, *sorted(bundle.rglob("*"))]:
                tar.add(path, str(Path(top, path.relative_to(bundle))), recursive=False, filter=_by_nobody)
        packing.stdin.close()
    if packing.returncode:
        raise OSError(f"xz ended with code {packing.returncode}")
    return archive


def _by_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    entry.mtime = source_date()
    return entry
