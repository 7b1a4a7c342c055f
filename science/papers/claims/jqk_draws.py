"""Jiang, Que and Kulis, CVPR 2015: what was measured draw by draw, from the same landmarks and queries.

How many landmarks there are, of how many a hyperplane is made, what centring does, and the transform among all SIFT.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from science.papers.differences import MeasuredDifference, of_runs
from science.papers.result import MeanFigure, Result, mean_and_deviation
from science.papers.studies import jqk_directions, jqk_many, jqk_sweeps
from science.papers.studies.jqk_directions import KLSH, NYSTROM, ZERO
from science.papers.studies.jqk_rank_and_scale import SCALES
from science.papers.studies.jqk_sweeps import GAUSSIAN, LANDMARKS, SAMPLES
from science.papers.verdict import (
    Claim,
    ClaimJudgement,
    ClaimVerdict,
    Nature,
    above,
    gravest,
    lies,
    marked,
    not_below,
    some_above,
)

DIRECTIONS, SWEEPS, MANY = "jqk-directions", "jqk-sweeps", "jqk-many"
DRAWN_RECALL = "10"
DRAWN_RANKS = ("64", "full")
DRAWN_POINTS = f"points of recall@{DRAWN_RECALL}"

ESSENTIAL, EQUAL, FALL, SATURATED = 0.05, 0.03, 0.01, 0.02
"""Tolerances of recall: what is essential costs as much; what is the same; what never falls; what gains no more."""

ENOUGH = 30
"""Landmarks in a hyperplane from which on it is as good as Gaussian."""

SOME_SCALE = "some scale above none at the paper's rank"
ZERO_LEVEL = f"directions of sum zero, not centred, find as much as KLSH, to {100 * EQUAL:g} points"

DrawJudge = Callable[[Result], ClaimJudgement]


def draws_claims() -> list[Claim]:
    """Return the claims of sections 3 and 4.2, and that of Figure 3 among all SIFT."""
    found = []
    for case in jqk_directions.CASES:
        words = case.replace(" ", ", ")
        text = (
            f"centring is essential: without it recall is at least {100 * ESSENTIAL:g} points lower, however "
            "directions are drawn"
        )
        found.append(Claim("jqk", text, DIRECTIONS, _essential(case), "Figure 2", case=words))
        found.append(Claim("jqk", ZERO_LEVEL, DIRECTIONS, _zero(case), "Figure 2", case=words))
    for kernel in jqk_many.CASES:
        listed: list[tuple[str, DrawJudge]] = [
            (f"directions of t = {ENOUGH} landmarks or more are level with Gaussian ones, to {100 * EQUAL:g} points",
             _central(kernel)),
            ("more landmarks rank better at a fixed rank, 3,000 above 100 and no step down by a point",
             _more_landmarks(kernel)),
            (f"some thousands of landmarks are enough: 3,000 gain at most {100 * SATURATED:g} points on 1,000",
             _saturated(kernel)),
        ]  # fmt: skip
        found += [Claim("jqk", text, SWEEPS, judge, "Sections 3 and 4.2", case=f"sift, {kernel}")
                  for text, judge in listed]  # fmt: skip
        found.append(
            Claim("jqk", SOME_SCALE, MANY, _some_scale(kernel), "Figure 3, all SIFT", case=f"all sift, {kernel}")
        )
    return marked(found, Nature.OWN, ZERO_LEVEL)


def drawn(result: Result, case: str, setting: str, count: str = DRAWN_RECALL) -> list[float]:
    """Return the recall of each draw."""
    values: list[float] = result.figures[case]["recall"][setting][count]
    return values


def recall(result: Result, case: str, setting: str, count: str = DRAWN_RECALL) -> MeanFigure:
    """Return the recall over the draws."""
    return mean_and_deviation(drawn(result, case, setting, count))


def apart(result: Result, case: str, one: str, other: str) -> MeasuredDifference:
    """Return by how much a setting is above another, draw by draw."""
    pairs = zip(drawn(result, case, one), drawn(result, case, other), strict=True)
    return of_runs([better - worse for better, worse in pairs])


def _essential(case: str) -> DrawJudge:
    """Judge by the best of the ways without centring, which are two: of one it was known beforehand that it is best."""

    def judge(result: Result) -> ClaimJudgement:
        parts = {rank: apart(result, case, f"{KLSH}, {rank}", f"{ZERO}, {rank}") for rank in DRAWN_RANKS}
        gaussian = ", ".join(str(apart(result, case, f"{KLSH}, {rank}", f"{NYSTROM}, {rank}")) for rank in DRAWN_RANKS)
        told = ", ".join(f"{part} (rank {rank})" for rank, part in parts.items())
        numbers = f"KLSH above Gaussian directions by {gaussian}, above those of sum zero by {told}"
        return ClaimJudgement(above(*parts.values(), by=ESSENTIAL), numbers)

    return judge


def _zero(case: str) -> DrawJudge:
    def judge(result: Result) -> ClaimJudgement:
        parts = {rank: apart(result, case, f"{ZERO}, {rank}", f"{KLSH}, {rank}") for rank in DRAWN_RANKS}
        told = []
        for rank, part in parts.items():
            one, other = (recall(result, case, f"{way}, {rank}") for way in (ZERO, KLSH))
            told.append(f"rank {rank} {one} / {other}, {part}")
        far = max(parts.values(), key=lambda part: abs(part.mean))
        return ClaimJudgement(
            not_below(*parts.values(), tolerance=EQUAL),
            f"R@{DRAWN_RECALL} {'; '.join(told)}",
            100 * far.mean,
            DRAWN_POINTS,
        )

    return judge


def _central(kernel: str) -> DrawJudge:
    def judge(result: Result) -> ClaimJudgement:
        case = f"samples {kernel}"
        parts = {
            f"t = {t}, rank {rank}": apart(result, case, f"{t}, {rank}", f"{GAUSSIAN}, {rank}")
            for t in SAMPLES
            if t >= ENOUGH
            for rank in DRAWN_RANKS
        }
        far = max(parts, key=lambda one: abs(parts[one].mean))
        numbers = f"the farthest of {len(parts)}, {far}: {parts[far]}"
        # Of a draw all settings hang together: their mean is one number of each draw.
        rows = [
            [one - other for one, other in zip(drawn(result, case, f"{t}, {rank}"), gaussian, strict=True)]
            for rank in DRAWN_RANKS
            for gaussian in [drawn(result, case, f"{GAUSSIAN}, {rank}")]
            for t in SAMPLES
            if t >= ENOUGH
        ]
        whole = of_runs([sum(draw) / len(draw) for draw in zip(*rows, strict=True)])
        surely = lies(*parts.values(), low=-EQUAL, high=EQUAL)
        verdict = surely if surely is ClaimVerdict.NOT_CONFIRMED else lies(whole, low=-EQUAL, high=EQUAL)
        return ClaimJudgement(verdict, f"{whole} points as a mean; {numbers}", 100 * whole.mean, DRAWN_POINTS)

    return judge


def _steps(result: Result, kernel: str, counts: Sequence[int]) -> list[MeasuredDifference]:
    case = f"landmarks {kernel}"
    return [apart(result, case, f"{more}, 64", f"{fewer}, 64") for fewer, more in pairwise(counts)]


def _more_landmarks(kernel: str) -> DrawJudge:
    def judge(result: Result) -> ClaimJudgement:
        (whole,) = _steps(result, kernel, (LANDMARKS[0], LANDMARKS[-1]))
        steps = _steps(result, kernel, LANDMARKS)
        numbers = f"R@{DRAWN_RECALL} at rank 64 " + ", ".join(
            f"{m:,}: {recall(result, f'landmarks {kernel}', f'{m}, 64')}" for m in LANDMARKS
        )
        verdict = gravest((above(whole), not_below(*steps, tolerance=FALL)))
        return ClaimJudgement(
            verdict, f"{numbers}; the most above the fewest by {whole}", 100 * whole.mean, DRAWN_POINTS
        )

    return judge


def _saturated(kernel: str) -> DrawJudge:
    def judge(result: Result) -> ClaimJudgement:
        (gain,) = _steps(result, kernel, (jqk_sweeps.LANDMARK, LANDMARKS[-1]))
        return ClaimJudgement(
            lies(gain, high=SATURATED), f"R@{DRAWN_RECALL} at rank 64: {gain} points", 100 * gain.mean, DRAWN_POINTS
        )

    return judge


def _some_scale(kernel: str) -> DrawJudge:
    def judge(result: Result) -> ClaimJudgement:
        parts = {f"{s:g}": apart(result, kernel, f"{s:g}", "none") for s in SCALES}
        best = max(parts, key=lambda one: parts[one].mean)
        items = result.figures[kernel]["items"]
        words = f"R@{DRAWN_RECALL} of rank {jqk_many.RANK}, {items:,} items: s = {best} is the best, above none by {parts[best]}"
        return ClaimJudgement(some_above(*parts.values()), words, 100 * parts[best].mean, DRAWN_POINTS)

    return judge
