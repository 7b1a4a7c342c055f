"""The cells of tables of methods, as bench and the Lab print them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.tables import size

if TYPE_CHECKING:
    from app.bench.results import BenchMethodResult


def quality_of(one: BenchMethodResult) -> dict[str, str]:
    """Write what a method finds, by the heads of the table's columns."""

    def figure(name: str, value: float | None) -> str:
        if value is None:
            return ""
        return f"{value:.3f}" + (f" ±{one.deviation[name]:.3f}".replace("±0.", "±.") if name in one.deviation else "")

    return {
        **{f"R@{count}": figure(f"recall@{count}", value) for count, value in one.recall.items()},
        "overlap@10": figure("overlap@10", one.overlap.get("10")),
        "mAP": figure("map", one.map),
        "mAP 100": figure("map_candidates", one.map_candidates),
        "accuracy": figure("accuracy", one.accuracy),
        "before": figure("accuracy_before", one.accuracy_before),
    }


def costs_of(one: BenchMethodResult) -> dict[str, str]:
    """Write what a method costs, by the heads of the table's columns."""
    query = one.seconds.encode_query + one.seconds.search
    return {
        "dropped": f"{one.dropped:,.0f}" if one.dropped else "",
        "looked at": f"{one.looked_at:,.0f}",
        "scanned": f"{one.scanned:,.0f}",
        "probed": f"{one.probed:,.0f}" if one.probed else "",
        "fit": f"{one.seconds.fit:,.2f} s",
        "encode": f"{one.seconds.encode:,.2f} s",
        "build": f"{one.seconds.build:,.2f} s" if one.bytes.search else "",
        "query": f"{1000 * query:,.2f} ms",
        "model": size(one.bytes.model),
        "codes": size(one.bytes.codes),
        "lists": size(one.bytes.search) if one.bytes.search else "",
    }
