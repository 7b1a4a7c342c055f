"""Claims about our codes: they find what codes straight from the formulas find, within a tolerance."""

from __future__ import annotations

from collections.abc import Callable

from science.papers.result import MeanFigure, Result
from science.papers.studies.straight_codes import CASES
from science.papers.verdict import Claim, ClaimJudgement, Nature, between, gravest, mean_of, pooled

TOLERANCE = 0.05
"""Of recall."""

FAMILIES = {
    "KLSH, chi-square": "chi-square, sift",
    "KLSH, intersection": "intersection, edge-crops",
    "pre-images": "pre-images,",
    "random waves": "random waves",
    "PCA + ITQ": "ITQ",
}
"""The word by which methods of a kind are known among the cases."""


def claims() -> list[Claim]:
    """Return one for the methods of a kind."""
    text = f"the program's codes find what the formulas' codes find, to {100 * TOLERANCE:g} points of recall"
    return [
        Claim("codes", text, "straight-codes", _agree(word), "Two programs", case=family, nature=Nature.OWN)
        for family, word in FAMILIES.items()
    ]


def _agree(word: str) -> Callable[[Result], ClaimJudgement]:
    """Judge each R as a mean over methods, of which none may surely differ; they share data and landmarks."""

    def judge(result: Result) -> ClaimJudgement:
        cases = [case for case in CASES if word in case and case in result.figures]
        verdicts, numbers = [], []
        for count in result.figures[cases[0]] if cases else ():
            parts = [between(*(MeanFigure(*one) for one in result.figures[case][count])) for case in cases]
            verdicts.append(pooled(parts, -TOLERANCE, TOLERANCE, independent=False))
            numbers.append(f"R@{count} {mean_of(parts, independent=False)}")
        if not verdicts:
            raise KeyError("None of these methods is measured any more.")
        return ClaimJudgement(gravest(verdicts), f"mean of {len(cases)}, points: {', '.join(numbers)}")

    return judge
