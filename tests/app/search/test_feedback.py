"""The marks of a photograph as examples of a question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.library.library import Library
from app.marks.marks import mark_pairs
from app.search import search_query
from app.search.search_query import Example, SearchOptions, SearchQuery, with_marks
from app.search.searcher import search
from tests.app.made_library import FEW_BITS, histograms, make

INDEX = FEW_BITS[0]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with make(tmp_path / "a.twinlens", histograms(40), (FEW_BITS,)) as opened:
        yield opened


def asked(question: SearchQuery) -> list[tuple[object, float]]:
    return [(one.picture, one.weight) for one in question.examples]


def test_marks_of_liked_pictures_are_added_once_with_their_sign(library: Library) -> None:
    mark_pairs(library, [(3, 5), (8, 3), (20, 21)], True)
    mark_pairs(library, [(3, 9), (3, 10)], False)
    mark_pairs(library, [(3, 30)], True)
    mark_pairs(library, [(3, 30)], False)
    with library.store.writing() as w:
        w.photographs.mark_missing([10])
    found = with_marks(library, 3)
    assert asked(found.question) == [(3, 1.0), (9, -1.0), (8, 1.0), (5, 1.0)]
    assert (found.similar, found.different) == (2, 1)
    question = SearchQuery((Example(3, 2.0), Example(9, -1.0), Example(20, -1.0), Example(8)))
    assert asked(with_marks(library, question).question) == [*asked(question), (5, 2.0)]
    path = Path("/mnt/disk/0000/0000002.jpg")
    assert asked(with_marks(library, path).question) == [(path, 1.0), (9, -1.0), (8, 1.0), (5, 1.0)]


def test_what_has_no_marks_stays_as_it_is(library: Library) -> None:
    mark_pairs(library, [(3, 5)], True)
    for picture in (4, Path("/nowhere/else.jpg"), b"bytes"):
        found = with_marks(library, picture)
        assert found.question == SearchQuery((Example(picture),))
        assert "no marks" in str(found.sentence())
    part = SearchQuery((Example(3, region=(0, 0, 0.5, 1)),))
    assert with_marks(library, part).question == part


def test_the_newest_marks_count_where_there_are_many(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_query, "MOST_MARKS", 2)
    mark_pairs(library, [(1, other) for other in range(2, 7)], True)
    mark_pairs(library, [(1, 7)], False)
    assert asked(with_marks(library, 1).question) == [(1, 1.0), (7, -1.0), (6, 1.0), (5, 1.0)]


def test_a_search_with_marks_ranks_by_them_and_says_so(library: Library) -> None:
    mark_pairs(library, [(1, 2)], True)
    mark_pairs(library, [(1, 3)], False)
    plain, fed = (
        search(library, [1], [INDEX], SearchOptions(check=False, marks=marks)).results[0] for marks in (False, True)
    )
    by_hand = SearchQuery((Example(1), Example(3, -1.0), Example(2)))
    hits = search(library, [by_hand], [INDEX], SearchOptions(check=False)).results[0].hits
    # What the marks add is an answer, not what was asked with.
    assert fed.hits == [one.model_copy(update={"query": one.id == 1}) for one in hits]
    assert fed.hits != plain.hits
    assert fed.query == plain.query
    assert "1 similar, 1 different" in str(fed.note)
