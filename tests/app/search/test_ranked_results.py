"""Results of several views, indexes and marks together, in stacks and bands, with few statements."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.app.folders import Libraries
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make
from tests.features.keypoints.test_geometric_check import painted
from tests.postgres import Server
from tests.statements import counted
from twinlens import features
from twinlens.app.library.library import Library
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.search import search_query
from twinlens.app.search.describing_tasks import picture_views
from twinlens.app.search.query_distance import PictureView, needs_variants
from twinlens.app.search.search_options import Filters, FusionOptions, SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery, with_marks
from twinlens.app.search.search_results import (
    LEAST,
    GeometricCheck,
    ResultPhotograph,
    SearchResult,
    SearchSeconds,
    SimilarityLevels,
    band_names,
    band_summary,
    bands,
    stacked,
    together,
    unfolded_count,
    with_stacks,
)
from twinlens.app.search.searcher import Searcher, search
from twinlens.core.arrays import UInt8Pixels
from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.errors import TwinlensError
from twinlens.core.search.late_fusion import FUSIONS, RankedList
from twinlens.features.copies import RelationKind
from twinlens.features.keypoints import sift
from twinlens.features.keypoints.sift import Cap, LocalFeatures
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.storage.comparisons import RelatedRow
from twinlens.storage.database.address import Address
from twinlens.storage.indexes import index_codes
from twinlens.storage.marks import RefusedRow
from twinlens.storage.photographs.photograph_listing import Filter

COUNT = 120
INDEXES = (FEW_BITS, LEARNED, EXACTLY)
NAMES = [name for name, *_ in INDEXES]


def by_fusion(way: str, weights: tuple[float, ...]) -> FusionOptions:
    return FusionOptions(way=way, weights=weights)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with make(tmp_path_factory.mktemp("library") / "made.twinlens", histograms(COUNT), INDEXES) as library:
        yield Searcher(library)


@pytest.mark.parametrize("way", FUSIONS)
@pytest.mark.parametrize("weights", [(), (2.0, 0.5), (0.0, 1.0)])
@pytest.mark.parametrize("filters", [Filters(), Filters(orientation="portrait")])
def test_the_answer_is_the_fusion_of_what_each_answers(
    searcher: Searcher, way: str, weights: tuple[float, ...], filters: Filters
) -> None:
    question = SearchQuery((Example(5), Example(9, 0.5), Example(40, -0.3)))
    names = ["Few bits", "Learned"]
    alone = [searcher.search(question, name, SearchOptions(k=COUNT, filters=filters)) for name in names]
    lists = [
        RankedList(np.array([hit.id for hit in one.hits]), np.array([hit.similarity for hit in one.hits]))
        for one in alone
    ]
    fused = FUSIONS[way](lists, weights or None)
    result = searcher.search_indexes(
        question,
        names,
        SearchOptions(k=9, filters=filters, fusion=by_fusion(way, weights)),
    )[0]
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
        one = searcher.search_indexes(7, NAMES, SearchOptions(fusion=by_fusion(way, (1.0, 2.0, 3.0))))[0]
        other = searcher.search_indexes(7, NAMES[::-1], SearchOptions(fusion=by_fusion(way, (3.0, 2.0, 1.0))))[0]
        assert one.hits == other.hits


def test_one_index_alone_keeps_its_order(searcher: Searcher) -> None:
    together, alone = (
        searcher.search_indexes(7, ["Exactly"], SearchOptions(fusion=FusionOptions()))[0],
        searcher.search(7, "Exactly"),
    )
    assert [hit.id for hit in together.hits] == [hit.id for hit in alone.hits]
    assert together.exact
    assert together.hits[0].similarity == 1


def test_several_pictures_are_asked_one_by_one(searcher: Searcher) -> None:
    library: Library = searcher._library
    results = search(library, [3, 4], NAMES, SearchOptions(k=5, fusion=FusionOptions(way="borda"))).results
    assert [result.hits[0].id for result in results] == [3, 4]
    assert {str(result.measure) for result in results} == {"Borda count"}


@pytest.mark.parametrize(
    ("way", "weights", "words"),
    [
        ("best", (), "rrf, borda, similarity"),
        ("rrf", (1.0,), "number of weights (1)"),
        ("rrf", (0.0, 0.0), "one must be above 0"),
        ("rrf", (1.0, -1.0), "cannot be negative"),
        ("rrf", (1.0, float("inf")), "cannot be negative"),
        ("rrf", (1.0, float("nan")), "cannot be negative"),
    ],
)
def test_what_cannot_be_fused_is_a_sentence(
    searcher: Searcher, way: str, weights: tuple[float, ...], words: str
) -> None:
    with pytest.raises(TwinlensError) as caught:
        searcher.search_indexes(3, ["Few bits", "Learned"], SearchOptions(fusion=by_fusion(way, weights)))
    assert words in f"{caught.value}"


def pictured(rgb: UInt8Pixels) -> Picture:
    return Picture(np.ascontiguousarray(rgb), None, PictureFacts("PNG", *rgb.shape[1::-1]))


@pytest.mark.parametrize(
    ("text", "expected", "variants"),
    [
        ("colour", (), False),
        ("gist", (), False),
        ("vlad", (Cap(300),), True),
        ("compact-vlad:keypoints=120,spread=0.5", (Cap(120, 0.5),), True),
        ("fusion", (Cap(300),), True),
        ("fusion:first=gist,second=colour", (), False),
        ("fusion:first=vlad(keypoints=100),second=colour,third=compact-vlad", (Cap(100), Cap(300)), True),
        ("network", (), False),
        ("fusion:third=network", (Cap(300),), False),
    ],
)
def test_the_local_features_that_a_descriptor_works_on_and_whether_it_needs_variants(
    text: str, expected: tuple[Cap, ...], variants: bool
) -> None:
    declared = read_declaration(features.DESCRIPTORS, text)
    assert (declared.caps, needs_variants(declared)) == (expected, variants)


def test_local_features_are_looked_for_once_and_what_works_on_none_is_asked_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[Cap] = []
    find = sift._find

    def noted(picture: Picture, cap: Cap) -> LocalFeatures:
        found.append(cap)
        return find(picture, cap)

    monkeypatch.setattr(sift, "_find", noted)
    declared = {text: read_declaration(features.DESCRIPTORS, text) for text in ("colour", "compact-vlad", "fusion")}
    wanted = {text: (one, one.fit(lambda: ())) for text, one in declared.items()}
    made = picture_views(pictured(painted(1)), wanted, with_variants=True, with_parts=True)
    assert found == [Cap(300)]
    for text, one in declared.items():
        rows, parts = (1, 0) if text == "colour" else (4, 5)
        assert made[text].alternatives.shape == (rows, one.dimensions)
        assert made[text].parts.shape == (parts, one.dimensions)
    alone = picture_views(pictured(painted(1)), wanted, with_variants=False, with_parts=False)["fusion"]
    assert (len(alone.alternatives), len(alone.parts)) == (1, 0)


def test_the_alternatives_are_those_of_the_changed_pictures() -> None:
    extractor = (declared := read_declaration(features.DESCRIPTORS, "fusion")).fit(lambda: ())
    rgb = painted(3)
    rows = picture_views(pictured(rgb), {"": (declared, extractor)}, with_variants=True, with_parts=False)[
        ""
    ].alternatives
    for place, (mirrored, inverted) in enumerate([(False, False), (True, False), (False, True), (True, True)]):
        changed = rgb[:, ::-1] if mirrored else rgb
        alike = rows @ extractor.extract(pictured(255 - changed if inverted else changed))
        assert alike.argmax() == place
        assert alike[place] > 0.8


def test_a_vector_alone_has_no_variants_and_no_parts() -> None:
    view = PictureView.alone(np.ones(3, np.float32))
    assert (view.alternatives.shape, view.parts.shape) == ((1, 3), (0, 3))


CONTENTS = {number: bytes([number]) * 32 for number in range(1, 7)}


def hit(number: int, similarity: float = 0.0, confirmed: bool = False, query: bool = False) -> ResultPhotograph:
    check = GeometricCheck(confirmed=confirmed, score=1.0, inliers=12, mirrored=False, inverted=False)
    return ResultPhotograph(
        path=f"{number}.jpg", id=number, distance=1.0, similarity=similarity, check=check, query=query
    )


def result(hits: list[ResultPhotograph], likeness: SimilarityLevels | None) -> SearchResult:
    seconds = SearchSeconds(extract=0, encode=0, scan=0, rerank=0, total=0)
    return SearchResult(
        query="asked.jpg", index="Automatic", text="", measure="linear", exact=True, hits=hits, seconds=seconds,
        looked_at=1, scanned=1, of=len(hits), likeness=likeness,
    )  # fmt: skip


def relate(library: Library, *pairs: tuple[int, int, RelationKind]) -> None:
    rows = []
    for one, other, kind in pairs:
        first, second = sorted((CONTENTS[one], CONTENTS[other]))
        rows.append(RelatedRow(first, second, kind.value, "{}"))
    with library.store.writing("tests") as w:
        w.comparisons.relate(rows)


@pytest.fixture
def library(libraries: Libraries, tmp_path: Path) -> Iterator[Library]:
    with Library.open(libraries.copy(5, tmp_path / "family.twinlens")) as opened:
        yield opened


def test_copies_and_series_belong_together_and_edited_versions_do_not(library: Library) -> None:
    relate(library, (1, 2, RelationKind.SAME), (2, 5, RelationKind.SIMILAR), (3, 4, RelationKind.EDITED))
    with library.store.reading() as r:
        assert together(r, CONTENTS) == {1: 1, 2: 1, 5: 1}
        assert together(r, {7: CONTENTS[3], 8: CONTENTS[3], 9: None, 10: None}) == {7: 7, 8: 7}


def test_what_a_person_took_apart_stays_apart(library: Library) -> None:
    relate(library, (1, 2, RelationKind.SAME))
    with library.store.writing("tests") as w:
        w.comparisons.refuse([RefusedRow(CONTENTS[1], CONTENTS[2], "1.jpg", "2.jpg")])
    with library.store.reading() as r:
        assert together(r, CONTENTS) == {}


def test_a_search_stacks_what_was_compared_and_keeps_every_hit(library: Library) -> None:
    with library.store.reading() as r:
        rows = r.photographs.by_id(r.photographs.matching(Filter()))
    asked, *others = [row.id for row in rows]
    before = search(library, [asked]).results[0].hits
    assert {one.stack for one in before} == {None}
    first, second = sorted(row.content_hash or b"" for row in rows if row.id in others[:2])
    with library.store.writing("tests") as w:
        w.comparisons.relate([RelatedRow(first, second, RelationKind.SIMILAR.value, "{}")])
    after = search(library, [asked]).results[0].hits
    assert [one.id for one in after] == [one.id for one in before]
    leader = next(one.id for one in after if one.id in others[:2])
    assert {one.id: one.stack for one in after if one.stack} == dict.fromkeys(others[:2], leader)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(-1, 11))
def test_stacks_hold_every_hit_once_in_its_order(keys: list[int], asked: int) -> None:
    hits = [hit(number, query=number == asked) for number in range(len(keys))]
    found = stacked(with_stacks(hits, dict(enumerate(keys))))
    assert sorted(one.id for stack in found for one in (stack.first, *stack.more)) == list(range(len(keys)))
    firsts = [stack.first.id for stack in found]
    assert firsts == sorted(firsts)
    for stack in found:
        ids = [one.id for one in (stack.first, *stack.more)]
        assert ids == sorted(ids)
        assert len({keys[one] for one in ids}) == 1
        assert asked not in ids or len(ids) == 1


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30))
def test_bands_follow_each_other_and_a_dozen_is_always_shown(given_hits: list[tuple[float, bool]]) -> None:
    hits = [hit(number, *one) for number, one in enumerate(given_hits)]
    found = result(hits, SimilarityLevels(very_similar=0.6, similar=0.3))
    order = ["same picture", "very similar", "similar", "less similar"]
    named = band_names(found.likeness, hits)
    assert [order.index(name) for name in named] == sorted(order.index(name) for name in named)
    assert [one.first for band in bands(found) for one in band.stacks] == hits
    shown = unfolded_count(named)
    assert min(LEAST, len(hits)) <= shown <= len(hits)
    assert set(named[shown:]) <= {"less similar"}


def test_the_summary_counts_stacks_once_and_leaves_the_query_out() -> None:
    hits = [hit(0, 1, query=True), hit(1, 0.9, True), hit(2, 0.7), hit(3, 0.7), hit(4, 0.4), hit(5, 0.1)]
    limits = SimilarityLevels(very_similar=0.6, similar=0.3)
    counts = band_summary(result(with_stacks(hits, {2: 2, 3: 2}), limits))
    assert [counts[name] for name in ("same", "very", "similar", "of")] == [1, 1, 1, 6]


def test_without_words_for_similarities_matches_stand_before_the_rest() -> None:
    hits = [hit(1, 0.4, True), hit(2, 0.9), hit(3, 0.3, True)]
    assert [(one.name, len(one.stacks)) for one in bands(result(hits, None))] == [("same picture", 1), ("", 2)]


MOST = 20
_ASKED = [
    SearchOptions(k=20),
    SearchOptions(k=2000),
    SearchOptions(k=20, exact=True),
    SearchOptions(k=20, compare_exact=True),
    SearchOptions(k=20, filters=Filters(since="2005", camera="camera 1", orientation="landscape")),
]


def test_the_statements_of_a_search_do_not_grow(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_codes, "FULL", 16)  # so many codes in a segment
    sent: list[list[int]] = []
    for size in (150, 1500):
        address = Address.of(postgres.database())
        numbers = []
        with make(address, histograms(size), (FEW_BITS, LEARNED, EXACTLY)) as library:
            for name, *_ in (FEW_BITS, LEARNED, EXACTLY):
                searcher = Searcher(library)
                for wanted in (*_ASKED, *_ASKED):  # the first search loads the codes
                    with counted() as statements:
                        searcher.search(7, name, wanted)
                    numbers.append(len(statements))
        sent.append(numbers)
    few, many = sent
    assert max(many) <= MOST
    assert many == few


INDEX = FEW_BITS[0]


@pytest.fixture
def marked_library(tmp_path: Path) -> Iterator[Library]:
    with make(tmp_path / "a.twinlens", histograms(40), (FEW_BITS,)) as opened:
        yield opened


def asked(question: SearchQuery) -> list[tuple[object, float]]:
    return [(one.picture, one.weight) for one in question.examples]


def test_marks_of_liked_pictures_are_added_once_with_their_sign(marked_library: Library) -> None:
    mark_pairs(marked_library, [(3, 5), (8, 3), (20, 21)], True)
    mark_pairs(marked_library, [(3, 9), (3, 10)], False)
    mark_pairs(marked_library, [(3, 30)], True)
    mark_pairs(marked_library, [(3, 30)], False)
    with marked_library.store.writing() as w:
        w.photographs.mark_missing([10])
    found = with_marks(marked_library, SearchQuery.of(3))
    assert asked(found) == [(3, 1.0), (9, -1.0), (8, 1.0), (5, 1.0)]
    assert found.mark_counts() == (2, 1)
    question = SearchQuery((Example(3, 2.0), Example(9, -1.0), Example(20, -1.0), Example(8)))
    assert asked(with_marks(marked_library, question)) == [*asked(question), (5, 2.0)]
    path = Path("/mnt/disk/0000/0000002.jpg")
    assert asked(with_marks(marked_library, SearchQuery.of(path))) == [(path, 1.0), (9, -1.0), (8, 1.0), (5, 1.0)]


def test_what_has_no_marks_stays_as_it_is(marked_library: Library) -> None:
    mark_pairs(marked_library, [(3, 5)], True)
    for picture in (4, Path("/nowhere/else.jpg"), b"bytes"):
        found = with_marks(marked_library, SearchQuery.of(picture))
        assert found == SearchQuery((Example(picture),))
        assert "no marks" in str(found.marks_note())
    part = SearchQuery((Example(3, region=(0, 0, 0.5, 1)),))
    assert with_marks(marked_library, part) == part


def test_the_newest_marks_count_where_there_are_many(marked_library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_query, "MOST_MARKS", 2)
    mark_pairs(marked_library, [(1, other) for other in range(2, 7)], True)
    mark_pairs(marked_library, [(1, 7)], False)
    assert asked(with_marks(marked_library, SearchQuery.of(1))) == [(1, 1.0), (7, -1.0), (6, 1.0), (5, 1.0)]


def test_a_search_with_marks_ranks_by_them_and_says_so(marked_library: Library) -> None:
    mark_pairs(marked_library, [(1, 2)], True)
    mark_pairs(marked_library, [(1, 3)], False)
    plain, fed = (
        search(marked_library, [1], [INDEX], SearchOptions(check=False, marks=marks)).results[0]
        for marks in (False, True)
    )
    by_hand = SearchQuery((Example(1), Example(3, -1.0), Example(2)))
    hits = search(marked_library, [by_hand], [INDEX], SearchOptions(check=False)).results[0].hits
    # What the marks add is an answer, not what was asked with.
    assert fed.hits == [one.model_copy(update={"query": one.id == 1}) for one in hits]
    assert fed.hits != plain.hits
    assert fed.query == plain.query
    assert "1 similar, 1 different" in str(fed.note)
