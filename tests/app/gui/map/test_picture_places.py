"""Pictures on the map: none over another, and none that comes or goes at once."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.gui.map.camera import Camera
from app.gui.map.overlay import MOST_PICTURE_PX, Spacings, most_scale, placed_pictures, side_px, spacings_of
from core.embedding.plane import spacings_of_appearance
from tests.app.gui.map.made import made_map


@settings(max_examples=15)
@given(st.integers(0, 20), st.floats(1, 300), st.floats(0.2, 0.8), st.floats(0.2, 0.8))
def test_no_picture_overlaps_another(seed: int, closer: float, x: float, y: float) -> None:
    found = made_map(120, seed)
    camera = Camera.fitting(900, 600).zoomed(closer, (x * 900, y * 600))
    seen = placed_pictures(camera, found.xy, found.shown_at, spacings_of(found.shown_at))
    px, py = camera.all_to_px(found.xy[seen.rows])
    apart = np.maximum(np.abs(px[:, None] - px), np.abs(py[:, None] - py))
    room = (seen.sides[:, None] + seen.sides) / 2
    np.fill_diagonal(apart, np.inf)
    assert (apart >= room * 0.99).all()
    assert (np.diff(seen.sides) >= 0).all(), "the largest last, over all others"


def test_pictures_grow_steadily_while_one_comes_closer() -> None:
    found = made_map(200)
    spacings = spacings_of(found.shown_at)
    place = found.xy[7].tolist()
    before: dict[int, float] = {}
    for step in range(200):
        camera = Camera.fitting(900, 600)
        camera = camera.centred((place[0], place[1]), camera.scale * 1.02**step)
        seen = placed_pictures(camera, found.xy, found.shown_at, spacings)
        now = dict(zip(seen.rows.tolist(), seen.sides.tolist(), strict=True))
        left, top, right, bottom = camera.seen(-camera.scale * 0.02)
        for row, side in before.items():
            x, y = found.xy[row].tolist()
            if left < x < right and top < y < bottom:
                assert row in now, "who is shown stays shown"
                assert abs(now[row] - side) < 0.09 * MOST_PICTURE_PX
        before = now
    assert 7 in before


def test_the_side_grows_with_the_scale_and_not_forever() -> None:
    spacings = Spacings(0.05, 0.002)
    sides = [side_px(Camera.fitting(900, 600).centred((0, 0), scale), spacings) for scale in np.geomspace(300, 1e6, 90)]
    assert all(before <= after for before, after in pairwise(sides))
    assert sides[0] < 100
    assert sides[-1] == MOST_PICTURE_PX


def test_the_closest_neighbours_come_apart_in_the_end() -> None:
    xy = np.array([[0.1, 0.1], [0.9, 0.9], [0.502, 0.5], [0.5, 0.5]], np.float32)
    shown_at = spacings_of_appearance(xy)
    camera = Camera.fitting(900, 600).centred((0.501, 0.5), most_scale(shown_at))
    assert placed_pictures(camera, xy, shown_at, spacings_of(shown_at)).rows.tolist() == [2, 3]


def test_what_is_left_out_is_no_picture() -> None:
    found = made_map(50)
    camera = Camera.fitting(900, 600)
    allowed = found.cluster == 1
    rows = placed_pictures(camera, found.xy, found.shown_at, spacings_of(found.shown_at), allowed).rows
    assert len(rows)
    assert (found.cluster[rows] == 1).all()


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few(n: int) -> None:
    found = made_map(n)
    assert (
        len(placed_pictures(Camera.fitting(900, 600), found.xy, found.shown_at, spacings_of(found.shown_at)).rows) == n
    )
    assert most_scale(found.shown_at) > 0
