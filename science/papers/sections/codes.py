"""Section beside the papers: the product's codes and codes straight from the formulas, by what they find."""

from __future__ import annotations

from collections.abc import Sequence

from science.papers.page.section import Block, Item, PageSection, PageTable, Results, plus_minus
from science.papers.result import MeanFigure


def _show(results: Results) -> Sequence[Block]:
    rows = [
        (name, *(f"{plus_minus(MeanFigure(*own))} / {plus_minus(MeanFigure(*other))}" for own, other in by_r.values()))
        for name, by_r in results["straight-codes"].figures.items()
    ]
    return [
        PageTable(
            ("method and data", *(f"recall@{count}" for count in ("1", "10", "100"))), rows, "Product / formulas."
        )
    ]


SECTION = PageSection(
    key="codes",
    title="Are these the papers' methods?",
    citation="",
    intro="Every method below was written a second time, in plain numpy straight from the papers' formulas, in "
    "`science/papers/straight.py`. Random draws differ, so single codes do; what both find must not.",
    items=(
        Item(
            what="Two programs",
            title="what they find",
            reports="",
            sources=("straight-codes",),
            show=_show,
        ),
    ),
)
