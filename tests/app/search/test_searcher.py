"""The searcher: the answers of a plain look at everything, the second time without loading, until something changes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.library.library import Library
from app.search.search_query import Example, SearchOptions, SearchQuery
from app.search.search_space import Filters
from app.search.searcher import Searcher, search
from core.errors import TwinlensError
from core.exact_search.measure import Measure
from core.kernels.histogram_kernels import Hellinger
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make

COUNT = 300
VECTORS = histograms(COUNT)
INDEXES = (FEW_BITS, LEARNED, EXACTLY)
NAMES = [name for name, *_ in INDEXES]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with make(tmp_path_factory.mktemp("library") / "made.twinlens", VECTORS, INDEXES) as opened:
        yield opened


def plain_answer(question: SearchQuery, k: int, allowed: set[int]) -> list[tuple[int, float]]:
    """Rank every photograph by the formula."""
    stored = VECTORS.astype(np.float16).astype(np.float32)
    measure = Measure(Hellinger())
    liked = sum(max(0, example.weight) for example in question.examples)
    unlike = sum(example.weight < 0 for example in question.examples)
    counts = [w if (w := example.weight) > 0 else 0.2 * liked * w / unlike for example in question.examples]
    total = sum(abs(count) for count in counts)
    score = np.zeros(COUNT)
    for example, count in zip(question.examples, counts, strict=True):
        assert isinstance(example.picture, int)
        score += count * (1 - measure.distances(stored[example.picture - 1], stored) ** 2 / 2) / total
    ranked = sorted(
        (round(float(2 - 2 * one), 9), place + 1) for place, one in enumerate(score) if place + 1 in allowed
    )
    return [(place, max(0.0, 1 - squared / 2)) for squared, place in ranked[:k]]


examples = st.builds(Example, st.integers(1, COUNT), st.floats(-2, 2).filter(lambda weight: abs(weight) > 0.1))
questions = (
    st.lists(examples, min_size=1, max_size=4)
    .filter(lambda some: max(example.weight for example in some) > 0)
    .map(lambda some: SearchQuery(tuple(some)))
)
filters = st.sampled_from([Filters(), Filters(orientation="portrait"), Filters(since="2005", camera="camera 1")])


def allowed_by(one: Filters) -> set[int]:
    ids = range(1, COUNT + 1)
    if one.orientation:
        return {i for i in ids if i % 2 == 0}
    return {i for i in ids if not one.since or (i % 20 >= 5 and i % 3 == 1)}


@given(question=questions, index=st.sampled_from(["Exactly", "Few bits", "Learned"]), filters=filters)
@settings(max_examples=40)
def test_the_exact_answer_is_the_plain_one(
    library: Library, question: SearchQuery, index: str, filters: Filters
) -> None:
    result = Searcher(library).search(question, index, SearchOptions(12, exact=True, filters=filters))
    expected = plain_answer(question, 12, allowed_by(filters))
    assert len(result.hits) == len(expected)
    assert [hit.similarity for hit in result.hits] == pytest.approx(
        [similarity for _, similarity in expected], abs=2e-6
    )
    ties = np.diff([similarity for _, similarity in expected], prepend=2, append=-1)
    sure = [place for place in range(len(expected) - 1) if -ties[place] > 1e-5 and -ties[place + 1] > 1e-5]
    assert [result.hits[place].id for place in sure] == [expected[place][0] for place in sure]
    assert result.exact
    assert result.looked_at == len(allowed_by(filters))


@given(question=questions, index=st.sampled_from(["Few bits", "Learned"]), filters=filters, k=st.integers(1, 30))
@settings(max_examples=40)
def test_hits_and_misses_together_are_the_exact_answer(
    library: Library, question: SearchQuery, index: str, filters: Filters, k: int
) -> None:
    searcher = Searcher(library)
    result = searcher.search(question, index, SearchOptions(k, compare_exact=True, filters=filters))
    truth = searcher.search(question, index, SearchOptions(k, exact=True, filters=filters)).hits
    hits = {hit.id for hit in result.hits}
    assert [(one.rank, one.id, one.path, one.similarity) for one in result.missed] == [
        (rank, hit.id, hit.path, hit.similarity) for rank, hit in enumerate(truth, 1) if hit.id not in hits
    ]
    assert result.overlap == pytest.approx(1 - len(result.missed) / len(truth))
    assert result.exact_seconds is not None
    assert hits <= allowed_by(filters)
    liked = sum(example.weight > 0 for example in question.examples)
    assert result.scanned == liked * result.of
    assert result.looked_at >= len(result.hits)


def test_few_bits_miss_something_and_say_what(library: Library) -> None:
    results = search(library, list(range(1, 21)), ["Few bits"], SearchOptions(10, compare_exact=True)).results
    assert any(result.missed for result in results)
    silent = search(library, [1], ["Few bits"], SearchOptions(10)).results[0]
    assert (silent.missed, silent.overlap, silent.exact_seconds) == ([], None, None)


def test_candidates_of_every_liked_example_are_ranked(library: Library) -> None:
    searcher = Searcher(library)
    singles = [searcher.search(picture, "Few bits", SearchOptions(5)).hits for picture in (3, 200)]
    both = searcher.search(SearchQuery((Example(3), Example(200), Example(9, -0.5))), "Few bits", SearchOptions(400))
    reached = {hit.id for hit in both.hits}
    assert {hit.id for hits in singles for hit in hits} <= reached
    assert {hit.id for hit in both.hits if hit.query} == {3, 200, 9} & reached
    assert str(both.query).count(" + ") == str(both.query).count(" − ") == 1


def test_a_negative_example_turns_its_like_away(library: Library) -> None:
    searcher = Searcher(library)
    like = searcher.search(7, "Exactly", SearchOptions(COUNT))
    twin = next(hit.id for hit in like.hits if not hit.query)
    against = searcher.search(SearchQuery((Example(7), Example(twin, -1.0))), "Exactly", SearchOptions(COUNT))
    ranks = [[hit.id for hit in result.hits].index(twin) for result in (like, against)]
    assert ranks[0] < ranks[1]


@pytest.mark.parametrize("weights", [(), (-1.0,), (0.0, -2.0)])
def test_a_question_without_anything_to_be_like_is_refused(library: Library, weights: tuple[float, ...]) -> None:
    question = SearchQuery(tuple(Example(1 + i, weight) for i, weight in enumerate(weights)))
    with pytest.raises(TwinlensError, match="should resemble"):
        Searcher(library).search(question, "Exactly")


def test_all_indexes_answer_one_question_as_each_alone(library: Library) -> None:
    question = SearchQuery((Example(5), Example(6, 0.5)))
    searcher = Searcher(library)
    together = searcher.ask(question, NAMES)
    assert [result.hits for result in together] == [searcher.search(question, name).hits for name in NAMES]
    assert [result.hits for result in search(library, [question], NAMES).results] == [one.hits for one in together]
