"""Export of runs: table, figures, everything, experiment file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QWidget

from app.gui.frame.opened import Opened
from app.gui.process.jobs import Jobs
from app.lab.figures.figure import Figure, written
from app.language.spoken import _, _n, text
from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress

if TYPE_CHECKING:
    from app.lab.experiments.results import LabRun


def asked_file(parent: QWidget, runs: Sequence[LabRun], ending: str) -> Path | None:
    """Ask for the file of an export; None if the person cancels."""
    words = {
        "csv": _("Table (*.csv)"),
        "json": _("JSON (*.json)"),
        "png": _("Picture (*.png)"),
        "svg": _("Drawing (*.svg)"),
        "twinlens-experiment": _("Experiment (*.twinlens-experiment)"),
    }
    proposed = "".join(one if one.isalnum() or one in " -_.," else "_" for one in runs[0].name)
    name, __ = QFileDialog.getSaveFileName(parent, _("Save as"), f"{proposed}.{ending}", words[ending])
    if not name:
        return None
    file = Path(name)
    return file if file.suffix else file.with_suffix(f".{ending}")


def export(
    opened: Opened,
    jobs: Jobs,
    runs: Sequence[LabRun],
    figures: Sequence[Figure],
    file: Path,
    vectors: bool,
    tell: Callable[[str], None],
) -> None:
    """Write runs in the format of the file's ending: table, figures, JSON, or experiment.

    Parameters
    ----------
    opened : Opened
    jobs : Jobs
    runs : sequence of LabRun
    figures : sequence of Figure
        Shown figures; each of several gets a file of its own.
    file : Path
    vectors : bool
        Whether an experiment includes its vectors.
    tell : callable
        Receives a text about the written files.
    """

    def work(__: Progress) -> list[Path]:
        from app.lab.experiments.export import write_json, write_table
        from app.lab.experiments.file import write_experiment

        ending = file.suffix.lower()
        if ending in (".png", ".svg"):
            return _write_figures(figures, file)
        if ending == ".csv":
            write_table(runs, file)
        elif ending == ".json":
            write_json(runs[0], file)
        else:
            write_experiment(opened.library, runs[0].name, file, vectors)
        return [file]

    def saved(files: list[Path]) -> None:
        if len(files) == 1:
            tell(_("Saved to {file}", file=files[0]))
        else:
            tell(
                _n(
                    "Saved {count} figure to {folder}",
                    "Saved {count} figures to {folder}",
                    len(files),
                    folder=files[0].parent,
                )
            )

    jobs.begin(work).then(saved)


def _write_figures(figures: Sequence[Figure], file: Path) -> list[Path]:
    from app.lab.figures.drawing import write_figure

    if not figures:
        raise TwinlensError(Message("No figure is shown."), Message("Choose a figure first."))
    files = [file] if len(figures) == 1 else [file.with_stem(f"{file.stem} {one.name}") for one in figures]
    for figure, target in zip(figures, files, strict=True):
        write_figure(written(figure, text), target)
    return files
