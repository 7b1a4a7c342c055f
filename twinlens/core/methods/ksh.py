"""Supervised hashing with kernels: bits whose agreement is what judged pairs say.

Liu, Wang, Ji, Jiang and Chang: Supervised Hashing with Kernels, CVPR 2012. An item is seen through its kernel values
at m anchors, less their means, k̄(x) = [k(x, x_1) - μ_1, ...] (eq. 2). Of l items that something is known of, S has 1
for similar pairs, -1 for different ones, and 0 where it is not known (eq. 4). The r bits of these items, H (l, r) in
-1 and 1, whose products agree with that best,

    min |H H' / r - S|² (eq. 6),        H = sign(K̄ A),

are found one after the other (eq. 9): with R_0 = r S and R_k = R_(k-1) - h_k h_k', bit k is

    max sign(K̄ a)' R_(k-1) sign(K̄ a)

1. without the signs it is the leading pair of K̄'R K̄ a = λ K̄'K̄ a (eq. 12), scaled so that |K̄ a|² = l;
2. from there, signs are smoothed to φ(z) = 2 / (1 + exp(-z)) - 1, and -φ(K̄ a)' R φ(K̄ a) descends by Nesterov's
   gradient, which is -K̄'((R b) ∘ (1 - b ∘ b)), b = φ(K̄ a) (eqs. 13 and 14);
3. the signs of 1 are kept where those of 2 are no better.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from twinlens.core import kernels
from twinlens.core.arrays import Float64Matrix, Float64Values
from twinlens.core.declaration.declaration import Nested, parameter
from twinlens.core.hashing.hash_method import Encoder, HashMethod, SupervisedMethod
from twinlens.core.hashing.kernel_hashing import KernelEncoder
from twinlens.core.hashing.supervision import Supervision
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.message import Message
from twinlens.core.methods import METHODS
from twinlens.core.progress import Progress, silent
from twinlens.core.projections.kernel_components import Components
from twinlens.core.projections.subspaces import draw_places, signs
from twinlens.core.vectors import Vectors, one_thread

_STILL = 1e-6  # part of the objective: a step that gains less is the last
_STEEPEST = 1e12  # where steps have become so short, no step goes down


class Ksh(SupervisedMethod):
    """Turns vectors into bits so that similar pairs share them and different ones do not, seen through a kernel.

    It learns from marked pairs as they are, or from folders and labels. Choose it where similar photos do not lie in
    one place, but in several; lda-itq takes a part of its time.
    """

    key = "ksh"
    title = "Supervised hashing with kernels"
    paper = "Liu, Wang, Ji, Jiang and Chang, CVPR 2012, Algorithm 1"
    encoder: ClassVar[type[Encoder]] = KernelEncoder

    kernel: Annotated[Kernel, Nested(lambda: kernels.KERNELS)] = parameter(
        Gaussian(), help="By what items are compared, and candidates ranked."
    )
    landmarks: int = parameter(
        300,
        ge=1,
        le=20_000,
        unit="items",
        help="Items through which all others are seen (m). More see more, and every code takes longer.",
    )
    labelled: int = parameter(
        1000,
        ge=2,
        le=20_000,
        unit="items",
        help="Items whose pairs the bits are fitted to (l), drawn at random where more is known. Time and memory grow "
        "with the square.",
    )
    iterations: int = parameter(
        50, ge=0, le=1_000, help="Steps of the gradient for each bit, at most; 0 leaves it at the spectral relaxation."
    )
    ridge: float = parameter(
        0.1,
        ge=0,
        le=1e6,
        help="Added to K̄'K̄ in parts of its mean eigenvalue, so that few labels do not learn noise. The paper has none.",
    )

    @property
    def untaught(self) -> HashMethod:
        """KPCA + ITQ, by the same kernel."""
        plain = METHODS.member("kpca-itq")
        assert plain is not None
        return plain().changed(bits=self.bits, seed=self.seed, kernel=self.kernel, landmarks=self.landmarks)

    def learn(self, x: Vectors, supervision: Supervision, progress: Progress = silent) -> KernelEncoder:
        """Fit bit after bit; see `SupervisedMethod.learn`."""
        rng = np.random.default_rng(self.seed)
        progress(0, 1, Message("Choosing landmarks"))
        kernel = self.kernel.fitted_to(x, rng)
        kernel.check(x)
        anchors = np.ascontiguousarray(x[draw_places(len(x), self.landmarks, rng)], np.float32)
        rows, similar = supervision.similarities(self.labelled, rng)
        against = kernel.against(anchors)
        progress(0.02, 1, Message("Evaluating the kernel"))
        mean = against.values(x[draw_places(len(x), self.sample_size, rng)]).mean(axis=0)
        with one_thread():
            weights = self._fitted(against.values(x[rows]) - mean, similar, progress)
        no_axes = np.zeros((len(anchors), 0))
        return KernelEncoder.of(Components(kernel, None, anchors, mean, np.zeros(0), no_axes), weights)

    def _fitted(self, k: Float64Matrix, similar: Float64Matrix, progress: Progress) -> Float64Matrix:
        """Return A, (m, r), of K̄ of the labelled items, (l, m), and of S."""
        residual = self.bits * similar
        whitening = _whitening(k, self.ridge)
        white = k @ whitening
        found = np.empty((k.shape[1], self.bits))
        for bit in range(self.bits):
            progress(0.1 + 0.9 * bit / self.bits, 1, Message("Fitting bits to pairs"))
            relaxed = whitening @ _leading(white.T @ residual @ white)
            relaxed *= np.sqrt(len(k)) / (np.linalg.norm(k @ relaxed) or 1.0)
            best = max((relaxed, smoothed(k, residual, relaxed, self.iterations)), key=lambda a: _fit(k, residual, a))
            found[:, bit] = best
            h = signs(k @ best)
            residual = residual - np.outer(h, h)
        return found


def smoothed(k: Float64Matrix, residual: Float64Matrix, start: Float64Values, iterations: int) -> Float64Values:
    """Descend the smoothed objective by accelerated gradient, (l, m), (l, l), (m,) -> (m,); steps are halved as needed.

    A step that does not go down starts the acceleration anew.
    """
    here, ahead, pace, steep = start, start, 1.0, 1.0
    value, _ = _objective(k, residual, here)
    for _ in range(iterations):
        level, slope = _objective(k, residual, ahead)
        square = float(slope @ slope)
        if square == 0.0:
            break
        while (reached := _objective(k, residual, ahead - slope / steep)[0]) > level - square / (2 * steep):
            steep *= 2
            if steep > _STEEPEST:
                return here
        after = ahead - slope / steep
        if reached >= value:
            if ahead is here:
                break
            ahead, pace = here, 1.0
            continue
        gained = value - reached
        quicker = (1 + np.sqrt(1 + 4 * pace**2)) / 2
        ahead = after + (pace - 1) / quicker * (after - here)
        here, value, pace = after, reached, quicker
        steep /= 2
        if gained < _STILL * abs(value):
            break
    return here


def _objective(k: Float64Matrix, residual: Float64Matrix, a: Float64Values) -> tuple[float, Float64Values]:
    """Return -φ(K̄ a)' R φ(K̄ a) and its gradient."""
    b = np.tanh((k @ a) / 2)  # 2 / (1 + exp(-z)) - 1
    moved = residual @ b
    return -float(b @ moved), -(k.T @ (moved * (1 - b * b)))


def _fit(k: Float64Matrix, residual: Float64Matrix, a: Float64Values) -> float:
    """Return sign(K̄ a)' R sign(K̄ a)."""
    h = signs(k @ a)
    return float(h @ residual @ h)


def _whitening(k: Float64Matrix, ridge: float) -> Float64Matrix:
    """Return W with W'(K̄'K̄ + ridge) W = I, (m, q): without directions that are rounding."""
    squares, vectors = np.linalg.eigh(k.T @ k)
    squares = squares + ridge * max(float(squares.mean()), 0.0)
    kept = squares > 1e-10 * squares[-1] if squares[-1] > 0 else np.zeros(len(squares), bool)
    return np.asarray(vectors[:, kept] / np.sqrt(squares[kept]))


def _leading(matrix: Float64Matrix) -> Float64Values:
    """Return the eigenvector of the largest eigenvalue, its largest entry positive."""
    if not len(matrix):
        return np.zeros(0)
    from scipy.linalg import eigh

    _, vectors = eigh(matrix, subset_by_index=[len(matrix) - 1, len(matrix) - 1], driver="evr")
    vector = vectors[:, 0]
    return np.asarray(vector if vector[np.abs(vector).argmax()] > 0 else -vector)
