"""Bilinear ITQ: bits of vectors that are matrices, by two learned rotations.

Gong, Kumar, Rowley and Lazebnik: Learning Binary Codes for High-Dimensional Data Using Bilinear Projections, CVPR 2013,
section 3. With R1 (rows, c1) and R2 (columns, c2) of orthonormal columns,

    bits: sgn(vec(R1' X R2))        X a centred vector laid out as a matrix; of c1 c2 entries those of largest variance

For centred matrices X_i, R1 and R2 are those that make Σ tr(B_i R2' X_i' R1) largest, found by turns:

    B_i = sgn(R1' X_i R2)                         the best signs for this R1 and R2
    Σ X_i R2 B_i' = M Ω N',      R1 = M N'        the best R1 for these signs and this R2 (orthogonal Procrustes)
    B_i = sgn(R1' X_i R2)                         again
    Σ X_i' R1 B_i = M Ω N',      R2 = M N'        the best R2

so the sum, which is that of all |R1' X_i R2| once the signs are the best, never falls.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.bilinear_hashing import BilinearEncoder, refuse_without_matrix, squarest
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import Places, centred, column_mean, draw_places, gaussian, orthonormal, signs
from twinlens.core.vectors import Vectors, one_thread, row_blocks, to_grid, training_vectors


class BilinearItq(HashMethod):
    """Turns vectors that are matrices, such as VLAD, into bits by two small matrices that are learned from the library.

    It is to bilinear-lsh what itq is to lsh: along the rows and along the columns it learns where the library varies
    most, and turns both until the signs, which are the bits, are as near to the data as can be. Choose it for long
    vectors whose rows and columns mean something; where they do not, it may rank no better than bilinear-lsh.
    """

    key = "bilinear-itq"
    title = "Bilinear ITQ"
    paper = "Gong, Kumar, Rowley and Lazebnik, CVPR 2013, section 3"
    encoder: ClassVar[type[Encoder]] = BilinearEncoder

    iterations: int = parameter(
        1,
        ge=0,
        le=1_000,
        help="Turns of both rotations. More bring the signs nearer to the data: 20 rank a little better for VLAD and "
        "written digits, and worse for pictures of which one part of the variance outweighs all others.",
    )
    training_items: int = parameter(
        2_000,
        ge=1,
        le=10_000_000,
        unit="items",
        help="How many items, drawn at random, the rotations are learned from. More takes longer and changes little.",
    )

    @property
    def sample_size(self) -> int:
        """Return how many items are worth passing to :meth:`fit`: those that it learns from."""
        return self.training_items

    def check(self, dimensions: int, matrix_shape: tuple[int, int] | None = None) -> None:
        """Refuse vectors that are no matrices, and more bits than these have entries; see `HashMethod.check`."""
        refuse_without_matrix(self.key, matrix_shape)
        self._check_bits(dimensions)

    def _check_bits(self, dimensions: int) -> None:
        squarest(dimensions)
        if self.bits > dimensions:
            raise TwinlensError(
                "{key} gives at most as many bits as the vectors have dimensions, here {dimensions}, not {bits}.",
                "Write {changed}, or choose bilinear-lsh, which takes any number of bits.",
                key=self.key,
                dimensions=dimensions,
                bits=self.bits,
                changed=self.changed(bits=dimensions).text(),
            )

    def fit(self, x: Vectors, progress: Progress = silent) -> BilinearEncoder:
        """Learn both rotations, and choose the entries that vary most.

        Parameters
        ----------
        x : ndarray, (n, d)
            Matrices, row by row, of the shape nearest to a square; rows that are zero throughout are left out.

        Raises
        ------
        TwinlensError
            If d has no divisor, ``bits`` is more than d, no row is left, or one is not finite.
        """
        x = training_vectors(x)
        n, d = x.shape
        self._check_bits(d)
        rng = np.random.default_rng(self.seed)
        mean = column_mean(x, part(progress, 0, 0.05))
        shape = squarest(d)
        matrices = Matrices(x, mean, draw_places(n, self.training_items, rng), shape)
        counts = sides(shape, self.bits)
        left, right = learn_rotations(matrices, counts, self.iterations, rng, part(progress, 0.05, 0.95))
        # In the order of V'X'W, as the encoder has them.
        varies = mean_squares(matrices, left, right, part(progress, 0.95, 1)).T.ravel()
        return BilinearEncoder(
            mean=mean.astype(np.float32),
            left=to_grid(left, axis=0).astype(np.float32),
            right=to_grid(right, axis=0).astype(np.float32),
            kept=np.sort(np.argsort(-varies, kind="stable")[: self.bits]),
        )


_SMALL = 2e8  # multiplications of a pass over the matrices


@dataclass(frozen=True, eq=False)
class Matrices:
    """Centred matrices, of which a block after the other is looked at.

    Attributes
    ----------
    x : ndarray, (n, d)
        A matrix in each row, row by row.
    mean : ndarray of float64, (d,)
        Subtracted.
    places : ndarray of int
        Which rows are learned from.
    shape : tuple of int
        Rows and columns of a matrix.
    """

    x: Vectors
    mean: Float64Matrix
    places: Places
    shape: tuple[int, int]

    def blocks(self, progress: Progress = silent) -> Iterator[Float64Matrix]:
        """Yield all of them, (m, rows, columns) at a time."""
        for some in row_blocks(len(self.places), self.x.shape[1]):
            progress(some.start, len(self.places), Message("Turning matrices towards the signs"))
            yield centred(self.x, self.mean, self.places[some]).reshape(-1, *self.shape)


def sides(shape: tuple[int, int], bits: int) -> tuple[int, int]:
    """Return c1 <= rows and c2 <= columns with c1 c2 >= bits, nearly in the proportion of the matrix.

    More entries than are needed would spread the variance over directions that are dropped again: so there are fewer
    than c1 too many.

    Examples
    --------
    >>> sides((28, 28), 256), sides((64, 128), 512), sides((4, 6), 13), sides((4, 6), 24)
    ((16, 16), (16, 32), (3, 5), (4, 6))
    """
    rows, columns = shape
    first = round(math.sqrt(bits * rows / columns))
    first = min(rows, max(1, first, math.ceil(bits / columns)))
    return first, math.ceil(bits / first)


def learn_rotations(
    matrices: Matrices, counts: tuple[int, int], iterations: int, rng: np.random.Generator, progress: Progress = silent
) -> tuple[Float64Matrix, Float64Matrix]:
    """Learn R1 and R2, from the leading eigenvectors of Σ X X' and Σ X' X, each turned at random.

    Parameters
    ----------
    counts : tuple of int
        c1 and c2, at most rows and columns.
    iterations : int
        Turns; with 0 it stays at the start.
    rng : Generator
        Draws the start.

    Returns
    -------
    left : ndarray of float64, (rows, c1)
    right : ndarray of float64, (columns, c2)
    """
    work = matrices.x.shape[1] * max(counts) * len(matrices.places)
    with one_thread() if work < _SMALL else nullcontext():
        left, right = _start(matrices, counts, rng, part(progress, 0, 1 / (iterations + 1)))
        for turn in range(iterations):
            step = part(progress, (turn + 1) / (iterations + 1), (turn + 2) / (iterations + 1))
            left = _polar(_towards_left(matrices, left, right, part(step, 0, 0.5)))
            right = _polar(_towards_right(matrices, left, right, part(step, 0.5, 1)))
    return left, right


def mean_squares(
    matrices: Matrices, left: Float64Matrix, right: Float64Matrix, progress: Progress = silent
) -> Float64Matrix:
    """Average the squares of the entries of R1' X R2, (c1, c2)."""
    total = np.zeros((left.shape[1], right.shape[1]))
    for block in matrices.blocks(progress):
        total += np.square(left.T @ _times(block, right)).sum(axis=0)
    return total / len(matrices.places)


def _start(
    matrices: Matrices, counts: tuple[int, int], rng: np.random.Generator, progress: Progress
) -> tuple[Float64Matrix, Float64Matrix]:
    rows, columns = matrices.shape
    of_rows, of_columns = np.zeros((rows, rows)), np.zeros((columns, columns))
    for block in matrices.blocks(progress):
        lying = block.transpose(1, 0, 2).reshape(rows, -1)
        standing = block.reshape(-1, columns)
        of_rows += lying @ lying.T
        of_columns += standing.T @ standing
    return _turned(of_rows, counts[0], rng), _turned(of_columns, counts[1], rng)


def _turned(square: Float64Matrix, count: int, rng: np.random.Generator) -> Float64Matrix:
    """Return the leading eigenvectors, turned at random: along them alone, few bits would carry all the variance."""
    _, vectors = np.linalg.eigh(square)
    return np.asarray(vectors[:, ::-1][:, :count] @ orthonormal(gaussian(count, count, rng)))


def _towards_left(matrices: Matrices, left: Float64Matrix, right: Float64Matrix, progress: Progress) -> Float64Matrix:
    """Sum X R2 B', (rows, c1)."""
    total = np.zeros_like(left)
    for block in matrices.blocks(progress):
        projected = _times(block, right)
        total += np.tensordot(projected, signs(left.T @ projected), axes=((0, 2), (0, 2)))
    return total


def _towards_right(matrices: Matrices, left: Float64Matrix, right: Float64Matrix, progress: Progress) -> Float64Matrix:
    """Sum X' R1 B, (columns, c2)."""
    total = np.zeros_like(right)
    for block in matrices.blocks(progress):
        projected = _times(block.transpose(0, 2, 1), left)
        flat = projected.transpose(0, 2, 1).reshape(-1, len(right))  # R1' X, of all matrices below each other
        total += flat.T @ signs(flat @ right)
    return total


def _times(block: Float64Matrix, factor: Float64Matrix) -> Float64Matrix:
    """Multiply all matrices of a block with one, in one product."""
    return np.asarray(block.reshape(-1, len(factor)) @ factor).reshape(*block.shape[:2], -1)


def _polar(towards: Float64Matrix) -> Float64Matrix:
    """Return the matrix of orthonormal columns that has the largest inner product with another one."""
    m, _, n_transposed = np.linalg.svd(towards, full_matrices=False)
    return np.asarray(m @ n_transposed)
