"""Linux packages of a bundle: the Debian package, which ``debian/`` declares, and the portable archive.

The same files give the same bytes, whoever packs them.
"""

from __future__ import annotations

import os
import platform
import subprocess
import tarfile
from pathlib import Path

from tools.distribution.build_environment import VARIABLE, source_date


def write_package(root: Path, target: Path) -> Path:
    """Write the package of the bundle ``dist/twinlens`` and return it, ``target/twinlens_VERSION_ARCHITECTURE.deb``.

    Parameters
    ----------
    root : Path
        The sources, with the bundle.
    """
    places = {VARIABLE: str(source_date()), "PACKAGE_FOLDER": str(target)}
    for command in (["dh_clean"], ["debian/rules", "binary"], ["dh_clean"]):
        subprocess.run(command, cwd=root, check=True, env={**os.environ, **places}, stdout=subprocess.DEVNULL)
    (package,) = target.glob("twinlens_*.deb")
    return package


_XZ = ["xz", "--compress", "--stdout", "--threads=4", "--block-size=24MiB"]
"""The number of threads decides how the archive is cut, so it is a fixed one."""


def write_archive(bundle: Path, target: Path, top: str) -> Path:
    """Pack a folder under a given name and return the archive, ``target/TOP-linux-MACHINE.tar.xz``."""
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
