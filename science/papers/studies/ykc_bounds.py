"""Theorems 1 and 2 of Yun, Kim and Choi (ICDM 2012) beside what they bound, over the part of items that is drawn.

With X the data, m features by n items, less their mean; C its c drawn items, scaled by √(n/c); W its r drawn features
of these, scaled by √(m/r); δ the chance to fail, and α(u, v) = uv / (u + v - 1/2) / (1 - 1/(2 max(u, v))):

    Theorem 1    |XX' - CC'|_F <= (1 + η) n/√c max|x|²                          η = √(log(2/δ) α(c, n - c) / c)
    Theorem 2    |X - ÛÛ'X|_F <= |X - X_k|_F + √(n ε₁ (1 + η₁)) max|x| + (m ε₂ (1 + η₂) + E) |X|_2

with log(4/δ) in η₁ and η₂, E = √2 |C - C_k|_F / (√γ |C|_2) + √(k - k̃), c >= 4k/ε₁² and r >= 1/(γ² ε₂²). The paper
gives neither ε nor γ: taken are the smallest ε that c and r allow, and the largest γ by which the truncation keeps all
k singular values, so that the bound is as small as it can be. Û is the orthonormal basis of the directions found.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from science.papers.size import Tables
from twinlens.core.arrays import Float64Matrix
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.projections.subspaces import column_mean, draw_places, orthonormal

DATA = ("sift", "fashion-mnist")
CASES = ("sift part", "fashion-mnist part")
REPEATS = 5
K, DELTA, FEATURES = 32, 0.1, 0.5
"""Directions, the chance to fail, and the part of the features that is drawn."""

SHARES = (0.003, 0.01, 0.03, 0.1, 0.3)
MOST = 20_000
"""Items, the first."""


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return of each share of items both sides of both theorems, all as parts of |XX'|_F and of |X|_F, by draw."""
    name, array = case.split()
    rows = np.asarray(tables(name, array)[:MOST], np.float32)
    x: Float64Matrix = rows.astype(np.float64) - column_mean(rows, silent)
    whole = x.T @ x
    values = np.asarray(np.linalg.eigvalsh(whole)[::-1], np.float64)
    found: dict[str, Any] = {}
    for place, share in enumerate(SHARES):
        runs: dict[str, list[float]] = {}
        for seed in range(repeats):
            progress(place + seed / repeats, len(SHARES), Message("Bounds of {case}", case=case))
            for figure, value in sides(x, whole, values, share, np.random.default_rng(seed)).items():
                runs.setdefault(figure, []).append(value)
        found[f"{share:g}"] = runs
    lengths = np.linalg.norm(x, axis=1)
    return {
        "items": len(x),
        "features": x.shape[1],
        "longest": float(lengths.max() / math.sqrt(np.square(lengths).mean())),
        "shares": found,
    }


def sides(
    x: Float64Matrix, whole: Float64Matrix, values: Float64Matrix, share: float, rng: np.random.Generator
) -> dict[str, float]:
    """Return what Theorem 1 and 2 bound and the bounds, as parts of |XX'|_F and |X|_F, from one draw.

    Parameters
    ----------
    x : ndarray, (n, m)
        Items in rows, less their mean.
    whole, values : ndarray, (m, m) and (m,)
        XX', and its eigenvalues, the largest first.
    share : float
        Of the items.
    """
    n, m = x.shape
    c, r = max(2 * K, math.ceil(share * n)), max(2 * K, math.ceil(FEATURES * m))
    drawn = x[draw_places(n, c, rng)] * math.sqrt(n / c)  # C'
    features = draw_places(m, r, rng)
    w = drawn[:, features] * math.sqrt(m / r)  # W'
    longest = float(np.square(x).sum(axis=1).max())
    squares, vectors = np.linalg.eigh(w.T @ w if c >= r else w @ w.T)
    squares, vectors = squares[::-1][:K], vectors[:, ::-1][:, :K]
    right = w @ (vectors / squares) if c >= r else vectors / np.sqrt(squares)  # V Σ⁺ of W
    basis = orthonormal(drawn.T @ right)
    residual = math.sqrt(max(0.0, float(np.trace(whole) - np.einsum("ij,ij->", basis, whole @ basis))))
    of_c = np.linalg.eigvalsh(drawn.T @ drawn)[::-1]
    sizes = np.abs(drawn)
    gamma = float(squares[-1] / (sizes.sum(axis=1).max() * sizes.sum(axis=0).max()))
    one, two = 2 * math.sqrt(K / c), 1 / (gamma * math.sqrt(r))
    spread = math.sqrt(2 * max(0.0, float(of_c[K:].sum())) / (gamma * float(of_c[0])))
    terms = (
        math.sqrt(max(0.0, float(values[K:].sum()))),
        math.sqrt(n * one * (1 + eta(c, n - c, 4 / DELTA)) * longest),
        (m * two * (1 + eta(r, m - r, 4 / DELTA)) + spread) * math.sqrt(float(values[0])),
    )
    length, square = math.sqrt(float(values.sum())), float(np.linalg.norm(whole))
    return {
        "drawn": float(c),
        "product": float(np.linalg.norm(whole - drawn.T @ drawn)) / square,
        "product bound": (1 + eta(c, n - c, 2 / DELTA)) * n / math.sqrt(c) * longest / square,
        "residual": residual / length,
        "least": terms[0] / length,
        "residual bound": sum(terms) / length,
        "sampling term": terms[1] / length,
        "gamma": gamma,
    }


def eta(u: int, v: int, chance: float) -> float:
    """Return η of so many drawn and so many that are not.

    Examples
    --------
    >>> round(eta(100, 900, 20.0), 3), eta(100, 0, 20.0)
    (1.644, 0.0)
    """
    if not v:
        return 0.0
    alpha = u * v / (u + v - 0.5) / (1 - 1 / (2 * max(u, v)))
    return math.sqrt(math.log(chance) * alpha / u)
