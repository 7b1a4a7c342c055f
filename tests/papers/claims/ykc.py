"""Yun, Kim and Choi, ICDM 2012: uniform Nyström is as good as principal components, from a small part of the data."""

from __future__ import annotations

from collections.abc import Callable

from tests.papers.result import Figure, Result
from tests.papers.verdict import Claim, Judgement, above, level

SETS = {"fashion": (16, 64, 128), "sift": (16, 32, 64)}


def claims() -> list[Claim]:
    """Give the claims of Figures 2 and 3, and what QR does for them."""
    found = []
    for name, lengths in SETS.items():
        for bits in lengths:
            for text, judge in (
                ("uniform level with PCA", _level(bits, "nystrom-uniform")),
                ("weighted level with PCA", _level(bits, "nystrom-weighted")),
                ("uniform above random", _above(bits, "nystrom-uniform", "random")),
                ("QR above none, uniform", _qr(bits, "nystrom-uniform")),
                ("QR above none, weighted", _qr(bits, "nystrom-weighted")),
            ):
                found.append(Claim("YKC", f"{text}, {bits} bits ({name})", f"ykc-{name}", judge))
    return found


def _map(result: Result, bits: int, subspace: str) -> Figure:
    return result.figure(f"itq:bits={bits},subspace={subspace}", "map")


def _level(bits: int, subspace: str) -> Callable[[Result], Judgement]:
    def judge(result: Result) -> Judgement:
        pca, ours = _map(result, bits, "pca"), _map(result, bits, subspace)
        return Judgement(level(ours, pca, 0.02), f"mAP {ours} / {pca}")

    return judge


def _above(bits: int, better: str, worse: str) -> Callable[[Result], Judgement]:
    def judge(result: Result) -> Judgement:
        one, other = _map(result, bits, better), _map(result, bits, worse)
        return Judgement(above(one, other), f"mAP {one} / {other}")

    return judge


def _qr(bits: int, subspace: str) -> Callable[[Result], Judgement]:
    return _above(bits, subspace, f"{subspace},orthogonalise=false")
