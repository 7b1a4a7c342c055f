"""Packages from PyPI, fetched by pip with their checksums: the smaller set, for machines without Debian's packages."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from app.demo.packages.command import CommandOutcome, CommandRunner, run
from app.demo.packages.listing import Package
from app.demo.packages.source import PackageError, PackageOffer
from core.message import Message

PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_24_x86_64")
"""The pictures in a wheel are the same for all machines: one wheel is taken everywhere, since its checksum is known."""


class PypiPackages:
    """The packages of the list, in the version and of the checksum that it names.

    Parameters
    ----------
    folder : Path
        For downloads; made when needed.
    run : Run
        How programs are run.
    """

    title = "PyPI"

    def __init__(self, folder: Path, run: CommandRunner = run) -> None:
        self._folder = folder
        self._run = run

    @staticmethod
    def missing_program() -> str:
        """Return the name of the program that this needs and this Python lacks, as in a bundle, or nothing."""
        return "" if find_spec("pip") else "pip"

    def offers(self, packages: Sequence[Package], watch: Callable[[], None]) -> dict[str, PackageOffer]:
        """Return what the list says: PyPI keeps every version, so nothing is asked."""
        watch()
        return {
            package.name: PackageOffer(package.version, "", round(package.megabytes * 1e6), "sha256", package.sha256)
            for package in packages
        }

    def download(self, package: Package, offer: PackageOffer, watch: Callable[[int], None]) -> Path:
        """Fetch a package; see :class:`app.demo.packages.source.PackageSource`."""
        downloads = self._folder / package.name
        downloads.mkdir(parents=True, exist_ok=True)
        requirements = self._folder / f"{package.name}.txt"
        requirements.write_text(f"{package.name}=={offer.version} --hash={offer.algorithm}:{offer.digest}\n", "utf-8")
        before = _bytes_in(self._folder)
        outcome = self._pip(package, requirements, lambda: watch(_bytes_in(self._folder) - before))
        for path in downloads.iterdir():
            if path.is_file() and _digest(path, offer.algorithm) == offer.digest:
                return path
        raise PackageError(
            Message("The package {name} could not be fetched ({reason}).", name=package.name, reason=outcome.reason())
        )

    def _pip(self, package: Package, requirements: Path, watch: Callable[[], None]) -> CommandOutcome:
        kind = ["--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.11", "--abi", "cp311"]
        kind += [argument for platform in PLATFORMS for argument in ("--platform", platform)]
        if package.kind == "source":
            kind = ["--no-binary", package.name]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input"]
        command += ["--retries", "2", "--no-deps", "--dest", str(self._folder / package.name), *kind]
        command += ["--require-hashes", "-r", str(requirements)]
        return self._run(command, self._folder, watch)


def _digest(path: Path, algorithm: str) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, algorithm).hexdigest()


def _bytes_in(folder: Path) -> int:
    """Count what pip has written until now: it keeps its unfinished files in the folder, too."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # pip has just moved it
                total += Path(parent, name).stat().st_size
    return total
