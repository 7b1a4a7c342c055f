"""Bilinear hashing: signs of W'XV of vectors that are matrices, of which a fixed random part is kept.

Kim and Choi: Bilinear Random Projections for Locality-Sensitive Binary Codes, CVPR 2015, Algorithm 1: W (rows, m s) and
V (columns, m s) are drawn, s = ceil(sqrt(b)), and b of the m² s² entries of W'XV are kept. Two small matrices take the
place of one of d x b: 0.8 MB instead of 1.6 GB for d = 64,000 and b = 6,400.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Vectors
from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.vectors import digits, float32_error, settled, to_grid


class BilinearMethod(HashMethod):
    """Base of the methods that draw W and V (Kim and Choi, CVPR 2015, Algorithm 1)."""

    oversampling: int = parameter(
        5,
        ge=1,
        le=50,
        help="How many times as many rows and columns are projected as a code needs, of which a random part is kept "
        "(the paper's m). More makes bits more independent, and takes more time.",
    )
    rows: int | None = parameter(
        None,
        ge=1,
        le=1_000_000,
        help="Rows of the matrix that a vector is laid out as, row by row. None: nearest to a square.",
    )
    left: int | None = parameter(
        None,
        ge=1,
        le=65_536,
        help="Projections of the rows that a code needs, before oversampling (the paper's k_w); of the columns there "
        "are as many as make up the bits. None: as many of both.",
    )

    def shape(self, dimensions: int) -> tuple[int, int]:
        """Return rows and columns of vectors of so many dimensions.

        Raises
        ------
        TwinlensError
            If they cannot be laid out so.
        """
        if self.rows is None:
            return squarest(dimensions)
        if dimensions % self.rows:
            raise TwinlensError(
                "Vectors of {dimensions} dimensions cannot be laid out as a matrix of {rows} rows.",
                "Choose a number of rows that divides the dimensions.",
                dimensions=dimensions,
                rows=self.rows,
            )
        return self.rows, dimensions // self.rows

    def check(self, dimensions: int, matrix_shape: tuple[int, int] | None = None) -> None:
        """Refuse vectors that are no matrices; see `HashMethod.check`."""
        refuse_without_matrix(self.key, matrix_shape)
        self.shape(dimensions)

    def drawn(
        self, dimensions: int, rng: np.random.Generator
    ) -> tuple[Float32Vectors, Float32Vectors, npt.NDArray[np.int64]]:
        """Draw W, V, and which entries are kept, as :func:`twinlens.core.hashing.bilinear_hashing.draw_bilinear` does.

        Raises
        ------
        TwinlensError
            If the vectors cannot be laid out so.
        """
        side = math.isqrt(self.bits - 1) + 1
        left, right = (side, side) if self.left is None else (self.left, -(-self.bits // self.left))
        counts = self.oversampling * left, self.oversampling * right
        return draw_bilinear(self.shape(dimensions), counts, self.bits, rng)


_PRODUCTS = 1 << 20  # entries of XV that are held at once
_PIECE = 8  # kept entries of one column of V that are computed at once
_LEAST_SQUARE, _LARGEST_SQUARE = 1e-24, 1e30  # of a matrix's norm, between which products of float32 are safe


def squarest(dimensions: int) -> tuple[int, int]:
    """Return the rows and columns of the matrix nearest to a square that vectors can be laid out as, row by row.

    Raises
    ------
    TwinlensError
        If there is none but a single row.

    Examples
    --------
    >>> squarest(64_000), squarest(784), squarest(64 * 128)
    ((250, 256), (28, 28), (64, 128))
    """
    rows = next(r for r in range(math.isqrt(dimensions), 0, -1) if dimensions % r == 0)
    if rows == 1:
        raise TwinlensError(
            "Vectors of {dimensions} dimensions cannot be laid out as a matrix.",
            "Choose a method that is not bilinear, such as lsh, or a descriptor with a matrix shape, such as vlad.",
            dimensions=dimensions,
        )
    return rows, dimensions // rows


def refuse_without_matrix(key: str, matrix_shape: tuple[int, int] | None) -> None:
    """Refuse descriptors whose vectors are no matrices: their rows would mean nothing.

    Raises
    ------
    TwinlensError
    """
    if matrix_shape is None:
        raise TwinlensError(
            "{key} needs a descriptor whose vectors are matrices, which this one's are not.",
            "Choose the descriptor vlad, or a method that is not bilinear, such as lsh.",
            key=key,
        )


@dataclass(frozen=True, eq=False)
class BilinearEncoder(Encoder):
    """Signs of the kept entries of W'(X - mean)V. Made by :meth:`drawn`.

    Attributes
    ----------
    mean : ndarray of float32, (d,)
        Subtracted from every vector; zero where a method does not centre.
    left : ndarray of float32, (rows, k_w)
        W, rounded so that products with it are exact.
    right : ndarray of float32, (columns, k_v)
        V, likewise.
    kept : ndarray of int64, (b,)
        Which entries of V'X'W, (k_v, k_w), row by row; ascending.
    """

    mean: npt.NDArray[np.float32]
    left: npt.NDArray[np.float32]
    right: npt.NDArray[np.float32]
    kept: npt.NDArray[np.int64]

    @property
    def bits(self) -> int:
        """Length of a code: how many entries are kept."""
        return len(self.kept)

    @property
    def dimensions(self) -> int:
        """Length of the vectors, rows times columns."""
        return len(self.left) * len(self.right)

    @property
    def _shape(self) -> tuple[int, int]:
        return len(self.left), len(self.right)

    @cached_property
    def _right(self) -> npt.NDArray[np.float64]:
        return np.ascontiguousarray(self.right.T, np.float64)

    @cached_property
    def _right32(self) -> npt.NDArray[np.float32]:
        return np.ascontiguousarray(self.right.T)

    @cached_property
    def _pieces(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float32], npt.NDArray[np.intp]]:
        """Group the kept entries by columns of V, in pieces of equal size that stand in one array.

        Returns
        -------
        columns : ndarray of int, (p,)
            A column of V for each piece.
        left : ndarray of float32, (p, _PIECE, rows)
            The columns of W whose products with it are kept; zero where a piece is not full.
        places : ndarray of int, (b,)
            Where the bits are among p * _PIECE entries.
        """
        columns, of_left = np.divmod(self.kept, self.left.shape[1])
        used, starts, counts = np.unique(columns, return_index=True, return_counts=True)
        pieces = -(-counts // _PIECE)
        before = np.cumsum(pieces) - pieces
        within = np.arange(len(columns)) - np.repeat(starts, counts)
        places = np.repeat(before * _PIECE, counts) + within
        left = np.zeros((int(pieces.sum()) * _PIECE, len(self.left)), np.float32)
        left[places] = self.left.T[of_left]
        return np.repeat(used, pieces), left.reshape(-1, _PIECE, len(self.left)), places

    @cached_property
    def _runs(self) -> list[tuple[int, slice]]:
        """For each column of V of which entries are kept: its place, and its pieces."""
        used, starts = np.unique(self._pieces[0], return_index=True)
        stops = [*starts[1:].tolist(), len(self._pieces[0])]
        return [(int(column), slice(*run)) for column, *run in zip(used, starts.tolist(), stops, strict=True)]

    def _with_left(self, first: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Multiply V'X', (k, m, rows), with the columns of W of the kept entries, (m, b)."""
        columns, left, places = self._pieces
        count, rows = first.shape[1:]
        if count == 1 and first.dtype == left.dtype:  # a search encodes one: no step over columns, twice as fast
            return np.asarray(np.matmul(left, first[columns].reshape(-1, rows, 1)).reshape(1, -1)[:, places])
        values = np.empty((count, left.shape[0] * _PIECE), first.dtype)
        for column, run in self._runs:
            some = left[run].reshape(-1, rows).astype(first.dtype, copy=False)
            values[:, run.start * _PIECE : run.stop * _PIECE] = first[column] @ some.T
        return values[:, places]

    @cached_property
    def _relative_error(self) -> float:
        """By how much, at most, :meth:`near` and :meth:`project_block` differ for a matrix of norm 1."""
        rows, columns = self._shape
        longest = float(
            np.prod([np.sqrt(np.square(p, dtype=np.float64).sum(axis=0).max()) for p in (self.left, self.right)])
        )
        grid = math.sqrt(rows) * 2.0 ** -digits(rows) + math.sqrt(columns) * 2.0 ** -digits(columns)
        return longest * (float32_error(rows + columns + 1) + grid)

    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Project a block of rows, (m, d) -> (m, bits); entries that are not kept are not computed."""
        right, (rows, columns) = self._right, self._shape
        mean = self.mean.reshape(rows, columns)
        values = np.empty((len(block), self.bits))
        step = max(1, _PRODUCTS // (len(right) * rows))
        for start in range(0, len(block), step):
            some = block[start : start + step].reshape(-1, rows, columns)
            matrices = to_grid(some, axis=2, minus=mean).reshape(-1, columns)
            first = to_grid((right @ matrices.T).reshape(-1, rows), axis=1).reshape(len(right), len(some), rows)  # V'X'
            values[start : start + step] = self._with_left(first)
        return values

    def entries(self, row: npt.NDArray[np.float32], which: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
        """Return some of the projections of one row, (d,), to the bit what :meth:`project_block` gives."""
        shape = self._shape
        matrix = to_grid(row.reshape(shape), axis=1, minus=self.mean.reshape(shape))
        columns, of_left = np.divmod(self.kept[which], self.left.shape[1])
        used, place = np.unique(columns, return_inverse=True)
        first = to_grid(self._right[used] @ matrix.T, axis=1)
        return np.asarray(np.einsum("ij,ij->i", first[place], self.left.T[of_left].astype(np.float64)))

    def near(self, block: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
        """Project in plain float32, which takes half the time, and tell how far that may be off.

        Returns
        -------
        values : ndarray of float32, (m, bits)
            Their digits depend on the rows beside them and on threads.
        errors : ndarray of float64, (m, 1)
            How far, at most, the values of a row are from those of :meth:`project_block`; infinite for matrices so
            large or small that float32 does not hold their products.
        """
        right, (rows, columns) = self._right32, self._shape
        values = np.empty((len(block), self.bits), np.float32)
        errors = np.empty((len(block), 1))
        step = max(1, _PRODUCTS // (len(right) * rows))
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            for start in range(0, len(block), step):
                some = block[start : start + step] - self.mean
                squares = np.einsum("ij,ij->i", some, some).astype(np.float64)
                first = (right @ some.reshape(-1, columns).T).reshape(len(right), len(some), rows)
                values[start : start + step] = self._with_left(first)
                held = (squares > _LEAST_SQUARE) & (squares < _LARGEST_SQUARE)
                lengths = np.sqrt(squares, out=np.full(len(some), np.inf), where=held)
                errors[start : start + step, 0] = lengths * (1 + float32_error(some.shape[1])) * self._relative_error
        return values, errors

    def bits_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
        """Return the signs of :meth:`project_block`, most of them from float32."""
        values, errors = self.near(block)
        return settled(values, errors, lambda row, which: self.entries(block[row], which))


def draw_bilinear(
    shape: tuple[int, int], counts: tuple[int, int], bits: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Draw W and V, and choose which entries are kept; see `BilinearEncoder`.

    Parameters
    ----------
    shape : tuple of int
        Rows and columns of a vector.
    counts : tuple of int
        Columns of W, and of V; their product is at least ``bits``.
    """
    (rows, columns), (ours, theirs) = shape, counts
    left = to_grid(rng.standard_normal((rows, ours)), axis=0)
    right = to_grid(rng.standard_normal((columns, theirs)), axis=0)
    kept = np.sort(rng.permutation(ours * theirs)[:bits])
    return left.astype(np.float32), right.astype(np.float32), kept
