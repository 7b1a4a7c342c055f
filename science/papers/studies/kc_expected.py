"""What bits tell of the kernel: expected and measured Hamming distance, bounds, and bits that share a projection.

Kim and Choi, CVPR 2015, Lemma 1 and Theorems 2 and 3 (Figures 2 to 4). Pairs are spread over the values of the kernel;
expectations are exact, of the spectrum of each difference (`twinlens.core.hashing.shift_invariant_hashing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.size import Tables
from science.papers.straight import covariance_bound
from twinlens.core.arrays import Float64Values
from twinlens.core.hashing.shift_invariant_hashing import (
    bilinear_lower_bound,
    difference_spectrum,
    expected_share,
    expected_share_bilinear,
    lower_bound,
    upper_bound,
)
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.message import Message
from twinlens.core.methods.sik import BilinearSik, Sik
from twinlens.core.progress import Progress, part
from twinlens.core.theory.code_theory import (
    HOLDS_UP_TO,
    SpreadPairs,
    column_means,
    pair_differences,
    shared_covariance,
    shares,
    spread_pairs,
    stretch_of,
)

SHAPES = {"fashion-mnist": ("part", (28, 28)), "vlad-crops": ("base", (250, 256))}
"""Which array of each set is read, and the shape of a descriptor."""

DATA = tuple(SHAPES)
CASES = DATA
REPEATS = 5
ITEMS, BITS, OVERSAMPLINGS = 1_000, 1_600, (1, 5)
EACH, FEW, COARSE = 200, 8, 25
"""Pairs of each stretch of the kernel, at most; of these, those whose spectrum is found; and coarser stretches."""

NORM = 0.8
"""Length of a scaled descriptor up to which Lemma 1 is stated; with its second assumption it gives λ₁ <= 0.56."""

Curve = list[tuple[float, float, float]]
"""Value of the kernel, mean, deviation."""


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return curves over the kernel's values, and how often each bound and its condition hold."""
    array, shape = SHAPES[case]
    x = np.asarray(tables(case, array)[:ITEMS], np.float32)
    x = x[x.any(axis=1)]
    runs = [_run(x, shape, seed, part(progress, seed / repeats, (seed + 1) / repeats)) for seed in range(repeats)]
    first = runs[0]
    found = {name: values for name, values in first.items() if name != "figures"}
    figures = {name: [run["figures"][name] for run in runs] for name in first["figures"]}
    found["figures"] = {name: _summed(values) for name, values in figures.items()}
    return found


def _summed(values: Sequence[float]) -> tuple[float | None, float, int]:
    """Return mean, deviation and number; None where no run had such a pair."""
    known = [value for value in values if not np.isnan(value)]
    if not known:
        return None, 0.0, 0
    return float(np.mean(known)), float(np.std(known, ddof=1)) if len(known) > 1 else 0.0, len(known)


def _run(x: npt.NDArray[np.float32], shape: tuple[int, int], seed: int, progress: Progress) -> dict[str, Any]:
    single = Sik(bits=BITS, seed=seed).fit(x, part(progress, 0, 0.1))
    kernel = single.resolved
    assert isinstance(kernel, Gaussian)
    gamma = kernel.known_gamma
    pairs = spread_pairs(x, kernel, EACH, seed, part(progress, 0.1, 0.2))
    spread, chance = pairs.of(False), pairs.of(True)
    measured = shares(single, x, spread.rows)
    off = measured - expected_share(spread.kernel)
    _, mean, _ = column_means(spread.kernel, off)
    curves: dict[str, Curve] = {"single": _curve(spread.kernel, measured)}
    figures = {"gamma": gamma, "single off": float(np.abs(mean).max()), "pairs": float(len(spread.rows))}
    progress(0.3, 1, Message("Bilinear codes"))
    for m in OVERSAMPLINGS:
        encoder = BilinearSik(bits=BITS, gamma=gamma, seed=seed, oversampling=m).fit(x)
        curves[f"bilinear m={m}"] = _curve(spread.kernel, shares(encoder, x, spread.rows))
    figures |= _bounds(x, spread, chance, shape, gamma, curves, part(progress, 0.4, 0.7))
    figures |= _covariances(x, spread, shape, gamma, seed, curves, part(progress, 0.7, 1))
    return {"items": len(x), "bits": BITS, "shape": list(shape), "curves": curves, "figures": figures}


def _curve(kernel: Float64Values, values: Float64Values, columns: int = 50, least: int = 3) -> Curve:
    at, mean, deviation = column_means(kernel, values, least, columns)
    return [tuple(map(float, one)) for one in zip(at, mean, deviation, strict=True)]  # type: ignore[misc]


def _few(pairs: SpreadPairs, each: int) -> npt.NDArray[np.int64]:
    """Choose few pairs of each stretch of the kernel."""
    column = stretch_of(pairs.kernel)
    return np.concatenate([np.flatnonzero(column == one)[:each] for one in np.unique(column)])


def _bounds(
    x: npt.NDArray[np.float32],
    spread: SpreadPairs,
    chance: SpreadPairs,
    shape: tuple[int, int],
    gamma: float,
    curves: dict[str, Curve],
    progress: Progress,
) -> dict[str, float]:
    """Say how often the bounds on the kernel's expectation (Lemma 1) and on the distance (Theorem 2) hold."""
    progress(0, 1, Message("Spectra of differences"))
    few = _few(spread, FEW)
    kernel = spread.kernel[few]
    far = pair_differences(x, spread.rows[few], shape)
    spectra = difference_spectrum(far, gamma)
    progress(0.4, 1, Message("Expected distances"))
    expected = expected_share_bilinear(far, gamma)
    mean_cosine = np.exp(-0.5 * np.log1p(spectra).sum(axis=1))  # Lemma 1's E of two Fourier features
    holds = spectra[:, 0] <= HOLDS_UP_TO
    within = np.linalg.norm(x.astype(np.float64), axis=1) * np.sqrt(2 * gamma) <= NORM
    short = within[spread.rows[few]].all(axis=1)
    floor = bilinear_lower_bound(kernel, 0.0)
    below = expected < floor - 1e-9
    progress(0.7, 1, Message("Pairs drawn by chance"))
    drawn = difference_spectrum(pair_differences(x, chance.rows[:400], shape), gamma)
    curves["bilinear expected"] = _curve(kernel, expected)
    curves["condition"] = _curve(kernel, holds.astype(np.float64), COARSE)
    curves["cosine"] = _curve(kernel, mean_cosine)
    return {
        "compared": float(len(few)),
        "compared where both short": float(short.sum()),
        "compared where it holds": float(holds.sum()),
        "condition by chance": float((drawn[:, 0] <= HOLDS_UP_TO).mean()),
        "condition spread": float(holds.mean()),
        "cosine below kernel": _share(mean_cosine < kernel * (1 - 1e-6), slice(None)),
        "cosine above power": _share(mean_cosine > kernel**0.79, slice(None)),
        "cosine above power where both short": _share(mean_cosine > kernel**0.79, short),
        "cosine above power where it holds": _share(mean_cosine > kernel**0.79, holds),
        "upper broken": _share(expected > upper_bound(kernel) + 1e-9, slice(None)),
        "single lower broken": _share(expected < lower_bound(kernel) - 1e-9, slice(None)),
        "lower broken": _share(below, slice(None)),
        "lower broken where both short": _share(below, short),
        "lower broken where it holds": _share(below, holds),
    }


def _share(what: npt.NDArray[np.bool_], where: slice | npt.NDArray[np.bool_]) -> float:
    some = what[where]
    return float(some.mean()) if len(some) else float("nan")


def _covariances(
    x: npt.NDArray[np.float32],
    spread: SpreadPairs,
    shape: tuple[int, int],
    gamma: float,
    seed: int,
    curves: dict[str, Curve],
    progress: Progress,
) -> dict[str, float]:
    """Measure how two bits that share a projection vary together, beside Theorem 3's bound."""
    few = _few(spread, FEW // 2)
    kernel = spread.kernel[few]
    holds = difference_spectrum(pair_differences(x, spread.rows[few], shape), gamma)[:, 0] <= HOLDS_UP_TO
    values, expected = shared_covariance(x, spread.rows[few], shape, gamma, seed, progress=progress)
    bound = covariance_bound(kernel)
    near, far = kernel >= 0.95, kernel < 0.5
    curves["covariance"] = _curve(kernel, values, COARSE)
    at = np.array([one[0] for one in curves["covariance"]])
    mean = np.array([one[1] for one in curves["covariance"]])
    held_at, held_mean, _ = column_means(kernel[holds], values[holds], 3, COARSE)
    over = held_mean > covariance_bound(held_at)
    return {
        "covariance near": float(values[near].mean()) if near.any() else float("nan"),
        "covariance far": float(values[far].mean()) if far.any() else float("nan"),
        "covariance largest": float(mean.max()),
        "covariance largest at": float(at[mean.argmax()]),
        "variance far": float((expected * (1 - expected))[far].mean()) if far.any() else float("nan"),
        "mean above bound": float((mean > covariance_bound(at)).mean()),
        "pairs above bound": float((values > bound).mean()),
        "covariances where it holds": float(holds.sum()),
        "mean above bound where it holds": _share(over, slice(None)),
        "pairs above bound where it holds": _share(values > bound, holds),
    }
