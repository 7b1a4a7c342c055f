"""Claims of Kim and Choi, CVPR 2015: bilinear random projections lose little at equal bits and win at equal time.

Others are proven of bilinear features and codes (Figures 2 to 4).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from science.papers.result import MeanFigure, Result
from science.papers.studies import kc_uniform
from science.papers.verdict import (
    COMPARABLE,
    QUIET,
    SAME,
    Claim,
    ClaimJudgement,
    ClaimVerdict,
    MeasuredDifference,
    Nature,
    above,
    above_chance,
    better,
    between,
    gravest,
    holds,
    marked,
    mean_of,
    pooled,
)
from twinlens.core.theory.code_theory import HOLDS_UP_TO

PIXELS, VLAD, COST = "kc-pixels", "kc-vlad", "kc-cost"
BITS, LONG = (400, 900, 1600, 2500), (4900, 6400)
"""Of codes that are compared at equal length."""

OVERSAMPLINGS = (1, 5, 10)
EQUAL = {(4900, 1): 90, (6400, 1): 106, (4900, 5): 840, (6400, 5): 1040}
"""Bits of a single code that takes as many multiplications as a bilinear one, by its bits and m."""

ITEMS = ("Figure 5", "Figure 6", "Figure 7", "Figure 8")
_FIVE, _SIX, _SEVEN, _EIGHT = ITEMS
CERTAIN = ("m = 5 takes at least 10 times less memory", "m = 5 takes at least 5 times fewer multiplications")
"""Begin what is only counted."""

Judge = Callable[[Result], ClaimJudgement]


def claims() -> list[Claim]:
    """Return the claims of Figures 2 to 8."""
    found = theory()
    for source, lengths, item, words in ((PIXELS, BITS, _FIVE, "pixels"), (VLAD, LONG, _SIX, "VLAD")):
        found += _orders(lengths, source, item, words)
    found += [
        Claim("kc", "m = 5 takes at least 10 times less memory than single, 6,400 bits", COST, _memory, _SEVEN),
        Claim("kc", "m = 5 takes at least 5 times fewer multiplications, 6,400 bits", COST, _multiplications, _SEVEN),
        Claim("kc", "m = 5 encodes much faster than single, at least twice, 6,400 bits", COST, _faster, _SEVEN,
              timed=True),
        Claim("kc", "m = 5 is faster than m = 10", COST, _than_ten, _SEVEN, timed=True),
    ]  # fmt: skip
    for (bits, m), single in EQUAL.items():
        case = f"m = {m}, {bits:,} bits"
        found += [
            Claim("kc", "bilinear is above single at the same time to encode, or more", VLAD, _at_equal_time(bits, m),
                  _EIGHT, case=case, more=(COST,)),
            Claim("kc", "bilinear is above single at as many multiplications", VLAD, _equal(bits, m, single), _EIGHT,
                  case=f"{case} / {single:,}"),
        ]  # fmt: skip
    return marked(found, Nature.CERTAIN, *CERTAIN)


def text_of(bits: int, m: int | None) -> str:
    """Write the method: single where m is None."""
    return f"sik:bits={bits}" if m is None else f"bilinear-sik:bits={bits},oversampling={m}"


def cost(result: Result, case: str, bits: int) -> dict[str, float]:
    """Return the cost of encoding with some number of bits."""
    row: dict[str, float] = next(one for one in result.figures[case]["rows"] if one["bits"] == bits)
    return row


def as_slow(result: Result, spent: Result, bits: int, m: int) -> int:
    """Return the least number of bits of the single codes measured that take at least as long as a bilinear one.

    Parameters
    ----------
    result, spent : Result
        Of precision, and of what encoding costs.
    bits, m : int
        Of the bilinear one.

    Raises
    ------
    KeyError
        If none is measured.
    """
    own = cost(spent, f"m={m}", bits)["median s"]
    singles = [one["bits"] for one in result.figures["results"] if one["method"].startswith("sik:")]
    for single in sorted(singles):
        if single_time(spent, single) >= own:
            return int(single)
    raise KeyError("No single code takes as long.")


def single_time(spent: Result, bits: int) -> float:
    """Return the seconds of a thread of a single code, in a line between the measured ones; 0 below these."""
    rows = spent.figures["single"]["rows"]
    return float(np.interp(bits, [one["bits"] for one in rows], [one["median s"] for one in rows], left=0.0))


def _orders(lengths: tuple[int, ...], source: str, item: str, words: str) -> list[Claim]:
    """Get what is claimed of all numbers of bits at once: their draws are apart, so their mean is surer than each."""
    listed = [
        ("m = 5 is comparable with single", _over_bits(lengths, 5, None, low=-COMPARABLE)),
        ("m = 5 is above m = 1", _over_bits(lengths, 5, 1, low=0.0)),
        ("m = 5 is level with m = 10", _over_bits(lengths, 5, 10, low=-SAME, high=SAME)),
    ]
    return [Claim("kc", text, source, judge, item, case=words) for text, judge in listed]


def _over_bits(lengths: tuple[int, ...], m: int | None, other: int | None, low: float, high: float = math.inf) -> Judge:
    """Judge differences as shares of what the other is above chance: a point is much where all is near to chance."""

    def judge(result: Result) -> ClaimJudgement:
        parts, shares = {}, []
        for bits in lengths:
            one, against = (result.figure(text_of(bits, each), "map") for each in (m, other))
            parts[bits] = between(one, against)
            shares.append(above_chance(parts[bits], against.mean, result.chance))
        whole = mean_of(list(parts.values()))
        each = ", ".join(f"{100 * part.mean:+.1f} at {bits:,} bits" for bits, part in parts.items())
        numbers = f"{whole} points of mAP as a mean, {mean_of(shares)} % of what is above chance: {each}"
        return ClaimJudgement(pooled(shares, low, high), numbers, 100 * whole.mean, "points of mAP")

    return judge


def _at_equal_time(bits: int, m: int) -> Callable[[Result, Result], ClaimJudgement]:
    def judge(result: Result, spent: Result) -> ClaimJudgement:
        single = as_slow(result, spent, bits, m)
        found = _equal(bits, m, single)(result)
        times = (f"{1e3 * one:.2f}" for one in (cost(spent, f"m={m}", bits)["median s"], single_time(spent, single)))
        numbers = f"single of {single:,} bits: {found.numbers}; {' / '.join(times)} ms of a thread"
        if spent.others > QUIET:
            return ClaimJudgement(ClaimVerdict.CANNOT_TELL, f"{numbers}, taken beside other programs", unit=found.unit)
        return replace(found, numbers=numbers)

    return judge


def _equal(bits: int, m: int, single: int) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        ours, theirs = result.figure(text_of(bits, m), "map"), result.figure(text_of(single, None), "map")
        gain = between(ours, theirs)
        share = above_chance(gain, theirs.mean, result.chance)
        return ClaimJudgement(better(share), f"mAP {ours} / {theirs}, {gain} points", 100 * gain.mean, "points of mAP")

    return judge


def _memory(result: Result) -> ClaimJudgement:
    single, five = (cost(result, case, 6400)["bytes"] for case in ("single", "m=5"))
    fewer = single / five
    return ClaimJudgement(holds(fewer >= 10), f"{single / 1e6:,.1f} / {five / 1e6:.1f} MB", fewer, "times less")


def _multiplications(result: Result) -> ClaimJudgement:
    single, five = (cost(result, case, 6400)["multiplications"] for case in ("single", "m=5"))
    fewer = single / five
    return ClaimJudgement(holds(fewer >= 5), f"{single / 1e6:,.0f} / {five / 1e6:.0f} millions", fewer, "times fewer")


def _faster(result: Result) -> ClaimJudgement:
    single, five = (cost(result, case, 6400)["median s"] for case in ("single", "m=5"))
    times = single / five
    batch, own = (cost(result, case, 6400)["batch s"] for case in ("single", "m=5"))
    numbers = (
        f"one vector at a time {1e3 * single:.1f} / {1e3 * five:.2f} ms of a thread, bound by reading the projections; "
        f"in a batch {1e3 * batch:.2f} / {1e3 * own:.2f} ms a vector, {batch / own:.1f} times as fast"
    )
    return ClaimJudgement(holds(times >= 2), numbers, times, "times as fast, one vector at a time", times / 2)


def _than_ten(result: Result) -> ClaimJudgement:
    """Judge the mean of the ratios over all numbers of bits, in logarithms."""
    five, ten = ({row["bits"]: row["median s"] for row in result.figures[case]["rows"]} for case in ("m=5", "m=10"))
    ratios = [math.log(ten[bits] / five[bits]) for bits in five]
    mean, error = statistics.fmean(ratios), statistics.stdev(ratios) / math.sqrt(len(ratios))
    times = math.exp(mean)
    listed = ", ".join(f"{1e3 * five[bits]:.2f} / {1e3 * ten[bits]:.2f} at {bits:,}" for bits in (400, 2500, 6400))
    numbers = f"{times:.2f} times as fast as a mean over bits; ms of a thread {listed}"
    return ClaimJudgement(
        above(MeasuredDifference(mean, error, len(ratios) - 1)), numbers, times, "times as fast", times
    )


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
            return ClaimJudgement(ClaimVerdict.NO_CASE, f"none of {len(found['kernel'])} pairs is such a one")
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
            return ClaimJudgement(ClaimVerdict.NO_CASE if math.isnan(held) else holds(held == 0), numbers)

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
            return ClaimJudgement(ClaimVerdict.NO_CASE, "no pair so alike")
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
