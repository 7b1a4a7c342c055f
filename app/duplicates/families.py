"""Families of pictures while they are compared: which belong together, and which of them are one picture."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from features.copies.relation import RelationKind

Worth = tuple[bool, int, int, int]
"""By which one picture comes before another."""

_BEST = 4


class Families:
    """Pictures by their places, joined by what was confirmed."""

    def __init__(self) -> None:
        self._family: dict[int, int] = {}
        self._picture: dict[int, int] = {}
        self._copies: Counter[int] = Counter()
        self._confirmed: set[tuple[int, int]] = set()

    def put(self, first: int, second: int, kind: RelationKind) -> None:
        """Join two pictures, if they are one or one was made from the other."""
        if kind not in (RelationKind.SAME, RelationKind.EDITED):
            return
        self._confirmed.add((first, second))
        _join(self._family, first, second)
        if kind is RelationKind.SAME and not self.same(first, second):
            together = self.copies(first) + self.copies(second)
            _join(self._picture, first, second)
            self._copies[_head(self._picture, first)] = together

    def together(self, first: int, second: int) -> bool:
        """Return whether two pictures belong to one family."""
        return _head(self._family, first) == _head(self._family, second)

    def same(self, first: int, second: int) -> bool:
        """Return whether two are one picture, as far as is known."""
        return _head(self._picture, first) == _head(self._picture, second)

    def copies(self, place: int) -> int:
        """Count the copies of a picture, itself with them."""
        return max(1, self._copies[_head(self._picture, place)])

    def all(self, fresh: frozenset[int]) -> list[list[int]]:
        """Return the families of more than two with a new picture, each in the order of places."""
        return [some for some in _groups(self._family) if len(some) > 2 and not fresh.isdisjoint(some)]

    def confirmed(self, first: int, second: int) -> bool:
        """Return whether two pictures, the lower place first, were confirmed with each other."""
        return (first, second) in self._confirmed

    def unconfirmed_copies(
        self, small: int, worth: Callable[[Families, int], Worth], fresh: frozenset[int]
    ) -> list[tuple[int, int]]:
        """Return the pairs of copies, some of them new, that were not confirmed.

        Of a few copies these are all, of more those with the best ones.
        """
        found = []
        for some in _groups(self._picture):
            if fresh.isdisjoint(some):
                continue
            best = sorted(some, key=lambda place: worth(self, place), reverse=True)
            with_all = some if len(some) <= small else best[:_BEST]
            pairs = {(min(one, other), max(one, other)) for one in with_all for other in some if one != other}
            found += sorted(pairs - self._confirmed)
        return found


def _head(of: dict[int, int], place: int) -> int:
    of.setdefault(place, place)
    while of[place] != place:
        of[place] = of[of[place]]
        place = of[place]
    return place


def _join(of: dict[int, int], first: int, second: int) -> None:
    one, other = _head(of, first), _head(of, second)
    of[max(one, other)] = min(one, other)


def _groups(of: dict[int, int]) -> list[list[int]]:
    groups: dict[int, list[int]] = defaultdict(list)
    for place in sorted(of):
        groups[_head(of, place)].append(place)
    return list(groups.values())
