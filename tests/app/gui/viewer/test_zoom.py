"""Where a picture is drawn: whatever is done, the view stays on the picture."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF

from app.gui.viewer.viewer import MOST_ZOOM, Zoom

ROOM = QRectF(0, 0, 800, 600)
numbers = st.floats(-2000, 2000)
steps = st.one_of(
    st.tuples(st.just("pan"), numbers, numbers),
    st.tuples(st.just("zoom"), st.floats(0.2, 5), st.floats(0, 800)),
    st.tuples(st.just("room"), st.floats(200, 2000), st.floats(200, 2000)),
)


@given(st.tuples(st.integers(1, 9000), st.integers(1, 9000)), st.sampled_from([1.0, 1.5, 2.0]), st.lists(steps))
def test_the_view_stays_on_the_picture(
    size: tuple[int, int], ratio: float, done: list[tuple[str, float, float]]
) -> None:
    zoom = Zoom()
    room = ROOM
    zoom.lay_out(size, room, ratio)
    for what, a, b in done:
        if what == "pan":
            zoom.pan(a, b)
        elif what == "zoom":
            zoom.zoom_by(a, QPointF(b, 300))
        else:
            room = QRectF(0, 0, a, b)
            zoom.lay_out(size, room, ratio)
        box = zoom.target()
        assert box.width() / box.height() == pytest.approx(size[0] / size[1])
        assert zoom.level <= max(MOST_ZOOM, zoom.fitting())
        for near, far, start, end in (
            (box.left(), box.right(), room.left(), room.right()),
            (box.top(), box.bottom(), room.top(), room.bottom()),
        ):
            if far - near > end - start + 0.01 and zoom.level:
                assert near <= start + 0.01
                assert far >= end - 0.01
            else:
                assert (near + far) / 2 == pytest.approx((start + end) / 2, abs=0.01)


def test_a_picture_without_size_has_a_place() -> None:
    zoom = Zoom()
    zoom.lay_out((0, 0), ROOM, 1.0)
    zoom.zoom_by(3)
    zoom.pan(10, 10)
    assert zoom.target().isEmpty()


def test_pixel_for_pixel_is_by_the_pixels_of_the_screen() -> None:
    zoom = Zoom()
    zoom.lay_out((4000, 3000), ROOM, 2.0)
    zoom.zoom_to(1.0)
    assert zoom.target().width() == pytest.approx(2000)
