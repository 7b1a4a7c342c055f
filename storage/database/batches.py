"""Ids in numpy and in statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

import numpy as np

from core.arrays import Int64Ids

IN_ONE = 500  # values in one statement; every SQLite takes 999

_V = TypeVar("_V")


def plain(ids: Sequence[int] | Int64Ids) -> list[int]:
    """Return ids as Python's integers, as the driver wants them."""
    return ids.tolist() if isinstance(ids, np.ndarray) else list(ids)


def pieces(values: Iterable[_V], length: int = IN_ONE) -> Iterator[list[_V]]:
    """Cut values into lists of at most ``length``.

    Examples
    --------
    >>> list(pieces("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(values)
    while some := list(islice(rest, length)):
        yield some


def runs(ids: Sequence[int] | Int64Ids) -> list[tuple[int, int]]:
    """Return the runs of consecutive numbers among ids, as (first, last): a folder's photographs are few runs.

    Examples
    --------
    >>> runs([7, 1, 2, 3, 8])
    [(1, 3), (7, 8)]
    """
    ordered = np.sort(np.asarray(ids, np.int64))
    ends = np.flatnonzero(np.diff(ordered) > 1)
    firsts, lasts = ordered[np.concatenate([[0], ends + 1])], ordered[np.concatenate([ends, [-1]])]
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))


def numbers(listed: str | None) -> Int64Ids:
    """Read the text that ``group_concat`` makes of ids; None, for no rows, is empty.

    Examples
    --------
    >>> numbers("3,1,2")
    array([1, 2, 3])
    """
    ids = np.fromstring(listed or "", np.int64, sep=",")
    ids.sort()
    return ids
