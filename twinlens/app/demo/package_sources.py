"""Sources of packages, each of which lists its offers and downloads them: Debian's by apt, and PyPI's by pip.

apt fetches into a folder of our own, so that any user may run it; pip checks the checksums of the list. PyPI has the
smaller set, for machines without Debian's packages. Progress goes on while a program runs, and the program ends when
the user stops the job.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Protocol

from twinlens.app.demo.listing import Package
from twinlens.core.errors import TwinlensError
from twinlens.core.systems import system


class PackageSource(Protocol):
    """A source of packages."""

    title: str

    def offers(self, packages: Sequence[Package], watch: Callable[[], None]) -> dict[str, PackageOffer]:
        """Return the packages on offer.

        Returns
        -------
        dict of package name to PackageOffer
            Without the packages that the source does not have; empty where it has none at all.

        Raises
        ------
        PackageError
            If the source does not respond.
        """

    def download(self, package: Package, offer: PackageOffer, watch: Callable[[int], None]) -> Path:
        """Download a package, or the rest of one that was begun.

        Parameters
        ----------
        watch : callable
            Called at intervals with the bytes downloaded so far.

        Returns
        -------
        Path
            The archive, of the offer's checksum.

        Raises
        ------
        PackageError
            If it cannot be fetched, or is not of the offer's checksum.
        """


@dataclass(frozen=True, slots=True)
class PackageOffer:
    """A package as the source has it now.

    Attributes
    ----------
    size : int
        Size of the download, in bytes.
    algorithm, digest : str
        The checksum that the source itself vouches for, such as ``sha256`` and its hexadecimal digits.
    """

    version: str
    file: str
    size: int
    algorithm: str
    digest: str


class PackageError(TwinlensError):
    """A package, or a whole source, is not available."""


def run(command: Sequence[str], folder: Path, watch: Callable[[], None]) -> CommandOutcome:
    """Run a program to its end.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    folder : Path
        Where it runs; it also gets its temporary files there.
    watch : callable
        Called ten times a second; when it raises, the program and all that it started are ended.

    Raises
    ------
    OSError
        If it cannot be started.
    """
    environment = os.environ | {"LC_ALL": "C", "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        # In a session of its own: Ctrl-C comes to us alone, and what it starts can be ended with it.
        process = subprocess.Popen(  # noqa: S603 (the commands are written in this package)
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )
        try:
            while True:
                watch()
                try:
                    code = process.wait(POLL_S)
                    break
                except subprocess.TimeoutExpired:
                    continue
        finally:
            _end(process)
        return CommandOutcome(code, _text(output), _text(errors))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program and what it started, if it still runs."""
    if process.poll() is None:
        system.end_with_children(process, GRACE_S)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


class DebianPackages:
    """The packages of the distribution that this machine runs: Debian, or one made from it.

    Parameters
    ----------
    folder : Path
        For lists and downloads; made when needed.
    run : CommandRunner
        Runs programs.
    """

    title = "Debian"

    def __init__(self, folder: Path, run: CommandRunner = run) -> None:
        self._folder = folder
        self._downloads = folder / "downloads"
        self._configuration = folder / "apt.conf"
        self._run = run

    @staticmethod
    def missing_program() -> str:
        """Return the name of the program that this needs and the machine lacks, or nothing."""
        return next((program for program in (APT, APT_CACHE) if shutil.which(program) is None), "")

    def offers(self, packages: Sequence[Package], watch: Callable[[], None]) -> dict[str, PackageOffer]:
        """Return the packages on offer; see :class:`twinlens.app.demo.package_sources.PackageSource`."""
        self._prepare()
        updated = self._apt(APT, ["update"], watch)
        # It fails for unknown packages, and shows the others all the same.
        shown = self._apt(APT_CACHE, ["show", "--no-all-versions", *(package.name for package in packages)], watch)
        offers = _read_offers(shown.output)
        # An update may fail for a source that is not needed; it matters only where there is no offer.
        if not offers and (updated.code != 0 or "Failed to fetch" in updated.errors):
            raise PackageError("Debian's list of packages could not be fetched ({reason}).", reason=updated.reason())
        return offers

    def download(self, package: Package, offer: PackageOffer, watch: Callable[[int], None]) -> Path:
        """Fetch a package; see :class:`twinlens.app.demo.package_sources.PackageSource`."""
        target = self._downloads / offer.file
        if _has_digest(target, offer):
            return target
        arguments = ["download", f"{package.name}={offer.version}"]
        for _ in range(2):  # what an interrupted run left may not be the beginning of this file
            outcome = self._apt(APT, arguments, lambda: watch(_size(target)))
            if _has_digest(target, offer):
                return target
            target.unlink(missing_ok=True)
        why = outcome.reason() if outcome.code else "it is not of the checksum that Debian names"
        raise PackageError("The package {name} could not be fetched ({why}).", name=package.name, why=why)

    def _prepare(self) -> None:
        for name in ("state", "lists/partial", "cache/archives/partial", "downloads"):
            (self._folder / name).mkdir(parents=True, exist_ok=True)
        folder = str(self._folder)
        if any(mark in folder for mark in '"\\\n'):
            raise PackageError("apt cannot work in a folder of the name {folder}.", folder=repr(folder))
        text = CONFIGURATION.format(folder=folder, status=os.devnull)
        self._configuration.write_bytes(os.fsencode(text))

    def _apt(self, program: str, arguments: Sequence[str], watch: Callable[[], None]) -> CommandOutcome:
        return self._run([program, "-q", "-c", str(self._configuration), *arguments], self._downloads, watch)


def _read_offers(text: str) -> dict[str, PackageOffer]:
    """Read the paragraphs of ``Field: value`` that apt-cache shows, one of each package."""
    offers = {}
    for paragraph in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in paragraph.splitlines() if ": " in line and line[0] != " ")
        try:
            name, version, size = fields["Package"], fields["Version"], int(fields["Size"])
            file = f"{name}_{version.replace(':', '%3a')}_{fields['Architecture']}.deb"
            offers[name] = PackageOffer(version, file, size, "sha256", fields["SHA256"].lower())
        except (KeyError, ValueError):  # the text behind the last paragraph
            continue
    return offers


def _has_digest(path: Path, offer: PackageOffer) -> bool:
    if _size(path) != offer.size:
        return False
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, offer.algorithm).hexdigest() == offer.digest


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


class PypiPackages:
    """The packages of the list, in the version and of the checksum that it names.

    Parameters
    ----------
    folder : Path
        For downloads; made when needed.
    run : CommandRunner
        Runs programs.
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
        """Return the packages of the list, without a request: PyPI keeps every version."""
        watch()
        return {
            package.name: PackageOffer(package.version, "", round(package.megabytes * 1e6), "sha256", package.sha256)
            for package in packages
        }

    def download(self, package: Package, offer: PackageOffer, watch: Callable[[int], None]) -> Path:
        """Fetch a package; see :class:`twinlens.app.demo.package_sources.PackageSource`."""
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
            "The package {name} could not be fetched ({reason}).", name=package.name, reason=outcome.reason()
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


def _bytes_in(folder: Path) -> int:
    """Count the bytes that pip has written so far; it keeps unfinished files in the folder, too."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # pip has just moved it
                total += Path(parent, name).stat().st_size
    return total


def _digest(path: Path, algorithm: str) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, algorithm).hexdigest()


APT, APT_CACHE = "apt-get", "apt-cache"
CONFIGURATION = """\
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear Acquire::IndexTargets::deb::Contents-deb;
#clear Acquire::IndexTargets::deb::Contents-udeb;
#clear Acquire::IndexTargets::deb::DEP-11;
#clear Acquire::IndexTargets::deb::DEP-11-icons;
#clear Acquire::IndexTargets::deb::DEP-11-icons-small;
#clear Acquire::IndexTargets::deb::DEP-11-icons-large;
#clear Acquire::IndexTargets::deb::DEP-11-icons-hidpi;
#clear Acquire::IndexTargets::deb::DEP-11-icons-large-hidpi;
#clear Acquire::IndexTargets::deb::CNF;
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
APT::Sandbox::User "root";
Debug::NoLocking "true";
Dir::State "{folder}/state";
Dir::State::Lists "{folder}/lists";
Dir::State::status "{status}";
Dir::Cache "{folder}/cache";
Dir::Cache::pkgcache "packages.bin";
Dir::Cache::srcpkgcache "sources.bin";
"""
"""The configuration of apt: a folder of our own, lists of packages only, and no hooks after an update."""

PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_24_x86_64")
"""Platforms of the wheel whose checksum is known; its pictures are the same on all machines."""

POLL_S = 0.1
GRACE_S = 2.0
ERROR_MARKS = ("E:", "ERROR:", "W: Failed", "Err:")
"""Beginnings of error lines of apt and pip, the plainest first."""


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    """The exit code of a program, and what it printed."""

    code: int
    output: str
    errors: str

    def reason(self) -> str:
        """Return the line that best explains the failure: the first error, or else the last line."""
        lines = [line.strip() for line in (self.errors + "\n" + self.output).splitlines() if line.strip()]
        marked = [line for mark in ERROR_MARKS for line in lines if line.startswith(mark)]
        line = (marked or lines[-1:] or [f"it ended with code {self.code}"])[0]
        return re.sub(r"^(E|W|ERROR|Err): ?", "", line).rstrip(".")


class CommandRunner(Protocol):
    """A function that runs programs; tests replace it."""

    def __call__(self, command: Sequence[str], folder: Path, watch: Callable[[], None]) -> CommandOutcome:
        """Run a program in a folder, calling ``watch`` now and then; see :func:`run`."""
