"""Spectral hashing against its formula, written out plainly."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.arrays import Float64Values
from twinlens.core.methods.spectral import Spectral, first_waves


def box(sides: list[float], n: int = 2_000, seed: int = 0) -> npt.NDArray[np.float32]:
    """Draw items evenly in a box whose sides lie along the axes, then turn it."""
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(len(sides), len(sides))))[0]
    return np.asarray((rng.random((n, len(sides))) * sides) @ turn + 3, np.float32)


def plainly(x: Float64Values, bits: int) -> npt.NDArray[np.bool_]:
    """Return the bits as the paper's section 3 says: components, box, eigenvalues, signs of sines."""
    centred = x - x.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    projected = centred @ directions[:, ::-1][:, :bits]
    a, b = projected.min(axis=0), projected.max(axis=0)
    waves = [(1 - np.exp(-0.5 * (0.01 * k * np.pi / (b[i] - a[i])) ** 2), i, k)
             for i in range(projected.shape[1]) for k in range(1, bits + 1)]  # fmt: skip
    values = [np.sin(np.pi / 2 + k * np.pi * (projected[:, i] - a[i]) / (b[i] - a[i]))
              for _, i, k in sorted(waves)[:bits]]  # fmt: skip
    return np.stack(values, axis=1) >= 0


def test_bits_are_the_signs_of_the_first_eigenfunctions() -> None:
    x = box([4.0, 1.7, 0.9, 0.3])
    bits = Spectral(bits=12).fit(x).project(x) >= 0
    expected = plainly(x.astype(np.float64), 12)
    # The sign of a component is anybody's choice: it turns a wave of an odd count around.
    agreement = (bits == expected).mean(axis=0)
    assert np.all(np.maximum(agreement, 1 - agreement) > 0.995)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=6), st.integers(1, 40))
def test_the_waves_are_those_of_the_smallest_eigenvalues(sides: list[float], count: int) -> None:
    axes, counts = first_waves(np.array(sides), count)
    chosen = counts / np.array(sides)[axes]
    every = sorted(k / side for side in sides for k in range(1, count + 1))[:count]
    np.testing.assert_allclose(chosen, every)
    assert len({(axis, k) for axis, k in zip(axes.tolist(), counts.tolist(), strict=True)}) == count


def test_a_side_of_no_length_comes_last() -> None:
    axes, _ = first_waves(np.array([0.0, 1.0]), 3)
    assert axes.tolist() == [1, 1, 1]


def test_neighbours_in_a_box_have_near_codes() -> None:
    x = box([5.0, 4.0])
    encoder = Spectral(bits=16).fit(x)
    near = x + np.float32(0.01)
    differing = np.unpackbits(encoder.encode(x) ^ encoder.encode(near), axis=1).sum(axis=1)
    strangers = np.unpackbits(encoder.encode(x) ^ encoder.encode(x[::-1]), axis=1).sum(axis=1)
    assert differing.mean() < 0.1 * strangers.mean()
