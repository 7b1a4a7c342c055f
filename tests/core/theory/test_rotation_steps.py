"""The turns of ITQ, against plain computations."""

from __future__ import annotations

import numpy as np
import pytest

from core.methods.itq import Itq
from core.theory.code_theory import error, lost, near_border, rotation_steps


def _items() -> np.ndarray:
    rng = np.random.default_rng(0)
    return (rng.normal(size=(200, 8)) * np.arange(8, 0, -1) + 3).astype(np.float32)


def test_looking_on_changes_no_code_and_sees_what_a_plain_fit_does() -> None:
    x, method = _items(), Itq(bits=4, seed=2, iterations=20)
    found = rotation_steps(x, method)
    plain = method.fit(x)
    assert np.array_equal(plain.encode(x), method.learn(x, watch=lambda v, r: None).encode(x))
    assert np.array_equal(plain.project(x) >= 0, found.rotated >= 0)

    centred = x - x.mean(axis=0, dtype=float)
    values = np.linalg.eigvalsh(centred.T @ centred)[::-1]
    assert found.captured == pytest.approx(values[:4].sum() / values.sum())
    assert found.before == pytest.approx(values[:4] / values.sum())
    assert found.after.sum() == pytest.approx(found.captured)
    rotated = plain.project(x)
    assert found.errors[-1] == pytest.approx(np.square(np.where(rotated >= 0, 1, -1) - rotated).sum() / 200, rel=1e-5)
    assert (np.diff(found.errors) <= 1e-9).all()
    assert len(found.errors) > 2
    assert found.errors[-1] < found.errors[0]


def test_every_turn_is_the_plain_one() -> None:
    x = _items()
    found = rotation_steps(x, Itq(bits=3, iterations=2, seed=1))
    short = [rotation_steps(x, Itq(bits=3, iterations=turns, seed=1)).errors[-1] for turns in (0, 1, 2)]
    assert found.errors == pytest.approx(short)
    v, start = found.projected, rotation_steps(x, Itq(bits=3, iterations=0, seed=1)).rotated
    m, _, n = np.linalg.svd(np.where(start >= 0, 1, -1).T @ v)
    assert found.errors[1] == pytest.approx(error(v @ (n.T @ m.T)))


def test_what_signs_lose_is_the_least_over_all_scales() -> None:
    projected = np.random.default_rng(1).normal(size=(50, 3)) * [1, 2, 5]
    signs = np.where(projected >= 0, 1, -1)
    scales = np.linspace(0.1, 6, 6_001)
    least = min(float(np.square(scale * signs - projected).sum()) for scale in scales)
    assert lost(projected) == pytest.approx(least / np.square(projected).sum(), abs=1e-5)
    assert lost(np.zeros((3, 2))) == 0
    assert lost(3.0 * signs) == pytest.approx(0, abs=1e-12)
    assert near_border(np.array([[1.0, -0.1], [1.0, 1.0]])) == 0.25
