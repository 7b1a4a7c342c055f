"""The end of the page: what to use today, by what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.lab.figures.figure import Axis, Figure, FigureKind, Series
from science.papers.claims.beyond import BITS, KERNEL_CODES, MATRIX_BITS, MATRIX_CODES, MEASURES, text_of
from science.papers.page.blocks import load, percent, seconds
from science.papers.page.section import Block, Item, PageSection, PageTable, Results
from science.papers.page.series import over
from science.papers.result import MeanFigure as Mean
from science.papers.result import Result
from science.papers.studies.beyond_peers import DATA, MORE, WAYS
from science.papers.studies.beyond_tuner import ASKED, defaults_of

NAMES = {
    "sift": "SIFT of photographs",
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
    "to be had: exact scan, locality-sensitive hashing, ITQ and HNSW of faiss; KPCA + ITQ; bilinear codes with learned "
    "rotations (Gong, Kumar, Rowley and Lazebnik, CVPR 2013); and the tuner's choice.",
    front=("peers-sift", "kernels", "pixels"),
    items=(
        Item(
            "By vectors",
            "Euclidean distance, beside faiss",
            "",
            ("beyond-peers",),
            _vectors,
        ),
        Item("By a kernel", "codes under chi-square", "", ("beyond-kernels",), _kernels),
        Item("By matrices", "random and learned rotations", "", tuple(MATRIX_BITS), _matrices, partly=True),
        Item("By the tuner", "what it chooses for these data", "", ("beyond-tuner",), _tuner),
    ),
)
