"""The norm filter: items of which the leading space shows little are told, and left out of candidates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.core.methods.test_klsh import histograms
from twinlens.core.declaration.fitted import Packed
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.kernel_hashing import KernelEncoder
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.histogram_kernels import ChiSquare
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.methods.klsh import Klsh, KpcaItq, KpcaLsh, NystromLsh
from twinlens.core.methods.lsh import Lsh

METHODS: list[HashMethod] = [
    Klsh(bits=8, kernel=ChiSquare(), landmarks=60, rank=5, norm_filter=0.8),
    Klsh(bits=8, kernel=ChiSquare(), landmarks=60, rank=5, norm_filter=0.8, centre_query=False),
    Klsh(bits=8, kernel=ChiSquare(), landmarks=60, rank=5, scale=3, norm_filter=0.6),
    KpcaLsh(bits=8, kernel=ChiSquare(), landmarks=60, rank=5, norm_filter=0.8),
    KpcaItq(bits=8, kernel=ChiSquare(), landmarks=60, norm_filter=0.8),
    NystromLsh(bits=8, kernel=ChiSquare(), landmarks=60, rank=5, norm_filter=0.9),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.text())
def test_the_relative_norm_is_the_formula(method: HashMethod) -> None:
    x = histograms(200).astype(np.float64)
    encoder = method.fit(x)
    assert isinstance(encoder, KernelEncoder)
    landmarks, scale = encoder.landmarks.astype(np.float64), encoder.scale

    def kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        totals = a[:, None] + b[None]
        values = (2 * a[:, None] * b[None] / np.where(totals > 0, totals, 1)).sum(axis=2)
        return np.asarray(values if scale is None else np.exp(scale * (values - 1)))

    k, seen = kernel(landmarks, landmarks), kernel(x, landmarks)
    centred = not isinstance(method, NystromLsh)
    h = np.eye(60) - centred / 60
    values, vectors = np.linalg.eigh(h @ k @ h)
    rank = encoder.axes.shape[1]
    values, vectors = values[::-1], vectors[:, ::-1]
    kept = np.square((seen - centred * k.mean(axis=0)) @ vectors[:, :rank] / np.sqrt(values[:rank])).sum(axis=1)
    own = np.diag(kernel(x, x))
    whole = own - 2 * seen.mean(axis=1) + k.mean() if centred else own
    relative = np.sqrt(kept / whole)
    np.testing.assert_allclose(encoder.relative_norms(x), relative, atol=2e-4)
    threshold = encoder.norm_filter
    assert threshold is not None
    told = encoder.keeps(x)
    assert told is not None
    sure = np.abs(relative - threshold) > 1e-3
    np.testing.assert_array_equal(told[sure], (relative >= threshold)[sure])
    assert 0 < told.sum() < len(x)

    found = encoder.spectrum()
    telling = values > 1e-6 * values[0]
    np.testing.assert_allclose(found.eigenvalues[: telling.sum()], values[telling] / 60, rtol=1e-4)
    np.testing.assert_allclose(found.residual[0], values[1:].sum() / 60, rtol=1e-4)


@pytest.mark.parametrize("kernel", [ChiSquare(), Linear()])
def test_without_a_filter_everything_is_kept(kernel: Kernel) -> None:
    x = histograms(60)
    assert Klsh(bits=8, kernel=kernel).fit(x).keeps(x) is None
    assert Lsh(bits=8).fit(x).keeps(x) is None
    assert Lsh(bits=8).fit(x).spectrum() is None
    told = Klsh(bits=8, kernel=kernel, norm_filter=0.5).fit(x)
    kept = told.keeps(x)
    assert kept is not None
    assert kept.all()  # of the landmarks themselves all of the length is seen
    np.testing.assert_array_equal(told.encode(x), Klsh(bits=8, kernel=kernel).fit(x).encode(x))


def test_an_encoder_of_before_the_filter_is_read() -> None:
    packed = Klsh(bits=8, kernel=ChiSquare()).fit(histograms(60)).pack()
    numbers = {name: value for name, value in packed.numbers.items() if name != "norm_filter"}
    again = KernelEncoder.unpack(Packed(packed.kind, numbers, packed.arrays))
    assert again.norm_filter is None
    assert replace(again, norm_filter=0.5).pack().numbers == packed.numbers | {"norm_filter": 0.5}
