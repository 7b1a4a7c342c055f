"""Export of runs: tables as CSV, runs as JSON, figures as PNG or SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.lab.experiments.results import LabRow, LabRun
from app.lab.figures.drawing import write_figure
from app.lab.figures.of_runs import figures, find_figure
from app.machine.csv_table import CsvTable
from app.machine.output_file import DOCUMENT, OutputFile, document, table
from app.results import Result
from core.errors import TwinlensError
from core.message import Message

_MEASURES = (
    "recall@1", "recall@10", "recall@100", "recall@1000", "overlap@10", "overlap@100", "found@1", "found@10",
    "precision@1", "precision@10", "map", "map_candidates",
    "accuracy",
)  # fmt: skip
_SECONDS = ("fit", "encode", "build", "encode_query", "search")
HEADING = (
    "run", "method", "search", "bits", "seeds",
    *(f"{name}{what}" for name in _MEASURES for what in ("", " deviation")),
    "looked_at", "scanned", "probed", "of",
    *(f"{name} seconds" for name in _SECONDS),
    "exact seconds", "model bytes", "code bytes", "list bytes", "bytes a photo",
)  # fmt: skip
TABLE = table(HEADING)


def write_runs_table(runs: Sequence[LabRun], file: OutputFile) -> None:
    """Write a row for each method and search structure of some runs as CSV."""
    with file.opened_text(TABLE) as out:
        rows = CsvTable(out)
        rows.writerow(HEADING)
        rows.writerows(_row(run, row) for run in runs for row in run.rows)


def write_runs_json(measured: Result, file: OutputFile) -> None:
    """Write a run or an advice as JSON."""
    file.write(document(measured), DOCUMENT)


def write_run_figure(runs: Sequence[LabRun], file: OutputFile, name: str = "", dark: bool = False) -> None:
    """Write a figure of some runs.

    Parameters
    ----------
    runs : sequence of LabRun
    file : OutputFile
        Ends in .png or .svg.
    name : str
        Name of the figure; empty for the first.
    dark : bool

    Raises
    ------
    TwinlensError
        If there is no such figure, or it cannot be written.
    """
    figure = find_figure(runs, name)
    if figure is None:
        known = [one.name for one in figures(runs)]
        raise TwinlensError(
            Message("This run has no figure “{name}”.", name=name)
            if name
            else Message("This run has no measured steps yet."),
            Message("Choose one of: {figures}.", figures=known) if known else Message("Resume the run first."),
        )
    write_figure(figure, file, dark)


def _row(run: LabRun, row: LabRow) -> tuple[object, ...]:
    one = row.measured
    values: dict[str, Any] = {f"recall@{count}": value for count, value in one.recall.items()}
    values |= {f"overlap@{count}": value for count, value in one.overlap.items()}
    values |= {f"found@{count}": value for count, value in one.found.items()}
    values |= {f"precision@{count}": value for count, value in one.precision.items()}
    values |= {"map": one.map, "map_candidates": one.map_candidates, "accuracy": one.accuracy}
    told = [values.get(name) if what else one.deviation.get(name) for name in _MEASURES for what in (True, False)]
    return (
        run.name, one.method, one.search, one.bits, " ".join(map(str, one.seeds)), *told,
        one.looked_at, one.scanned, one.probed, one.of,
        *(getattr(one.seconds, name) for name in _SECONDS), one.seconds.exact,
        one.bytes.model, one.bytes.codes, one.bytes.search, row.bytes_each,
    )  # fmt: skip
