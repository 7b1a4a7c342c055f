"""A few groups hold all of a map: parts that lie apart stay apart, what is large is parted, who is alone is alone."""

from __future__ import annotations

import numpy as np
import pytest

from app.map.map_groups import MOST, MapGroups, _joined, map_groups


def blobs(n: int, count: int, seed: int = 0, spread: float = 0.012) -> tuple[np.ndarray, np.ndarray]:
    """Lay out round heaps, with their numbers; their middles lie well apart."""
    random = np.random.default_rng(seed)
    side = int(np.ceil(np.sqrt(count)))
    which = np.arange(n) % count
    middles = (np.stack([which % side, which // side], axis=1) + 0.5) / side
    return np.clip(middles + random.normal(0, spread, (n, 2)), 0, 1).astype(np.float32), which


def sizes(found: MapGroups) -> list[int]:
    counts: list[int] = np.bincount(found.number[found.number >= 0]).tolist()
    return counts


@pytest.mark.parametrize("count", [3, 4, 5, 6])
@pytest.mark.parametrize("n", [90, 2_000])
def test_parts_that_lie_apart_are_the_groups(n: int, count: int) -> None:
    xy, which = blobs(n, count)
    found = map_groups(xy)
    assert len(sizes(found)) == count
    assert len(set(zip(found.number.tolist(), which.tolist(), strict=True))) == count


def test_eighty_clusters_of_equal_size_leave_nothing_grey() -> None:
    xy, which = blobs(1_000, 81)
    found = map_groups(xy)
    assert (found.number >= 0).all()
    assert 3 <= len(sizes(found)) <= MOST
    assert min(sizes(found)) > 0.05 * len(xy)
    assert sizes(found) == sorted(sizes(found), reverse=True)
    together = len(set(zip(found.number.tolist(), which.tolist(), strict=True)))
    assert together <= 81 + 2, "what lies together has one colour"


def test_one_heap_that_holds_everything_is_parted_too() -> None:
    xy = np.random.default_rng(3).normal(0.5, 0.1, (5_000, 2)).clip(0, 1).astype(np.float32)
    found = map_groups(xy)
    assert 3 <= len(sizes(found)) <= MOST
    assert max(sizes(found)) < 0.5 * len(xy)


def test_who_lies_alone_is_in_no_group_and_two_are_not_alone() -> None:
    xy, _ = blobs(100, 4)
    xy = np.concatenate([xy, [[0.5, 0.5], [0.0, 0.5], [0.005, 0.5]]]).astype(np.float32)
    number = map_groups(xy).number
    assert number[100] == -1
    assert (np.delete(number, 100) >= 0).all()


def test_what_nothing_is_said_of_is_in_no_group() -> None:
    xy, which = blobs(400, 4)
    found = map_groups(xy, which != 2)
    assert (found.number[which == 2] == -1).all()
    assert sizes(found) == [100, 100, 100]


def test_the_same_places_give_the_same_groups_and_a_typical_one_lies_within() -> None:
    xy, _ = blobs(1_000, 81)
    found, again = map_groups(xy), map_groups(xy.copy())
    assert np.array_equal(found.number, again.number)
    for number in range(found.count):
        row = found.typical(number, xy)
        assert row == again.typical(number, xy)
        assert found.number[row] == number
        own = xy[found.number == number]
        from_middle = np.linalg.norm(own - own.mean(axis=0), axis=1)
        assert np.linalg.norm(xy[row] - own.mean(axis=0)) <= np.median(from_middle)


def test_a_typical_photograph_is_one_of_those_that_gave_the_name_if_there_are_any() -> None:
    xy, which = blobs(400, 4)
    found = map_groups(xy)
    number = int(found.number[which == 2][0])
    some = np.zeros(400, np.bool_)
    some[np.flatnonzero(which == 2)[7]] = True
    assert found.typical(number, xy, some) == np.flatnonzero(some)[0]
    other = int(found.number[which == 1][0])
    assert found.typical(other, xy, some) == found.typical(other, xy)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7])
def test_few(n: int) -> None:
    xy = np.random.default_rng(n).uniform(0, 1, (n, 2)).astype(np.float32)
    assert len(map_groups(xy).number) == n
    assert map_groups(np.full((n, 2), 0.5, np.float32)).number.tolist() == [0] * n


def test_heaps_are_joined_as_ward_says() -> None:
    from scipy.cluster.hierarchy import fcluster, ward

    centres = np.random.default_rng(1).uniform(0, 1, (60, 2))
    own = _joined(centres, np.full(60, 5.0))
    theirs = fcluster(ward(centres), own.max() + 1, "maxclust")
    assert len(set(zip(own.tolist(), theirs.tolist(), strict=True))) == own.max() + 1
