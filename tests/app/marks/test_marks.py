"""Marks: made by judging, listed, removed and restored, out into a file and back, and learned from."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.app.folders import added, write_scene, write_scenes
from tests.app.made_library import FEW_BITS, content, histograms, make
from twinlens.app.learn.learning import learn_and_keep
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.learn.metrics import list_metrics
from twinlens.app.library.ingest.adding import Adding, add, rescan
from twinlens.app.library.ingest.forgotten_folders import forget
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.marks.judgement import (
    JudgementChange,
    judge_alike,
    judge_folder,
    judge_pairs,
    remove_judgements,
    result_marks,
    undo_judgement,
)
from twinlens.app.marks.mark_file import export_marks, import_marks
from twinlens.app.marks.mark_filters import MarkFilters
from twinlens.app.marks.marked_pairs import JudgedPair, marks_among, marks_of, pairs_for
from twinlens.app.marks.marks import (
    PAIRS_EACH,
    _pairs_of_group,
    list_marks,
    mark_folder,
    mark_group,
    mark_pairs,
    remove_marks,
    restore_marks,
)
from twinlens.app.marks.pair_file import read_pairs
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.searcher import Searcher
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.photographs import NewFile, ReadFile

INDEX = FEW_BITS[0]


def made(tmp_path: Path, count: int = 30) -> Library:
    return make(tmp_path / "a.twinlens", histograms(count), (FEW_BITS,))


def said(library: Library, filters: MarkFilters = MarkFilters()) -> list[tuple[int | None, int | None, bool]]:
    """Return the ids of each pair, the smaller one first (a library puts the smaller content first), none last."""
    made = []
    for one in list_marks(library, filters).marks:
        first, second = sorted((one.first_id, one.second_id), key=lambda each: (each is None, each))
        made.append((first, second, one.similar))
    return made


def test_pairs_are_marked_once_and_what_cannot_be_gets_a_sentence(tmp_path: Path) -> None:
    with made(tmp_path) as library:
        with library.store.writing() as w:
            volume = w.volumes.seen("a disk", "Disk", b"/mnt/disk")
            copy, unread = w.photographs.register(
                volume, None, [NewFile(b"copy", 1, 1), NewFile(b"new", 1, 1)]
            ).tolist()
            w.photographs.record([ReadFile(copy, content(4), "JPEG", 640, 480, 1, None, None)])
            w.photographs.mark_missing([9])
        pairs: list[tuple[int | Path, int | Path]] = [
            (1, 2), (2, 1), (3, 3), (4, copy), (5, 9), (5, unread), (5, 999), (5, Path("/mnt/disk/none.jpg")),
            (Path("/mnt/disk/0000/0000004.jpg"), 6),
        ]  # fmt: skip
        result = mark_pairs(library, pairs, True, "results")
        assert said(library) == [(1, 2, True), (5, 6, True)]
        assert [(one.origin, one.missing) for one in result.added] == [("results", False)] * 2
        assert (result.repeated, result.total, result.contradicting, result.notes) == (1, 2, [], [])
        words = (
            "0000002.jpg cannot be marked with itself",
            "copy are the same, byte for byte",
            "0000008.jpg has vanished",
            "new has changed or has not been read",
            "no photo 999",
            "no photo /mnt/disk/none.jpg",
        )
        assert len(result.refused) == len(words)
        for sentence, expected in zip(result.refused, words, strict=True):
            assert expected in str(sentence)


def test_contradictions_are_kept_shown_and_not_used(tmp_path: Path) -> None:
    with made(tmp_path) as library:
        first = mark_pairs(library, [(1, 2), (3, 4)], True)
        second = mark_pairs(library, [(2, 1)], False)
        assert second.contradicting == [first.added[0].model_copy(update={"contradicted": True})]
        assert "both marks are kept, and neither is used" in str(second.notes[0])
        listed = list_marks(library)
        assert (listed.total, listed.similar, listed.different, listed.contradicted) == (3, 2, 1, 1)
        assert said(library, MarkFilters(contradicted=True)) == [(1, 2, True), (1, 2, False)]
        with Searcher(library).moment() as moment:
            kind = Searcher(library).index(moment, INDEX).kind
            usable = pairs_for(moment.r, kind)
        assert (usable.ids.tolist(), sorted(usable.rows[0]), usable.similar.tolist()) == ([3, 4], [0, 1], [True])
        assert "1 pair is marked both similar and different" in str(usable.left_out[0])
        remove_marks(library, [first.added[0].id])
        assert said(library, MarkFilters(contradicted=True)) == []


def test_marks_are_chosen(tmp_path: Path) -> None:
    with made(tmp_path) as library:
        mark_pairs(library, [(1, 2)], True, "results")
        mark_pairs(library, [(2, 3)], False, "folder:/mnt/disk")
        with library.store.writing() as w:
            w.photographs.mark_missing([3])
        for filters, expected in (
            (MarkFilters(similar=True), [(1, 2, True)]),
            (MarkFilters(similar=False), [(2, 3, False)]),
            (MarkFilters(origin="folder"), [(2, 3, False)]),
            (MarkFilters(origin="folder:/mnt/disk"), [(2, 3, False)]),
            (MarkFilters(origin="fold"), []),
            (MarkFilters(photograph=1), [(1, 2, True)]),
            (MarkFilters(photograph=Path("/mnt/disk/0000/0000002.jpg")), [(2, 3, False)]),
            (MarkFilters(photograph=Path("/nowhere.jpg")), []),
            (MarkFilters(missing=True), [(2, 3, False)]),
            (MarkFilters(missing=True, similar=True), []),
        ):
            assert said(library, filters) == expected, filters
        with pytest.raises(TwinlensError, match="no photo 99"):
            list_marks(library, MarkFilters(photograph=99))


def test_removed_marks_are_restored_as_they_were(tmp_path: Path) -> None:
    with made(tmp_path) as library:
        mark_pairs(library, [(1, 2), (1, 3), (1, 4)], True)
        before = list_marks(library)
        removed = remove_marks(library, [before.marks[0].id, before.marks[2].id, 77, 77])
        assert removed.removed == [before.marks[0], before.marks[2]]
        assert ([str(one) for one in removed.refused], removed.total) == (["There is no mark 77."], 1)
        mark_pairs(library, [(1, 2)], True)
        back = restore_marks(library, removed.removed)
        assert ([one.id for one in back.added], back.repeated, back.total) == ([before.marks[2].id], 1, 3)
        remove_marks(library, [one.id for one in list_marks(library).marks])
        restore_marks(library, before.marks)
        assert list_marks(library) == before


@given(st.integers(2, 80), st.integers(0, 3))
def test_pairs_of_a_group_hang_together_and_are_few(count: int, seed: int) -> None:
    pairs = _pairs_of_group(count, seed)
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == min(count * (count - 1) // 2, PAIRS_EACH * count)
    assert all(one != other for one, other in pairs)
    reached = {0}
    for _ in range(count):
        reached |= {i for pair in pairs if reached & set(pair) for i in pair}
    assert reached == set(range(count))


def test_a_group_is_alike_each_with_each_or_some_of_many(tmp_path: Path) -> None:
    with made(tmp_path) as library:
        small = mark_group(library, [1, 2, 3, 2])
        assert sorted(said(library)) == [(1, 2, True), (1, 3, True), (2, 3, True)]
        assert ({one.origin for one in small.added}, small.notes) == ({"group"}, [])
        large = mark_folder(library, Path("/mnt/disk/0000"))
        assert len(large.added) + large.repeated == 30 * PAIRS_EACH
        assert "Of the 435 pairs of 30 photos 150 are marked" in str(large.notes[0])
        assert {one.origin for one in large.added} == {"folder:/mnt/disk/0000"}
        again = mark_folder(library, Path("/mnt/disk"))
        assert (again.added, again.repeated) == ([], 150)
        with pytest.raises(TwinlensError, match=r"needs two photos.*no photo 99"):
            mark_group(library, [1, 99])
        with pytest.raises(TwinlensError, match="no photos in /mnt/disk/9"):
            mark_folder(library, Path("/mnt/disk/9"))


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_an_export_is_taken_back_as_it_was(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"marks.{ending}"
    with made(tmp_path) as library:
        mark_pairs(library, [(1, 2), (3, 4)], True, 'said "so", there')
        mark_pairs(library, [(1, 2), (5, 6)], False, "results")
        before = list_marks(library)
        written = export_marks(library, OutputFile(file))
        assert (written.marks, written.bytes) == (4, file.stat().st_size)
        with pytest.raises(TwinlensError, match="exists already"):
            export_marks(library, OutputFile(file))
        with pytest.raises(TwinlensError, match=r"neither a .csv nor a .json"):
            export_marks(library, OutputFile(tmp_path / "marks.txt"))
        with pytest.raises(TwinlensError, match="cannot be written"):
            export_marks(library, OutputFile(tmp_path / "nowhere" / "marks.csv"))
        assert import_marks(library, file).repeated == 4
        remove_marks(library, [one.id for one in before.marks])
        assert len(import_marks(library, file).added) == 4
        after = list_marks(library)
        blank = {"id": 0}
        assert [one.model_copy(update=blank) for one in after.marks] == [
            one.model_copy(update=blank) for one in before.marks
        ]
    with Library.open(tmp_path / "other.twinlens", create=True) as other:
        result = import_marks(other, file)
        assert (len(result.added), result.refused) == (4, [])
        assert "4 of the marks wait for photos" in str(result.notes[-1])
        assert list_marks(other).missing == 4


def test_a_plain_file_is_taken_and_what_does_not_match_gets_a_sentence(tmp_path: Path) -> None:
    plain, full = tmp_path / "plain.csv", tmp_path / "full.json"
    plain.write_text(
        "first,second,judgement\n1,/mnt/disk/0000/0000001.jpg,s\n1,/nowhere.jpg,s\n77,2,d\n3,3,s\n", "utf-8"
    )
    two, three = (content(i).hex() for i in (2, 3))
    odd = [{"first": name, "second": 1, "judgement": "s"} for name in (10**30, "\ud800", "a\0b")]
    (tmp_path / "odd.json").write_text(json.dumps(odd), "utf-8")
    pair = {"first": "elsewhere/b.jpg", "second": "c.jpg", "judgement": "different", "first_content": two}
    rows = [
        pair | {"second_content": three.upper(), "created": "2020-02-03T05:05:06+01:00"},
        pair | {"second_content": two},
        pair | {"second_content": "abc"},
        pair | {"second_content": content(9).hex(), "created": "yesterday"},
    ]
    full.write_text(json.dumps(rows), "utf-8")
    with made(tmp_path, 5) as library:
        result = import_marks(library, plain)
        assert said(library) == [(1, 2, True)]
        assert result.added[0].origin == "import:plain.csv"
        for sentence, words in zip(
            result.refused,
            (
                "Pair 2: The library has no photo /nowhere.jpg",
                "Pair 3: The library has no photo 77",
                "Pair 4: ",
            ),
            strict=True,
        ):
            assert str(sentence).startswith(words)
        result = import_marks(library, full)
        assert said(library)[1:] == [(2, 3, False), (2, None, False)]
        assert result.added[0].created == "2020-02-03T04:05:06Z"
        assert len(result.refused) == 2
        assert "Pair 3: “abc” is no SHA-256" in str(result.refused[1])
        assert "Pair 4: “yesterday” is no time" in str(result.notes[0])
        refused = import_marks(library, tmp_path / "odd.json").refused
        assert [str(sentence)[:31] for sentence in refused] == [f"Pair {i}: The library has no phot" for i in (1, 2, 3)]
        with pytest.raises(TwinlensError, match="no pair to learn from"):
            learn_and_keep(library, LearningSettings(named=read_pairs(tmp_path / "odd.json"), index=INDEX))


def test_marks_survive_moved_forgotten_and_added_files(tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    paths = write_scenes(folder, 4)
    with Library.open(tmp_path / "a.twinlens", create=True) as library:
        add(library, [folder], Adding(workers=1))
        mark_pairs(library, [(paths[0], paths[1]), (paths[2], paths[3])], True)
        (folder / "inner").mkdir()
        paths[0].rename(folder / "inner" / "other.jpg")
        write_scene(paths[2], 50)
        rescan(library, workers=1)
        moved, changed = list_marks(library).marks
        assert {moved.first, moved.second} == {str(folder / "inner" / "other.jpg"), str(paths[1])}
        assert (moved.missing, changed.missing) == (False, True)
        assert {changed.first, changed.second} == {str(paths[2]), str(paths[3])}
        file = tmp_path / "marks.csv"
        export_marks(library, OutputFile(file))
        with file.open(encoding="utf-8", newline="") as opened:
            assert {row["origin"] for row in csv.DictReader(opened)} == {"asked"}
        forget(library, folder)
        gone = list_marks(library)
        assert (gone.missing, [(one.first_id, one.second_id) for one in gone.marks]) == (2, [(None, None)] * 2)
        assert {gone.marks[0].first, gone.marks[0].second} == {str(paths[0]), str(paths[1])}
        add(library, [folder], Adding(workers=1))
        again = list_marks(library)
        assert again.marks[0].model_dump(exclude={"first_id", "second_id"}) == moved.model_dump(
            exclude={"first_id", "second_id"}
        )
        assert again.missing == 1


def test_a_metric_is_learned_from_the_library_s_own_marks(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(60), (FEW_BITS,)) as library:
        with pytest.raises(TwinlensError, match="no marks yet"):
            learn_and_keep(library, LearningSettings(index=INDEX))
        mark_pairs(library, [(1, 2)], True)
        mark_pairs(library, [(1, 2)], False)
        with pytest.raises(TwinlensError, match=r"None of the library's 2 marks can be used.*1 pair is marked both"):
            learn_and_keep(library, LearningSettings(index=INDEX))
        rows = np.random.default_rng(0).integers(3, 60, (50, 2)).tolist()
        for similar in (True, False):
            mark_pairs(library, [(i, j) for i, j in rows if ((i < 30) == (j < 30)) == similar], similar)
        export_marks(library, OutputFile(tmp_path / "marks.csv"), MarkFilters(contradicted=False))
        with library.store.writing() as w:
            kinds = w.descriptors.kinds()
            w.photographs.mark_missing([rows[0][0]])
            w.connection.exec_driver_sql(
                f"DELETE FROM descriptor WHERE id IN ({', '.join(str(kind.first() | rows[1][0]) for kind in kinds)})"
            )
        result = learn_and_keep(library, LearningSettings(index=INDEX, anyway=True))
        assert result.metric == "Learned 1"
        left = " ".join(map(str, result.left_out))
        for words in ("marked both similar and different", "that are not there", "this index has not described yet"):
            assert words in left
        assert 40 <= result.pairs < len(rows)
        assert [one.name for one in list_metrics(library).metrics] == ["Learned 1"]


def test_an_export_of_marks_is_a_file_to_learn_from_wherever_the_files_lie(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(40), (FEW_BITS,)) as library:
        rows = np.random.default_rng(1).integers(1, 40, (30, 2)).tolist()
        for similar in (True, False):
            mark_pairs(library, [(i, j) for i, j in rows if ((i < 20) == (j < 20)) == similar], similar)
        export_marks(library, OutputFile(tmp_path / "marks.csv"))
        text = (tmp_path / "marks.csv").read_text("utf-8").replace("/mnt/disk/0000/", "/elsewhere/")
        (tmp_path / "moved.csv").write_text(text, "utf-8")
        own = learn_and_keep(library, LearningSettings(index=INDEX))
        moved = learn_and_keep(library, LearningSettings(named=read_pairs(tmp_path / "moved.csv"), index=INDEX))
        assert moved.left_out == own.left_out == []
        assert moved.tried == own.tried


@pytest.mark.parametrize(("yes", "no"), [("similar", "different"), ("WAHR", "FALSCH"), ("TRUE", "FALSE")])
def test_pairs_come_from_a_spreadsheet_program(tmp_path: Path, yes: str, no: str) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(f"first;second;judgement\r\nä.jpg;b.jpg;{yes}\r\n1;2;{no}\r\n", "utf-16")
    assert [(one.first, one.second, one.similar) for one in read_pairs(file)] == [
        ("ä.jpg", "b.jpg", True),
        ("1", "2", False),
    ]


def test_many_marks_never_hold_the_library_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinlens.app.marks.marks._AT_ONCE", 100)
    with made(tmp_path, 100) as library:
        kept: list[str] = []
        writing = library.store.writing

        def counted(what: str = "", *rest: object) -> AbstractContextManager[Transaction]:
            kept.append(what)
            return writing(what)

        monkeypatch.setattr(library.store, "writing", counted)
        result = mark_group(library, range(1, 101))
        assert len(result.added) == result.total == 100 * PAIRS_EACH
        assert kept == ["keeping marks"] * PAIRS_EACH
        removed = remove_marks(library, [one.id for one in result.added])
        assert (removed.total, len(removed.removed)) == (0, result.total)
        back = restore_marks(library, removed.removed)
        assert back.added == result.added
        assert len(kept) == 3 * PAIRS_EACH


COUNT = 5


@pytest.fixture(scope="module")
def judged_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("judging")
    write_scenes(folder / "photographs", COUNT)
    first = sorted((folder / "photographs").rglob("*.*"))[0]
    (folder / "photographs" / f"again{first.suffix}").write_bytes(first.read_bytes())
    added(folder / "some.twinlens", folder / "photographs")
    return folder


@pytest.fixture
def library(judged_library: Path) -> Iterator[Library]:
    with Library.open(judged_library / "some.twinlens") as opened:
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
    assert (known.examples, known.of, known.whole) == ((1, 3), {}, False)


def test_alike_is_taken_back_when_said_again_and_replaces(library: Library) -> None:
    mark_pairs(library, [(1, 2)], False, "import:a.csv")
    first = judge_alike(library, [1, 2, 3])
    assert [similar for _, similar, *_ in kept(library)] == [True] * 3
    assert (len(first.removed), first.notes) == (1, ())
    assert judge_alike(library, [1, 2, 3]).total == 0


def test_a_folder_leaves_what_contradicts_and_says_so(library: Library, judged_library: Path) -> None:
    _, copy = ids_of_one_content(library)
    pair = [number for number in range(1, COUNT + 2) if number != copy][:2]
    mark_pairs(library, [(pair[0], pair[1])], False, "asked")
    done = judge_folder(library, judged_library / "photographs")
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
    library: Library, judged_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twinlens.app.marks.marks._AT_ONCE", 3)
    monkeypatch.setattr("twinlens.app.marks.judgement._AT_ONCE", 2)
    told: list[tuple[float, float]] = []

    def stop(done: float, total: float, text: object = "") -> None:
        told.append((done, total))
        if done >= 6:
            raise Cancelled

    judge_pairs(library, [(1, 2)], True, "results")
    before = kept(library)
    done = judge_folder(library, judged_library / "photographs", stop)
    pairs = COUNT * (COUNT - 1) // 2
    assert told == [(0, pairs), (3, pairs), (6, pairs)]
    assert len(kept(library)) == done.total >= 6
    assert any("Stopped: 6 of 10 pairs" in str(note) for note in done.notes)
    undo_judgement(library, done)
    assert kept(library) == before
    with pytest.raises(Cancelled):  # nothing to keep
        judge_folder(library, judged_library / "photographs", lambda *_: stop(6, pairs))


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


def seen_library(path: Path, count: int = 30) -> Library:
    return make(path / "a.twinlens", histograms(count), (FEW_BITS,))


def test_marks_among_what_is_shown_and_of_one_photograph(tmp_path: Path) -> None:
    with seen_library(tmp_path) as library:
        with library.store.reading() as r:
            assert marks_among(r, [1, 2]) == []
            assert marks_of(r, 1) == []
        mark_pairs(library, [(2, 1), (3, 9)], True, "results")
        mark_pairs(library, [(1, 3)], False, "results")
        mark_pairs(library, [(1, 2)], False, "asked")
        with library.store.reading() as r:
            assert marks_among(r, [1, 2, 3, 999, 2**70]) == [
                JudgedPair(1, 2, None, (1, 4)),
                JudgedPair(1, 3, False, (3,)),
            ]
            assert marks_among(r, list(range(1, 31))) == [
                JudgedPair(1, 2, None, (1, 4)),
                JudgedPair(3, 9, True, (2,)),
                JudgedPair(1, 3, False, (3,)),
            ]
            assert marks_of(r, 3) == [JudgedPair(3, 9, True, (2,)), JudgedPair(3, 1, False, (3,))]
            assert marks_of(r, 999) == marks_of(r, 7) == []
        remove_marks(library, [4])
        with library.store.reading() as r:
            assert marks_among(r, [2, 1]) == [JudgedPair(1, 2, True, (1,))]


def test_what_is_said_of_a_picture_holds_for_its_copies(tmp_path: Path) -> None:
    with seen_library(tmp_path) as library:
        with library.store.writing() as w:
            volume = w.volumes.seen("a disk", "Disk", b"/mnt/disk")
            (copy,) = w.photographs.register(volume, None, [NewFile(b"copy", 1, 1)]).tolist()
            w.photographs.record([ReadFile(copy, content(4), "JPEG", 640, 480, 1, None, None)])
        mark_pairs(library, [(4, 5)], True)
        with library.store.reading() as r:
            assert marks_among(r, [4, 5, copy]) == [JudgedPair(4, 5, True, (1,)), JudgedPair(5, copy, True, (1,))]
            assert marks_among(r, [4, copy]) == []
            assert marks_of(r, copy) == [JudgedPair(copy, 5, True, (1,))]
            assert marks_of(r, 5) == [JudgedPair(5, 4, True, (1,))]


def test_many_photographs_at_once_have_the_same_marks_as_few(tmp_path: Path) -> None:
    with seen_library(tmp_path, 2100) as library:
        mark_pairs(library, [(5, 2099), (2, 3)], False)
        with library.store.reading() as r:
            assert marks_among(r, range(1, 2101)) == marks_among(r, [2, 3, 5, 2099])
            assert len(marks_among(r, range(1, 2101))) == 2
