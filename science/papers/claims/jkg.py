"""Claims of Jain, Kulis and Grauman, TR-07-48: a learned metric labels better, and hashing under it loses little."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from statistics import fmean
from typing import Any

from science.papers.result import MeanFigure, Result
from science.papers.verdict import (
    COMPARABLE,
    Claim,
    ClaimJudgement,
    ClaimVerdict,
    MeasuredDifference,
    Nature,
    above,
    above_chance,
    better,
    gravest,
    holds,
    level,
    lies,
    marked,
    of_runs,
)
from twinlens.core.search.permuted_lists import Permuted

SETS = {"vehicle": "Vehicle", "satellite": "Satellite", "soybean": "Soybean", "dna": "DNA", "letter": "Letter"}
PYRAMID, LISTS = "jkg-pyramid", "jkg-lists"
BITS, EPSILON, PAIRS = 256, 1.5, 1000
PART = 0.05
"""What is looked at."""

PYRAMID_LOST = 0.05
"""The paper's hashing loses these points of the pyramid match: 47 % are right in place of 52 %."""

FASTER = 10.0
"""Times fewer distances than the linear scan, hashing included, on the pyramid match."""

GUESSED = 2.0
"""Times that lists must find the true nearest as often as chance does, for it to be told what hashing costs."""

ITEMS = (
    "Figure 1, left",
    "Figure 1, right",
    "Section 4, pairs",
    "Figure 2, left",
    "Figure 2, middle",
    "Figure 2, right",
)
_LEFT, _RIGHT, _PAIRS, _LEARNED, _BITS, _EPSILON = ITEMS

Judge = Callable[[Result], ClaimJudgement]
Row = dict[str, Any]


def claims() -> list[Claim]:
    """Return the claims of Figures 1 and 2."""
    own = f"{BITS} bits, ε = {EPSILON}"
    listed: list[tuple[str, Judge, str]] = [
        (f"4-NN is better under the metric learned from {PAIRS:,} pairs", _gains, _LEFT),
        (f"hashing under the learned metric is comparable with the linear scan, {own}", _loses_little, _LEFT),
        ("accuracy hardly depends on the number of bits: every number is comparable with the most", _over_bits, _LEFT),
        (f"about {100 * PART:g} % is looked at, or less, {own}", _looks_at, _RIGHT),
        (f"a query takes fewer distances than a linear scan, each bit counted as one, {own}", _fewer, _RIGHT),
    ]
    most = "4-NN is better under the metric learned from the most pairs, up to 1,500 of each kind"
    found = [Claim("jkg", most, f"jkg-{name}-pairs", _gains_of_most, _LEFT, case=words) for name, words in SETS.items()]
    found += [
        Claim("jkg", text, f"jkg-{name}", judge, item, case=words)
        for text, judge, item in listed
        for name, words in SETS.items()
    ]
    text = "less is looked at with more bits, and less than by hashing under Euclid's distance"
    found += [Claim("jkg", text, LISTS, _looks_at_less(name), _RIGHT, case=words) for name, words in SETS.items()]
    lost = f"{100 * PYRAMID_LOST:g} points"
    pyramids: list[tuple[str, Judge, str]] = [
        ("1-NN is better under the learned pyramid match kernel, 15 pairs a class", _pyramid, _LEARNED),
        ("more pairs gain more", _pyramid_pairs, _LEARNED),
        (f"hashing loses at most {lost}, {own}", _pyramid_loses, _BITS),
        (f"hashing under the learned kernel is better than under the plain one, {own}", _pyramid_above, _BITS),
        ("a larger ε looks at less and labels worse", _pyramid_epsilon, _EPSILON),
        (f"a query takes a tenth of a linear scan's distances, each bit counted as one (pyramid match, {own})",
         _pyramid_fewer, _EPSILON),
    ]  # fmt: skip
    found += [Claim("jkg", text, PYRAMID, judge, item) for text, judge, item in pyramids]
    # 2M items are looked at, by construction.
    return marked(found, Nature.CERTAIN, f"about {100 * PART:g} % is looked at", "a query takes")


def rows_of(result: Result) -> list[Row]:
    """Return the rows of an experiment over partitions."""
    rows: list[Row] = result.figures["partitions"]["rows"]
    return rows


def linear(result: Result, pairs: int | None = None) -> Row:
    """Return the linear scan, learned from so many pairs, or from the first number of them."""
    return _only(one for one in rows_of(result) if not one["method"] and pairs in {None, one["pairs"]})


def most_pairs(result: Result) -> Row:
    """Return the linear scan, learned from the most pairs."""
    return max((one for one in rows_of(result) if not one["method"]), key=lambda one: float(one["pairs"]))


def hashed(result: Result, bits: int = BITS, epsilon: float = EPSILON) -> Row:
    """Return hashing at so many bits and an epsilon."""
    search = Permuted(epsilon=epsilon).text()
    return _only(one for one in rows_of(result) if one["bits"] == bits and one["search"] == search)


def lengths(result: Result) -> list[int]:
    """Return the numbers of bits."""
    return sorted({one["bits"] for one in rows_of(result) if one["method"]})


def epsilons(result: Result) -> list[float]:
    """Return the epsilons."""
    texts = {one["search"] for one in rows_of(result) if one["method"]}
    return sorted(Permuted().epsilon if ":" not in text else float(text.partition("=")[2]) for text in texts)


def pyramid(result: Result, bits: int = BITS, epsilon: float = EPSILON) -> dict[str, MeanFigure]:
    """Return what was found of the pyramid match kernel, hashed."""
    rows = result.figures["hashed"]["rows"][f"{bits} {epsilon:g}"]
    return {name: MeanFigure(*values) for name, values in rows.items()}


def pyramid_pairs(result: Result) -> dict[int, dict[str, MeanFigure]]:
    """Return what was learned from so many pairs a class."""
    rows = result.figures["pairs"]["rows"]
    return {int(each): {name: MeanFigure(*values) for name, values in one.items()} for each, one in rows.items()}


def rows_searched(result: Result) -> int:
    """Return how many items are searched."""
    return int(result.figures["partitions"]["base"])


def _only(rows: Iterable[Row]) -> Row:
    return next(iter(rows))


def _of(result: Result, one: dict[str, float | None]) -> MeasuredDifference:
    """Return what was measured pair by pair over the partitions."""
    return MeasuredDifference(one["mean"] or 0.0, one["error"] or 0.0, result.figures["partitions"]["partitions"] - 1)


def _gains(result: Result) -> ClaimJudgement:
    return _gain_of(result, linear(result))


def _gains_of_most(result: Result) -> ClaimJudgement:
    return _gain_of(result, most_pairs(result))


def _gain_of(result: Result, row: Row) -> ClaimJudgement:
    gain = _of(result, row["gain"])
    shares = " before, ".join(f"{100 * row[when]['mean']:.1f} %" for when in ("before", "after"))
    numbers = f"{shares} after: {gain} points from {row['pairs']:,.0f} pairs"
    share = above_chance(gain, row["before"]["mean"], _guessed(result))
    return ClaimJudgement(better(share), numbers, 100 * gain.mean, "points")


def _loses_little(result: Result) -> ClaimJudgement:
    row = hashed(result)
    lost = _of(result, row["lost"])
    share = above_chance(lost, row["after"]["mean"] + lost.mean, _guessed(result))
    numbers = (
        f"{lost} points lost, {share} % of what is above guessing; {100 * row['looked_at']['mean']:.1f} % looked at"
    )
    return ClaimJudgement(lies(share, high=COMPARABLE), numbers, 100 * lost.mean, "points lost")


def _guessed(result: Result) -> float:
    """Return the mean rate of the classes by guessing."""
    return 1 / int(result.figures["partitions"]["classes"])


def _over_bits(result: Result) -> ClaimJudgement:
    """Compare every length with the longest."""
    found = {bits: hashed(result, bits)["after"] for bits in lengths(result)}
    *shorter, longest = (_of(result, one) for one in found.values())
    parts = [
        MeasuredDifference(one.mean - longest.mean, math.hypot(one.error, longest.error), one.freedom)
        for one in shorter
    ]
    numbers = ", ".join(f"{100 * one['mean']:.1f} % at {bits}" for bits, one in found.items())
    verdict = level(*(above_chance(part, longest.mean, _guessed(result)) for part in parts), tolerance=COMPARABLE)
    return ClaimJudgement(verdict, f"{numbers}; the farthest {max(parts, key=_far)} points apart")


def _far(one: MeasuredDifference) -> float:
    return abs(one.mean)


def _looks_at(result: Result) -> ClaimJudgement:
    share = hashed(result)["looked_at"]["mean"]
    return ClaimJudgement(holds(share <= 1.2 * PART), f"{100 * share:.1f} %", 100 * share, "%")


def _looks_at_less(name: str) -> Judge:
    """Judge lists that bring up two neighbours each, run by run: the program's own meet 2M items whatever the bits."""

    def judge(result: Result) -> ClaimJudgement:
        shares = result.figures[name]["looked at"]
        learned, euclid = shares["learned"], shares["euclid"]
        fewest, *_, most = sorted(learned, key=int)
        parts = [
            of_runs([more - less for more, less in zip(one, other, strict=True)])
            for one, other in ((learned[fewest], learned[most]), (euclid[most], learned[most]))
        ]
        numbers = ", ".join(f"{100 * fmean(own):.1f} % at {bits} bits" for bits, own in learned.items())
        return ClaimJudgement(above(*parts), f"{numbers}; under Euclid's distance {100 * fmean(euclid[most]):.1f} %")

    return judge


def distances(result: Result, row: Row) -> float:
    """Return how many distances a query takes: those it measures, and one for each bit, a product of d numbers too."""
    return float(row["bits"] + row["looked_at"]["mean"] * rows_searched(result))


def _fewer(result: Result) -> ClaimJudgement:
    row, rows = hashed(result), rows_searched(result)
    own = distances(result, row)
    numbers = (
        f"{row['bits']} bits and {own - row['bits']:.0f} items / {rows:,} rows, {rows / own:.1f} times fewer; by the "
        f"clock {row['times']['mean']:.2f} times as fast as one matrix product over so few rows"
    )
    return ClaimJudgement(holds(own < rows), numbers, rows / own, "times fewer")


def _pyramid(result: Result) -> ClaimJudgement:
    before, row = result.figures["pairs"]["before"], pyramid_pairs(result)[15]
    gain = _gain(row)
    numbers = f"{100 * before:.1f} % before, {100 * row['after'].mean:.1f} % after: {gain} points"
    return ClaimJudgement(better(_share(result, "pairs", gain, before)), numbers, 100 * gain.mean, "points")


def _share(result: Result, case: str, gain: MeasuredDifference, other: float) -> MeasuredDifference:
    """Return a gain of the pyramid match as a share of what another rate is above guessing."""
    return above_chance(gain, other, 1 / int(result.figures[case]["classes"]))


def _gain(row: dict[str, MeanFigure]) -> MeasuredDifference:
    """Return a gain, with its error over the queries, and over the draws of pairs."""
    error = math.hypot(row["error"].mean, row["gain"].deviation / math.sqrt(row["gain"].runs))
    return MeasuredDifference(row["gain"].mean, error)


def _pyramid_pairs(result: Result) -> ClaimJudgement:
    gains = {each: _gain(row) for each, row in pyramid_pairs(result).items()}
    first, last = gains[min(gains)], gains[max(gains)]
    more = MeasuredDifference(last.mean - first.mean, math.hypot(first.error, last.error))
    numbers = ", ".join(f"{100 * gain.mean:+.1f} of {each}" for each, gain in gains.items())
    share = _share(result, "pairs", more, result.figures["pairs"]["before"])
    return ClaimJudgement(better(share), f"points gained: {numbers} a class; the most above the fewest {more}")


def _rates(result: Result, one: MeanFigure, other: MeanFigure) -> MeasuredDifference:
    """Return the difference of two rates over the same queries: its error is at most that of other queries."""
    asked = result.figures["hashed"]["asked"]
    chance = sum(figure.mean * (1 - figure.mean) / asked for figure in (one, other))
    drawn = sum(figure.deviation**2 / figure.runs for figure in (one, other))
    return MeasuredDifference(one.mean - other.mean, math.sqrt(chance + drawn))


def _lost(result: Result) -> tuple[MeasuredDifference, str]:
    row = pyramid(result)
    lost = _rates(result, row["after linear"], row["after hashed"])
    rates = " linear, ".join(f"{100 * row[one].mean:.1f} %" for one in ("after linear", "after hashed"))
    return lost, f"{rates} hashed: {lost} points lost; {100 * row['after looked at'].mean:.1f} % looked at"


def _unless_guessed(row: dict[str, MeanFigure], judgement: ClaimJudgement) -> ClaimJudgement:
    """Tell nothing where lists bring up the true nearest hardly more often than as many items by chance would."""
    lists = _times_chance(row)
    codes = row["after ranked same nearest"].mean / row["after looked at"].mean
    if lists >= GUESSED:
        return judgement
    words = (
        f"{judgement.numbers}; the lists bring up the true nearest {lists:.1f} times as often as chance does (as many "
        f"nearest codes {codes:.1f} times), so nothing can be told"
    )
    return ClaimJudgement(ClaimVerdict.CANNOT_TELL, words)


def _pyramid_loses(result: Result) -> ClaimJudgement:
    lost, numbers = _lost(result)
    found = ClaimJudgement(lies(lost, high=PYRAMID_LOST), numbers, 100 * lost.mean, "points lost")
    return _unless_guessed(pyramid(result), found)


def _pyramid_above(result: Result) -> ClaimJudgement:
    row = pyramid(result)
    gain = _rates(result, row["after hashed"], row["before hashed"])
    numbers = f"{100 * row['after hashed'].mean:.1f} / {100 * row['before hashed'].mean:.1f} %: {gain} points"
    verdict = better(_share(result, "hashed", gain, row["before hashed"].mean))
    return _unless_guessed(row, ClaimJudgement(verdict, numbers, 100 * gain.mean, "points"))


def _pyramid_epsilon(result: Result) -> ClaimJudgement:
    found = {epsilon: pyramid(result, BITS, epsilon) for epsilon in (0.5, 3.0)}
    near, far = found[0.5], found[3.0]
    numbers = ", ".join(
        f"ε = {epsilon:g}: {100 * row['after looked at'].mean:.1f} % looked at, {100 * row['after hashed'].mean:.1f} "
        f"% right, {100 * row['after by chance'].mean:.1f} % by chance"
        for epsilon, row in found.items()
    )
    less = holds(far["after looked at"].mean < near["after looked at"].mean)
    verdict = gravest((less, above(_rates(result, near["after hashed"], far["after hashed"]))))
    return _unless_guessed(max(found.values(), key=_times_chance), ClaimJudgement(verdict, numbers))


def _times_chance(row: dict[str, MeanFigure]) -> float:
    return row["after same nearest"].mean / row["after looked at"].mean


def _pyramid_fewer(result: Result) -> ClaimJudgement:
    row, rows = pyramid(result), result.figures["hashed"]["searched"]
    looked = row["after looked at"].mean * rows
    times = rows / (BITS + looked)
    clock = row["linear ms"].mean / row["hashed ms"].mean
    numbers = (
        f"{BITS} bits and {looked:.0f} views / {rows:,} views, {times:.1f} times fewer; without the bits "
        f"{rows / looked:.0f} times; by the clock of a thread {clock:.1f} times as fast"
    )
    return ClaimJudgement(holds(times >= FASTER), numbers, times, "times fewer")
