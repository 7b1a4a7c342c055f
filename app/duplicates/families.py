"""Families of pictures while they are compared: which belong together, and which of them are one picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from core.arithmetic.disjoint_sets import DisjointSets
from features.copies.relation import RelationKind

Worth = tuple[bool, bool, int, int, int]
"""By which one picture comes before another."""

_BEST = 4


class PictureFamilies:
    """Pictures by their places, joined by what was confirmed."""

    def __init__(self) -> None:
        self._family = DisjointSets[int]()
        self._picture = DisjointSets[int]()
        self._copies: Counter[int] = Counter()
        self._confirmed: set[tuple[int, int]] = set()

    def put(self, first: int, second: int, kind: RelationKind) -> None:
        """Join two pictures, if they are one or one was made from the other."""
        if kind not in (RelationKind.SAME, RelationKind.EDITED, RelationKind.DAMAGED):
            return
        self._confirmed.add((first, second))
        self._family.join(first, second)
        if kind is RelationKind.SAME and not self.same(first, second):
            together = self.copies(first) + self.copies(second)
            self._picture.join(first, second)
            self._copies[self._picture.head(first)] = together

    def together(self, first: int, second: int) -> bool:
        """Return whether two pictures belong to one family."""
        return self._family.head(first) == self._family.head(second)

    def of(self, first: int, second: int) -> set[int]:
        """Return the families of two pictures, each by its lowest picture."""
        return {self._family.head(first), self._family.head(second)}

    def same(self, first: int, second: int) -> bool:
        """Return whether two are one picture, as far as is known."""
        return self._picture.head(first) == self._picture.head(second)

    def copies(self, place: int) -> int:
        """Count the copies of a picture, itself with them."""
        return max(1, self._copies[self._picture.head(place)])

    def all(self, fresh: frozenset[int]) -> list[list[int]]:
        """Return the families of more than two with a new picture, each in the order of places."""
        return [some for some in self._family.all() if len(some) > 2 and not fresh.isdisjoint(some)]

    def confirmed(self, first: int, second: int) -> bool:
        """Return whether two pictures, the lower place first, were confirmed with each other."""
        return (first, second) in self._confirmed

    def unconfirmed_copies(
        self, small: int, worth: Callable[[PictureFamilies, int], Worth], fresh: frozenset[int]
    ) -> list[tuple[int, int]]:
        """Return the pairs of copies, some of them new, that were not confirmed.

        Of a few copies these are all, of more those with the best ones.
        """
        found = []
        for some in self._picture.all():
            if fresh.isdisjoint(some):
                continue
            best = sorted(some, key=lambda place: worth(self, place), reverse=True)
            with_all = some if len(some) <= small else best[:_BEST]
            pairs = {(min(one, other), max(one, other)) for one in with_all for other in some if one != other}
            found += sorted(pairs - self._confirmed)
        return found
