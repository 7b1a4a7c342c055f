"""Kim and Choi, CVPR 2015: bilinear random projections lose little at equal bits and win at equal time."""

from __future__ import annotations

import math
from collections.abc import Callable

from tests.papers.result import Figure, Result
from tests.papers.verdict import Claim, Judgement, Verdict, above, holds, level

PIXELS, VLAD, EXPECTED, COST = "kc-pixels", "kc-vlad", "kc-expected", "kc-cost"
BITS, LONG = (400, 900, 1600, 2500), (4900, 6400)
OVERSAMPLINGS = (1, 5, 10)
EQUAL = {(4900, 1): 90, (6400, 1): 106, (4900, 5): 840, (6400, 5): 1040}
"""Bits of a single code that takes as many multiplications as a bilinear one, by its bits and m."""

CASES = {"fashion-mnist": "pixels", "vlad-crops": "VLAD"}
HARDLY, NONE = 0.01, 0.003
"""A covariance that is small beside a bit's own variance, about 0.24; and one that is none."""

ITEMS = ("Figure 2", "Figure 3", "Figure 4", "Figure 5", "Figure 6", "Figure 7", "Figure 8")
_TWO, _THREE, _FOUR, _FIVE, _SIX, _SEVEN, _EIGHT = ITEMS

Judge = Callable[[Result], Judgement]


def claims() -> list[Claim]:
    """Give the claims of Figures 2 to 8."""
    found = []
    for case, words in CASES.items():
        found += [
            Claim("kc", f"E of two bilinear features is at least the kernel ({words})", EXPECTED, _feature(case), _TWO),
            Claim("kc", f"and at most its power 0.79 where |X| ≤ 0.8 ({words})", EXPECTED, _power(case), _TWO),
            Claim("kc", f"the upper bound on the expected distance holds ({words})", EXPECTED, _upper(case), _THREE),
            Claim(
                "kc", f"the lower bound holds where the difference is short ({words})", EXPECTED, _lower(case), _THREE
            ),
            Claim("kc", f"its condition λ₁ ≤ 0.56 is easily satisfied ({words})", EXPECTED, _condition(case), _THREE),
            Claim(
                "kc",
                f"bits that share a projection hardly vary together for near pairs ({words})",
                EXPECTED,
                _near(case),
                _FOUR,
            ),
            Claim("kc", f"their covariance is small for all pairs ({words})", EXPECTED, _small(case), _FOUR),
            Claim("kc", f"it is below Theorem 3's bound ({words})", EXPECTED, _theorem(case), _FOUR),
        ]
    for bits in BITS:
        found += _orders(bits, PIXELS, _FIVE, "pixels")
    for bits in LONG:
        found += _orders(bits, VLAD, _SIX, "VLAD")
    found += [
        Claim("kc", "m = 5 takes at least 10 times less memory than single, 6,400 bits", COST, _memory, _SEVEN),
        Claim("kc", "m = 5 takes at least 5 times fewer multiplications, 6,400 bits", COST, _multiplications, _SEVEN),
        Claim("kc", "m = 5 encodes at least 10 times as fast, 6,400 bits", COST, _faster, _SEVEN, timed=True),
        Claim("kc", "m = 5 is faster than m = 10", COST, _than_ten, _SEVEN, timed=True),
    ]
    for (bits, m), single in EQUAL.items():
        text = f"m = {m}, {bits:,} bits, above single at as many multiplications, {single:,} bits (VLAD)"
        found.append(Claim("kc", text, VLAD, _equal(bits, m, single), _EIGHT))
    return found


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


def _orders(bits: int, source: str, item: str, words: str) -> list[Claim]:
    return [
        Claim(
            "kc", f"bilinear, m = 5, within 8 points of single, {bits:,} bits ({words})", source, _within(bits), item
        ),
        Claim("kc", f"m = 5 above m = 1, {bits:,} bits ({words})", source, _better(bits, 5, 1), item),
        Claim("kc", f"m = 5 as good as m = 10, to 2 points, {bits:,} bits ({words})", source, _as_ten(bits), item),
    ]


def _maps(result: Result, bits: int) -> list[Figure]:
    return [result.figure(text_of(bits, m), "map") for m in (None, *OVERSAMPLINGS)]


def _within(bits: int) -> Judge:
    def judge(result: Result) -> Judgement:
        single, _, five, _ = _maps(result, bits)
        verdict = Verdict.CONFIRMED if above(single, five, by=0.08) is not Verdict.CONFIRMED else Verdict.NOT_CONFIRMED
        return Judgement(verdict, f"mAP {single} single, {five} m = 5: {100 * (single.mean - five.mean):.1f} points")

    return judge


def _better(bits: int, m: int, other: int) -> Judge:
    def judge(result: Result) -> Judgement:
        one, two = (result.figure(text_of(bits, each), "map") for each in (m, other))
        return Judgement(above(one, two), f"mAP {one} / {two}")

    return judge


def _as_ten(bits: int) -> Judge:
    def judge(result: Result) -> Judgement:
        five, ten = (result.figure(text_of(bits, m), "map") for m in (5, 10))
        return Judgement(level(five, ten), f"mAP {five} / {ten}")

    return judge


def _equal(bits: int, m: int, single: int) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, theirs = result.figure(text_of(bits, m), "map"), result.figure(text_of(single, None), "map")
        spent = [
            1000 * result.method(one)["seconds"]["encode_query"] for one in (text_of(bits, m), text_of(single, None))
        ]
        return Judgement(above(ours, theirs), f"mAP {ours} / {theirs}; {spent[0]:.2f} / {spent[1]:.2f} ms a query")

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
        numbers = f"above it: {100 * mean:.0f} % of the stretches' means, {100 * pairs:.0f} % of pairs"
        return Judgement(holds(mean == 0), numbers)

    return judge


def _memory(result: Result) -> Judgement:
    single, five = (cost(result, case, 6400)["bytes"] for case in ("single", "m=5"))
    return Judgement(
        holds(single >= 10 * five), f"{single / 1e6:,.1f} / {five / 1e6:.1f} MB, {single / five:,.0f} times"
    )


def _multiplications(result: Result) -> Judgement:
    single, five = (cost(result, case, 6400)["multiplications"] for case in ("single", "m=5"))
    return Judgement(
        holds(single >= 5 * five), f"{single / 1e6:,.0f} / {five / 1e6:.0f} millions, {single / five:.1f} times"
    )


def _faster(result: Result) -> Judgement:
    single, five = (cost(result, case, 6400)["median s"] for case in ("single", "m=5"))
    return Judgement(
        holds(single >= 10 * five), f"{1e3 * single:.1f} / {1e3 * five:.2f} ms of a thread, {single / five:.0f} times"
    )


def _than_ten(result: Result) -> Judgement:
    pairs = [[cost(result, case, bits)["median s"] for case in ("m=5", "m=10")] for bits in (400, 2500, 6400)]
    numbers = ", ".join(f"{1e3 * five:.2f} / {1e3 * ten:.2f} ms" for five, ten in pairs)
    return Judgement(holds(all(five < ten for five, ten in pairs)), f"{numbers} at 400, 2,500 and 6,400 bits")
