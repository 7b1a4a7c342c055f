"""Views of the map: what lies where, and the way from one to another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.gui.map.camera import Camera, between, close_to

cameras = st.builds(
    Camera,
    st.floats(0, 1),
    st.floats(0, 1),
    st.floats(100, 1e5),
    st.just(800),
    st.just(600),
)
pixels = st.tuples(st.floats(0, 800), st.floats(0, 600))


@given(cameras, pixels)
def test_a_pixel_and_its_place(camera: Camera, px: tuple[float, float]) -> None:
    assert camera.to_px(camera.to_map(px)) == pytest.approx(px, abs=1e-6)


@given(cameras, pixels, st.floats(0.1, 10), st.floats(0.01, 1))
def test_a_zoom_stays_about_the_pointer_all_the_way(
    camera: Camera, px: tuple[float, float], factor: float, share: float
) -> None:
    place = camera.to_map(px)
    goal = camera.zoomed(factor, px)
    assert goal.scale == pytest.approx(factor * camera.scale)
    on_the_way = between(camera, goal, share)
    assert on_the_way.to_px(place) == pytest.approx(px, abs=0.05)
    low, high = sorted((camera.scale, goal.scale))
    assert low * (1 - 1e-6) <= on_the_way.scale <= high * (1 + 1e-6)


@settings(max_examples=20)
@given(cameras, cameras)
def test_the_way_ends_at_the_goal(start: Camera, goal: Camera) -> None:
    assert between(start, goal, 1) is goal
    now = start
    for _ in range(200):
        now = between(now, goal, 0.25)
    assert close_to(now, goal)


def test_points_are_placed_as_one_point_is() -> None:
    camera = Camera(0.3, 0.6, 500, 800, 600)
    xy = np.random.default_rng(0).uniform(0, 1, (20, 2)).astype(np.float32)
    px, py = camera.all_to_px(xy, ratio=2)
    for row, (x, y) in enumerate(xy.tolist()):
        assert (px[row] / 2, py[row] / 2) == pytest.approx(camera.to_px((x, y)), abs=1e-3)


def test_what_is_seen_is_what_fits() -> None:
    camera = Camera.fitting(800, 600, (0.2, 0.1, 0.6, 0.9))
    left, top, right, bottom = camera.seen()
    assert left < 0.2
    assert right > 0.6
    assert top < 0.1
    assert bottom > 0.9
    assert camera.to_px((0.2, 0.1))[1] == pytest.approx(36)


def test_nobody_gets_lost() -> None:
    camera = Camera.fitting(800, 600)
    assert camera.panned(1e6, -1e6).kept_within(1e4).x == pytest.approx(-0.04)
    assert camera.zoomed(1e-6, (0, 0)).kept_within(1e4).scale == pytest.approx(0.8 * camera.scale)
    assert camera.zoomed(1e6, (0, 0)).kept_within(1e4).scale == 1e4


def test_a_larger_view_shows_the_same_middle() -> None:
    camera = Camera.fitting(800, 600).zoomed(3, (100, 100))
    larger = camera.resized(1600, 1200)
    assert (larger.x, larger.y) == (camera.x, camera.y)
    assert larger.depth() == pytest.approx(camera.depth())
