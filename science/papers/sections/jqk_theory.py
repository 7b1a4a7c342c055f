"""Jiang, Que and Kulis, CVPR 2015: Theorem 3."""

from __future__ import annotations

from collections.abc import Sequence

from app.lab.figures.figure import Axis, Figure
from science.papers.claims.jqk import SPECTRUM
from science.papers.page.section import Block, PageTable, Results
from science.papers.page.series import plain
from science.papers.sections.jqk_table import NAMES


def theorem(results: Results) -> Sequence[Block]:
    rows = []
    for case, by_scale in results[SPECTRUM].figures.items():
        one = by_scale["none"]
        at = one["ranks"].index(64)
        rows.append(
            (
                case.replace(" ", ", "),
                f"{one['eigenvalue'][at] ** 0.5:.4f}",
                f"{one['residual'][at] ** 0.5:.4f}",
                f"{one['outside'][at] ** 0.5:.4f}",
                f"{100 * one['satisfied']:.1f} %",
                f"{one['estimation'][at]:,.0f}",
                f"{one['bound'][at]:,.0f}",
                f"{max(each['best_bound'] for each in by_scale.values()):,.0f}",
            )
        )
    head = (
        "at rank 64", "√λ, the paper's bound", "root mean squared residual, landmarks", "queries of other photographs",
        "items within √λ at the best rank", "1/(δ√m)", "right side of (5)", "its greatest over ranks and scales",
    )  # fmt: skip
    one = results[SPECTRUM].figures["sift chi-square"]["none"]
    return [
        PageTable(head, rows, "Right side of (5) for ε = 0.5, ξ = 1 and the best kernel value there can be, 1."),
        Figure(
            name="trade-off",
            title=f"What the bound is made of under chi-square, {NAMES['sift']}",
            reading="The residual falls with the rank, while the term of estimation rises: the trade-off that the "
            "paper speaks of. It is the scale of the two that keeps the bound from saying anything.",
            x=Axis("rank", log=True),
            y=Axis("length, or term", log=True),
            series=[
                plain("residual of queries", one["ranks"], [value**0.5 for value in one["outside"]], 0),
                plain("√λ", one["ranks"], [value**0.5 for value in one["eigenvalue"]], 1),
                plain("1/(δ√m)", one["ranks"], one["estimation"], 2),
            ],
        ),
    ]
