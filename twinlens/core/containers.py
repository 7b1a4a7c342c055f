"""Containers that the standard library lacks: recent values within a limit, and disjoint sets (union-find)."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class RecentValues(Generic[Key, Value]):
    """Cache of the values used last; safe to use from several threads.

    Parameters
    ----------
    most : int
        How many values it keeps, or how large they are together.
    size : callable
        The size of a value, for a bound in bytes; else each counts as one.

    Examples
    --------
    >>> kept = RecentValues(2)
    >>> for number in (1, 2):
    ...     kept.keep(number, str(number))
    >>> kept.get(1)
    '1'
    >>> kept.keep(3, "3")
    >>> [number in kept for number in (1, 2, 3)]
    [True, False, True]
    """

    def __init__(self, most: int, size: Callable[[Value], int] = lambda _: 1) -> None:
        self._lock = threading.RLock()
        self._most = most
        self._size = size
        self._values: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self.held = 0
        """How large the values are together."""

    @property
    def most(self) -> int:
        """Return the bound."""
        return self._most

    @most.setter
    def most(self, most: int) -> None:
        with self._lock:
            self._most = most
            self._shrink()

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, which is used by that; None if it is not kept."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self.peek(key)

    def peek(self, key: Key) -> Value | None:
        """Return the value of a key without using it; None if it is not kept."""
        with self._lock:
            found = self._values.get(key)
            return None if found is None else found[0]

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value; those unused for longest are dropped where it is too much."""
        with self._lock:
            self.drop(key)
            size = self._size(value)
            self._values[key] = value, size
            self.held += size
            self._shrink()

    def weigh(self, key: Key) -> None:
        """Count the size of a kept value that has changed, without using it."""
        with self._lock:
            if key in self._values:
                value, before = self._values[key]
                size = self._size(value)
                self._values[key] = value, size
                self.held += size - before
                self._shrink()

    def made(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key, made where it is not kept; other threads need not wait meanwhile."""
        found = self.get(key)
        if found is None:
            found = make()
            self.keep(key, found)
        return found

    def drop(self, key: Key) -> None:
        """Drop the value of a key, if it is kept."""
        with self._lock:
            found = self._values.pop(key, None)
            if found is not None:
                self.held -= found[1]

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._values.clear()
            self.held = 0

    def items(self) -> list[tuple[Key, Value]]:
        """Return all keys and values, those unused for longest first."""
        with self._lock:
            return [(key, value) for key, (value, _) in self._values.items()]

    def __contains__(self, key: Key) -> bool:
        return key in self._values

    def __len__(self) -> int:
        return len(self._values)

    def _shrink(self) -> None:
        while self.held > self._most and self._values:
            self.drop(next(iter(self._values)))


Member = TypeVar("Member", int, bytes)


class DisjointSets(Generic[Member]):
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
        self._above: dict[Member, Member] = {}

    def head(self, one: Member) -> Member:
        """Return the lowest member of the set of one."""
        above = self._above
        if one not in above:
            return one
        while above[one] != one:
            above[one] = above[above[one]]
            one = above[one]
        return one

    def join(self, one: Member, other: Member) -> None:
        """Join the sets of two members."""
        first, second = self.head(one), self.head(other)
        for each in (one, other):
            self._above.setdefault(each, each)
        self._above[max(first, second)] = min(first, second)

    def all(self) -> list[list[Member]]:
        """Return the sets, each in order, in the order of their lowest."""
        sets: dict[Member, list[Member]] = defaultdict(list)
        for one in sorted(self._above):
            sets[self.head(one)].append(one)
        return list(sets.values())
