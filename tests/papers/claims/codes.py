"""Our codes find what codes straight from the formulas find, within the spread over seeds."""

from __future__ import annotations

from collections.abc import Callable

from tests.papers.result import Figure, Result
from tests.papers.studies.straight_codes import CASES
from tests.papers.verdict import Claim, Judgement, alike


def claims() -> list[Claim]:
    """Give one for each method that was written twice."""
    text = "the product's codes find what the formulas' codes find"
    return [Claim("codes", f"{text}: {case}", "straight-codes", _agree(case), "Two programs") for case in CASES]


def _agree(name: str) -> Callable[[Result], Judgement]:
    def judge(result: Result) -> Judgement:
        pairs, numbers = [], []
        for count, (ours, straight) in result.figures[name].items():
            one, other = Figure(*ours), Figure(*straight)
            pairs.append((one, other))
            numbers.append(f"R@{count} {one} / {other}")
        return Judgement(alike(pairs), ", ".join(numbers))

    return judge
