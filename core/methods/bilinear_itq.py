"""Bilinear projections that are learned.

Gong, Kumar, Rowley and Lazebnik: Learning Binary Codes for High-Dimensional Data Using Bilinear Projections, CVPR 2013,
section 3, with R1 (rows, c1) and R2 (columns, c2) of :mod:`core.projections.bilinear_rotations`:

    bits: sgn(vec(R1' X R2))        X a centred vector laid out as a matrix; of c1 c2 entries those of largest variance
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from core.arithmetic.exact_product import to_grid
from core.declaration.declaration import parameter
from core.errors import TwinlensError
from core.hashing.bilinear_encoder import BilinearEncoder, refuse_without_matrix, squarest
from core.hashing.hash_method import Encoder, HashMethod
from core.message import Message
from core.progress import Progress, part, silent
from core.projections.bilinear_rotations import Matrices, learn_rotations, mean_squares, sides
from core.projections.subspaces import column_mean, draw_places
from core.vectors import Vectors, training_vectors


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
                Message(
                    "{key} gives at most as many bits as the vectors have dimensions, here {dimensions}, not {bits}.",
                    key=self.key,
                    dimensions=dimensions,
                    bits=self.bits,
                ),
                Message(
                    "Write {changed}, or choose bilinear-lsh, which takes any number of bits.",
                    changed=self.changed(bits=dimensions).text(),
                ),
            )

    def fit(self, x: Vectors, progress: Progress = silent) -> BilinearEncoder:
        """Learn both rotations, and choose the entries that vary most.

        Parameters
        ----------
        x : ndarray, (n, d)
            Matrices, row by row, of the shape nearest to a square; rows that are zero throughout are left out.
        progress : Progress

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
