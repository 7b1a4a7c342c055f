"""Kim and Choi, CVPR 2015, Figures 2 to 4: what is proven of bilinear features and codes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from core.theory.bit_pairs import HOLDS_UP_TO
from science.papers.result import MeanFigure, Result
from science.papers.studies import kc_uniform
from science.papers.verdict import Claim, ClaimJudgement, ClaimVerdict, Nature, gravest, holds, marked

EXPECTED, UNIFORM = "kc-expected", "kc-uniform"
CASES = {"fashion-mnist": "pixels", "vlad-crops": "VLAD"}
HARDLY = 0.01
"""A covariance that is small beside a bit's own variance, about 0.24: the paper's greatest is 0.009."""

ENDS = (0.1, 0.9)
"""Values of the kernel below and above which two items are surely unlike and alike."""

POWER, SURE = 0.79, 4.0
"""Of Lemma 1; and standard errors beyond which a sample mean lies once in 30,000 by chance."""

THEORY_ITEMS = ("Figure 2", "Figure 3", "Figure 4")
OWN_TWO = "Figure 2, its own data"
_TWO, _THREE, _FOUR = THEORY_ITEMS
_CERTAIN = (
    "the expected product of two bilinear features is at least the kernel",
    "the expected product of two bilinear features is at most κ^0.79 where λ₁ ≤ 0.56",
    "the upper bound on the expected distance holds",
    "the lower bound holds where λ₁ ≤ 0.56",
)

TheoryJudge = Callable[[Result], ClaimJudgement]


def theory() -> list[Claim]:
    """Return the claims of Figures 2 to 4."""
    every, large = tuple(CASES), ("vlad-crops",)  # the condition is said to be easily satisfied for large matrices
    features, product, upper, lower = _CERTAIN
    listed: list[tuple[str, Callable[[str], TheoryJudge], str, Sequence[str]]] = [
        (features, _broken("cosine below kernel"), _TWO, every),
        (product, _where_it_holds("cosine above power"), _TWO, every),
        (upper, _broken("upper broken"), _THREE, every),
        (lower, _where_it_holds("lower broken"), _THREE, every),
        ("the condition λ₁ ≤ 0.56 is easily satisfied by large matrices", _condition, _THREE, large),
        ("bits that share a projection hardly vary together for pairs of a kernel value from 0.95 up", _near, _FOUR,
         every),
        ("bits that share a projection vary together at most half as much for very alike and very unlike pairs",
         _between, _FOUR, every),
        ("bits that share a projection have a covariance below 0.01 for all pairs", _small, _FOUR, every),
        ("their covariance is below Theorem 3's bound for pairs of λ₁ ≤ 0.56", _theorem, _FOUR, every),
    ]  # fmt: skip
    own = [
        Claim("kc", f"on the paper's own data the expected product of two bilinear features is {words}", UNIFORM,
              _on_uniform(case, low), OWN_TWO, case=case, nature=Nature.CERTAIN)
        for low, words in ((True, "at least the kernel"), (False, "at most κ^0.79 where λ₁ ≤ 0.56"))
        for case in kc_uniform.CASES
    ]  # fmt: skip
    found = [
        Claim("kc", text, EXPECTED, judge(case), item, case=CASES[case])
        for text, judge, item, cases in listed
        for case in cases
    ]
    return [*marked(found, Nature.CERTAIN, *_CERTAIN), *own]


def _on_uniform(case: str, low: bool) -> TheoryJudge:
    """Judge by the exact expectation, and tell how many sample means lie beyond the bound by more than chance."""

    def judge(result: Result) -> ClaimJudgement:
        found = result.figures[case]
        rows = zip(*(found[name] for name in ("kernel", "largest", "exact", "mean", "error")), strict=True)
        told = [(k if low else k**POWER, exact, mean, error) for k, largest, exact, mean, error in rows
                if low or largest <= HOLDS_UP_TO]  # fmt: skip
        if not told:
            return ClaimJudgement(ClaimVerdict.CANNOT_TELL, f"none of {len(found['kernel'])} pairs is such a one")
        sign = 1 if low else -1
        broken = sum(sign * (exact - bound) < -1e-9 for bound, exact, _, _ in told)
        beyond = sum(sign * (mean - bound) < -SURE * error for bound, _, mean, error in told)
        numbers = f"{len(told)} pairs: broken by {broken} expectations, and surely by {beyond} sample means"
        return ClaimJudgement(holds(not broken), numbers)

    return judge


def expected(result: Result, case: str, name: str) -> MeanFigure:
    """Return a figure of the study; not a number where there was no such pair, or where it was not measured then."""
    mean, deviation, runs = result.figures[case]["figures"].get(name, (None, 0.0, 0))
    return MeanFigure(float("nan") if mean is None else float(mean), float(deviation), int(runs))


def pairs(result: Result, case: str, which: str = "compared") -> str:
    """Say how many pairs that was judged on, of all runs; empty where they were not counted."""
    found = expected(result, case, which)
    return "" if math.isnan(found.mean) else f"{found.mean * found.runs:,.0f} "


def _broken(name: str) -> Callable[[str], TheoryJudge]:
    def of(case: str) -> TheoryJudge:
        def judge(result: Result) -> ClaimJudgement:
            share = expected(result, case, name).mean
            return ClaimJudgement(holds(share == 0), f"broken by {_told(share)} of {pairs(result, case)}pairs")

        return judge

    return of


def _where_it_holds(name: str) -> Callable[[str], TheoryJudge]:
    """Judge by the pairs that meet what the paper's two assumptions come to, and tell of what meets one, or none."""

    def of(case: str) -> TheoryJudge:
        def judge(result: Result) -> ClaimJudgement:
            held, short, every = (
                expected(result, case, f"{name}{where}").mean for where in (" where it holds", " where both short", "")
            )
            numbers = f"broken by {_told(held)} of the {pairs(result, case, 'compared where it holds')}pairs of "
            numbers += f"λ₁ ≤ 0.56, and by {_told(every)} of all{' ' if pairs(result, case) else ''}"
            numbers += pairs(result, case).strip()
            few = pairs(result, case, "compared where both short")
            if not math.isnan(short):
                numbers += f"; where |X| and |Y| are ≤ 0.8, by {_told(short)} of {few}pairs, which is not so in general"
            return ClaimJudgement(ClaimVerdict.CANNOT_TELL if math.isnan(held) else holds(held == 0), numbers)

        return judge

    return of


def _told(share: float) -> str:
    return "none there" if math.isnan(share) else f"{100 * share:.1f} %"


def _condition(case: str) -> TheoryJudge:
    def judge(result: Result) -> ClaimJudgement:
        chance, spread = (expected(result, case, name) for name in ("condition by chance", "condition spread"))
        numbers = (
            f"{100 * chance.mean:.1f} % of pairs drawn by chance, {100 * spread.mean:.1f} % of pairs spread over the "
            "kernel's values"
        )
        return ClaimJudgement(holds(chance.mean > 0.5), numbers)

    return judge


def _near(case: str) -> TheoryJudge:
    def judge(result: Result) -> ClaimJudgement:
        near = expected(result, case, "covariance near")
        if math.isnan(near.mean):
            return ClaimJudgement(ClaimVerdict.CANNOT_TELL, "no pair so alike")
        return ClaimJudgement(holds(near.mean < HARDLY), f"{near.mean:.4f}")

    return judge


def _between(case: str) -> TheoryJudge:
    """Judge that the largest mean of a stretch of the kernel lies within, where both ends were measured."""

    def judge(result: Result) -> ClaimJudgement:
        rows = result.figures[case]["curves"]["covariance"]
        at, most, _ = max(rows, key=lambda row: float(row[1]))
        first, last = rows[0][0], rows[-1][0]
        numbers = f"{most:.4f} at most, at a kernel value of {at:.2f}; measured from {first:.2f} to {last:.2f}"
        if first > ENDS[0] or last < ENDS[1]:
            return ClaimJudgement(ClaimVerdict.CANNOT_TELL, numbers)
        unlike, alike = (
            [row[1] for row in rows if (row[0] < ENDS[0] if low else row[0] > ENDS[1])] for low in (True, False)
        )
        return ClaimJudgement(gravest(holds(2 * max(end) <= most) for end in (unlike, alike)), numbers)

    return judge


def _small(case: str) -> TheoryJudge:
    def judge(result: Result) -> ClaimJudgement:
        most, where = (expected(result, case, f"covariance {name}") for name in ("largest", "largest at"))
        variance = expected(result, case, "variance far").mean
        own = "" if math.isnan(variance) else f"; a bit's own variance is {variance:.2f}"
        return ClaimJudgement(holds(most.mean < HARDLY), f"{most.mean:.4f} at most, at {where.mean:.2f}{own}")

    return judge


def _theorem(case: str) -> TheoryJudge:
    """Judge means over stretches of the kernel: a pair alone tells more of chance than of the bound."""

    def judge(result: Result) -> ClaimJudgement:
        mean, every = (expected(result, case, f"mean above bound{where}").mean for where in (" where it holds", ""))
        if expected(result, case, "condition spread").mean == 1:  # every pair is one
            return ClaimJudgement(holds(every == 0), f"of all pairs, {_means(every)}")
        if math.isnan(mean):
            return ClaimJudgement(ClaimVerdict.CANNOT_TELL, f"such pairs were not told apart; of all, {_means(every)}")
        count = pairs(result, case, "covariances where it holds")
        return ClaimJudgement(holds(mean == 0), f"of {count}such pairs, {_means(mean)}; of all, {_means(every)}")

    return judge


def _means(share: float) -> str:
    return f"{100 * share:.0f} % of the means over stretches of the kernel are above it"
