"""What a search may answer with, and the histogram of similarities, against plain counting."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.library.library import Library
from app.search import search_space
from app.search.search_query import SearchOptions
from app.search.search_space import Filters, passing
from app.search.searcher import Searcher
from storage.database.schema import PhotographState
from storage.photographs.photograph_listing import Filter
from tests.app.made_library import FEW_BITS, histograms, make, put

COUNT = 300
VECTORS = histograms(COUNT)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with make(tmp_path_factory.mktemp("library") / "made.twinlens", VECTORS, (FEW_BITS,)) as opened:
        yield opened


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
            states = (PhotographState.READY, PhotographState.PENDING)
            plain = np.isin(ids, r.photographs.matching(Filter(states=states)))
        found = np.ones(len(ids), bool) if mask is None else mask
        np.testing.assert_array_equal(found, plain)


def test_the_histogram_counts_every_photograph_where_they_are_few(library: Library) -> None:
    searcher = Searcher(library)
    for filters in (Filters(), Filters(orientation="portrait"), Filters(since="2099")):
        everything = searcher.search(11, "Few bits", SearchOptions(COUNT, exact=True, filters=filters))
        histogram = everything.histogram
        assert histogram is not None
        assert (histogram.low, histogram.high, histogram.sample) == (0, 1, len(everything.hits))
        plain = [0] * search_space.PARTS
        for hit in everything.hits:
            plain[min(int(hit.similarity * search_space.PARTS), search_space.PARTS - 1)] += 1
        assert np.abs(np.cumsum(histogram.counts) - np.cumsum(plain)).max() <= 1  # similarities of hits are rounded
        assert searcher.search(11, "Few bits", SearchOptions(3, filters=filters)).histogram == histogram


@given(st.lists(st.floats(0, 1)))
def test_counting_takes_each_similarity_once(similarities: list[float]) -> None:
    plain = [0] * search_space.PARTS
    for one in similarities:
        plain[min(int(one * search_space.PARTS), search_space.PARTS - 1)] += 1
    assert search_space.bin_counts(np.array(similarities)) == plain


@pytest.mark.parametrize(("dimensions", "size"), [(116, 2000), (8192, 256), (2048, 1024)])
def test_the_sample_is_always_the_same_and_bounded(dimensions: int, size: int) -> None:
    ids = np.arange(1, 10_001, dtype=np.int64) * 3
    sample = search_space.histogram_sample(ids, dimensions)
    np.testing.assert_array_equal(sample, search_space.histogram_sample(ids, dimensions))
    assert len(sample) == len(set(sample.tolist()) & set(ids.tolist())) == size
    assert (np.diff(sample) > 0).all()
    np.testing.assert_array_equal(search_space.histogram_sample(ids[:200], dimensions), ids[:200])
