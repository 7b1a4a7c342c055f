"""The cache of thumbnails may go, lie, or be write-protected at any time: what is seen comes all the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.gui.pictures.small_pictures import PictureFeed, SmallPictures, bare
from app.gui.process.jobs import Jobs
from app.gui.process.open_library import OpenLibrary
from app.library import pictures as library_pictures
from app.library.library import Library
from storage.database.schema import PhotographState
from storage.photographs.photograph_listing import Filter
from storage.sqlite.thumbnails import Thumbnails
from tests.app.gui.looking import LONG
from tests.app.library_fixture import Libraries

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
