"""The directions in which groups differ most, rotated towards the signs.

Gong, Lazebnik, Gordo and Perronnin: Iterative Quantization, PAMI 2013, section 3.2: ITQ takes any directions in place
of the principal components, and with labels those of canonical correlation analysis find what the labels mean. With
centred items X (n, d) and the table of their labels Y (n, c), ones and zeros, centred:

    X'Y (Y'Y)^+ Y'X w = λ² (X'X + ρ I) w,   P = [λ_1 w_1, λ_2 w_2, ...]                        (eq. 7, scaled)

Fisher's linear discriminants ask for the same from the other side: S_b the scatter of the groups' means and S_w that
within the groups,

    S_b w = μ ((1 - s) S_w + s tr(S_w) / d I) w,   w' (...) w = 1

Both span the same space where nothing is regularised (Hastie, Buja and Tibshirani: Penalized Discriminant Analysis,
1995); they differ in how they hold down what few labels cannot know, and in the lengths of their columns.

There are at most one direction fewer than groups. Of fewer directions than bits, each bit begins as a random mixture of
them. The rotation R is that of ITQ on all items, labelled or not. Candidates are ranked by |P'(x - z)|, which no
rotation changes.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from twinlens.core.arrays import Float64Matrix, Int64Labels
from twinlens.core.declaration.declaration import parameter
from twinlens.core.hashing.hash_method import Encoder, HashMethod, LinearEncoder, SupervisedMethod
from twinlens.core.hashing.supervision import Supervision
from twinlens.core.message import NOTHING, Message
from twinlens.core.methods import METHODS
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.metrics.metric_forms import ExplicitMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import centred, column_mean, learn_rotation, principal
from twinlens.core.vectors import Vectors, one_thread, row_blocks

_COMPONENTS = 512
"""Principal components in which the directions are looked for: of longer vectors few labels know no more."""

_LEAST = 1e-9  # part of the largest eigenvalue below which a direction is rounding


@dataclass(frozen=True, eq=False)
class DiscriminantEncoder(LinearEncoder):
    """A linear encoder whose projections part groups, so that the distance between them ranks candidates.

    Attributes
    ----------
    spread : float
        What these distances are divided by (`FittedMetric.fitted_to`); 0 where nothing told groups apart.
    """

    spread: float = 0.0

    @cached_property
    def learned_metric(self) -> FittedMetric | None:
        """The length of P'(x - z), where labels gave P."""
        return ExplicitMetric.of(self.projection.T, self.spread) if self.spread else None


class SupervisedItq(SupervisedMethod):
    """Base of the two; a subclass finds the directions."""

    encoder: ClassVar[type[Encoder]] = DiscriminantEncoder

    iterations: int = parameter(50, ge=0, le=1_000, help="Turns of the rotation; more than 50 change little.")

    @property
    def untaught(self) -> HashMethod:
        """PCA + ITQ."""
        plain = METHODS.member("itq")
        assert plain is not None
        return plain().changed(bits=self.bits, seed=self.seed, iterations=self.iterations)

    def check(self, dimensions: int, matrix_shape: tuple[int, int] | None = None) -> None:
        """Refuse more bits than dimensions; see `HashMethod.check`."""
        self.check_within(dimensions)

    def learn(self, x: Vectors, supervision: Supervision, progress: Progress = silent) -> DiscriminantEncoder:
        """Find the directions, then the rotation; see `SupervisedMethod.learn`."""
        n, d = x.shape
        self.check(d)
        rng = np.random.default_rng(self.seed)
        mean = column_mean(x, part(progress, 0, 0.05))
        basis = principal(x, mean, min(d, _COMPONENTS), rng, part(progress, 0.05, 0.4))
        known = supervision.labels >= 0
        labels = np.unique(supervision.labels[known], return_inverse=True)[1]
        progress(0.4, 1, Message("Directions in which groups differ"))
        with one_thread():
            directions = self.directions(centred(x, mean, np.flatnonzero(known)) @ basis, labels)[:, : self.bits]
        k = directions.shape[1]
        mixing = np.eye(k) if k == self.bits else rng.standard_normal((k, self.bits)) / np.sqrt(self.bits)
        whole = basis @ directions @ mixing
        projected = np.empty((n, self.bits))
        for rows in row_blocks(n, d):
            progress(0.4 + 0.1 * rows.start / n, 1, Message("Projecting"))
            projected[rows] = centred(x, mean, rows) @ whole
        rotation = learn_rotation(projected, self.iterations, rng, part(progress, 0.5, 1))
        found = DiscriminantEncoder.of(mean, whole @ rotation, _note(k, self.bits, supervision))
        return replace(found, spread=ExplicitMetric.of(found.projection.T).fitted_to(x).spread)

    @abstractmethod
    def directions(self, z: Float64Matrix, labels: Int64Labels) -> Float64Matrix:
        """Return directions in columns, the most telling first, (k, at most c - 1).

        Parameters
        ----------
        z : ndarray of float64, (l, k)
            Labelled items in principal components.
        labels : ndarray of int64, (l,)
            From 0 to c - 1, each of them there.
        """


def _note(found: int, bits: int, supervision: Supervision) -> Message:
    if found == bits:
        return NOTHING
    return Message(
        "{groups} groups differ in {found} directions, fewer than {bits} bits: the bits are mixtures of them.",
        groups=len(np.unique(supervision.labels[supervision.labels >= 0])),
        found=found,
        bits=bits,
    )


class LdaItq(SupervisedItq):
    """Turns vectors into bits along the directions that part groups of photos from each other best.

    It learns from marks, folders or labels, and then turns these directions as itq does. Few bits say what many say
    without labels. Choose it where you have marked, or sorted into folders, what belongs together.
    """

    key = "lda-itq"
    title = "LDA + ITQ"
    paper = "Fisher 1936; Gong, Lazebnik, Gordo and Perronnin, PAMI 2013, section 3.2"

    shrinkage: float = parameter(
        0.5,
        ge=0,
        le=1,
        help="How far the scatter within groups is drawn towards that of no direction more than another. Fewer labels "
        "want more.",
    )

    def directions(self, z: Float64Matrix, labels: Int64Labels) -> Float64Matrix:
        """Solve S_b w = μ S_w w; see `SupervisedItq.directions`."""
        count = np.bincount(labels)
        means = np.zeros((len(count), z.shape[1]))
        np.add.at(means, labels, z)
        means /= count[:, None]
        off = z - means[labels]
        within = off.T @ off / len(z)
        apart = (means - z.mean(axis=0)) * np.sqrt(count / len(z))[:, None]
        return _leading_pairs(apart, _shrunk(within, self.shrinkage, z))[0]


class CcaItq(SupervisedItq):
    """Turns vectors into bits along the directions that go along with labels most.

    It is lda-itq from the other side: directions in which photos are most predictable from their group, longer ones
    where they are more so. Choose it as lda-itq; what they find is seldom far apart.
    """

    key = "cca-itq"
    title = "CCA + ITQ"
    paper = "Gong, Lazebnik, Gordo and Perronnin, PAMI 2013, section 3.2, eq. 7"

    ridge: float = parameter(
        1.0,
        ge=0,
        le=1e6,
        help="The paper's rho, in parts of the mean variance: how much is added to the variance of every direction. "
        "Fewer labels want more; the paper has 0.0001.",
    )

    def directions(self, z: Float64Matrix, labels: Int64Labels) -> Float64Matrix:
        """Solve X'Y (Y'Y)^+ Y'X w = λ² (X'X + ρ I) w, scaled by λ; see `SupervisedItq.directions`."""
        count = np.bincount(labels)
        z = z - z.mean(axis=0)
        sums = np.zeros((len(count), z.shape[1]))
        np.add.at(sums, labels, z)
        # Y'Y = diag(count) - count count' / l, of which 1 / diag(count) is a generalised inverse; any of them will do,
        # since the sums lie in its range.
        both = z.T @ z
        both += max(self.ridge, _LEAST) * np.trace(both) / len(both) * np.eye(len(both))
        found, squares = _leading_pairs(sums / np.sqrt(count)[:, None], both)
        return found * np.sqrt(squares)


def _shrunk(within: Float64Matrix, shrinkage: float, z: Float64Matrix) -> Float64Matrix:
    """Draw a scatter towards the identity; of items that are equal within their groups, towards that of all."""
    d = len(within)
    size = np.trace(within) / d or float(np.square(z).mean()) or 1.0
    return (1 - shrinkage) * within + max(shrinkage, _LEAST) * size * np.eye(d)


def _leading_pairs(a: Float64Matrix, b: Float64Matrix) -> tuple[Float64Matrix, Float64Matrix]:
    """Solve A'A w = λ B w with w'Bw = 1, A (c, k), B (k, k) positive definite: w in columns, and λ, the largest first.

    With B = L L' and A L'^-1 = U S V', w = L'^-1 V and λ = S²: no more of them than A has rows.
    """
    from scipy.linalg import solve_triangular

    lower = np.linalg.cholesky(b)
    _, s, v = np.linalg.svd(solve_triangular(lower, a.T, lower=True).T, full_matrices=False)
    kept = np.flatnonzero(s**2 > _LEAST * max(s[0] ** 2, np.finfo(np.float64).tiny))
    found = solve_triangular(lower.T, v[kept].T, lower=False)
    largest = np.take_along_axis(found, np.abs(found).argmax(axis=0)[None, :], axis=0)
    return found * np.where(largest < 0, -1.0, 1.0), s[kept] ** 2
