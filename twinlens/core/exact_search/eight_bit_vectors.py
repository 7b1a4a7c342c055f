"""The exact nearest of one query: vectors of eight bits a number choose who can be among them, the measure decides.

Of every vector x a rounded one is kept, x' = c + s ∘ u with whole numbers u from -127 to 127, and how far it is from
the true one, r = |x - x'|. Then |q - x'| - r <= |q - x| <= |q - x'| + r, and |q - x'| needs one sum of whole numbers
a vector, from a quarter of the memory. Whatever cannot be among the first k by these bounds is left out; the others,
few more than k, are measured exactly, so that the result is the same to the bit as if all had been.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Values, Int64Rows
from twinlens.core.compilation import compilation
from twinlens.core.exact_search import eight_bit_plain
from twinlens.core.exact_search.measure import NearestItems
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import Vectors

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
_ROUNDING = 1e-13  # of squared lengths, and more than float64 loses in such sums
_ALL = np.empty(0, np.bool_)
_COMPARING = Message("Comparing exactly")


@dataclass(frozen=True, eq=False)
class EightBitVectors:
    """Vectors rounded to eight bits a number. Made by :meth:`of`, or of arrays that were kept.

    Attributes
    ----------
    centre, scale : ndarray of float64, (d,)
        c and s.
    codes : ndarray of int8, (n, d)
        u.
    squares : ndarray of float64, (n,)
        |s ∘ u|².
    errors : ndarray of float32, (n,)
        r, rounded up; infinite for a vector that shall always be measured.
    """

    centre: Float64Values
    scale: Float64Values
    codes: npt.NDArray[np.int8]
    squares: Float64Values
    errors: npt.NDArray[np.float32]

    @classmethod
    def of(cls, read: Callable[[slice], Vectors], n: int, d: int, progress: Progress = silent) -> EightBitVectors:
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

    @property
    def bytes(self) -> int:
        """Memory."""
        return self.codes.nbytes + self.squares.nbytes + self.errors.nbytes

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
        n = len(self.codes)
        k = min(k, n if mask is None else int(np.count_nonzero(mask)))
        if not k:
            return NearestItems(np.empty(0), np.empty(0, np.int64))
        d = self.codes.shape[1]
        query_arguments = np.ascontiguousarray(query, np.float64), self.centre, self.scale
        most = min(_MOST, _SUM // (LARGEST * max(1, d)))
        doubt = most, LARGEST * math.sqrt(d), _ROUNDING * d, self._longest_square, slack
        state = np.array([np.inf, 0.0])
        wanted = k, np.empty(k), state, np.empty(min(n, _BLOCK), np.int64), np.empty(min(n, _BLOCK))
        candidates: list[tuple[Int64Rows, Float64Values]] = []
        for start in range(0, n, _BLOCK):
            progress(start, n, _COMPARING)
            rows = slice(start, start + _BLOCK)
            codes = self.codes[rows]
            table = codes, self.squares[rows], self.errors[rows], _ALL if mask is None else mask[rows]
            loops: Any = compilation.loops(LOOPS) if compilation.worth(codes.size) else eight_bit_plain
            count = loops.choose(*query_arguments, *table, *doubt, *wanted)
            candidates.append((wanted[3][:count] + start, wanted[4][:count].copy()))
        near = candidates[0][0]
        if len(candidates) > 1:  # the limit has fallen since
            near = np.concatenate([rows[nearest <= state[0]] for rows, nearest in candidates])
        distances = exactly(near)
        order = distances.argsort(kind="stable")[:k]  # rows ascend
        return NearestItems(distances[order], near[order])

    @cached_property
    def longest(self) -> float:
        """The largest length of a vector with a known error."""
        known = self.errors[np.isfinite(self.errors)]
        centre = float(np.sqrt(np.square(self.centre).sum()))
        return centre + float(np.sqrt(self._longest_square)) + float(known.max(initial=0.0))

    @cached_property
    def _longest_square(self) -> float:
        return float(self.squares.max(initial=0.0))


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
