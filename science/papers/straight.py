"""The papers' methods once more, straight from the formulas in plain NumPy: an independent check of the codes.

With them stand the costs of random projections and Theorem 3 of Kim and Choi (CVPR 2015), for which the program has no
use.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix, Float64Values

Bits = npt.NDArray[np.bool_]
Kernel = Callable[[Float64Matrix, Float64Matrix], Float64Matrix]


def chi_square(x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
    """Return sum of 2xz / (x + z), 0/0 = 0."""
    total = np.zeros((len(x), len(z)))
    for column in range(x.shape[1]):
        a, b = x[:, column, None], z[None, :, column]
        both = a + b
        total += 2 * a * b / np.where(both > 0, both, 1)
    return total


def intersection(x: Float64Matrix, z: Float64Matrix) -> Float64Matrix:
    """Return sum of min(x, z)."""
    total = np.zeros((len(x), len(z)))
    for column in range(x.shape[1]):
        total += np.minimum(x[:, column, None], z[None, :, column])
    return total


def polynomial(x: Float64Matrix, z: Float64Matrix, a: float = 0.01, c: float = 1.0, p: int = 2) -> Float64Matrix:
    """Return (a x.z + c)^p."""
    return np.asarray((a * x @ z.T + c) ** p)


def transformed(kernel: Kernel, s: float) -> Kernel:
    """Return exp(s (k - 1)) (JQK eq. 6)."""
    return lambda x, z: np.exp(s * (kernel(x, z) - 1))


# ---- JQK -------------------------------------------------------------------------------------------------------------
def klsh(
    x: Float64Matrix,
    *tables: Float64Matrix,
    kernel: Kernel,
    b: int,
    m: int,
    t: int = 50,
    r: int | None = None,
    centre_query: bool = True,
    seed: int = 0,
) -> list[Bits]:
    """Hash by W = U_r L_r^(-1/2) U_r' E; r None keeps all (KLSH), fewer is the low-rank form."""
    rng = np.random.default_rng(seed)
    landmarks = x[rng.permutation(len(x))[:m]]
    k = kernel(landmarks, landmarks)
    h = np.eye(m) - np.ones((m, m)) / m
    values, vectors = np.linalg.eigh(h @ k @ h)
    values, vectors = values[::-1], vectors[:, ::-1]
    count = int((values > 1e-9 * values[0]).sum()) if r is None else r
    values, vectors = values[:count], vectors[:, :count]
    e = np.zeros((m, b))
    for j in range(b):
        e[rng.choice(m, t, replace=False), j] = 1
    w = vectors @ np.diag(values**-0.5) @ vectors.T @ e
    mean = k.mean(axis=0) if centre_query else np.zeros(m)
    return [(kernel(table, landmarks) - mean) @ w >= 0 for table in tables]


def nystrom_lsh(
    x: Float64Matrix, *tables: Float64Matrix, kernel: Kernel, b: int, m: int, r: int | None = None, seed: int = 0
) -> list[Bits]:
    """Hash by W = U_r L_r^(-1/2) G of the uncentred K."""
    rng = np.random.default_rng(seed)
    landmarks = x[rng.permutation(len(x))[:m]]
    values, vectors = np.linalg.eigh(kernel(landmarks, landmarks))
    values, vectors = values[::-1], vectors[:, ::-1]
    count = int((values > 1e-9 * values[0]).sum()) if r is None else r
    w = vectors[:, :count] / np.sqrt(values[:count]) @ rng.standard_normal((count, b))
    return [kernel(table, landmarks) @ w >= 0 for table in tables]


# ---- BC --------------------------------------------------------------------------------------------------------------
def preimage_klsh(
    x: Float64Matrix, *tables: Float64Matrix, kernel: Kernel, b: int, p: int = 300, t: int = 50, seed: int = 0
) -> list[Bits]:
    """Hash by k(x, g_j) - o_j, g = S' K^(-3/2) K E / sqrt(t)."""
    rng = np.random.default_rng(seed)
    landmarks = x[rng.permutation(len(x))[:p]]
    h = np.eye(p) - np.ones((p, p)) / p
    centred = h @ kernel(landmarks, landmarks) @ h
    values, vectors = np.linalg.eigh(centred)
    kept = values > 1e-9 * values.max()
    power = (vectors[:, kept] * values[kept] ** -1.5) @ vectors[:, kept].T
    e = np.zeros((p, b))
    for j in range(b):
        e[rng.choice(p, t, replace=False), j] = 1
    preimages = (landmarks.T @ (power @ (centred @ e) / np.sqrt(t))).T
    offsets = kernel(landmarks, preimages).mean(axis=0)
    return [kernel(table, preimages) - offsets >= 0 for table in tables]


# ---- KC --------------------------------------------------------------------------------------------------------------
def gamma_of(x: Float64Matrix, seed: int = 0) -> float:
    """Return 1 / (2 tau^2), tau the average distance to the 50th neighbour over 300 items."""
    asked = x[np.random.default_rng(seed).permutation(len(x))[:300]]
    squares = (asked**2).sum(axis=1)[:, None] - 2 * asked @ x.T + (x**2).sum(axis=1)
    return float(1 / (2 * np.sqrt(np.sort(np.maximum(squares, 0), axis=1)[:, 50]).mean() ** 2))


def sik(x: Float64Matrix, *tables: Float64Matrix, b: int, seed: int = 0) -> list[Bits]:
    """Hash by cos(w'x + b) + t for the Gaussian kernel."""
    rng = np.random.default_rng(seed)
    w = np.sqrt(2 * gamma_of(x, seed)) * rng.standard_normal((x.shape[1], b))
    offsets, thresholds = rng.uniform(0, 2 * np.pi, b), rng.uniform(-1, 1, b)
    return [np.cos(table @ w + offsets) + thresholds >= 0 for table in tables]


def bilinear_sik(
    x: Float64Matrix, *tables: Float64Matrix, shape: tuple[int, int], b: int, m: int, seed: int = 0
) -> list[Bits]:
    """Hash by cos(vec(W'XV) + b) + t, a random b of the (m ceil(sqrt b))^2 bits (Algorithm 1)."""
    rng = np.random.default_rng(seed)
    s = m * int(np.ceil(np.sqrt(b)))
    w, v = rng.standard_normal((shape[0], s)), rng.standard_normal((shape[1], s))
    kept = rng.permutation(s * s)[:b]
    offsets, thresholds = rng.uniform(0, 2 * np.pi, b), rng.uniform(-1, 1, b)
    scale = np.sqrt(2 * gamma_of(x, seed))
    found = []
    for table in tables:
        projected = np.einsum("iw,nij,jv->nwv", w, scale * table.reshape(-1, *shape), v, optimize=True)
        found.append(np.cos(projected.reshape(len(table), -1)[:, kept] + offsets) + thresholds >= 0)
    return found


# ---- YKC -------------------------------------------------------------------------------------------------------------
def itq(
    x: Float64Matrix, *tables: Float64Matrix, b: int, subspace: str = "pca", qr: bool = True, seed: int = 0
) -> list[Bits]:
    """Hash by sign((x - mean) P R); P by full PCA, uniform generalized Nystrom (5 %, 30 %) or at random."""
    rng = np.random.default_rng(seed)
    mean = x.mean(axis=0)
    centred = x - mean
    n, d = x.shape
    if subspace == "pca":
        p = np.linalg.eigh(centred.T @ centred)[1][:, : -b - 1 : -1]
    elif subspace == "random":
        p = rng.standard_normal((d, b))
    else:
        c, r = max(int(np.ceil(0.05 * n)), int(1.5 * b)), min(d, max(int(np.ceil(0.3 * d)), int(1.5 * b)))
        sampled = centred[rng.choice(n, c, replace=False)].T * np.sqrt(n / c)  # C, (d, c)
        w = sampled[rng.choice(d, r, replace=False)] * np.sqrt(d / r)
        _, sigma, v = np.linalg.svd(w, full_matrices=False)
        p = sampled @ v[:b].T / sigma[:b]
    if qr:
        p = np.linalg.qr(p)[0]
    projected = centred @ p
    rotation = np.linalg.qr(rng.standard_normal((b, b)))[0]
    for _ in range(50):
        signs = np.where(projected @ rotation >= 0, 1.0, -1.0)
        left, _, right = np.linalg.svd(signs.T @ projected)
        rotation = (left @ right).T
    return [(table - mean) @ p @ rotation >= 0 for table in tables]


# ---- what they find --------------------------------------------------------------------------------------------------
def recall(base: Bits, queries: Bits, nearest: npt.NDArray[np.intp], first: int) -> float:
    """Get recall@R of the Hamming ranking, expected over the orders of ties; ``nearest`` (q,) is the true nearest."""
    a, z = np.where(queries, 1.0, -1.0), np.where(base, 1.0, -1.0)
    differing = np.rint((a.shape[1] - a @ z.T) / 2).astype(int)  # a product of signs is the bits alike less the others
    own = differing[np.arange(len(queries)), nearest][:, None]
    nearer, tied = (differing < own).sum(axis=1), (differing == own).sum(axis=1)
    return float(np.clip((first - nearer) / tied, 0, 1).mean())


_TERMS = 200


def covariance_bound(kernel: npt.ArrayLike) -> Float64Values:
    """Return Theorem 3's upper bound on the covariance of two bits that share a projection.

        64/π⁴ [ (Σ_j κ^(0.79 j²) / (4j² - 1))² - (Σ_j κ^(j²) / (4j² - 1))² ]

    Examples
    --------
    >>> covariance_bound([0.0, 0.5, 1.0]).round(4).tolist()
    [0.0, 0.0072, 0.0]
    """
    kappa = np.asarray(kernel, np.float64)[..., None]
    j = np.arange(1, _TERMS + 1, dtype=np.float64)
    weights = 1 / (4 * j**2 - 1)
    wide, narrow = ((kappa ** (power * j**2) * weights).sum(axis=-1) for power in (0.79, 1.0))
    return np.asarray(64 / np.pi**4 * (wide**2 - narrow**2))


def multiplications(bits: int, shape: tuple[int, int], m: int | None) -> int:
    """Count the multiplications that projecting one matrix takes: single where ``m`` is None, else bilinear.

    Examples
    --------
    >>> multiplications(400, (250, 256), None), multiplications(400, (250, 256), 5)
    (25600000, 8960000)
    """
    if m is None:
        return bits * shape[0] * shape[1]
    side = m * math.isqrt(bits - 1) + m
    return shape[0] * shape[1] * side + shape[1] * side * side


def floats(bits: int, shape: tuple[int, int], m: int | None) -> int:
    """Count the numbers of the projections, and an offset and a threshold for each bit.

    Examples
    --------
    >>> floats(6400, (250, 256), None), floats(6400, (250, 256), 5)
    (409612800, 215200)
    """
    if m is None:
        return bits * (shape[0] * shape[1] + 2)
    side = m * math.isqrt(bits - 1) + m
    return sum(shape) * side + 2 * bits
