"""Points of two pictures that look alike vote for a turn and a scale."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest

from twinlens.core.compilation import compilation
from twinlens.core.search.pairs import pose_votes
from twinlens.core.search.pairs.pose_votes import Points


def drawn(pictures: int, seed: int) -> Points:
    """Draw pictures; each second one is the one before it, turned and enlarged, with flipped bits and lost points."""
    rng = np.random.default_rng(seed)
    codes: list[np.ndarray] = []
    poses: list[np.ndarray] = []
    for number in range(pictures):
        count = int(rng.integers(0, 40))
        if number % 2 and len(codes[-1]):
            kept = rng.permutation(len(codes[-1]))[:30]
            flips = np.uint64(1) << rng.integers(0, 64, (len(kept), 2)).astype(np.uint64)
            code = codes[-1][kept] ^ flips
            pose = poses[-1][kept].astype(np.int64) + np.array((30, 100))
        else:
            code = rng.integers(0, 2**63, (count, 2)).astype(np.uint64)
            pose = rng.integers(0, 200, (count, 2))
        codes.append(code)
        poses.append((pose % 256).astype(np.uint8))
    starts = np.cumsum([0, *(len(one) for one in codes)]).astype(np.int64)
    return Points(np.concatenate(codes), np.concatenate(poses), starts)


def every_pair(pictures: int) -> tuple[np.ndarray, np.ndarray]:
    first, second = np.divmod(np.arange(pictures * pictures), pictures)
    return first.astype(np.int64), second.astype(np.int64)


@pytest.mark.parametrize("seed", range(3))
def test_compiled_and_plain_count_the_same(seed: int) -> None:
    points = drawn(18, seed)
    assert compilation.ready(wait=True)
    with patch.object(compilation, "worth", lambda work: False):
        plain = pose_votes.pose_votes(points, *every_pair(18))
    with patch.object(compilation, "worth", lambda work: True), patch.object(pose_votes, "_AT_ONCE", 7):
        assert pose_votes.pose_votes(points, *every_pair(18)).tolist() == plain.tolist()


def test_a_turned_and_enlarged_copy_agrees_and_others_do_not() -> None:
    points = drawn(30, 5)
    first, second = every_pair(30)
    votes = pose_votes.pose_votes(points, first, second)
    lengths = np.diff(points.starts)
    for a, b, count in zip(first, second, votes, strict=True):
        if a == b:
            assert count == lengths[a]
        elif {a, b} == {min(a, b), min(a, b) + 1} and min(a, b) % 2 == 0:
            inside = points.poses[points.starts[min(a, b)] : points.starts[min(a, b) + 1], 0] < 226
            assert count >= min(30, int(inside.sum()), lengths[a], lengths[b]) * 0.9
        else:
            assert count <= 2
