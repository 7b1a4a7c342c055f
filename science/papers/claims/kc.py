"""Kim and Choi, CVPR 2015: bilinear random projections lose little at equal bits and win at equal time."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from science.papers.busy import QUIET
from science.papers.claims.kc_theory import theory
from science.papers.differences import MeasuredDifference, between, mean_of
from science.papers.result import Result
from science.papers.verdict import Claim, ClaimJudgement, ClaimVerdict, Nature, above, holds, marked, pooled

PIXELS, VLAD, COST = "kc-pixels", "kc-vlad", "kc-cost"
BITS, LONG = (400, 900, 1600, 2500), (4900,)
"""Of codes that are compared at equal length; single ones of 6,400 bits of VLAD are not, for they take 1.6 GB."""

OVERSAMPLINGS = (1, 5, 10)
EQUAL = {(4900, 1): 90, (6400, 1): 106, (4900, 5): 840, (6400, 5): 1040}
"""Bits of a single code that takes as many multiplications as a bilinear one, by its bits and m."""

COMPARABLE, SAME = 0.1, 0.05
"""Of what the other's mean average precision is above chance: what may be lost, and what is no difference."""

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
    """Return what encoding costs at so many bits."""
    row: dict[str, float] = next(one for one in result.figures[case]["rows"] if one["bits"] == bits)
    return row


def chance(result: Result) -> float:
    """Return the precision of a ranking by chance: the share of the items that is right."""
    row = result.figures["results"][0]
    if row.get("chance") is not None:
        return float(row["chance"])
    return float(row["precision_recall"][-1][1])  # of results of before: within the greatest radius there is everything


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
    comparable = f"m = 5 loses at most {100 * COMPARABLE:g} % of what single is above chance: they are comparable"
    same = f"m = 5 is level with m = 10, to {100 * SAME:g} % of what that is above chance"
    return [
        Claim("kc", comparable, source, _over_bits(lengths, 5, None, low=-COMPARABLE), item, case=words),
        Claim("kc", "m = 5 is above m = 1", source, _over_bits(lengths, 5, 1, low=0.0), item, case=words),
        Claim("kc", same, source, _over_bits(lengths, 5, 10, low=-SAME, high=SAME), item, case=words),
    ]


def _over_bits(lengths: tuple[int, ...], m: int | None, other: int | None, low: float, high: float = math.inf) -> Judge:
    """Judge differences as shares of what the other is above chance: a point is much where all is near to chance."""

    def judge(result: Result) -> ClaimJudgement:
        parts, shares = {}, []
        for bits in lengths:
            one, against = (result.figure(text_of(bits, each), "map") for each in (m, other))
            part, room = between(one, against), against.mean - chance(result)
            parts[bits] = part
            shares.append(MeasuredDifference(part.mean / room, part.error / room, part.freedom))
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
        return ClaimJudgement(above(gain), f"mAP {ours} / {theirs}, {gain} points", 100 * gain.mean, "points of mAP")

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
    numbers = f"{1e3 * single:.1f} / {1e3 * five:.2f} ms of a thread"
    return ClaimJudgement(holds(times >= 2), numbers, times, "times as fast", times / 2)


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
