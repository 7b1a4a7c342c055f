"""Pictures of the map: what is lacking is asked for, what is there is kept within bounds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.gui.map.picture_feed import decoded
from app.gui.map.picture_store import Detail, Pictures, Want
from tests.features.sample_pictures import encode, scene


def image(side: int) -> QImage:
    made = QImage(side, side // 2, QImage.Format.Format_RGB32)
    made.fill(0)
    return made


@pytest.fixture
def pictures(qtbot: QtBot) -> Iterator[Pictures]:
    parent = QObject()
    yield Pictures(parent, limit=400_000)
    parent.deleteLater()


def test_a_larger_picture_is_asked_for_where_it_is_needed(pictures: Pictures) -> None:
    small, large = Want(b"a", 1, 60), Want(b"a", 1, 200)
    assert pictures.want([small], exact=True) == [small]
    pictures.take({b"a": image(112)}, Detail.SMALL)
    assert pictures.want([small], exact=True) == []
    pictures.work()
    made = pictures.get(b"a")
    assert made is not None
    assert made.width() == 60
    assert pictures.want([large], exact=True) == [large]
    pictures.work()
    made = pictures.get(b"a")
    assert made is not None
    assert made.width() == 112, "as large as there is, until more comes"
    pictures.take({b"a": image(256)}, Detail.THUMBNAIL)
    assert pictures.want([large], exact=True) == []
    pictures.work()
    made = pictures.get(b"a")
    assert made is not None
    assert made.width() == 200


def test_while_all_moves_no_pixmap_is_made_anew(pictures: Pictures) -> None:
    pictures.take({b"a": image(112)}, Detail.SMALL)
    for side, exact, width in ((60, True, 60), (90, False, 60), (90, True, 90)):
        pictures.want([Want(b"a", 1, side)], exact=exact)
        pictures.work()
        made = pictures.get(b"a")
        assert made is not None
        assert made.width() == width


def test_what_cannot_be_shown_is_not_asked_for_again(pictures: Pictures) -> None:
    want = Want(b"a", 1, 60)
    pictures.take({b"a": QImage()}, Detail.SMALL)
    assert pictures.want([want], exact=True) == []
    pictures.work()
    assert pictures.get(b"a") is None
    pictures.take({b"b": image(256)}, Detail.THUMBNAIL)
    pictures.take({b"b": QImage()}, Detail.WHOLE)
    assert pictures.want([Want(b"b", 2, 900)], exact=True) == [], "there is none of more detail"
    assert pictures.image(b"b") is not None


def test_memory_is_bounded_and_what_is_looked_at_stays(pictures: Pictures) -> None:
    first = Want(b"0", 0, 100)
    for number in range(30):
        pictures.take({str(number).encode(): image(112)}, Detail.SMALL)
        pictures.want([first], exact=True)
        pictures.work()
        assert pictures.held <= 400_000
    assert pictures.get(b"0") is not None
    assert pictures.image(b"29") is not None
    assert pictures.image(b"1") is None


def test_thumbnails_are_decoded_no_larger_than_needed() -> None:
    jpeg = encode(scene(256, 192, 1), "JPEG")
    assert decoded(jpeg, Detail.SMALL).width() == Detail.SMALL
    assert decoded(jpeg, Detail.THUMBNAIL).width() == 256
    assert decoded(b"", Detail.SMALL).isNull()
    assert decoded(b"no picture", Detail.SMALL).isNull()
