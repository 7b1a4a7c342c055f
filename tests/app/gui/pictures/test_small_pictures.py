"""Small pictures: asked for once, made a few at a time, never more bytes than allowed, whatever the cache does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries
from tests.app.gui.looking import LONG
from tests.app.gui.photo_grid.tables import jpeg, key
from twinlens.app.gui.pictures import small_pictures
from twinlens.app.gui.pictures.small_pictures import PictureFeed, PictureStyle, SmallPictures, bare, filling
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.library import pictures as library_pictures
from twinlens.app.library.library import Library
from twinlens.storage.database.values import PhotographState
from twinlens.storage.photographs.photograph_listing import Filter
from twinlens.storage.sqlite.thumbnails import Thumbnails

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


COUNT = 12  # several times what is made again at a call
SIZE = bare(60, 1.0)


@pytest.fixture
def library(libraries: Libraries, tmp_path: Path) -> Iterator[Library]:
    with Library.open(libraries.copy(COUNT, tmp_path / "a.twinlens")) as opened:
        opened.thumbnails = Thumbnails(tmp_path / "cache" / "a.sqlite")
        yield opened


class Seen:
    """What a view paints of all photographs of a library, again and again as they come."""

    def __init__(self, library: Library) -> None:
        with library.store.reading() as r:
            self.contents = r.photographs.contents(r.photographs.matching(Filter(states=(PhotographState.READY,))))[1]
        self.jobs = Jobs()
        self.pictures = SmallPictures(self.jobs)
        self.feed = PictureFeed(self.pictures, OpenLibrary(library, {}), self.jobs)
        self.order: list[bytes] = []
        self.pictures.came.connect(self.paint)
        self.paint()

    def paint(self) -> None:
        for one in self.contents:
            if self.pictures.pixmap(one, SIZE) is not None and one not in self.order:
                self.order.append(one)

    def wait(self, qtbot: QtBot) -> None:
        qtbot.waitUntil(lambda: len(self.order) == len(self.contents), timeout=LONG)
        self.jobs.finish()


def test_pictures_whose_thumbnails_were_deleted_all_come_in_the_order_in_which_they_are_seen(
    qtbot: QtBot, library: Library
) -> None:
    seen = Seen(library)
    seen.wait(qtbot)
    assert seen.order == seen.contents
    assert not library.thumbnails.lacking(seen.contents)


def test_a_cache_that_is_deleted_while_the_window_is_open_fills_again(qtbot: QtBot, library: Library) -> None:
    Seen(library).wait(qtbot)
    for file in library.thumbnails.path.parent.iterdir():
        file.unlink()
    library.thumbnails.path.parent.rmdir()
    seen = Seen(library)
    seen.wait(qtbot)
    assert not library.thumbnails.lacking(seen.contents)


def test_thumbnails_that_show_nothing_are_made_again(qtbot: QtBot, library: Library) -> None:
    seen = Seen(library)
    seen.wait(qtbot)
    library.thumbnails.put([(content, bytes.fromhex("ffd8ffe000")) for content in seen.contents])
    seen = Seen(library)
    seen.wait(qtbot)
    assert all(len(jpeg) > 500 for jpeg in library.thumbnails.get_many(seen.contents).values())


def test_a_cache_that_cannot_be_written_hides_nothing(qtbot: QtBot, library: Library) -> None:
    library.thumbnails.path.parent.write_text("a file where a folder should be")
    Seen(library).wait(qtbot)


def test_what_cannot_be_made_is_asked_for_again_when_the_library_is_looked_at_anew(
    qtbot: QtBot, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(library_pictures, "_remade", lambda *_: b"")  # as while its disk is away
        seen = Seen(library)
        qtbot.waitUntil(lambda: all(map(seen.pictures.unreadable, seen.contents)), timeout=LONG)
    seen.pictures.retry()
    seen.paint()
    seen.wait(qtbot)
