"""Vectors: one check at the border, then trust; their blocks; and arithmetic that gives the same bits everywhere.

A BLAS product adds in an order that depends on the place of a row in its block, on the height of the block and on the
threads, so its last digits vary, a projection near zero changes its sign, and an item encoded alone misses the bucket
that it has in a batch. Blocks of one fixed height do not cure it: with OpenBLAS, equal rows differ within one block at
every height from 4 up.

In an exact product both operands are rounded to multiples of a power of two, with so few binary digits that every
partial sum fits the 53 digits of a float64. Then no addition rounds, and every order, every BLAS and every machine
gives the same number. A factor keeps 24 digits, as a float32 does, up to d = 32, 22 at d = 256, 19 at d = 32,768,
counted from the largest entry of its row; a product of float32 is not known better. It costs about two plain products
of float32. Where only signs are needed, a plain product of float32 settles most of them: those that are farther from 0
than its error can be.

A product in two threads waits for the slower of them. Where another program has one of the processors, as while
photographs are being added, that is a wait of some ten milliseconds for a product of one. So small products use one
thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.errors import TwinlensError

Vectors = npt.NDArray[np.floating[Any]]
"""Real vectors, (n, d), a row an item."""

_BLOCK_VALUES = 1 << 17  # 1 MB of float64: a block and what is made of it stay in the cache
_LEAST_ROWS = 128  # fewer rows than this, and a product reads its other operand more often than it computes with it


def row_blocks(rows: int, columns: int) -> Iterator[slice]:
    """Cut the rows of a table of ``columns`` numbers a row into blocks that fit the cache.

    Examples
    --------
    >>> [block.stop - block.start for block in row_blocks(1000, 256)]
    [512, 488]
    """
    step = max(_LEAST_ROWS, _BLOCK_VALUES // max(columns, 1))
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))


def unit_rows(x: Vectors) -> npt.NDArray[np.float64]:
    """L2-normalize each row, (n, d) -> (n, d); zero rows stay zero.

    The lengths are not taken from BLAS, whose last digit depends on the number of threads.

    Examples
    --------
    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    wide = np.array(x, np.float64, order="C")
    lengths = np.sqrt(np.square(wide).sum(axis=1, keepdims=True))
    wide /= np.where(lengths > 0, lengths, 1.0)
    return wide


def as_float32(x: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return a copy of numbers as float32; of float16 out of a table, since NumPy is slow with those next to 0.

    Examples
    --------
    >>> as_float32(np.array([0.5, -(2.0**-24)], np.float16)).tolist()
    [0.5, -5.960464477539063e-08]
    """
    return _of_float16().take(x.view(np.uint16)) if x.dtype == np.float16 else x.astype(np.float32)


@cache
def _of_float16() -> npt.NDArray[np.float32]:
    """Return the value of each of the 65,536 patterns of bits."""
    with np.errstate(invalid="ignore"):  # some are no numbers
        return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


def pack_vectors(x: npt.NDArray[Any], dtype: np.dtype[Any] | str) -> npt.NDArray[Any]:
    """Round vectors to the type in which they are kept.

    As int8, a vector of length 1 is kept by its direction: its largest number becomes 127. :func:`unpack_vectors` gives
    vectors back that pack to the same bytes.

    Parameters
    ----------
    x : ndarray, (..., d)
        Finite; as int8 also of length 1, or all zero.

    Examples
    --------
    >>> pack_vectors(np.array([[0.6, -0.8], [0.0, 0.0]]), "int8").tolist()
    [[95, -127], [0, 0]]
    """
    if np.dtype(dtype) != np.int8:
        return np.asarray(x, dtype)
    largest = np.abs(x).max(axis=-1, keepdims=True).astype(np.float64)
    return np.rint(x * (127 / np.where(largest > 0, largest, 1))).astype(np.int8)


def unpack_vectors(packed: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return vectors as they were before :func:`pack_vectors`, but for rounding; float32 of int8.

    Examples
    --------
    >>> unpack_vectors(np.array([[3, -4], [0, 0]], np.int8)).tolist()
    [[0.6000000238418579, -0.800000011920929], [0.0, 0.0]]
    """
    if packed.dtype != np.int8:
        return packed
    vectors = packed.astype(np.float32)
    vectors *= packed_scale(packed)[..., None]  # in place: room for another as large takes longer than the product
    return vectors


def packed_scale(packed: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
    """Return by what the numbers of each row are multiplied for it to have length 1, (...)."""
    squares = np.einsum("...d,...d->...", packed, packed, dtype=np.int32)  # exact up to 133,000 numbers
    return np.asarray((1 / np.sqrt(np.where(squares > 0, squares, 1))).astype(np.float32))


class UnitRows:
    """Vectors of very many items, kept as int8 and read as rows of length 1: a quarter of the memory of float32.

    Parameters
    ----------
    packed : ndarray of int8, (n, d)
        As :func:`pack_vectors` makes them.

    Examples
    --------
    >>> rows = UnitRows(np.array([[3, -4], [0, 2]], np.int8))
    >>> rows[:1].tolist(), rows[np.array([1, 1])].shape
    ([[0.6000000238418579, -0.800000011920929]], (2, 2))
    """

    def __init__(self, packed: npt.NDArray[np.int8]) -> None:
        self._packed = packed
        self.shape: tuple[int, int] = (packed.shape[0], packed.shape[1])
        self._scale = np.concatenate([np.empty(0, np.float32), *(packed_scale(packed[rows]) for rows in self.blocks())])

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice | npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Return some rows, (..., d), as :func:`unpack_vectors` does."""
        return np.asarray(self._packed[rows].astype(np.float32) * self._scale[rows][..., None])

    def blocks(self) -> Iterator[slice]:
        """Cut the rows into blocks that fit the cache."""
        return row_blocks(*self.shape)

    def mean(self) -> npt.NDArray[np.float64]:
        """Return the mean of all rows, (d,)."""
        total = np.zeros(self.shape[1])
        for rows in self.blocks():
            total += self[rows].sum(axis=0, dtype=np.float64)
        return total / max(len(self), 1)


def as_vectors(
    x: npt.ArrayLike, dtype: npt.DTypeLike = np.float64, dimensions: int | None = None, first_row: int = 0
) -> Vectors:
    """Check vectors that come from outside.

    Parameters
    ----------
    x : array_like, (n, d)
    dtype : dtype
        Of the result; no copy where ``x`` has it already.
    dimensions : int, optional
        The d that is expected.
    first_row : int
        Number of the first row, for the message, where ``x`` is a block of something longer.

    Returns
    -------
    ndarray, (n, d), C-contiguous

    Raises
    ------
    TwinlensError
        If it is no table of numbers, has another number of columns, or holds NaN or infinity, or what ``dtype`` cannot
        hold (names the first such row).
    """
    table = _table(x)
    if dimensions is not None and table.shape[1] != dimensions:
        raise TwinlensError(
            "The vectors have {shape} dimensions, but {dimensions} are expected.",
            "Give vectors of the same descriptor as those that were fitted.",
            shape=table.shape[1],
            dimensions=dimensions,
        )
    # NaN and infinity are looked for below, in words; numpy's own warnings about them would only come first.
    with np.errstate(over="ignore", invalid="ignore"):
        vectors: Vectors = np.ascontiguousarray(table, dtype=dtype)
        total = vectors.sum(dtype=np.float64)
    # A sum is finite only if every entry is; the rows are looked at one by one only where it is not.
    if not np.isfinite(total):
        bad = ~np.isfinite(vectors).all(axis=1)
        if bad.any():
            raise TwinlensError(
                "Row {first_row} (counted from 0) holds a value that is not a finite {dtype} number; "
                "{sum} of the {vectors} rows looked at do.",
                "Leave these rows out or mend them.",
                first_row=first_row + int(np.argmax(bad)),
                dtype=vectors.dtype,
                sum=int(bad.sum()),
                vectors=len(vectors),
            )
    return vectors


def training_vectors(x: npt.ArrayLike) -> Vectors:
    """Check vectors to learn from, and leave out rows that are zero throughout: they say nothing.

    A photograph without a keypoint, say, has such a row; it is not learned from, and stays findable.

    Returns
    -------
    ndarray of float32 or float64, (m, d), m >= 1
        Whole numbers and float16 as the float that holds them.

    Raises
    ------
    TwinlensError
        As :func:`as_vectors`, and if no row is left.
    """
    vectors = as_vectors(x, np.result_type(_table(x).dtype, np.float32))
    telling = vectors.any(axis=1)
    if not telling.any():
        why = f"all {len(vectors):,} vectors are zero throughout" if len(vectors) else "no vector was given"
        raise TwinlensError(
            "There is nothing to learn from: {why}.", "Give at least one vector that is not zero throughout.", why=why
        )
    return vectors if telling.all() else vectors[telling]


def _table(x: npt.ArrayLike) -> npt.NDArray[Any]:
    """Take ``x`` as a table of real numbers, or say what it is instead."""
    try:
        table = np.asarray(x)
    except ValueError:
        raise TwinlensError("The vectors have rows of different lengths.", "Give all the same dimensions.") from None
    if table.dtype.kind not in "biuf":
        raise TwinlensError(
            "Vectors must be real numbers, but this array holds {dtype}.", "Give floats.", dtype=table.dtype
        )
    if table.ndim != 2 or table.shape[1] == 0:
        raise TwinlensError(
            "Vectors must be a table with a row for each item, but this array has the shape {shape}.",
            "Give an array of shape (items, dimensions).",
            shape=str(table.shape),
        )
    return table


_FLOAT32_DIGITS = 24
_FLOAT64_DIGITS = 53


def digits(length: int) -> int:
    """Return how many binary digits each factor of a sum of ``length`` products may have.

    Examples
    --------
    >>> digits(256), digits(32_768)
    (22, 19)
    """
    return min(_FLOAT32_DIGITS, (_FLOAT64_DIGITS - (length - 1).bit_length()) // 2)


def to_grid(values: Vectors, axis: int, minus: Vectors | float = 0.0) -> npt.NDArray[np.float64]:
    """Round to so few digits that a product along ``axis`` is exact.

    ``to_grid(x, 1) @ to_grid(p, 0)`` is the same number for each pair of row and column in every product.

    Parameters
    ----------
    values : ndarray, (n, m)
        Below 2^900 in size.
    axis : int
        1 for the left operand, whose rows are rounded, each on its own scale; 0 for the right, whose columns are.
    minus : ndarray, (m,), or float
        Subtracted first, in float64: float32 near the largest there is would overflow.

    Returns
    -------
    ndarray of float64, (n, m)
        Multiples of a power of two; float32 holds them exactly, too, if it holds their size. Off by at most the row's
        (column's) largest entry times 2^-digits.
    """
    grid = np.subtract(values, minus, dtype=np.float64)
    largest = np.maximum(grid.max(axis=axis, keepdims=True), -grid.min(axis=axis, keepdims=True))
    _, exponent = np.frexp(largest)
    # Beside a number of this size a float64 has no digits below the step; adding and taking it away rounds to the step.
    rounder = np.ldexp(1.5, exponent + (_FLOAT64_DIGITS - 1 - digits(grid.shape[axis])))
    grid += rounder
    grid -= rounder
    return grid


def float32_error(length: int) -> float:
    """Bound the error of a float32 sum of ``length`` rounded products, in any order, as a part of the sum of sizes.

    Higham: Accuracy and Stability of Numerical Algorithms, 2002, section 3.1 (gamma); a twentieth more for what is
    rounded once on the way.
    """
    rounding = (length + 2) * 2.0**-_FLOAT32_DIGITS
    return 1.05 * rounding / (1 - rounding)


def settled(
    values: npt.NDArray[np.floating],
    errors: npt.NDArray[np.float64],
    exact: Callable[[int, npt.NDArray[np.intp]], npt.NDArray[np.float64]],
) -> npt.NDArray[np.bool_]:
    """Return which exact values are >= 0, computing exactly only those that rounding leaves open.

    Parameters
    ----------
    values : ndarray, (n, m)
    errors : ndarray of float64, (n, 1) or (n, m)
        How far, at most, they are from the exact ones.
    exact : function
        Gives the exact values of a row at some places; asked where the near ones may be of the other sign.

    Returns
    -------
    ndarray of bool, (n, m)
    """
    positive = values >= 0
    doubtful = ~(np.abs(values) > errors)  # what is not a number, too
    for row in np.flatnonzero(doubtful.any(axis=1)).tolist():
        which = np.flatnonzero(doubtful[row])
        positive[row, which] = exact(row, which) >= 0
    return positive


_lock = threading.Lock()


class _Inside:
    """The number of callers inside `one_thread`; the threads there were before the first, and the most ever."""

    count = 0
    before = 1
    most = 1


@contextmanager
def one_thread() -> Iterator[int]:
    """Limit matrix products of the whole process to one thread, and yield how many they had before.

    It may be nested, and used in several threads. The last that leaves sets the number back, to the largest there was
    before.

    Examples
    --------
    >>> with one_thread():
    ...     product = 2 * 3
    """
    with _lock:
        if _Inside.count == 0:
            _Inside.before = max([1, *(library.get_num_threads() or 1 for library in _libraries())])
            _Inside.most = max(_Inside.most, _Inside.before)
            _set(1)
        _Inside.count += 1
    try:
        yield _Inside.before
    finally:
        with _lock:
            _Inside.count -= 1
            if _Inside.count == 0:
                _set(_Inside.most)


@cache
def _libraries() -> list[Any]:
    """Find the loaded BLAS of numpy; a search for further libraries would take longer."""
    from threadpoolctl import ThreadpoolController

    return [library for library in ThreadpoolController().lib_controllers if library.user_api == "blas"]


def _set(threads: int) -> None:
    for library in _libraries():
        library.set_num_threads(threads)
        # The thread that sets it is the only one that may, until it says that another may: the last may be another.
        let_go = getattr(library, "clear_controlling_thread", None)
        if let_go is not None:
            let_go()
