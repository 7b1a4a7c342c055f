"""Yun, Kim and Choi, ICDM 2012: uniform Nyström is as good as principal components, from a small part of the data."""

from __future__ import annotations

from collections.abc import Callable

from tests.papers.result import Figure, Result
from tests.papers.verdict import Claim, Judgement, Verdict, above, gravest, holds, level

SETS = {"sift": (16, 32, 64, 128), "fashion": (16, 32, 64, 128, 256), "groups": (16, 64, 256)}
MAP = {"sift": "map", "fashion": "map", "groups": "map_candidates"}
"""Which average precision is that of the paper's protocol on such data."""

LEVEL = 0.02
STEPS = {"fashion-mnist part": "pixels of clothes", "groups-vlad base": "VLAD of groups"}
LETTER, QR, OURS = "refine=false,orthogonalise=false", "refine=false", ""
SHARES = {
    "ykc-sift-samples": ("sample_fraction", (0.005, 0.01, 0.02, 0.05, 0.1), 0.05, "map"),
    "ykc-groups-samples": ("sample_fraction", (0.03, 0.05, 0.1, 0.2), 0.05, "map_candidates"),
    "ykc-groups-features": ("feature_fraction", (0.03, 0.1, 0.2, 0.3, 0.4), 0.3, "map_candidates"),
}
"""Of each experiment over parts: the parameter, its values, from which on the paper says it is enough, the measure."""

TRUNCATIONS = ("0", "1e-12", "1e-4", "1e-3", "1e-2")

Judge = Callable[[Result], Judgement]


def claims() -> list[Claim]:
    """Give the claims of Figures 1 and 2 and of section V."""
    found = [claim for name in SETS for claim in _first(name)]
    for source, (_, _, enough, _) in SHARES.items():
        what = source.removeprefix("ykc-").replace("-", ", parts of ")
        text = f"from {100 * enough:g} % on, uniform and weighted are level with full PCA ({what})"
        found.append(Claim("ykc", text, source, _enough(source), "Figure 2"))
    for case, words in STEPS.items():
        found += [
            Claim("ykc", f"the whole takes less than half the time of full PCA ({words})", "ykc-steps", _half(case),
                  "Figure 2", timed=True),
            Claim("ykc", f"finding directions takes 16 times less than PCA ({words})", "ykc-steps", _faster(case),
                  "Figure 2", timed=True),
            Claim("ykc", f"weighted sampling takes longer than uniform ({words})", "ykc-steps", _longer(case),
                  "Figure 2", timed=True),
            Claim("ykc", f"5 % of items and 30 % of dimensions hold as much variance as PCA, to 2 % ({words})",
                  "ykc-steps", _holds(case), "Section V"),
        ]  # fmt: skip
    return found


def text_of(bits: int, subspace: str, options: str = "") -> str:
    """Write a method."""
    return f"itq:bits={bits},subspace={subspace}" + (f",{options}" if options else "")


def random_of(bits: int) -> str:
    """Write the method of random directions, as the paper draws them."""
    return text_of(bits, "random", "orthogonalise=false")


def _first(name: str) -> list[Claim]:
    listed: list[tuple[str, Judge]] = [
        ("uniform level with full PCA, to the letter", _at_all(name, LETTER, "nystrom-uniform")),
        ("weighted level with full PCA, to the letter", _at_all(name, LETTER, "nystrom-weighted")),
        ("uniform level with full PCA, directions made orthogonal", _at_all(name, QR, "nystrom-uniform")),
        ("weighted level with full PCA, directions made orthogonal", _at_all(name, QR, "nystrom-weighted")),
        ("uniform above random directions, to the letter", _above_random(name, LETTER)),
        ("uniform above random directions, directions made orthogonal", _above_random(name, QR)),
    ]
    return [Claim("ykc", f"{text} ({name})", f"ykc-{name}", judge, "Figure 1") for text, judge in listed]


def _at_all(name: str, options: str, subspace: str) -> Judge:
    """Judge a claim of all numbers of bits: as sure as the least sure."""

    def judge(result: Result) -> Judgement:
        verdicts, numbers = [], []
        for bits in SETS[name]:
            one = result.figure(text_of(bits, subspace, options), MAP[name])
            pca = result.figure(text_of(bits, "pca"), MAP[name])
            verdicts.append(not_below(one, pca))
            numbers.append(f"{bits} bits {one.mean:.3f} / {pca.mean:.3f}")
        return Judgement(gravest(verdicts), f"mAP {', '.join(numbers)}")

    return judge


def not_below(one: Figure, pca: Figure) -> Verdict:
    """Say whether a figure is as good as another, to ``LEVEL``; better is as good, too."""
    return Verdict.CONFIRMED if one.mean >= pca.mean else level(one, pca, LEVEL)


def _above_random(name: str, options: str) -> Judge:
    def judge(result: Result) -> Judgement:
        verdicts, numbers = [], []
        for bits in SETS[name]:
            one = result.figure(text_of(bits, "nystrom-uniform", options), MAP[name])
            other = result.figure(random_of(bits), MAP[name])
            verdicts.append(above(one, other))
            numbers.append(f"{bits} bits {one.mean:.3f} / {other.mean:.3f}")
        return Judgement(gravest(verdicts), f"mAP {', '.join(numbers)}")

    return judge


def _enough(source: str) -> Judge:
    parameter, shares, enough, measure = SHARES[source]

    def judge(result: Result) -> Judgement:
        pca = result.figure(text_of(64, "pca"), measure)
        verdicts, numbers = [], [f"PCA {pca.mean:.3f}"]
        for subspace in ("nystrom-uniform", "nystrom-weighted"):
            found = {
                share: result.figure(text_of(64, subspace, f"refine=false,{parameter}={share}"), measure)
                for share in shares
            }
            verdicts += [not_below(one, pca) for share, one in found.items() if share >= enough]
            listed = ", ".join(f"{100 * share:g} % {one.mean:.3f}" for share, one in found.items())
            numbers.append(f"{subspace.removeprefix('nystrom-')} {listed}")
        return Judgement(gravest(verdicts), f"mAP {'; '.join(numbers)}")

    return judge


def spent(result: Result, case: str, way: str) -> dict[str, float]:
    """Give the mean seconds of the steps of a way, and their sum."""
    own = result.figures[case][way]
    steps = {key: float(own[key][0]) for key in ("directions", "projecting", "turning")}
    return {**steps, "all": sum(steps.values())}


USUAL = " 0.05 0.3"


def _half(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, pca = (spent(result, case, way)["all"] for way in (f"uniform{USUAL}", "pca"))
        return Judgement(holds(ours < pca / 2), f"{ours:.2f} s / {pca:.2f} s, {pca / ours:.1f} times")

    return judge


def _faster(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        ours, pca = (spent(result, case, way)["directions"] for way in (f"uniform{USUAL}", "pca"))
        return Judgement(holds(pca > 16 * ours), f"{ours:.3f} s / {pca:.3f} s, {pca / ours:.1f} times")

    return judge


def _longer(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        uniform, weighted = (
            Figure(*result.figures[case][f"{way}{USUAL}"]["directions"]) for way in ("uniform", "weighted")
        )
        return Judgement(above(weighted, uniform, most=1e9), f"{weighted.mean:.3f} s / {uniform.mean:.3f} s")

    return judge


def _holds(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        ways = [Figure(*result.figures[case][f"{way}{USUAL}"]["held"]) for way in ("uniform", "weighted")]
        words = " / ".join(f"{100 * one.mean:.1f} %" for one in ways)
        return Judgement(gravest(not_below(one, Figure(1.0)) for one in ways), f"of PCA's variance {words}")

    return judge
