"""Kim and Choi, CVPR 2015: bilinear random projections lose little at equal bits and win at equal time."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable

from tests.papers.differences import Difference, between, mean_of
from tests.papers.result import Figure, Result
from tests.papers.verdict import Claim, Judgement, Nature, Verdict, above, holds, marked, pooled

PIXELS, VLAD, EXPECTED, COST = "kc-pixels", "kc-vlad", "kc-expected", "kc-cost"
BITS, LONG = (400, 900, 1600, 2500), (4900, 6400)
OVERSAMPLINGS = (1, 5, 10)
EQUAL = {(4900, 1): 90, (6400, 1): 106, (4900, 5): 840, (6400, 5): 1040}
"""Bits of a single code that takes as many multiplications as a bilinear one, by its bits and m."""

CASES = {"fashion-mnist": "pixels", "vlad-crops": "VLAD"}
HARDLY = 0.01
"""A covariance that is small beside a bit's own variance, about 0.24: the paper's greatest is 0.009."""

COMPARABLE, SAME = 0.08, 0.02
"""Tolerances of mean average precision: of what is comparable, and of what is the same."""

MET = 0.95
"""Share of pairs that must meet the condition of a proof before what breaks its bound speaks against it."""

ITEMS = ("Figure 2", "Figure 3", "Figure 4", "Figure 5", "Figure 6", "Figure 7", "Figure 8")
_TWO, _THREE, _FOUR, _FIVE, _SIX, _SEVEN, _EIGHT = ITEMS

CERTAIN = (
    "the expected product of two bilinear features is at least the kernel",
    "the upper bound on the expected distance holds",
    "m = 5 takes at least 10 times less memory",
    "m = 5 takes at least 5 times fewer multiplications",
)
"""Begin what is proven or only counted."""

Judge = Callable[[Result], Judgement]


def claims() -> list[Claim]:
    """Give the claims of Figures 2 to 8."""
    large = ("vlad-crops",)  # the condition is said to be easily satisfied for large matrices
    theory: list[tuple[str, Callable[[str], Judge], str, tuple[str, ...]]] = [
        ("the expected product of two bilinear features is at least the kernel", _feature, _TWO, tuple(CASES)),
        ("and at most its power 0.79 where |X| ≤ 0.8", _power, _TWO, tuple(CASES)),
        ("the upper bound on the expected distance holds", _upper, _THREE, tuple(CASES)),
        ("the lower bound holds where the difference is short", _lower, _THREE, tuple(CASES)),
        ("its condition λ₁ ≤ 0.56 is easily satisfied by large matrices", _condition, _THREE, large),
        ("bits that share a projection hardly vary together for near pairs", _near, _FOUR, tuple(CASES)),
        ("their covariance is small for all pairs, below 0.01", _small, _FOUR, tuple(CASES)),
        ("it is below Theorem 3's bound", _theorem, _FOUR, tuple(CASES)),
    ]
    found = [
        Claim("kc", text, EXPECTED, judge(case), item, case=CASES[case])
        for text, judge, item, cases in theory
        for case in cases
    ]
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
        case = f"m = {m}, {bits:,} / {single:,} bits"
        text = "bilinear is above single at as many multiplications"
        found.append(Claim("kc", text, VLAD, _equal(bits, m, single), _EIGHT, case=case))
    return marked(found, Nature.CERTAIN, *CERTAIN)


def text_of(bits: int, m: int | None) -> str:
    """Write the method: single where m is None."""
    return f"sik:bits={bits}" if m is None else f"bilinear-sik:bits={bits},oversampling={m}"


def expected(result: Result, case: str, name: str) -> Figure:
    """Give a figure of the study of expectations."""
    mean, deviation, runs = result.figures[case]["figures"][name]
    return Figure(float("nan") if mean is None else float(mean), float(deviation), int(runs))


def cost(result: Result, case: str, bits: int) -> dict[str, float]:
    """Give what encoding costs at so many bits."""
    row: dict[str, float] = next(one for one in result.figures[case]["rows"] if one["bits"] == bits)
    return row


def _orders(lengths: tuple[int, ...], source: str, item: str, words: str) -> list[Claim]:
    """Give what is claimed of all numbers of bits at once: their draws are apart, so their mean is surer than each."""
    comparable = f"m = 5 is comparable with single, to {100 * COMPARABLE:g} points of mAP"
    same = f"m = 5 is level with m = 10, to {100 * SAME:g} points of mAP"
    return [
        Claim("kc", comparable, source, _over_bits(lengths, 5, None, low=-COMPARABLE), item, case=words),
        Claim("kc", "m = 5 is above m = 1", source, _over_bits(lengths, 5, 1, low=0.0), item, case=words),
        Claim("kc", same, source, _over_bits(lengths, 5, 10, low=-SAME, high=SAME), item, case=words),
    ]


def _over_bits(lengths: tuple[int, ...], m: int | None, other: int | None, low: float, high: float = math.inf) -> Judge:
    def judge(result: Result) -> Judgement:
        parts = {bits: between(*(result.figure(text_of(bits, each), "map") for each in (m, other))) for bits in lengths}
        whole = mean_of(list(parts.values()))
        each = ", ".join(f"{100 * part.mean:+.1f} at {bits:,} bits" for bits, part in parts.items())
        numbers = f"{whole} points as a mean: {each}"
        return Judgement(pooled(list(parts.values()), low, high), numbers, 100 * whole.mean, "points of mAP")

    return judge


def _equal(bits: int, m: int, single: int) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, theirs = result.figure(text_of(bits, m), "map"), result.figure(text_of(single, None), "map")
        spent = [
            1000 * result.method(one)["seconds"]["encode_query"] for one in (text_of(bits, m), text_of(single, None))
        ]
        gain = between(ours, theirs)
        numbers = f"mAP {ours} / {theirs}, {gain} points; {spent[0]:.2f} / {spent[1]:.2f} ms a query"
        return Judgement(above(gain), numbers, 100 * gain.mean, "points of mAP")

    return judge


def _feature(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        below = expected(result, case, "cosine below kernel").mean
        return Judgement(holds(below == 0), f"{100 * below:.1f} % of pairs below")

    return judge


def _power(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        short, held, everywhere = (
            expected(result, case, f"cosine above power{where}").mean
            for where in (" where short", " where it holds", "")
        )
        numbers = (
            f"above it: {_told(short)} of pairs with |X - Y| ≤ 0.8, {_told(held)} of those with λ₁ ≤ 0.56, "
            f"{_told(everywhere)} of all"
        )
        return Judgement(Verdict.CANNOT_TELL if math.isnan(short) else holds(short == 0), numbers)

    return judge


def _told(share: float) -> str:
    return "none there" if math.isnan(share) else f"{100 * share:.1f} %"


def _upper(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        broken = expected(result, case, "upper broken").mean
        return Judgement(holds(broken == 0), f"{100 * broken:.1f} % of pairs break it")

    return judge


def _lower(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        short, held, everywhere = (
            expected(result, case, f"lower broken{where}").mean for where in (" where short", " where it holds", "")
        )
        numbers = (
            f"broken by {_told(short)} of pairs with |X - Y| ≤ 0.8, {_told(held)} of those with λ₁ ≤ 0.56, "
            f"{_told(everywhere)} of all"
        )
        return Judgement(Verdict.CANNOT_TELL if math.isnan(short) else holds(short == 0), numbers)

    return judge


def _condition(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        chance, spread = (expected(result, case, name) for name in ("condition by chance", "condition spread"))
        numbers = (
            f"{100 * chance.mean:.1f} % of pairs drawn by chance, {100 * spread.mean:.1f} % of pairs spread over the "
            "kernel's values"
        )
        return Judgement(holds(chance.mean > 0.5), numbers)

    return judge


def _near(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        near, most = (expected(result, case, f"covariance {name}") for name in ("near", "largest"))
        if math.isnan(near.mean):
            return Judgement(Verdict.CANNOT_TELL, "no pair of a kernel value of 0.95")
        return Judgement(holds(near.mean < HARDLY), f"{near.mean:.4f} from 0.95 up, {most.mean:.4f} at most")

    return judge


def _small(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        most, where = (expected(result, case, f"covariance {name}") for name in ("largest", "largest at"))
        variance = expected(result, case, "variance far").mean
        own = "" if math.isnan(variance) else f"; a bit's own variance is {variance:.2f}"
        return Judgement(holds(most.mean < HARDLY), f"{most.mean:.4f} at most, at {where.mean:.2f}{own}")

    return judge


def _theorem(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        mean, pairs = (expected(result, case, f"{name} above bound").mean for name in ("mean", "pairs"))
        met = expected(result, case, "condition by chance").mean
        numbers = (
            f"above it: {100 * mean:.0f} % of the stretches' means, {100 * pairs:.0f} % of pairs; {100 * met:.1f} % of "
            "pairs meet the condition of Lemma 1, from which the kernel's powers in it come"
        )
        if mean > 0 and met < MET:
            return Judgement(Verdict.CANNOT_TELL, numbers)
        return Judgement(holds(mean == 0), numbers)

    return judge


def _memory(result: Result) -> Judgement:
    single, five = (cost(result, case, 6400)["bytes"] for case in ("single", "m=5"))
    fewer = single / five
    return Judgement(holds(fewer >= 10), f"{single / 1e6:,.1f} / {five / 1e6:.1f} MB", fewer, "times less")


def _multiplications(result: Result) -> Judgement:
    single, five = (cost(result, case, 6400)["multiplications"] for case in ("single", "m=5"))
    fewer = single / five
    return Judgement(holds(fewer >= 5), f"{single / 1e6:,.0f} / {five / 1e6:.0f} millions", fewer, "times fewer")


def _faster(result: Result) -> Judgement:
    single, five = (cost(result, case, 6400)["median s"] for case in ("single", "m=5"))
    times = single / five
    numbers = f"{1e3 * single:.1f} / {1e3 * five:.2f} ms of a thread"
    return Judgement(holds(times >= 2), numbers, times, "times as fast", times / 2)


def _than_ten(result: Result) -> Judgement:
    """Judge the mean of the ratios over all numbers of bits, in logarithms."""
    five, ten = ({row["bits"]: row["median s"] for row in result.figures[case]["rows"]} for case in ("m=5", "m=10"))
    ratios = [math.log(ten[bits] / five[bits]) for bits in five]
    mean, error = statistics.fmean(ratios), statistics.stdev(ratios) / math.sqrt(len(ratios))
    times = math.exp(mean)
    listed = ", ".join(f"{1e3 * five[bits]:.2f} / {1e3 * ten[bits]:.2f} at {bits:,}" for bits in (400, 2500, 6400))
    numbers = f"{times:.2f} times as fast as a mean over bits; ms of a thread {listed}"
    return Judgement(above(Difference(mean, error, len(ratios) - 1)), numbers, times, "times as fast", times)
