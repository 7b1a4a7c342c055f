"""The exact nearest of one query: vectors of eight bits a number choose who can be among them, the measure decides.

Of every vector x a rounded one is known, x' = c + f s ∘ u with whole numbers u from -127 to 127 and a factor f of its
own, and how far it is from the true one, r = |x - x'|. Then |q - x'| - r <= |q - x| <= |q - x'| + r, and |q - x'| needs
one sum of whole numbers a vector, from a quarter of the memory. Whatever cannot be among the first k by these bounds is
left out; the others, few more than k, are measured exactly, so that the result is the same to the bit as if all had
been.

Vectors of length 1 that a library keeps by their directions, a byte a number, are read as they are
(:func:`packed_vectors`); others are rounded once, and kept (:class:`RoundedTable`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Values, Int64Rows
from twinlens.core.compilation import compilation
from twinlens.core.exact_search import eight_bit_plain
from twinlens.core.exact_search.measure import NearestItems
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import Vectors, packed_scale

Exactly = Callable[[Int64Rows], Float64Values]
"""Measures rows exactly, (m,) -> (m,)."""

LOOPS = "twinlens.core.exact_search.eight_bit_loops"
LARGEST = 127
"""The greatest of the whole numbers."""

_BLOCK = 1 << 16
_WRITTEN = 1 << 20  # numbers rounded at once
_MOST = 2**15 - 1  # of a query's whole numbers
_SUM = 2**31 - 1
_UP = 1 + 1e-6  # what float32 may round down
_PACKED = np.float32(4 * 2.0**-24)  # more than the factor and the numbers of a packed vector lose as float32
_ROUNDING = 1e-13  # of squared lengths, and more than float64 loses in such sums
_ALL = np.empty(0, np.bool_)
_COMPARING = Message("Comparing exactly")


class EightBitRows(NamedTuple):
    """Some of the vectors.

    Attributes
    ----------
    rows : ndarray of int64, (m,)
        Which, ascending.
    codes : ndarray of int8, (m, d)
        u.
    factors : ndarray of float64, (m,)
        f.
    squares : ndarray of float64, (m,)
        |f s ∘ u|².
    errors : ndarray of float32, (m,)
        r, rounded up; infinite for a vector that shall always be measured.
    """

    rows: Int64Rows
    codes: npt.NDArray[np.int8]
    factors: Float64Values
    squares: Float64Values
    errors: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class EightBitVectors:
    """Vectors of eight bits a number, wherever they are kept.

    Attributes
    ----------
    count : int
        How many.
    centre, scale : ndarray of float64, (d,)
        c and s.
    blocks : callable
        Reads them, by ascending rows; a row that is left out is never found.
    reach : float
        No f |u| is longer.
    longest : float
        No vector with a known error is longer.
    """

    count: int
    centre: Float64Values
    scale: Float64Values
    blocks: Callable[[], Iterable[EightBitRows]]
    reach: float
    longest: float

    def nearest(
        self,
        query: Vectors,
        k: int,
        exactly: Exactly,
        mask: npt.NDArray[np.bool_] | None = None,
        slack: float = 0.0,
        progress: Progress = silent,
    ) -> NearestItems:
        """Find the nearest k.

        Parameters
        ----------
        query : ndarray, (d,)
            Finite.
        k : int
            At least 0.
        exactly : callable
            Gives what decides, of ascending rows: larger where the distance from the query is.
        mask : ndarray of bool, (n,), optional
            False for rows that may not be found.
        slack : float
            By how much, at most, the squared distance of these vectors differs from what ``exactly`` orders by.

        Returns
        -------
        NearestItems
            What ``exactly`` gives, and rows, in this order.
        """
        k = min(k, self.count if mask is None else int(np.count_nonzero(mask)))
        if not k:
            return NearestItems(np.empty(0), np.empty(0, np.int64))
        d = len(self.centre)
        query_arguments = np.ascontiguousarray(query, np.float64), self.centre, self.scale
        most = min(_MOST, _SUM // (LARGEST * max(1, d)))
        doubt = most, self.reach, _ROUNDING * d, self.longest**2, slack
        least, state = np.empty(k), np.array([np.inf, 0.0])
        candidates: list[tuple[Int64Rows, Float64Values]] = []
        for block in self.blocks():
            progress(int(block.rows[-1]), self.count, _COMPARING)
            chosen, nearest = np.empty(len(block.rows), np.int64), np.empty(len(block.rows))
            table = *block[1:], _ALL if mask is None else mask[block.rows]
            loops: Any = compilation.loops(LOOPS) if compilation.worth(block.codes.size) else eight_bit_plain
            found = loops.choose(*query_arguments, *table, *doubt, k, least, state, chosen, nearest)
            candidates.append((block.rows[chosen[:found]], nearest[:found].copy()))
        # The limit has fallen since most of them were chosen.
        near = np.concatenate([np.empty(0, np.int64), *(rows[low <= state[0]] for rows, low in candidates)])
        distances = exactly(near)
        order = distances.argsort(kind="stable")[:k]  # rows ascend
        return NearestItems(distances[order], near[order])


def packed_vectors(
    read: Callable[[], Iterable[tuple[Int64Rows, npt.NDArray[np.int8]]]], n: int, d: int
) -> EightBitVectors:
    """Return vectors of length 1 as :func:`twinlens.core.vectors.pack_vectors` keeps them: c = 0, s = 1, f = 1 / |u|.

    Parameters
    ----------
    read : callable
        Gives ascending rows, (m,), and their packed vectors, (m, d).
    n, d : int
        How many there are, and how long they are.
    """

    def blocks() -> Iterator[EightBitRows]:
        for rows, packed in read():
            factors = packed_scale(packed).astype(np.float64)
            errors = np.where(packed.any(axis=1), _PACKED, np.float32(np.inf))
            yield EightBitRows(rows, packed, factors, np.ones(len(rows)), errors)

    return EightBitVectors(n, np.zeros(d), np.ones(d), blocks, 1 + float(_PACKED), 1 + float(_PACKED))


@dataclass(frozen=True, eq=False)
class RoundedTable:
    """Vectors that were rounded once, with f = 1. Made by :meth:`of`, or of arrays that were kept.

    Attributes
    ----------
    centre, scale : ndarray of float64, (d,)
    codes, squares, errors : ndarray of int8, (n, d), of float64, (n,), and of float32, (n,)
        As :class:`EightBitRows` has them.
    """

    centre: Float64Values
    scale: Float64Values
    codes: npt.NDArray[np.int8]
    squares: Float64Values
    errors: npt.NDArray[np.float32]

    @classmethod
    def of(cls, read: Callable[[slice], Vectors], n: int, d: int, progress: Progress = silent) -> RoundedTable:
        """Round vectors.

        Parameters
        ----------
        read : callable
            Gives rows, (m, d), finite; each is read twice.
        """
        low, high = np.full(d, np.inf), np.full(d, -np.inf)
        for rows in _blocks(n, d):
            progress(rows.start, 2 * n, Message("Preparing exact search"))
            block = read(rows)
            np.minimum(low, block.min(axis=0), out=low)
            np.maximum(high, block.max(axis=0), out=high)
        centre, scale = frame(np.stack([low, high]) if n else np.zeros((1, d)))
        made = cls(centre, scale, np.empty((n, d), np.int8), np.empty(n), np.empty(n, np.float32))
        for rows in _blocks(n, d):
            progress(n + rows.start, 2 * n, Message("Preparing exact search"))
            made.write(rows, read(rows))
        return made

    def write(self, rows: slice | Int64Rows, block: Vectors) -> None:
        """Round some vectors to where they belong, (m, d)."""
        wide = np.ascontiguousarray(block, np.float64)
        codes, squares, errors = np.empty(wide.shape, np.int8), np.empty(len(wide)), np.empty(len(wide))
        with np.errstate(over="ignore"):
            given = (wide, self.centre, 1 / self.scale, self.scale, codes, squares, errors)
            if compilation.worth(wide.size):
                compilation.loops(LOOPS).write(*given)
            else:
                eight_bit_plain.write(*given)
            self.codes[rows], self.squares[rows] = codes, squares
            self.errors[rows] = errors * _UP + np.finfo(np.float32).tiny

    def vectors(self) -> EightBitVectors:
        """Return them for a search."""
        n, d = self.codes.shape
        known = self.errors[np.isfinite(self.errors)]
        lengths = np.square(self.centre).sum(), self.squares.max(initial=0.0)
        longest = float(np.sqrt(lengths).sum() + known.max(initial=0.0))
        return EightBitVectors(n, self.centre, self.scale, self._blocks, LARGEST * math.sqrt(d), longest)

    def _blocks(self) -> Iterator[EightBitRows]:
        for start in range(0, len(self.codes), _BLOCK):
            rows = np.arange(start, min(start + _BLOCK, len(self.codes)))
            some = slice(start, start + len(rows))
            yield EightBitRows(rows, self.codes[some], np.ones(len(rows)), self.squares[some], self.errors[some])


def frame(sample: Vectors) -> tuple[Float64Values, Float64Values]:
    """Return the centre and scale that hold a sample, (m, d); what lies outside is rounded to the edge.

    Returns
    -------
    centre, scale : ndarray of float64, (d,)
    """
    low, high = sample.min(axis=0), sample.max(axis=0)
    scale = (high - low) / (2 * LARGEST)
    return np.asarray((low + high) / 2, np.float64), np.where(scale > 0, scale, 1.0).astype(np.float64)


def _blocks(n: int, d: int) -> Iterator[slice]:
    step = max(1, _WRITTEN // max(1, d))
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))
