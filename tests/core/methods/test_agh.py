"""Anchor graph hashing against the paper's equations, written out with the whole graph."""

from __future__ import annotations

import numpy as np
import pytest

from twinlens.core.arrays import Float32Vectors, Float64Matrix
from twinlens.core.methods.agh import AnchorEncoder, AnchorGraphHashing


def moons(n: int, seed: int = 0) -> Float32Vectors:
    """Draw items along two bent lines."""
    rng = np.random.default_rng(seed)
    angle, which = rng.uniform(0, np.pi, n), rng.integers(0, 2, n)
    x = np.column_stack([np.cos(angle) + which, np.where(which, 0.3 - np.sin(angle), np.sin(angle)), 3 * which])
    return np.asarray(x + rng.normal(0, 0.05, x.shape) + 4, np.float32)


def z_of(encoder: AnchorEncoder, x: Float32Vectors) -> Float64Matrix:
    """Return Z (eq. 2)."""
    far = np.square(x[:, None].astype(np.float64) - encoder.anchors[None]).sum(axis=2)
    z = np.zeros_like(far)
    for row, own in zip(z, far, strict=True):
        near = np.argsort(own)[: encoder.nearest]
        row[near] = np.exp(-own[near] / encoder.width)
    return np.asarray(z / z.sum(axis=1, keepdims=True))


def cut(function: Float64Matrix, upper: float, lower: float) -> Float64Matrix:
    """Cut each side of a function."""
    return np.where(function >= 0, function - upper, lower - function)


def affinity(z: Float64Matrix) -> Float64Matrix:
    mass = z.sum(axis=0)
    return (z / np.where(mass > 0, mass, 1)) @ z.T


@pytest.mark.parametrize("layers", ["one", "two"])
def test_functions_are_eigenvectors_of_the_graph(layers: str) -> None:
    x = moons(400)
    encoder = AnchorGraphHashing.model_validate({"bits": 12, "layers": layers, "anchors": 30, "nearest": 3}).fit(x)
    z = z_of(encoder, x)
    y = z @ encoder.weights
    np.testing.assert_allclose(encoder.functions(x), y, atol=1e-4)
    count = 12 if layers == "one" else 6
    values = np.sort(np.linalg.eigvalsh(affinity(z)))[::-1][1 : count + 1]
    np.testing.assert_allclose(affinity(z) @ y, y * values, atol=1e-4)
    np.testing.assert_allclose(y.T @ y / len(x), np.eye(count), atol=1e-4)  # eq. 4: balanced and uncorrelated
    np.testing.assert_allclose(y.sum(axis=0), 0, atol=1e-4)
    assert encoder.bits == 12


def test_the_second_layer_cuts_each_side_as_smoothly_as_can_be() -> None:
    """Of all b+ and b- that are balanced, those of the encoder leave the least y'(I - Â) y."""
    x = moons(300)
    encoder = AnchorGraphHashing(bits=8, anchors=25).fit(x)
    z = z_of(encoder, x)
    laplacian = np.eye(len(x)) - affinity(z)
    for function, upper, lower in zip((z @ encoder.weights).T, encoder.upper, encoder.lower, strict=True):
        above = function >= 0

        assert abs(cut(function, upper, lower).sum()) < 1e-4 * len(x)
        best = cut(function, upper, lower) @ laplacian @ cut(function, upper, lower)
        for step in (-0.1, 0.1):
            other = cut(function, upper + step, lower + step * above.sum() / (~above).sum())
            assert abs(other.sum()) < 1e-4 * len(x)
            assert other @ laplacian @ other > best - 1e-9


def test_bits_are_the_signs_of_both_layers() -> None:
    x = moons(300)
    encoder = AnchorGraphHashing(bits=7, anchors=25).fit(x)
    y = encoder.functions(x)
    assert (y.shape[1], len(encoder.upper)) == (4, 3)
    second = np.where(y[:, :3] >= 0, y[:, :3] - encoder.upper, -y[:, :3] + encoder.lower) >= 0
    np.testing.assert_array_equal(encoder.project(x) >= 0, np.hstack([y >= 0, second]))


def test_the_first_bits_tell_parts_of_the_data_apart() -> None:
    x = moons(600)
    encoder = AnchorGraphHashing(bits=8, anchors=40, nearest=3).fit(x)
    share = (encoder.project(x)[:, 0] >= 0)[x[:, 2] > 5.5].mean()
    assert min(share, 1 - share) < 0.02


def test_functions_that_the_graph_lacks_are_random() -> None:
    encoder = AnchorGraphHashing(bits=64, layers="one", anchors=20).fit(moons(200))
    assert encoder.bits == 64
    assert "random" in str(encoder.note)
