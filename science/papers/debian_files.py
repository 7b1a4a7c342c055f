"""Files out of one Debian package, fetched by its name and checked by the distribution's own checksums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.demo.packages.archives import ArchiveError, archive_members
from app.demo.packages.debian import DebianPackages
from app.demo.packages.listing import Package
from app.demo.packages.source import PackageError, PackageSource
from app.machine.places import cache_folder
from core.errors import TwinlensError
from core.message import NOTHING, Message, verbatim
from core.progress import Progress

FOLDER = "papers"
"""In the user's cache: data sets, results, and while fetching the packages."""


@dataclass(frozen=True)
class PackageFiles:
    """What was read out of a package.

    Attributes
    ----------
    package : str
        Its name and version.
    files : dict of str to bytes
        By their path in the package.
    """

    package: str
    files: dict[str, bytes]


def papers_folder() -> Path:
    """Return the folder of everything here, in the user's cache."""
    folder: Path = cache_folder() / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def read_package(
    name: str, wanted: Callable[[str], bool], progress: Progress, source: PackageSource | None = None
) -> PackageFiles:
    """Fetch a package and read some of its files.

    Parameters
    ----------
    name : str
    wanted : callable
        Told a path (``usr/share/...``), says whether that file is read.
    progress : Progress
    source : PackageSource, optional
        Debian's unless said otherwise.

    Raises
    ------
    TwinlensError
        If it cannot be had: no network, no apt, no such package, or nothing in it that is wanted.
    """
    if source is None:
        missing = DebianPackages.missing_program()
        if missing:
            raise TwinlensError(
                Message("The package {name} is Debian's, and there is no {missing} here.", name=name, missing=missing),
                Message("Run this on Debian or a system made from it."),
            )
        source = DebianPackages(papers_folder() / "packages")
    package = Package(source="debian", name=name, version="", megabytes=0, groups=())
    asking = f"Asking {source.title} for {name}"
    try:
        offer = source.offers([package], lambda: progress(0, 0, verbatim(asking))).get(name)
        if offer is None:
            raise PackageError(Message("{title} has no package {name} here.", title=source.title, name=name))
        archive = source.download(
            package,
            offer,
            lambda size: progress(
                size, offer.size, Message("Fetching {name} from {title}", name=name, title=source.title)
            ),
        )
    except PackageError as error:
        raise TwinlensError(error.message, Message("Connect to the network and try again.")) from error
    try:
        files = dict(archive_members(archive, wanted))
    except ArchiveError as error:
        raise TwinlensError(
            Message("The package {name} cannot be read: {error}.", name=name, error=error), Message("Try again.")
        ) from error
    finally:
        archive.unlink(missing_ok=True)
    if not files:
        raise TwinlensError(
            Message("The package {name} {version} does not hold what is looked for.", name=name, version=offer.version),
            NOTHING,
        )
    return PackageFiles(f"{name} {offer.version}", files)
