"""Jiang, Que and Kulis, CVPR 2015: what was measured draw by draw."""

from __future__ import annotations

from collections.abc import Sequence

from app.lab.figures.figure import Axis, Figure
from science.papers.claims.jqk_draws import DRAWN_RANKS, MANY, SWEEPS, recall
from science.papers.page.blocks import plus_minus
from science.papers.page.section import Block, PageTable, Results
from science.papers.page.series import over, plain
from science.papers.result import Result
from science.papers.sections.jqk_table import NAMES
from science.papers.studies.jqk_directions import WAYS
from science.papers.studies.jqk_many import RANK
from science.papers.studies.jqk_rank_and_scale import SCALES
from science.papers.studies.jqk_sweeps import GAUSSIAN, LANDMARKS, SAMPLES

RANK_NAMES = {"64": "rank 64", "full": "all ranks"}


def directions(result: Result) -> PageTable:
    """Set centring and the way directions are drawn beside each other."""
    rows = []
    for case in result.figures:
        name, kernel = case.split()
        for rank in DRAWN_RANKS:
            cells = (plus_minus(recall(result, case, f"{way}, {rank}")) for way in WAYS)
            rows.append((f"{NAMES[name]}, {kernel}, {RANK_NAMES[rank]}", *cells))
    note = (
        "Each draw asks the same queries from the same landmarks and, but for Gaussian ones, the same 50 ones a "
        "direction. “Sum zero” takes from these ones their mean, on the kernel as it is: it finds what KLSH finds. So "
        "it is not the centring of the kernel that KLSH gains by and Nyström + LSH lacks; a direction must not see the "
        "mean of the data, and there are two ways to that. Ones that see it tell nothing at all."
    )
    return PageTable(("recall@10", *WAYS), rows, note)


def many(results: Results) -> Sequence[Block]:
    """Tell what the transform brings among all SIFT."""
    result, rows = results[MANY], []
    for kernel in result.figures:
        for count in ("1", "10", "100"):
            cells = (recall(result, kernel, name, count) for name in ("full", "none", *(f"{s:g}" for s in SCALES)))
            rows.append((f"{kernel}, R = {count}", *(plus_minus(one) for one in cells)))
    one = next(iter(result.figures.values()))
    head = (f"recall@R among {one['items']:,} SIFT", "KLSH", f"rank {RANK}", *(f"s = {s:g}" for s in SCALES))
    return [PageTable(head, rows, f"{one['queries']:,} queries; every scale has the same landmarks and draws.")]


def sweeps(results: Results) -> Sequence[Block]:
    """Draw recall over landmarks, and over how many of them a hyperplane is made of."""
    result, blocks = results[SWEEPS], list[Block]()
    kernels = sorted({case.split()[1] for case in result.figures})
    for swept, counts, axis in (
        ("landmarks", LANDMARKS, "landmarks m"),
        ("samples", SAMPLES, "landmarks in a hyperplane, t"),
    ):
        series, place = [], 0
        for kernel in kernels:
            case = f"{swept} {kernel}"
            for rank in DRAWN_RANKS:
                found = {float(count): recall(result, case, f"{count}, {rank}") for count in counts}
                series.append(over(f"{kernel}, {RANK_NAMES[rank]}", found, place))
                if swept == "samples":
                    mean = recall(result, case, f"{GAUSSIAN}, {rank}").mean
                    ends = [float(counts[0]), float(counts[-1])]
                    series.append(plain(f"{kernel}, {RANK_NAMES[rank]}, Gaussian", ends, [mean, mean], place, False))
                place += 1
        blocks.append(
            Figure(
                name=swept,
                title=f"Recall@10 over the {axis}, SIFT of photographs",
                reading="Bars: the deviation of single draws. "
                + ("A line without marks is that of Gaussian directions." if swept == "samples" else ""),
                x=Axis(axis, log=True),
                y=Axis("recall@10"),
                series=series,
            )
        )
    return [*blocks, _falling(result)]


def _falling(result: Result) -> str:
    """Say what more landmarks do to all ranks, which the paper says nothing of."""
    first, *_, last = LANDMARKS
    cases = [case for case in result.figures if case.startswith("landmarks")]
    told = ", ".join(
        f"{recall(result, case, f'{first}, full').mean:.3f} to {recall(result, case, f'{last}, full').mean:.3f} "
        f"under {case.split()[1]}"
        for case in cases
    )
    return (
        f"KLSH of all ranks does not gain by more landmarks: from {first:,} to {last:,} its recall@10 goes from {told}."
        " Each landmark adds a component, and the last ones are noise: with many landmarks a rank must be chosen."
    )
