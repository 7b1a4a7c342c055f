"""Kernelized LSH and its variants, beside the plain formulas, and what the papers say of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.hamming_ranking import hamming_histograms
from twinlens.core.evaluation.tied_rankings import chance_among_first
from twinlens.core.evaluation.truth import KernelDistance, true_neighbours
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.packed_codes import planar
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.histogram_kernels import ChiSquare
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.methods.klsh import Klsh, KpcaItq, KpcaLsh, NystromLsh
from twinlens.core.projections.kernel_components import kernel_spectrum, principal_components


def histograms(n: int, seed: int = 0, d: int = 32) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    rng = np.random.default_rng(seed)
    middles = rng.random((40, d)) ** 3
    x = middles[rng.integers(0, 40, n)] * rng.random((n, d)) ** 0.7
    return np.asarray(x / x.sum(axis=1, keepdims=True), np.float32)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 99), st.sampled_from([None, 5, 20]), st.sampled_from([None, 3.0]), st.booleans())
def test_projections_are_the_formula(seed: int, rank: int | None, scale: float | None, centre_query: bool) -> None:
    x = histograms(80, seed)
    method = Klsh(
        bits=9, kernel=ChiSquare(), landmarks=30, samples=7, rank=rank, scale=scale, seed=seed,
        centre_query=centre_query,
    )  # fmt: skip
    encoder = method.fit(x)

    def kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        values = ChiSquare().matrix(a, b)
        return values if scale is None else np.exp(scale * (values - 1))

    landmarks = encoder.landmarks
    k = kernel(landmarks, landmarks)
    h = np.eye(30) - 1 / 30
    values, vectors = np.linalg.eigh(h @ k @ h)
    kept = values > 1e-9 * values.max()
    values, vectors = values[kept][::-1][:rank], vectors[:, kept][:, ::-1][:, :rank]
    # W = U Λ^(-1/2) U' E with E of ones and zeros: E is what the encoder drew.
    root = vectors @ np.diag(values**-0.5) @ vectors.T
    plain = kernel(x, landmarks) - (k.mean(axis=0) if centre_query else 0)
    projected = encoder.project(x)
    # Each column of W is a sum of 7 columns of the root: least squares finds which.
    ones = np.rint(np.linalg.pinv(root) @ encoder.weights) if rank is None else None
    if ones is not None and scale is None:
        centred = ones - ones.mean(axis=0)
        np.testing.assert_allclose(projected, plain @ root @ centred, atol=2e-2 * np.abs(projected).max())
    np.testing.assert_allclose(projected, plain @ encoder.weights.astype(float), atol=1e-3 * np.abs(projected).max())
    span = root @ np.linalg.pinv(root)
    np.testing.assert_allclose(span @ encoder.weights, encoder.weights, atol=1e-3 * np.abs(encoder.weights).max())


def recall(method: HashMethod, x: np.ndarray, queries: int = 100) -> float:
    own = np.arange(queries)
    found = true_neighbours(KernelDistance(ChiSquare()), x, x[:queries], 1, own)
    codes = planar(method.fit(x).encode(x))
    words = np.ascontiguousarray(codes[:, :queries].T)
    counted = hamming_histograms(codes, words, list(found.rows), method.bits, own)
    return float(chance_among_first(counted.counts, 10)[own, counted.nearest].mean())


def test_what_the_paper_says_of_ranks_scales_and_centring() -> None:
    x = histograms(4000)
    given_: dict[str, HashMethod] = {
        "full": Klsh(bits=64, kernel=ChiSquare(), landmarks=300),
        "low rank": Klsh(bits=64, kernel=ChiSquare(), landmarks=300, rank=32),
        "Nyström": NystromLsh(bits=64, kernel=ChiSquare(), landmarks=300, rank=32),
        "KPCA": KpcaLsh(bits=64, kernel=ChiSquare(), landmarks=300, rank=32),
        "ITQ": KpcaItq(bits=32, kernel=ChiSquare(), landmarks=300),
    }
    found = {name: recall(method, x) for name, method in given_.items()}
    assert found["low rank"] > found["Nyström"]
    assert found["KPCA"] == pytest.approx(found["low rank"], abs=0.12)
    assert min(found.values()) > 0.05


def test_the_spectrum_adds_up() -> None:
    x = histograms(200)
    components = principal_components(x, ChiSquare(), None, 100, np.random.default_rng(0))
    told = kernel_spectrum(components)
    coordinates = components.coordinates(components.landmarks)
    np.testing.assert_allclose(
        np.square(coordinates - coordinates.mean(axis=0)).mean(axis=0), told.eigenvalues, rtol=1e-3
    )
    assert (np.diff(told.eigenvalues) <= 0).all()
    assert told.residual[-1] == pytest.approx(0, abs=1e-12)
    assert (told.estimation > 0).all()


def test_norms_say_how_much_of_an_item_is_seen() -> None:
    x = histograms(300)
    whole = Klsh(bits=8, kernel=ChiSquare(), landmarks=300).fit(x)
    part = Klsh(bits=8, kernel=ChiSquare(), landmarks=300, rank=3).fit(x)
    assert whole.relative_norms(x).min() > 0.98
    assert part.relative_norms(x).mean() < 0.95
    assert (part.relative_norms(x) <= whole.relative_norms(x) + 1e-3).all()


def test_wrong_use_is_a_sentence() -> None:
    x = histograms(50)
    spoilt = x.copy()
    spoilt[31, 2] = -0.5
    with pytest.raises(TwinlensError, match="row 31"):
        Klsh(kernel=ChiSquare()).fit(spoilt)
    with pytest.raises(TwinlensError, match="values from 0 to 1"):
        Klsh(kernel=Linear(), scale=2).fit(x)
    with pytest.raises(TwinlensError, match="values from 0 to 1"):
        Klsh(kernel=ChiSquare(), scale=2).fit(3 * x)
    assert "all of them are landmarks" in str(Klsh(kernel=Gaussian()).fit(x).note)
