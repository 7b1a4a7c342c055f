"""Claims of Jiang, Que and Kulis, CVPR 2015: the effects of a lower rank, the monotone transform, and centring.

Draws are compared one by one, from the same landmarks and queries. Other claims are about how fast eigenvalues decay,
and what lies outside the leading components.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from science.papers.result import MeanFigure, Result, mean_and_deviation
from science.papers.studies import jqk_directions, jqk_many, jqk_sweeps
from science.papers.studies.jqk_directions import KLSH, NYSTROM, ZERO
from science.papers.studies.jqk_rank_and_scale import PAPER_RANKS, SCALES
from science.papers.studies.jqk_sweeps import GAUSSIAN, LANDMARKS, SAMPLES
from science.papers.verdict import (
    COMPARABLE,
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
    level,
    lies,
    marked,
    mean_of,
    not_below,
    of_runs,
    pooled,
    some_better,
)  # fmt: skip

RECALLS = ("1", "10", "100")
KERNELS = ("chi-square", "intersection")
RANKS = (16, 32, 64, 128, 256, 512)
MIDDLE = 64
"""The rank that curves over the rank are judged at: to take the best would be to let chance choose."""

PAPER_SCALES = (1, 3, 5, 7, 9)
BITS = (64, 128, 256, 512)
FALL = 0.01
"""Of recall: of what never falls. By chance it is next to nothing."""

UNCENTRED = "a centred query above an uncentred one"
ALL_FOUND = 0.99
"""Recall of both from which on there is nothing to tell."""

PAIRS, SPECTRUM, BY_BITS = "jqk-rank-and-scale", "jqk-spectrum", "jqk-sift-bits"
JUDGED = "10"
"""The R whose recall is judged, unless a claim says otherwise."""

POINTS = f"points of recall@{JUDGED}"
Judge = Callable[[Result], ClaimJudgement]


def claims() -> list[Claim]:
    """Return the claims of the text, the figures and the theorem."""
    cases = [_of(name, kernel) for name in PAPER_RANKS for kernel in KERNELS]
    found = [_same_as_kpca()]
    found += [claim for own in cases for claim in own]
    text = "a greater scale slows the decay of eigenvalues, s = 5 above none and 10 above 5"
    found.append(Claim("jqk", text, SPECTRUM, slower, "Figure 2", case="mean of all cases"))
    lemma = "the step behind Lemma 2: no item's residual outside the first components is longer than √λ"
    found.append(Claim("jqk", lemma, SPECTRUM, lemma_2, "Theorem 3"))
    text = "the rank that is best for 256 bits is level with the best of other lengths"
    found.append(Claim("jqk", text, BY_BITS, _same_rank, "Figure 1", case="sift, chi-square"))
    for name in PAPER_RANKS:
        more = _more(f"{name} chi-square", f"{name} intersection")
        found.append(
            Claim("jqk", "the transform brings more under chi-square than under intersection", PAIRS, more, "Figure 3",
                  case=name)
        )  # fmt: skip
    for kernel in KERNELS:
        more = _more(f"gist-crops {kernel}", f"sift {kernel}")
        text = "the transform brings more on GIST than on SIFT"
        found.append(Claim("jqk", text, PAIRS, more, "Figure 3", case=kernel))
    found = marked(found, Nature.CERTAIN, "the step behind Lemma 2")
    return [*marked(found, Nature.OWN, UNCENTRED), *draws_claims()]


def _whole(tolerance: float) -> str:
    return f"{100 * tolerance:g}"


def _of(name: str, kernel: str) -> list[Claim]:
    source, case = f"jqk-{name}-{kernel}", f"{name} {kernel}"
    klsh, nystrom, low = f"klsh:kernel={kernel}", f"nystrom-lsh:kernel={kernel}", f"klsh:kernel={kernel},rank=64"
    comparable = "every rank but the smallest is at least comparable with all"
    rising = (
        f"Nyström gains with every rank: full rank is better than rank {RANKS[0]}, and at most {_whole(FALL)} point "
        "worse than any rank"
    )
    listed: list[tuple[str, str, Judge, str]] = [
        (UNCENTRED, source, _better(klsh, f"{klsh},centre_query=false"), "Section 3"),
        ("low-rank KLSH above KLSH", PAIRS, _gain(case, "low above full"), "Figure 1"),
        ("recall rises with the rank and falls again", source, _turns(kernel), "Figure 1"),
        (comparable, source, _comparable(kernel), "Figure 1"),
        ("KLSH above Nyström + LSH", source, _better(klsh, nystrom), "Figure 2"),
        ("KLSH of rank 64 above Nyström + LSH", source, _better(low, nystrom), "Figure 2"),
        (SOME_SCALE, PAIRS, _scales(case, PAPER_RANKS[name]), "Figure 3"),
        ("low rank + transform above low rank", PAIRS, _gain(case, "transformed above low"), "Figure 3"),
        ("rank and scale together above KLSH", PAIRS, _gain(case, "transformed above full"), "Table 1"),
    ]
    if name == "sift":  # the paper's curve over all ranks is of SIFT
        listed.append((rising, source, _rising(kernel), "Figure 2"))
    return [Claim("jqk", text, one, judge, item, case=f"{name}, {kernel}") for text, one, judge, item in listed]


def _judged(by_r: Mapping[str, MeasuredDifference], higher: float, lower: float) -> ClaimJudgement:
    """Judge that recall is higher, and tell of each R by how much."""
    apart = by_r[JUDGED]
    others = ", ".join(f"R@{count} {by_r[count]}" for count in RECALLS if count != JUDGED)
    words = f"R@{JUDGED} {apart} ({higher:.3f} / {lower:.3f}); {others}"
    if min(higher, lower) > ALL_FOUND:
        return ClaimJudgement(ClaimVerdict.NO_CASE, f"{words}: both find all")
    return ClaimJudgement(better(above_chance(apart, lower)), words, 100 * apart.mean, POINTS)


def _same_as_kpca() -> Claim:
    """Judge each R as a mean over data sets and kernels, for which hyperplanes are drawn anew."""
    sources = [(f"jqk-{name}-{kernel}", kernel) for name in PAPER_RANKS for kernel in KERNELS]

    def judge(*results: Result) -> ClaimJudgement:
        verdict, numbers = ClaimVerdict.CANNOT_TELL, []
        for count in RECALLS:
            pairs = [
                [result.figure(f"{method}:kernel={kernel}", f"recall@{count}") for method in ("klsh", "kpca-lsh")]
                for result, (_, kernel) in zip(results, sources, strict=True)
            ]
            told = [pair for pair in pairs if min(one.mean for one in pair) <= ALL_FOUND]
            parts = [between(*pair) for pair in told]
            shares = [above_chance(part, pair[1].mean) for part, pair in zip(parts, told, strict=True)]
            verdict = pooled(shares, -SAME, SAME) if count == JUDGED else verdict
            numbers.append(f"R@{count} {mean_of(parts)}" if parts else f"R@{count} all found")
        return ClaimJudgement(verdict, f"mean of {len(sources)} cases, points: {', '.join(numbers)}")

    first, *more = (source for source, _ in sources)
    text = "KLSH is level with KPCA + LSH"
    return Claim("jqk", text, first, judge, "Section 3", more=tuple(more))


def _gain(case: str, contest: str) -> Judge:
    """Judge what was gained on the same queries, landmarks and draws, each at its best rank and scale."""

    def judge(result: Result) -> ClaimJudgement:
        found = result.figures[case]["contests"][contest]
        parts = {count: MeasuredDifference(one["gain"], one["error"]) for count, one in found.items()}
        return _judged(parts, found[JUDGED]["better"], found[JUDGED]["worse"])

    return judge


def _more(case: str, other: str) -> Judge:
    """Compare what the transform gains above a low rank, of two cases, by Recall@10."""

    def judge(result: Result) -> ClaimJudgement:
        one, two = (result.figures[name]["contests"]["transformed above low"]["10"] for name in (case, other))
        more = MeasuredDifference(one["gain"] - two["gain"], math.hypot(one["error"], two["error"]))
        words = " / ".join(f"{100 * this['gain']:+.1f}" for this in (one, two))
        share = above_chance(more, (one["worse"] + two["worse"]) / 2)
        return ClaimJudgement(better(share), f"gains of R@10 {words} points, apart by {more}")

    return judge


def _better(better: str, worse: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        pairs = {count: [result.figure(one, f"recall@{count}") for one in (better, worse)] for count in RECALLS}
        return _judged({count: between(*pair) for count, pair in pairs.items()}, *(one.mean for one in pairs[JUDGED]))

    return judge


def _by_rank(result: Result, method: str, recall: str) -> tuple[dict[int, MeanFigure], MeanFigure]:
    """Return the recall of each rank, and of all."""
    found = {rank: result.figure(f"{method},rank={rank}", recall) for rank in RANKS}
    return found, result.figure(method, recall)


def _turns(kernel: str) -> Judge:
    """Judge whether a rank that was fixed beforehand is above both the smallest and all."""

    def judge(result: Result) -> ClaimJudgement:
        by_rank, every = _by_rank(result, f"klsh:kernel={kernel}", "recall@10")
        rises, falls = between(by_rank[MIDDLE], by_rank[RANKS[0]]), between(by_rank[MIDDLE], every)
        best = max(RANKS, key=lambda rank: by_rank[rank].mean)
        numbers = f"R@10 of rank {MIDDLE} above {RANKS[0]} by {rises}, above all by {falls}; best of all: rank {best}"
        shares = above_chance(rises, by_rank[RANKS[0]].mean), above_chance(falls, every.mean)
        return ClaimJudgement(better(*shares), numbers)

    return judge


def _comparable(kernel: str) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        by_rank, every = _by_rank(result, f"klsh:kernel={kernel}", "recall@100")
        parts = {
            rank: above_chance(between(one, every), every.mean) for rank, one in by_rank.items() if rank != RANKS[0]
        }
        worst = min(parts, key=lambda rank: parts[rank].interval()[0])
        numbers = (
            f"R@100 of all ranks {every}; the interval that reaches lowest, of rank {worst}: {parts[worst]} % of it"
        )
        return ClaimJudgement(not_below(*parts.values(), tolerance=COMPARABLE), numbers)

    return judge


def _same_rank(result: Result) -> ClaimJudgement:
    """Judge whether the rank that is best at 256 bits is level with the best one at every other number of bits."""

    def recall(bits: int, rank: int) -> MeanFigure:
        return result.figure(f"klsh:kernel=chi-square,bits={bits},rank={rank}", "recall@10")

    best = {bits: max(RANKS, key=lambda rank: recall(bits, rank).mean) for bits in BITS}
    parts = {
        bits: above_chance(between(recall(bits, best[bits]), other), other.mean)
        for bits in BITS
        for other in [recall(bits, best[256])]
        if best[bits] != best[256]
    }
    verdict = level(*parts.values(), tolerance=SAME) if parts else ClaimVerdict.CONFIRMED
    apart = "".join(f"; at {bits} bits its own best is above by {part} % of it" for bits, part in parts.items())
    return ClaimJudgement(verdict, "best rank " + ", ".join(f"{best[bits]} at {bits} bits" for bits in BITS) + apart)


def _rising(kernel: str) -> Judge:
    """Judge whether all ranks are above the first and below none; a fall from the middle alone refutes it."""

    def judge(result: Result) -> ClaimJudgement:
        by_rank, every = _by_rank(result, f"nystrom-lsh:kernel={kernel}", "recall@10")
        parts = {rank: between(every, one) for rank, one in by_rank.items()}
        verdict = not_below(parts[MIDDLE], tolerance=FALL)
        if verdict is not ClaimVerdict.NOT_CONFIRMED:
            verdict = gravest((not_below(*parts.values(), tolerance=FALL), above(parts[RANKS[0]])))
        peak = max(RANKS, key=lambda rank: by_rank[rank].mean)
        numbers = ", ".join(f"{rank}: {one.mean:.3f}" for rank, one in (*by_rank.items(), ("all", every)))
        falls = f"all above rank {MIDDLE} by {parts[MIDDLE]}, above the peak, {peak}, by {parts[peak]}"
        return ClaimJudgement(verdict, f"R@10 by rank {numbers}; {falls}")

    return judge


def _scales(case: str, rank: int) -> Judge:
    """Judge every scale at the paper's rank against none, on the same queries, landmarks and draws."""

    def judge(result: Result) -> ClaimJudgement:
        scales = result.figures[case]["scales"]
        parts = {
            scale: MeasuredDifference(by_r[JUDGED]["gain"], by_r[JUDGED]["error"]) for scale, by_r in scales.items()
        }
        best = max(parts, key=lambda scale: parts[scale].mean)
        words = f"R@{JUDGED} of rank {rank}: s = {best} is the best, above none by {parts[best]}"
        none = result.figures[case]["recall"][JUDGED][f"r={rank}"]
        verdict = some_better(*(above_chance(part, none) for part in parts.values()))
        return ClaimJudgement(verdict, words, 100 * parts[best].mean, POINTS)

    return judge


DIRECTIONS, SWEEPS, MANY = "jqk-directions", "jqk-sweeps", "jqk-many"
DRAWN_RECALL = "10"
DRAWN_RANKS = ("64", "full")
DRAWN_POINTS = f"points of recall@{DRAWN_RECALL}"
ESSENTIAL, EQUAL, FALL, SATURATED = 0.05, 0.03, 0.01, 0.02
"""Tolerances of recall: what is essential costs as much; what is the same; what never falls; what gains no more."""

ENOUGH = 30
"""Landmarks in a hyperplane from which on it is as good as Gaussian."""

SOME_SCALE = "some scale above none at the paper's rank"
ZERO_LEVEL = "directions of sum zero, not centred, are level with KLSH, or find more"
DrawJudge = Callable[[Result], ClaimJudgement]


def draws_claims() -> list[Claim]:
    """Return the claims of sections 3 and 4.2, and that of Figure 3 among all SIFT."""
    found = []
    for case in jqk_directions.CASES:
        words = case.replace(" ", ", ")
        text = (
            f"centring is essential: without it recall is at least {100 * ESSENTIAL:g} points lower, however "
            "directions are drawn"
        )
        found.append(Claim("jqk", text, DIRECTIONS, _essential(case), "Figure 2", case=words))
        found.append(Claim("jqk", ZERO_LEVEL, DIRECTIONS, _zero(case), "Figure 2", case=words))
    for kernel in jqk_many.CASES:
        listed: list[tuple[str, DrawJudge]] = [
            (f"directions of t = {ENOUGH} landmarks or more are level with Gaussian ones", _central(kernel)),
            ("more landmarks rank better at a fixed rank, 3,000 above 100 and no step down by a point",
             _more_landmarks(kernel)),
            (f"some thousands of landmarks are enough: 3,000 gain at most {100 * SATURATED:g} points on 1,000",
             _saturated(kernel)),
        ]  # fmt: skip
        found += [Claim("jqk", text, SWEEPS, judge, "Sections 3 and 4.2", case=f"sift, {kernel}")
                  for text, judge in listed]  # fmt: skip
        found.append(
            Claim("jqk", SOME_SCALE, MANY, _some_scale(kernel), "Figure 3, all SIFT", case=f"all sift, {kernel}")
        )
    return marked(found, Nature.OWN, ZERO_LEVEL, "centring is essential")  # the paper says it of Gaussian ones alone


def drawn(result: Result, case: str, setting: str, count: str = DRAWN_RECALL) -> list[float]:
    """Return the recall of each draw."""
    values: list[float] = result.figures[case]["recall"][setting][count]
    return values


def recall(result: Result, case: str, setting: str, count: str = DRAWN_RECALL) -> MeanFigure:
    """Return the recall over the draws."""
    return mean_and_deviation(drawn(result, case, setting, count))


def apart(result: Result, case: str, one: str, other: str) -> MeasuredDifference:
    """Return by how much a setting is above another, draw by draw."""
    pairs = zip(drawn(result, case, one), drawn(result, case, other), strict=True)
    return of_runs([better - worse for better, worse in pairs])


def _essential(case: str) -> DrawJudge:
    """Judge by the best of the ways without centring, which are two: of one it was known beforehand that it is best."""

    def judge(result: Result) -> ClaimJudgement:
        parts = {rank: apart(result, case, f"{KLSH}, {rank}", f"{ZERO}, {rank}") for rank in DRAWN_RANKS}
        gaussian = ", ".join(str(apart(result, case, f"{KLSH}, {rank}", f"{NYSTROM}, {rank}")) for rank in DRAWN_RANKS)
        told = ", ".join(f"{part} (rank {rank})" for rank, part in parts.items())
        numbers = f"KLSH above Gaussian directions by {gaussian}, above those of sum zero by {told}"
        return ClaimJudgement(above(*parts.values(), by=ESSENTIAL), numbers)

    return judge


def _zero(case: str) -> DrawJudge:
    def judge(result: Result) -> ClaimJudgement:
        parts = {rank: apart(result, case, f"{ZERO}, {rank}", f"{KLSH}, {rank}") for rank in DRAWN_RANKS}
        shares = [above_chance(part, recall(result, case, f"{KLSH}, {rank}").mean) for rank, part in parts.items()]
        told = []
        for rank, part in parts.items():
            one, other = (recall(result, case, f"{way}, {rank}") for way in (ZERO, KLSH))
            told.append(f"rank {rank} {one} / {other}, {part}")
        far = max(parts.values(), key=lambda part: abs(part.mean))
        return ClaimJudgement(
            not_below(*shares, tolerance=SAME),
            f"R@{DRAWN_RECALL} {'; '.join(told)}",
            100 * far.mean,
            DRAWN_POINTS,
        )

    return judge


def _central(kernel: str) -> DrawJudge:
    def judge(result: Result) -> ClaimJudgement:
        case = f"samples {kernel}"
        parts = {
            f"t = {t}, rank {rank}": apart(result, case, f"{t}, {rank}", f"{GAUSSIAN}, {rank}")
            for t in SAMPLES
            if t >= ENOUGH
            for rank in DRAWN_RANKS
        }
        far = max(parts, key=lambda one: abs(parts[one].mean))
        numbers = f"the farthest of {len(parts)}, {far}: {parts[far]}"
        # Of a draw all settings hang together: their mean is one number of each draw.
        rows = [
            [one - other for one, other in zip(drawn(result, case, f"{t}, {rank}"), gaussian, strict=True)]
            for rank in DRAWN_RANKS
            for gaussian in [drawn(result, case, f"{GAUSSIAN}, {rank}")]
            for t in SAMPLES
            if t >= ENOUGH
        ]
        whole = of_runs([sum(draw) / len(draw) for draw in zip(*rows, strict=True)])
        common = mean_and_deviation([one for rank in DRAWN_RANKS for one in drawn(result, case, f"{GAUSSIAN}, {rank}")])
        shares = [above_chance(part, common.mean) for part in parts.values()]
        surely = level(*shares, tolerance=SAME)
        as_mean = level(above_chance(whole, common.mean), tolerance=SAME)
        verdict = surely if surely is ClaimVerdict.NOT_CONFIRMED else as_mean
        return ClaimJudgement(verdict, f"{whole} points as a mean; {numbers}", 100 * whole.mean, DRAWN_POINTS)

    return judge


def _steps(result: Result, kernel: str, counts: Sequence[int]) -> list[MeasuredDifference]:
    case = f"landmarks {kernel}"
    return [apart(result, case, f"{more}, 64", f"{fewer}, 64") for fewer, more in pairwise(counts)]


def _more_landmarks(kernel: str) -> DrawJudge:
    def judge(result: Result) -> ClaimJudgement:
        (whole,) = _steps(result, kernel, (LANDMARKS[0], LANDMARKS[-1]))
        steps = _steps(result, kernel, LANDMARKS)
        numbers = f"R@{DRAWN_RECALL} at rank 64 " + ", ".join(
            f"{m:,}: {recall(result, f'landmarks {kernel}', f'{m}, 64')}" for m in LANDMARKS
        )
        verdict = gravest((above(whole), not_below(*steps, tolerance=FALL)))
        return ClaimJudgement(
            verdict, f"{numbers}; the most above the fewest by {whole}", 100 * whole.mean, DRAWN_POINTS
        )

    return judge


def _saturated(kernel: str) -> DrawJudge:
    def judge(result: Result) -> ClaimJudgement:
        (gain,) = _steps(result, kernel, (jqk_sweeps.LANDMARK, LANDMARKS[-1]))
        return ClaimJudgement(
            lies(gain, high=SATURATED), f"R@{DRAWN_RECALL} at rank 64: {gain} points", 100 * gain.mean, DRAWN_POINTS
        )

    return judge


def _some_scale(kernel: str) -> DrawJudge:
    def judge(result: Result) -> ClaimJudgement:
        parts = {f"{s:g}": apart(result, kernel, f"{s:g}", "none") for s in SCALES}
        best = max(parts, key=lambda one: parts[one].mean)
        items = result.figures[kernel]["items"]
        words = f"R@{DRAWN_RECALL} of rank {jqk_many.RANK}, {items:,} items: s = {best} is the best, "
        words += f"above none by {parts[best]}"
        none = recall(result, kernel, "none").mean
        verdict = some_better(*(above_chance(part, none) for part in parts.values()))
        return ClaimJudgement(verdict, words, 100 * parts[best].mean, DRAWN_POINTS)

    return judge


def slower(result: Result) -> ClaimJudgement:
    """Judge the mean over data sets and kernels of the logarithm of how many times λ64 / λ1 grows."""
    shares: dict[str, list[float]] = {scale: [] for scale in ("none", "5", "10")}
    for found in result.figures.values():
        for scale, own in shares.items():
            one = found[scale]
            own.append(one["eigenvalue"][one["ranks"].index(64)] / one["eigenvalue"][0])
    parts, words = [], []
    for less, more in pairwise(shares):
        grown = [math.log(after / before) for before, after in zip(shares[less], shares[more], strict=True)]
        parts.append(between(_runs(grown), MeanFigure(0.0)))
        mean, (low, high) = math.exp(parts[-1].mean), map(math.exp, parts[-1].interval())
        least = math.exp(min(grown))
        words.append(
            f"s = {more} over {less}: {mean:.2f} times [{low:.2f}, {high:.2f}], in each case {least:.2f} or more"
        )
    return ClaimJudgement(above(*parts), f"λ64 / λ1, {'; '.join(words)}")


def _runs(values: Sequence[float]) -> MeanFigure:
    return MeanFigure(statistics.fmean(values), statistics.stdev(values), len(values))


def lemma_2(result: Result) -> ClaimJudgement:
    """Look, in each case, at the rank at which most items satisfy the lemma, which says that all do at every rank."""
    shares = {case: one["none"]["satisfied"] for case, one in result.figures.items()}
    numbers = ", ".join(f"{case} {100 * share:.1f} %" for case, share in shares.items())
    return ClaimJudgement(holds(min(shares.values()) >= 1), f"items that do, at the rank where most do: {numbers}")
