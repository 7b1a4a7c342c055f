"""Judgement of a supervised hash method by photographs that it has not seen, beside the same bits without marks.

It is that of metrics (:mod:`twinlens.core.learning.metric_choice`): a held-out photograph is searched among a sample of
the library by the one that it is marked with, here by the bits that differ; of equally many, half are nearer. The
method learns from all photographs, but is told nothing of those that are held out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinlens.core.arrays import Float32Vectors, Float64Matrix
from twinlens.core.hashing.hash_method import Encoder, SupervisedMethod
from twinlens.core.hashing.packed_codes import hamming
from twinlens.core.hashing.supervision import Supervision
from twinlens.core.learning.metric_choice import CrossValidatedChoice, HeldOutPairs
from twinlens.core.learning.metric_trial import Split, shares_nearer
from twinlens.core.metrics.metric import MetricPairs
from twinlens.core.progress import Progress, part, silent


def cross_validate_codes(
    x: Float32Vectors,
    pairs: MetricPairs,
    background: Float32Vectors,
    method: SupervisedMethod,
    seed: int = 0,
    progress: Progress = silent,
) -> CrossValidatedChoice:
    """Find whether marks teach a hash method anything.

    Parameters
    ----------
    x, pairs, background, seed
        As :func:`twinlens.core.learning.metric_choice.cross_validate` takes them.
    method : SupervisedMethod
        The one option.

    Raises
    ------
    TwinlensError
        If it cannot learn from these vectors.
    """
    held = HeldOutPairs.of(x, pairs, background, seed, np.random.default_rng(seed))
    if isinstance(held, CrossValidatedChoice):
        return held
    table = np.concatenate([held.x, background])
    places = [_places(method.untaught.fit(table, part(progress, 0, 0.1)), table, held, held.splits)]
    taught = []
    for number, split in enumerate(held.splits):
        step = part(progress, *(0.1 + 0.9 * (number + end) / len(held.splits) for end in (0, 1)))
        marked = MetricPairs(held.pairs.rows[split.learned], held.pairs.similar[split.learned])
        encoder = method.fit_with(table, Supervision.of_pairs(marked, len(table)), step)
        taught.append(_places(encoder, table, held, [split]))
    places.append(np.concatenate(taught))
    return held.choice([method], np.column_stack(places))


def _places(encoder: Encoder, table: Float32Vectors, held: HeldOutPairs, splits: Sequence[Split]) -> Float64Matrix:
    """Return the places of the held-out photographs of some splits, by the bits that differ, (j,)."""
    codes = encoder.encode(table)
    others = codes[len(held.x) + held.sample]
    judged = np.concatenate([split.judged for split in splits])
    asking, other_codes = (codes[held.pairs.rows[judged[:, 0], side]] for side in (1 - judged[:, 1], judged[:, 1]))
    far = np.array([hamming(one, others) for one in asking], np.float64)
    return shares_nearer(hamming(asking, other_codes).astype(np.float64), far)
