"""What hashing long vectors costs: two small matrices beside one large one, and principal components from a part.

Processor time of one thread, which bears a busy machine. The vectors are those of VLAD: 250 x 256 numbers that are
hashed, 12,800 whose principal components are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tests.benchmarks.comparison import Comparison, Peer, Run

DIMENSIONS = 250 * 256
BITS, QUICK_BITS = 6_400, 1_600

ITEMS, LENGTH, DIRECTIONS = 20_000, 12_800, 256
QUICK_ITEMS, QUICK_LENGTH, QUICK_DIRECTIONS = 4_000, 3_200, 64
SAMPLES = 0.05
"""Part of the items that is drawn, as the method does unless told otherwise; 0.3 of the dimensions."""

Floats = npt.NDArray[np.float32]


# ---- one matrix ------------------------------------------------------------------------------------------------------


def bilinear(method: str, bits: int) -> Run:
    """Encode one vector, as a search does."""
    from core.declaration import read
    from core.methods import METHODS

    x = np.random.default_rng(0).standard_normal((20, DIMENSIONS)).astype(np.float32)
    encoder = read(METHODS, f"{method}:bits={bits}").fit(x)
    return lambda: encoder.encode(x[:1])


def full_projection(bits: int) -> Run:
    """Multiply one vector with a matrix of as many columns as there are bits, in float32, and pack the signs."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, DIMENSIONS), np.float32)
    projection = rng.standard_normal((DIMENSIONS, bits), np.float32)
    return lambda: np.packbits(x @ projection >= 0, axis=1)


# ---- principal components --------------------------------------------------------------------------------------------


def spread(n: int, d: int, count: int) -> Floats:
    """Make vectors whose variances decay as those of descriptors do, and slowly beyond what is wanted."""
    rng = np.random.default_rng(1)
    shape = np.arange(1, 4 * count + 1, dtype=np.float32) ** np.float32(-0.6)
    x = (rng.standard_normal((n, 4 * count), np.float32) * shape) @ rng.standard_normal((4 * count, d), np.float32)
    x += np.float32(0.05 * np.sqrt(4 * count)) * rng.standard_normal((n, d), np.float32)
    return np.asarray(x / np.sqrt(np.float32(d)))


def nystrom_components(n: int, d: int, count: int, share: bool = False) -> Run:
    """Find directions by generalized Nyström with uniform sampling, centred, and orthogonalise them."""
    from core.nystrom import Sampling, nystrom
    from core.progress import silent
    from core.subspaces import column_mean, orthonormal

    x = spread(n, d, count)
    sampling = Sampling(SAMPLES, 0.3, weighted=False, truncation=1e-12)

    def find() -> npt.NDArray[np.float64]:
        mean = column_mean(x, silent)
        return orthonormal(nystrom(x, mean, count, sampling, rng=np.random.default_rng(0), progress=silent))

    return (lambda: {"share": variance_along(x, find())}) if share else find


def randomized_svd_components(n: int, d: int, count: int, share: bool = False) -> Run:
    """Find directions by scikit-learn's randomized SVD, 2 power iterations, in float32; centred before it starts."""
    from sklearn.utils.extmath import randomized_svd

    x = spread(n, d, count)
    x -= x.mean(axis=0)

    def find() -> npt.NDArray[np.float64]:
        _, _, right = randomized_svd(x, count, n_iter=2, random_state=0)
        return np.asarray(right.T, np.float64)

    return (lambda: {"share": variance_along(x, find())}) if share else find


def variance_along(x: Floats, directions: npt.NDArray[np.float64]) -> float:
    """Give the part of the variance of ``x`` that lies along orthonormal directions, (d, k)."""
    mean = x.mean(axis=0, dtype=np.float64)
    kept = whole = 0.0
    for start in range(0, len(x), 500):
        block = x[start : start + 500] - mean
        whole += float(np.square(block).sum())
        kept += float(np.square(block @ directions).sum())
    return kept / whole


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Give the lines of the table."""
    bits = QUICK_BITS if quick else BITS
    for method in ("bilinear-sik", "bilinear-lsh"):
        yield Comparison(
            f"{method}, one 250 x 256 matrix, {bits:,} bits",
            "the full projection",
            Peer(bilinear, {"method": method, "bits": bits}, threads=1),
            Peer(full_projection, {"bits": bits}, threads=1),
            20.0,
            50.0,
            "cpu",
            rounds=5,
        )
    n, d, count = (QUICK_ITEMS, QUICK_LENGTH, QUICK_DIRECTIONS) if quick else (ITEMS, LENGTH, DIRECTIONS)
    size = {"n": n, "d": d, "count": count}
    for what, figure, must, stretch in (("time", "cpu", 0.5, 0.25), ("variance kept", "share", 0.99, 0.995)):
        own = {**size, "share": figure == "share"}
        yield Comparison(
            f"generalized Nyström, {n:,} x {d:,} to {count}, {what}",
            "randomized SVD",
            Peer(nystrom_components, own, threads=1, warm_up=False),
            Peer(randomized_svd_components, own, threads=1, warm_up=False),
            must,
            stretch,
            figure,
            at_most=figure == "cpu",
            rounds=(3 if quick else 1) if figure == "cpu" else 1,
        )
