"""Linux packages of a bundle: the Debian package and the portable archive.

The Debian package has the bundle under /opt/twinlens, with links and files where Debian looks for them. The same files
give the same bytes, whoever packs them.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sysconfig
import tarfile
import tempfile
from datetime import UTC, datetime
from email.utils import format_datetime
from importlib.metadata import metadata
from pathlib import Path

from tools.distribution.build_environment import VARIABLE, settle, source_date
from tools.distribution.shared_libraries import least_glibc, system_libraries
from twinlens.app.machine import desktop_entry

PLACE = Path("opt/twinlens")
PROGRAMS = ("twinlens", "twinlens-gui")
_CONTROL = """\
Package: twinlens
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: {depends}
Section: graphics
Priority: optional
{homepage}Description: finds look-alikes in your own photos
 Twinlens finds photos that look alike: the same place, the same colours,
 copies that were cropped, turned or made smaller. It reads your folders in
 place, never changes a photo, and nothing leaves the machine.
 .
 It is also a workbench for people who study retrieval methods.
"""

_CHANGELOG = """\
twinlens ({version}) stable; urgency=medium

  * Version {version}: see NEWS.md.gz.

 -- {maintainer}  {date}
"""

_COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Twinlens
Comment: The package holds Python and the libraries that Twinlens is made of,
 under licences of their own: see /{place}/notices.

Files: *
Copyright: 2026 The Twinlens developers
License: MIT

License: MIT
{licence}
"""

_OVERRIDES = """\
# A program with all that it is made of, as /opt is for.
twinlens: dir-or-file-in-opt
twinlens: embedded-library
# No address has been named yet: `[project.urls]` and `authors` of pyproject.toml.
twinlens: malformed-contact
twinlens: bogus-mail-host-in-debian-changelog
# Extension modules that call Python alone, and libraries that hold data or stand in for others.
twinlens: library-not-linked-against-libc
twinlens: shared-library-lacks-prerequisites
# PyInstaller's bootloader, as it comes.
twinlens: hardening-no-pie
# Figures are drawn the same with and without the system's fonts.
twinlens: duplicate-font-file
# What has been stripped as far as patchelf lets it.
twinlens: unstripped-binary-or-object
"""


def write_package(bundle: Path, target: Path, version: str, root: Path) -> Path:
    """Write the package of a bundle and return it, ``target/twinlens_VERSION_ARCHITECTURE.deb``.

    Parameters
    ----------
    root : Path
        The sources, for the licence.
    """
    version = debian_version(version)
    architecture = _told("dpkg", "--print-architecture").strip()
    package = target / f"twinlens_{version}_{architecture}.deb"
    with tempfile.TemporaryDirectory(dir=target) as name:
        tree = Path(name)
        place = tree / PLACE
        shutil.copytree(bundle, place, symlinks=True, copy_function=os.link)
        _write_files(tree, version, root)
        settle(tree, frozenset({place / "twinlens"}))
        files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
        control = _CONTROL.format(
            version=version,
            architecture=architecture,
            maintainer=_maintainer(),
            homepage=f"Homepage: {address}\n" if (address := desktop_entry.addresses().get("Homepage")) else "",
            kilobytes=sum(-(-path.stat().st_size // 1024) for path in files),
            depends=", ".join(depends(place / "_internal")),
        )
        sums = "".join(f"{_md5(path)}  {path.relative_to(tree)}\n" for path in files)
        (tree / "DEBIAN").mkdir()
        (tree / "DEBIAN" / "control").write_text(control, "utf-8")
        (tree / "DEBIAN" / "md5sums").write_text(sums, "utf-8")
        settle(tree, frozenset({place / "twinlens"}))
        build = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(tree), str(package)]
        subprocess.run(build, check=True, env={**os.environ, VARIABLE: str(source_date())}, stdout=subprocess.DEVNULL)
    return package


def _maintainer() -> str:
    """Return who makes Twinlens, with an address where the project names one."""
    told = metadata("twinlens")
    return told["Author-email"] if "Author-email" in told else f"{told['Author']} <>"


def debian_version(version: str) -> str:
    """Return a version as Debian orders it.

    Examples
    --------
    >>> debian_version("1.1.0.dev0")
    '1.1.0~dev0'
    """
    return re.sub(r"\.?(a|b|rc|dev)(?=\d)", r"~\1", version)


def depends(internal: Path) -> list[str]:
    """Return the packages of the required system libraries, and the version of the C library."""
    packages = {_package_of(library) for library in system_libraries(internal)} - {"libc6"}
    return [f"libc6 (>= {least_glibc(internal)})", *sorted(packages)]


def _package_of(library: str) -> str:
    """Return the package that owns a library, by this system's records."""
    places = [f"{folder}/{sysconfig.get_config_var('MULTIARCH')}/{library}" for folder in ("/lib", "/usr/lib")]
    found = subprocess.run(["dpkg", "-S", *places], capture_output=True, text=True, check=False).stdout
    named = re.match(r"([\w.+-]+):", found)
    if named is None:
        raise LookupError(f"No installed package has {library}, which the bundle asks for.")
    return named[1]


def _write_files(tree: Path, version: str, root: Path) -> None:
    share = tree / "usr" / "share"
    share.parent.mkdir()
    (tree / PLACE / "share").rename(share)
    desktop_entry.write(share, [f"/usr/bin/{PROGRAMS[1]}"])
    page = share / "man" / "man1" / "twinlens.1"
    _write(page.with_suffix(".1.gz"), _packed(page.read_bytes()))
    page.unlink()
    (page.parent / "twinlens-gui.1.gz").symlink_to("twinlens.1.gz")
    (tree / "usr" / "bin").mkdir()
    for program in PROGRAMS:
        (tree / "usr" / "bin" / program).symlink_to(f"/{PLACE}/{program}")
    date = format_datetime(datetime.fromtimestamp(source_date(), UTC))
    changes = _CHANGELOG.format(version=version, maintainer=_maintainer(), date=date)
    licence = "\n".join(f" {line}" if line else " ." for line in (root / "LICENSE").read_text("utf-8").splitlines())
    documents = share / "doc" / "twinlens"
    _write(documents / "changelog.gz", _packed(changes.encode()))
    _write(documents / "NEWS.md.gz", _packed((root / "CHANGELOG.md").read_bytes()))
    _write(documents / "copyright", _COPYRIGHT.format(place=PLACE, licence=licence).encode())
    _write(share / "lintian" / "overrides" / "twinlens", _OVERRIDES.encode())


def _packed(content: bytes) -> bytes:
    return gzip.compress(content, compresslevel=9, mtime=0)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _md5(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _told(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


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
