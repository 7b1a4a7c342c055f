"""Learning in the window, as a person does it: marks, undo, learning, keeping, going back, and what goes wrong."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries
from tests.app.gui.looking import LONG, button, words
from tests.app.gui.working import opened
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.learn.learn_results import (
    BeforeAfterResult,
    JudgedMetric,
    LearnedHeldOut,
    LearnResult,
    MarkedPairDistances,
    MeanAndRange,
    MetricComparison,
    MetricListResult,
    MetricMeaning,
    MetricStatus,
    MetricSwitch,
    OfferedPair,
    OfferResult,
    RankedBothWays,
    WeighedColour,
)
from twinlens.app.learn.learning import details
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.learn.next_pairs import NextPairSettings
from twinlens.app.library.library import Library
from twinlens.app.marks.mark_results import MarksResult
from twinlens.app.marks.marks import list_marks, mark_pairs
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, silent

COUNT = 12


@pytest.fixture
def path(libraries: Libraries, tmp_path: Path) -> Path:
    return libraries.copy(COUNT, tmp_path / "a.twinlens")


def index_of(metric: str) -> str:
    """Name the index that measures by a metric; the window drops one that is not there, so the first is a real one."""
    return "Colours" if metric == "Learned 1" else f"Index of {metric}"


class UseCases:
    """Stand in for what learns, ranks and switches; marks are real."""

    def __init__(self) -> None:
        self.proposed = 0
        self.seconds = 0.0
        self.error: TwinlensError | None = None
        self.sure = True
        self.metrics: list[str] = []
        self.default = "Automatic"
        self.before = ""
        self.finished: list[str] = []
        self.skipped: set[tuple[int, int]] = set()
        self.learned: list[object] = []
        self.asked: list[int] = []
        self.in_window: list[str] = []

    def watched(self, made: Callable[..., Any]) -> Callable[..., Any]:
        """Note whether the window's thread calls it, and so would wait for it."""

        def called(*given: object, **named: object) -> object:
            if threading.current_thread() is threading.main_thread():
                self.in_window.append(made.__name__)
            return made(*given, **named)

        return called

    def propose(self, library: Library, wanted: LearningSettings, progress: Progress = silent) -> object:
        for step in range(20):
            progress(step, 20, Message("Trying"))
            time.sleep(self.seconds / 20)
        if self.error is not None:
            raise self.error
        self.proposed += 1
        before = LearnedHeldOut(accuracy=MeanAndRange(mean=0.71, low=0.6, high=0.8))
        after = LearnedHeldOut(accuracy=MeanAndRange(mean=0.86, low=0.82, high=0.9))
        result = LearnResult(
            index=wanted.index, descriptor="d", pairs=10, similar=5, different=5, advice="", better=8, worse=1, of=10,
            apart=True, more=0 if self.sure else 14, tried=[], metric=None, learned_by="x", left_out=[], seconds=0.8,
            sure=self.sure, before=before, after=after, details=details(before, after, 0, 0.8),
        )  # fmt: skip
        return SimpleNamespace(result=result, metric=object())

    def offer(
        self,
        library: Library,
        wanted: NextPairSettings,
        index: str,
        learned: object,
        progress: Progress = silent,
    ) -> OfferResult:
        self.skipped = set(wanted.skipped)
        self.learned.append(learned)
        with library.store.reading() as r:
            marked = {(one.first_id, one.second_id) for one in list_marks(library).marks if r}
        pairs = [(one, one + 1) for one in range(1, COUNT, 2)]
        found = [
            OfferedPair(
                first_id=one, second_id=other, first="", second="", first_content="", second_content="", why="unsure",
                reason="", distance=1.0, learned_distance=None, usefulness=1.0,
            )
            for one, other in pairs
            if (one, other) not in self.skipped and (one, other) not in marked and (other, one) not in marked
        ]  # fmt: skip
        return OfferResult(index=index, pairs=found[: wanted.count], considered=9, seconds=0.0)

    def keep(self, _: Library, proposal: object) -> str:
        assert proposal is not None
        self.metrics.append(f"Learned {len(self.metrics) + 1}")
        return self.metrics[-1]

    def search_by(self, _: Library, name: str, like: str | None = None) -> MetricSwitch:
        self.before, self.default = self.default, index_of(name)
        return MetricSwitch(index=self.default, metric=name, before=self.before, waiting=3, sentence=f"By {name} now.")

    def finish(self, _: Library, index: str, progress: Progress) -> None:
        self.finished.append(index)

    def set_default(self, _: Library, index: str) -> None:
        self.before, self.default = self.default, index

    def go_back(self, _: Library) -> MetricSwitch:
        self.default, self.before = self.before, ""
        return MetricSwitch(index=self.default, metric=None, before="", waiting=0, sentence="Back.")

    def plain_index(self, _: Library, index: str) -> str:
        return "Automatic" if index in map(index_of, self.metrics) else index

    def list_metrics(self, _: Library) -> MetricListResult:
        def status(name: str) -> MetricStatus:
            return MetricStatus(
                name=name, descriptor="d", learned_by=None, dimensions=2, out_dimensions=2, ranking="distance", bytes=1,
                created="", indexes=[index_of(name)], note="from 10 pairs.",
            )  # fmt: skip

        return MetricListResult(metrics=[status(name) for name in self.metrics])

    def compare(self, _: Library, index: str, progress: Progress = silent) -> MetricComparison:
        held = LearnedHeldOut(accuracy=MeanAndRange(mean=0.86, low=0.82, high=0.9))
        judged = [
            JudgedMetric(
                name=name, default=False, indexes=[], created="", note="", held_out=held, pairs=10, seen=0, sentence=""
            )
            for name in self.metrics
        ]
        return MetricComparison(descriptor="d", metrics=judged, pairs=10)

    def rename(self, _: Library, old: str, new: str) -> None:
        if new in self.metrics:
            raise TwinlensError("There is already a metric named “{new}”.", "Choose another name.", new=new)
        self.metrics[self.metrics.index(old)] = new

    def delete(self, _: Library, name: str) -> object:
        self.metrics.remove(name)
        self.default = "Automatic"
        return SimpleNamespace(name=name, indexes=(SimpleNamespace(name=index_of(name)),))

    def restore(self, _: Library, deleted: SimpleNamespace) -> None:
        self.metrics.append(deleted.name)

    def meaning(self, _: Library, metric: object, progress: Progress = silent) -> MetricMeaning:
        colour = WeighedColour(factor=2.0, before=0.1, after=0.2, rgb=(10, 20, 200))
        return MetricMeaning(kind="colours", sentence="Blue counts more.", colours=[colour], pairs=10)


class BeforeAfter:
    """Ranks by id before, and the other way round after."""

    def __init__(self, library: Library, metric: object, index: str) -> None:
        self.library = library

    def prepare(self, progress: Progress) -> None:
        progress(0, 1, NOTHING)

    def best_query(self) -> int:
        return 3

    def ask(self, photograph: int, k: int, progress: Progress) -> BeforeAfterResult:
        CASES[-1].asked.append(photograph)
        others = [one for one in range(1, COUNT + 1) if one != photograph]

        def ranked(ids: list[int], other: list[int]) -> list[RankedBothWays]:
            return [
                RankedBothWays(
                    id=one, path="", content="", rank=ids.index(one) + 1, other_rank=other.index(one) + 1, distance=1.0,
                    other_distance=1.0, similarity=0.5, query=one == photograph,
                )
                for one in ids
            ][:k]  # fmt: skip

        before, after = [photograph, *others], [photograph, *reversed(others)]
        return BeforeAfterResult(
            query=photograph, path="", index="", metric="", of=COUNT, before=ranked(before, after),
            after=ranked(after, before), moved_up=1, seconds=0.0,
        )  # fmt: skip

    def distances(self, pairs: list[tuple[int, int]]) -> list[MarkedPairDistances]:
        return [
            MarkedPairDistances(first=one, second=other, before=0.62, after=0.1, comparable=0.19)
            for one, other in pairs
        ]


CASES: list[UseCases] = []


@pytest.fixture
def cases(monkeypatch: pytest.MonkeyPatch) -> Iterator[UseCases]:
    cases = UseCases()
    CASES.append(cases)
    replaced: dict[str, Callable[..., Any]] = {
        "learn.before_after.BeforeAfter": BeforeAfter,
        "learn.learning.keep_metric": cases.keep,
        "learn.learning.propose_metric": cases.propose,
        "learn.metric_comparison.compare_metrics": cases.compare,
        "learn.metric_meaning.metric_meaning": cases.meaning,
        "learn.metrics.can_go_back": lambda _: cases.before,
        "learn.metrics.delete_metric_and_indexes": cases.delete,
        "learn.metrics.finish_index": cases.finish,
        "learn.metrics.go_back": cases.go_back,
        "learn.metrics.list_metrics": cases.list_metrics,
        "learn.metrics.plain_index": cases.plain_index,
        "learn.metrics.rename_metric": cases.rename,
        "learn.metrics.restore_metric": cases.restore,
        "learn.metrics.search_by_metric": cases.search_by,
        "learn.next_pairs.offer_pairs": cases.offer,
        "indexes.indexes.set_default": cases.set_default,
    }
    for name, made in replaced.items():
        monkeypatch.setattr(f"twinlens.app.{name}", cases.watched(made))
    monkeypatch.setattr("twinlens.app.indexes.indexes.default_index", lambda _: cases.default)
    yield cases
    assert not cases.in_window


@pytest.fixture
def frame(qtbot: QtBot, own_data: None, path: Path, cases: UseCases) -> Iterator[MainWindow]:
    frame = shown(qtbot, path)
    yield frame
    frame.close()


def shown(qtbot: QtBot, path: Path) -> MainWindow:
    frame = opened(qtbot, path)
    frame.activateWindow()
    QTest.keyClick(frame, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    assert frame.workspace.view() == "learn"
    qtbot.waitUntil(
        lambda: offered(frame) is not None or not frame.workspace.learning.view.shows_photographs(), timeout=LONG
    )
    rested(qtbot, frame)
    return frame


def rested(qtbot: QtBot, frame: MainWindow) -> None:
    """Wait until nothing runs, and the lists have followed."""
    qtbot.waitUntil(lambda: not frame.busy() and not frame.workspace.learning.waits(), timeout=LONG)


def offered(frame: MainWindow) -> tuple[int, int] | None:
    pair = frame.workspace.learning.view.pair.pictures.pair()
    return None if pair is None else pair.ids


def press(frame: MainWindow, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(QApplication.focusWidget() or frame, key, held)


def listed(frame: MainWindow) -> MarksResult:
    opened = frame.workspace.opened
    assert opened is not None
    return list_marks(opened.library)


def judged(frame: MainWindow) -> list[tuple[tuple[int, int], bool]]:
    found = []
    for one in listed(frame).marks:
        assert one.first_id is not None
        assert one.second_id is not None
        found.append(((min(one.first_id, one.second_id), max(one.first_id, one.second_id)), one.similar))
    return found


def title(frame: MainWindow) -> str:
    return frame.workspace.learning.view.head.words()[0]


def learned(qtbot: QtBot, frame: MainWindow) -> None:
    press(frame, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: frame.workspace.learning.view.head.can("keep"), timeout=LONG)
    rested(qtbot, frame)


def indexes(frame: MainWindow) -> list[str]:
    """Hear which indexes search is to go by."""
    told: list[str] = []
    frame.workspace.shared.index_chosen.connect(told.append)
    return told


def marks(frame: MainWindow) -> list[Any]:
    return frame.workspace.learning.view.marks.list.rows()


# --- marking ---------------------------------------------------------------------------------------------------------
def test_pairs_are_marked_by_keys_and_the_next_is_there_at_once(qtbot: QtBot, frame: MainWindow) -> None:
    first = offered(frame)
    press(frame, Qt.Key.Key_S)
    second = offered(frame)  # without waiting for anything
    press(frame, Qt.Key.Key_D)
    third = offered(frame)
    assert len({first, second, third}) == 3
    rested(qtbot, frame)
    assert judged(frame) == [(first, True), (second, False)]
    assert [one.similar for one in marks(frame)] == [False, True]  # the newest first
    assert "2" in title(frame)
    assert frame.workspace.learning.view.pair.pictures.is_sharp()


def test_what_is_marked_fast_is_all_kept_in_its_order(qtbot: QtBot, frame: MainWindow) -> None:
    asked = []
    for key in (Qt.Key.Key_S, Qt.Key.Key_D, Qt.Key.Key_S, Qt.Key.Key_S, Qt.Key.Key_D):
        asked.append((offered(frame), key == Qt.Key.Key_S))
        press(frame, key)
    rested(qtbot, frame)
    assert judged(frame) == asked


def test_the_last_mark_is_taken_back_and_its_pair_comes_back(qtbot: QtBot, frame: MainWindow) -> None:
    first = offered(frame)
    for key, held in (
        (Qt.Key.Key_Backspace, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier),
    ):
        press(frame, Qt.Key.Key_S)
        second = offered(frame)
        press(frame, Qt.Key.Key_S)
        press(frame, key, held)
        assert offered(frame) == second
        rested(qtbot, frame)
        assert judged(frame) == [(first, True)]
        press(frame, key, held)
        rested(qtbot, frame)
        assert offered(frame) == first
        assert judged(frame) == []
        press(frame, key, held)  # there is nothing more to take back
        rested(qtbot, frame)
        assert offered(frame) == first


def test_what_is_skipped_is_not_offered_again_and_nothing_nags(
    qtbot: QtBot, frame: MainWindow, cases: UseCases
) -> None:
    first = offered(frame)
    seen = []
    while (pair := offered(frame)) is not None:
        seen.append(pair)
        press(frame, Qt.Key.Key_Space)
        rested(qtbot, frame)
    assert len(seen) == len(set(seen)) == COUNT // 2
    assert first in cases.skipped
    assert judged(frame) == []
    assert "no pair left" in frame.workspace.learning.view.pair.pictures.accessibleDescription()
    press(frame, Qt.Key.Key_Backspace)
    assert offered(frame) == seen[-1]


def test_marks_are_removed_and_brought_back(qtbot: QtBot, frame: MainWindow) -> None:
    for key in (Qt.Key.Key_S, Qt.Key.Key_D):
        press(frame, key)
    rested(qtbot, frame)
    before = judged(frame)
    frame.workspace.learning.view.marks.list.setFocus()
    frame.workspace.learning.view.marks.list.go_to(0)
    press(frame, Qt.Key.Key_Delete)
    rested(qtbot, frame)
    assert judged(frame) == before[:1]
    assert len(marks(frame)) == 1
    assert frame.workspace.undoing.newest() is not None
    frame.status.action_wanted.emit()
    rested(qtbot, frame)
    assert judged(frame) == before
    press(frame, Qt.Key.Key_Delete)
    rested(qtbot, frame)
    press(frame, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    rested(qtbot, frame)
    assert judged(frame) == before


def test_contradictions_are_shown_with_a_word(qtbot: QtBot, frame: MainWindow) -> None:
    opened = frame.workspace.opened
    assert opened is not None
    mark_pairs(opened.library, [(1, 2)], True)
    mark_pairs(opened.library, [(1, 2)], False)
    mark_pairs(opened.library, [(3, 4)], True)
    frame.workspace.learning.refresh()
    rested(qtbot, frame)
    assert [one.contradicted for one in marks(frame)] == [False, True, True]
    assert "1 pair" in frame.workspace.learning.view.head.words()[1]
    frame.workspace.learning.view.marks.filter_chosen.emit("contradicted")
    rested(qtbot, frame)
    assert [one.contradicted for one in marks(frame)] == [True, True]


def test_marks_go_into_a_file_and_come_back(
    qtbot: QtBot, frame: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(frame, Qt.Key.Key_S)
    rested(qtbot, frame)
    before = judged(frame)
    file = tmp_path / "mine.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / "mine"), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(file), ""))
    file_actions = {one.text(): one for one in frame.workspace.learning.view.marks.menu().actions()}
    file_actions["Export marks…"].trigger()
    rested(qtbot, frame)
    assert file.is_file()
    assert any(str(file) in line for line in words(frame.status))
    frame.workspace.learning.view.marks.list.remove_wanted.emit([one.id for one in marks(frame)])
    rested(qtbot, frame)
    assert judged(frame) == []
    file_actions["Import marks…"].trigger()
    rested(qtbot, frame)
    assert judged(frame) == before
    frame.workspace.undoing.undo()
    rested(qtbot, frame)
    assert judged(frame) == []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(tmp_path / "nothing.csv"), ""))
    file_actions["Import marks…"].trigger()
    rested(qtbot, frame)
    assert any("nothing.csv" in line for line in words(frame.status))


# --- learning --------------------------------------------------------------------------------------------------------
def test_it_is_learned_kept_and_searched_by(qtbot: QtBot, frame: MainWindow, cases: UseCases) -> None:
    press(frame, Qt.Key.Key_S)
    rested(qtbot, frame)
    learned(qtbot, frame)
    assert "Tested on 10 of your marks" in title(frame)
    assert "71 % → 86 % (± 4)" in frame.workspace.learning.view.head.words()[1]
    assert [one.id for one in frame.workspace.learning.view.strips.after.tiles()[:3]] == [3, 12, 11]
    assert frame.workspace.learning.view.meaning.sentence() == "Blue counts more."
    apart = frame.workspace.learning.view.marks.list.distances[marks(frame)[0].id]
    assert (apart.before, apart.comparable) == (0.62, 0.19)
    assert cases.metrics == []  # nothing is kept until it is wanted
    searched = indexes(frame)
    press(frame, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: bool(cases.finished), timeout=LONG)
    rested(qtbot, frame)
    assert cases.metrics == ["Learned 1"]
    assert title(frame) == "Search ranks by “Learned 1” now"
    assert "as fast as before" in frame.workspace.learning.view.head.words()[1]
    assert searched == ["Colours"]  # at once: it answers exactly meanwhile
    assert cases.finished == ["Colours"]
    plain, kept = frame.workspace.learning.view.metrics.list.rows()
    assert (plain.used, kept.used) == (False, True)
    assert "86 %" in kept.standing
    press(frame, Qt.Key.Key_B)
    rested(qtbot, frame)
    assert searched[1:] == ["Automatic"]
    assert "Learn from" in title(frame)
    assert frame.workspace.learning.view.metrics.list.rows()[0].used


def test_what_is_marked_after_learning_can_be_learned_from_too(
    qtbot: QtBot, frame: MainWindow, cases: UseCases
) -> None:
    press(frame, Qt.Key.Key_S)
    rested(qtbot, frame)
    learned(qtbot, frame)
    head = frame.workspace.learning.view.head
    assert not head.can("learn")
    press(frame, Qt.Key.Key_D)
    qtbot.waitUntil(lambda: head.can("learn"), timeout=LONG)
    assert head.can("keep")
    press(frame, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: cases.proposed == 2, timeout=LONG)
    rested(qtbot, frame)
    assert head.can("keep")
    assert not head.can("learn")


def test_who_keeps_what_was_learned_stays_there_whatever_was_searched_with(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.take_pictures([1])
    rested(qtbot, frame)
    frame.workspace.show_view("learn")
    press(frame, Qt.Key.Key_S)
    rested(qtbot, frame)
    learned(qtbot, frame)
    press(frame, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: frame.workspace.searching.index == "Colours", timeout=LONG)
    rested(qtbot, frame)
    assert frame.workspace.view() == "learn"
    assert title(frame) == "Search ranks by “Learned 1” now"


def test_what_was_marked_elsewhere_is_undone_here_too(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.marks.mark_selection([1, 2], True)
    qtbot.waitUntil(lambda: len(marks(frame)) == 1, timeout=LONG)
    QTest.keyClick(QApplication.focusWidget() or frame, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not marks(frame), timeout=LONG)


def test_not_now_keeps_nothing_and_the_marks_stay(qtbot: QtBot, frame: MainWindow, cases: UseCases) -> None:
    press(frame, Qt.Key.Key_S)
    rested(qtbot, frame)
    learned(qtbot, frame)
    assert frame.workspace.learning.view.strips.after.tiles()
    press(frame, Qt.Key.Key_N)
    rested(qtbot, frame)
    assert cases.metrics == []
    assert len(judged(frame)) == 1
    assert "Learn from" in title(frame)
    assert not frame.workspace.learning.view.strips.after.tiles()
    assert frame.workspace.learning.view.strips.before.tiles()
    assert not frame.workspace.learning.view.meaning.isVisible()
    assert cases.learned[-1] is None


def test_learning_shows_how_far_it_is_and_can_be_cancelled(qtbot: QtBot, frame: MainWindow, cases: UseCases) -> None:
    cases.seconds = 20
    press(frame, Qt.Key.Key_S)
    rested(qtbot, frame)
    press(frame, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: "Trying" in frame.workspace.learning.view.head.words()[1], timeout=LONG)
    assert "Learning from" in title(frame)
    pair = offered(frame)
    press(frame, Qt.Key.Key_D)  # marking goes on meanwhile
    assert offered(frame) != pair
    press(frame, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: "Learn from" in title(frame), timeout=LONG)
    assert frame.workspace.view() == "learn"
    assert cases.proposed == 0
    rested(qtbot, frame)
    press(frame, Qt.Key.Key_Escape)
    assert frame.workspace.view() == "library"


def test_learning_waits_for_its_turn_among_long_work(qtbot: QtBot, frame: MainWindow, cases: UseCases) -> None:
    press(frame, Qt.Key.Key_S)
    rested(qtbot, frame)
    ends, head = threading.Event(), frame.workspace.learning.view.head
    frame.workspace.work.run("Working…", lambda __: ends.wait(60))
    press(frame, Qt.Key.Key_L)
    assert head.words()[1] == "Waiting for other long work"
    press(frame, Qt.Key.Key_Escape)
    assert "Learn from" in title(frame)
    press(frame, Qt.Key.Key_L)
    assert cases.proposed == 0
    ends.set()
    qtbot.waitUntil(lambda: cases.proposed == 1 and head.can("keep"), timeout=LONG)


def test_what_fails_gives_a_sentence_and_what_to_do(qtbot: QtBot, frame: MainWindow, cases: UseCases) -> None:
    cases.error = TwinlensError("None of the marks can be used.", "Mark other photos.")
    press(frame, Qt.Key.Key_S)
    rested(qtbot, frame)
    press(frame, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: title(frame) == "None of the marks can be used.", timeout=LONG)
    assert frame.workspace.learning.view.head.words()[1] == "Mark other photos."
    assert frame.workspace.learning.view.head.can("learn")
    cases.error = None
    learned(qtbot, frame)


def test_a_mark_that_cannot_be_written_is_said_and_its_pair_comes_back(
    qtbot: QtBot, frame: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise TwinlensError("The library cannot be written.", "Close the other program.")

    monkeypatch.setattr("twinlens.app.marks.marks.mark_pairs", fail)
    pair = offered(frame)
    press(frame, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: any("cannot be written" in line for line in words(frame.status)), timeout=LONG)
    assert offered(frame) == pair
    assert frame.workspace.undoing.newest() is None


def test_where_nothing_can_be_offered_it_says_why(
    qtbot: QtBot, frame: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise TwinlensError("There is nothing to compare.", "Add photos.")

    monkeypatch.setattr("twinlens.app.learn.next_pairs.offer_pairs", fail)
    for _ in range(COUNT // 2):
        press(frame, Qt.Key.Key_Space)
    rested(qtbot, frame)
    told = frame.workspace.learning.view.pair.pictures.accessibleDescription()
    assert told == "There is nothing to compare. Add photos."


# --- before and after ------------------------------------------------------------------------------------------------
def test_the_library_is_ranked_by_what_was_searched_with_last(qtbot: QtBot, frame: MainWindow, cases: UseCases) -> None:
    frame.workspace.searching.take_pictures([7])
    rested(qtbot, frame)
    frame.workspace.show_view("learn")
    rested(qtbot, frame)
    assert frame.workspace.learning.view.strips.before.tiles()[0].id == 7
    frame.workspace.learning.view.strips.before.asked.emit(5)
    rested(qtbot, frame)
    assert frame.workspace.view() == "search"
    question = frame.workspace.searching.query
    assert question is not None
    assert question.examples[0].picture == 5


def test_another_photograph_is_chosen_by_key_and_by_click(qtbot: QtBot, frame: MainWindow, cases: UseCases) -> None:
    press(frame, Qt.Key.Key_S)
    rested(qtbot, frame)
    learned(qtbot, frame)
    before = frame.workspace.learning.view.strips.before.tiles()[0].id
    press(frame, Qt.Key.Key_A)
    rested(qtbot, frame)
    assert frame.workspace.learning.view.strips.before.tiles()[0].id != before
    frame.workspace.learning.view.strips.after.clicked.emit(9)
    rested(qtbot, frame)
    assert frame.workspace.learning.view.strips.before.tiles()[0].id == 9
    assert cases.asked[-1] == 9


def test_a_photograph_is_seen_large_and_the_keys_come_back(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.learning.view.strips.before.setFocus()
    press(frame, Qt.Key.Key_Space)
    rested(qtbot, frame)
    assert frame.workspace.viewing.is_open()
    press(frame, Qt.Key.Key_Escape)
    assert not frame.workspace.viewing.is_open()
    assert frame.workspace.view() == "learn"
    focused = QApplication.focusWidget()
    assert focused is not None
    assert frame.workspace.learning.view.isAncestorOf(focused)


# --- metrics ---------------------------------------------------------------------------------------------------------
def test_metrics_are_renamed_used_deleted_and_brought_back(qtbot: QtBot, frame: MainWindow, cases: UseCases) -> None:
    press(frame, Qt.Key.Key_S)
    rested(qtbot, frame)
    for _ in range(2):
        learned(qtbot, frame)
        press(frame, Qt.Key.Key_K)
        rested(qtbot, frame)
    view = frame.workspace.learning.view.metrics
    assert [one.name for one in view.list.rows()[1:]] == ["Learned 1", "Learned 2"]
    view.list.renamed.emit("Learned 1", "Fish")
    rested(qtbot, frame)
    assert cases.metrics == ["Fish", "Learned 2"]
    press(frame, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    rested(qtbot, frame)
    assert cases.metrics == ["Learned 1", "Learned 2"]
    view.list.renamed.emit("Learned 1", "Learned 2")
    rested(qtbot, frame)
    assert any("already" in line for line in words(frame.status))
    last = frame.workspace.undoing.newest()
    assert last is None or "is named" not in last.text()  # what was refused is not to be undone
    searched = indexes(frame)
    view.list.go_to(1)
    button(view, "Search by the chosen metric").click()
    rested(qtbot, frame)
    view.list.go_to(0)
    button(view, "Search by the chosen metric").click()
    rested(qtbot, frame)
    assert searched == ["Colours", "Automatic"]
    view.list.remove_wanted.emit(["Learned 2"])
    rested(qtbot, frame)
    assert cases.metrics == ["Learned 1"]
    assert searched[2:] == ["Automatic"]
    cases.finished.clear()
    frame.status.action_wanted.emit()
    rested(qtbot, frame)
    assert cases.metrics == ["Learned 1", "Learned 2"]
    assert cases.finished == [index_of("Learned 2")]


# --- the window ------------------------------------------------------------------------------------------------------
def test_without_photographs_there_is_nothing_to_learn_from(
    qtbot: QtBot, own_data: None, tmp_path: Path, cases: UseCases
) -> None:
    frame = opened(qtbot, tmp_path / "empty.twinlens")
    frame.workspace.show_view("learn")
    qtbot.waitUntil(lambda: not frame.workspace.learning.view.shows_photographs(), timeout=LONG)
    button(frame.workspace.learning.view, "Go to the library").click()
    assert frame.workspace.view() == "library"
    frame.close()


def test_the_view_needs_nothing_slow_before_it_is_shown() -> None:
    program = (
        "import sys; from PySide6.QtWidgets import QApplication; application = QApplication([]);"
        "from twinlens.app.gui.learn.learn_view import LearnView; view = LearnView();"
        "print(*{'numba', 'scipy', 'cv2', 'sqlalchemy', 'twinlens.app.learn.learning'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
