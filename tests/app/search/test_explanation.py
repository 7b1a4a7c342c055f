"""Why a photograph was found: the figures of the explanation are those of the answer, and of a plain count."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.library.library import Library
from app.search.explanation import colour_shares, explain
from app.search.search_query import Example, SearchOptions, SearchQuery
from app.search.searcher import Searcher
from core.errors import TwinlensError
from core.hashing.packed_codes import hamming
from core.methods.lsh import Lsh
from features.colour.hsv_histogram import HsvHistogram
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, SIZE, histograms, make

WAVES = ("Waves", "colour:levels=1", "sik:bits=4096,kernel=laplacian(gamma=0.5)", "scan:candidates=50")

COUNT = 80
VECTORS = histograms(COUNT)


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    path = tmp_path_factory.mktemp("library") / "made.twinlens"
    with make(path, VECTORS, (FEW_BITS, LEARNED, EXACTLY, WAVES)) as library:
        yield Searcher(library)


def stored_codes(searcher: Searcher, name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    library: Library = searcher._library
    with library.store.reading() as r:
        row = r.indexes.by_name(name)
        assert row is not None
        return r.codes.load(row.id).codes


@given(
    examples=st.lists(st.tuples(st.integers(1, COUNT), st.sampled_from([-1.0, 0.5, 1.0])), min_size=1, max_size=3),
    name=st.sampled_from(["Few bits", "Learned", "Exactly"]),
)
@settings(max_examples=25)
def test_the_figures_are_those_of_the_answer(searcher: Searcher, examples: list[tuple[int, float]], name: str) -> None:
    question = SearchQuery((Example(4), *(Example(*example) for example in examples)))
    result = searcher.search(question, name, SearchOptions(COUNT, exact=True))
    for hit in result.hits[::20]:
        explanation = explain(searcher, question, name, hit.id)
        assert explanation.distance == pytest.approx(hit.distance, abs=1e-6)
        assert explanation.similarity == pytest.approx(hit.similarity, abs=1e-6)
        assert explanation.measure == result.measure
        assert question.examples[explanation.example].weight > 0


@pytest.mark.parametrize(("name", "bits", "known"), [("Few bits", 24, True), ("Learned", 40, False)])
def test_the_bits_are_those_of_the_codes(searcher: Searcher, name: str, bits: int, known: bool) -> None:
    codes = stored_codes(searcher, name)
    for one, other in ((1, 1), (1, 2), (7, 60)):
        code = explain(searcher, one, name, other).code
        assert code is not None
        assert code.bits == len(code.differ) == bits
        assert code.hamming == sum(code.differ) == int(hamming(codes[one - 1], codes[other - 1]))
        plain = [bool((codes[one - 1, i // 8] ^ codes[other - 1, i // 8]) >> i % 8 & 1) for i in range(bits)]
        assert code.differ == plain
        assert code.sentence
        assert str(code.estimate_of) == ("cosine" if known else "")
        assert code.estimate == (pytest.approx(math.cos(math.pi * code.hamming / bits)) if known else None)


def test_the_bits_of_waves_estimate_their_kernel(searcher: Searcher) -> None:
    for other in (1, 2, 60):
        code = explain(searcher, 1, "Waves", other).code
        assert code is not None
        assert str(code.estimate_of) == "laplacian kernel"
        assert "laplacian kernel" in str(code.sentence)
        expected = math.exp(-0.5 * np.abs(VECTORS[0] - VECTORS[other - 1]).sum())
        assert code.estimate == pytest.approx(expected, abs=0.06)


def test_the_estimate_comes_near_the_cosine() -> None:
    rng = np.random.default_rng(1)
    x = rng.standard_normal((40, 16))
    encoder = Lsh(bits=16_384).fit(x)
    codes = encoder.encode(x)
    centred = x - x.mean(axis=0)
    for i in range(39):
        cosine = centred[i] @ centred[i + 1] / np.linalg.norm(centred[i]) / np.linalg.norm(centred[i + 1])
        share = int(hamming(codes[i], codes[i + 1])) / 16_384
        assert Lsh().estimate(share) == pytest.approx(cosine, abs=0.06)


def test_an_index_without_codes_has_no_bits(searcher: Searcher) -> None:
    assert explain(searcher, 1, "Exactly", 2).code is None


def test_the_example_that_the_photograph_is_like_is_compared(searcher: Searcher) -> None:
    question = SearchQuery((Example(20, -1.0), Example(30), Example(40)))
    explanation = explain(searcher, question, "Few bits", 40)
    assert explanation.example == 2
    assert explanation.code is not None
    assert explanation.code.hamming == 0
    assert explanation.overlap == pytest.approx(1)


def test_a_photograph_that_the_index_does_not_know_is_a_sentence(searcher: Searcher) -> None:
    with pytest.raises(TwinlensError, match="number 4711"):
        explain(searcher, 1, "Few bits", 4711)


@given(st.integers(0, COUNT - 1), st.integers(0, COUNT - 1), st.integers(1, 3))
def test_colours_are_shares_of_the_whole_picture(one: int, other: int, levels: int) -> None:
    declared = HsvHistogram(levels=levels)
    padding = np.full(declared.dimensions - SIZE, 0.25, np.float32)
    query, hit = (np.concatenate([VECTORS[i] / levels, padding]).astype(np.float32) for i in (one, other))
    colours = colour_shares(declared, query, hit)
    assert sum(colour.query for colour in colours) == pytest.approx(1)
    assert sum(colour.hit for colour in colours) == pytest.approx(1)
    overlap = sum(min(colour.query, colour.hit) for colour in colours)
    assert overlap == pytest.approx(sum(min(a, b) for a, b in zip(VECTORS[one], VECTORS[other], strict=True)), abs=1e-5)
    assert all(len(colour.rgb) == 7 and int(colour.rgb[1:], 16) >= 0 for colour in colours)


def test_where_nothing_is_visible_there_is_no_colour() -> None:
    nothing = np.zeros(SIZE, np.float32)
    assert colour_shares(HsvHistogram(levels=1), nothing, nothing) == []
    assert {colour.query for colour in colour_shares(HsvHistogram(levels=1), nothing, VECTORS[0])} == {0.0}
