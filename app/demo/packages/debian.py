"""Debian's packages, fetched by apt into a folder of our own, so that any user may.

apt checks the lists by the signature of the distribution and the packages by the lists. The machine's list of sources
and its keys are used; its state is neither read nor changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from app.demo.packages.command import CommandOutcome, CommandRunner, run
from app.demo.packages.listing import Package
from app.demo.packages.source import PackageError, PackageOffer
from core.message import Message

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
"""A folder of our own, no lists but those of packages, and none of what the machine runs after an update."""


class DebianPackages:
    """The packages of the distribution that this machine runs: Debian, or one made from it.

    Parameters
    ----------
    folder : Path
        For lists and downloads; made when needed.
    run : Run
        How programs are run.
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
        """Ask what there is; see :class:`app.demo.packages.source.PackageSource`."""
        self._prepare()
        updated = self._apt(APT, ["update"], watch)
        # Fails for what it does not know, and shows the rest all the same.
        shown = self._apt(APT_CACHE, ["show", "--no-all-versions", *(package.name for package in packages)], watch)
        offers = _read_offers(shown.output)
        # An update may fail for a source that is not needed; it matters where nothing came of it.
        if not offers and (updated.code != 0 or "Failed to fetch" in updated.errors):
            raise PackageError(
                Message("Debian's list of packages could not be fetched ({reason}).", reason=updated.reason())
            )
        return offers

    def download(self, package: Package, offer: PackageOffer, watch: Callable[[int], None]) -> Path:
        """Fetch a package; see :class:`app.demo.packages.source.PackageSource`."""
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
        raise PackageError(Message("The package {name} could not be fetched ({why}).", name=package.name, why=why))

    def _prepare(self) -> None:
        for name in ("state", "lists/partial", "cache/archives/partial", "downloads"):
            (self._folder / name).mkdir(parents=True, exist_ok=True)
        folder = str(self._folder)
        if any(mark in folder for mark in '"\\\n'):
            raise PackageError(Message("apt cannot work in a folder of the name {folder}.", folder=repr(folder)))
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
