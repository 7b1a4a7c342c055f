"""Export of a sheet: as a table, figures, a page, JSON or an experiment file, by the ending that a person chooses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.process.outside_files import ask_for_output, free_name
from twinlens.app.lab.figures.figure import Figure, figure_text
from twinlens.app.lab.lab_sheet import LabSheet
from twinlens.app.language.texts import _, _n, text
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.errors import TwinlensError
from twinlens.core.progress import Progress
from twinlens.core.systems.windows_paths import allowed_name

if TYPE_CHECKING:
    from twinlens.app.lab.advice.advice_results import AdviceResult
    from twinlens.app.lab.experiments.lab_results import LabRun


@dataclass(frozen=True)
class ExportedSheet:
    """A sheet to export, with its runs or its advice.

    Attributes
    ----------
    name : str
        Proposed for the file.
    runs : sequence of LabRun
        Empty of advice.
    """

    name: str
    sheet: LabSheet
    runs: Sequence[LabRun] = ()
    advice: AdviceResult | None = None


def export_kinds(state: str) -> dict[str, str]:
    """Return the formats in which an experiment can be exported, by file ending.

    Several runs share a table and figures; " vectors" stands behind the ending of an experiment with its vectors.
    """
    own = {
        "twinlens-experiment": _("Experiment file…"),
        "twinlens-experiment vectors": _("Experiment file with vectors…"),
    }
    return {
        "csv": _("Table as CSV…"),
        "png": _("Figures as PNG…"),
        "svg": _("Figures as SVG…"),
        "pdf": _("Figures as PDF…"),
        "html": _("Page with figures and table…"),
        **({} if state == "several" else {"json": _("Everything as JSON…")}),
        **({} if state in ("several", "file", "advice") else own),
    }


def choose_export_file(parent: QWidget, name: str, ending: str, library: Library) -> OutputFile | None:
    """Let the person choose the file of an export; None if cancelled."""
    words = {
        "csv": _("Table (*.csv)"),
        "json": _("JSON (*.json)"),
        "png": _("Picture (*.png)"),
        "svg": _("Drawing (*.svg)"),
        "pdf": _("Drawing (*.pdf)"),
        "html": _("Page (*.html)"),
        "twinlens-experiment": _("Experiment (*.twinlens-experiment)"),
    }
    return ask_for_output(parent, _("Save as"), f"{allowed_name(name)}.{ending}", words[ending], library)


def export_sheet(
    opened: OpenLibrary,
    jobs: Jobs,
    shown: ExportedSheet,
    figures: Sequence[Figure],
    file: OutputFile,
    vectors: bool,
    tell: Callable[[str], None],
) -> None:
    """Write what is shown in the format of the file's ending: table, figures, page, JSON, or experiment.

    Parameters
    ----------
    figures : sequence of Figure
        Shown figures; each of several gets a picture of its own.
    vectors : bool
        Whether an experiment includes its vectors.
    tell : callable
        Receives a text about the written files.
    """

    def work(__: Progress) -> list[OutputFile]:
        from twinlens.app.lab.experiments.experiment_file import write_experiment
        from twinlens.app.lab.experiments.runs import write_runs_json, write_runs_table
        from twinlens.app.lab.lab_sheet import write_csv, write_page

        ending = file.ending
        if ending in (".png", ".svg", ".pdf"):
            return _write_figures(figures, file)
        if ending == ".html":
            write_page(shown.sheet, figures, file, text)
        elif ending == ".csv":
            write_runs_table(shown.runs, file) if shown.runs else write_csv(shown.sheet, file)
        elif ending == ".json":
            write_runs_json(shown.advice or shown.runs[0], file)
        else:
            write_experiment(opened.library, shown.runs[0].name, file, vectors)
        return [file]

    def saved(files: list[OutputFile]) -> None:
        if len(files) == 1:
            tell(_("Saved to {file}", file=str(files[0])))
        else:
            tell(
                _n(
                    "Saved {count} figure to {folder}",
                    "Saved {count} figures to {folder}",
                    len(files),
                    folder=files[0].path.parent,
                )
            )

    jobs.begin(work).then(saved)


def _write_figures(figures: Sequence[Figure], file: OutputFile) -> list[OutputFile]:
    from twinlens.app.lab.figures.drawing import write_figure

    if not figures:
        raise TwinlensError("No figure is shown.", "Choose a figure first.")
    files = [file]
    if len(figures) > 1:
        names = [file.path.with_stem(f"{file.path.stem} {one.name}") for one in figures]
        files = [OutputFile(free_name(one)) for one in names]
    for figure, target in zip(figures, files, strict=True):
        write_figure(figure_text(figure, text), target)
    return files
