"""The end of the page: what to use today, by what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.lab.figure import Axis, Figure, Kind
from tests.papers.claims.beyond import BITS, KERNEL_CODES, MATRIX_BITS, MATRIX_CODES, MEASURES, text_of
from tests.papers.page.blocks import load, percent, seconds
from tests.papers.page.section import Block, Item, Results, Section, Table
from tests.papers.page.series import over, plain
from tests.papers.result import Figure as Mean
from tests.papers.studies.beyond_peers import DATA, WAYS

NAMES = {"sift": "SIFT of photographs", "fashion-mnist": "pixels of clothes"}
MATRIX_NAMES = {"beyond-pixels": "pixels of clothes", "beyond-groups": "VLAD of edited copies"}
ENOUGH = 0.95
"""Overlap with the exact first ten that few will notice."""

SOURCES = ("beyond-peers", "beyond-kernels", *MATRIX_BITS, "beyond-tuner")

Way = Mapping[str, Any]


def _ways(results: Results, data: str) -> dict[str, Way]:
    """Give the ways that could be measured on some data."""
    figures = results["beyond-peers"].figures
    return {way: found for way in WAYS if "why" not in (found := figures[f"{data}: {way}"])}


def _vectors(results: Results) -> Sequence[Block]:
    blocks: list[Block] = []
    for data in DATA:
        ways = _ways(results, data)
        first = next(iter(ways.values()))
        rows = [
            (way, percent(one["share"]), seconds(one["cpu"]), f"{one['bytes']:,.0f}", seconds(one["build"]))
            for way, one in sorted(ways.items(), key=lambda pair: -pair[1]["share"])
        ]
        head = (
            f"{NAMES[data]}, {first['items']:,} x {first['dimensions']:,}", "exact first 10 found", "a query",
            "bytes an item, beside its vector", "to build",
        )  # fmt: skip
        lacking = [f"{way} ({one['why']})" for way in WAYS if "why" in (one := _one(results, data, way))]
        note = "Processor time of one thread, each in a process of its own. Codes choose 100 candidates, which are "
        note += "ranked by their exact distance; bytes hold what was learned, too. "
        note += load(results["beyond-peers"])
        note += f" Could not run: {'; '.join(lacking)}." if lacking else ""
        blocks.append(Table(head, rows, note.strip()))
        series = [
            plain(way, [1e6 * one["cpu"]], [one["share"]], place) for place, (way, one) in enumerate(ways.items())
        ]
        blocks.append(
            Figure(
                name=f"peers-{data}",
                title=f"What a query costs and finds, {NAMES[data]}",
                reading="The further left and up, the better.",
                x=Axis("processor time a query", "µs", log=True),
                y=Axis("share of the exact first 10", high=1),
                series=series,
                kind=Kind.POINTS,
            )
        )
    return blocks


def _one(results: Results, data: str, way: str) -> Way:
    found: Way = results["beyond-peers"].figures[f"{data}: {way}"]
    return found


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
        there = {name: text for name, text in MATRIX_CODES.items() if _is_there(results, source, text)}
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
        blocks.append(Table(head, rows))
    return blocks


def _is_there(results: Results, source: str, method: str) -> bool:
    prefix = f"{method}:"
    return any(one["method"].startswith(prefix) for one in results[source].figures["results"])


def _tuner(results: Results) -> Sequence[Block]:
    rows = []
    for case, one in results["beyond-tuner"].figures.items():
        recall = {name: Mean(*one["recall"][name]["10"]).mean for name in ("asked", "chosen")}
        rows.append(
            (case, f"`{one['asked']}`", f"{recall['asked']:.3f}", f"`{one['chosen']}`", f"{recall['chosen']:.3f}")
        )
    head = ("", "asked for", "recall@10", "chosen", "recall@10")
    count = max(one["trials"] for one in results["beyond-tuner"].figures.values())
    return [Table(head, rows, f"At most {count} measurements each, on held-out items; judged here on other queries.")]


def _in_short(results: Results) -> Sequence[Block]:
    """Say it in a few sentences, each of which is made of what was measured."""
    lines = [
        *(_of_vectors(results) if "beyond-peers" in results else ()),
        *([_of_kernels(results)] if "beyond-kernels" in results else ()),
        *_of_matrices(results),
        *([_of_tuner(results)] if "beyond-tuner" in results else ()),
    ]
    return ["\n".join(f"- {line}" for line in lines)]


def _of_vectors(results: Results) -> list[str]:
    lines = []
    for data in DATA:
        ways = _ways(results, data)
        exact = min((name for name in ways if name.startswith("exact")), key=lambda name: ways[name]["cpu"])
        sure = {name: one for name, one in ways.items() if one["share"] >= ENOUGH}
        fastest = min(sure, key=lambda name: sure[name]["cpu"])
        codes = {name: one for name, one in sure.items() if not name.startswith(("exact", "HNSW"))}
        one, whole = ways[fastest], ways[exact]
        text = (
            f"**Vectors by Euclid's distance** ({NAMES[data]}, {whole['items']:,} items): an exact scan takes "
            f"{seconds(whole['cpu'])} a query ({exact}) and misses nothing: nobody needs codes for so few. "
        )
        if fastest != exact:
            text += (
                f"The fastest that finds at least {percent(ENOUGH, 0)} is {fastest}: {percent(one['share'])} in "
                f"{seconds(one['cpu'])}, for {one['bytes']:,.0f} bytes an item. "
            )
        if codes:
            small = min(codes, key=lambda name: codes[name]["bytes"])
            text += (
                f"The smallest codes that do are {small}: {codes[small]['bytes']:,.0f} bytes an item, "
                f"{seconds(codes[small]['cpu'])}."
            )
        lines.append(text)
    return lines


def _of_kernels(results: Results) -> str:
    result = results["beyond-kernels"]
    best = {
        bits: max(KERNEL_CODES, key=lambda name: result.figure(text_of(KERNEL_CODES[name], bits), "recall@10").mean)
        for bits in BITS
    }
    listed = ", ".join(f"{name} at {_these(best, name)} bits" for name in dict.fromkeys(best.values()))
    return f"**Nearness told by a kernel** (GIST of crops, chi-square): the best codes are {listed}, by recall@10."


def _of_matrices(results: Results) -> list[str]:
    lines = []
    for source, lengths in MATRIX_BITS.items():
        if (result := results.get(source)) is None:
            continue
        there = [name for name, text in MATRIX_CODES.items() if _is_there(results, source, text)]

        def value(name: str, bits: int, source: str = source, result: Any = result) -> float:
            return float(result.figure(text_of(MATRIX_CODES[name], bits), MEASURES[source]).mean)

        best = {bits: max(there, key=lambda name: value(name, bits)) for bits in lengths}
        bilinear = [name for name in there if name.startswith("bilinear")]
        small = max(bilinear, key=lambda name: value(name, lengths[-1]))
        listed = ", ".join(f"{name} at {_these(best, name)} bits" for name in dict.fromkeys(best.values()))
        sizes = [
            result.method(text_of(MATRIX_CODES[name], lengths[-1]))["bytes"]["model"] for name in ("PCA + ITQ", small)
        ]
        lines.append(
            f"**Long vectors that are matrices** ({MATRIX_NAMES[source]}): the best codes are {listed}, by mean "
            f"average precision. Of those whose model is small, {small} is the best at {lengths[-1]:,} bits: "
            f"{value(small, lengths[-1]):.3f}, with {sizes[1] / 1000:,.0f} kB in place of {sizes[0] / 1000:,.0f} kB."
        )
    return lines


def _these(best: Mapping[int, str], name: str) -> str:
    *rest, last = [f"{bits:,}" for bits, one in best.items() if one == name]
    return f"{', '.join(rest)} and {last}" if rest else last


def _of_tuner(results: Results) -> str:
    figures = results["beyond-tuner"].figures
    gains = [one["recall"]["chosen"]["10"][0] - one["recall"]["asked"]["10"][0] for one in figures.values()]
    better = sum(gain > 0 for gain in gains)
    return (
        f"**Not sure?** Let the tuner choose (`twinlens tune`): in {better} of {len(gains)} cases its choice found "
        f"more than what was asked for, by {min(gains):+.3f} to {max(gains):+.3f} of recall@10, on queries it had not "
        "seen."
    )


SECTION = Section(
    key="beyond",
    title="And what should I use today?",
    citation="",
    intro="The papers are of 2007 to 2015. Below stand the same measures for what came after them and for what else is "
    "to be had: exact scan, locality-sensitive hashing, ITQ and HNSW of faiss; KPCA + ITQ; bilinear codes with learned "
    "rotations (Gong, Kumar, Rowley and Lazebnik, CVPR 2013); and the tuner's choice.",
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
        Item("In short", "the answer", "", SOURCES, _in_short, partly=True),
    ),
)
