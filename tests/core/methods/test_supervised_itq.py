"""The directions of labels against their definitions, written out plainly; and what a label can do."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import eigh

from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.hash_method import LinearEncoder
from twinlens.core.hashing.packed_codes import hamming
from twinlens.core.hashing.supervision import Supervision
from twinlens.core.methods.itq import Itq
from twinlens.core.methods.supervised_itq import CcaItq, LdaItq, SupervisedItq

BOTH = pytest.mark.parametrize("method", [LdaItq(bits=8), CcaItq(bits=8)], ids=lambda one: one.key)


def kinds(
    n: int = 300, d: int = 40, c: int = 6, seed: int = 0
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Draw items of some kinds, whose means differ along directions of little variance."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, c, n)
    x = rng.standard_normal((n, d)) * np.linspace(3, 0.3, d)
    x[:, -8:] += rng.standard_normal((c, 8))[labels]
    return x.astype(np.float32), labels


def same_lines(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> None:
    """Columns are equal but for their signs."""
    turned = one * np.sign((one * other).sum(axis=0))
    np.testing.assert_allclose(turned, other, rtol=1e-6, atol=1e-8 * np.abs(other).max())


def plain_lda(z: npt.NDArray[np.float64], labels: npt.NDArray[np.int64], shrinkage: float) -> npt.NDArray[np.float64]:
    d, n = z.shape[1], len(z)
    within, between = np.zeros((d, d)), np.zeros((d, d))
    for label in range(labels.max() + 1):
        some = z[labels == label]
        for item in some:
            within += np.outer(item - some.mean(axis=0), item - some.mean(axis=0)) / n
        off = some.mean(axis=0) - z.mean(axis=0)
        between += len(some) / n * np.outer(off, off)
    shrunk = (1 - shrinkage) * within + shrinkage * np.trace(within) / d * np.eye(d)
    return np.asarray(eigh(between, shrunk)[1][:, ::-1][:, : labels.max()])


def plain_cca(z: npt.NDArray[np.float64], labels: npt.NDArray[np.int64], ridge: float) -> npt.NDArray[np.float64]:
    x, y = z - z.mean(axis=0), (labels[:, None] == np.arange(labels.max() + 1)).astype(np.float64)
    y -= y.mean(axis=0)
    rho = ridge * np.trace(x.T @ x) / x.shape[1]
    left = x.T @ y @ np.linalg.pinv(y.T @ y) @ y.T @ x
    squares, found = eigh(left, x.T @ x + rho * np.eye(x.shape[1]))
    kept = slice(-1, -labels.max() - 1, -1)
    return np.asarray(found[:, kept] * np.sqrt(squares[kept]))


@given(st.integers(0, 20), st.sampled_from([0.1, 0.5, 1.0]))
def test_directions_are_those_of_the_plain_definitions(seed: int, held: float) -> None:
    x, labels = kinds(120, 12, 4, seed)
    z = x.astype(np.float64)
    same_lines(LdaItq(shrinkage=held).directions(z, labels), plain_lda(z, labels, held))
    same_lines(CcaItq(ridge=held).directions(z, labels), plain_cca(z, labels, held))


def test_both_span_the_same_where_nothing_is_held_down() -> None:
    x, labels = kinds(200, 10, 4)
    one = LdaItq(shrinkage=0).directions(x.astype(np.float64), labels)
    other = CcaItq(ridge=0).directions(x.astype(np.float64), labels)
    together = np.linalg.svd(np.concatenate([one, other], axis=1) / np.linalg.norm(one), compute_uv=False)
    assert (together > 1e-6 * together[0]).sum() == one.shape[1] == other.shape[1] == 3


def precision(method: SupervisedItq | Itq, known: int) -> float:
    """Return the mean share of one kind among the ten nearest by code, of items without a known label."""
    x, labels = kinds(400)
    hidden = np.arange(known, len(x))
    encoder = method.fit_with(x, Supervision.of_labels(labels, hidden))
    codes = encoder.encode(x)
    near = np.argsort(hamming(codes[hidden, None], codes) + np.eye(len(x))[hidden] * 99, axis=1, kind="stable")
    return float((labels[near[:, :10]] == labels[hidden, None]).mean())


@BOTH
def test_labels_of_some_find_more_of_all(method: SupervisedItq) -> None:
    assert precision(method, 120) > precision(Itq(bits=8), 120) + 0.1
    assert precision(method.changed(per_class=3), 120) < precision(method, 120)


@BOTH
@given(st.permutations(range(6)), st.integers(0, 50))
def test_names_of_labels_mean_nothing(method: SupervisedItq, names: list[int], off: int) -> None:
    x, labels = kinds(80, 12)
    renamed = np.array(names)[labels] * 7 - off
    one, other = (method.fit_with(x, Supervision.of_labels(some)) for some in (labels, renamed))
    agree = (one.project(x) >= 0) == (other.project(x) >= 0)
    assert agree.mean() > 0.98  # sums are added up in another order


@BOTH
def test_without_labels_bits_are_those_of_itq_and_say_so(method: SupervisedItq) -> None:
    x, labels = kinds()
    plain = Itq(bits=8).fit(x)
    for nothing in (None, Supervision.of_labels(labels * 0), Supervision.of_labels(labels, np.arange(len(x)))):
        encoder = method.fit_with(x, nothing)
        np.testing.assert_array_equal(encoder.encode(x), plain.encode(x))
        assert isinstance(encoder, LinearEncoder)
        assert "Nothing says yet which items belong together" in str(encoder.note)


@BOTH
def test_more_bits_than_groups_are_mixtures_and_say_so(method: SupervisedItq) -> None:
    x, labels = kinds()
    encoder = method.changed(bits=16).fit_with(x, Supervision.of_labels(labels))
    assert isinstance(encoder, LinearEncoder)
    assert str(encoder.note).startswith("6 groups differ in 5 directions, fewer than 16 bits")
    with pytest.raises(TwinlensError, match="at most as many bits"):
        method.changed(bits=41).fit_with(x, Supervision.of_labels(labels))


@BOTH
def test_equal_items_of_a_group_can_be_learned_from(method: SupervisedItq) -> None:
    x, _ = kinds(4, 10)
    many = np.repeat(x, 5, axis=0)
    encoder = method.changed(bits=4).fit_with(many, Supervision.of_labels(np.repeat(np.arange(4), 5)))
    codes = encoder.encode(x)
    assert len(np.unique(codes)) == 4
