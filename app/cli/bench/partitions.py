"""``twinlens bench --partitions``: the table of k-NN before and after a metric, printed and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.bench.tables import print_columns
from app.machine.csv_table import Table
from core.errors import TwinlensError
from core.message import Message

if TYPE_CHECKING:
    from rich.console import Console

    from app.bench.results import BenchData, BenchPartitions, BenchVotes, MeanError

_FIGURES = (
    *("before", "after", "gain", "lost_before", "lost", "overlap", "looked_at", "scanned", "query_seconds", "times"),
    "fit_seconds",
)


def print_votes(out: Console, data: BenchData, found: BenchPartitions) -> None:
    """Print what was done, and the table."""
    drawn = f"{found.labelled:,} of them with known labels" if found.labelled else "pairs of a file"
    times = "1 partition" if found.partitions == 1 else f"{found.partitions:,} partitions"
    out.print(
        f"{data.n:,} vectors of {data.d:,} dimensions{', scaled' if found.scaled else ''}, {found.classes:,} classes; "
        f"{times}: {data.queries:,} ask, {found.base:,} are searched, {drawn}. Metric {data.metric}; "
        f"{found.k:,}-NN.",
    )
    print_columns(out, [_name(one) for one in found.rows], [_cells(one) for one in found.rows], "search")
    out.print(
        "before, after: share told rightly without and under the metric, mean over the classes, in %. lost: to the "
        "linear scan under the metric, in points. found: of the nearest under it. x: times as fast as the linear scan "
        "in one matrix product. ±: standard error over the partitions.",
        style="dim",
    )


def write_votes(file: Path, found: BenchPartitions | None) -> None:
    """Write the table as CSV, all shares from 0 to 1; of None the heading alone.

    Raises
    ------
    TwinlensError
        If it cannot be written.
    """
    heading = ["method", "search", "bits", "pairs", *(f"{name}{end}" for name in _FIGURES for end in ("", "_error"))]
    try:
        with file.open("w", newline="", encoding="utf-8") as target:
            table = Table(target)
            table.writerow(heading)
            for one in found.rows if found is not None else ():
                figures: list[MeanError] = [getattr(one, name) for name in _FIGURES]
                cells = [_exact(value) for figure in figures for value in (figure.mean, figure.error)]
                table.writerow([one.method, one.search, one.bits, f"{one.pairs:g}", *cells])
    except OSError as error:
        raise TwinlensError(
            Message("{file} cannot be written: {strerror}.", file=file, strerror=error.strerror),
            Message("Name another file."),
        ) from None


def _exact(value: float | None) -> str:
    return "" if value is None else f"{value:.8g}"


def _name(one: BenchVotes) -> str:
    return f"{one.method} · {one.search}" if one.method else "linear scan"


def _cells(one: BenchVotes) -> dict[str, str]:
    return {
        "pairs": f"{one.pairs:,.0f}" if one.pairs else "",
        "before": _points(one.before),
        "after": _points(one.after),
        "gain": _points(one.gain, "+"),
        "lost": _points(one.lost, "+") if one.method else "",
        "found": f"{one.overlap.mean:.0%}" if one.method else "",
        "looked at": f"{one.looked_at.mean:.1%}",
        "query": f"{1000 * one.query_seconds.mean:,.3f} ms",
        "x": f"{one.times.mean:,.2g}" if one.method else "",
        "fit": f"{one.fit_seconds.mean:,.2f} s",
    }


def _points(figure: MeanError, sign: str = "") -> str:
    error = "" if figure.error is None else f" ±{100 * figure.error:.1f}"
    return f"{100 * figure.mean:{sign}.1f}{error}"
