"""Jain, Kulis and Grauman, TR-07-48: a learned metric labels better, and hashing under it loses little."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from core.search.permuted import Permuted
from tests.papers.result import Figure, Result
from tests.papers.verdict import Claim, Judgement, Verdict, gained, holds

SETS = {"vehicle": "Vehicle", "soybean": "Soybean", "dna": "DNA", "letter": "Letter"}
PYRAMID = "jkg-pyramid"
BITS, EPSILON, PAIRS = 256, 1.5, 1000
GAIN, LOST, SPAN, PART = 0.10, 0.02, 0.04, 0.05
"""The paper's gain; what hashing may lose; how far accuracies may lie apart over bits; what is looked at."""

PYRAMID_LOST = 0.05
FASTER = 10.0
ITEMS = (
    "Figure 1, left",
    "Figure 1, right",
    "Section 4, pairs",
    "Figure 2, left",
    "Figure 2, middle",
    "Figure 2, right",
)
_LEFT, _RIGHT, _PAIRS, _LEARNED, _BITS, _EPSILON = ITEMS

Judge = Callable[[Result], Judgement]
Row = dict[str, Any]


def claims() -> list[Claim]:
    """Give the claims of Figures 1 and 2."""
    found = []
    for name, words in SETS.items():
        source = f"jkg-{name}"
        found += [
            Claim("jkg", f"4-NN is better under the learned metric ({words})", source, _gains, _LEFT),
            Claim("jkg", f"by 10 points ({words})", source, _by_ten, _LEFT),
            Claim(
                "jkg",
                f"hashing under it loses at most 2 points, {BITS} bits, ε = {EPSILON} ({words})",
                source,
                _loses_little,
                _LEFT,
            ),
            Claim(
                "jkg",
                f"accuracy hardly depends on the number of bits, ε = {EPSILON} ({words})",
                source,
                _over_bits,
                _LEFT,
            ),
            Claim("jkg", f"not much more than 5 % is looked at, ε = {EPSILON} ({words})", source, _looks_at, _RIGHT),
            Claim("jkg", f"with more bits less is looked at ({words})", source, _falls, _RIGHT),
            Claim(
                "jkg",
                f"a query is answered sooner than by the linear scan ({words})",
                source,
                _sooner,
                _RIGHT,
                timed=True,
            ),
            Claim("jkg", f"a larger ε looks at less ({words})", source, _less_by_epsilon, _RIGHT),
            Claim("jkg", f"more pairs gain more ({words})", f"{source}-pairs", _more_pairs, _PAIRS),
        ]
    found += [
        Claim(
            "jkg",
            "1-NN is better under the learned pyramid match kernel, 15 pairs a class",
            PYRAMID,
            _pyramid,
            _LEARNED,
        ),
        Claim("jkg", "by 20 points", PYRAMID, _pyramid_by_twenty, _LEARNED),
        Claim("jkg", "more pairs gain more (pyramid match)", PYRAMID, _pyramid_pairs, _LEARNED),
        Claim("jkg", f"hashing loses at most 5 points, {BITS} bits, ε = {EPSILON}", PYRAMID, _pyramid_loses, _BITS),
        Claim(
            "jkg", "hashing under the learned kernel is better than under the plain one", PYRAMID, _pyramid_above, _BITS
        ),
        Claim("jkg", "a larger ε looks at less and labels worse (pyramid match)", PYRAMID, _pyramid_epsilon, _EPSILON),
        Claim("jkg", "about ten times less is computed than by the linear scan", PYRAMID, _pyramid_less, _EPSILON),
        Claim(
            "jkg",
            "a query is answered sooner than by the linear scan (pyramid match)",
            PYRAMID,
            _pyramid_sooner,
            _EPSILON,
            timed=True,
        ),
    ]
    return found


def rows_of(result: Result) -> list[Row]:
    """Give the rows of an experiment over partitions."""
    rows: list[Row] = result.figures["partitions"]["rows"]
    return rows


def linear(result: Result, pairs: int | None = None) -> Row:
    """Give the linear scan, learned from so many pairs, or from the first number of them."""
    return _only(one for one in rows_of(result) if not one["method"] and pairs in {None, one["pairs"]})


def hashed(result: Result, bits: int = BITS, epsilon: float = EPSILON) -> Row:
    """Give hashing at so many bits and an epsilon."""
    search = Permuted(epsilon=epsilon).text()
    return _only(one for one in rows_of(result) if one["bits"] == bits and one["search"] == search)


def lengths(result: Result) -> list[int]:
    """Give the numbers of bits."""
    return sorted({one["bits"] for one in rows_of(result) if one["method"]})


def epsilons(result: Result) -> list[float]:
    """Give the epsilons."""
    texts = {one["search"] for one in rows_of(result) if one["method"]}
    return sorted(Permuted().epsilon if ":" not in text else float(text.partition("=")[2]) for text in texts)


def pyramid(result: Result, bits: int = BITS, epsilon: float = EPSILON) -> dict[str, Figure]:
    """Give what was found of the pyramid match kernel, hashed."""
    rows = result.figures["hashed"]["rows"][f"{bits} {epsilon:g}"]
    return {name: Figure(*values) for name, values in rows.items()}


def pyramid_pairs(result: Result) -> dict[int, dict[str, Figure]]:
    """Give what was learned from so many pairs a class."""
    rows = result.figures["pairs"]["rows"]
    return {int(each): {name: Figure(*values) for name, values in one.items()} for each, one in rows.items()}


def _only(rows: Iterable[Row]) -> Row:
    return next(iter(rows))


def _points(one: dict[str, float | None]) -> str:
    mean, error = 100 * (one["mean"] or 0), one["error"]
    return f"{mean:+.1f}" + (f" ± {100 * error:.1f}" if error is not None else "")


def _gains(result: Result) -> Judgement:
    row = linear(result)
    numbers = (
        f"{100 * row['before']['mean']:.1f} % before, {100 * row['after']['mean']:.1f} % after: "
        f"{_points(row['gain'])} points "
        f"from {row['pairs']:.0f} pairs"
    )
    return Judgement(gained(row["gain"]["mean"], row["gain"]["error"] or 0), numbers)


def _by_ten(result: Result) -> Judgement:
    gain = linear(result)["gain"]
    short, error = GAIN - gain["mean"], gain["error"] or 0
    verdict = Verdict.CONFIRMED if short <= 0 else gained(-short, error)
    return Judgement(verdict, f"{_points(gain)} points")


def _loses_little(result: Result) -> Judgement:
    row = hashed(result)
    lost, error = row["lost"]["mean"], row["lost"]["error"] or 0
    verdict = Verdict.CONFIRMED if lost <= LOST else gained(LOST - lost, error)
    numbers = f"{_points(row['lost'])} points lost, {_points(row['lost_before'])} without the metric"
    return Judgement(verdict, f"{numbers}; {100 * row['looked_at']['mean']:.1f} % looked at")


def _over_bits(result: Result) -> Judgement:
    found = {bits: hashed(result, bits)["after"] for bits in lengths(result)}
    means = [one["mean"] for one in found.values()]
    numbers = ", ".join(f"{100 * one['mean']:.1f} % at {bits}" for bits, one in found.items())
    return Judgement(holds(max(means) - min(means) <= SPAN), numbers)


def _looks_at(result: Result) -> Judgement:
    share = hashed(result)["looked_at"]["mean"]
    return Judgement(holds(share <= 1.2 * PART), f"{100 * share:.1f} %")


def _falls(result: Result) -> Judgement:
    first, last = (hashed(result, bits)["looked_at"]["mean"] for bits in (lengths(result)[0], lengths(result)[-1]))
    numbers = f"{100 * first:.1f} % at {lengths(result)[0]} bits, {100 * last:.1f} % at {lengths(result)[-1]}"
    return Judgement(holds(last < 0.95 * first), numbers)


def _sooner(result: Result) -> Judgement:
    row, scan = hashed(result), linear(result)
    times = row["times"]["mean"]
    spent = (1e6 * one["query_seconds"]["mean"] for one in (row, scan))
    numbers = (
        f"{times:.2f} times as fast; {' / '.join(f'{one:.0f}' for one in spent)} µs, the scan is one matrix product"
    )
    return Judgement(holds(times > 1), numbers)


def _less_by_epsilon(result: Result) -> Judgement:
    rows = {epsilon: hashed(result, BITS, epsilon) for epsilon in epsilons(result)}
    shares = [one["looked_at"]["mean"] for one in rows.values()]
    numbers = ", ".join(
        f"ε = {epsilon:g}: {100 * one['looked_at']['mean']:.1f} %, {100 * one['after']['mean']:.1f} % right"
        for epsilon, one in rows.items()
    )
    return Judgement(holds(shares == sorted(shares, reverse=True) and shares[0] > shares[-1]), numbers)


def _more_pairs(result: Result) -> Judgement:
    rows = sorted((one for one in rows_of(result) if not one["method"]), key=lambda one: float(one["pairs"]))
    first, last = rows[0]["gain"], rows[-1]["gain"]
    numbers = ", ".join(f"{_points(one['gain'])} of {one['pairs']:.0f}" for one in rows)
    error = math.hypot(first["error"] or 0, last["error"] or 0)
    return Judgement(gained(last["mean"] - first["mean"], error), f"points gained: {numbers}")


def _pyramid(result: Result) -> Judgement:
    before = result.figures["pairs"]["before"]
    row = pyramid_pairs(result)[15]
    numbers = f"{100 * before:.1f} % before, {100 * row['after'].mean:.1f} % after: {_gain(row)} points"
    return Judgement(gained(row["gain"].mean, _error(row)), numbers)


def _pyramid_by_twenty(result: Result) -> Judgement:
    row = pyramid_pairs(result)[15]
    short = 0.2 - row["gain"].mean
    return Judgement(Verdict.CONFIRMED if short <= 0 else gained(-short, _error(row)), f"{_gain(row)} points")


def _gain(row: dict[str, Figure]) -> str:
    return f"{100 * row['gain'].mean:+.1f} ± {100 * _error(row):.1f}"


def _error(row: dict[str, Figure]) -> float:
    """Give the standard error of a gain: over the queries, and over the draws of pairs."""
    return math.hypot(row["error"].mean, row["gain"].deviation / math.sqrt(row["gain"].runs))


def _pyramid_pairs(result: Result) -> Judgement:
    rows = pyramid_pairs(result)
    first, last = rows[min(rows)], rows[max(rows)]
    numbers = ", ".join(f"{_gain(row)} of {each} a class" for each, row in rows.items())
    error = math.hypot(_error(first), _error(last))
    return Judgement(gained(last["gain"].mean - first["gain"].mean, error), f"points gained: {numbers}")


def _pyramid_loses(result: Result) -> Judgement:
    row = pyramid(result)
    lost = row["after linear"].mean - row["after hashed"].mean
    numbers = f"{100 * row['after linear'].mean:.1f} % linear, {100 * row['after hashed'].mean:.1f} % hashed"
    looked = f"{100 * row['after looked at'].mean:.1f} % looked at"
    return Judgement(holds(lost <= PYRAMID_LOST), f"{numbers}; {looked}")


def _pyramid_above(result: Result) -> Judgement:
    row = pyramid(result)
    before, after = row["before hashed"], row["after hashed"]
    asked = result.figures["hashed"]["asked"]
    error = math.hypot(
        math.sqrt(2 * before.mean * (1 - before.mean) / asked),
        math.hypot(before.deviation, after.deviation) / before.runs**0.5,
    )
    return Judgement(gained(after.mean - before.mean, error), f"{100 * after.mean:.1f} / {100 * before.mean:.1f} %")


def _pyramid_epsilon(result: Result) -> Judgement:
    found = {epsilon: pyramid(result, BITS, epsilon) for epsilon in (0.5, 3.0)}
    near, far = found[0.5], found[3.0]
    numbers = ", ".join(
        f"ε = {epsilon:g}: {100 * row['after looked at'].mean:.1f} % looked at, {100 * row['after hashed'].mean:.1f} "
        f"% right"
        for epsilon, row in found.items()
    )
    less = far["after looked at"].mean < near["after looked at"].mean
    return Judgement(holds(less and far["after hashed"].mean < near["after hashed"].mean), numbers)


def _pyramid_less(result: Result) -> Judgement:
    share = pyramid(result)["after looked at"].mean
    return Judgement(holds(1 / share >= FASTER), f"{1 / share:.0f} times fewer items are measured")


def _pyramid_sooner(result: Result) -> Judgement:
    row = pyramid(result)
    scan, own = row["linear ms"].mean, row["hashed ms"].mean
    return Judgement(holds(scan > own), f"{own:.1f} / {scan:.1f} ms of a thread, {scan / own:.1f} times as fast")
