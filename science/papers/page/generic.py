"""What is shown of an experiment that was changed, so that the paper's own table or figure cannot be made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from science.papers.page.section import Block, PageTable
from science.papers.result import Result

CHANGED = "Something was changed so that the table or figure of the paper cannot be made; this is what was measured."
_MEASURES = ("map", "map_candidates", "accuracy")


def generic(results: Sequence[Result]) -> list[Block]:
    """Return a table of every method of each experiment."""
    tables = [_table(one) for one in results if one.figures.get("results")]
    return [CHANGED, *tables]


def _table(result: Result) -> PageTable:
    rows: list[dict[str, Any]] = result.figures["results"]
    measures = [name for name in _MEASURES if any(row.get(name) is not None for row in rows)]
    counts = list(rows[0]["recall"])
    head = (f"`{result.name}`", *(f"recall@{count}" for count in counts), *measures, "bits", "looked at")
    return PageTable(head, [_row(row, counts, measures) for row in rows])


def _row(row: dict[str, Any], counts: Sequence[str], measures: Sequence[str]) -> tuple[str, ...]:
    name = f"`{row['method']}`" + ("" if row["search"] == "scan" else f", `{row['search']}`")
    recall = (f"{row['recall'].get(count, float('nan')):.3f}" for count in counts)
    others = ("" if row[measure] is None else f"{row[measure]:.3f}" for measure in measures)
    return name, *recall, *others, f"{row['bits']:,}", f"{row['looked_at']:,.0f} of {row['of']:,}"
