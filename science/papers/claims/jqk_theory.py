"""Jiang, Que and Kulis, CVPR 2015: how fast eigenvalues decay, and what lies outside the leading components."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from itertools import pairwise

from science.papers.differences import between
from science.papers.result import MeanFigure, Result
from science.papers.verdict import ClaimJudgement, above, holds


def slower(result: Result) -> ClaimJudgement:
    """Judge the mean over data sets and kernels of the logarithm of how many times λ64 / λ1 grows."""
    shares: dict[str, list[float]] = {scale: [] for scale in ("none", "5", "10")}
    for found in result.figures.values():
        for scale, own in shares.items():
            one = found[scale]
            own.append(one["eigenvalue"][one["ranks"].index(64)] / one["eigenvalue"][0])
    parts, words = [], []
    for less, more in pairwise(shares):
        grown = [math.log(after / before) for before, after in zip(shares[less], shares[more], strict=True)]
        parts.append(between(_runs(grown), MeanFigure(0.0)))
        mean, (low, high) = math.exp(parts[-1].mean), map(math.exp, parts[-1].interval())
        least = math.exp(min(grown))
        words.append(
            f"s = {more} over {less}: {mean:.2f} times [{low:.2f}, {high:.2f}], in each case {least:.2f} or more"
        )
    return ClaimJudgement(above(*parts), f"λ64 / λ1, {'; '.join(words)}")


def _runs(values: Sequence[float]) -> MeanFigure:
    return MeanFigure(statistics.fmean(values), statistics.stdev(values), len(values))


def lemma_2(result: Result) -> ClaimJudgement:
    """Look, in each case, at the rank at which most items satisfy the lemma, which says that all do at every rank."""
    shares = {case: one["none"]["satisfied"] for case, one in result.figures.items()}
    numbers = ", ".join(f"{case} {100 * share:.1f} %" for case, share in shares.items())
    return ClaimJudgement(holds(min(shares.values()) >= 1), f"items that do, at the rank where most do: {numbers}")
