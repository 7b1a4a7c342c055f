"""Comparing in the window, on a library: columns answer, are made, judged, moved, kept; nothing waits for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG, button
from tests.app.gui.working import workspace
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make
from twinlens.app.compare import temporary_index
from twinlens.app.compare.columns import ComparisonColumn
from twinlens.app.compare.comparison import ComparisonSettings, compare_indexes
from twinlens.app.gui.compare import column_search
from twinlens.app.gui.compare.compare_view import filters_text
from twinlens.app.indexes.encoders import FittedIndex, fit_index
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.search.search_options import Filters, SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.searcher import Searcher
from twinlens.core.errors import TwinlensError
from twinlens.core.progress import Progress
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow

MADE = ComparisonColumn("Few bits", method="lsh:bits=16")


class Comparing:
    """A compare view over a real library."""

    def __init__(self, qtbot: QtBot, library: Library, state: dict[str, object]) -> None:
        self.work = workspace(qtbot, library, state)
        self.jobs, self.status, self.control = self.work.jobs, self.work.status, self.work.comparing
        self.searching, self.view = self.work.searching, self.work.comparing.view
        self.told: list[str] = []
        show_message = self.status.show_message

        def told(words: str, *rest: Any, **more: Any) -> None:
            self.told.append(words)
            show_message(words, *rest, **more)

        self.status.show_message = told  # type: ignore[assignment,method-assign]
        self.work.show_view("compare")
        self.searching.choose_index("Few bits")
        self._qtbot = qtbot

    def settle(self) -> None:
        """Wait until nothing runs any more."""
        self._qtbot.waitUntil(lambda: not self.jobs.busy(), timeout=LONG)

    def ask(self, photograph_id: int) -> None:
        self.control.take_pictures([photograph_id])
        self.settle()

    def titles(self) -> list[str]:
        return [column.title for column in self.view.columns()]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with make(tmp_path / "made.twinlens", histograms(90, seed=5), [FEW_BITS, LEARNED, EXACTLY]) as opened:
        yield opened


@pytest.fixture
def comparing(qtbot: QtBot, library: Library) -> Iterator[Comparing]:
    made = Comparing(qtbot, library, {})
    yield made
    made.jobs.finish()


def test_without_columns_those_worth_seeing_answer_and_are_judged(comparing: Comparing) -> None:
    assert comparing.view.is_empty()
    comparing.ask(4)
    assert comparing.titles()[:3] == ["Few bits", "Exact · hellinger", "Learned"]
    shown = comparing.view.columns()[0]
    searcher = Searcher(comparing.work.opened.library)
    plain = searcher.search(4, "Few bits", SearchOptions(k=20, compare_exact=True, check=False))
    assert [tile.id for tile in shown.tiles if not tile.ghost] == [hit.id for hit in plain.hits]
    assert [(tile.id, tile.rank) for tile in shown.tiles if tile.ghost] == [(one.id, one.rank) for one in plain.missed]
    assert shown.one is not None
    assert shown.one.overlap == plain.overlap
    assert sum(bool(tile.agrees) for tile in shown.tiles) == round(20 * (plain.overlap or 0))
    assert shown.tiles[0].asked
    bits = shown.differ(hit := plain.hits[3].id)
    assert bits is not None
    assert bits.sum() == shown.standings[hit].hamming


def test_a_column_is_made_while_the_others_are_seen(comparing: Comparing, monkeypatch: pytest.MonkeyPatch) -> None:
    comparing.ask(4)
    seen: list[tuple[str, bool]] = []
    real = comparing.view.show_columns

    def watched(columns: Any, *rest: Any, **more: Any) -> None:
        seen.extend((column.waits, column.one is not None) for column in columns if column.title.startswith("Random"))
        real(columns, *rest, **more)

    monkeypatch.setattr(comparing.view, "show_columns", watched)
    comparing.control.add(MADE)
    comparing.settle()
    assert seen[0][0]
    assert not seen[0][1]
    assert seen[-1] == ("", True)
    last = comparing.view.columns()[-1]
    assert last.title == "Random hyperplanes · 16 bits"
    assert last.changed
    found = compare_indexes(Searcher(comparing.work.opened.library), 4, ComparisonSettings([MADE]))
    assert [tile.id for tile in last.tiles if not tile.ghost] == [hit.id for hit in found.columns[0].result.hits]


def test_what_measures_very_many_is_waited_for_by_nobody(comparing: Comparing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_search, "SLOW", 10)
    seen: list[list[tuple[str, bool]]] = []
    real = comparing.view.show_columns

    def watched(columns: Any, *rest: Any, **more: Any) -> None:
        seen.append([(column.waits, column.one is not None) for column in columns])
        real(columns, *rest, **more)

    monkeypatch.setattr(comparing.view, "show_columns", watched)
    comparing.ask(4)
    assert seen[0][0] == ("", True)
    assert seen[0][1] == ("comparing every photo", False)
    assert all(there for _, there in seen[-1])
    assert comparing.view.columns()[0].one is not None


def test_what_cannot_be_made_says_why_and_stops_nothing(comparing: Comparing, monkeypatch: pytest.MonkeyPatch) -> None:
    def fit(r: Transaction, index: IndexRow, kind: KindRow, progress: Progress) -> FittedIndex | None:
        if "kpca" in index.method:
            raise TwinlensError("There are too few photos for 500 directions.", "Add some.")
        return fit_index(r, index, kind, progress)

    monkeypatch.setattr(temporary_index, "fit_index", fit)
    comparing.ask(4)
    comparing.control.add(ComparisonColumn("Few bits", method="kpca-lsh:rank=500"))
    comparing.settle()
    comparing.control.add(ComparisonColumn("Few bits", method="lsh:bits=8"))
    comparing.settle()
    wrong, right = comparing.view.columns()[-2:]
    assert wrong.one is None
    assert "500" in wrong.fault
    assert right.one is not None
    comparing.control.remove(len(comparing.view.columns()) - 2)
    comparing.settle()
    comparing.control.add(ComparisonColumn("Gone", method="lsh:bits=8"))
    comparing.settle()
    gone = comparing.view.columns()[-1]
    assert "no index" in gone.fault
    assert gone.waits == ""


def test_columns_move_and_are_pinned_without_asking_anew(comparing: Comparing, monkeypatch: pytest.MonkeyPatch) -> None:
    comparing.ask(4)
    monkeypatch.setattr(comparing.control, "_work", lambda keep: pytest.fail("it was asked anew"))
    first, second, third, *_ = comparing.titles()
    comparing.control.move(0, 1)
    assert comparing.titles()[:3] == [second, first, third]
    assert comparing.view.board.column() == 1
    comparing.control.pin(2)
    assert comparing.titles()[:3] == [third, second, first]
    assert comparing.view.columns()[0].pinned
    comparing.control.move(1, 0)
    assert comparing.titles()[0] == third, "what is pinned stays at the left"
    comparing.control.pin(0)
    assert not comparing.view.columns()[0].pinned
    count = len(comparing.titles())
    comparing.control.remove(1)
    assert len(comparing.titles()) == count - 1
    for _ in range(count):
        comparing.control.remove(0)
    assert len(comparing.titles()) == 1


def test_all_are_held_against_one(comparing: Comparing) -> None:
    comparing.ask(4)
    own = [column.one.overlap for column in comparing.view.columns() if column.one]
    comparing.control.hold_against(2)
    comparing.settle()
    together = [column.one for column in comparing.view.columns() if column.one]
    assert {one.reference for one in together} == {"Learned"}
    comparing.control.remove(2)
    comparing.settle()
    left = [column.one for column in comparing.view.columns() if column.one]
    assert [one.reference for one in left] == [one.name for one in left], "what all were held against is gone"
    comparing.control.add(ComparisonColumn("Learned"))
    comparing.settle()
    comparing.control.move(len(own) - 1, 2)
    comparing.control.hold_against(0)
    comparing.settle()
    comparing.control.move(0, 1)
    assert {column.one.reference for column in comparing.view.columns() if column.one} == {"Few bits"}
    comparing.control.move(0, 1)
    comparing.control.hold_against(-1)
    comparing.settle()
    assert [column.one.overlap for column in comparing.view.columns() if column.one] == own


def test_what_is_taken_away_comes_back_where_it_was(comparing: Comparing) -> None:
    comparing.ask(4)
    comparing.control.add(MADE)
    comparing.settle()
    comparing.control.pin(1)
    before = comparing.titles()
    comparing.control.hold_against(0)
    comparing.control.remove(0)
    comparing.control.remove(1)
    assert comparing.told[-1] == "Column removed."
    comparing.work.undoing.undo()
    comparing.settle()
    assert comparing.titles() == before[1:]
    comparing.work.undoing.undo()
    comparing.settle()
    assert comparing.titles() == before
    assert comparing.view.columns()[0].pinned
    assert {column.one.reference for column in comparing.view.columns() if column.one} == {"Few bits · Exact"}
    comparing.work.undoing.redo()
    comparing.settle()
    assert comparing.titles() == before[1:]
    comparing.work.undoing.undo()
    comparing.work.undoing.undo()
    comparing.settle()
    assert comparing.titles() == before


def test_a_column_to_add_begins_as_the_one_that_has_the_keys(comparing: Comparing) -> None:
    comparing.ask(4)
    comparing.control.add(MADE)
    comparing.settle()
    comparing.view.board.set_column(len(comparing.titles()) - 1)
    comparing.control.open_adding()
    comparing.settle()
    assert comparing.view.adding.column() == MADE
    comparing.view.adding.leave()
    comparing.view.board.set_column(comparing.titles().index("Learned"))
    comparing.control.open_adding()
    comparing.settle()
    assert comparing.view.adding.column() == ComparisonColumn("Learned")


def test_columns_answer_within_what_is_narrowed_down(comparing: Comparing) -> None:
    comparing.ask(4)
    before = [column.one for column in comparing.view.columns() if column.one]
    assert {one.passing for one in before} == {90}
    comparing.control.set_filters({"camera": "Camera 1", "since": "2005"})
    comparing.settle()
    columns = comparing.control.columns()
    filters = Filters(camera="Camera 1", since="2005")
    plain = compare_indexes(
        Searcher(comparing.work.opened.library), 4, ComparisonSettings(columns, filters=filters)
    ).result()
    for shown, one in zip(comparing.view.columns(), plain.columns, strict=True):
        assert shown.one is not None
        assert (shown.one.passing, shown.one.overlap, shown.one.missed) == (one.passing, one.overlap, one.missed)
        assert 0 < one.passing < 40, "such filters would tell nothing"
        for tile in shown.tiles:
            assert tile.id % 3 == 1
            assert tile.id % 20 >= 5
    assert any(one.missed for one in plain.columns), "some are missed within the filter"
    assert comparing.view.head.narrowed() == "Only photos since 2005, by Camera 1"
    for _ in range(4):
        comparing.control.ask_another()
        comparing.settle()
        assert comparing.control.query is not None
        assert comparing.control.query.examples[0].picture % 3 == 1  # type: ignore[operator]
    comparing.control.set_filters({"since": "1990", "until": "1990"})
    comparing.settle()
    assert all(column.one is not None and not column.tiles for column in comparing.view.columns())
    assert comparing.view.foot.funnel(comparing.view.columns()[0])[-1] == ("there is nothing to find", 0)
    comparing.control.set_filters({})
    comparing.settle()
    assert comparing.view.head.narrowed() == ""
    assert comparing.view.columns()[0].one.passing == 90  # type: ignore[union-attr]


def test_what_is_not_seen_is_asked_when_it_is_seen_again(comparing: Comparing) -> None:
    comparing.ask(4)
    comparing.view.hide()
    comparing.control.set_filters({"camera": "Camera 1"})
    comparing.control.refresh()
    assert not comparing.jobs.busy()
    assert comparing.view.columns()[0].one.passing == 90  # type: ignore[union-attr]
    comparing.view.show()
    comparing.settle()
    assert comparing.view.columns()[0].one.passing == 30  # type: ignore[union-attr]
    comparing.view.hide()
    comparing.view.show()
    assert not comparing.jobs.busy(), "nothing has changed since"


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        ({}, ""),
        ({"folder": "/home/ann/Pictures/Fog", "since": "2022", "until": "2022"}, "in Fog, of 2022"),
        ({"since": "2021-05", "until": "2022", "orientation": "portrait"}, "from 2021-05 to 2022, portrait"),
        ({"until": "2022", "marked": "any"}, "until 2022, marked"),
    ],
)
def test_what_narrows_down_is_said_in_words(filters: dict[str, str], words: str) -> None:
    assert filters_text(filters) == words


def test_a_hit_becomes_the_question_and_one_goes_back(comparing: Comparing, qtbot: QtBot) -> None:
    comparing.ask(4)
    hit = comparing.view.columns()[0].tiles[1].id
    comparing.view.board.asked.emit(hit)
    comparing.settle()
    assert comparing.control.query == SearchQuery((Example(hit),))
    assert comparing.view.columns()[0].tiles[0].id == hit
    comparing.view.head.back_wanted.emit()
    comparing.settle()
    assert comparing.view.columns()[0].tiles[0].id == 4
    comparing.view.head.forward_wanted.emit()
    comparing.settle()
    assert comparing.view.columns()[0].tiles[0].id == hit
    comparing.control.ask_another()
    comparing.settle()
    qtbot.waitUntil(lambda: not comparing.jobs.busy())
    assert comparing.control.query is not None


def test_each_finds_as_many_as_are_wished(comparing: Comparing) -> None:
    comparing.ask(4)
    comparing.control.set_k(6)
    comparing.settle()
    assert all(len([tile for tile in column.tiles if not tile.ghost]) == 6 for column in comparing.view.columns())
    assert comparing.control.state()["k"] == 6


def test_what_was_made_becomes_an_index_of_the_library(comparing: Comparing) -> None:
    comparing.ask(4)
    comparing.control.add(MADE)
    comparing.settle()
    before = comparing.view.columns()[-1]
    comparing.control.keep(0)
    assert comparing.told, "what is kept already is not made again"
    comparing.control.keep(len(comparing.view.columns()) - 1)
    comparing.settle()
    after = comparing.view.columns()[-1]
    assert not after.changed
    assert after.title == "Few bits · Random hyperplanes · 16 bits"
    assert [tile.id for tile in after.tiles] == [tile.id for tile in before.tiles]
    with comparing.work.opened.library.store.reading() as r:
        assert r.indexes.by_name(after.title) is not None


def test_columns_are_offered_and_put_together_by_hand(comparing: Comparing) -> None:
    comparing.ask(4)
    comparing.control.open_adding()
    comparing.settle()
    panel = comparing.view.adding
    assert panel.isVisible()
    names = [one.accessibleName() for one in panel.findChildren(QAbstractButton)]
    assert any(name.startswith(("Automatic", "Exactly")) for name in names)
    assert any("lsh" in name or "itq" in name for name in names)
    from twinlens.app.methods import catalogue

    panel.forms()["method"].set_value(catalogue.method("lsh:bits=20"))
    assert panel.column() == ComparisonColumn("Few bits", method="lsh:bits=20")
    button(panel, "Add this column").click()
    comparing.settle()
    assert comparing.titles()[-1] == "Random hyperplanes · 20 bits"
    assert not panel.isVisible()
    comparing.control.open_changing(len(comparing.titles()) - 1)
    comparing.settle()
    panel.forms()["method"].set_value(catalogue.method("lsh:bits=28"))
    button(panel, "Add this column").click()
    comparing.settle()
    assert comparing.titles()[-1] == "Random hyperplanes · 28 bits"
    assert "Random hyperplanes · 20 bits" not in comparing.titles()


def test_columns_are_remembered(qtbot: QtBot, library: Library, comparing: Comparing) -> None:
    comparing.ask(4)
    comparing.control.add(MADE)
    comparing.control.pin(1)
    comparing.settle()
    state = json.loads(json.dumps(comparing.control.state()))
    again = Comparing(qtbot, library, {"compare": state})
    again.ask(5)
    assert again.titles() == comparing.titles()
    assert again.view.columns()[0].pinned
    again.jobs.finish()
    broken = Comparing(qtbot, library, {"compare": {"columns": [{"what": 1}], "k": "many"}})
    broken.ask(5)
    assert broken.titles()[0] == "Few bits"
    broken.jobs.finish()


def test_a_comparison_is_exported(comparing: Comparing, tmp_path: Path) -> None:
    comparing.ask(4)
    for name in ("numbers.csv", "all.json", "picture.png"):
        comparing.control.export(OutputFile(tmp_path / name))
        comparing.settle()
        comparing.control.export(OutputFile(tmp_path / "nowhere" / name))
        comparing.settle()
    lines = (tmp_path / "numbers.csv").read_text().splitlines()
    assert len(lines) == 1 + sum(len(column.tiles) for column in comparing.view.columns())
    assert lines[0].startswith("column,text,reference,overlap,rank,true_rank,missed")
    assert len(json.loads((tmp_path / "all.json").read_text())["columns"]) == len(comparing.titles())
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_the_window_goes_on_while_a_column_is_made(comparing: Comparing) -> None:
    ticks: list[int] = []
    timer = QTimer()
    timer.setInterval(5)
    timer.timeout.connect(lambda: ticks.append(1))
    timer.start()
    comparing.ask(4)
    comparing.control.add(ComparisonColumn("Few bits", method="itq:bits=64"))
    comparing.settle()
    timer.stop()
    assert len(ticks) > 3
    assert comparing.view.columns()[-1].one is not None
