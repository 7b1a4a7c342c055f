"""Common part of hash methods by bilinear random projections: the shape of the matrix, and what is drawn."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Vectors
from core.declaration.declaration import parameter
from core.errors import TwinlensError
from core.hashing.bilinear_encoder import draw_bilinear, refuse_without_matrix, squarest
from core.hashing.hash_method import HashMethod
from core.message import Message


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
                Message(
                    "Vectors of {dimensions} dimensions cannot be laid out as a matrix of {rows} rows.",
                    dimensions=dimensions,
                    rows=self.rows,
                ),
                Message("Choose a number of rows that divides the dimensions."),
            )
        return self.rows, dimensions // self.rows

    def check(self, dimensions: int, matrix_shape: tuple[int, int] | None = None) -> None:
        """Refuse vectors that are no matrices; see `HashMethod.check`."""
        refuse_without_matrix(self.key, matrix_shape)
        self.shape(dimensions)

    def drawn(
        self, dimensions: int, rng: np.random.Generator
    ) -> tuple[Float32Vectors, Float32Vectors, npt.NDArray[np.int64]]:
        """Draw W, V, and which entries are kept, as :func:`core.hashing.bilinear_encoder.draw_bilinear` does.

        Raises
        ------
        TwinlensError
            If the vectors cannot be laid out so.
        """
        side = math.isqrt(self.bits - 1) + 1
        left, right = (side, side) if self.left is None else (self.left, -(-self.bits // self.left))
        counts = self.oversampling * left, self.oversampling * right
        return draw_bilinear(self.shape(dimensions), counts, self.bits, rng)
