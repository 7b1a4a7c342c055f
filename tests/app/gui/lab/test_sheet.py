"""The sheet in the window: its keys, its parts, and the same numbers as the terminal gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.app.folders import added, write_scenes
from tests.app.gui.compare.test_compare_controller import Comparing
from tests.app.gui.looking import LONG
from tests.app.lab.advice.making import PEER, POINTS, kept
from tests.app.lab.advice.test_advice import point
from tests.features.sample_pictures import encode
from twinlens.app.cli.main import main
from twinlens.app.compare.columns import ComparisonColumn
from twinlens.app.evaluate.edited_copies import PhotographOrder
from twinlens.app.evaluate.evaluation import chosen_edits
from twinlens.app.gui.lab.sheet.sheet_head import ExperimentState, RowActions
from twinlens.app.gui.lab.sheet.sheet_view import SheetView
from twinlens.app.gui.look.style_sheet import apply_theme
from twinlens.app.lab.advice.advice_sheet import sheet_of_advice, sheet_so_far
from twinlens.app.lab.lab_sheet import LabSheet, LibraryIndexes, SheetRow
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile

KNOWN = LibraryIndexes({"colour · lsh:bits=512 · scan": "Automatic"}, "Automatic")
SHEET = sheet_of_advice(kept(peers=[PEER]), KNOWN, 1_200, "twinlens advise --time 60")
NEW = RowActions("best", "lsh:bits=256", keep=True, compare=True, name="Colours · best", taken=frozenset({"Taken"}))

OF_SHEET = "resume", "again", "keep", "change", "stop", "default", "compare", "turn", "copy"


@pytest.fixture
def done() -> list[str]:
    """Return the names of the actions that were done."""
    return []


@pytest.fixture
def view(qtbot: QtBot, done: list[str]) -> Iterator[SheetView]:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    shown = SheetView()
    shown.bind({name: partial(done.append, name) for name in OF_SHEET})
    qtbot.addWidget(shown)
    shown.resize(1280, 900)
    with qtbot.waitExposed(shown):
        shown.show()
    yield shown
    application.setProperty("twinlens-scheme", None)


def show(view: SheetView, qtbot: QtBot, sheet: LabSheet = SHEET, acts: RowActions = NEW) -> None:
    view.show_sheet(sheet, ExperimentState("advice"), lambda row: row.index is not None)
    qtbot.waitUntil(view.is_drawn, timeout=LONG)
    view.finding.show_acts(acts)
    view.table.setFocus()


def rows(view: SheetView) -> list[SheetRow]:
    found = [view.table.rows.row(place) for place in range(view.table.rows.rowCount())]
    return [row for row in found if row is not None]


def test_the_finding_is_of_what_is_proposed_or_of_the_row_that_is_chosen(view: SheetView, qtbot: QtBot) -> None:
    show(view, qtbot)
    assert view.key() == "best"
    assert view.finding.words()[0] == "Proposed"
    assert view.finding.why() == ["It finds 97 % of the exact results."]
    with qtbot.waitSignal(view.line_changed):
        view.board.point_clicked.emit("worse")
    assert view.key() == "worse"
    assert view.finding.words()[:2] == ("Chosen instead", str(SHEET.rows[2].sentence))
    view.finding.show_acts(replace(NEW, key="worse", back=True))
    QTest.keyClick(view, Qt.Key.Key_B)
    assert view.key() == "best"
    best = sheet_so_far(POINTS[:2], "edits", KNOWN)
    show(view, qtbot, replace(best, proposed="now"))
    assert view.key() == "now", "what is proposed is followed"
    show(view, qtbot)
    view.choose("worse")
    show(view, qtbot, replace(SHEET, proposed="now"))
    assert view.key() == "worse", "what is chosen stays"
    view.forget_row()
    show(view, qtbot)
    assert view.finding.words()[0] == "Proposed"


def test_keys_do_what_their_buttons_do_where_these_are_seen(view: SheetView, done: list[str], qtbot: QtBot) -> None:
    show(view, qtbot)
    with qtbot.waitSignal(view.keep_wanted) as kept_one:
        QTest.keyClick(view, Qt.Key.Key_I)
    assert kept_one.args == ["best", "Colours · best"]
    for key in (Qt.Key.Key_C, Qt.Key.Key_U, Qt.Key.Key_R):
        QTest.keyClick(view, key)
    assert done == ["compare"]
    view.finding.show_acts(replace(NEW, keep=False, default=True))
    for key in (Qt.Key.Key_U, Qt.Key.Key_Y):
        QTest.keyClick(view, key)
    assert done[1:] == ["default", "copy"]
    with qtbot.waitSignal(view.layers.told) as told:
        QTest.keyClick(view, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    assert told.args == ["Theory says nothing about Recall against time, Recall against bytes."]


def test_the_index_has_a_proposed_name_that_is_typed_over_before_it_is_made(view: SheetView, qtbot: QtBot) -> None:
    show(view, qtbot)
    name, keep = view.finding.name, view.finding.keep
    assert name.text() == "Colours · best"
    QTest.keyClick(view, Qt.Key.Key_F2)
    assert name.hasFocus()
    QTest.keyClicks(name, "Quick, 2")  # letters and digits are no keys of the page while it has them
    view.finding.show_acts(replace(NEW, state="As before"))
    assert name.text() == "Quick, 2", "what is typed stays while the same row is told of"
    with qtbot.waitSignal(view.keep_wanted) as wanted:
        QTest.keyClick(name, Qt.Key.Key_Return)
    assert wanted.args == ["best", "Quick, 2"]
    view.finding.show_acts(replace(NEW, key="worse", name="Colours · worse"))
    assert name.text() == "Colours · worse", "it was the name of another row"
    name.begin()
    QTest.keyClicks(name, "Taken")
    assert not keep.isEnabled()
    assert view.finding.words()[2] == "An index with this name exists already."
    with qtbot.assertNotEmitted(view.keep_wanted):
        QTest.keyClick(name, Qt.Key.Key_Return)
    QTest.keyClick(name, Qt.Key.Key_Escape)
    assert (name.text(), keep.isEnabled(), keep.hasFocus()) == ("Colours · worse", True, True)
    view.finding.show_making("Making it…")
    assert name.isReadOnly()
    assert not keep.isEnabled()


def test_a_row_lights_its_points_and_is_chosen_by_a_click(view: SheetView, qtbot: QtBot) -> None:
    show(view, qtbot)
    table = view.table
    lit: list[str | None] = []
    view.board.highlight = lit.append  # type: ignore[method-assign, assignment]
    at = table.visualRect(table.rows.index(table.rows.place("worse"), 0)).center()
    table.lit.emit("worse")
    assert lit[-1] == "worse"
    table.lit.emit("")
    assert lit[-1] == "best", "what is proposed stays marked"
    with qtbot.waitSignal(view.line_changed):
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert view.key() == "worse"
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert view.key() == "exact"
    with qtbot.waitSignal(view.keep_wanted) as wanted:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert wanted.args[0] == "exact"
    view.choose("peer")
    with qtbot.assertNotEmitted(view.keep_wanted):
        QTest.keyClick(table, Qt.Key.Key_Return)


def test_the_table_sorts_by_any_column_and_stays_sorted(view: SheetView, qtbot: QtBot) -> None:
    show(view, qtbot)
    model = view.table.rows
    for place, column in enumerate(model.sheet.columns):
        if column.link:
            continue
        view.table.sortByColumn(place, Qt.SortOrder.DescendingOrder)
        told = [column.sort_value(one) for one in rows(view)]
        assert told == sorted(told, reverse=True)
    view.table.sortByColumn(model.sheet.place_of("search ms"), Qt.SortOrder.AscendingOrder)
    points = [*POINTS, point("other", 0.9, 3, 32, descriptor="edges")]
    show(view, qtbot, sheet_so_far(points, "edits", KNOWN))
    times = [one.values["seconds query"] for one in rows(view)]
    assert times == sorted(one.seconds for one in points), "also with a further column"
    view.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert [one.key for one in rows(view)] == [one.key for one in points]


def test_the_sheet_fits_a_small_window(view: SheetView, qtbot: QtBot) -> None:
    show(view, qtbot)
    view.resize(700, 600)
    QApplication.processEvents()
    for one in (view.finding, view.board, view.table, view.notes, view.finding.keep):
        assert one.mapTo(view, QPoint(one.width(), 0)).x() <= 700


COUNT, K = 18, 6
EDITS = ("mirror", "grey")
PHOTOGRAPHS = 4


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    place = tmp_path_factory.mktemp("library")
    write_scenes(place / "first", COUNT // 2)
    write_scenes(place / "second", COUNT // 2, COUNT // 2)
    added(place / "family.twinlens", place / "first", place / "second")
    with Library.open(place / "family.twinlens") as opened:
        yield opened


@pytest.fixture
def comparing(qtbot: QtBot, library: Library) -> Iterator[Comparing]:
    made = Comparing(qtbot, library, {"compare": {"k": K}})
    made.searching.choose_index("Colours")
    yield made
    made.jobs.finish()


def spoken(capfdbinary: pytest.CaptureFixture[bytes], library: Library, *words: str) -> dict[str, Any]:
    """Run a command, and give the JSON that it writes."""
    with pytest.raises(SystemExit) as ended:
        main(["--library", library.address.shown, *words, "--json"])
    assert ended.value.code in (0, None)
    read: dict[str, Any] = json.loads(capfdbinary.readouterr().out)
    return read


def without_times(values: dict[str, Any]) -> dict[str, Any]:
    """Leave out what no two runs have alike."""
    return {
        name: without_times(value) if isinstance(value, dict) else value
        for name, value in values.items()
        if "seconds" not in name
    }


def test_compare_tells_what_the_view_shows(
    comparing: Comparing, library: Library, capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> None:
    folder = library.address.path.parent / "first"
    columns = [
        ComparisonColumn("Colours", method="lsh:bits=16", search="scan:candidates=1"),
        ComparisonColumn("Colours"),
        ComparisonColumn("Automatic"),
    ]
    comparing.control.set_filters({"folder": str(folder)})
    comparing.ask(3)
    comparing.control.set_columns(columns)
    comparing.settle()
    comparing.control.hold_against(1)
    comparing.settle()
    told = spoken(
        capfdbinary, library, "compare", "#3", "-k", str(K), "--index", "Colours", "--index", "Automatic",
        "--column", "lsh:bits=16 | scan:candidates=1", "--reference", "Colours", "--folder", str(folder),
    )  # fmt: skip
    by_name = {one["name"]: one for one in told["columns"]}
    assert told["filters"] == {"folder": str(folder)}
    seen = comparing.view.columns()
    assert len(seen) == len(by_name) == 3
    for column in seen:
        assert column.one is not None
        assert without_times(column.one.model_dump(mode="json")) == without_times(by_name[column.one.name])
        told_hits = [hit["id"] for hit in by_name[column.one.name]["answer"]["hits"]]
        assert [tile.id for tile in column.tiles if not tile.ghost] == told_hits
        assert [tile.id for tile in column.tiles if tile.ghost] == [
            one["id"] for one in by_name[column.one.name]["missed"]
        ]
        assert f"{column.one.overlap:.2f} overlap@{K}" in comparing.view.headers.spoken(column)
    assert any(column.one.missed for column in seen if column.one), "columns that agree would tell little"
    comparing.control.export(OutputFile(tmp_path / "all.json"))
    comparing.settle()
    written = json.loads((tmp_path / "all.json").read_text())
    assert written["filters"] == told["filters"]
    assert [without_times(one) for one in written["columns"]] == [
        without_times(by_name[one["name"]]) for one in written["columns"]
    ]


def test_evaluate_counts_what_the_view_shows_of_edited_copies(
    comparing: Comparing, library: Library, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    told = spoken(
        capfdbinary, library, "evaluate", "--index", "Colours", "--edits", ",".join(EDITS), "--no-check",
        "--photographs", str(PHOTOGRAPHS),
    )  # fmt: skip
    figures = {one["edit"]: one for one in told["indexes"][0]["edits"]}
    comparing.control.set_k(20)
    ranks: dict[str, list[int]] = {edit: [] for edit in EDITS}
    for copies in PhotographOrder(library, None, 0).copies(chosen_edits(EDITS), PHOTOGRAPHS):
        for copy in copies:
            comparing.control.take_pictures([encode(Image.fromarray(copy.editing.pixels()), "PNG")])
            comparing.settle()
            shown = comparing.view.columns()[0]
            assert shown.title == "Colours"
            ranks[copy.edit.name].append(next(tile.rank for tile in shown.tiles if tile.id in copy.right))
    for edit, places in ranks.items():
        assert figures[edit]["questions"] == len(places) == PHOTOGRAPHS
        for first in (1, 10):
            assert figures[edit]["recall"][str(first)] == pytest.approx(
                sum(one <= first for one in places) / len(places)
            )
        assert figures[edit]["map"] == pytest.approx(sum(1 / one for one in places) / len(places))
    assert max(ranks["grey"]) > 1, "where all are found first, nothing is told"
