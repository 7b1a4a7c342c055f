"""The searcher: the answers of a plain look at everything, the second time without loading, until something changes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import loaded_index, scope
from app.asking import Example, Question
from app.encoding import bring_up_to_date
from app.filters import Filters, passing
from app.indexes import rename_index
from app.library import Library
from app.searching import Searcher, search
from core.errors import Cancelled, TwinlensError
from core.kernels import Hellinger
from core.measure import Measure
from storage.filters import Filter
from storage.schema import State
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make, put

COUNT = 300
VECTORS = histograms(COUNT)
INDEXES = (FEW_BITS, LEARNED, EXACTLY)
NAMES = [name for name, *_ in INDEXES]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with make(tmp_path_factory.mktemp("library") / "made.twinlens", VECTORS, INDEXES) as opened:
        yield opened


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[Library]:
    """Give a library that a test may change."""
    with make(tmp_path / "made.twinlens", VECTORS[:60], (LEARNED, EXACTLY)) as opened:
        yield opened


def plain_answer(question: Question, k: int, allowed: set[int]) -> list[tuple[int, float]]:
    """Rank every photograph by the formula."""
    stored = VECTORS.astype(np.float16).astype(np.float32)
    measure = Measure(Hellinger())
    total = sum(abs(example.weight) for example in question.examples)
    score = np.zeros(COUNT)
    for example in question.examples:
        assert isinstance(example.picture, int)
        score += example.weight * (1 - measure.distances(stored[example.picture - 1], stored) ** 2 / 2) / total
    ranked = sorted(
        (round(float(2 - 2 * one), 9), place + 1) for place, one in enumerate(score) if place + 1 in allowed
    )
    return [(place, max(0.0, 1 - squared / 2)) for squared, place in ranked[:k]]


examples = st.builds(Example, st.integers(1, COUNT), st.floats(-2, 2).filter(lambda weight: abs(weight) > 0.1))
questions = (
    st.lists(examples, min_size=1, max_size=4)
    .filter(lambda some: max(example.weight for example in some) > 0)
    .map(lambda some: Question(tuple(some)))
)
filters = st.sampled_from([Filters(), Filters(orientation="portrait"), Filters(since="2005", camera="camera 1")])


def allowed_by(one: Filters) -> set[int]:
    ids = range(1, COUNT + 1)
    if one.orientation:
        return {i for i in ids if i % 2 == 0}
    return {i for i in ids if not one.since or (i % 20 >= 5 and i % 3 == 1)}


@given(question=questions, index=st.sampled_from(["Exactly", "Few bits", "Learned"]), filters=filters)
@settings(max_examples=40)
def test_the_exact_answer_is_the_plain_one(library: Library, question: Question, index: str, filters: Filters) -> None:
    result = Searcher(library).search(question, index, k=12, exact=True, filters=filters)
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
    library: Library, question: Question, index: str, filters: Filters, k: int
) -> None:
    searcher = Searcher(library)
    result = searcher.search(question, index, k, compare_exact=True, filters=filters)
    truth = searcher.search(question, index, k, exact=True, filters=filters).hits
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
    results = search(library, list(range(1, 21)), ["Few bits"], k=10, compare_exact=True).results
    assert any(result.missed for result in results)
    silent = search(library, [1], ["Few bits"], k=10).results[0]
    assert (silent.missed, silent.overlap, silent.exact_seconds) == ([], None, None)


def test_candidates_of_every_liked_example_are_ranked(library: Library) -> None:
    searcher = Searcher(library)
    singles = [searcher.search(picture, "Few bits", k=5).hits for picture in (3, 200)]
    both = searcher.search(Question((Example(3), Example(200), Example(9, -0.5))), "Few bits", k=400)
    reached = {hit.id for hit in both.hits}
    assert {hit.id for hits in singles for hit in hits} <= reached
    assert {hit.id for hit in both.hits if hit.query} == {3, 200, 9} & reached
    assert both.query.count(" + ") == both.query.count(" − ") == 1


def test_a_negative_example_turns_its_like_away(library: Library) -> None:
    searcher = Searcher(library)
    like = searcher.search(7, "Exactly", k=COUNT)
    twin = next(hit.id for hit in like.hits if not hit.query)
    against = searcher.search(Question((Example(7), Example(twin, -1.0))), "Exactly", k=COUNT)
    ranks = [[hit.id for hit in result.hits].index(twin) for result in (like, against)]
    assert ranks[0] < ranks[1]


@pytest.mark.parametrize("weights", [(), (-1.0,), (0.0, -2.0)])
def test_a_question_without_anything_to_be_like_is_refused(library: Library, weights: tuple[float, ...]) -> None:
    question = Question(tuple(Example(1 + i, weight) for i, weight in enumerate(weights)))
    with pytest.raises(TwinlensError, match="shall be like"):
        Searcher(library).search(question, "Exactly")


def test_all_indexes_answer_one_question_as_each_alone(library: Library) -> None:
    question = Question((Example(5), Example(6, 0.5)))
    searcher = Searcher(library)
    together = searcher.ask(question, NAMES)
    assert [result.hits for result in together] == [searcher.search(question, name).hits for name in NAMES]
    assert [result.hits for result in search(library, [question], NAMES).results] == [one.hits for one in together]


# --- what is kept ----------------------------------------------------------------------------------------------------


def count_loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    loads: list[str] = []
    load = loaded_index.load_index

    def counted_load(r: Any, row: Any) -> Any:
        loads.append(row.name)
        return load(r, row)

    def counted_look(*given: Any) -> Any:
        loads.append("scope")
        return passing(*given)

    monkeypatch.setattr(loaded_index, "load_index", counted_load)
    monkeypatch.setattr(scope, "passing", counted_look)
    return loads


@pytest.mark.parametrize("name", NAMES)
def test_the_second_search_loads_nothing(library: Library, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loads = count_loads(monkeypatch)
    searcher = Searcher(library)
    first = searcher.search(3, name)
    assert loads == [name, "scope"]
    second = searcher.search(4, name)
    searcher.search(4, name, filters=Filters(since="2003"))
    assert loads == [name, "scope", "scope"]
    assert second.hits == Searcher(library).search(4, name).hits != first.hits


def test_what_concerns_no_photograph_leaves_codes_and_sample(
    changing: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = count_loads(monkeypatch)
    searcher = Searcher(changing)
    searcher.search(3, "Learned")
    with changing.store.writing() as w:
        w.settings.put("history", [3])
    searcher.search(3, "Learned")
    assert loads == ["Learned", "scope", "scope"]
    monkeypatch.setattr(scope, "sample_of", lambda *_: pytest.fail("the sample was drawn again"))
    with changing.store.writing() as w:
        w.settings.put("history", [3, 4])
    searcher.search(3, "Learned")


@pytest.mark.parametrize("name", ["Learned", "Exactly"])
def test_a_change_is_seen_at_once(changing: Library, name: str) -> None:
    searcher = Searcher(changing)
    assert len(searcher.search(1, name, k=500).hits) == 60
    put(changing, VECTORS[60:100], 60)
    bring_up_to_date(changing)
    assert {hit.id for hit in searcher.search(1, name, k=500).hits} == set(range(1, 101))
    with changing.store.writing() as w:
        w.photographs.mark_missing([5, 6])
    assert {hit.id for hit in searcher.search(1, name, k=500).hits} == set(range(1, 101)) - {5, 6}
    with changing.store.writing() as w:
        w.remove([7])
    result = searcher.search(1, name, k=500)
    assert {hit.id for hit in result.hits} == set(range(1, 101)) - {5, 6, 7}
    assert result.of == 99
    assert result.histogram is not None
    assert result.histogram.sample == 97


def test_a_new_name_and_a_new_fit_are_seen(changing: Library) -> None:
    searcher = Searcher(changing)
    assert searcher.search(1, "Learned").index == "Learned"
    rename_index(changing, "Learned", "Mine")
    before = searcher.search(1, "Mine")
    assert before.index == "Mine"
    with changing.store.writing() as w:
        row = w.indexes.by_name("Mine")
        assert row is not None
        w.indexes.describe(row.id, row.descriptor, '{"key": "lsh", "bits": 8, "seed": 1}', row.search)
        w.indexes.set_kind(row.id, row.kind_id)
    unfitted = searcher.search(1, "Mine")
    assert unfitted.exact
    assert "lsh:bits=8" in unfitted.text
    bring_up_to_date(changing)
    assert not searcher.search(1, "Mine").exact


def test_a_writer_in_between_never_gives_an_answer_of_two_moments(
    changing: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    searcher = Searcher(changing)
    searcher.search(1, "Exactly")
    reading = changing.store.reading
    added = iter([(60, 70), (70, 80)])

    def late() -> Any:
        for start, stop in [next(added, (0, 0))]:
            put(changing, VECTORS[start:stop], start)
        return reading()

    monkeypatch.setattr(changing.store, "reading", late)
    for found in (70, 80, 80):
        assert len(searcher.search(1, "Exactly", k=500).hits) == found


def test_threads_ask_while_another_writes(changing: Library) -> None:
    searcher = Searcher(changing)

    def ask(number: int) -> set[int]:
        return {hit.id for hit in searcher.search(1 + number % 50, ("Learned", "Exactly")[number % 2], k=500).hits}

    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(ask, number) for number in range(24)]
        for start in range(60, 100, 10):
            put(changing, VECTORS[start : start + 10], start)
            bring_up_to_date(changing)
        for one in answers:
            found = one.result()
            assert found == set(range(1, len(found) + 1))
            assert 60 <= len(found) <= 100


def test_an_exact_search_can_be_cancelled(library: Library) -> None:
    def stop(*_: Any) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        Searcher(library).search(1, "Exactly", progress=stop)


# --- what may be found, and the histogram ----------------------------------------------------------------------------


@given(hidden=st.sets(st.integers(1, 60)), unreadable=st.sets(st.integers(1, 60)), known=st.sets(st.integers(1, 80)))
@settings(max_examples=25)
def test_without_filters_all_but_the_missing_may_be_found(
    tmp_path_factory: pytest.TempPathFactory, hidden: set[int], unreadable: set[int], known: set[int]
) -> None:
    path = tmp_path_factory.mktemp("library") / "hidden.twinlens"
    with Library.open(path, create=True) as library:
        put(library, VECTORS[:60])
        with library.store.writing() as w:
            w.photographs.mark_missing(sorted(hidden))
            w.connection.exec_driver_sql(
                f"UPDATE photograph SET state = 'unreadable' WHERE id IN ({', '.join(map(str, sorted(unreadable)))})"
            )
        ids = np.array(sorted(known & set(range(1, 61))), np.int64)
        with library.store.reading() as r:
            mask = passing(library, r, Filters(), ids)
            states = (State.READY, State.PENDING)
            plain = np.isin(ids, r.photographs.matching(Filter(states=states)))
        found = np.ones(len(ids), bool) if mask is None else mask
        np.testing.assert_array_equal(found, plain)


def test_the_histogram_counts_every_photograph_where_they_are_few(library: Library) -> None:
    searcher = Searcher(library)
    for filters in (Filters(), Filters(orientation="portrait"), Filters(since="2099")):
        everything = searcher.search(11, "Few bits", k=COUNT, exact=True, filters=filters)
        histogram = everything.histogram
        assert histogram is not None
        assert (histogram.low, histogram.high, histogram.sample) == (0, 1, len(everything.hits))
        plain = [0] * scope.PARTS
        for hit in everything.hits:
            plain[min(int(hit.similarity * scope.PARTS), scope.PARTS - 1)] += 1
        assert np.abs(np.cumsum(histogram.counts) - np.cumsum(plain)).max() <= 1  # similarities of hits are rounded
        assert searcher.search(11, "Few bits", k=3, filters=filters).histogram == histogram


@given(st.lists(st.floats(0, 1)))
def test_counting_takes_each_similarity_once(similarities: list[float]) -> None:
    plain = [0] * scope.PARTS
    for one in similarities:
        plain[min(int(one * scope.PARTS), scope.PARTS - 1)] += 1
    assert scope.counted(np.array(similarities)) == plain


@pytest.mark.parametrize(("dimensions", "size"), [(116, 2000), (8192, 256), (2048, 1024)])
def test_the_sample_is_always_the_same_and_bounded(dimensions: int, size: int) -> None:
    ids = np.arange(1, 10_001, dtype=np.int64) * 3
    sample = scope.sample_of(ids, dimensions)
    np.testing.assert_array_equal(sample, scope.sample_of(ids, dimensions))
    assert len(sample) == len(set(sample.tolist()) & set(ids.tolist())) == size
    assert (np.diff(sample) > 0).all()
    np.testing.assert_array_equal(scope.sample_of(ids[:200], dimensions), ids[:200])
