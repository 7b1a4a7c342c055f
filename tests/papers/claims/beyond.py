"""Beyond the papers: what is claimed here of what came after them, judged as they are."""

from __future__ import annotations

from collections.abc import Callable

from tests.papers.result import Figure, Result
from tests.papers.studies.beyond_tuner import CASES
from tests.papers.verdict import Claim, Judgement, above, gravest

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

Judge = Callable[[Result], Judgement]


def claims() -> list[Claim]:
    """Give the claims of the page's last section."""
    found = []
    for bits in BITS:
        text = f"KPCA + ITQ above the best of KLSH, {bits} bits (GIST of crops, chi-square)"
        found.append(Claim("beyond", text, "beyond-kernels", _itq(bits), "By a kernel"))
    for source, lengths in MATRIX_BITS.items():
        for bits in lengths:
            text = f"learned bilinear rotations above random ones, {bits} bits ({source.removeprefix('beyond-')})"
            found.append(Claim("beyond", text, source, _learned(source, bits), "By matrices"))
    for case in CASES:
        text = f"the tuner's choice above what was asked for, on queries it has not seen ({case})"
        found.append(Claim("beyond", text, "beyond-tuner", _tuned(case), "By the tuner"))
    return found


def text_of(method: str, bits: int) -> str:
    """Write a method with so many bits."""
    return f"{method}{',' if ':' in method else ':'}bits={bits}"


def _itq(bits: int) -> Judge:
    def judge(result: Result) -> Judgement:
        figures = {name: result.figure(text_of(text, bits), "recall@10") for name, text in KERNEL_CODES.items()}
        best = max((name for name in figures if name.startswith("KLSH")), key=lambda name: figures[name].mean)
        numbers = f"R@10 {figures['KPCA + ITQ']} / {figures[best]} ({best})"
        return Judgement(above(figures["KPCA + ITQ"], figures[best]), numbers)

    return judge


def _learned(source: str, bits: int) -> Judge:
    def judge(result: Result) -> Judgement:
        one, other = (result.figure(text_of(name, bits), MEASURES[source]) for name in ("bilinear-itq", "bilinear-lsh"))
        return Judgement(above(one, other), f"mAP {one} / {other}")

    return judge


def _tuned(case: str) -> Judge:
    def judge(result: Result) -> Judgement:
        one = result.figures[case]
        verdicts, numbers = [], []
        for count in ("1", "10"):
            chosen, asked = (Figure(*one["recall"][name][count]) for name in ("chosen", "asked"))
            verdicts.append(above(chosen, asked))
            numbers.append(f"R@{count} {chosen} / {asked}")
        return Judgement(gravest(verdicts), ", ".join(numbers))

    return judge
