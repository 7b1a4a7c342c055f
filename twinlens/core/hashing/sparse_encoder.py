"""Random hyperplanes for sparse vectors of millions of dimensions, behind the implicit metric or behind none.

Kulis, Jain and Grauman: bit = sgn(r'G x) with G = I + Φ S Φ' and r drawn from N(0, I), entry by entry when a vector
needs it:

    r'G x = r'x + Σ_j γ_j φ_j'x,        γ_j = Σ_i S_ij r'φ_i

Nothing of d x bits numbers is ever held: a model is the seed, and γ, (c, bits), with the items that were constrained.

Entry (bit, dimension) of the directions is a function of the seed, the bit and the dimension alone:

1. SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the counter 4096 dimension + bit // 4, times the golden ratio's odd
   64-bit number, from a start that the seed gives, finished by Stafford's variant 13 of the mixer of MurmurHash3. It is
   a bijection of the counter, in numpy ten operations on uint64 for four entries. (Philox4x32-10 takes six times as
   many.)
2. Of its 64 bits each 16 are one entry: the place in a table of 65,536 equally likely values, the inverse of the normal
   distribution at (i + 1/2) / 65,536, scaled to variance 1. Its distribution function is within 2^-15 of the normal
   one; the largest entry is 4.3, which of 10^5 normal numbers one or two exceed.

The table's values are multiples of 2^-14 and a row's values are rounded to as many digits as a float64 can add exactly
beside them (24, a float32's own, up to 4,096 values a row). So a projection is the same number in whatever order it is
added up, and a row has one code, alone or in any batch.

While a model is used, the non-zeros of each Σ_j γ_j φ_j are kept (Jain, Kulis and Grauman, TR-07-48, section 3.4), so a
code takes time by the non-zeros of x, however many items the metric was learned from. They have 24 digits, counted from
the largest entry of a direction, and are added exactly, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from statistics import NormalDist
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.fitted import Packed
from twinlens.core.hashing.hash_method import Encoder
from twinlens.core.hashing.packed_codes import bytes_of, pack_bits
from twinlens.core.message import Message
from twinlens.core.metrics.sparse_metric import Rows, SparseMetric, as_sparse, block_of, sparse_blocks
from twinlens.core.progress import Progress, silent


@dataclass(frozen=True, eq=False)
class SparseEncoder(Encoder):
    """Takes sparse rows, or dense ones, which get the same codes. Made by :meth:`of`; there is nothing to fit.

    It does not centre: bits tell the angle between G x and G z as seen from the origin. Of a seed it has other
    hyperplanes than ``lsh``, whose are drawn in another way.

    Attributes
    ----------
    length : int
        Bits of a code.
    metric : SparseMetric
        By which candidates are ranked, too.
    gamma : ndarray of float32, (c, bits)
        γ.
    """

    length: int
    seed: int
    metric: SparseMetric
    gamma: npt.NDArray[np.float32]

    @classmethod
    def of(cls, metric: SparseMetric | int, bits: int, seed: int = 0) -> Self:
        """Make the encoder.

        Parameters
        ----------
        metric : SparseMetric, or int
            A number of dimensions is the plain metric of so many.
        bits, seed : int
            As of the method ``lsh``.
        """
        metric = SparseMetric.plain(metric) if isinstance(metric, int) else metric
        gamma = metric.s.T @ LazyDirections(bits, seed).project(metric.items)
        return cls(bits, seed, metric, gamma.astype(np.float32))

    @property
    def bits(self) -> int:
        """Length of a code."""
        return self.length

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return self.metric.dimensions

    @cached_property
    def _kept(self) -> KeptDirections:
        return KeptDirections(self.metric.items, self.gamma.astype(np.float64))

    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Project checked dense rows, (m, dimensions) -> (m, bits)."""
        return self._project_rows(as_sparse(block))

    def _project_rows(self, rows: Rows) -> npt.NDArray[np.float64]:
        projected = LazyDirections(self.length, self.seed).project(rows)
        if len(self.gamma):
            projected += self._kept.project(rows)
        return projected

    def project(self, x: Any) -> npt.NDArray[np.float64]:
        """Return the real values whose signs are the bits.

        Parameters
        ----------
        x : scipy.sparse array of any layout, or array_like, (n, d)

        Returns
        -------
        ndarray of float64, (n, bits)
            Of an item always the same, alone or in a batch.

        Raises
        ------
        TwinlensError
            If ``x`` has another number of dimensions, is damaged, or holds a value that is not finite (names the row).
        """
        rows = as_sparse(x, self.dimensions)
        projected = np.empty((rows.shape[0], self.bits))
        for some in sparse_blocks(rows, self.bits):
            projected[some] = self._project_rows(block_of(rows, some))
        return projected

    def encode(self, x: Any, progress: Progress = silent) -> npt.NDArray[np.uint8]:
        """Turn vectors into codes.

        Parameters
        ----------
        x : scipy.sparse array of any layout, or array_like, (n, d)

        Returns
        -------
        ndarray of uint8, (n, ceil(bits / 8))

        Raises
        ------
        TwinlensError
            As :meth:`project`.
        """
        rows = as_sparse(x, self.dimensions)
        codes = np.empty((rows.shape[0], bytes_of(self.bits)), np.uint8)
        for some in sparse_blocks(rows, self.bits):
            progress(some.start, rows.shape[0], Message("Encoding"))
            codes[some] = pack_bits(self._project_rows(block_of(rows, some)) >= 0)
        return codes

    @classmethod
    def unpack(cls, packed: Packed) -> Self:
        """Restore the encoder.

        Raises
        ------
        TwinlensError
            If the parts are of another version of the program.
        """
        return replace(super().unpack(packed), metric=SparseMetric.unpack(packed.part("metric")))


_TABLE = 1 << 16
_FRACTION = 14  # binary digits of an entry behind the point
_ENTRY_DIGITS = _FRACTION + 3  # 4.3 < 2^3
FLOAT32_DIGITS, _FLOAT64_DIGITS = 24, 53
_A_HASH = 4  # entries that one 64-bit number gives
_GOLDEN = 0x9E3779B97F4A7C15
_GROUPS = 1 << 12  # of four bits, that the counters of a dimension have room for; more begin elsewhere
_STRIDE = np.uint64(_GOLDEN * _GROUPS % 2**64)  # from one dimension's counters to the next one's
_SEED_BITS = 32
_MIX = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
    (np.uint64(31), np.uint64(1)),
)
_ENTRIES = 1 << 17  # made at once: 1 MB of float64 stays in the cache
_KEPT_ENTRIES = 1 << 20  # kept for one block of rows, of the dimensions that most of its values are in: 8 MB
_OFTEN = 4  # rows of a block that a dimension must be in for its entries to be kept
_LEAST_VALUES = 1 << 10  # below it there is nothing to gain


@dataclass(frozen=True)
class LazyDirections:
    """Directions r_1 ... r_bits with entries from N(0, 1), in as many dimensions as anybody asks for, up to 2^51.

    Parameters
    ----------
    bits : int
        How many; more begin with the same.

    Examples
    --------
    >>> LazyDirections(bits=3, seed=1).entries(np.array([7, 1_999_999])).shape
    (2, 3)
    """

    bits: int
    seed: int

    def entries(self, dimensions: npt.NDArray[Any]) -> Float64Matrix:
        """Return the entries of all directions in some dimensions.

        Parameters
        ----------
        dimensions : ndarray of int, (u,)

        Returns
        -------
        ndarray of float64, (u, bits)
        """
        return self._fill(dimensions, _Workplace.of(len(dimensions), self.bits))

    def _fill(self, dimensions: npt.NDArray[Any], work: _Workplace) -> Float64Matrix:
        counters = np.multiply(dimensions.astype(np.uint64)[:, None], _STRIDE, out=work.counters)
        counters += self._bases
        mix(counters, work.beside)
        work.places[:] = counters.astype("<u8", copy=False).view("<u2")[:, : self.bits]
        # "wrap", since no place is outside: with "raise" numpy would fill a copy first.
        return normal_table().take(work.places, out=work.entries, mode="wrap")

    @cached_property
    def _bases(self) -> npt.NDArray[np.uint64]:
        """Offsets of the groups of bits to the counter, times the golden number, from the start of the seed.

        The counters of a dimension follow on those of the one before: groups that are too many for them start anew.
        """
        groups = np.arange(-(-self.bits // _A_HASH), dtype=np.uint64)
        turns = np.arange(-(-len(groups) // _GROUPS), dtype=np.uint64)
        starts = np.uint64(self.seed + 1) + (turns << np.uint64(_SEED_BITS))
        mix(starts, np.empty_like(starts))
        return np.asarray(groups % np.uint64(_GROUPS) * np.uint64(_GOLDEN) + starts[groups // np.uint64(_GROUPS)])

    def project(self, x: Rows) -> Float64Matrix:
        """Return r'x of each row and direction.

        Parameters
        ----------
        x : csr_array of float64, (n, d)
            In the form of :func:`twinlens.core.metrics.sparse_metric.as_sparse`.

        Returns
        -------
        ndarray of float64, (n, bits)
            Of a row always the same. What is held beside it does not depend on d, nor on n.
        """
        projected = np.zeros((x.shape[0], self.bits))
        values, indices, pointers = on_grid(x), x.indices, x.indptr
        common = self._common(indices)
        if len(common):
            place = np.minimum(np.searchsorted(common, indices), len(common) - 1)
            known = common[place] == indices
            until = np.concatenate([[0], np.cumsum(known)])[pointers]
            add_products(projected, values[known], place[known], until, self.entries(common))
            values, indices, pointers = values[~known], indices[~known], pointers - until
        work = _Workplace.of(min(at_once(self.bits), len(values)), self.bits)

        def entries(some: slice) -> Float64Matrix:
            return self._fill(indices[some], work.first(some.stop - some.start))

        add_in_parts(projected, values, pointers, entries)
        return projected

    def _common(self, indices: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the dimensions that many rows have, sorted: words are few that fill most of a text."""
        if len(indices) < _LEAST_VALUES:
            return indices[:0]
        found, counts = np.unique(indices, return_counts=True)
        most = max(1, _KEPT_ENTRIES // self.bits)
        often = np.flatnonzero(counts >= _OFTEN)
        if len(often) > most:
            often = np.sort(often[np.argsort(counts[often])[-most:]])
        return np.asarray(found[often])


@cache
def normal_table() -> Float64Matrix:
    """Return the 65,536 values of an entry, ascending: mean 0 exactly, variance 1."""
    inverse = NormalDist().inv_cdf
    half = np.array([inverse((i + 0.5) / _TABLE) for i in range(_TABLE // 2, _TABLE)])
    half /= np.sqrt(np.square(half).mean())
    half = np.round(half * 2.0**_FRACTION) / 2.0**_FRACTION
    table: Float64Matrix = np.concatenate([-half[::-1], half])
    table.flags.writeable = False
    return table


def mix(counters: npt.NDArray[np.uint64], beside: npt.NDArray[np.uint64]) -> None:
    """Finish counters in their place by the mixer of SplitMix64; ``beside`` is of the same shape, and overwritten."""
    for shift, factor in _MIX:
        counters ^= np.right_shift(counters, shift, out=beside)
        counters *= factor


@dataclass(frozen=True, eq=False)
class _Workplace:
    """Arrays that are used again and again: asking the system for memory anew takes longer than all the rest."""

    counters: npt.NDArray[np.uint64]
    beside: npt.NDArray[np.uint64]
    places: npt.NDArray[np.intp]
    entries: Float64Matrix

    @classmethod
    def of(cls, dimensions: int, bits: int) -> Self:
        shape = (dimensions, -(-bits // _A_HASH))
        return cls(
            np.empty(shape, np.uint64),
            np.empty(shape, np.uint64),
            np.empty((dimensions, bits), np.intp),
            np.empty((dimensions, bits)),
        )

    def first(self, count: int) -> _Workplace:
        """Return the part of it that so many dimensions take."""
        return _Workplace(self.counters[:count], self.beside[:count], self.places[:count], self.entries[:count])


def at_once(bits: int) -> int:
    """Return in how many dimensions the entries of so many directions are worked on at once."""
    return max(1, _ENTRIES // bits)


def add_in_parts(
    projected: Float64Matrix,
    values: Float64Matrix,
    pointers: npt.NDArray[Any],
    entries: Callable[[slice], Float64Matrix],
) -> None:
    """Add the products of compressed rows with entries that are made in parts.

    Parameters
    ----------
    projected : ndarray of float64, (n, bits)
        Changed.
    values : ndarray of float64, (nnz,)
    pointers : ndarray of int, (n + 1,)
    entries : function
        Gives those beside some values, (some, bits).
    """
    step = at_once(projected.shape[1])
    for start in range(0, len(values), step):
        stop = min(start + step, len(values))
        # The rows that these values belong to; the first and the last of them may have others, too.
        top = int(np.searchsorted(pointers, start, side="right")) - 1
        bottom = int(np.searchsorted(pointers, stop, side="left"))
        until = np.clip(pointers[top : bottom + 1], start, stop) - start
        places = np.arange(stop - start)
        add_products(projected[top:bottom], values[start:stop], places, until, entries(slice(start, stop)))


def add_products(
    projected: Float64Matrix,
    values: Float64Matrix,
    places: npt.NDArray[Any],
    pointers: npt.NDArray[Any],
    entries: Float64Matrix,
) -> None:
    """Add the products of compressed rows, (n, u), with entries, (u, bits); no sum rounds, so any order will do."""
    from scipy.sparse import csr_array

    projected += np.asarray(csr_array((values, places, pointers), shape=(len(projected), len(entries))) @ entries)


def on_grid(x: Rows, entry_digits: int = _ENTRY_DIGITS) -> Float64Matrix:
    """Round the stored values of rows so that sums of their products with entries of so many digits are exact, (nnz,).

    The digits of all entries of a direction are counted from the same place.
    """
    counts = np.diff(x.indptr)
    filled = counts > 0
    if not filled.any():
        return np.empty(0)
    largest = np.maximum.reduceat(np.abs(x.data), x.indptr[:-1][filled])
    counts = counts[filled]
    # ceil(log2(count)): the digits that a sum of so many may gain
    carried = np.frexp(np.maximum(counts - 1, 0).astype(np.float64))[1]
    digits = np.minimum(FLOAT32_DIGITS, _FLOAT64_DIGITS - entry_digits - carried)
    rounders = np.repeat(np.ldexp(1.5, np.frexp(largest)[1] + (_FLOAT64_DIGITS - 1 - digits)), counts)
    return np.asarray((x.data + rounders) - rounders)


_KEPT = 1 << 26  # entries at most: 256 MB of float32; those of bits beyond are made for each batch anew


@dataclass(frozen=True, eq=False)
class KeptDirections:
    """The sums Σ_j γ_j φ_j of all bits.

    Attributes
    ----------
    items : csr_array, (c, d)
        φ_j.
    gamma : ndarray of float64, (c, bits)
    """

    items: Rows
    gamma: Float64Matrix

    @cached_property
    def dimensions(self) -> npt.NDArray[np.int64]:
        """The dimensions in which an item is not zero, ascending, (u,)."""
        return np.unique(self.items.indices).astype(np.int64)

    def project(self, x: Rows) -> Float64Matrix:
        """Return (Σ_j γ_j φ_j)'x of each row and direction, (n, d) -> (n, bits); of a row always the same."""
        projected = np.zeros((x.shape[0], self.gamma.shape[1]))
        if not len(self.dimensions):
            return projected
        place = np.minimum(np.searchsorted(self.dimensions, x.indices), len(self.dimensions) - 1)
        known = self.dimensions[place] == x.indices
        values, place = on_grid(x, FLOAT32_DIGITS)[known], place[known]
        pointers = np.concatenate([[0], np.cumsum(known)])[x.indptr]
        for start in range(0, projected.shape[1], self._bits_at_once):
            kept = self._sums(start) if start else self._first
            projected[:, start : start + kept.shape[1]] = _products(values, place, pointers, kept)
        return projected

    @cached_property
    def _bits_at_once(self) -> int:
        return max(1, _KEPT // len(self.dimensions))

    @cached_property
    def _first(self) -> npt.NDArray[np.float32]:
        return self._sums(0)

    @cached_property
    def _by_dimension(self) -> Rows:
        from scipy.sparse import csr_array

        places = np.searchsorted(self.dimensions, self.items.indices)
        shape = (len(self.gamma), len(self.dimensions))
        return csr_array((self.items.data, places, self.items.indptr), shape=shape).T.tocsr()

    def _sums(self, start: int) -> npt.NDArray[np.float32]:
        """Return the sums of as many bits as are kept at once, (u, those bits), on the grid of each direction."""
        gamma = np.ascontiguousarray(self.gamma[:, start : start + self._bits_at_once])
        sums = np.empty((len(self.dimensions), gamma.shape[1]), np.float32)
        step = at_once(gamma.shape[1])
        for row in range(0, len(sums), step):
            sums[row : row + step] = self._by_dimension[row : row + step] @ gamma
        _, exponents = np.frexp(np.maximum(sums.max(axis=0), -sums.min(axis=0)).astype(np.float64))
        # Beside a number of this size a float64 has no digits below the grid; adding and taking it away rounds to it.
        rounders = np.ldexp(1.5, exponents + (52 - FLOAT32_DIGITS))
        for row in range(0, len(sums), step):
            sums[row : row + step] = (sums[row : row + step] + rounders) - rounders
        return sums


def _products(
    values: Float64Matrix, places: npt.NDArray[np.intp], pointers: npt.NDArray[np.intp], kept: npt.NDArray[np.float32]
) -> Float64Matrix:
    """Multiply compressed rows with some rows of what is kept."""
    projected = np.zeros((len(pointers) - 1, kept.shape[1]))
    add_in_parts(projected, values, pointers, lambda some: kept[places[some]].astype(np.float64))
    return projected
