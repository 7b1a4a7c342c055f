"""Answers that are checked: its switches, confirmed photographs first, and the histogram's two handles."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QApplication
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG, button, named, part, said
from tests.app.gui.working import workspace
from twinlens.app.gui.look.buttons import Switch
from twinlens.app.gui.photo_grid.cell_painting import stack_sign
from twinlens.app.gui.photo_grid.grid_layout import GridRows
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.search import result_checks, search_controller
from twinlens.app.gui.search.search_results import FoundPhotograph, ResultRows
from twinlens.app.gui.search.search_view import SearchView
from twinlens.app.gui.search.similarity_histogram import STEPS, RangeHandle, SimilarityHistogram
from twinlens.app.gui.search.timing_line import CheckBar
from twinlens.app.gui.search.window_search import ShownResults, WindowSearch
from twinlens.app.indexes.index_results import IndexListResult, IndexStatus
from twinlens.app.library.browsing.photographs import Photograph
from twinlens.app.library.library import Library
from twinlens.app.search.ranked_results import RankedResults
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.search_results import (
    ConfidenceThreshold,
    GeometricCheck,
    Histogram,
    ResultPhotograph,
    SearchResult,
    SearchSeconds,
    SimilarityLevels,
)
from twinlens.core.message import verbatim
from twinlens.core.progress import Progress

COUNT = 6
CONFIRMED = (5, 3)
CHECK = "Check for the same picture"


def _found(photograph_id: int, rank: int, checked: bool) -> FoundPhotograph:
    photograph = Photograph(
        photograph_id, f"/a/{photograph_id}.jpg", f"{photograph_id}.jpg", "a", bytes([photograph_id]) * 32, None, None,
        640, 480, 1000, "JPEG", False,
    )  # fmt: skip
    sure = photograph_id in CONFIRMED
    check = GeometricCheck(confirmed=sure, score=9.0 * sure, inliers=143 * sure, mirrored=sure, inverted=False)
    hit = ResultPhotograph(
        path=photograph.path, id=photograph_id, distance=rank / 10, similarity=1 - rank / 10, query=photograph_id == 1,
        check=check if checked else None,
    )  # fmt: skip
    return FoundPhotograph(photograph, hit, rank)


def _answer(checked: bool) -> ShownResults:
    ids = [1, *CONFIRMED, 2, 4, 6] if checked else list(range(1, COUNT + 1))
    found = [_found(one, rank, checked) for rank, one in enumerate(ids, 1)]
    seconds = SearchSeconds(extract=0, encode=0, scan=0, rerank=0.001, total=0.001, check=0.2 * checked)
    result = SearchResult(
        query="1.jpg", index="Automatic", text="", measure="linear", exact=False, hits=[one.result for one in found],
        seconds=seconds, looked_at=COUNT, scanned=COUNT, of=COUNT, checked=COUNT * checked,
        histogram=Histogram(counts=[1, 2, 2, 1], low=0, high=1, sample=COUNT),
        note=verbatim("There was time to check six only." if checked else ""),
    )  # fmt: skip
    ranked = cast("RankedResults", SimpleNamespace(options=SearchOptions()))
    return ShownResults(ranked, {one.photograph.id: one.photograph for one in found}, result, found, [])


class Asking:
    """A search view whose answers are made up; the check of an answer waits until it is let go."""

    def __init__(
        self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, library: Library, state: dict[str, object]
    ) -> None:
        self._monkeypatch = monkeypatch
        self.let_go = threading.Event()
        self.threshold: ConfidenceThreshold | None = None
        self.shown: list[list[int]] = []
        monkeypatch.setattr(search_controller, "find", self._find)
        monkeypatch.setattr(search_controller, "check", self._check)
        monkeypatch.setattr(search_controller, "name_and_thumbnail", lambda *_: ("1.jpg", b""))
        self.work = workspace(qtbot, library, state)
        self.jobs, self.control, self.view = self.work.jobs, self.work.searching, self.work.searching.view
        self.work.show_view("search")
        self.view.show_how(True)
        self._show = self.view.grid.show_rows
        monkeypatch.setattr(self.view.grid, "show_rows", self._on_rows)
        self.control.show_indexes(
            IndexListResult(indexes=[_index("Automatic", "compact-vlad"), _index("Colours", "colour")])
        )

    def _on_rows(self, rows: GridRows, keep: bool) -> None:
        self.shown.append(rows.ids.tolist())
        self._show(rows, keep=keep)

    def _find(
        self,
        opened: OpenLibrary,
        asked: WindowSearch,
        wanted: dict[str, Any],
        exact: bool,
        checks: bool,
        progress: Progress,
    ) -> ShownResults:
        return self._told(_answer(checked=False), exact)

    def _check(self, opened: OpenLibrary, answer: ShownResults, progress: Progress) -> ShownResults:
        assert self.let_go.wait(LONG / 1000)
        return self._told(_answer(checked=True), answer.result.overlap is not None)

    def _told(self, answer: ShownResults, exact: bool) -> ShownResults:
        told = {"threshold": self.threshold, "overlap": 0.5 if exact else None}
        return replace(answer, result=answer.result.model_copy(update=told))

    def hold(self, held_ms: int) -> None:
        """Let an answer wait so long for its check."""
        self._monkeypatch.setattr(result_checks, "HELD_MS", held_ms)

    def looks_for_the_same(self) -> bool:
        return self.view.timing.accessibleName() == "Looking for the same picture…"

    def order(self) -> QAbstractButton:
        return button(self.view, "show matches first")

    def only(self) -> Switch:
        return next(one for one in self.view.findChildren(Switch) if one.text().startswith("same picture only"))

    def ask(self) -> None:
        self.control.search(SearchQuery((Example(1),)))

    def ids(self) -> list[int]:
        found: list[int] = self.view.grid.rows().ids.tolist()
        return found

    def marked(self) -> list[int]:
        rows = self.view.grid.rows()
        if not isinstance(rows, ResultRows):
            return []
        captions = [(one, rows.caption(row)) for row, one in enumerate(rows.ids.tolist())]
        return [one for one, caption in captions if caption is not None and caption.confirmed and not caption.marked]


def _index(name: str, descriptor: str) -> IndexStatus:
    return IndexStatus(
        name=name, text=f"{descriptor} · itq:bits=64 · scan", descriptor=descriptor,
        automatic=False, photographs=COUNT, waiting=0,
        fitted_on=COUNT, bits=64, bytes=1,
    )  # fmt: skip


@pytest.fixture
def asking(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    with Library.open(tmp_path / "empty.twinlens", create=True) as library:
        made = Asking(qtbot, monkeypatch, library, {})
        made.hold(LONG)  # however slow this machine is
        yield made
        made.let_go.set()
        made.jobs.finish()


def test_a_quick_check_is_waited_for_so_that_nothing_changes_its_place(qtbot: QtBot, asking: Asking) -> None:
    asking.let_go.set()
    asking.ask()
    qtbot.waitUntil(lambda: asking.marked() == list(CONFIRMED), timeout=LONG)
    assert asking.ids() == [1, 5, 3, 2, 4, 6]
    assert [1, 2, 3, 4, 5, 6] not in asking.shown
    assert not asking.order().isVisible()


def test_a_slow_check_marks_what_is_seen_and_moves_nothing_until_that_is_wanted(qtbot: QtBot, asking: Asking) -> None:
    asking.hold(10)
    asking.ask()
    qtbot.waitUntil(lambda: asking.ids() == [1, 2, 3, 4, 5, 6], timeout=LONG)
    assert asking.marked() == []
    asking.view.grid.set_current(4)
    asking.let_go.set()
    qtbot.waitUntil(lambda: asking.marked() == [3, 5], timeout=LONG)
    assert asking.ids() == [1, 2, 3, 4, 5, 6]
    assert asking.view.grid.current_id() == 4
    assert "There was time" not in said(asking.view)  # a line that comes would push the photographs down
    assert "There was time" in asking.view.timing.toolTip()
    asking.order().click()
    assert asking.ids() == [1, 5, 3, 2, 4, 6]
    assert not asking.order().isVisible()


def test_after_a_slow_check_matches_come_first_where_nobody_has_looked_further(qtbot: QtBot, asking: Asking) -> None:
    asking.hold(10)
    asking.ask()
    qtbot.waitUntil(lambda: asking.ids() == [1, 2, 3, 4, 5, 6], timeout=LONG)
    asking.let_go.set()
    qtbot.waitUntil(lambda: asking.ids() == [1, 5, 3, 2, 4, 6], timeout=LONG)
    assert asking.view.grid.current_id() == 1
    assert asking.view.grid.top() == 0
    assert not asking.order().isVisible()
    assert "2" in asking.only().text()


def test_a_slow_search_gives_way_to_a_sign_that_it_is_under_way(qtbot: QtBot, asking: Asking) -> None:
    asking.let_go.set()
    asking.ask()
    qtbot.waitUntil(lambda: asking.marked() == list(CONFIRMED), timeout=LONG)
    asking.view.show_searching()
    assert asking.ids() == []
    assert "Searching…" in said(asking.view)


def test_a_slow_check_leaves_the_chosen_similarities_as_they_are(qtbot: QtBot, asking: Asking) -> None:
    asking.hold(10)
    asking.ask()
    qtbot.waitUntil(lambda: len(asking.ids()) == COUNT, timeout=LONG)
    least = named(asking.view, "Least similarity")
    assert isinstance(least, QAbstractSlider)
    least.setValue(STEPS * 55 // 100)
    qtbot.waitUntil(lambda: asking.ids() == [1, 2, 3, 4], timeout=LONG)
    asking.let_go.set()
    qtbot.waitUntil(lambda: not asking.jobs.busy(), timeout=LONG)
    assert part(asking.view, SimilarityHistogram).chosen_range()[0] == pytest.approx(0.55, abs=0.01)
    assert 2 in asking.ids()
    assert COUNT not in asking.ids()


def test_only_confirmed_are_shown_at_once(qtbot: QtBot, asking: Asking) -> None:
    asking.let_go.set()
    asking.ask()
    qtbot.waitUntil(lambda: asking.marked() == list(CONFIRMED), timeout=LONG)
    button(asking.view, "same picture only · 2").click()
    assert asking.ids() == [1, 5, 3]
    assert asking.control.state()["only_confirmed"] is True
    asking.only().click()
    assert len(asking.ids()) == COUNT


def test_where_only_confirmed_are_wanted_no_other_is_seen_for_a_moment(qtbot: QtBot, asking: Asking) -> None:
    asking.hold(10)
    asking.view.show_only_confirmed(True)
    asking.ask()
    qtbot.waitUntil(asking.looks_for_the_same, timeout=LONG)
    QApplication.processEvents()
    asking.view.show_searching()  # as when it takes longer
    assert asking.looks_for_the_same()
    assert asking.ids() == []
    asking.let_go.set()
    qtbot.waitUntil(lambda: asking.ids() == [1, 5, 3], timeout=LONG)
    assert all(set(ids) <= {1, 5, 3} for ids in asking.shown)


def test_the_check_is_switched_off_and_that_is_remembered(qtbot: QtBot, asking: Asking) -> None:
    asking.let_go.set()
    asking.ask()
    qtbot.waitUntil(lambda: asking.marked() == list(CONFIRMED), timeout=LONG)
    button(asking.view, CHECK).click()
    qtbot.waitUntil(lambda: asking.ids() == [1, 2, 3, 4, 5, 6], timeout=LONG)
    assert asking.marked() == []
    assert asking.control.state()["check"] is False
    assert not asking.only().isVisible()


def test_how_it_was_left_holds_again(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with Library.open(tmp_path / "empty.twinlens", create=True) as library:
        asking = Asking(
            qtbot, monkeypatch, library, {"search": {"check": False, "only_confirmed": True, "lines": False}}
        )
        state = asking.control.state()
        assert (state["check"], state["only_confirmed"], state["lines"]) == (False, True, False)
        asking.ask()
        qtbot.waitUntil(lambda: len(asking.ids()) == COUNT, timeout=LONG)
        assert asking.marked() == []
        asking.jobs.finish()


def test_before_the_first_answer_nothing_is_said_to_be_gone(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with Library.open(tmp_path / "empty.twinlens", create=True) as library:
        asking = Asking(qtbot, monkeypatch, library, {"search": {"only_confirmed": True}})
        asking.ask()
        qtbot.waitUntil(asking.looks_for_the_same, timeout=LONG)
        assert asking.view.grid.isVisible()
        assert "missing" not in said(asking.view)
        asking.let_go.set()
        qtbot.waitUntil(lambda: asking.ids() == [1, 5, 3], timeout=LONG)
        asking.jobs.finish()


@pytest.mark.parametrize("ordered", [False, True])
def test_comparing_with_exact_search_moves_nothing(qtbot: QtBot, asking: Asking, ordered: bool) -> None:
    asking.hold(10)
    asking.ask()
    qtbot.waitUntil(lambda: asking.ids() == [1, 2, 3, 4, 5, 6], timeout=LONG)
    asking.view.grid.set_current(4)
    asking.let_go.set()
    qtbot.waitUntil(lambda: asking.marked() == [3, 5], timeout=LONG)
    if ordered:
        asking.order().click()
    before = asking.ids()
    asking.shown.clear()
    asking.control.compare_exactly()
    qtbot.waitUntil(lambda: not asking.jobs.busy() and bool(asking.shown), timeout=LONG)
    assert asking.shown == [before] * len(asking.shown)
    assert "found" in asking.view.timing.toolTip()
    assert asking.order().isVisible() is not ordered


def test_confirmed_results_are_sure_whatever_marks_say(qtbot: QtBot, asking: Asking) -> None:
    asking.hold(10)
    asking.threshold = ConfidenceThreshold(
        wrong=0.02, wrong_low=0.01, wrong_high=0.04, distance=0.15, low=0.1, high=0.2, similarity=0.85, kept=0.5,
        marks=26,
    )  # fmt: skip
    asking.ask()
    qtbot.waitUntil(lambda: len(asking.ids()) == COUNT, timeout=LONG)
    assert not asking.view.sure.isVisible()  # the check may still confirm some
    asking.let_go.set()
    qtbot.waitUntil(lambda: asking.marked() == [5, 3], timeout=LONG)
    assert asking.view.sure.text() == "2 of 5 certain"
    asking.view.sure.click()
    assert asking.ids() == [1, 5, 3]
    button(asking.view, CHECK).click()
    qtbot.waitUntil(lambda: asking.marked() == [], timeout=LONG)
    assert asking.view.sure.text() == "No confirmed matches"


def test_an_index_of_colours_is_not_checked(qtbot: QtBot, asking: Asking) -> None:
    asking.control.choose_index("Colours")
    asking.ask()
    qtbot.waitUntil(lambda: len(asking.ids()) == COUNT, timeout=LONG)
    assert not button(asking.view, CHECK).isVisible()


@pytest.mark.parametrize(
    ("checked", "headings"),
    [
        (False, [("Very similar", 2), ("Similar", 1), ("Less similar", 3)]),
        (True, [("Same picture", 3), ("Similar", 1), ("Less similar", 2)]),
    ],
)
def test_a_few_results_are_all_shown_under_headings(
    qtbot: QtBot, checked: bool, headings: list[tuple[str, int]]
) -> None:
    answer = _answer(checked)
    view = SearchView()
    qtbot.addWidget(view)
    likeness = SimilarityLevels(very_similar=0.75, similar=0.55 if checked else 0.65)
    view.show_results(answer.result.model_copy(update={"likeness": likeness}), answer.found, ())
    rows = view.grid.rows()
    assert [(one.heading, one.count) for one in rows.shelves] == headings
    captions = [rows.caption(row) for row in range(rows.count)]
    assert [one.left for one in captions if one] == [one.photograph.name for one in answer.found]
    assert [one.right for one in captions if one][:2] == ["", "mirrored" if checked else ""]
    assert view.less.isHidden()
    view.show_how(True)
    caption = view.grid.rows().caption(1)
    assert caption is not None
    assert (caption.left, caption.right) == ("2", "same picture" if checked else "very similar")


def _stacked() -> tuple[ShownResults, list[FoundPhotograph]]:
    """Return an answer in which the photographs 3, 4 and 6 are one series."""
    answer = _answer(checked=False)
    stacks = {3: 3, 4: 3, 6: 3}
    return answer, [
        replace(
            one, result=cast("ResultPhotograph", one.result).model_copy(update={"stack": stacks.get(one.photograph.id)})
        )
        for one in answer.found
    ]


def test_a_series_is_one_result_that_opens_and_closes(qtbot: QtBot) -> None:
    answer, found = _stacked()
    view = SearchView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show_results(answer.result, found, ())
    view.show()
    grid = view.grid
    assert grid.rows().ids.tolist() == [1, 2, 3, 5]
    caption = grid.rows().caption(2)
    assert caption is not None
    assert caption.stack == "+2"
    sign = stack_sign(grid.well_rect(2), grid.font(), caption.stack)
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=sign.center())
    assert grid.rows().ids.tolist() == [1, 2, 3, 4, 5, 6]
    grid.set_current(6)
    view.toggle_stack(6)  # from any of its photographs
    assert grid.rows().ids.tolist() == [1, 2, 3, 5]
    assert grid.current_id() == 3
    view.toggle_stack(2)  # which stands alone
    assert grid.rows().ids.tolist() == [1, 2, 3, 5]


def test_headings_count_what_stands_behind_stacks_and_not_the_query(qtbot: QtBot) -> None:
    answer, found = _stacked()
    levels = SimilarityLevels(very_similar=0.75, similar=0.65)
    view = SearchView()
    qtbot.addWidget(view)
    view.show_results(answer.result.model_copy(update={"likeness": levels}), found, ())

    def counted() -> int:
        return sum(one.photographs for one in view.grid.rows().shelves)

    assert found[0].is_query
    assert view.grid.rows().count == counted() - 1 == 4
    view.toggle_stack(3)
    assert view.grid.rows().count == counted() + 1 == 6


def test_a_match_stands_behind_no_other_result(qtbot: QtBot) -> None:
    found = [
        replace(one, result=cast("ResultPhotograph", one.result).model_copy(update={"stack": 5}))
        for one in _answer(checked=True).found
    ]
    assert [one.stack for one in found] == [None, None, None, 5, 5, 5]
    view = SearchView()
    qtbot.addWidget(view)
    view.show_results(_answer(checked=True).result, found, ())
    assert view.grid.rows().ids.tolist() == [1, 5, 3, 2]  # the rest of the series behind the first that is no match
    caption = view.grid.rows().caption(3)
    assert caption is not None
    assert caption.stack == "+2"
    view.toggle_stack(2)
    assert view.grid.rows().ids.tolist() == [1, 5, 3, 2, 4, 6]


def test_how_alike_is_said_in_words_and_the_rest_is_folded(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinlens.app.search.search_results.LEAST", 1)
    answer = _answer(checked=False)
    words = [one.how_alike(SimilarityLevels(very_similar=0.75, similar=0.65)) for one in answer.found[1:4]]
    assert words == ["very similar", "similar", ""]
    view = SearchView()
    qtbot.addWidget(view)
    result = answer.result.model_copy(update={"likeness": SimilarityLevels(very_similar=0.75, similar=0.65)})
    view.show_results(result, answer.found, ())
    folded = len(answer.found) - 3
    assert view.grid.rows().count == 3
    assert view.less.text() == f"Show {folded} less similar photos"
    view.less.click()
    assert view.grid.rows().count == len(answer.found)
    view.show_results(answer.result, answer.found, ())
    assert view.grid.rows().count == len(answer.found)
    assert view.less.isHidden()


def test_what_a_mark_means_is_said() -> None:
    rows = ResultRows(_answer(checked=True).found)
    assert rows.spoken(1) == "2: 5.jpg, similarity 0.80\nSame picture: 143 matching points, mirrored"
    assert rows.spoken(3) == "4: 2.jpg, similarity 0.60"
    caption = rows.caption(1)
    assert caption is not None
    assert caption.confirmed
    one = _answer(checked=True).found[1]
    assert one.check() is not None
    assert replace(one, result=one.result.model_copy(update={"check": None})).confirmed is False


def test_no_results_have_no_headings() -> None:
    assert list(ResultRows((), levels=SimilarityLevels(very_similar=0.75, similar=0.65)).shelves) == []


@pytest.fixture
def bar(qtbot: QtBot) -> CheckBar:
    made = CheckBar()
    made.show_detail(True)
    qtbot.addWidget(made)
    made.show()
    return made


def _seen(bar: CheckBar) -> dict[str, bool]:
    return {one.text(): one.isChecked() for one in bar.findChildren(QAbstractButton) if one.isVisible()}


def test_nothing_is_there_where_nothing_can_be_checked(bar: CheckBar) -> None:
    bar.show_state(applies=False)
    assert _seen(bar) == {}


def test_it_says_how_many_are_confirmed(bar: CheckBar) -> None:
    bar.show_state(applies=True, confirmed=None)
    assert _seen(bar) == {"same picture only · …": False, "check matches": True}
    bar.show_state(applies=True, confirmed=7, only=True)
    assert _seen(bar) == {"same picture only · 7": True, "check matches": True}
    bar.grab()
    bar.show_state(applies=True, checks=False)
    assert _seen(bar) == {"check matches": False}


def test_only_what_is_there_can_be_asked_for(bar: CheckBar) -> None:
    bar.show_state(applies=True, confirmed=0)
    only = next(one for one in bar.findChildren(QAbstractButton) if one.text().startswith("same picture"))
    assert not only.isEnabled()
    bar.show_state(applies=True, confirmed=0, only=True)  # so that it can be switched off again
    assert only.isEnabled()


def test_switches_say_what_is_wanted(qtbot: QtBot, bar: CheckBar) -> None:
    bar.show_state(applies=True, confirmed=2, waits=True)
    order, only, check = (one for one in bar.findChildren(QAbstractButton) if one.isVisible())
    with qtbot.waitSignal(bar.only_wanted, timeout=2000) as wanted:
        only.click()
    assert wanted.args == [True]
    with qtbot.waitSignal(bar.check_wanted, timeout=2000) as wanted:
        check.click()
    assert wanted.args == [False]
    with qtbot.waitSignal(bar.order_wanted, timeout=2000):
        order.click()


Ranges = list[tuple[float, float]]


@pytest.fixture
def histogram(qtbot: QtBot) -> SimilarityHistogram:
    made = SimilarityHistogram()
    qtbot.addWidget(made)
    made.set_histogram([5, 9, 4, 1], 0.0, 0.8, [0.9, 0.75, 0.7])
    made.show()
    return made


@pytest.fixture
def told(histogram: SimilarityHistogram) -> Ranges:
    ranges: Ranges = []
    histogram.range_changed.connect(lambda low, high: ranges.append((low, high)))
    return ranges


def _handles(histogram: SimilarityHistogram) -> tuple[RangeHandle, RangeHandle]:
    lower, upper = histogram.findChildren(RangeHandle)
    return lower, upper


def _drag(handle: RangeHandle, by: int) -> None:
    middle = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    step = 1 if by > 0 else -1
    for _ in range(abs(by)):
        QTest.mouseMove(handle, middle + QPoint(step, 0))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle)


def test_at_first_all_is_wanted_hits_beyond_the_sample_too(histogram: SimilarityHistogram) -> None:
    assert histogram.chosen_range() == (0.0, 0.9)


def test_dragging_narrows_at_once(histogram: SimilarityHistogram, told: Ranges) -> None:
    lower, _ = _handles(histogram)
    _drag(lower, 40)
    assert len(told) > 1
    assert [low for low, _ in told] == sorted(low for low, _ in told)
    assert told[-1][0] > 0.1
    assert {high for _, high in told} == {0.9}


def test_keys_move_a_handle_and_ends_are_exact(histogram: SimilarityHistogram, told: Ranges) -> None:
    lower, upper = _handles(histogram)
    QTest.keyClick(lower, Qt.Key.Key_Right)
    assert told[-1] == pytest.approx((0.009, 0.9))
    QTest.keyClick(upper, Qt.Key.Key_PageDown)
    assert told[-1][1] == pytest.approx(0.81)
    QTest.keyClick(upper, Qt.Key.Key_End)
    QTest.keyClick(lower, Qt.Key.Key_Home)
    assert told[-1] == (0.0, 0.9)


def test_handles_do_not_pass_each_other(histogram: SimilarityHistogram, told: Ranges) -> None:
    lower, upper = _handles(histogram)
    upper.setValue(STEPS // 2)
    lower.setValue(STEPS)
    assert lower.value() == upper.value() == STEPS // 2
    assert all(low <= high for low, high in told)


def test_a_double_click_wants_all_again(histogram: SimilarityHistogram, told: Ranges) -> None:
    lower, _ = _handles(histogram)
    QTest.keyClick(lower, Qt.Key.Key_PageUp)
    QTest.mouseDClick(histogram, Qt.MouseButton.LeftButton)
    assert told[-1] == (0.0, 0.9)


def test_a_new_answer_wants_all_without_a_signal(histogram: SimilarityHistogram, told: Ranges) -> None:
    lower, _ = _handles(histogram)
    QTest.keyClick(lower, Qt.Key.Key_PageUp)
    before = len(told)
    histogram.set_histogram([1, 2], 0.2, 0.4, [0.3])
    assert histogram.chosen_range() == (0.2, 0.4)
    assert len(told) == before


def test_nothing_known_or_all_alike_has_no_handles(histogram: SimilarityHistogram) -> None:
    height = histogram.sizeHint().height()
    histogram.clear()
    assert not any(handle.isVisible() for handle in _handles(histogram))
    assert histogram.sizeHint().height() == height
    histogram.set_histogram([3], 1.0, 1.0, [1.0])
    histogram.grab()
    assert not any(handle.isVisible() for handle in _handles(histogram))


def test_handles_are_sliders_for_those_who_listen(histogram: SimilarityHistogram) -> None:
    for handle, name in zip(_handles(histogram), ("Least similarity", "Greatest similarity"), strict=True):
        interface = QAccessible.queryAccessibleInterface(handle)
        assert interface is not None
        assert interface.role() == QAccessible.Role.Slider
        assert interface.text(QAccessible.Text.Name) == name
        assert handle.focusPolicy() & Qt.FocusPolicy.TabFocus
    QTest.keyClick(_handles(histogram)[0], Qt.Key.Key_PageUp)
    assert _handles(histogram)[0].accessibleDescription() == "0.09"


def test_what_is_sure_is_marked_and_a_click_on_it_wants_no_more(histogram: SimilarityHistogram, told: Ranges) -> None:
    bare = histogram.grab().toImage()
    histogram.set_sure(0.6, 0.02)
    assert histogram.grab().toImage() != bare
    assert "2 %" in histogram.toolTip()
    middle = round(10 + (histogram.width() - 20) * 0.6 / 0.9)
    QTest.mouseClick(histogram, Qt.MouseButton.LeftButton, pos=QPoint(middle + 2, 10))
    assert len(told) == 1
    assert told[0][0] == pytest.approx(0.6, abs=0.01)
    QTest.mouseClick(histogram, Qt.MouseButton.LeftButton, pos=QPoint(middle - 30, 10))
    assert len(told) == 1
    histogram.set_sure(0.95, 0.02)  # nothing on the axis is
    histogram.reset()
    assert histogram.grab().toImage() == bare
    histogram.clear()
    assert "2 %" not in histogram.toolTip()
