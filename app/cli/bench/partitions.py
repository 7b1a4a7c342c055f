"""``twinlens bench --partitions``: the table of k-NN before and after a metric, printed and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.bench.tables import print_columns
from app.language.spoken import _, _n, number, text
from app.machine.csv_table import CsvTable
from app.machine.output_file import OutputFile, table

if TYPE_CHECKING:
    from rich.console import Console

    from app.bench.results import BenchData, BenchPartitions, BenchVotes, MeanError

_FIGURES = (
    *("before", "after", "gain", "lost_before", "lost", "overlap", "looked_at", "scanned", "query_seconds", "times"),
    "fit_seconds",
)
_HEADING = ("method", "search", "bits", "pairs", *(f"{name}{end}" for name in _FIGURES for end in ("", "_error")))
VOTES = table(_HEADING)


def print_votes(out: Console, data: BenchData, found: BenchPartitions) -> None:
    """Print the data and the table of partitions."""
    for line in _about(data, found):
        out.print(line)
    print_columns(out, [_name(one) for one in found.rows], [_cells(one) for one in found.rows], _("search"))
    out.print(
        _(
            "before, after: accuracy in % without and with the metric, mean over the classes. lost: percentage points "
            "below the linear scan with the metric. found: share of the nearest by the metric. x: speed relative to "
            "the linear scan in one matrix product. ±: standard error over the partitions."
        ),
        style="dim",
    )
    if found.fastest:
        out.print(text(found.fastest))
    for one in found.rows:
        if one.note and not one.method:
            out.print(_("{count:,.0f} pairs: {note}", count=one.pairs, note=one.note) if one.pairs else text(one.note))


def _about(data: BenchData, found: BenchPartitions) -> list[str]:
    values = {"vectors": data.n, "dimensions": data.d, "classes": found.classes}
    return [
        _("{vectors} vectors with {dimensions} dimensions, scaled, in {classes} classes.", **values)
        if found.scaled
        else _("{vectors} vectors with {dimensions} dimensions in {classes} classes.", **values),
        _n(
            "{count} partition with {queries} queries and {base} searched vectors.",
            "{count} partitions with {queries} queries and {base} searched vectors each.",
            found.partitions,
            queries=data.queries,
            base=found.base,
        ),
        _("Pairs are drawn from {labelled} labelled vectors.", labelled=found.labelled)
        if found.labelled
        else _("Pairs are from a file."),
        _("Metric {metric}, {k} voting neighbours.", metric=data.metric, k=found.k),
    ]


def write_votes(file: OutputFile, found: BenchPartitions) -> None:
    """Write the table as CSV with shares from 0 to 1.

    Raises
    ------
    TwinlensError
        If it cannot be written, or must not be replaced.
    """
    with file.opened_text(VOTES) as target:
        rows = CsvTable(target)
        rows.writerow(_HEADING)
        for one in found.rows:
            figures: list[MeanError] = [getattr(one, name) for name in _FIGURES]
            cells = [_exact(value) for figure in figures for value in (figure.mean, figure.error)]
            rows.writerow([one.method, one.search, one.bits, f"{one.pairs:g}", *cells])


def _exact(value: float | None) -> str:
    return "" if value is None else f"{value:.8g}"


def _name(one: BenchVotes) -> str:
    return f"{one.method} · {one.search}" if one.method else _("linear scan")


def _cells(one: BenchVotes) -> dict[str, str]:
    return {
        _("pairs"): number(one.pairs, ",.0f") if one.pairs else "",
        _("before"): _points(one.before),
        _("after"): _points(one.after),
        _("gain"): _points(one.gain, "+"),
        _("lost"): _points(one.lost, "+") if one.method else "",
        _("found"): _("{share:.0%}", share=one.overlap.mean) if one.method else "",
        _("looked at"): _("{share:.1%}", share=one.looked_at.mean),
        _("query"): f"{number(1000 * one.query_seconds.mean, ',.3f')} ms",
        "x": number(one.times.mean, ",.2g") if one.method else "",
        _("fit"): f"{number(one.fit_seconds.mean, ',.2f')} s",
    }


def _points(figure: MeanError, sign: str = "") -> str:
    error = "" if figure.error is None else f" ±{number(100 * figure.error, '.1f')}"
    return f"{number(100 * figure.mean, f'{sign}.1f')}{error}"
