"""Cells of the tables of methods in bench and the Lab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language.spoken import _, number, text
from core.amounts import size

if TYPE_CHECKING:
    from app.bench.results import BenchMethodResult


def quality_of(one: BenchMethodResult) -> dict[str, str]:
    """Return the quality figures of a method by column heading."""

    def figure(name: str, value: float | None) -> str:
        if value is None:
            return ""
        found = number(value, ".3f")
        return f"{found} ±{number(one.deviation[name], '.3f')}" if name in one.deviation else found

    return {
        **{f"R@{count}": figure(f"recall@{count}", value) for count, value in one.recall.items()},
        "found@10": figure("found@10", one.found.get("10")),
        "P@10": figure("precision@10", one.precision.get("10")),
        "overlap@10": figure("overlap@10", one.overlap.get("10")),
        "mAP": figure("map", one.map),
        "mAP 100": figure("map_candidates", one.map_candidates),
        _("accuracy"): figure("accuracy", one.accuracy),
        _("before"): figure("accuracy_before", one.accuracy_before),
    }


def costs_of(one: BenchMethodResult) -> dict[str, str]:
    """Return the costs of a method by column heading."""
    query = one.seconds.encode_query + one.seconds.search
    return {
        _("dropped"): number(one.dropped, ",.0f") if one.dropped else "",
        _("looked at"): number(one.looked_at, ",.0f"),
        _("scanned"): number(one.scanned, ",.0f"),
        _("probed"): number(one.probed, ",.0f") if one.probed else "",
        _("fit"): _seconds(one.seconds.fit),
        _("encode"): _seconds(one.seconds.encode),
        _("build"): _seconds(one.seconds.build) if one.bytes.search else "",
        _("query"): f"{number(1000 * query, ',.2f')} ms",
        _("model"): text(size(one.bytes.model)),
        _("codes"): text(size(one.bytes.codes)),
        _("lists"): text(size(one.bytes.search)) if one.bytes.search else "",
    }


def _seconds(value: float) -> str:
    return f"{number(value, ',.2f')} s"
