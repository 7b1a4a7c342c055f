"""Families of declarations: the table of our own, and what installed packages add by entry points.

Both are named alike, by the key of a declaration and the place of its class. A package adds a hash method by an entry
point of the group ``twinlens.method`` (likewise ``kernel``, ``metric``, ``descriptor`` and ``search``):

    [project.entry-points."twinlens.method"]
    spectral = "my_package.spectral:SpectralHashing"

A class is imported when its key is asked for, or when a whole family is listed: a program pays for what it uses, and a
worker process finds everything as any other process does. Packages are looked at for keys that are none of our own.
"""

from __future__ import annotations

import functools
import logging
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast, overload

from twinlens.core.declaration.declaration import Declaration
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message

_log = logging.getLogger(__name__)

_KEY = re.compile(r"[a-z][a-z0-9-]*\Z")

D = TypeVar("D", bound=Declaration)


@dataclass(frozen=True)
class RefusedPlugIn:
    """A declaration of an installed package that cannot be used.

    Attributes
    ----------
    family, key : str
        As the entry point says.
    package : str
        Name of the package that has it.
    """

    family: str
    key: str
    package: str
    reason: Message


_PACKAGES: dict[str, str] = {}
"""The installed packages that have added a declaration, by the first name of its module."""


def fault_of_package(error: BaseException) -> TwinlensError | None:
    """Return an unexpected error as one of the installed package in whose declaration it was raised; None of no other.

    Whatever the package called itself is its own affair: it counts as its fault.
    """
    trace = error.__traceback__
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        if package := _PACKAGES.get(module.partition(".")[0]):
            return TwinlensError(
                "The package {package} failed ({kind}: {words}).",
                "Report it to the authors of {package}, which is no part of Twinlens.",
                package=package,
                kind=type(error).__name__,
                words=str(error),
            )
        trace = trace.tb_next
    return None


class Family(Sequence[type[D]], Generic[D]):
    """The declarations of one kind that can be chosen: our own, then those of installed packages by their keys.

    Parameters
    ----------
    name : str
        Such as "method"; the group of entry points is ``twinlens.method``.
    base : class
        The interface, which every member inherits from.
    own : mapping of str to str
        Our own in their order: the place of each class ("twinlens.core.kernels.dot_product_kernels:Linear") by its key.
    reserved : tuple of str
        Keys besides our own that a package must not take.

    Examples
    --------
    >>> from twinlens.core.kernels.kernel import Kernel
    >>> family = Family("toy", Kernel, {"linear": "twinlens.core.kernels.dot_product_kernels:Linear"})
    >>> [member.key for member in family]
    ['linear']
    """

    def __init__(self, name: str, base: type, own: Mapping[str, str], reserved: tuple[str, ...] = ()) -> None:
        self.name = name
        self.own = own
        self._base = base
        self._taken = frozenset((*reserved, *own))

    def member(self, key: str) -> type[D] | None:
        """Return the declaration of a key, importing no other of ours; None where there is none."""
        if key in self.own:
            return self._own(key)
        return next((member for member in self._installed[0] if member.key == key), None)

    def __iter__(self) -> Iterator[type[D]]:
        """Yield our own first; packages are looked at only by who goes on."""
        yield from map(self._own, self.own)
        yield from self._installed[0]

    def __len__(self) -> int:
        return len(self._every)

    @overload
    def __getitem__(self, place: int) -> type[D]: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[type[D]]: ...

    def __getitem__(self, place: int | slice) -> type[D] | Sequence[type[D]]:
        return self._every[place]

    @property
    def refused(self) -> tuple[RefusedPlugIn, ...]:
        """Declarations of installed packages that cannot be used, with the reason."""
        return self._installed[1]

    @property
    def _every(self) -> tuple[type[D], ...]:
        return (*map(self._own, self.own), *self._installed[0])

    def _own(self, key: str) -> type[D]:
        return cast(type[D], pkgutil.resolve_name(self.own[key]))

    @functools.cached_property
    def _installed(self) -> tuple[tuple[type[D], ...], tuple[RefusedPlugIn, ...]]:
        found: list[type[D]] = []
        refused: list[RefusedPlugIn] = []
        # A package that is on the path twice counts once.
        by_place = {(point.name, point.value): point for point in entry_points(group=f"twinlens.{self.name}")}
        offered = Counter(key for key, _ in by_place)
        for (key, value), point in sorted(by_place.items()):
            member: type[D] | None = None
            if key in self._taken:
                reason = Message("Twinlens itself has a {family} of this name", family=self.name)
            elif offered[key] > 1:
                reason = Message("several installed packages have a {family} of this name", family=self.name)
            else:
                member, reason = self._loaded(point)
            package = value if point.dist is None else point.dist.name
            if member is not None:
                found.append(member)
                _PACKAGES[member.__module__.partition(".")[0]] = package
                continue
            refused.append(RefusedPlugIn(self.name, key, package, reason))
            _log.warning("%s of the package %s is not used: %s", key, package, reason)
        return tuple(found), tuple(refused)

    def _loaded(self, point: EntryPoint) -> tuple[type[D] | None, Message]:
        """Import a member and check that it is one; else say why not."""
        try:
            member = point.load()
            if isinstance(member, type) and issubclass(member, Declaration):
                member.model_rebuild()  # else only its first use would tell of a field that cannot be
        except Exception as error:  # noqa: BLE001 - whatever a package raises while imported must not stop Twinlens
            _log.warning("%s of %s failed to load", point.name, point.value, exc_info=True)
            return None, Message("it cannot be loaded: {error}", error=f"{type(error).__name__}: {error}")
        if not (isinstance(member, type) and issubclass(member, Declaration) and issubclass(member, self._base)):
            return None, Message("{value} is no {base}", value=point.value, base=self._base.__name__)
        if not _KEY.match(point.name):
            return None, Message("its name is not of small letters, digits and hyphens")
        if member.key != point.name:
            return None, Message("its key is “{key}”, but its entry point has another name", key=member.key)
        return cast(type[D], member), NOTHING
