""""""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.errors import DeclarationError, TwinlensError
from twinlens.core.evaluation.tied_rankings import majority
from twinlens.core.exact_search.kernel_neighbours import Bound, ExactKnn
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.dot_product_kernels import Linear, Polynomial, Sigmoid
from twinlens.core.kernels.histogram_kernels import ChiSquare
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.methods import METHODS
from twinlens.core.methods.preimage_klsh import PreimageKlsh
from twinlens.testing.declarations import training_data


def few_long(n: int = 60, d: int = 100) -> npt.NDArray[np.float32]:
    x = np.random.default_rng(5).standard_normal((n, d)) + 0.3
    return np.asarray(x / np.linalg.norm(x, axis=1, keepdims=True), np.float32)


@pytest.mark.parametrize("ridge", [0.0, 0.05])
@pytest.mark.parametrize(
    "kernel",
    [Linear(), Polynomial(a=0.5, c=1, p=2), Gaussian(gamma=0.7), Gaussian()],
    ids=lambda kernel: kernel.text(),
)
def test_preimages_are_those_of_the_papers_directions(kernel: Kernel, ridge: float) -> None:
    x = few_long().astype(np.float64)
    encoder = PreimageKlsh(bits=40, kernel=kernel, samples=9, ridge=ridge).fit(x)
    kernel = read_declaration(KERNELS, "linear") if kernel == Linear() else type(kernel)(**_stored(encoder.kernel))
    # There are fewer items than dimensions, so g = S'W says what W is; and W says what E is.
    weights = np.linalg.lstsq(x.T, encoder.preimages.T.astype(np.float64), rcond=None)[0]
    h = np.eye(60) - 1 / 60
    centred = h @ kernel.matrix(x, x) @ h
    values, vectors = np.linalg.eigh(centred)
    values, vectors = values[1:], vectors[:, 1:]  # but for that of the mean
    back = np.sqrt(9) * (values + ridge * values[-1]) ** 1.5 / values
    drawn = vectors @ (back[:, None] * (vectors.T @ weights)) + 9 / 60
    np.testing.assert_allclose(drawn, np.round(drawn), atol=2e-3)
    np.testing.assert_array_equal(np.round(drawn).sum(axis=0), 9)
    assert set(np.unique(np.round(drawn))) == {0, 1}
    assert len(np.unique(np.round(drawn), axis=1).T) == 40


def _stored(text: str) -> dict[str, object]:
    values = dict(json.loads(text))
    del values["key"]
    return values


@pytest.mark.parametrize(
    "kernel", [Linear(), Polynomial(), Gaussian(), Sigmoid(a=0.001)], ids=lambda kernel: kernel.text()
)
def test_offsets_are_means_over_the_landmarks(kernel: Kernel) -> None:
    x = training_data(n=200)
    encoder = PreimageKlsh(bits=30, kernel=kernel).fit(x)
    projected = encoder.project(x)
    np.testing.assert_allclose(projected.mean(axis=0), 0, atol=1e-6 * np.abs(projected).max())
    assert projected.std(axis=0).min() > 0


def test_with_the_linear_kernel_it_is_kernelized_lsh() -> None:
    # Kulis and Grauman's projection of an item is (k(x, S) - mean of k(S, S)) W.
    x = few_long()
    asked = few_long(90)[60:]
    encoder = PreimageKlsh(bits=64, kernel=Linear(), samples=9).fit(x)
    wide = x.astype(np.float64)
    weights = np.linalg.lstsq(wide.T, encoder.preimages.T.astype(np.float64), rcond=None)[0]
    gram = wide @ wide.T
    expected = (asked.astype(np.float64) @ wide.T - gram.mean(axis=0)) @ weights
    np.testing.assert_allclose(encoder.project(asked), expected, atol=1e-4 * np.abs(expected).max())


def test_landmarks_are_drawn_without_replacement() -> None:
    x = np.repeat(np.eye(40), 2, axis=0) * np.arange(1, 81)[:, None]
    encoder = PreimageKlsh(bits=16, kernel=Linear(), landmarks=80, samples=20).fit(x)
    assert not encoder.note
    assert (encoder.preimages != 0).all(axis=1).all()


def test_auto_is_found_and_kept() -> None:
    x = training_data()
    stored = json.loads(PreimageKlsh(bits=8, kernel=Gaussian()).fit(x).kernel)
    assert stored["gamma"] > 0


@pytest.mark.parametrize("key", [cls.key for cls in KERNELS if cls.non_negative])
def test_histogram_kernels_are_refused_with_the_reason(key: str) -> None:
    written = f"preimage-klsh:bits=8,kernel={key}"
    for text in (written, f"{written}(normalise=true)"):
        with pytest.raises(DeclarationError) as caught:
            read_declaration(METHODS, text)
        assert "It is for histograms, and pre-images have negative entries." in str(caught.value)
        assert f"not {key}" in str(caught.value.message)


def test_a_histogram_kernel_is_refused_however_it_is_given() -> None:
    for kernel in (ChiSquare(), ChiSquare().to_json()):
        with pytest.raises(DeclarationError, match=r"not chi-square\. It is for histograms"):
            PreimageKlsh(kernel=kernel)
    with pytest.raises(DeclarationError, match="Did you mean “gaussian”"):
        PreimageKlsh(kernel="gausian")


def test_a_power_that_negative_numbers_do_not_have_is_refused() -> None:
    method = PreimageKlsh(kernel=Polynomial(p=1.5))
    for refused in (lambda: method.check(24), lambda: method.fit(training_data())):
        with pytest.raises(TwinlensError, match=r"p=1.5.*Choose a whole p"):
            refused()


def test_few_items_are_told_of() -> None:
    x = training_data(n=30)
    note = str(PreimageKlsh(bits=8).fit(x).note)
    assert "30 items for 300 landmarks" in note
    assert "the sum of 15 landmarks, not of 50" in note
    assert "the codes say nothing" in str(PreimageKlsh(bits=8).fit(np.repeat(x[:1], 400, axis=0)).note)
    assert not PreimageKlsh(bits=8).fit(training_data()).note


def test_bits_that_say_nothing_are_told_of() -> None:
    # Some pre-images are so long that tanh is 1, or -1, of every item with them.
    x = training_data(n=300)
    assert "bits are the same" not in str(PreimageKlsh(bits=30, kernel=Sigmoid(a=0.001)).fit(x).note)
    encoder = PreimageKlsh(bits=30, kernel=Sigmoid(a=0.1)).fit(x)
    same = int(np.count_nonzero(np.ptp(encoder.project(x), axis=0) == 0))
    assert same > 0
    assert f"{same} of 30 bits are the same for all landmarks" in str(encoder.note)


def test_near_items_share_more_bits() -> None:
    x = training_data(n=1_000)
    far = np.square(x[:100, None] - x[None]).sum(axis=2)
    codes = PreimageKlsh(bits=128).fit(x).encode(x)
    bits = np.bitwise_count(codes[:100, None] ^ codes[None]).sum(axis=2)
    order = np.argsort(far, axis=1)
    near, all_of_them = np.take_along_axis(bits, order[:, 1:11], axis=1).mean(), bits.mean()
    assert near < 0.5 * all_of_them


KERNEL = Polynomial(a=0.01, c=1, p=2)
DRAWS = 10
ASKED = 40  # of the 597, for what is counted query by query


@dataclass(frozen=True)
class Digits:
    """One draw."""

    x: npt.NDArray[np.float64]
    labels: npt.NDArray[np.int64]
    queries: npt.NDArray[np.float64]
    answers: npt.NDArray[np.int64]


@pytest.fixture(scope="module")
def draws() -> list[Digits]:
    datasets = pytest.importorskip(
        "sklearn.datasets", reason="scikit-learn, whose digits are looked at, is missing: install the extra “bench”"
    )
    x, labels = datasets.load_digits(return_X_y=True)
    orders = [np.random.default_rng(seed).permutation(len(x)) for seed in range(DRAWS)]
    return [Digits(x[o[:1200]], labels[o[:1200]], x[o[1200:]], labels[o[1200:]]) for o in orders]


def per_query(draws: list[Digits], bound: Bound, figure: Callable[[ExactKnn, npt.NDArray[np.float64]], float]) -> float:
    searches = [(ExactKnn(KERNEL, one.x, bound), one.queries[:ASKED]) for one in draws]
    return float(np.mean([figure(knn, query) for knn, queries in searches for query in queries]))


def nearest_labels(one: Digits, allowed: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    far = KERNEL.diagonal(one.x) - 2 * KERNEL.matrix(one.queries, one.x)
    far[~allowed] = np.inf
    rows = far.argmin(axis=1)
    own = np.take_along_axis(far, rows[:, None], axis=1)
    return np.asarray(majority(one.labels[rows][:, None], own, 1))


def bucket(codes: npt.NDArray[np.uint8], asked: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Say which items share the code of each query, or the nearest occupied one, the first of these."""
    occupied = np.unique(codes[:, 0])
    nearest = occupied[np.bitwise_count(occupied[None] ^ asked).argmin(axis=1)]
    return np.asarray(codes[:, 0] == nearest[:, None])


def test_exact_neighbours_label_as_well_as_ever(draws: list[Digits]) -> None:
    everything = np.ones((597, 1200), np.bool_)
    right = np.mean([nearest_labels(one, everything) == one.answers for one in draws])
    assert 100 * right == pytest.approx(98.27, abs=0.3)


def test_buckets_of_preimages(draws: list[Digits]) -> None:
    right, compared = [], []
    for seed, one in enumerate(draws):
        encoder = PreimageKlsh(bits=5, kernel=KERNEL, seed=seed).fit(one.x)
        allowed = bucket(encoder.encode(one.x), encoder.encode(one.queries))
        compared.append(allowed.mean())
        right.append((nearest_labels(one, allowed) == one.answers).mean())
    assert 100 * np.mean(compared) == pytest.approx(5.53, abs=1.5)
    assert 100 * np.mean(right) == pytest.approx(92.7, abs=2)


def test_comparisons_that_bounds_spare(draws: list[Digits]) -> None:
    bounds: tuple[Bound, ...] = ("norms", "heuristic", "none")
    compared = {bound: per_query(draws, bound, lambda knn, query: knn.nearest(query, 1).compared) for bound in bounds}
    share = {bound: 100 * count / 1200 for bound, count in compared.items()}
    assert share["norms"] == pytest.approx(91.9, abs=1.5)
    assert share["heuristic"] == pytest.approx(82.5, abs=2.5)
    assert share["none"] == 100


def test_the_heuristic_loses_neighbours_and_the_norms_none(draws: list[Digits]) -> None:
    lost = per_query(draws, "heuristic", lambda knn, query: knn.lost(query, knn.nearest(query, 1)))
    assert 1 <= 100 * lost <= 5


def test_pairs_that_break_the_heuristic(draws: list[Digits]) -> None:
    (one, *_) = draws
    own, theirs = KERNEL.diagonal(one.queries)[:, None], KERNEL.diagonal(one.x)
    squared = own + theirs - 2 * KERNEL.matrix(one.queries, one.x)
    assert 100 * np.mean(squared < (own - theirs) / 2) == pytest.approx(0.08, abs=0.05)
    assert (squared >= np.square(np.sqrt(own) - np.sqrt(theirs)) - 1e-9 * (own + theirs)).all()
