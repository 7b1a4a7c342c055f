from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.errors import TwinlensError
from twinlens.core.methods import METHODS
from twinlens.core.methods.itq import Itq
from twinlens.core.progress import silent
from twinlens.core.projections import subspaces
from twinlens.core.projections.subspaces import (
    NystromSampling,
    column_mean,
    gaussian,
    learn_rotation,
    nystrom,
    orthonormal,
    padded,
    principal,
    signs,
)


def decaying(n: int, d: int, power: float = 1.0, seed: int = 1) -> Float64Matrix:
    """Make vectors whose standard deviations decay as i^-power, in a random basis, around a mean."""
    rng = np.random.default_rng(seed)
    basis = orthonormal(gaussian(d, d, rng)) if d <= 1_000 else np.eye(d)
    x: Float64Matrix = (rng.standard_normal((n, d)) * np.arange(1, d + 1) ** -power) @ basis + rng.random(d)
    return x


def variance_along(x: Float64Matrix, directions: Float64Matrix) -> float:
    """Return the part of the variance of ``x`` that lies in the span of ``directions``."""
    centred = x - x.mean(axis=0)
    return float(np.square(centred @ orthonormal(directions)).sum() / np.square(centred).sum())


def best_variance(x: Float64Matrix, count: int) -> float:
    squares = np.square(np.linalg.svd(x - x.mean(axis=0), compute_uv=False))
    return float(squares[:count].sum() / squares.sum())


# ---- principal components --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d"), [(500, 30), (40, 60), (1_200, 200)])
def test_principal_components_are_those_of_the_svd(n: int, d: int) -> None:
    x = decaying(n, d)
    mean = column_mean(x, silent)
    np.testing.assert_allclose(mean, x.mean(axis=0), rtol=1e-12)
    found = principal(x, mean, 10, np.random.default_rng(0), silent)
    _, _, right = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    np.testing.assert_allclose(np.abs(np.sum(found * right[:10].T, axis=0)), 1, rtol=1e-9)
    np.testing.assert_allclose(found.T @ found, np.eye(10), atol=1e-10)


@pytest.mark.parametrize("count", [16, 250])
def test_long_vectors_are_learned_from_a_sample(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(subspaces, "LARGEST_COVARIANCE", 100)
    monkeypatch.setattr(subspaces, "LEAST_SAMPLE", 300)
    x = decaying(2_000, 400, power=1.2).astype(np.float32)
    # What is not drawn is never looked at: nothing but the sampled rows may be read.
    drawn = np.sort(np.random.default_rng(0).choice(2_000, max(300, int(1.5 * count)), replace=False))
    mean = x.mean(axis=0, dtype=np.float64)
    x[np.setdiff1d(np.arange(2_000), drawn)] = np.nan
    found = principal(x, mean, count, np.random.default_rng(0), silent)
    assert found.shape == (400, count)
    np.testing.assert_allclose(found.T @ found, np.eye(count), atol=1e-9)
    seen = x[drawn].astype(np.float64) - mean
    squares = np.square(np.linalg.svd(seen, compute_uv=False))
    np.testing.assert_allclose(np.square(seen @ found).sum(), squares[:count].sum(), rtol=1e-9)


@pytest.mark.parametrize("n", [5, 200])
def test_no_more_directions_than_there_are(n: int) -> None:
    rng = np.random.default_rng(3)
    flat = (rng.standard_normal((n, 3)) @ rng.standard_normal((3, 50)) + 5).astype(np.float32)
    assert principal(flat, flat.mean(axis=0, dtype=np.float64), 20, rng, silent).shape == (50, 3)


def test_padding_is_orthogonal_to_what_was_found() -> None:
    rng = np.random.default_rng(0)
    found = orthonormal(gaussian(40, 7, rng))
    full = padded(found, 40, rng)
    np.testing.assert_array_equal(full[:, :7], found)
    np.testing.assert_allclose(full.T @ full, np.eye(40), atol=1e-12)
    from_nothing = padded(np.empty((5, 0)), 5, rng)
    np.testing.assert_allclose(from_nothing.T @ from_nothing, np.eye(5), atol=1e-12)


# ---- generalized Nyström ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("power", [1.0, 1.5])
def test_nystrom_captures_what_principal_components_do(weighted: bool, power: float) -> None:
    x = decaying(6_000, 300, power)
    sampling = NystromSampling(samples=0.05, features=0.3, weighted=weighted, truncation=1e-12)
    for seed in range(3):
        found = nystrom(x, x.mean(axis=0), 20, sampling, rng=np.random.default_rng(seed), progress=silent)
        assert found.shape == (300, 20)
        share = variance_along(x, found) / best_variance(x, 20)
        assert share >= (0.99 if power > 1 else 0.95)
        assert variance_along(x, gaussian(300, 20, np.random.default_rng(seed))) < 0.5 * share


def test_with_everything_sampled_it_is_exact() -> None:
    x = decaying(400, 60)
    everything = NystromSampling(samples=1, features=1, weighted=False, truncation=0)
    found = nystrom(x, x.mean(axis=0), 12, everything, rng=np.random.default_rng(0), progress=silent)
    # C V S^-1 with C = U S V' is U itself: orthogonal already, and the principal components.
    np.testing.assert_allclose(found.T @ found, np.eye(12), atol=1e-9)
    np.testing.assert_allclose(variance_along(x, found), best_variance(x, 12), rtol=1e-12)


@pytest.mark.parametrize("shape", [(300, 40), (60, 200)])
def test_nystrom_is_the_formula_of_the_paper(shape: tuple[int, int]) -> None:
    n, d = shape
    x = decaying(n, d)
    sampling = NystromSampling(samples=0.3, features=0.5, weighted=False, truncation=0)
    found = nystrom(x, x.mean(axis=0), 6, sampling, rng=np.random.default_rng(4), progress=silent)
    # The paper's letter, with the same draws: features by samples, C scaled by sqrt(n/c), W by sqrt(m/r).
    rng = np.random.default_rng(4)
    c, r = int(np.ceil(0.3 * n)), int(np.ceil(0.5 * d))
    items = np.sort(rng.choice(n, c, replace=False))
    features = np.sort(rng.choice(d, r, replace=False))
    whole = (x - x.mean(axis=0)).T
    columns = whole[:, items] * np.sqrt(n / c)
    w = columns[features] * np.sqrt(d / r)
    _, sigma, right = np.linalg.svd(w, full_matrices=False)
    expected = columns @ right[:6].T / sigma[:6]
    signs = np.sign(np.sum(found * expected, axis=0))
    np.testing.assert_allclose(found * signs, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_step_of_iteration_captures_more(weighted: bool) -> None:
    x = decaying(4_000, 300, 0.8)
    sampling = NystromSampling(samples=0.02, features=0.3, weighted=weighted, truncation=1e-12)
    for seed in range(3):
        plain, improved = (
            nystrom(x, x.mean(axis=0), 20, sampling, rng=np.random.default_rng(seed), progress=silent, improve=improve)
            for improve in (False, True)
        )
        assert improved.shape == plain.shape
        lost, still_lost = (best_variance(x, 20) - variance_along(x, found) for found in (plain, improved))
        assert 0 < still_lost < 0.7 * lost


def test_truncation_leaves_out_directions() -> None:
    x = decaying(500, 60, power=1.5)
    kept = [
        nystrom(
            x, x.mean(axis=0), 30, NystromSampling(0.5, 1, False, gamma), rng=np.random.default_rng(0), progress=silent
        ).shape[1]
        for gamma in (0, 1e-6, 1e-3, 1)
    ]
    assert kept == sorted(kept, reverse=True)
    assert kept[0] == 30
    assert 0 < kept[2] < 30
    # sigma² is at most |C|_1 |C|_inf, and equal only for a matrix of rank 1 with constant entries.
    assert kept[3] == 0
    encoder = Itq(bits=30, subspace="nystrom-uniform", truncation=1e-3, sample_fraction=0.5).fit(x)
    assert "of 30 directions were learned" in str(encoder.note)


def test_orthogonalising_is_what_keeps_nystrom_directions_apart() -> None:
    x = decaying(2_000, 100, power=1.2)
    far_from_orthogonal = {}
    for orthogonalise in (True, False):
        method = Itq(bits=32, subspace="nystrom-weighted", orthogonalise=orthogonalise, iterations=5)
        projection = method.fit(x).projection.astype(np.float64)
        gram = projection.T @ projection
        far_from_orthogonal[orthogonalise] = np.abs(gram - np.eye(32)).max()
    assert far_from_orthogonal[True] < 1e-5
    assert far_from_orthogonal[False] > 1


# ---- rotation --------------------------------------------------------------------------------------------------------


def test_the_rotation_never_loses() -> None:
    v = decaying(700, 20, power=0.5)
    v -= v.mean(axis=0)
    rotated = [v @ learn_rotation(v, turns, np.random.default_rng(0)) for turns in range(30)]
    errors = [np.linalg.norm(signs(one) - one) for one in rotated]
    assert all(after <= before + 1e-9 for before, after in pairwise(errors))
    assert errors[-1] < errors[0] - 1


def test_the_rotation_is_that_of_the_formula() -> None:
    v = decaying(300, 12, power=0.5)
    rng = np.random.default_rng(5)
    rotation = orthonormal(gaussian(12, 12, rng))
    for _ in range(7):
        b = np.where(v @ rotation >= 0, 1.0, -1.0)
        m, _, n_transposed = np.linalg.svd(b.T @ v)
        rotation = n_transposed.T @ m.T
    np.testing.assert_allclose(learn_rotation(v, 7, np.random.default_rng(5)), rotation, atol=1e-9)
    np.testing.assert_allclose(rotation.T @ rotation, np.eye(12), atol=1e-12)


def test_a_rotation_that_has_come_to_rest_is_the_answer_for_any_more_turns() -> None:
    v = decaying(40, 16, power=0.5)
    turns: list[float] = []
    rotation = learn_rotation(v, 200, np.random.default_rng(1), lambda done, total, text: turns.append(done))
    rest = len(turns)
    assert rest < 100
    np.testing.assert_array_equal(rotation, learn_rotation(v, rest, np.random.default_rng(1)))
    b = np.where(v @ rotation >= 0, 1.0, -1.0)
    m, _, n_transposed = np.linalg.svd(b.T @ v)
    np.testing.assert_allclose(rotation, n_transposed.T @ m.T, atol=1e-9)


def test_without_turns_the_rotation_is_random_and_orthogonal() -> None:
    v = decaying(10, 6)
    rotation = learn_rotation(v, 0, np.random.default_rng(0))
    np.testing.assert_allclose(rotation.T @ rotation, np.eye(6), atol=1e-12)


# ---- the method ------------------------------------------------------------------------------------------------------


def test_codes_are_those_of_the_plain_computation() -> None:
    x = decaying(800, 40, power=0.7)
    encoder = Itq(bits=16, iterations=20).fit(x)
    centred = x - x.mean(axis=0)
    _, _, right = np.linalg.svd(centred, full_matrices=False)
    # Signs of eigenvectors are free; those of the encoder's subspace are taken from it.
    directions = principal(x, x.mean(axis=0), 16, np.random.default_rng(0), silent)
    np.testing.assert_allclose(np.abs(np.sum(directions * right[:16].T, axis=0)), 1, rtol=1e-9)
    rotation = learn_rotation(centred @ directions, 20, np.random.default_rng(0))
    np.testing.assert_allclose(encoder.projection, directions @ rotation, atol=1e-5)
    np.testing.assert_allclose(encoder.project(x), centred @ directions @ rotation, atol=1e-5)
    assert not encoder.note


def test_the_rotation_is_learned_from_as_many_items_as_said() -> None:
    x = decaying(500, 20)
    assert Itq(bits=8, training_items=500).fit(x).pack().digest() == Itq(bits=8).fit(x).pack().digest()
    assert Itq(bits=8, training_items=50).fit(x).pack().digest() != Itq(bits=8).fit(x).pack().digest()


def test_as_many_bits_as_dimensions_and_no_more() -> None:
    x = decaying(100, 12)
    assert Itq(bits=12).fit(x).bits == 12
    for subspace in ("pca", "nystrom-uniform", "nystrom-weighted", "random"):
        with pytest.raises(TwinlensError, match="here 12, not 13") as caught:
            Itq(bits=13, subspace=subspace).fit(x)
        suggested = str(caught.value.advice).split(" ")[1].rstrip(",")
        assert read_declaration(METHODS, suggested) == Itq(bits=12, subspace=subspace)


@pytest.mark.parametrize("subspace", ["pca", "nystrom-uniform", "nystrom-weighted"])
def test_a_tiny_library_is_padded_and_says_so(subspace: str) -> None:
    x = decaying(5, 64, seed=2)
    encoder = Itq(bits=32, subspace=subspace).fit(x)
    learned = int(str(encoder.note).split(" of 32 directions were learned")[0])
    # Five items vary in four directions; drawn with replacement, some of the five are not drawn.
    assert 1 <= learned <= 4 if subspace == "nystrom-weighted" else learned == 4
    projection = encoder.projection.astype(np.float64)
    np.testing.assert_allclose(projection.T @ projection, np.eye(32), atol=1e-5)
    assert len(np.unique(encoder.encode(x), axis=0)) == 5


@pytest.mark.parametrize("subspace", ["pca", "nystrom-uniform", "nystrom-weighted", "random"])
@pytest.mark.parametrize("n", [1, 50])
def test_items_that_are_all_equal(subspace: str, n: int) -> None:
    x = np.repeat(np.random.default_rng(0).random((1, 40)), n, axis=0).astype(np.float32)
    encoder = Itq(bits=24, subspace=subspace).fit(x)
    assert (not encoder.note) == (subspace == "random")
    projection = encoder.projection.astype(np.float64)
    np.testing.assert_allclose(projection.T @ projection, np.eye(24), atol=1e-5)
    assert len(np.unique(encoder.encode(x), axis=0)) == 1


def test_equal_but_for_one() -> None:
    x = np.ones((30, 20), np.float32)
    x[7, 3] = 2
    encoder = Itq(bits=8).fit(x)
    assert str(encoder.note).startswith("1 of 8")
    codes = encoder.encode(x)
    assert len(np.unique(codes, axis=0)) == 2
    assert np.bitwise_count(codes[0] ^ codes[7]).sum() >= 1


def recall(codes: npt.NDArray[np.uint8], x: Float64Matrix, queries: int = 100) -> float:
    """Return the part of the 10 true neighbours that are among the 50 nearest codes."""
    true = np.argsort(np.square(x[:queries, None] - x[None]).sum(axis=2), axis=1)[:, 1:11]
    near = np.argsort(np.bitwise_count(codes[:queries, None] ^ codes[None]).sum(axis=2), axis=1, kind="stable")[:, :51]
    return float(np.mean([len(set(a) & set(b)) / 10 for a, b in zip(true, near, strict=True)]))


def test_learned_directions_find_more_than_random_ones() -> None:
    x = decaying(1_500, 100, power=0.5)
    found = {
        text: recall(read_declaration(METHODS, text).fit(x).encode(x), x)
        for text in (
            "itq:bits=48",
            "itq:bits=48,subspace=nystrom-uniform",
            "itq:bits=48,subspace=random",
        )
    }
    full, uniform, at_random = found.values()
    assert full > at_random + 0.06
    assert uniform > full - 0.05


@pytest.mark.parametrize(("least", "learned"), [(0.0, 4), (0.5, 8), (1.5, 16)])
def test_so_few_are_drawn_as_is_said(least: float, learned: int) -> None:
    """Of 400 items a hundredth, or so many a bit: each item and dimension drawn tells of one direction."""
    x = np.random.default_rng(0).standard_normal((400, 60)).astype(np.float32)
    itq = Itq(bits=16, subspace="nystrom-uniform", sample_fraction=0.01, least_drawn=least, refine=False, iterations=2)
    note = str(itq.fit(x).note)
    assert note.startswith(f"{learned} of 16 directions were learned") or (learned == 16 and not note)
