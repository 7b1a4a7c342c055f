"""Last section of the page: which methods to use today, by the measurements, in a few sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from science.papers.claims.beyond import BITS, KERNEL_CODES, MATRIX_BITS, MATRIX_CODES, MEASURES, claims, text_of
from science.papers.page.judged_claims import by_text, counted, judged
from science.papers.page.section import (
    Block,
    Item,
    PageSection,
    PageTable,
    Results,
    load,
    over,
    percent,
    plain,
    seconds,
    spread,
)
from science.papers.result import MeanFigure as Mean
from science.papers.result import Result
from science.papers.size import FULL
from science.papers.studies import beyond_bytes
from science.papers.studies.beyond_peers import DATA, MORE, WAYS
from science.papers.studies.beyond_tuner import ASKED, defaults_of
from science.papers.verdict import ClaimVerdict
from twinlens.app.lab.figures.figure import Axis, Figure, FigureKind, Series

NAMES = {
    "sift": "SIFT of photographs",
    "million-sift": "a million SIFT",
    "fashion-mnist": "pixels of clothes",
    "network-crops": "learned features of crops",
}
MATRIX_NAMES = {"beyond-pixels": "pixels of clothes", "beyond-groups": "VLAD of edited copies"}
MANY = f", {MORE:,} candidates"
METHODS = {
    "exact scan": {"exact scan, faiss IndexFlatL2": "faiss", "exact scan in float64, Twinlens": "Twinlens"},
    "HNSW by depth, faiss": {way: way.split()[3].rstrip(",") for way in WAYS if way.startswith("HNSW")},
    "LSH, 256 bits": {
        "IndexLSH 256 bits, faiss": "faiss",
        "lsh 256 bits, Twinlens": "Twinlens",
        f"IndexLSH 256 bits, faiss{MANY}": "faiss, 1,000",
        f"lsh 256 bits, Twinlens{MANY}": "Twinlens, 1,000",
    },
    "ITQ, faiss": {
        **{f"ITQTransform {bits} bits, faiss": f"{bits} bits" for bits in (64, 128)},
        f"ITQTransform 128 bits, faiss{MANY}": "128 bits, 1,000",
    },
    "ITQ, Twinlens": {
        f"itq {bits} bits, Twinlens{more}": f"{bits} bits" + ", 1,000" * bool(more)
        for more in ("", MANY)
        for bits in (64, 128)
    },
    "ITQ, asymmetric": {"itq 128 bits, asymmetric, Twinlens": "128 bits"},
    "ITQ, multi-index": {"itq 128 bits, multi-index, Twinlens": "128 bits"},
}
"""The ways of each method, with what tells them apart: as many methods as there are colours."""

Way = Mapping[str, Any]
MeanAndError = tuple[float, float]


def ways_of(results: Results, data: str) -> dict[str, Way]:
    """Return the ways that could be measured on some data, as far as they are."""
    figures = results["beyond-peers"].figures
    found = {way: figures[f"{data}: {way}"] for way in WAYS if f"{data}: {way}" in figures}
    return {way: one for way, one in found.items() if "why" not in one}


def _vectors(results: Results) -> Sequence[Block]:
    blocks: list[Block] = []
    for data in DATA:
        if not (ways := ways_of(results, data)):
            continue
        first = next(iter(ways.values()))
        rows = [
            (way, percent(one["share"]), seconds(one["cpu"]), f"{one['bytes']:,.0f}", seconds(one["build"]))
            for way, one in sorted(ways.items(), key=lambda pair: -pair[1]["share"])
        ]
        head = (
            f"{NAMES[data]}, {first['items']:,} x {first['dimensions']:,}", "exact first 10 found", "a query",
            "bytes an item, beside its vector", "to build",
        )  # fmt: skip
        figures = results["beyond-peers"].figures
        lacking = [f"{way} ({one['why']})" for way in WAYS if "why" in (one := figures.get(f"{data}: {way}", {}))]
        note = "Processor time of one thread, each in a process of its own. Codes choose 100 candidates, or 1,000 "
        note += "where that is said, which are ranked by their exact distance; bytes hold what was learned, too. "
        note += "ITQTransform scales every vector, less the mean, to length 1 before it learns: codes of faiss's ITQ "
        note += "do not tell lengths, those here do. "
        note += load(results["beyond-peers"])
        note += f" Could not run: {'; '.join(lacking)}." if lacking else ""
        blocks.append(PageTable(head, rows, note.strip()))
        blocks.append(
            Figure(
                name=f"peers-{data}",
                title=f"What a query costs and finds, {NAMES[data]}",
                reading="The further left and up, the better.",
                x=Axis("processor time a query", "µs", log=True),
                y=Axis("share of the exact first 10", high=1),
                series=_by_method(ways),
                kind=FigureKind.POINTS,
            )
        )
    return blocks


def _bytes(results: Results) -> Sequence[Block]:
    figures = {case: one for case, one in results["beyond-bytes"].figures.items() if "why" not in one}
    blocks: list[Block] = []
    for data in beyond_bytes.DATA:
        own = {case: one for case, one in figures.items() if case.startswith(f"{data}:")}
        if not own:
            continue
        first = next(iter(own.values()))
        rows = [
            (
                case.split(": ")[2],
                f"{one['bytes']:,.0f}",
                *(percent(one["share"][str(depth)]) for depth in beyond_bytes.DEPTHS),
                seconds(one["cpu"]["100"]),
                seconds(one["build"]),
            )
            for case, one in own.items()
        ]
        head = (
            f"{NAMES[data]}, {first['items']:,} x {first['dimensions']:,}", "bytes an item",
            *(f"{depth:,} ranked" for depth in beyond_bytes.DEPTHS), "a query, 100 ranked", "to build",
        )  # fmt: skip
        note = "Share of the exact first 10 that is found where so many candidates are ranked by their exact distance. "
        note += "Everything is learned from 20,000 items. Processor time of one thread, each in a process of its own; "
        note += "bytes hold what was learned, and not the vectors themselves. " + load(results["beyond-bytes"])
        blocks.append(PageTable(head, rows, note.strip()))
        names = dict.fromkeys(case.split(": ")[2] for case in own)
        by_way = {
            name: sorted((one["bytes"], one["share"]["100"]) for case, one in own.items() if case.endswith(f": {name}"))
            for name in names
        }
        blocks.append(
            Figure(
                name=f"bytes-{data}",
                title=f"What is found with so many bytes, {NAMES[data]}",
                reading="Of the exact first 10, the share among 100 candidates. The further left and up, the better.",
                x=Axis("bytes an item", log=True),
                y=Axis("share of the exact first 10", high=1),
                series=[
                    plain(name, [x for x, _ in points], [y for _, y in points], place)
                    for place, (name, points) in enumerate(by_way.items())
                    if len(points) > 1
                ],
            )
        )
    return blocks


_LEARNED = {
    "random hyperplanes (2002)": "lsh:bits={}",
    "spectral hashing (2008)": "spectral:bits={}",
    "random waves (2009)": "sik:bits={}",
    "KLSH (2009)": "klsh:bits={}",
    "anchor graph (2011)": "agh:bits={}",
    "PCA + ITQ (2011)": "itq:bits={}",
    "binary quantization": "binary:bits={}",
    "product quantization": "pq:bytes={}",
}
_RABITQ = {16: "faiss:PCAR64,RaBitQ", 32: "faiss:PCAR192,RaBitQ", 40: "faiss:RaBitQ"}
_RANKED = (10, 20, 50, 100, 200)
_SIZES = (8, 16, 32, 64)


def _learned(results: Results) -> Sequence[Block]:
    """Show the overlap of each method by bytes and candidates, with intervals over draws and queries."""
    result = results["beyond-learned"]
    there = {(one["method"], one["search"]): one for one in result.figures["results"]}

    def found(text: str, depth: int) -> MeanAndError | None:
        one = there.get((text, f"scan:candidates={depth}"))
        if one is None or "10" not in one["overlap"]:
            return None
        draws = one["deviation"].get("overlap@10", 0.0) / len(one["seeds"]) ** 0.5
        return one["overlap"]["10"], 1.96 * math.hypot(draws, one["error"]["10"])

    named = {
        name: {size: text.format(size if text.startswith("pq") else 8 * size) for size in _SIZES}
        for name, text in _LEARNED.items()
    } | {"RaBitQ, faiss": _RABITQ}
    rows = []
    for name, texts in named.items():
        for size, text in texts.items():
            values = [found(text, depth) for depth in _RANKED]
            if any(values):
                rows.append(
                    (name, str(size), *("" if one is None else f"{one[0]:.3f} ±{one[1]:.3f}" for one in values))
                )
    head = ("learned features of crops", "bytes", *(f"{depth} ranked" for depth in _RANKED))
    note = "Overlap with the exact first 10, and half of its 95 % interval over five draws and the queries."
    series = []
    for place, (name, texts) in enumerate(named.items()):
        points = {size: one for size, text in texts.items() if (one := found(text, 50)) is not None}
        if points:
            means, off = zip(*points.values(), strict=True)
            series.append(spread(name, list(points), means, off, place))
    return [
        PageTable(head, rows, note),
        Figure(
            name="learned",
            title="Overlap@10 over bytes with 50 candidates, learned features of crops",
            reading="Bars are 95 % intervals over draws and queries.",
            x=Axis("bytes an item", log=True),
            y=Axis("overlap@10", high=1),
            series=series,
        ),
    ]


def _by_method(ways: Mapping[str, Way]) -> list[Series]:
    """Draw each method in a colour and with a mark of its own; beside a point stands what tells it from its others.

    A line joins the depths of a graph; 1,000 are candidates, where there are more than 100.
    """
    found = []
    for place, (method, own) in enumerate(METHODS.items()):
        there = {way: label for way, label in own.items() if way in ways}
        found.append(
            Series(
                name=method,
                x=[1e6 * ways[way]["cpu"] for way in there],
                y=[ways[way]["share"] for way in there],
                kind=FigureKind.LINES if method.startswith("HNSW") and len(there) > 1 else FigureKind.POINTS,
                place=place,
                labels=list(there.values()),
                marked=True,
            )
        )
    return [one for one in found if len(one.x)]


def _kernels(results: Results) -> Sequence[Block]:
    result = results["beyond-kernels"]
    return [
        Figure(
            name="kernels",
            title="Recall@10 over bits under chi-square, GIST of crops",
            reading="The share of queries whose nearest item by the kernel is among the first ten by codes.",
            x=Axis("bits", log=True),
            y=Axis("recall@10", low=0, high=1),
            series=[
                over(name, {bits: result.figure(text_of(text, bits), "recall@10") for bits in BITS}, place)
                for place, (name, text) in enumerate(KERNEL_CODES.items())
            ],
        )
    ]


def _matrices(results: Results) -> Sequence[Block]:
    blocks: list[Block] = []
    for source, lengths in MATRIX_BITS.items():
        if (result := results.get(source)) is None:
            continue
        there = {name: text for name, text in MATRIX_CODES.items() if is_there(result, text)}
        blocks.append(
            Figure(
                name=source.removeprefix("beyond-"),
                title=f"Mean average precision over bits, {MATRIX_NAMES[source]}",
                reading="Codes of vectors, and of the same vectors as matrices, whose model is far smaller.",
                x=Axis("bits", log=True),
                y=Axis("mAP", low=0),
                series=[
                    over(
                        name,
                        {bits: result.figure(text_of(text, bits), MEASURES[source]) for bits in lengths},
                        list(MATRIX_CODES).index(name),
                    )
                    for name, text in there.items()
                ],
            )
        )
        rows = [
            (
                name,
                *(f"{result.figure(text_of(text, bits), MEASURES[source]).mean:.3f}" for bits in lengths),
                f"{result.method(text_of(text, lengths[-1]))['bytes']['model'] / 1000:,.0f} kB",
            )
            for name, text in there.items()
        ]
        head = (MATRIX_NAMES[source], *(f"mAP, {bits:,} bits" for bits in lengths), f"model, {lengths[-1]:,} bits")
        blocks.append(PageTable(head, rows))
    return blocks


def is_there(result: Result, method: str) -> bool:
    """Return whether an experiment has measured a method."""
    prefix = f"{method}:"
    return any(one["method"].startswith(prefix) for one in result.figures["results"])


def _tuner(results: Results) -> Sequence[Block]:
    rows = []
    for case, one in results["beyond-tuner"].figures.items():
        recall = {name: f"{Mean(*values['10']).mean:.3f}" for name, values in one["recall"].items()}
        same = defaults_of(one["chosen"], ASKED[case].methods) == one["chosen"]
        defaults = recall["chosen"] if same else recall.get("defaults", "not yet measured")
        rows.append((case, f"`{one['asked']}`", recall["asked"], f"`{one['chosen']}`", recall["chosen"], defaults))
    head = ("", "asked for", "recall@10", "chosen", "recall@10", "of its method's defaults")
    count = max(one["trials"] for one in results["beyond-tuner"].figures.values())
    return [
        PageTable(head, rows, f"At most {count} measurements each, on held-out items; judged here on other queries.")
    ]


SECTION = PageSection(
    key="beyond",
    title="And what should I use today?",
    citation="",
    intro="The papers are of 2007 to 2015. Below stand the same measures for what came after them and for what else is "
    "to be had: exact scan, locality-sensitive hashing, ITQ, quantizers, inverted files and HNSW of faiss; product "
    "quantization; KPCA + ITQ; bilinear codes with learned rotations (Gong, Kumar, Rowley and Lazebnik, CVPR 2013); "
    "and the tuner's choice.",
    front=("peers-sift", "kernels", "pixels"),
    items=(
        Item(
            "By vectors",
            "Euclidean distance, beside faiss",
            "",
            ("beyond-peers",),
            _vectors,
        ),
        Item("Byte for byte", "hashing, quantizers and graphs of equal size", "", ("beyond-bytes",), _bytes),
        Item("On learned features", "hashing of 2007 to 2015 beside quantizers", "", ("beyond-learned",), _learned),
        Item("By a kernel", "codes under chi-square", "", ("beyond-kernels",), _kernels),
        Item("By matrices", "random and learned rotations", "", tuple(MATRIX_BITS), _matrices, partly=True),
        Item("By the tuner", "what it chooses for these data", "", ("beyond-tuner",), _tuner),
    ),
)
ENOUGH = 0.95
"""Overlap with the exact first ten that few will notice."""

TUNED = "the tuner's choice above "
"""So begins what is claimed of the tuner, before what it is compared with."""

SOONER = 2.0
"""Times as fast as one that finds more must be what is recommended in its place."""


def answers(results: Results) -> list[str | PageTable]:
    """Return a table of vectors, and a list with a sentence or two for other kinds of data that were measured."""
    others = [
        *([_of_bytes(results["beyond-bytes"])] if "beyond-bytes" in results else ()),
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


def _of_bytes(result: Result) -> str:
    """Say what the quantizer finds with so many bytes, and what the best hash codes do."""
    (data,) = beyond_bytes.DATA
    finds: dict[int, tuple[float, str]] = {}
    for size in beyond_bytes.BYTES[:3]:
        share = {
            case.removeprefix(f"{data}: {size}: "): one["share"]["100"]
            for case, one in result.figures.items()
            if case.startswith(f"{data}: {size}: ") and "why" not in one
        }
        codes = [way for way in share if beyond_bytes.WAYS[f"{data}: {size}: {way}"][0] == "codes_at"]
        best = max(codes, key=share.__getitem__)
        finds[size] = share[_QUANTIZER], f"{percent(share[best])} ({best.removesuffix(', Twinlens')})"
    *sizes, last = map(str, finds)
    *quantized, most = (percent(one) for one, _ in finds.values())
    *hashed, longest = (words for _, words in finds.values())
    return (
        f"**Few bytes an item** ({NAMES[data]}{_photographs(result, data)}{_size(result)}): use product quantization. "
        f"With {', '.join(sizes)} and {last} bytes it finds {', '.join(quantized)} and {most} of the exact first ten "
        f"among 100 candidates, the best hash codes {', '.join(hashed)} and {longest}."
    )


_QUANTIZER = "pq, Twinlens"


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
        f"than {text.removeprefix(TUNED).partition(',')[0]} "
        f"in {counted(own)[ClaimVerdict.CONFIRMED]} of {counted(own).total()} cases"
        for text, own in found.items()
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
