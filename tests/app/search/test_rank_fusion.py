"""Several indexes together: the fusion of what each answers alone, and refusals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.library.library import Library
from app.search.search_query import Example, FusionOptions, SearchOptions, SearchQuery
from app.search.search_space import Filters
from app.search.searcher import Searcher, search
from core.errors import TwinlensError
from core.search.late_fusion import FUSIONS, RankedList
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make

COUNT = 120
INDEXES = (FEW_BITS, LEARNED, EXACTLY)
NAMES = [name for name, *_ in INDEXES]


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with make(tmp_path_factory.mktemp("library") / "made.twinlens", histograms(COUNT), INDEXES) as library:
        yield Searcher(library)


@pytest.mark.parametrize("way", FUSIONS)
@pytest.mark.parametrize("weights", [None, (2.0, 0.5), (0.0, 1.0)])
@pytest.mark.parametrize("filters", [Filters(), Filters(orientation="portrait")])
def test_the_answer_is_the_fusion_of_what_each_answers(
    searcher: Searcher, way: str, weights: tuple[float, float] | None, filters: Filters
) -> None:
    question = SearchQuery((Example(5), Example(9, 0.5), Example(40, -0.3)))
    names = ["Few bits", "Learned"]
    alone = [searcher.search(question, name, SearchOptions(COUNT, filters=filters)) for name in names]
    lists = [
        RankedList(np.array([hit.id for hit in one.hits]), np.array([hit.similarity for hit in one.hits]))
        for one in alone
    ]
    fused = FUSIONS[way](lists, weights)
    result = searcher.ask(question, names, SearchOptions(9, filters=filters, fusing=FusionOptions(way, weights)))[0]
    assert [hit.similarity for hit in result.hits] == pytest.approx((fused.scores / fused.best)[:9], abs=1e-5)
    if way != "similarity":  # of which the hits are rounded
        assert [hit.id for hit in result.hits] == fused.ids[:9].tolist()
    for hit in result.hits:
        assert hit.distance == pytest.approx(np.sqrt(2 - 2 * hit.similarity), abs=1e-4)
        assert hit.query == (hit.id in {5, 9, 40})
    assert result.index == "Few bits + Learned"
    assert (result.of, result.exact, result.checked) == (COUNT, False, 0)
    assert result.scanned == sum(one.scanned for one in alone)


def test_the_order_of_the_indexes_makes_no_difference(searcher: Searcher) -> None:
    for way in FUSIONS:
        one = searcher.ask(7, NAMES, SearchOptions(fusing=FusionOptions(way, (1.0, 2.0, 3.0))))[0]
        other = searcher.ask(7, NAMES[::-1], SearchOptions(fusing=FusionOptions(way, (3.0, 2.0, 1.0))))[0]
        assert one.hits == other.hits


def test_one_index_alone_keeps_its_order(searcher: Searcher) -> None:
    together, alone = (
        searcher.ask(7, ["Exactly"], SearchOptions(fusing=FusionOptions()))[0],
        searcher.search(7, "Exactly"),
    )
    assert [hit.id for hit in together.hits] == [hit.id for hit in alone.hits]
    assert together.exact
    assert together.hits[0].similarity == 1


def test_several_pictures_are_asked_one_by_one(searcher: Searcher) -> None:
    library: Library = searcher._library
    results = search(library, [3, 4], NAMES, SearchOptions(5, fusing=FusionOptions("borda"))).results
    assert [result.hits[0].id for result in results] == [3, 4]
    assert {str(result.measure) for result in results} == {"Borda count"}


@pytest.mark.parametrize(
    ("way", "weights", "words"),
    [
        ("best", None, "rrf, borda, similarity"),
        ("rrf", (1.0,), "number of weights (1)"),
        ("rrf", (0.0, 0.0), "one must be above 0"),
        ("rrf", (1.0, -1.0), "cannot be negative"),
        ("rrf", (1.0, float("inf")), "cannot be negative"),
        ("rrf", (1.0, float("nan")), "cannot be negative"),
    ],
)
def test_what_cannot_be_fused_is_a_sentence(
    searcher: Searcher, way: str, weights: tuple[float, ...] | None, words: str
) -> None:
    with pytest.raises(TwinlensError) as caught:
        searcher.ask(3, ["Few bits", "Learned"], SearchOptions(fusing=FusionOptions(way, weights)))
    assert words in f"{caught.value}"
