"""Sources of packages: each lists what it offers and downloads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from app.demo.packages.listing import Package
from core.errors import TwinlensError


class PackageError(TwinlensError):
    """A package, or all of a source, cannot be had."""


@dataclass(frozen=True, slots=True)
class PackageOffer:
    """A package as the source has it now.

    Attributes
    ----------
    size : int
        What downloading it costs, in bytes.
    algorithm, digest : str
        The checksum that the source itself vouches for, such as ``sha256`` and its hexadecimal digits.
    """

    version: str
    file: str
    size: int
    algorithm: str
    digest: str


class PackageSource(Protocol):
    """A source of packages."""

    title: str

    def offers(self, packages: Sequence[Package], watch: Callable[[], None]) -> dict[str, PackageOffer]:
        """Ask what there is.

        Returns
        -------
        dict of package name to Offer
            Without the packages that the source does not have; empty where it has none at all.

        Raises
        ------
        PackageError
            If it cannot be asked.
        """

    def download(self, package: Package, offer: PackageOffer, watch: Callable[[int], None]) -> Path:
        """Fetch a package, or what is missing of one that was begun.

        Parameters
        ----------
        watch : callable
            Told now and then how many bytes have come.

        Returns
        -------
        Path
            The archive, of the offer's checksum.

        Raises
        ------
        PackageError
            If it cannot be fetched, or is not of the offer's checksum.
        """
