"""Poker hands, dealt here by the rules: five of 52 cards, and which of ten hands they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.data_set import DataSet, Made
from twinlens.core.arrays import Int64Numbers
from twinlens.core.message import Message
from twinlens.core.progress import Progress

SEARCHED, ASKED, PART = 1_000_000, 25_010, 100_000


def make(progress: Progress) -> Made:
    """Deal as many hands as the paper searches and asks for; equal hands may come again, as they do there."""
    progress(0, 1, Message("Dealing"))
    suits, ranks = deal(SEARCHED + ASKED, np.random.default_rng(0))
    x = np.stack([suits, ranks], axis=2).reshape(-1, 10).astype(np.float32)
    labels = hand(suits, ranks)
    arrays: dict[str, npt.NDArray[Any]] = {
        "base": x[:SEARCHED],
        "labels": labels[:SEARCHED],
        "part": x[:PART],
        "queries": x[SEARCHED:],
        "query_labels": labels[SEARCHED:],
    }
    return Made(arrays, ())


def deal(count: int, rng: np.random.Generator) -> tuple[Int64Numbers, Int64Numbers]:
    """Deal hands: suits from 1 to 4 and ranks from 1, the ace, to 13, the king, both (count, 5)."""
    cards = np.empty((count, 5), np.int64)
    for place in range(5):  # the n-th card is one of those that are left, counted in their order
        left = rng.integers(0, 52 - place, count)
        before = np.sort(cards[:, :place], axis=1)
        for known in before.T:
            left += left >= known
        cards[:, place] = left
    return cards // 13 + 1, cards % 13 + 1


def hand(suits: Int64Numbers, ranks: Int64Numbers) -> Int64Numbers:
    """Tell hands, (n, 5) -> (n,).

    Nothing is 0, a pair 1, two 2, three of a kind 3, a straight 4, a flush 5, a full house 6, four of a kind 7, a
    straight flush 8, a royal flush 9.

    Examples
    --------
    >>> hand(np.array([[1, 2, 3, 4, 1]]), np.array([[10, 11, 12, 13, 1]])).tolist()
    [4]
    """
    counts = np.stack([(ranks == rank).sum(axis=1) for rank in range(1, 14)], axis=1)
    most = np.sort(counts, axis=1)[:, ::-1]
    ordered = np.sort(ranks, axis=1)
    single = most[:, 0] == 1
    high = single & (ordered[:, 0] == 1) & (ordered[:, 1] == 10)
    straight = single & ((ordered[:, 4] - ordered[:, 0] == 4) | high)
    flush = (suits == suits[:, :1]).all(axis=1)
    told = np.select(
        [
            high & flush,
            straight & flush,
            most[:, 0] == 4,
            (most[:, 0] == 3) & (most[:, 1] == 2),
            flush,
            straight,
            most[:, 0] == 3,
            (most[:, 0] == 2) & (most[:, 1] == 2),
            most[:, 0] == 2,
        ],
        [9, 8, 7, 6, 5, 4, 3, 2, 1],
        0,
    )
    return np.asarray(told, np.int64)


POKER = DataSet("poker", "Poker hands, dealt by the rules", make)
