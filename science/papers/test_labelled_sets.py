"""Tables with labels: poker by the rules, told once more card by card; columns of R; cut-outs on photographs."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from science.papers.r_data import Factor
from science.papers.sets import cut_outs
from science.papers.sets.cut_outs import KEYPOINTS, NONE, SIDE, paste, points
from science.papers.sets.mlbench import numbers
from science.papers.sets.poker import deal, hand


def told(suits: list[int], ranks: list[int]) -> int:
    """Tell one hand in the plainest way there is."""
    shape = sorted(Counter(ranks).values(), reverse=True)
    runs = [{first + step if first + step < 14 else 1 for step in range(5)} for first in range(1, 11)]
    straight, flush = set(ranks) in runs, len(set(suits)) == 1
    if straight and flush:
        return 9 if set(ranks) == runs[-1] else 8
    if shape[0] == 4:
        return 7
    if shape == [3, 2]:
        return 6
    if flush:
        return 5
    if straight:
        return 4
    return 3 if shape[0] == 3 else 2 if shape[:2] == [2, 2] else 1 if shape[0] == 2 else 0


def test_hands_are_told_by_the_rules() -> None:
    suits, ranks = deal(3_000, np.random.default_rng(1))
    flush = np.full((600, 5), 2), np.sort(np.argsort(np.random.default_rng(2).random((600, 13)))[:, :5] + 1, axis=1)
    runs = (np.arange(10)[:, None] + np.arange(5)) % 13 + 1
    suits = np.concatenate([suits, flush[0], np.ones_like(runs), np.tile([1, 1, 2, 3, 4], (10, 1))])
    ranks = np.concatenate([ranks, flush[1], runs, runs])
    ours = hand(suits, ranks)
    assert ours.tolist() == [told(*one) for one in zip(suits.tolist(), ranks.tolist(), strict=True)]
    assert set(ours.tolist()) >= {0, 1, 2, 3, 4, 5, 8, 9}
    four = np.array([[7, 7, 7, 7, 1], [3, 3, 3, 9, 9]])
    assert hand(np.array([[1, 2, 3, 4, 1]] * 2), four).tolist() == [7, 6]


def test_hands_are_dealt_evenly_and_no_card_twice() -> None:
    suits, ranks = deal(20_000, np.random.default_rng(3))
    cards = (suits - 1) * 13 + ranks - 1
    assert cards.min() == 0
    assert cards.max() == 51
    assert (np.diff(np.sort(cards, axis=1), axis=1) > 0).all()
    for place in range(5):
        assert np.bincount(cards[:, place], minlength=52).std() < 30  # about sqrt(20,000 / 52) = 20
    share = np.bincount(hand(suits, ranks), minlength=10) / 20_000
    assert share[:2] == pytest.approx([0.5012, 0.4226], abs=0.015)


def test_a_factor_becomes_numbers_and_gaps_the_mean() -> None:
    assert numbers(Factor(np.array([2, 0, 1]), ["0", "3"])).tolist() == [3.0, 1.5, 0.0]
    assert numbers(np.array([1.0, np.nan, 3.0])).tolist() == [1.0, 2.0, 3.0]


def test_a_cut_out_covers_its_ground_and_nothing_else() -> None:
    stamp = np.zeros((120, 200, 4), np.uint8)
    stamp[:, :, 3] = 255
    stamp[:, :, 0] = 200
    ground = np.full((500, 480, 3), 60, np.uint8)
    seen = paste(stamp, ground, np.random.default_rng(0)).rgb
    assert seen.shape == (SIDE, SIDE, 3)
    covered = seen[:, :, 1] < 10  # the stamp has no green
    low, high = cut_outs.SIZES
    assert 0.5 * (low * SIDE) ** 2 * 0.9 < covered.sum() < 0.7 * (high * SIDE) ** 2
    beside = cv2.dilate(covered.astype(np.uint8), np.ones((7, 7), np.uint8)) == 0
    assert (seen[beside] == 60).all()
    assert beside.any()
    stamp[:, :, 3] = 0
    assert (paste(stamp, ground, np.random.default_rng(0)).rgb == 60).all()


def test_local_features_fit_their_row() -> None:
    extractor = points()
    rng = np.random.default_rng(0)
    stamp = rng.integers(0, 255, (150, 150, 4)).astype(np.uint8)
    view = paste(stamp, rng.integers(0, 255, (400, 400, 3)).astype(np.uint8), rng)
    cells = extractor.cells_in(extractor.extract(view))
    assert 0 < len(cells) <= KEYPOINTS
    assert cells.min() > NONE
    assert cells.max() < 2**15
