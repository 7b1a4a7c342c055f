"""Claims beyond the papers: this program's own, about methods that are newer than the papers."""

from __future__ import annotations

from collections.abc import Callable

from science.papers.result import MeanFigure, Result
from science.papers.studies.beyond_tuner import ASKED, CASES, defaults_of
from science.papers.verdict import (
    Claim,
    ClaimJudgement,
    ClaimVerdict,
    Nature,
    above_chance,
    better,
    between,
    marked,
    mean_of,
    pooled,
)

BITS = (32, 64, 128, 256)
KERNEL_CODES = {
    "KLSH": "klsh:kernel=chi-square",
    "KLSH, rank 64": "klsh:kernel=chi-square,rank=64",
    "KLSH, rank 64, s = 5": "klsh:kernel=chi-square,rank=64,scale=5",
    "KPCA + ITQ": "kpca-itq:kernel=chi-square",
    "PCA + ITQ": "itq",
    "random hyperplanes": "lsh",
}
MATRIX_CODES = {
    "random waves": "sik",
    "bilinear random waves": "bilinear-sik",
    "random hyperplanes": "lsh",
    "bilinear random hyperplanes": "bilinear-lsh",
    "bilinear, learned rotations": "bilinear-itq",
    "PCA + ITQ": "itq",
}
MATRIX_BITS = {"beyond-pixels": (64, 256, 400), "beyond-groups": (64, 256, 1024)}
MEASURES = {"beyond-pixels": "map", "beyond-groups": "map_candidates"}

Judge = Callable[[Result], ClaimJudgement]


def claims() -> list[Claim]:
    """Return the claims of the page's last section."""
    found = []
    for bits in BITS:
        text = "KPCA + ITQ above every KLSH (GIST of crops, chi-square)"
        found.append(Claim("beyond", text, "beyond-kernels", _itq(bits), "By a kernel", case=f"{bits} bits"))
    for source, lengths in MATRIX_BITS.items():
        for bits in lengths:
            case = f"{source.removeprefix('beyond-')}, {bits:,} bits"
            text = "learned bilinear rotations above random ones"
            found.append(Claim("beyond", text, source, _learned(source, bits), "By matrices", case=case))
    for case in CASES:
        for than, words in (("asked", "what was asked for"), ("defaults", "the defaults of the method it chose")):
            text = f"the tuner's choice above {words}, on queries it has not seen"
            found.append(Claim("beyond", text, "beyond-tuner", _tuned(case, than), "By the tuner", case=case))
    return marked(found, Nature.OWN, "")


def text_of(method: str, bits: int) -> str:
    """Write a method with so many bits."""
    return f"{method}{',' if ':' in method else ':'}bits={bits}"


def _itq(bits: int) -> Judge:
    """Compare with every KLSH: with the best alone, chance would have chosen it."""

    def judge(result: Result) -> ClaimJudgement:
        figures = {name: result.figure(text_of(text, bits), "recall@10") for name, text in KERNEL_CODES.items()}
        own = figures["KPCA + ITQ"]
        best = max((name for name in figures if name.startswith("KLSH")), key=lambda name: figures[name].mean)
        klsh = [one for name, one in figures.items() if name.startswith("KLSH")]
        gain = between(own, figures[best])
        numbers = f"R@10 {own} / {figures[best]} ({best}), {gain} points"
        shares = [above_chance(between(own, one), one.mean) for one in klsh]
        return ClaimJudgement(better(*shares), numbers, 100 * gain.mean, "points of recall@10")

    return judge


def _learned(source: str, bits: int) -> Judge:
    def judge(result: Result) -> ClaimJudgement:
        one, other = (result.figure(text_of(name, bits), MEASURES[source]) for name in ("bilinear-itq", "bilinear-lsh"))
        gain = between(one, other)
        share = above_chance(gain, other.mean, result.chance)
        return ClaimJudgement(better(share), f"mAP {one} / {other}, {gain} points", 100 * gain.mean, "points of mAP")

    return judge


def _tuned(case: str, than: str) -> Judge:
    """Judge recall as a mean over R, of the same draws."""

    def judge(result: Result) -> ClaimJudgement:
        one = result.figures[case]
        if than == "defaults" and defaults_of(one["chosen"], ASKED[case].methods) == one["chosen"]:
            return ClaimJudgement(ClaimVerdict.NO_CASE, "its choice is these defaults")
        recall = one["recall"]
        if than not in recall:
            return ClaimJudgement(ClaimVerdict.CANNOT_TELL, "these defaults were not measured then")
        counts = ("1", "10")
        parts = [between(*(MeanFigure(*recall[name][count]) for name in ("chosen", than))) for count in counts]
        whole = mean_of(parts, independent=False)
        numbers = ", ".join(
            f"R@{count} {MeanFigure(*recall['chosen'][count])} / {MeanFigure(*recall[than][count])}" for count in counts
        )
        verdict = pooled(parts, low=0, independent=False)
        return ClaimJudgement(verdict, f"{numbers}; {whole} points as a mean", 100 * whole.mean, "points of recall")

    return judge
