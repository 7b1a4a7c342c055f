"""Families of declarations: the tuple of our own, and what installed packages add by entry points.

A package adds a hash method by an entry point of the group ``twinlens.method`` (likewise ``kernel``, ``metric``,
``descriptor`` and ``search``), whose name is the key of the declaration and whose value names the class:

    [project.entry-points."twinlens.method"]
    spectral = "my_package.spectral:SpectralHashing"

It is imported when a key is asked for that is none of our own, or when a whole family is listed: a program that uses
our own declarations pays nothing for it, and a worker process finds it as any other process does.
"""

from __future__ import annotations

import functools
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast, overload

from core.declaration.declaration import Declaration
from core.message import NOTHING, Message

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
    reason : Message
    """

    family: str
    key: str
    package: str
    reason: Message


class Family(Sequence[type[D]], Generic[D]):
    """The declarations of one kind that can be chosen: our own, then those of installed packages by their keys.

    Parameters
    ----------
    name : str
        Such as "method"; the group of entry points is ``twinlens.method``.
    base : class
        The interface, which every member inherits from.
    own : tuple of Declaration classes
    reserved : tuple of str
        Keys besides our own that a package must not take.

    Examples
    --------
    >>> from core.kernels import Kernel, Linear
    >>> family = Family("toy", Kernel, (Linear,))
    >>> [member.key for member in family]
    ['linear']
    """

    def __init__(self, name: str, base: type, own: tuple[type[D], ...], reserved: tuple[str, ...] = ()) -> None:
        self.name = name
        self.own = own
        self._base = base
        self._taken = frozenset((*reserved, *(member.key for member in own)))

    def __iter__(self) -> Iterator[type[D]]:
        """Yield our own first; packages are looked at only by who goes on."""
        yield from self.own
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
        """What installed packages offer and what cannot be used, with the reason."""
        return self._installed[1]

    @property
    def _every(self) -> tuple[type[D], ...]:
        return (*self.own, *self._installed[0])

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
            if member is not None:
                found.append(member)
                continue
            package = value if point.dist is None else point.dist.name
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
