"""The store of small pictures: asked for once, made a few at a time, never more bytes than allowed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.pictures import small_pictures
from app.gui.pictures.small_pictures import PictureStyle, SmallPictures, bare, filling
from tests.app.gui.photo_grid.tables import jpeg, key

BOX = filling(QSize(80, 60), 2.0)


@pytest.fixture
def pictures(qapp: QApplication) -> SmallPictures:
    return SmallPictures()


def test_what_is_wanted_is_asked_for_once_until_it_is_tried_again(qtbot: QtBot, pictures: SmallPictures) -> None:
    asked: list[list[bytes]] = []
    pictures.wanted.connect(asked.append)
    pictures.want([b"a", b"b", b"a", b""])
    qtbot.waitUntil(lambda: asked == [[b"a", b"b"]])
    pictures.want([b"a"])
    pictures.take({b"a": jpeg(), b"b": b""})
    assert pictures.unreadable(b"b")
    assert pictures.image(b"b").isNull()
    pictures.want([b"a", b"b", b"c"])
    qtbot.waitUntil(lambda: asked[1:] == [[b"c"]])
    pictures.want([b"d"])
    qtbot.waitUntil(lambda: asked[2:] == [[b"d", b"c"]])  # all that lacks, the newest wish first
    pictures.retry()
    pictures.image(b"b")
    qtbot.waitUntil(lambda: asked[-1][0] == b"b")


def test_pictures_fill_their_boxes(qtbot: QtBot, pictures: SmallPictures) -> None:
    pictures.take({b"a": jpeg("#ff0000", 200, 100)})
    assert pictures.pixmap(b"a", BOX) is None
    with qtbot.waitSignal(pictures.came):
        pass
    made = pictures.pixmap(b"a", BOX)
    assert made is not None
    assert (made.width(), made.height(), made.devicePixelRatio()) == (160, 120, 2.0)
    assert QColor(made.toImage().pixel(80, 1)).red() > 240
    assert made.toImage().pixelColor(0, 0).alpha() < 255


def test_many_are_made_in_several_frames_and_all_come(
    qtbot: QtBot, pictures: SmallPictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_pictures, "_SLICE_S", 0.0)
    contents = [key(number) for number in range(5)]
    pictures.take(dict.fromkeys(contents, jpeg()))
    painted: list[int] = []

    def paint() -> None:
        painted.append(sum(pictures.pixmap(one, BOX) is not None for one in contents))

    pictures.came.connect(paint)
    paint()
    qtbot.waitUntil(lambda: painted[-1] == 5)
    assert painted == [0, 1, 2, 3, 4, 5]


def test_a_few_sizes_of_one_photograph_are_kept_at_once(qtbot: QtBot, pictures: SmallPictures) -> None:
    pictures.take({b"a": jpeg()})
    makes = [filling(QSize(side, side), 1.0) for side in (20, 30, 40, 50)]
    for make in makes:
        pictures.pixmap(b"a", make)
        pictures.work()
    assert [pictures.pixmap(b"a", make) is not None for make in makes] == [False, True, True, True]


def test_a_larger_picture_is_asked_for_where_one_is_seen_large(qtbot: QtBot, pictures: SmallPictures) -> None:
    asked: list[list[bytes]] = []
    pictures.larger_wanted.connect(asked.append)
    pictures.take({b"a": jpeg("#ff0000", 200, 100), b"b": jpeg()})

    def seen(side: int, anew: bool = True) -> int:
        pictures.look_at([(b"a", bare(side, 1.0)), (b"b", bare(90, 1.0))], anew)
        pictures.work()
        made = pictures.nearest(b"a")
        assert made is not None
        return made[0].width()

    assert seen(60) == 60
    assert seen(120, anew=False) == 60, "while all moves none is made anew"
    assert not asked
    assert seen(800) == 200, "not enlarged"
    assert asked == [[b"a"]]
    large = QImage(1000, 500, QImage.Format.Format_RGB32)
    large.fill(QColor("#00ff00"))
    pictures.take_larger(b"a", large)
    assert seen(800) == 800
    assert seen(300) == 300
    assert pictures.image(b"a").width() == 1000
    pictures.take_larger(b"a", QImage())
    assert seen(700) == 200, "the thumbnail is what there is"
    assert asked == [[b"a"], []], "and it is not asked for again"


@given(st.integers(0, 300_000), st.lists(st.tuples(st.integers(0, 30), st.integers(1, 80)), max_size=40))
def test_the_limit_holds_whatever_comes(limit: int, arrivals: list[tuple[int, int]]) -> None:
    parent = QObject()
    pictures = SmallPictures(parent, limit)
    for number, side in arrivals:
        make = PictureStyle(side, side, 1.0, "#ffffff", "#ffffff")
        pictures.look_at((key(number + i), make) for i in range(4))
        pictures.take({key(number): jpeg(width=20, height=20)})
        pictures.pixmap(key(number), filling(QSize(side, 9), 1.0))
        pictures.take_larger(key(number), QImage(side, side, QImage.Format.Format_RGB32))
        pictures.work()
        assert 0 <= pictures.held <= limit
    pictures.limit = 0
    assert pictures.held == 0
