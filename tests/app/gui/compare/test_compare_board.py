"""The board of a comparison: where pictures stand, keys and pointer, and the way there from the library."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from unittest.mock import MagicMock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QFont, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries
from tests.app.gui.looking import LONG, menu_commands, nameless, show
from tests.app.gui.working import opened
from twinlens.app.compare.comparison_results import ColumnBytes, ColumnStanding, ComparedColumn
from twinlens.app.gui.actions.declared_actions import every_action
from twinlens.app.gui.compare.board_layout import BoardLayout, RankedTile, ShownColumn, column_rects
from twinlens.app.gui.compare.column_feet import CompareFoot
from twinlens.app.gui.compare.column_headings import ColumnHeaders
from twinlens.app.gui.compare.compare_board import CompareBoard, paths
from twinlens.app.gui.compare.compare_view import CompareView
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.pictures.wall import TilePainter
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.search_results import MissedPhotograph, ResultPhotograph, SearchResult, SearchSeconds
from twinlens.core.message import verbatim

BITS = 64


def column(name: str, hits: list[int], missed: list[int], judged: bool = True, *, codes: bool = True) -> ShownColumn:
    """Make a column up: hits in order, and what was missed; a photograph's true rank is its id."""
    ids = sorted({*hits, *missed, 2})
    standings = {
        one: ColumnStanding(
            id=one, rank=hits.index(one) + 1 if one in hits else None, agrees=one <= 4, true_rank=one, similarity=0.5,
            hamming=one if codes else None, estimate=0.25 if codes else None, code_rank=one + 1,
        )
        for one in ids
    }  # fmt: skip
    answer = SearchResult(
        query="/a/1.jpg", index=name, text="", measure="hellinger", exact=not codes,
        hits=[
            ResultPhotograph(path=f"/a/{one}.jpg", id=one, distance=0.1, similarity=0.9, query=one == 1) for one in hits
        ],
        seconds=SearchSeconds(extract=0, encode=0.001, scan=0.002, rerank=0.003, total=0.006),
        looked_at=1240, scanned=212000,
        probed=7 if codes else 0, of=212000,
    )  # fmt: skip
    one = ComparedColumn(
        name=name, title=verbatim(name), index=name, changed=False, text="colour · lsh:bits=64 · scan",
        descriptor="colour", metric="", method="lsh", search="scan", bits=BITS if codes else None,
        fitted_on=10, build_seconds=None,
        bytes=ColumnBytes(model=1, codes=2, search=3, per_photograph=8), answer=answer, passing=212000, reference=name,
        overlap=0.75 if judged else None, agreeing=4 - len(missed) if judged else None,
        missed=[MissedPhotograph(rank=i, path="", id=i, similarity=0.1) for i in missed],
        estimate_of="cosine" if codes else "", bits_tell="",
        standings=list(standings.values()) if judged else [],
    )  # fmt: skip
    tiles = [
        RankedTile(i, bytes([i]) * 32, f"{i}.jpg", rank, agrees=i <= 4 if judged else None, asked=i == 1, true_rank=i)
        for rank, i in enumerate(hits, 1)
    ]
    tiles += [RankedTile(i, bytes([i]) * 32, f"{i}.jpg", i, ghost=True) for i in missed]
    differ = (lambda i: np.arange(BITS) < i) if codes else (lambda i: None)
    return ShownColumn(name, one.text, one.text, one, tiles, standings if judged else {}, differ)


COLUMNS = [
    column("Exact", [1, 2, 3, 4], [], codes=False),
    column("Few", [1, 4, 9, 8], [2, 3]),
    column("Half", [1, 3, 2, 9], [4]),
]


# --- geometry ---------------------------------------------------------------------------------------------------------
@given(
    width=st.integers(300, 4000),
    height=st.integers(100, 2000),
    counts=st.lists(st.integers(0, 60), min_size=1, max_size=6),
    k=st.integers(1, 100),
    zoom=st.integers(-4, 4),
)
@settings(max_examples=60)
def test_pictures_lie_in_their_columns_and_are_found_where_they_lie(
    width: int, height: int, counts: list[int], k: int, zoom: int
) -> None:
    layout = BoardLayout.of((width, height), counts, k, zoom)
    boxes = layout.columns()
    assert boxes[0].left() == 0
    assert boxes[-1].right() == width - 1
    assert all(one.right() + 1 == other.left() for one, other in pairwise(boxes))
    for number, count in enumerate(counts):
        seen: list[QRect] = []
        for place in range(count):
            box = layout.rect(number, place)
            assert boxes[number].contains(box)
            assert box.bottom() < layout.height
            assert layout.at(box.center()) == (number, place)
            assert not any(box.intersects(other) for other in seen[-layout.across :])
            seen.append(box)
        below = layout.rect(number, count).center()
        assert layout.at(below) is None


@given(
    counts=st.lists(st.integers(0, 30), min_size=1, max_size=6).filter(any),
    steps=st.lists(st.sampled_from([(1, 0), (-1, 0), (0, 1), (0, -1)]), max_size=40),
)
@settings(max_examples=60)
def test_arrows_lead_from_picture_to_picture_only(counts: list[int], steps: list[tuple[int, int]]) -> None:
    layout = BoardLayout.of((1200, 600), counts, 20)
    at = (next(n for n, count in enumerate(counts) if count), 0)
    for step in steps:
        at = layout.moved(*at, *step)
        assert at[1] < counts[at[0]]


def test_more_are_seen_smaller_until_they_are_too_small() -> None:
    sizes = [BoardLayout.of((1376, 515), [k] * 4, k).tile[0] for k in (6, 12, 20, 100)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] >= 72
    few = BoardLayout.of((2496, 1060), [20] * 4, 20)
    assert few.rect(0, 24).bottom() < 1060, "all of them and some ghosts are seen at once"
    assert BoardLayout.of((1376, 515), [20] * 4, 20, zoom=1).tile[0] > sizes[2]


@given(counts=st.lists(st.integers(1, 40), min_size=2, max_size=6), data=st.data())
@settings(max_examples=40)
def test_a_path_covers_no_picture(counts: list[int], data: st.DataObject) -> None:
    layout = BoardLayout.of((1400, 700), counts, 20)
    places = [data.draw(st.none() | st.integers(0, count - 1)) for count in counts]
    boxes = [None if place is None else layout.rect(number, place) for number, place in enumerate(places)]
    every = [layout.rect(number, place) for number, count in enumerate(counts) for place in range(count)]
    found = paths(boxes, [box.left() for box in layout.columns()])
    there = [number for number, place in enumerate(places) if place is not None]
    assert len(found) == max(0, len(there) - 1)
    for (path, whole), (one, other) in zip(found, pairwise(there), strict=True):
        assert whole == (other == one + 1)
        points = [path.pointAtPercent(share).toPoint() for share in np.linspace(0, 1, 60)]
        if whole:
            assert not any(box.contains(point) for box in every for point in points)
        start, end = boxes[one], boxes[other]
        assert start is not None
        assert end is not None
        assert start.left() <= points[0].x() <= start.right()
        assert end.left() <= points[-1].x() <= end.right()


# --- the board --------------------------------------------------------------------------------------------------------
@pytest.fixture
def board(qtbot: QtBot) -> CompareBoard:
    made = CompareBoard()
    made.resize(1000, 500)
    made.show_columns(COLUMNS, 4)
    show(qtbot, made)
    return made


def test_a_photograph_under_the_pointer_is_lit_in_every_column(qtbot: QtBot, board: CompareBoard) -> None:
    lit: list[int] = []
    board.lit_changed.connect(lit.append)
    box = board.box_of(1, 4)
    assert box is not None
    QTest.mouseMove(board.viewport(), box.center())
    qtbot.waitUntil(lambda: board.lit() == 4)
    image = board.viewport().grab().toImage()
    warn = QColor("#c2571a" if QColor(image.pixel(2, 2)).lightness() > 128 else "#e8833f")
    for number in range(3):
        own = board.box_of(number, 4)
        assert own is not None
        edge = [QColor(image.pixel(own.left() + own.width() // 2, own.top() + dy)) for dy in (-1, 0, 1, 2)]
        assert any(_near(colour, warn) for colour in edge), number
    gap = board.box_of(0, 4)
    other = board.box_of(1, 4)
    assert gap is not None
    assert other is not None
    QTest.mouseMove(board.viewport(), QPoint(board.viewport().width() - 2, board.viewport().height() - 2))
    qtbot.waitUntil(lambda: board.lit() == -1)
    assert lit == [4, -1]


def _near(one: QColor, other: QColor) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True))  # type: ignore[index]


def test_keys_walk_over_all_columns(qtbot: QtBot, board: CompareBoard) -> None:
    asked: list[int] = []
    seen: list[int] = []
    columns: list[int] = []
    board.asked.connect(asked.append)
    board.looked_at.connect(seen.append)
    board.column_changed.connect(columns.append)
    assert board.current_id() == 2, "the first that is not what was asked with"
    QTest.keyClick(board, Qt.Key.Key_End)
    assert board.current_id() == 4
    assert board.lit() == 4
    for _ in range(4):
        QTest.keyClick(board, Qt.Key.Key_Right)
    assert board.column() > 0
    assert columns
    QTest.keyClick(board, Qt.Key.Key_Home)
    assert board.current_id() == 1
    QTest.keyClick(board, Qt.Key.Key_Return)
    QTest.keyClick(board, Qt.Key.Key_Space)
    assert asked == [1]
    assert seen == [1]
    assert "1.jpg" in board.accessibleDescription()
    board.set_current(3)
    assert board.current_id() == 3


def test_the_keys_stay_on_their_photograph_when_more_becomes_known(qtbot: QtBot, board: CompareBoard) -> None:
    QTest.keyClick(board, Qt.Key.Key_End)
    held = board.current_id()
    board.show_columns([column("Exact", [9, 1, 2, 3, 4], []), *COLUMNS[1:]], 4, keep=True)
    assert board.current_id() == held
    board.show_columns(COLUMNS, 4)
    assert board.lit() == -1


def test_ctrl_and_the_wheel_make_pictures_larger(board: CompareBoard) -> None:
    before = board.layout_now().tile[0]
    board.zoom(-1)
    smaller = board.layout_now().tile[0]
    assert smaller < before
    board.zoom(1)
    assert board.layout_now().tile[0] == before
    for _ in range(20):
        board.zoom(1)
    assert board.layout_now().across == 1
    board.zoom(-1)
    assert board.layout_now().across == 2, "what changes nothing is not counted"


# --- words ------------------------------------------------------------------------------------------------------------
def test_headings_tell_numbers_and_steps(qtbot: QtBot) -> None:
    headers = ColumnHeaders()
    qtbot.addWidget(headers)
    headers.resize(1200, 132)
    waiting = ShownColumn("klsh", "t", "t", waits="learning from 300 photos", done=0.5)
    headers.show_columns([*COLUMNS, waiting], 0, 10)
    said = headers.spoken(COLUMNS[1])
    assert "6.0 ms" in said
    assert "1,240 looked at" in said
    assert "0.75 overlap@4" in said
    assert "8 B per photo" in said
    assert [name for name, _ in headers.steps(COLUMNS[1])] == ["encode", "scan", "re-rank"]
    assert len(headers.steps(COLUMNS[0])) == 1
    assert "learning from 300" in headers.accessibleName()
    headers.grab()
    wide = headers.height_now()
    headers.resize(750, 132)
    narrow = headers.height_now()
    assert narrow > wide, "narrow columns tell their numbers in two lines"
    headers.resize(300, 132)
    assert headers.height_now() > narrow, "and narrower ones each number in a line of its own"
    headers.grab()


def test_a_heading_can_be_dragged_and_has_a_menu(qtbot: QtBot) -> None:
    headers = ColumnHeaders()
    headers.resize(900, 132)
    headers.show_columns(COLUMNS, 0, 0)
    show(qtbot, headers)
    moved: list[tuple[int, int]] = []
    menus: list[int] = []
    headers.moved.connect(lambda a, b: moved.append((a, b)))
    headers.menu_wanted.connect(lambda n, _: menus.append(n))
    start, end = QPoint(100, 60), QPoint(500, 60)
    QTest.mousePress(headers, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(headers, QPoint(200, 60))
    QTest.mouseMove(headers, end)
    QTest.mouseRelease(headers, Qt.MouseButton.LeftButton, pos=end)
    assert moved == [(0, 1)]
    box = column_rects(900, headers.height(), 3)[2]
    QTest.mouseClick(headers, Qt.MouseButton.LeftButton, pos=QPoint(box.right() - 18, 20))
    assert menus == [2]


def test_the_foot_tells_how_all_became_few(qtbot: QtBot) -> None:
    foot = CompareFoot()
    qtbot.addWidget(foot)
    foot.resize(900, 124)
    foot.show_columns(COLUMNS, 10)
    steps = foot.funnel(COLUMNS[1])
    assert [count for _, count in steps] == [212000, 212000, 1240, 2]
    assert steps[1][0] == "212,000 codes of 7 buckets"
    assert steps[-1][0] == "2 of the true first 4, 2 missed"
    assert foot.funnel(COLUMNS[0])[-1][0] == "all of the true first 4"
    assert len(foot.funnel(column("Early", [1, 2], [], judged=False))) == 3, "what is missed is not known yet"
    foot.grab()


@pytest.mark.parametrize("narrow", [False, True])
def test_the_foot_tells_where_a_lit_photograph_stands(qtbot: QtBot, *, narrow: bool) -> None:
    foot = CompareFoot()
    qtbot.addWidget(foot)
    foot.resize(900, 124)
    foot.show_columns(COLUMNS, 10)
    foot.show_lit(2)
    hit, missed, exact = (
        "\n".join(foot.lit_lines(COLUMNS[2], narrow)),
        "\n".join(foot.lit_lines(COLUMNS[1], narrow)),
        "\n".join(foot.lit_lines(COLUMNS[0], narrow)),
    )
    assert "Rank 3, tru" in hit
    assert "2 of 64 bits differ" in hit
    assert "cosine 0.25" in hit
    assert missed.startswith("Missed")
    assert "bits" not in exact
    image = foot.grab().toImage()
    other = CompareFoot()
    qtbot.addWidget(other)
    other.resize(900, 124)
    other.show_columns(COLUMNS, 10)
    assert image != other.grab().toImage()


# --- the view ---------------------------------------------------------------------------------------------------------
def test_the_view_fits_a_small_screen(qtbot: QtBot) -> None:
    view = CompareView()
    qtbot.addWidget(view)
    view.show_asked("1.jpg", QImage(), back=True, forward=True)
    view.show_columns(COLUMNS * 2, 20, 1, keep=False)
    assert view.minimumSizeHint().width() <= 1024 - 65
    view.resize(1024 - 65, 600)
    view.grab()


COUNT = 6


@pytest.fixture
def frame(qtbot: QtBot, own_data: None, libraries: Libraries, tmp_path: Path) -> Iterator[MainWindow]:
    shown = opened(qtbot, libraries.copy(COUNT, tmp_path / "family.twinlens"))
    qtbot.waitUntil(lambda: shown.workspace.browsing.view.grid.rows().count == COUNT, timeout=LONG)
    yield shown
    shown.close()


def test_a_photograph_is_compared_by_keys_and_one_comes_back(qtbot: QtBot, frame: MainWindow) -> None:
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    grid, view = frame.workspace.browsing.view.grid, frame.workspace.comparing.view
    grid.setFocus()
    first = grid.current_id() if grid.current_id() >= 0 else int(grid.rows().ids[0])
    grid.set_current(first)
    QTest.keyClick(grid, Qt.Key.Key_C, control | shift)
    qtbot.waitUntil(lambda: frame.workspace.view() == "compare", timeout=LONG)
    qtbot.waitUntil(lambda: not frame.busy() and bool(view.columns()), timeout=LONG)
    assert len(view.columns()) >= 2, "an index, exact search, and another"
    assert view.columns()[0].tiles[0].id == first
    assert nameless(view) == []
    assert view.board.hasFocus()
    pictures = view.board.pictures
    shown = view.columns()[0].tiles
    qtbot.waitUntil(lambda: not any(pictures.image(tile.content).isNull() for tile in shown))
    QTest.keyClick(view.board, Qt.Key.Key_Right)
    hit = view.board.current_id()
    assert frame.workspace.current() == hit
    QTest.keyClick(view.board, Qt.Key.Key_Space)
    assert frame.workspace.viewing.is_open()
    QTest.keyClick(frame.workspace.viewing.viewer, Qt.Key.Key_Escape)
    assert not frame.workspace.viewing.is_open()
    QTest.keyClick(view.board, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not frame.busy() and view.columns()[0].tiles[0].id == hit, timeout=LONG)
    assert [one.action.name for one in menu_commands(frame, hit, [hit])].count("photograph.compare") == 1
    QTest.keyClick(view.board, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: not frame.busy() and view.columns()[0].tiles[0].id == first, timeout=LONG)
    QTest.keyClick(view.board, Qt.Key.Key_Escape)
    assert frame.workspace.view() == "library"
    frame.workspace.show_view("compare")
    assert not view.is_empty(), "it is as it was left"


def test_columns_are_changed_by_keys_and_by_their_menu(qtbot: QtBot, frame: MainWindow) -> None:
    control = frame.workspace.comparing
    view = control.view
    control.take_pictures([1])
    qtbot.waitUntil(lambda: not frame.busy() and len(view.columns()) > 2, timeout=LONG)
    control.remove(len(view.columns()) - 1)
    first, second = titles(view)[:2]
    view.board.set_column(0)
    QTest.keyClick(view.board, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert titles(view)[:2] == [second, first]
    QTest.keyClick(view.board, Qt.Key.Key_P)
    assert titles(view)[0] == first
    assert view.columns()[0].pinned
    QTest.keyClick(view.board, Qt.Key.Key_R)
    assert view.reference() == 0
    before = len(view.columns())
    words = [action.text().split("\t")[0] for action in control.column_menu(0).actions() if action.text()]
    assert {"Remove", "Unpin", "Compare each with its own exact search"} <= set(words)
    QTest.keyClick(view.board, Qt.Key.Key_E)
    qtbot.waitUntil(view.adding.isVisible, timeout=LONG)
    view.adding.leave()
    QTest.keyClick(view.board, Qt.Key.Key_Delete)
    assert len(view.columns()) == before - 1
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)


def titles(view: CompareView) -> list[str]:
    return [column.title for column in view.columns()]


def test_where_nothing_is_asked_there_is_one_thing_to_do(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.show_view("compare")
    assert frame.workspace.comparing.view.is_empty()
    frame.workspace.comparing.view.empty.wanted.emit()
    assert frame.workspace.view() == "library"
    frame.workspace.searching.take_pictures([2])
    qtbot.waitUntil(lambda: frame.workspace.view() == "search" and not frame.busy(), timeout=LONG)
    frame.workspace.show_view("compare")
    frame.workspace.comparing.view.empty.wanted.emit()
    qtbot.waitUntil(lambda: bool(frame.workspace.comparing.view.columns()) and not frame.busy(), timeout=LONG)
    assert frame.workspace.comparing.view.columns()[0].tiles[0].id == 2, "what the search asks with is at hand"
    question = frame.workspace.comparing.query
    assert question is not None
    frame.workspace.searching.search(question, "Colours")
    qtbot.waitUntil(lambda: frame.workspace.view() == "search" and not frame.busy(), timeout=LONG)
    assert frame.workspace.searching.index == "Colours"


def test_what_the_search_asks_is_compared_with_its_parts_and_weights(qtbot: QtBot, frame: MainWindow) -> None:
    question = SearchQuery((Example(1, region=(0, 0, 0.5, 0.5)), Example(2, weight=-0.5)))
    frame.workspace.searching.search(question)
    qtbot.waitUntil(lambda: frame.workspace.view() == "search" and not frame.busy(), timeout=LONG)
    grid = frame.workspace.searching.view.grid
    grid.setFocus()
    QTest.keyClick(grid, Qt.Key.Key_C, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: frame.workspace.view() == "compare" and not frame.busy(), timeout=LONG)
    assert frame.workspace.comparing.query == question
    assert frame.workspace.comparing.view.columns()[0].tiles


def test_its_keys_stand_in_the_sheet() -> None:
    told = {key for one in every_action() for key in one.keys}
    assert {"Ctrl+7", "Ctrl+Shift+C", "A", "E", "Del", "Ctrl+Left", "Ctrl+Right"} <= told


def test_folders_and_filters_narrow_columns_down(qtbot: QtBot, frame: MainWindow) -> None:
    view = frame.workspace.comparing.view
    QTest.keyClick(frame, Qt.Key.Key_F9)
    frame.workspace.panel_wanted.emit(True)
    frame.workspace.comparing.take_pictures([2])
    qtbot.waitUntil(lambda: not frame.busy() and bool(view.columns()), timeout=LONG)
    assert not frame.workspace.side.isVisible(), "columns want the room"
    QTest.keyClick(view.board, Qt.Key.Key_F9)
    assert frame.workspace.side.isVisible()
    frame.workspace.side.choose({"orientation": "square"}, None)
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert {column.one.passing for column in view.columns() if column.one} == {0}
    assert view.head.narrowed() == "Only photos square"
    QTest.keyClick(frame, Qt.Key.Key_F9)
    assert not frame.workspace.side.isVisible()
    assert view.board.hasFocus()
    QTest.keyClick(view.board, Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert {column.one.passing for column in view.columns() if column.one} == {COUNT}
    assert view.head.narrowed() == ""


def test_a_picture_that_is_dropped_on_columns_is_asked_of_columns(
    qtbot: QtBot, frame: MainWindow, libraries: Libraries
) -> None:
    frame.workspace.comparing.take_pictures([2])
    qtbot.waitUntil(lambda: not frame.busy() and bool(frame.workspace.comparing.view.columns()), timeout=LONG)
    picture = next(libraries.photographs(COUNT).iterdir())
    frame.workspace.taking.pictures_given.emit([picture])
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert frame.workspace.view() == "compare"
    assert frame.workspace.comparing.query == SearchQuery((Example(picture),))
    assert frame.workspace.searching.query is None


def test_the_true_rank_hides_no_rank_however_small_the_picture(qtbot: QtBot) -> None:
    tile = RankedTile(1, b"", "a.jpg", 1_204, agrees=False, true_rank=38_112)
    drawn = set()
    for width in range(40, 240, 10):
        painter = MagicMock()
        painting = TilePainter(painter, theme(), QFont())
        painting.tile(QRect(0, 0, width, 100), tile, None, lit=False, current=False)
        pills = [call.args[0] for call in painter.drawText.call_args_list]
        drawn.add(len(pills))
        assert all(not one.intersects(other) for one, other in combinations(pills, 2))
    assert drawn == {1, 2}
