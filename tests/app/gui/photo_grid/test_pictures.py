"""Thumbnails of the grid: wished for in the right order, decoded, painted, and never more bytes than allowed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.look.style_sheet import apply_theme
from app.gui.look.theme import DARK, LIGHT, theme
from app.gui.photo_grid import Caption, PhotoGrid
from tests.app.gui.photo_grid.tables import Table, is_like, jpeg, key


@pytest.fixture
def grid(qtbot: QtBot) -> Iterator[PhotoGrid]:
    grid = PhotoGrid()
    qtbot.addWidget(grid)
    grid.resize(800, 600)
    yield grid
    grid.close()


def _shown(grid: PhotoGrid, qtbot: QtBot, table: Table) -> list[bytes]:
    """Show photographs, and give what is wished for."""
    grid.show_rows(table)
    with qtbot.waitSignal(grid.pictures.wanted) as wanted:
        grid.show()
    assert wanted.args is not None
    wished: list[bytes] = wanted.args[0]
    return wished


def _pixel(grid: PhotoGrid, row: int) -> QColor:
    picture = grid.viewport().grab().toImage()
    return picture.pixelColor(grid.tile_rect(row).center())


def test_what_is_seen_is_wished_for_first_then_a_screen_ahead(grid: PhotoGrid, qtbot: QtBot) -> None:
    wished = _shown(grid, qtbot, Table(range(1000)))
    seen = len(grid.visible_rows())
    assert wished[:seen] == [key(row) for row in grid.visible_rows()]
    assert seen < len(wished) <= 2 * seen + grid.layout_now.columns
    assert wished == [key(row) for row in range(len(wished))]
    grid.pictures.take({one: jpeg() for one in wished})
    with qtbot.waitSignal(grid.pictures.wanted) as wanted:
        grid.verticalScrollBar().setValue(20_000)
    assert wanted.args is not None
    assert wanted.args[0][0] == key(grid.visible_rows()[0])
    with qtbot.waitSignal(grid.pictures.wanted) as wanted:
        grid.verticalScrollBar().setValue(10_000)
    seen_now = grid.visible_rows()
    assert wanted.args is not None
    assert wanted.args[0][: len(seen_now)] == [key(row) for row in seen_now]
    assert wanted.args[0][len(seen_now)] in (key(seen_now[0] - 1), key(seen_now[0] - 2))  # ahead is now upwards


def test_what_is_on_its_way_or_there_is_not_wished_for_again(grid: PhotoGrid, qtbot: QtBot) -> None:
    wished = _shown(grid, qtbot, Table(range(12)))
    assert len(wished) == 12
    with qtbot.assertNotEmitted(grid.pictures.wanted, wait=80):
        grid.resize(790, 590)
    grid.pictures.take({one: jpeg() for one in wished})
    with qtbot.assertNotEmitted(grid.pictures.wanted, wait=80):
        grid.resize(780, 580)


def test_a_thumbnail_takes_the_place_of_the_well(grid: PhotoGrid, qtbot: QtBot) -> None:
    wished = _shown(grid, qtbot, Table(range(8)))
    assert is_like(_pixel(grid, 0), theme().well)
    grid.pictures.take({wished[0]: jpeg("#2040d0", 256, 192)})
    qtbot.waitUntil(lambda: is_like(_pixel(grid, 0), "#2040d0"))
    assert is_like(_pixel(grid, 1), theme().well)
    grid.tile_side = 320  # stretched, until it is made anew
    assert is_like(_pixel(grid, 0), "#2040d0")

    def made() -> tuple[int, float] | None:
        shown = grid.picture_of(wished[0])
        return None if shown is None else (shown[0].width(), shown[1])

    qtbot.waitUntil(lambda: made() == (grid.layout_now.side, 1.0))


@pytest.mark.parametrize("damaged", [b"", b"no picture"])
def test_what_cannot_be_shown_is_a_sign_until_it_is_shown_anew(grid: PhotoGrid, qtbot: QtBot, damaged: bytes) -> None:
    table = Table(range(3))
    wished = _shown(grid, qtbot, table)
    grid.pictures.take({wished[0]: damaged})
    qtbot.waitUntil(lambda: grid.pictures.unreadable(wished[0]))
    assert _pixel(grid, 0).lightness() < _pixel(grid, 1).lightness() - 30
    with qtbot.waitSignal(grid.pictures.wanted) as wanted:
        grid.show_rows(table)
    assert wanted.args == [wished]


def test_faded_is_what_is_away_or_was_missed(grid: PhotoGrid, qtbot: QtBot) -> None:
    table = Table(range(3))
    table.away[1] = True
    wished = _shown(grid, qtbot, table)
    grid.pictures.take({one: jpeg("#000000", 200, 200) for one in wished})
    qtbot.waitUntil(lambda: is_like(_pixel(grid, 0), "#000000"))
    assert _pixel(grid, 1).lightness() > _pixel(grid, 0).lightness() + 60
    grid.show_rows(Table(range(3), caption=Caption("9", "0.3", 0.3, ghost=True)))
    assert _pixel(grid, 0).lightness() > 60


def test_colours_follow_the_theme(grid: PhotoGrid, qtbot: QtBot) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    _shown(grid, qtbot, Table(range(3)))
    try:
        for scheme, colours in (("dark", DARK), ("light", LIGHT)):
            apply_theme(application, scheme)
            assert is_like(_pixel(grid, 0), colours.well)
    finally:
        application.setProperty("twinlens-scheme", None)


def test_headings_stick_over_photographs_and_leave_their_frames_whole(grid: PhotoGrid, qtbot: QtBot) -> None:
    _shown(grid, qtbot, Table(range(90), [30, 60]))
    grid.set_current(0)

    def at(x: int, y: int) -> QColor:
        return grid.viewport().grab().toImage().pixelColor(x, y)

    for top in (0, grid.layout_now.box(30).y - grid.layout_now.measures.heading):
        grid.verticalScrollBar().setValue(top)
        row = 0 if top == 0 else 30
        grid.choose(row, Qt.KeyboardModifier.NoModifier)
        tile = grid.tile_rect(row)
        assert is_like(at(tile.center().x(), tile.top() - 2), theme().accent)
    grid.scroll_by(-30)  # the second heading pushes the first out
    assert is_like(at(400, 5), theme().ground)
    grid.verticalScrollBar().setValue(grid.layout_now.box(8).y - 10)
    assert is_like(at(grid.tile_rect(8).center().x(), 20), theme().ground)
    assert is_like(at(grid.tile_rect(8).center().x(), 50), theme().well)


@pytest.mark.parametrize("caption", [None, Caption("1", "0.50", 0.5, marked=True)])
def test_what_scrolling_leaves_on_the_screen_is_what_painting_all_gives(
    grid: PhotoGrid, qtbot: QtBot, caption: Caption | None
) -> None:
    table = Table(range(200), [5, 45, 150], caption)
    table.away[::3] = True
    grid.show_rows(table)
    grid.show()
    qtbot.waitExposed(grid)
    for row in range(0, 200, 7):
        grid.choose(row, Qt.KeyboardModifier.ControlModifier)
    grid.scroll_by(-50_000)
    for distance in (7, 300, -20, 171, 400, -33, 900, 5000, -2500, -160, 90):
        grid.scroll_by(distance)
        QApplication.processEvents()
        on_screen = grid.screen().grabWindow(grid.winId()).toImage()
        assert on_screen.size() == grid.size()
        assert on_screen.convertToFormat(QImage.Format.Format_RGB32) == grid.grab().toImage().convertToFormat(
            QImage.Format.Format_RGB32
        )


def test_what_comes_is_painted_without_being_asked(grid: PhotoGrid, qtbot: QtBot) -> None:
    wished = _shown(grid, qtbot, Table(range(8)))
    QApplication.processEvents()

    def on_screen(row: int) -> QColor:
        picture = grid.screen().grabWindow(grid.winId()).toImage()
        return picture.pixelColor(grid.tile_rect(row).center())

    assert is_like(on_screen(1), theme().well)
    grid.pictures.take({wished[1]: jpeg("#2040d0", 200, 200), wished[2]: b""})
    qtbot.waitUntil(lambda: is_like(on_screen(1), "#2040d0"))
    qtbot.waitUntil(lambda: on_screen(2).lightness() < on_screen(3).lightness() - 30)


def test_an_icon_is_not_blown_up(grid: PhotoGrid, qtbot: QtBot) -> None:
    wished = _shown(grid, qtbot, Table([1]))
    grid.pictures.take({wished[0]: jpeg(width=16, height=8)})
    qtbot.waitUntil(lambda: grid.picture_of(wished[0]) is not None)
    made = grid.picture_of(wished[0])
    assert made is not None
    assert (made[0].width(), made[0].height()) == (32, 16)


def test_scrolling_through_everything_never_holds_more_than_allowed(grid: PhotoGrid, qtbot: QtBot) -> None:
    grid.pictures.limit = 6_000_000
    most = 0

    def fetch(wished: list[bytes]) -> None:
        grid.pictures.take({one: jpeg(width=200, height=150) for one in wished})

    def watch() -> None:
        nonlocal most
        most = max(most, grid.pictures.held)

    grid.pictures.wanted.connect(fetch)
    grid.pictures.made.connect(watch)
    _shown(grid, qtbot, Table(range(2000)))
    for at in range(0, 30_000, 700):
        grid.verticalScrollBar().setValue(at)
        rows = grid.visible_rows()
        qtbot.waitUntil(lambda rows=rows: all(grid.picture_of(key(row)) for row in rows))  # type: ignore[misc]
        watch()
    assert 4_000_000 < most <= 6_000_000
