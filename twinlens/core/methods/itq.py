"""Principal components, rotated towards the signs.

Gong and Lazebnik: Iterative Quantization, CVPR 2011, on a subspace that is computed in full or approximated as in
Yun, Kim, Choi: Hashing with Generalized Nyström Approximation, ICDM 2012, Algorithm 1:

    P (d, b) a subspace,  R the rotation of |sign(V R) - V R| least,  V = (X - mean) P       bits: sign((x - mean) P R)
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.declaration import parameter
from twinlens.core.hashing.hash_method import Encoder, HashMethod, LinearEncoder
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import (
    OVERSAMPLING,
    NystromSampling,
    Watch,
    centred,
    column_mean,
    draw_places,
    gaussian,
    learn_rotation,
    nystrom,
    orthonormal,
    padded,
    principal,
)
from twinlens.core.vectors import Vectors, row_blocks, training_vectors


class Itq(HashMethod):
    """Turns vectors into bits along the directions in which the library varies most, rotated so that little is lost.

    It learns the principal components of the data, then turns them until the signs, which are the bits, are as near to
    the projected data as can be (ITQ). Choose it for short codes, up to as many bits as the vectors have dimensions;
    refit it when a library has become another one.
    """

    key = "itq"
    version = 2
    title = "PCA + ITQ"
    paper = "Gong and Lazebnik, CVPR 2011; Yun, Kim and Choi, ICDM 2012, Algorithm 1"
    encoder: ClassVar[type[Encoder]] = LinearEncoder

    subspace: Literal["pca", "nystrom-uniform", "nystrom-weighted", "random"] = parameter(
        "pca",
        help="Where the directions come from: principal components; their approximation from a part of items and "
        "dimensions, drawn uniformly or by their length, which is faster for long vectors; or at random.",
    )
    sample_fraction: float = parameter(
        0.05, gt=0, le=1, help="Part of the items that the Nyström subspaces draw; more is nearer to pca, and slower."
    )
    feature_fraction: float = parameter(
        0.3, gt=0, le=1, help="Part of the dimensions that the Nyström subspaces draw; more is nearer to pca, too."
    )
    least_drawn: float = parameter(
        OVERSAMPLING,
        ge=0,
        le=100,
        help="Items and dimensions that the Nyström subspaces draw at least for each bit, where there are as many. "
        "Below 1 some directions are random; the paper has no such limit.",
    )
    orthogonalise: bool = parameter(
        True, help="Make the directions orthogonal by QR. Off is the paper's letter, and ranks worse."
    )
    refine: bool = parameter(
        True,
        help="Turn the orthogonal Nyström directions once towards the data, by a step of subspace iteration on another "
        "draw of as many items. It keeps more of the variance; off is the paper's.",
    )
    truncation: float = parameter(
        1e-12,
        ge=0,
        le=1,
        help="The paper's gamma: leave out Nyström directions whose squared singular value is below this part of the "
        "largest there could be. Larger leaves out more.",
    )
    iterations: int = parameter(50, ge=0, le=1_000, help="Turns of the rotation; more than 50 change little.")
    training_items: int = parameter(
        20_000,
        ge=1,
        le=10_000_000,
        unit="items",
        help="How many items, drawn at random, everything is learned from; fractions are of these. More takes longer.",
    )

    @property
    def sample_size(self) -> int:
        """Return how many items are worth passing to :meth:`fit`: those that it learns from."""
        return self.training_items

    def check(self, dimensions: int, matrix_shape: tuple[int, int] | None = None) -> None:
        """Refuse more bits than dimensions; see `HashMethod.check`."""
        self.check_within(dimensions)

    def fit(self, x: Vectors, progress: Progress = silent) -> LinearEncoder:
        """Learn subspace and rotation.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.

        Returns
        -------
        LinearEncoder
            Its note says how many directions are random because the items did not give so many.

        Raises
        ------
        TwinlensError
            If ``bits`` is more than d (says d), no row is left, or one is not finite.
        """
        return self.learn(x, progress)

    def learn(self, x: Vectors, progress: Progress = silent, watch: Watch | None = None) -> LinearEncoder:
        """Do the same while somebody looks on at the turns of the rotation, which changes nothing."""
        x = training_vectors(x)
        n, d = x.shape
        self.check(d)
        rng = np.random.default_rng(self.seed)
        mean = column_mean(x, part(progress, 0, 0.05))
        found = self._directions(x, mean, rng, part(progress, 0.05, 0.3))
        directions = padded(found, self.bits, rng)
        rows = draw_places(n, self.training_items, rng)
        projected = np.empty((len(rows), self.bits))
        for block in row_blocks(len(rows), d):
            progress(0.3 + 0.05 * block.start / len(rows), 1, Message("Projecting"))
            projected[block] = centred(x, mean, rows[block]) @ directions
        rotation = learn_rotation(projected, self.iterations, rng, part(progress, 0.35, 1), watch)
        return LinearEncoder.of(mean, directions @ rotation, _note(found.shape[1], self.bits, n))

    def _directions(
        self, x: Vectors, mean: Float64Matrix, rng: np.random.Generator, progress: Progress
    ) -> Float64Matrix:
        """Return the directions of the subspace that the data determine, (d, k), k <= bits."""
        if self.subspace == "pca":
            return principal(x, mean, self.bits, rng, progress)
        if self.subspace == "random":
            directions = gaussian(x.shape[1], self.bits, rng)
        else:
            sampling = NystromSampling(
                self.sample_fraction,
                self.feature_fraction,
                self.subspace == "nystrom-weighted",
                self.truncation,
                self.least_drawn,
            )
            directions = nystrom(
                x, mean, self.bits, sampling, rng=rng, progress=progress, improve=self.refine and self.orthogonalise
            )
        return orthonormal(directions) if self.orthogonalise else directions


def _note(found: int, bits: int, n: int) -> Message:
    if found == bits:
        return NOTHING
    return Message(
        "{found} of {bits} directions were learned; the others are random, for what was learned from (items: {n}) "
        "shows no more.",
        found=found,
        bits=bits,
        n=n,
    )
