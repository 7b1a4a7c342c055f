"""Claims of Yun, Kim and Choi, ICDM 2012: uniform Nyström from a small part of the data equals principal components."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from science.papers.result import MeanFigure, Result, mean_and_deviation
from science.papers.verdict import (
    COMPARABLE,
    Claim,
    ClaimJudgement,
    ClaimVerdict,
    MeasuredDifference,
    Nature,
    above,
    above_chance,
    between,
    holds,
    mean_of,
    pooled,
)
from twinlens.app.methods import catalogue
from twinlens.core.methods.itq import Itq
from twinlens.core.projections.subspaces import at_least

SETS = {"sift": (16, 32, 64, 128), "fashion": (16, 32, 64, 128, 256), "groups": (16, 64, 256)}
NAMES = {"sift": "SIFT of photographs", "fashion": "pixels of clothes", "groups": "VLAD of groups"}
MAP = {"sift": "map", "fashion": "map", "groups": "map_candidates"}
"""Which average precision is that of the paper's protocol on such data."""

LEAST_DRAWN = 3_000
"""Items that 5 % of the paper's smallest collection are: where fewer are drawn here, a failure does not speak of it."""

PART = 0.05
"""Of the items, drawn unless said otherwise."""

STEPS = {"fashion-mnist part": "pixels of clothes", "groups-vlad base": "VLAD of groups"}
TIMED = "groups-vlad base"
"""What the paper takes time on is like: of the other time is told, and nothing is claimed."""

BOUNDS, BOUNDED = "ykc-bounds", {"sift part": "SIFT of photographs", "fashion-mnist part": "pixels of clothes"}

RANDOM = ("random", "orthogonalise=false")
"""Random directions, as the paper draws them."""

LETTER, QR, OURS = "refine=false,orthogonalise=false", "refine=false", ""
SHARES = {
    "ykc-sift-samples": ("sample_fraction", (0.005, 0.01, 0.02, 0.05, 0.1), 0.05, "map"),
    "ykc-groups-samples": ("sample_fraction", (0.1, 0.2, 0.4), 0.05, "map_candidates"),
    "ykc-groups-features": ("feature_fraction", (0.12, 0.2, 0.3, 0.4), 0.3, "map_candidates"),
}
"""Of each experiment over parts: the parameter, its values, from which on the paper says it is enough, the measure."""

BITS = 64
LENGTHS = {"ykc-sift-samples": BITS, "ykc-groups-samples": 256, "ykc-groups-features": 256}
"""Bits of codes whose parts are varied: 256 as in the paper, but for SIFT, which has 128 dimensions."""

TRUNCATIONS = ("0", "1e-12", "1e-4", "1e-3", "1e-2")

Judge = Callable[[Result], ClaimJudgement]


def claims() -> list[Claim]:
    """Return the claims of Figures 1 and 2."""
    found = []
    for options, way in ((LETTER, "to the letter"), (QR, "with QR")):
        for kind in ("uniform", "weighted"):
            text = f"{kind} sampling is comparable with full PCA, {way}"
            for name in SETS:
                judge = _at_all(name, options, f"nystrom-{kind}")
                found.append(Claim("ykc", text, f"ykc-{name}", judge, "Figure 1", case=NAMES[name]))
        for name in SETS:
            text = f"uniform sampling is above random directions, {way}"
            found.append(Claim("ykc", text, f"ykc-{name}", _above_random(name, options), "Figure 1", case=NAMES[name]))
    for source, (_, _, enough, _) in SHARES.items():
        set_name, what = source.removeprefix("ykc-").split("-")
        text = f"from {100 * enough:g} % of the {what} on, sampling is comparable with full PCA"
        found.append(Claim("ykc", text, source, _enough(source), "Figure 2", case=NAMES[set_name]))
    listed: list[tuple[str, Callable[[str], Judge]]] = [
        ("the whole takes less than half the time of full PCA", _half),
        ("finding directions takes less time than PCA", _faster),
        ("weighted sampling takes longer than uniform", _longer),
    ]
    found += [
        Claim("ykc", text, "ykc-steps", judge(TIMED), "Figure 2", timed=True, case=STEPS[TIMED])
        for text, judge in listed
    ]
    for case, words in BOUNDED.items():
        found += [
            Claim("ykc", "Theorem 1's bound holds", BOUNDS, _bound(case, "product", "|XX'|_F"), "Section V", case=words,
                  nature=Nature.CERTAIN),
            Claim("ykc", "Theorem 2's bound holds", BOUNDS, _bound(case, "residual", "|X|_F"), "Section V", case=words,
                  nature=Nature.CERTAIN),
        ]  # fmt: skip
    return found


def text_of(bits: int, subspace: str, options: str = "") -> str:
    """Write a method."""
    return f"itq:bits={bits},subspace={subspace}" + (f",{options}" if options else "")


def figure_of(result: Result, measure: str, bits: int, subspace: str, options: str = "") -> MeanFigure:
    """Return a figure of a method, learned from as many items as all of an experiment are."""
    items = learned_from(result)
    text = text_of(bits, subspace, options)
    return result.figure(text if items == Itq().training_items else f"{text},training_items={items}", measure)


def learned_from(result: Result) -> int:
    """Return how many items are learned from, where there are so many."""
    method = catalogue.method(result.figures["results"][0]["method"])
    assert isinstance(method, Itq)
    return method.training_items


def items_drawn(result: Result, share: float, bits: int) -> int:
    """Say how many items the directions of so many bits are found from: a share of those that are learned from."""
    n = min(int(result.figures["data"]["n"]), learned_from(result))
    return max(math.ceil(share * n), min(n, at_least(bits)))


def _at_all(name: str, options: str, subspace: str) -> Judge:
    """Judge a claim of all numbers of bits."""

    def judge(result: Result) -> ClaimJudgement:
        pairs = {
            f"{bits} bits": (
                figure_of(result, MAP[name], bits, subspace, options),
                figure_of(result, MAP[name], bits, "pca"),
            )
            for bits in SETS[name]
        }
        return _compared(result, pairs, -COMPARABLE, [items_drawn(result, PART, bits) for bits in SETS[name]])

    return judge


def _compared(
    result: Result, pairs: dict[str, tuple[MeanFigure, MeanFigure]], low: float, drawn: Collection[int]
) -> ClaimJudgement:
    """Judge that some figures are above others, by a share of what those are above chance, as a mean.

    ``drawn`` are numbers of items.

    They are of the same draws of items, and hang together.
    """
    parts = [between(*pair) for pair in pairs.values()]
    shares = [above_chance(between(*pair), pair[1].mean, result.chance) for pair in pairs.values()]
    whole, verdict = mean_of(parts, independent=False), pooled(shares, low, independent=False)
    listed = ", ".join(f"{words} {one.mean:.3f} / {other.mean:.3f}" for words, (one, other) in pairs.items())
    numbers = f"mAP {listed}; {whole} points as a mean, {mean_of(shares, independent=False)} % of what is above chance"
    least, most = min(drawn), max(drawn)
    numbers += f"; {least:,} items drawn" if least == most else f"; {least:,} to {most:,} items drawn"
    if verdict is ClaimVerdict.NOT_CONFIRMED and least < LEAST_DRAWN:
        verdict = ClaimVerdict.CANNOT_TELL
        numbers += f", in the paper at least {LEAST_DRAWN:,}"
    return ClaimJudgement(verdict, numbers, 100 * whole.mean, "points of mAP")


def _above_random(name: str, options: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        pairs = {
            f"{bits} bits": (
                figure_of(result, MAP[name], bits, "nystrom-uniform", options),
                figure_of(result, MAP[name], bits, *RANDOM),
            )
            for bits in SETS[name]
        }
        return _compared(result, pairs, 0.0, [items_drawn(result, PART, bits) for bits in SETS[name]])

    return judge


def _enough(source: str) -> Judge:
    parameter, shares, enough, measure = SHARES[source]
    bits = LENGTHS[source]

    def judge(result: Result) -> ClaimJudgement:
        pca = figure_of(result, measure, bits, "pca")
        pairs = {
            f"{subspace.removeprefix('nystrom-')} {100 * share:g} %": (
                figure_of(result, measure, bits, subspace, f"refine=false,{parameter}={share}"),
                pca,
            )
            for subspace in ("nystrom-uniform", "nystrom-weighted")
            for share in shares
            if share >= enough
        }
        parts = [share for share in shares if share >= enough] if parameter == "sample_fraction" else [PART]
        return _compared(result, pairs, -COMPARABLE, [items_drawn(result, part, bits) for part in parts])

    return judge


def bounds(result: Result, case: str, figure: str) -> dict[float, MeanFigure]:
    """Return a side of a theorem over the part of items."""
    shares = result.figures[case]["shares"]
    return {float(share): mean_and_deviation(runs[figure]) for share, runs in shares.items()}


def _bound(case: str, what: str, of: str) -> Judge:
    """Judge by every draw; what is above all of X bounds nothing that needs a proof."""

    def judge(result: Result) -> ClaimJudgement:
        draws = list(result.figures[case]["shares"].values())
        pairs = [pair for runs in draws for pair in zip(runs[what], runs[f"{what} bound"], strict=True)]
        broken = sum(measured > bound for measured, bound in pairs)
        loose = sorted(bound / measured for measured, bound in pairs)
        least = min(bound for _, bound in pairs)
        numbers = (
            f"broken in {broken} of {len(pairs)} draws; {loose[0]:,.0f} to {loose[-1]:,.0f} times what is measured; "
            f"the least bound is {least:,.2g} {of}" + (", more than there is" if least > 1 else "")
        )
        return ClaimJudgement(holds(not broken), numbers, loose[0], "times what is measured, or more")

    return judge


def spent(result: Result, case: str, way: str) -> dict[str, float]:
    """Return the mean seconds of the steps of a way, and their sum."""
    own = result.figures[case][way]
    steps = {key: float(own[key][0]) for key in ("directions", "projecting", "turning")}
    return {**steps, "all": sum(steps.values())}


USUAL = " 0.05 0.3"


def _half(case: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        ours, pca = (spent(result, case, way)["all"] for way in (f"uniform{USUAL}", "pca"))
        times = pca / ours
        turning = spent(result, case, "pca")["turning"]
        numbers = f"{ours:.2f} s / {pca:.2f} s, of which all need {turning:.2f} s to turn the directions"
        return ClaimJudgement(above(MeasuredDifference(times), by=2.0), numbers, times, "times as fast", times / 2)

    return judge


def _faster(case: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        ours, pca = (spent(result, case, way)["directions"] for way in (f"uniform{USUAL}", "pca"))
        times = pca / ours
        return ClaimJudgement(
            above(MeasuredDifference(times), by=1.0), f"{ours:.3f} s / {pca:.3f} s", times, "times as fast", times
        )

    return judge


def _longer(case: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        uniform, weighted = (
            MeanFigure(*result.figures[case][f"{way}{USUAL}"]["directions"]) for way in ("uniform", "weighted")
        )
        numbers = f"{weighted.mean:.3f} s / {uniform.mean:.3f} s"
        times = weighted.mean / uniform.mean
        return ClaimJudgement(above(between(weighted, uniform)), numbers, times, "times as long", times)

    return judge
