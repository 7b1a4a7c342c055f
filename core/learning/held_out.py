"""Pairs that are held out to judge a metric: no photograph of theirs was in a pair that it was learned from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.metrics import Pairs

Mask = npt.NDArray[np.bool_]

FOLDS = 4
"""Parts of which one is held out at a time: of so many splits that follow each other, every pair is judged once."""

_LEAST = 0.4  # of the pairs must be left to learn from, or pairs that share one photograph with a held-out one help


@dataclass(frozen=True, eq=False)
class Split:
    """Pairs to learn from and pairs to judge by.

    Attributes
    ----------
    learned, judged : ndarray of bool, (p,)
        Of no pair both; of pairs that share a photograph with a judged one, neither.
    apart : bool
        Whether no photograph is in both. Where marks hang together too closely for that, as those of one question do,
        pairs may share one photograph, not both.
    """

    learned: Mask
    judged: Mask
    apart: bool


def splits(pairs: Pairs, count: int, seed: int) -> Iterator[Split]:
    """Draw splits, of similar and of different pairs about the same share.

    Parameters
    ----------
    pairs : Pairs
    count : int
        How many.
    seed : int

    Yields
    ------
    Split
        None where there are fewer than four pairs.
    """
    if len(pairs.rows) < 4:
        return
    for number in range(count):
        rng = np.random.default_rng([seed, number // FOLDS])
        mixed = rng.permutation(len(pairs.rows))
        mixed = mixed[np.argsort(pairs.similar[mixed], kind="stable")]
        judged = np.zeros(len(pairs.rows), bool)
        judged[mixed[number % FOLDS :: FOLDS]] = True
        touched = np.isin(pairs.rows, pairs.rows[judged])
        apart = ~judged & ~touched.any(axis=1)
        if apart.sum() >= max(2, _LEAST * len(judged)):
            yield Split(apart, judged, apart=True)
        else:
            yield Split(~judged & ~touched.all(axis=1), judged, apart=False)
