"""Stacks of results, and the bands that results stand in."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.library.library import Library
from app.search.search_results import (
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
from app.search.searcher import search
from features.copies.relation import RelationKind
from storage.comparisons import RefusedRow, RelatedRow
from storage.photographs.photograph_listing import Filter
from tests.app.library_fixture import Libraries

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
def library(libraries: Libraries, tmp_path: Path) -> Library:
    return Library.open(libraries.copy(5, tmp_path / "family.twinlens"))


def test_copies_and_series_belong_together_and_edited_versions_do_not(library: Library) -> None:
    with library:
        relate(library, (1, 2, RelationKind.SAME), (2, 5, RelationKind.SIMILAR), (3, 4, RelationKind.EDITED))
        with library.store.reading() as r:
            assert together(r, CONTENTS) == {1: 1, 2: 1, 5: 1}
            assert together(r, {7: CONTENTS[3], 8: CONTENTS[3], 9: None, 10: None}) == {7: 7, 8: 7}


def test_what_a_person_took_apart_stays_apart(library: Library) -> None:
    with library:
        relate(library, (1, 2, RelationKind.SAME))
        with library.store.writing("tests") as w:
            w.comparisons.refuse([RefusedRow(CONTENTS[1], CONTENTS[2], "1.jpg", "2.jpg")])
        with library.store.reading() as r:
            assert together(r, CONTENTS) == {}


def test_a_search_stacks_what_was_compared_and_keeps_every_hit(library: Library) -> None:
    with library:
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
