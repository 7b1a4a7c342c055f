"""What to use today, in a few sentences, each of which is made of what was measured."""

from __future__ import annotations

from collections.abc import Mapping

from science.papers.claims.beyond import BITS, KERNEL_CODES, MATRIX_BITS, MATRIX_CODES, MEASURES, claims, text_of
from science.papers.page.blocks import load, percent, seconds
from science.papers.page.claims import by_text, counted, judged
from science.papers.page.section import PageTable, Results
from science.papers.result import Result
from science.papers.sections.beyond import MANY, MATRIX_NAMES, NAMES, Way, is_there, ways_of
from science.papers.size import FULL
from science.papers.studies.beyond_peers import DATA
from science.papers.verdict import ClaimVerdict

ENOUGH = 0.95
"""Overlap with the exact first ten that few will notice."""

TUNED = "the tuner's choice above "
"""So begins what is claimed of the tuner, before what it is compared with."""

SOONER = 2.0
"""Times as fast as one that finds more must be what is recommended in its place."""


def answers(results: Results) -> list[str | PageTable]:
    """Return a table of vectors, and a list with a sentence or two for other kinds of data that were measured."""
    others = [
        *([_of_kernels(results["beyond-kernels"])] if "beyond-kernels" in results else ()),
        *(_of_matrices(results[source], source) for source in MATRIX_BITS if source in results),
        *([_of_tuner(results)] if "beyond-tuner" in results else ()),
    ]
    listed = "\n".join(f"- {one}" for one in others)
    return [*([_of_vectors(results)] if "beyond-peers" in results else ()), *([listed] if listed else ())]


def recommended(ways: Mapping[str, Way]) -> str:
    """Choose what finds most; what finds less, but enough, only where it takes less than half of the time.

    Examples
    --------
    >>> ways = {"exact": {"share": 1.0, "cpu": 9.0}, "graph": {"share": 0.99, "cpu": 2.0}}
    >>> recommended(ways | {"codes": {"share": 0.96, "cpu": 1.8}, "hasty": {"share": 0.9, "cpu": 0.1}})
    'graph'
    """
    enough = sorted((name for name in ways if ways[name]["share"] >= ENOUGH),
                    key=lambda name: (-ways[name]["share"], ways[name]["cpu"]))  # fmt: skip
    chosen = enough[0]
    for name in enough[1:]:
        if SOONER * ways[name]["cpu"] < ways[chosen]["cpu"]:
            chosen = name
    return chosen


def _of_vectors(results: Results) -> PageTable:
    result = results["beyond-peers"]
    rows = []
    for data in DATA:
        if not (ways := ways_of(results, data)):
            continue
        exact = min((name for name in ways if name.startswith("exact")), key=lambda name: ways[name]["cpu"])
        codes = {name: one for name, one in ways.items() if not name.startswith(("exact", "HNSW"))}
        many = {name: one for name, one in codes.items() if name.endswith(MANY)}
        few = {name: one for name, one in codes.items() if name not in many}
        what = f"{NAMES[data]}, {ways[exact]['items']:,} items{_photographs(result, data)}"
        best = (recommended(ways), smallest(many), smallest(few))
        rows.append((what, *(_told(name, ways) for name in best), seconds(ways[exact]["cpu"])))
    head = (
        "vectors by Euclid's distance",
        "use",
        "of codes, 1,000 candidates",
        "100 candidates",
        "an exact scan takes",
    )
    note = (
        "The share of the exact first ten that is found, processor time of a query, bytes an item beside its vector. "
        f"Of codes the smallest that find {percent(ENOUGH, 0)}, else those that find most. {load(result)}"
    )
    return PageTable(head, rows, f"{note.rstrip()}{_size(result)}")


def smallest(ways: Mapping[str, Way]) -> str:
    """Choose the smallest of those that find enough, or what finds most.

    Examples
    --------
    >>> smallest({"a": {"share": 0.97, "bytes": 64}, "b": {"share": 0.96, "bytes": 32}}), smallest({})
    ('b', '')
    """
    enough = [name for name in ways if ways[name]["share"] >= ENOUGH]
    return min(enough, key=lambda name: ways[name]["bytes"]) if enough else _most(ways)


def _most(ways: Mapping[str, Way]) -> str:
    return max(ways, key=lambda name: ways[name]["share"], default="")


def _told(name: str, ways: Mapping[str, Way]) -> str:
    if not name:
        return ""
    one = ways[name]
    return f"{name.removesuffix(MANY)}: {percent(one['share'])}, {seconds(one['cpu'])}, {one['bytes']:,.0f} bytes"


def _of_kernels(result: Result) -> str:
    best = {
        bits: max(KERNEL_CODES, key=lambda name: result.figure(text_of(KERNEL_CODES[name], bits), "recall@10").mean)
        for bits in BITS
    }
    return (
        f"**Nearness told by a kernel** (chi-square, GIST of crops{_photographs(result, 'gist-crops')}"
        f"{_size(result)}): use {_listed(best)}: the best by recall@10."
    )


def _of_matrices(result: Result, source: str) -> str:
    lengths = MATRIX_BITS[source]
    there = [name for name, text in MATRIX_CODES.items() if is_there(result, text)]

    def value(name: str, bits: int) -> float:
        return result.figure(text_of(MATRIX_CODES[name], bits), MEASURES[source]).mean

    def size(name: str) -> float:
        return float(result.method(text_of(MATRIX_CODES[name], lengths[-1]))["bytes"]["model"]) / 1000

    best = {bits: max(there, key=lambda name: value(name, bits)) for bits in lengths}
    small = max((name for name in there if name.startswith("bilinear")), key=lambda name: value(name, lengths[-1]))
    return (
        f"**Long vectors that are matrices** ({MATRIX_NAMES[source]}{_size(result)}): use {_listed(best)}: the best "
        f"by mean average precision. Where the model must be small: {small}, at {lengths[-1]:,} bits "
        f"{value(small, lengths[-1]):.3f} with {size(small):,.0f} kB, where {best[lengths[-1]]} has "
        f"{value(best[lengths[-1]], lengths[-1]):.3f} with {size(best[lengths[-1]]):,.0f} kB."
    )


def _of_tuner(results: Results) -> str:
    result = results["beyond-tuner"]
    gains = [
        100 * (one["recall"]["chosen"]["10"][0] - one["recall"]["asked"]["10"][0]) for one in result.figures.values()
    ]
    found = by_text(judged([claim for claim in claims() if claim.source == "beyond-tuner"], results))
    surely = (
        f"than {text.removeprefix(TUNED).partition(',')[0]} in {counted(cases)[ClaimVerdict.CONFIRMED]} of {len(cases)} "
        "cases"
        for text, cases in found.items()
    )
    return (
        f"**Not sure?** Let the tuner choose (`twinlens tune`{_size(result)}): its choice surely finds more "
        f"{', and '.join(surely)}, on queries it has not seen; beside what was asked for recall@10 is "
        f"{min(gains):+.1f} to {max(gains):+.1f} points."
    )


def _listed(best: Mapping[int, str]) -> str:
    return ", ".join(f"{name} at {_these(best, name)} bits" for name in dict.fromkeys(best.values()))


def _these(best: Mapping[int, str], name: str) -> str:
    *rest, last = [f"{bits:,}" for bits, one in best.items() if one == name]
    return f"{', '.join(rest)} and {last}" if rest else last


def _size(result: Result) -> str:
    return f"; {result.size} size" if result.size != FULL.name else ""


def _photographs(result: Result, data: str) -> str:
    count = next((one.files["base"].photographs for one in result.sets if one.name == data), 0)
    return f" from {count:,} photographs" if count else ""
