"""The demo photographs: some hundreds of real ones, out of packages that anybody can fetch, in the user's cache.

They come from Debian's packages (306 photographs, 72 MB), and where those cannot be had from PyPI's (34, 70 MB).
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.demo.packages.debian import DebianPackages
from app.demo.packages.fetching import WORK, Fetching
from app.demo.packages.listing import DemoListing, Source, read_listing
from app.demo.packages.manifest import LICENCES, DemoPhotograph
from app.demo.packages.pypi import PypiPackages
from app.demo.packages.source import PackageSource
from app.machine import places
from core.errors import TwinlensError
from core.files.file_lock import FileLock
from core.message import Message
from core.progress import Progress, silent

WAIT_S = 600.0
"""How long one program waits while another fetches the same photographs."""


@dataclass(frozen=True, slots=True)
class DemoPhotographs:
    """The demo photographs, there and whole.

    Attributes
    ----------
    folder : Path
        Holds the photographs, in folders by class, and nothing else.
    photographs : tuple of Photograph
        Each with its path in the folder, package, version, licence and author; all of different content.
    notes : tuple of Message
        Sentences that the user should see: what could not be fetched, which packages are of another version.
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
        """The packages that they are from, with their versions."""
        return tuple(dict.fromkeys(f"{one.package} {one.version}" for one in self.photographs))

    @property
    def licences_file(self) -> Path:
        """Author and licence of every photograph, for people."""
        return self.folder.parent / LICENCES


def fetch_photographs(progress: Progress = silent, home: Path | None = None) -> DemoPhotographs:
    """Fetch the demo photographs, or what is missing or damaged of them.

    Parameters
    ----------
    progress : Progress
        In bytes; the total is 0 while it is not known.
    home : Path, optional
        Folder for them and the lists of them; the demo folder in the user's cache where it is not said.

    Returns
    -------
    Photographs
        At least one; see its notes. When all is there it takes milliseconds and no network.

    Raises
    ------
    TwinlensError
        If there is none and none can be fetched: no network, no pip, no space.
    Cancelled
        If progress says so; the next call goes on where this one was.
    """
    home = places.demo_folder() if home is None else home
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
                Message("The demo photos cannot be kept in {home}: {why}.", home=home, why=error.strerror),
                Message("Free some space, or name another folder in {variable}.", variable=places.CACHE_VARIABLE),
            ) from error
    return DemoPhotographs(fetching.folder, fetching.photographs(), fetching.notes())


def _fetch_alone(
    sources: Mapping[Source, PackageSource], listing: DemoListing, home: Path, progress: Progress
) -> Fetching:
    lock = FileLock(home / "photographs.lock")
    if not lock.acquire("fetching the demo photographs", WAIT_S):
        raise TwinlensError(
            Message("The demo photos are being fetched by {value}.", value=lock.holder() or "another"),
            Message("Try later."),
        )
    try:
        fetching = Fetching(home, listing, progress)  # another may have fetched them meanwhile
        if fetching.is_complete():
            shutil.rmtree(home / WORK, ignore_errors=True)  # of one that was killed at its very end
        else:
            fetching.fetch(sources)
        return fetching
    finally:
        lock.release()
