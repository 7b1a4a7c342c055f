"""Jiang, Que and Kulis, CVPR 2015: what a lower rank and the monotone transform bring, and what centring does."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from tests.papers.result import Result
from tests.papers.verdict import Claim, Judgement, Verdict, above, alike, gained, gravest, holds, level

RECALLS = ("1", "10", "100")
KERNELS = ("chi-square", "intersection")
SETS = {"sift": 100, "edge-crops": 32, "gist-crops": 64}
"""Data sets, and the rank at which the paper varies the scale on the set that they stand in for."""

RANKS = (16, 32, 64, 128, 256, 512)
SCALES = (1, 3, 5, 7, 9)
BITS = (64, 128, 256, 512)
RANK_ALONE, TOTAL = 0.07, 0.12
"""The least improvements of Recall@100 in the paper: by the rank alone, and by rank and scale (Table 1)."""

PAIRS, SPECTRUM, BY_BITS = "jqk-rank-and-scale", "jqk-spectrum", "jqk-sift-bits"
CONTESTS = (
    ("low-rank KLSH above KLSH", "low", "full", "Figure 1"),
    ("low rank + transform above low rank", "transformed", "low", "Figure 3"),
)
"""What is compared on the same queries, landmarks and draws, each with the rank and scale that are best for it."""

Judge = Callable[[Result], Judgement]


def claims() -> list[Claim]:
    """Give the claims of the text, the figures, the table and the theorem, for each data set and kernel."""
    cases = [_of(name, kernel) for name in SETS for kernel in KERNELS]
    found = [claim for same in zip(*cases, strict=True) for claim in same]  # what is claimed of all stands together
    lemma = "no item's residual is longer than √λ (Lemma 2)"
    found.append(Claim("jqk", lemma, SPECTRUM, _lemma, "Theorem 3"))
    bound = "with 1,000 landmarks the bound is above 0 at some rank"
    found.append(Claim("jqk", bound, SPECTRUM, _bound, "Theorem 3"))
    found.append(
        Claim(
            "jqk",
            "the rank that is best for 256 bits is level with the best of other lengths",
            BY_BITS,
            _same_rank,
            "Figure 1",
        )
    )
    found.append(
        Claim("jqk", "Nyström gains with every rank", "jqk-sift-intersection", _rising("intersection"), "Figure 2")
    )
    for name in SETS:
        more = _more(f"{name} chi-square", f"{name} intersection")
        text = f"the transform brings more under chi-square than under intersection ({name})"
        found.append(Claim("jqk", text, PAIRS, more, "Figure 3"))
    for kernel in KERNELS:
        more = _more(f"gist-crops {kernel}", f"sift {kernel}")
        found.append(
            Claim("jqk", f"the transform brings more on GIST than on SIFT ({kernel})", PAIRS, more, "Figure 3")
        )
    return found


def _of(name: str, kernel: str) -> list[Claim]:
    source, case, rank = f"jqk-{name}-{kernel}", f"{name} {kernel}", SETS[name]
    klsh, nystrom, low = f"klsh:kernel={kernel}", f"nystrom-lsh:kernel={kernel}", f"klsh:kernel={kernel},rank=64"
    listed: list[tuple[str, str, Judge, str]] = [
        ("KLSH equals KPCA + LSH", source, _equal(klsh, f"kpca-lsh:kernel={kernel}"), "Section 3"),
        ("a centred query above an uncentred one", source, _better(klsh, f"{klsh},centre_query=false"), "Section 3"),
        *((text, PAIRS, _gain(case, f"{one} above {other}"), item) for text, one, other, item in CONTESTS),
        ("recall rises with the rank and falls again", source, _turns(kernel), "Figure 1"),
        ("every rank but the smallest is level with all, or above", source, _not_below(kernel), "Figure 1"),
        (
            f"the best rank gains at least {RANK_ALONE} of Recall@100",
            PAIRS,
            _at_least(case, "low above full", RANK_ALONE),
            "Figure 1",
        ),
        ("KLSH above Nyström + LSH", source, _better(klsh, nystrom), "Figure 2"),
        ("KLSH of rank 64 above Nyström + LSH", source, _better(low, nystrom), "Figure 2"),
        ("a greater scale slows the decay", SPECTRUM, _slower(case), "Figure 2"),
        (f"some scale above none at rank {rank}", source, _scales(kernel, rank), "Figure 3"),
        (
            f"a total improvement of Recall@100 of at least {TOTAL}",
            PAIRS,
            _at_least(case, "transformed above full", TOTAL),
            "Table 1",
        ),
        ("rank and scale together gain", PAIRS, _gain(case, "transformed above full"), "Table 1"),
    ]
    return [Claim("jqk", f"{text} ({kernel}, {name})", one, judge, item) for text, one, judge, item in listed]


def _gain(case: str, contest: str) -> Judge:
    """Judge what was gained on the same queries, landmarks and draws: as sure as the least sure R."""

    def judge(result: Result) -> Judgement:
        verdicts, numbers = [], []
        for count, one in result.figures[case]["contests"][contest].items():
            verdicts.append(gained(one["gain"], one["error"]))
            numbers.append(
                f"R@{count} {one['better']:.3f} / {one['worse']:.3f}, gain {one['gain']:+.3f} ±{one['error']:.3f} "
                f"({' / '.join(one['chosen'])})"
            )
        return Judgement(gravest(verdicts), "; ".join(numbers))

    return judge


def _at_least(case: str, contest: str, least: float) -> Judge:
    """Judge a gain of Recall@100 above KLSH of all ranks, where there is so much to gain."""

    def judge(result: Result) -> Judgement:
        one = result.figures[case]["contests"][contest]["100"]
        numbers = f"{one['better']:.3f} / {one['worse']:.3f}, gain {one['gain']:+.3f} ±{one['error']:.3f}"
        if one["worse"] + least > 1:
            return Judgement(Verdict.CANNOT_TELL, f"{numbers}: KLSH leaves no {least} to gain")
        return Judgement(gained(one["gain"] - least, one["error"]), numbers)

    return judge


def _more(case: str, other: str) -> Judge:
    """Compare what the transform gains above a low rank, of two cases, by Recall@10."""

    def judge(result: Result) -> Judgement:
        one, two = (result.figures[name]["contests"]["transformed above low"]["10"] for name in (case, other))
        verdict = gained(one["gain"] - two["gain"], math.hypot(one["error"], two["error"]))
        words = " / ".join(f"{this['gain']:+.3f} ±{this['error']:.3f}" for this in (one, two))
        return Judgement(verdict, f"gain of R@10 {words}")

    return judge


def _better(better: str, worse: str) -> Judge:
    """Compare two methods at every R."""

    def judge(result: Result) -> Judgement:
        verdicts, numbers = [], []
        for count in RECALLS:
            one, other = (result.figure(text, f"recall@{count}") for text in (better, worse))
            verdicts.append(above(one, other))
            numbers.append(f"R@{count} {one} / {other}")
        told = [one for one in verdicts if one is not Verdict.CANNOT_TELL]
        # Where one R tells nothing since all is found, the others do.
        return Judgement(gravest(told) if len(told) > 1 else gravest(verdicts), ", ".join(numbers))

    return judge


def _equal(one: str, other: str) -> Judge:
    def judge(result: Result) -> Judgement:
        both = [(result.figure(one, f"recall@{count}"), result.figure(other, f"recall@{count}")) for count in RECALLS]
        numbers = [f"R@{count} {a} / {b}" for count, (a, b) in zip(RECALLS, both, strict=True)]
        return Judgement(alike(both), ", ".join(numbers))

    return judge


def _turns(kernel: str) -> Judge:
    """Judge whether the best rank is above both the smallest and all."""

    def judge(result: Result) -> Judgement:
        by_rank = {rank: result.figure(f"klsh:kernel={kernel},rank={rank}", "recall@10") for rank in RANKS}
        every = result.figure(f"klsh:kernel={kernel}", "recall@10")
        best = max(RANKS, key=lambda rank: by_rank[rank].mean)
        numbers = f"R@10 rank 16 {by_rank[16]}, best rank {best} {by_rank[best]}, all {every}"
        if best == RANKS[0]:
            return Judgement(above(by_rank[best], every), f"{numbers}: the smallest is the best already")
        return Judgement(gravest((above(by_rank[best], by_rank[16]), above(by_rank[best], every))), numbers)

    return judge


def _not_below(kernel: str) -> Judge:
    def judge(result: Result) -> Judgement:
        every = result.figure(f"klsh:kernel={kernel}", "recall@100")
        verdicts, numbers = [], []
        for rank in RANKS[1:]:
            one = result.figure(f"klsh:kernel={kernel},rank={rank}", "recall@100")
            verdicts.append(
                Verdict.NOT_CONFIRMED if above(every, one, 0.02) is Verdict.CONFIRMED else Verdict.CONFIRMED
            )
            numbers.append(f"{rank}: {one.mean:.3f}")
        return Judgement(gravest(verdicts), f"R@100 all {every}; {', '.join(numbers)}")

    return judge


def _same_rank(result: Result) -> Judgement:
    """Judge whether the rank that is best at 256 bits is level with the best one at every other number of bits."""

    def recall(bits: int, rank: int) -> str:
        return f"klsh:kernel=chi-square,bits={bits},rank={rank}"

    best = {bits: max(RANKS, key=lambda rank: result.figure(recall(bits, rank), "recall@10").mean) for bits in BITS}
    verdicts = [
        level(
            result.figure(recall(bits, best[bits]), "recall@10"),
            result.figure(recall(bits, best[256]), "recall@10"),
            0.02,
        )
        for bits in BITS
    ]
    return Judgement(gravest(verdicts), "best rank " + ", ".join(f"{best[bits]} at {bits} bits" for bits in BITS))


def _rising(kernel: str) -> Judge:
    def judge(result: Result) -> Judgement:
        figures = [result.figure(f"nystrom-lsh:kernel={kernel},rank={rank}", "recall@10") for rank in RANKS]
        falls = [above(one, after, 0.01) is Verdict.CONFIRMED for one, after in itertools.pairwise(figures)]
        numbers = ", ".join(f"{rank}: {one.mean:.3f}" for rank, one in zip(RANKS, figures, strict=True))
        rises = above(figures[-1], figures[0])
        return Judgement(gravest((holds(not any(falls)), rises)), f"R@10 by rank {numbers}")

    return judge


def _scales(kernel: str, rank: int) -> Judge:
    def judge(result: Result) -> Judgement:
        plain = result.figure(f"klsh:kernel={kernel},rank={rank}", "recall@10")
        by_scale = {
            scale: result.figure(f"klsh:kernel={kernel},rank={rank},scale={scale}", "recall@10") for scale in SCALES
        }
        best = max(SCALES, key=lambda scale: by_scale[scale].mean)
        listed = ", ".join(f"s = {scale}: {one.mean:.3f}" for scale, one in by_scale.items())
        return Judgement(
            above(by_scale[best], plain), f"R@10 none {plain}, best s = {best} {by_scale[best]} ({listed})"
        )

    return judge


def _slower(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        shares = {}
        for scale in ("none", "5", "10"):
            one = result.figures[case][scale]
            shares[scale] = one["eigenvalue"][one["ranks"].index(64)] / one["eigenvalue"][0]
        numbers = ", ".join(f"s = {scale}: {share:.4f}" for scale, share in shares.items())
        return Judgement(holds(shares["none"] < shares["5"] < shares["10"]), f"λ64 / λ1 {numbers}")

    return judge


def _lemma(result: Result) -> Judgement:
    """Look, in each case, at the rank at which most items satisfy the lemma, which says that all do at every rank."""
    shares = {case: one["none"]["satisfied"] for case, one in result.figures.items()}
    numbers = ", ".join(f"{case} {100 * share:.1f} %" for case, share in shares.items())
    return Judgement(holds(min(shares.values()) >= 1), f"items that do, at the rank where most do: {numbers}")


def _bound(result: Result) -> Judgement:
    best = {case: max(one["best_bound"] for one in by_scale.values()) for case, by_scale in result.figures.items()}
    numbers = ", ".join(f"{case} {value:,.0f}" for case, value in best.items())
    return Judgement(
        holds(max(best.values()) > 0), f"the greatest over ranks and scales: {numbers}; kernels are at most 1"
    )
