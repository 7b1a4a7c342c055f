"""Bodó and Csató, 2012: Table III."""

from __future__ import annotations

from collections.abc import Sequence

from science.papers.claims.bc import BOUNDS, BUCKETS, OWN_DATA, bound, bucket, reported
from science.papers.claims.bc_reported import REPORTED, REPORTED_WAYS, RUNS, SECONDS, sooner
from science.papers.kernel_tables import SETTINGS
from science.papers.page.blocks import load, percent
from science.papers.page.section import Block, PageTable, Results
from science.papers.result import MeanFigure
from science.papers.stand_ins import OWN

NAMES = {
    "digits": "Digits",
    "dna": "DNA",
    "income": "Income",
    "shuttle": "Shuttle",
    "letter": "Letter",
    "poker": "Poker",
}

METHODS, KEYS = ("klsh", "preimage-klsh"), ("neighbouring", "closest")


def _percents(figure: MeanFigure) -> str:
    off = f" ± {100 * figure.deviation:.2f}" if figure.deviation else ""
    return f"{100 * figure.mean:.2f}{off}"


def _own(results: Results) -> PageTable:
    """Set the paper's numbers beside those on the same data."""
    result, rows = results[OWN_DATA], []
    (name,) = OWN["bc"]
    for way, words in REPORTED_WAYS.items():
        paper = REPORTED[NAMES[name]][way]
        cells = (
            (_percents(paper[one]), _percents(reported(result, name, way, one))) for one in ("compared", "accuracy")
        )
        rows.append((words, *(cell for pair in cells for cell in pair)))
    found = result.figures[name]
    head = (f"{NAMES[name]}, {found['searched']:,} searched, {found['asked']:,} asked", "compared, %: paper", "here",
            "right, %: paper", "here")  # fmt: skip
    note = (
        f"The paper's own data, all queries, {RUNS} repetitions there and "
        f"{reported(result, name, 'klsh', 'accuracy').runs} here (±: the deviation of one). Which items "
        "are searched is drawn anew each time here; which the paper searched it does not say. kLSHp are pre-images."
    )
    return PageTable(head, rows, note)


def _paper(results: Results) -> PageTable:
    """Return the rest of Table III as it is printed."""
    rows = [
        (paper, *(_percents(row[way][one]) for one in ("compared", "accuracy") for way in REPORTED_WAYS),
         " : ".join(_seconds(*SECONDS[paper][way]) for way in REPORTED_WAYS))
        for paper, row in REPORTED.items()
    ]  # fmt: skip
    return PageTable(("the paper's Table III", *_columns("compared, %"), *_columns("right, %"), "seconds"), rows)


def _columns(what: str) -> tuple[str, ...]:
    first, *rest = REPORTED_WAYS.values()
    return (f"{what}: {first}", *rest)


def _seconds(mean: float, off: float) -> str:
    digits = 0 if mean >= 100 else 2 if mean >= 0.1 else 3
    return f"{mean:,.{digits}f}" + (f" ± {off:,.{digits}f}" if off > mean / 5 else "")


def bounds_fit(results: Results, name: str) -> bool:
    """Return whether bounds and buckets were measured on as many items, so that both may stand in one row."""
    return bool(results[BOUNDS].figures[name]["searched"] == results[BUCKETS].figures[name]["searched"])


def table_iii(results: Results) -> Sequence[Block]:
    """Set in one row only what was searched among as many items."""
    bounds, buckets = results[BOUNDS], results[BUCKETS]
    rows, times, ways, left_out = [], [], [], []
    for name, setting in SETTINGS.items():
        found = {
            figure: [_percents(bucket(buckets, name, one, figure)) for one in METHODS]
            for figure in ("compared", "accuracy")
        }
        exact = _percents(bucket(buckets, name, "exact", "accuracy"))
        by_bound, scans = "", ["", "", ""]
        if bounds_fit(results, name):
            by_bound, ms = _percents(bound(bounds, name, "2", "compared")), bounds.figures[name]["ms"]
            scans = [f"{ms[one]:.3f}" if one in ms else "no bound" for one in ("none", "norms", "heuristic")]
        else:
            left_out.append(f"{NAMES[name]} ({bounds.figures[name]['searched']:,})")
        row = f"{NAMES[name]}, {buckets.figures[name]['searched']:,}"
        rows.append((row, by_bound, *found["compared"], exact, *found["accuracy"]))
        times.append((row, *scans, *(f"{bucket(buckets, name, one, 'ms').mean:.3f}" for one in METHODS)))
        if setting.neighbouring:
            both = (bucket(buckets, name, f"{one}{way}", "accuracy") for one in METHODS for way in ("", " closest"))
            ways.append((row, *(percent(one.mean, 2) for one in both)))
    empty = f" Empty: what was measured among another number of items, {', '.join(left_out)}." if left_out else ""
    return [
        _own(results),
        _paper(results),
        PageTable(
            ("here, items searched", *_columns("compared, %"), "right, %: exact", *list(REPORTED_WAYS.values())[1:]),
            rows,
            f"± is the deviation of single repetitions, which draw their queries anew too.{empty} Poker's kernel, a "
            "sigmoid, is not positive definite: no bound on its distances holds, and what (2) does there is told "
            "because the paper tells it.",
        ),
        PageTable(
            ("ms to label a query, here", "exact", "(1), by norms", "(2)", "kLSH", "kLSHp"),
            times,
            "Median time of a thread by this program, a query at a time, preparing left out. An exact scan reads one "
            f"stretch of memory; to skip rows of it costs time, too. {load(bounds, buckets)}".rstrip(),
        ),
        PageTable(
            ("right, where a key is absent", *(f"{one}, {way} key" for one in ("kLSH", "kLSHp") for way in KEYS)),
            ways,
            "Keys of 80 bits are in one table, as `buckets:tables=1,key_bits=80,absent=lexicographic` has them in any "
            "library. The paper's binary search leads to the neighbour in the sorted keys; the occupied keys that are "
            "closest in Hamming distance are the other way.",
        ),
    ]


def times(way: str, than: str) -> str:
    found = sooner(way, than)
    slowest, fastest = (choose(found, key=lambda name: found[name]) for choose in (min, max))
    return f"{found[slowest]:.2g} ({slowest}) to {found[fastest]:.2g} times ({fastest})"
