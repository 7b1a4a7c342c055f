"""Disjoint sets: which things belong together, as pairs of them are joined (union-find)."""

from __future__ import annotations

from collections import defaultdict
from typing import Generic, TypeVar

T = TypeVar("T", int, bytes)


class DisjointSets(Generic[T]):
    """Sets of joined members; the lowest member stands for its set, and a member that was never joined for itself.

    Examples
    --------
    >>> sets = DisjointSets[int]()
    >>> for pair in ((5, 3), (3, 8), (1, 2)):
    ...     sets.join(*pair)
    >>> sets.head(8), sets.head(7), sets.all()
    (3, 7, [[1, 2], [3, 5, 8]])
    """

    def __init__(self) -> None:
        self._above: dict[T, T] = {}

    def head(self, one: T) -> T:
        """Return the lowest member of the set of one."""
        above = self._above
        if one not in above:
            return one
        while above[one] != one:
            above[one] = above[above[one]]
            one = above[one]
        return one

    def join(self, one: T, other: T) -> None:
        """Join the sets of two members."""
        first, second = self.head(one), self.head(other)
        for each in (one, other):
            self._above.setdefault(each, each)
        self._above[max(first, second)] = min(first, second)

    def all(self) -> list[list[T]]:
        """Return the sets, each in order, in the order of their lowest."""
        sets: dict[T, list[T]] = defaultdict(list)
        for one in sorted(self._above):
            sets[self.head(one)].append(one)
        return list(sets.values())
