"""Points as an image, against pixels set one by one."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor

from app.gui.map.dots import LEAST_PX, MOST_PX, PointInks, PointShape, _reach, _stamp, painted_points, radius_for
from app.gui.pictures.images import rgb_of

GROUND = (250, 250, 250)
INKS = PointInks(((200, 0, 0), (0, 0, 200)), (PointShape.DISC, PointShape.SQUARE))


def plainly(size: tuple[int, int], px: list[float], py: list[float], groups: list[int], radius: float) -> np.ndarray:
    """Set every pixel of every stamp, shape by shape and level by level."""
    pixels = np.full((size[1], size[0], 3), GROUND, np.uint8)
    for shape in sorted({INKS.shapes[group] for group in groups}):
        for level, offsets in zip((0.3, 0.62, 1.0), _stamp(shape, round(radius, 1)), strict=True):
            for right, below in offsets:
                for x, y, group in zip(px, py, groups, strict=True):
                    if INKS.shapes[group] is not shape:
                        continue
                    column, row = int(np.floor(x)) + right, int(np.floor(y)) + below
                    if 0 <= column < size[0] and 0 <= row < size[1]:
                        ground, ink = np.array(GROUND), np.array(INKS.colours[group])
                        pixels[row, column] = np.rint(ground + level * (ink - ground))
    return pixels


def test_every_point_is_there_also_at_the_edges() -> None:
    random = np.random.default_rng(3)
    px = np.concatenate([random.uniform(-8, 208, 40), [0, 199.9, -3]]).astype(np.float32)
    py = np.concatenate([random.uniform(-8, 148, 40), [0, 139.9, 70]]).astype(np.float32)
    groups = (np.arange(43) % 2).astype(np.uint8)
    image = painted_points((200, 140), GROUND, px, py, groups, INKS)
    margin = _reach(MOST_PX)
    seen = int(((px >= -margin) & (px < 200 + margin) & (py >= -margin) & (py < 140 + margin)).sum())
    radius = radius_for(seen, 200, 140)
    assert radius > 2.6, "shapes are told apart"
    np.testing.assert_array_equal(rgb_of(image), plainly((200, 140), px.tolist(), py.tolist(), groups.tolist(), radius))


def test_what_comes_later_lies_over_what_was_before() -> None:
    same = np.full(2, 20, np.float32)
    image = painted_points(
        (40, 40), GROUND, same, same, np.array([1, 0], np.uint8), PointInks(INKS.colours, (PointShape.DISC,) * 2)
    )
    assert image.pixelColor(20, 20) == QColor(200, 0, 0)


def test_nothing_is_painted_where_nothing_is() -> None:
    none = np.empty(0, np.float32)
    assert (rgb_of(painted_points((9, 7), GROUND, none, none, np.empty(0, np.uint8), INKS)) == 250).all()


def test_the_more_points_the_smaller() -> None:
    sizes = [radius_for(count, 900, 600) for count in (1, 100, 1_000, 10_000, 100_000)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == MOST_PX
    assert sizes[-1] == LEAST_PX


@pytest.mark.parametrize("shape", list(PointShape))
@pytest.mark.parametrize("radius", [1.1, 3.0, 7.6])
def test_shapes_are_told_apart_and_stay_within_their_reach(shape: PointShape, radius: float) -> None:
    pixels = {offset for level in _stamp(shape, radius) for offset in level}
    assert max(max(abs(right), abs(below)) for right, below in pixels) <= _reach(radius)
    if radius > 3:
        others = [
            {offset for level in _stamp(other, radius) for offset in level} for other in PointShape if other != shape
        ]
        assert all(len(pixels ^ other) > 0.1 * len(pixels) for other in others)
