"""Cost of hashing long vectors: two small matrices beside one large one, and principal components from a part.

Times are processor times of one thread, which a busy machine hardly changes. The vectors that are hashed are as long as
those of VLAD, 250 x 256 numbers; principal components are those of pixels of photographs, 80 x 160.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from science.benchmarks.comparison import Peer, Run, SpeedComparison
from twinlens.core.arrays import Float32Vectors

DIMENSIONS = 250 * 256
BITS = 6_400

ITEMS, LENGTH, DIRECTIONS = 20_000, 12_800, 256
QUICK_ITEMS, QUICK_LENGTH, QUICK_DIRECTIONS = 4_000, 3_200, 64
SAMPLES = 0.05
"""Part of the items that is drawn, as the method does unless told otherwise; 0.3 of the dimensions."""


# ---- one matrix ------------------------------------------------------------------------------------------------------


def bilinear(method: str, bits: int) -> Run:
    """Encode one vector, as a search does."""
    from twinlens.core.declaration.declaration import read_declaration
    from twinlens.core.methods import METHODS

    x = np.random.default_rng(0).standard_normal((20, DIMENSIONS)).astype(np.float32)
    encoder = read_declaration(METHODS, f"{method}:bits={bits}").fit(x)
    return lambda: encoder.encode(x[:1])


def full_projection(bits: int) -> Run:
    """Multiply one vector with a matrix of as many columns as there are bits, in float32, and pack the signs."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, DIMENSIONS), np.float32)
    projection = rng.standard_normal((DIMENSIONS, bits), np.float32)
    return lambda: np.packbits(x @ projection >= 0, axis=1)


# ---- principal components --------------------------------------------------------------------------------------------


def patches(n: int, d: int) -> Float32Vectors:
    """Cut n patches, twice as wide as high, d grey pixels each, out of scikit-learn's two photographs.

    Made-up vectors would decide the answer: how much a part of the items tells depends on how fast variances fall.
    """
    from sklearn.datasets import load_sample_images

    photographs = [rgb.mean(axis=2, dtype=np.float32) for rgb in load_sample_images().images]
    rng = np.random.default_rng(1)
    height = math.isqrt(d // 2)
    x = np.empty((n, height, 2 * height), np.float32)
    for i in range(n):
        grey = photographs[i % len(photographs)]
        top, left = rng.integers(0, grey.shape[0] - height), rng.integers(0, grey.shape[1] - 2 * height)
        x[i] = grey[top : top + height, left : left + 2 * height]
    return x.reshape(n, d)


def nystrom_components(n: int, d: int, count: int) -> Run:
    """Find directions by generalized Nyström with uniform sampling, centred, improve and orthogonalise them."""
    from twinlens.core.progress import silent
    from twinlens.core.projections.subspaces import NystromSampling, column_mean, nystrom, orthonormal

    x = patches(n, d)
    sampling = NystromSampling(SAMPLES, 0.3, weighted=False, truncation=1e-12)

    def find() -> npt.NDArray[np.float64]:
        mean = column_mean(x, silent)
        found = nystrom(x, mean, count, sampling, rng=np.random.default_rng(0), progress=silent, improve=True)
        return orthonormal(found)

    return _judged(find, x)


def randomized_svd_components(n: int, d: int, count: int) -> Run:
    """Find directions by scikit-learn's randomized SVD, 2 power iterations, in float32; centred before it starts."""
    from sklearn.utils.extmath import randomized_svd

    x = patches(n, d)
    x -= x.mean(axis=0)

    def find() -> npt.NDArray[np.float64]:
        _, _, right = randomized_svd(x, count, n_iter=2, random_state=0)
        return np.asarray(right.T, np.float64)

    return _judged(find, x)


def _judged(find: Callable[[], npt.NDArray[np.float64]], x: Float32Vectors) -> Run:
    """Say what finding directions takes, and how much of the variance lies along them, which takes time of its own."""

    def run() -> dict[str, float]:
        began = time.process_time()
        found = find()
        return {"cpu": time.process_time() - began, "share": variance_along(x, found)}

    return run


def variance_along(x: Float32Vectors, directions: npt.NDArray[np.float64]) -> float:
    """Return the part of the variance of ``x`` that lies along orthonormal directions, (d, k)."""
    mean = x.mean(axis=0, dtype=np.float64)
    kept = whole = 0.0
    for start in range(0, len(x), 500):
        block = x[start : start + 500] - mean
        whole += float(np.square(block).sum())
        kept += float(np.square(block @ directions).sum())
    return kept / whole


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines of the table."""
    for method in ("bilinear-sik",) if quick else ("bilinear-sik", "bilinear-lsh"):
        yield SpeedComparison(
            f"{method}, one 250 x 256 matrix, {BITS:,} bits",
            "the full projection",
            Peer(bilinear, {"method": method, "bits": BITS}, threads=1),
            Peer(full_projection, {"bits": BITS}, threads=1),
            20.0,
            50.0,
            "cpu",
            rounds=5,
            seconds=25,
        )
    n, d, count = (QUICK_ITEMS, QUICK_LENGTH, QUICK_DIRECTIONS) if quick else (ITEMS, LENGTH, DIRECTIONS)
    size = {"n": n, "d": d, "count": count}
    for what, figure, must, stretch in (("time", "cpu", 0.5, 0.25), ("variance kept", "share", 0.99, 0.995)):
        yield SpeedComparison(
            f"generalized Nyström, {n:,} x {d:,} to {count}, {what}",
            "randomized SVD",
            Peer(nystrom_components, size, threads=1, warm_up=False),
            Peer(randomized_svd_components, size, threads=1, warm_up=False),
            must,
            stretch,
            figure,
            at_most=figure == "cpu",
            rounds=3 if quick else 1,
            seconds=15 if quick else 150,
        )
