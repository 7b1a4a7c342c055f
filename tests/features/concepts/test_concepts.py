"""Tests of the concepts of pictures: what the network tells, and how it is kept and read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.arrays import Float32Vectors
from twinlens.core.errors import TwinlensError
from twinlens.features.concepts.concepts import CLASS_COUNT, KEPT, ClassProbabilities, ConceptExtractor, Concepts
from twinlens.features.network import ready_made_network
from twinlens.features.network.network import Network
from twinlens.features.network.network_file import open_network
from twinlens.features.network.ready_made_network import CLASSES
from twinlens.features.pictures.picture import Picture, PictureFacts

SEED = np.random.default_rng(5)


def noise(mask: bool | None = None) -> Picture:
    rgb = SEED.integers(0, 256, (60, 80, 3), np.uint8)
    return Picture(rgb, None if mask is None else np.full(rgb.shape[:2], mask), PictureFacts("PNG", 80, 60))


def fitted() -> ConceptExtractor:
    return Concepts().fit(lambda: ())


def test_the_most_probable_classes_are_those_of_the_classifier() -> None:
    picture = noise()
    network = Network().fit(lambda: ())
    weights = ready_made_network.READY_MADE["efficientnet-lite0"].weights_file()
    assert weights is not None
    tensors = ready_made_network.tensors(weights.read_bytes())
    features = network.outputs(picture)[-1].astype(np.float64) ** 2
    logits = tensors["_fc.weight"].astype(np.float64) @ features + tensors["_fc.bias"].astype(np.float64)
    expected = np.exp(logits - logits.max())
    expected /= expected.sum()
    vector = fitted().extract(picture)
    first = np.argsort(-expected)[:KEPT]
    np.testing.assert_allclose(np.sort(vector[KEPT:])[::-1], expected[first], atol=1e-4)
    assert set(vector[:4].astype(int)) <= set(first.tolist())
    kept = ClassProbabilities.of(vector.astype("<f2")[None])
    np.testing.assert_array_equal(kept.classes[0], vector[:KEPT].astype(int))


def test_the_network_runs_once_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    network, concepts = Network().fit(lambda: ()), fitted()
    opened, picture = open_network(network.path, network.digest), noise()
    run, runs = opened.vectors, []

    def vectors(given: Any, outputs: Sequence[str]) -> list[Float32Vectors]:
        runs.append(outputs)
        return run(given, outputs)

    monkeypatch.setattr(opened, "vectors", vectors)
    network.extract(picture)
    concepts.extract(picture)
    assert len(runs) == 1
    assert CLASSES in runs[0]


def test_what_is_invisible_shows_nothing() -> None:
    vector = fitted().extract(noise(mask=False))
    assert not vector.any()
    assert ClassProbabilities.of(vector[None]).of_any(range(CLASS_COUNT)) == [0]


def test_a_missing_package_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = fitted()
    monkeypatch.setattr(ready_made_network.ReadyMade, "weights_file", lambda _: None)
    assert "not installed" in str(extractor.unusable())
    with pytest.raises(TwinlensError, match="not installed"):
        fitted()


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(0, CLASS_COUNT - 1), max_size=400))
def test_a_sum_is_that_of_the_whole_table(seed: int, classes: list[int]) -> None:
    rng = np.random.default_rng(seed)
    every = rng.dirichlet(np.full(CLASS_COUNT, 0.02), 4)
    kept = np.argsort(-every, axis=1)[:, :KEPT]
    vectors = np.concatenate([kept, np.take_along_axis(every, kept, axis=1)], axis=1).astype("<f2")
    dense = np.zeros_like(every)
    np.put_along_axis(dense, kept, vectors[:, KEPT:].astype(np.float64), axis=1)
    expected = np.minimum(dense[:, sorted(set(classes))].sum(axis=1), 1)
    np.testing.assert_allclose(ClassProbabilities.of(vectors).of_any(classes), expected, atol=1e-6)


@given(st.integers(0, 2**32 - 1), st.lists(st.lists(st.integers(0, CLASS_COUNT - 1), max_size=300), max_size=4))
def test_counts_are_those_of_each_sum(seed: int, sums: list[list[int]]) -> None:
    rng = np.random.default_rng(seed)
    classes = np.stack([rng.permutation(CLASS_COUNT)[:KEPT] for _ in range(30)])
    probabilities = rng.dirichlet(np.full(KEPT, 0.2), 30)
    shown = ClassProbabilities.of(np.concatenate([classes, probabilities], axis=1).astype("<f2"))
    assert shown.counts(sums, 0.4) == [int((shown.of_any(one) >= 0.4).sum()) for one in sums]
    assert shown.class_counts(0.4) == [int((shown.of_any([one]) >= 0.4).sum()) for one in range(CLASS_COUNT)]


def test_damaged_vectors_show_nothing() -> None:
    vectors = np.full((3, 2 * KEPT), 3, np.float16)
    vectors[0, :KEPT], vectors[1, :KEPT] = -5, 2000
    found = ClassProbabilities.of(vectors)
    np.testing.assert_array_equal(found.of_any(range(CLASS_COUNT)), [0, 0, 1])
