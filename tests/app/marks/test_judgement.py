"""Judging as the window does it: never a contradiction by a slip, and every step exactly undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.library.library import Library
from app.marks.judgement import (
    JudgementChange,
    judge_alike,
    judge_folder,
    judge_pairs,
    remove_judgements,
    result_marks,
    undo_judgement,
)
from app.marks.marks import mark_pairs
from app.search.search_query import Example, SearchQuery
from core.errors import Cancelled
from tests.app.folders import added, write_scenes

COUNT = 5


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judging")
    write_scenes(folder / "photographs", COUNT)
    first = sorted((folder / "photographs").rglob("*.*"))[0]
    (folder / "photographs" / f"again{first.suffix}").write_bytes(first.read_bytes())
    added(folder / "some.twinlens", folder / "photographs")
    return folder


@pytest.fixture
def library(made: Path) -> Iterator[Library]:
    with Library.open(made / "some.twinlens") as opened:
        with opened.store.writing("clearing") as w:
            w.marks.remove([row.id for row in w.marks.all()])
        yield opened


def kept(library: Library) -> list[tuple[int, bool, str, str]]:
    with library.store.reading() as r:
        return [(row.id, row.similar, row.origin, row.created) for row in r.marks.all()]


def ids_of_one_content(library: Library) -> tuple[int, int]:
    with library.store.reading() as r:
        rows = r.photographs.by_id(list(range(1, COUNT + 2)))
    first: dict[bytes | None, int] = {}
    for row in rows:
        if row.content_hash in first:
            return first[row.content_hash], row.id
        first[row.content_hash] = row.id
    raise AssertionError("no copy")


def test_the_other_judgement_makes_way(library: Library) -> None:
    judge_pairs(library, [(1, 2)], True, "results")
    done = judge_pairs(library, [(2, 1)], False, "results")
    assert [similar for _, similar, *_ in kept(library)] == [False]
    assert (len(done.added), len(done.removed), done.total) == (1, 1, 1)


def test_copies_and_itself_are_refused_in_a_sentence(library: Library) -> None:
    one, copy = ids_of_one_content(library)
    done = judge_pairs(library, [(one, copy), (one, one)], True, "results")
    assert (done.added, done.total) == ((), 0)
    assert "byte for byte" in str(done.refused[0])
    assert "with itself" in str(done.refused[1])


def test_a_mark_of_a_copy_is_of_both(library: Library) -> None:
    one, copy = ids_of_one_content(library)
    other = next(number for number in range(1, COUNT + 2) if number not in (one, copy))
    judge_pairs(library, [(other, one)], False, "results")
    known = result_marks(library, SearchQuery((Example(other),)), [one, copy])
    assert {number: [row.similar for row in rows] for number, rows in known.of.items()} == {one: [False], copy: [False]}


def test_only_what_is_liked_is_judged(library: Library) -> None:
    question = SearchQuery((Example(1), Example(2, -0.5), Example(b"no picture"), Example(3, region=(0, 0, 0.5, 1))))
    known = result_marks(library, question, [4])
    assert (known.asked, known.of, known.whole) == ((1, 3), {}, False)


def test_alike_is_taken_back_when_said_again_and_replaces(library: Library) -> None:
    mark_pairs(library, [(1, 2)], False, "import:a.csv")
    first = judge_alike(library, [1, 2, 3])
    assert [similar for _, similar, *_ in kept(library)] == [True] * 3
    assert (len(first.removed), first.notes) == (1, ())
    assert judge_alike(library, [1, 2, 3]).total == 0


def test_a_folder_leaves_what_contradicts_and_says_so(library: Library, made: Path) -> None:
    _, copy = ids_of_one_content(library)
    pair = [number for number in range(1, COUNT + 2) if number != copy][:2]
    mark_pairs(library, [(pair[0], pair[1])], False, "asked")
    done = judge_folder(library, made / "photographs")
    assert len(done.added) == COUNT * (COUNT - 1) // 2
    assert any("both marks are kept" in str(note) for note in done.notes)


STEPS = st.lists(
    st.tuples(st.integers(1, 4), st.integers(1, 4), st.sampled_from([True, False, None])), min_size=1, max_size=8
)


@given(STEPS)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_undone_step_by_step_nothing_is_another(library: Library, steps: list[tuple[int, int, bool | None]]) -> None:
    states: list[list[tuple[int, bool, str, str]]] = []
    done: list[JudgementChange] = []
    start = kept(library)
    for first, second, similar in steps:
        states.append(kept(library))
        done.append(judge_pairs(library, [(first, second)], similar, "results"))
        with library.store.reading() as r:
            assert not r.marks.contradicted()
    while done:
        assert undo_judgement(library, done.pop()) == len(states[-1])
        assert kept(library) == states.pop()
    assert kept(library) == start


def test_a_removed_mark_comes_back(library: Library) -> None:
    (number,) = judge_pairs(library, [(1, 2)], True, "results").added
    before = kept(library)
    gone = remove_judgements(library, [number])
    assert kept(library) == []
    undo_judgement(library, gone)
    assert kept(library) == before


def test_a_folder_that_is_stopped_keeps_what_is_marked_and_is_undone(
    library: Library, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.marks.marks._AT_ONCE", 3)
    monkeypatch.setattr("app.marks.judgement._AT_ONCE", 2)
    told: list[tuple[float, float]] = []

    def stop(done: float, total: float, text: object = "") -> None:
        told.append((done, total))
        if done >= 6:
            raise Cancelled

    judge_pairs(library, [(1, 2)], True, "results")
    before = kept(library)
    done = judge_folder(library, made / "photographs", stop)
    pairs = COUNT * (COUNT - 1) // 2
    assert told == [(0, pairs), (3, pairs), (6, pairs)]
    assert len(kept(library)) == done.total >= 6
    assert any("Stopped: 6 of 10 pairs" in str(note) for note in done.notes)
    undo_judgement(library, done)
    assert kept(library) == before
    with pytest.raises(Cancelled):  # nothing to keep
        judge_folder(library, made / "photographs", lambda *_: stop(6, pairs))


def test_an_answer_is_full_when_it_is_marked_with_each_content_that_is_asked_with(library: Library) -> None:
    one, copy = ids_of_one_content(library)
    others = [number for number in range(1, COUNT + 2) if number not in (one, copy)]
    question = SearchQuery((Example(one), Example(others[0])))
    answers = [copy, *others[1:]]
    judge_pairs(library, [(one, others[1])], True, "results")
    assert result_marks(library, question, answers).full == frozenset()
    judge_pairs(library, [(others[0], others[1]), (others[0], copy)], True, "results")
    assert result_marks(library, question, answers).full == {others[1], copy}  # a copy cannot be marked with itself
    both = SearchQuery((Example(one), Example(copy)))
    assert result_marks(library, both, others).full == {others[0], others[1]}
