"""Edge histogram: which type, which part, and what is no edge."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.features.brightness.edge_histogram import Edges
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import never, picture

TYPES = ("vertical", "horizontal", "45", "135", "none")


def describe(grey: npt.NDArray[np.generic], mask: npt.NDArray[np.bool_] | None = None, **how: int) -> np.ndarray:
    """Describe, (rows of parts, columns of parts, types)."""
    rgb = np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[..., None], 3, axis=2)
    return Edges(**how).fit(never).extract(Picture(rgb, mask, PictureFacts("PNG", 1, 1))).reshape(4, 4, 5)


def waves(degrees: float, side: int = 320, period: float = 37) -> npt.NDArray[np.float64]:
    """Make stripes that run at an angle to the right, counter-clockwise as seen."""
    y, x = np.mgrid[0:side, 0:side]
    across = x * np.sin(np.radians(degrees)) + y * np.cos(np.radians(degrees))
    return np.asarray(128 + 120 * np.sin(across * 2 * np.pi / period))


@pytest.mark.parametrize(("degrees", "name"), [(90, "vertical"), (0, "horizontal"), (45, "45"), (135, "135")])
def test_stripes_are_of_their_type_in_every_part(degrees: float, name: str) -> None:
    by_type = describe(waves(degrees))
    assert (by_type.argmax(axis=2) == TYPES.index(name)).all()
    assert by_type[..., TYPES.index(name)].sum() > 0.7


def test_a_chequered_picture_runs_no_way() -> None:
    # 32 x 32 blocks of 2 x 2 quarters of 5 pixels: each quarter is one square of the board.
    board = np.kron(np.indices((64, 64)).sum(axis=0) % 2, np.ones((5, 5))) * 200
    assert describe(board, blocks=1024)[..., TYPES.index("none")].sum() == pytest.approx(1)


def test_filters_are_those_of_the_standard() -> None:
    """One block a part; its quarters are the numbers given, and the strongest filter is worked out by hand."""
    root = 2**0.5
    for quarters in np.random.default_rng(1).integers(0, 256, (40, 2, 2)):
        (a, b), (c, d) = quarters.astype(float)
        strengths = [
            abs(a - b + c - d),
            abs(a + b - c - d),
            root * abs(a - d),
            root * abs(b - c),
            2 * abs(a - b - c + d),
        ]
        found = describe(np.tile(np.kron(quarters, np.ones((10, 10))), (4, 4)), blocks=16)
        assert found.sum() == pytest.approx(1)
        np.testing.assert_allclose(found[..., int(np.argmax(strengths))], 1 / 16, atol=1e-7)


def test_edges_count_for_the_part_they_are_in() -> None:
    grey = np.full((320, 320), 128.0)
    grey[80:160, 240:] = waves(90)[80:160, 240:]
    parts = describe(grey).sum(axis=2)
    assert parts[1, 3] > 0.75
    assert parts[0, 0] == 0


def test_what_is_weaker_than_the_threshold_is_no_edge() -> None:
    faint = 128 + (waves(90) - 128) * 0.02
    assert not describe(faint).any()
    assert describe(faint, threshold=1).any()


def test_the_outline_against_what_is_transparent_is_no_edge() -> None:
    grey = np.full((200, 200), 128)
    mask = np.zeros((200, 200), np.bool_)
    mask[60:140, 50:150] = True
    grey[mask] = 250
    assert describe(grey).any()
    assert not describe(grey, mask).any()


@pytest.mark.parametrize("shape", [(1, 1), (1, 640), (640, 1), (2, 640), (5, 3), (427, 640)])
def test_any_shape_has_an_answer(shape: tuple[int, int]) -> None:
    flat = describe(np.full(shape, 77))
    assert not flat.any()
    noisy = describe(np.random.default_rng(0).integers(0, 256, shape))
    assert noisy.sum() == pytest.approx(0 if shape == (1, 1) else 1)


def test_light_makes_little_difference() -> None:
    rgb = picture(0, 640, 480).rgb
    extractor = Edges().fit(never)
    vectors = [
        extractor.extract(Picture((rgb * share).astype(np.uint8), None, PictureFacts("PNG", 1, 1)))
        for share in (1, 0.7)
    ]
    assert Edges.measure.matrix(vectors[0][None, :], vectors[1][None, :])[0, 0] > 0.97


def test_groups_are_those_of_the_standard() -> None:
    """Each number of the 150, added up part by part from the 80, in the order of the reference software."""
    shown = picture(0, 640, 480)
    parts = Edges().fit(never).extract(shown).reshape(4, 4, 5).astype(float)
    everywhere = [(row, column) for row in range(4) for column in range(4)]
    groups = [[(row, column) for row in range(4)] for column in range(4)]
    groups += [[(row, column) for column in range(4)] for row in range(4)]
    groups += [
        [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
        for row, column in ((0, 0), (0, 2), (2, 0), (2, 2), (1, 1))
    ]
    expected = [5 * sum(parts[place] for place in everywhere) / 16]
    expected += [parts[place] for place in everywhere]
    expected += [sum(parts[place] for place in group) / 4 for group in groups]
    found = Edges(groups=True).fit(never).extract(shown)
    assert found.shape == (Edges(groups=True).dimensions,) == (150,)
    np.testing.assert_allclose(found, np.ravel(expected) / np.sum(expected), atol=1e-7)


def test_groups_forgive_an_edge_that_moves_to_the_next_part() -> None:
    def likeness(groups: bool) -> float:
        extractor = Edges(groups=groups).fit(never)
        vectors = []
        for left in (0, 80):
            grey = np.full((320, 320), 128.0)
            grey[:80, left : left + 80] = waves(90)[:80, :80]
            rgb = np.repeat(grey.astype(np.uint8)[..., None], 3, axis=2)
            vectors.append(extractor.extract(Picture(rgb, None, PictureFacts("PNG", 1, 1))))
        return float(Edges.measure.pairs(vectors[0][None, :], vectors[1][None, :])[0])

    assert likeness(groups=False) == 0
    # Of 1 + 5/16 + 3/4 for the part, the whole, and the part's column, row and corner, part and column are not shared.
    assert likeness(groups=True) == pytest.approx(13 / 33)


def test_without_groups_stored_vectors_keep_their_key() -> None:
    digest = Edges().fit(never).pack().digest()
    assert digest.hex() == "6fea32336fa6a2876a5e02b48be3db1bde56758f83ce7c0698b8d0c8a8eb675d"
    assert Edges().identity(digest=digest) == "632348a2749f889ed16e7e817e8910a3"
    assert Edges(groups=True).fit(never).pack().digest() != digest
