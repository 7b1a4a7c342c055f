"""One chart taken out: copied as a picture, or written as a picture, a drawing or its points."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from app.gui.charts.board import ChartBoard
from app.gui.jobs import Jobs
from app.lab.figure import Figure
from core.errors import TwinlensError
from core.progress import Progress

translate = QCoreApplication.translate

_TOPIC = "lab chart"


def take_out(board: ChartBoard, jobs: Jobs, figure: Figure, ending: str, tell: Callable[[str], None]) -> None:
    """Ask where to, and write it; or copy it.

    Parameters
    ----------
    board : ChartBoard
        Shows it.
    jobs : Jobs
    figure : Figure
    ending : str
        ``copy``, ``png``, ``svg`` or ``csv``.
    tell : callable
        Is told what came of it.
    """
    if ending == "copy":
        chart = board.chart_of(figure.name)
        if chart is not None:
            QGuiApplication.clipboard().setPixmap(chart.grab())
            tell(translate("LabSaving", "The chart is copied."))
        return
    words = {
        "png": translate("LabSaving", "Picture (*.png)"),
        "svg": translate("LabSaving", "Drawing (*.svg)"),
        "csv": translate("LabSaving", "Table (*.csv)"),
    }
    name, _ = QFileDialog.getSaveFileName(
        _window(board), translate("LabSaving", "Write as"), f"{figure.name}.{ending}", words[ending]
    )
    if name:
        file = Path(name)
        write(jobs, figure, file if file.suffix else file.with_suffix(f".{ending}"), tell)


def write(jobs: Jobs, figure: Figure, file: Path, tell: Callable[[str], None]) -> None:
    """Write a figure in a job, by the ending of the file."""

    def work(_: Progress) -> Path:
        if file.suffix.lower() == ".csv":
            write_points(figure, file)
        else:
            from app.lab.drawing import write_figure

            write_figure(figure, file)
        return file

    jobs.start(_TOPIC, work, lambda done: tell(translate("LabSaving", "Written to {0}").format(done)))


def write_points(figure: Figure, file: Path) -> None:
    """Write the points of a figure: a line for each, with what it was measured with.

    Raises
    ------
    TwinlensError
        If the file cannot be written.
    """
    about = list(dict.fromkeys(name for one in figure.series for point in one.points for name in point))
    try:
        with file.open("w", newline="", encoding="utf-8") as out:
            table = csv.writer(out)
            table.writerow(["series", figure.x.words, figure.y.words, "low", "high", *about])
            for one in figure.series:
                for place, (x, y) in enumerate(zip(one.x, one.y, strict=True)):
                    spread = (one.low[place], one.high[place]) if len(one.low) and len(one.high) else ("", "")
                    told = one.points[place] if len(one.points) else {}
                    table.writerow([one.name, x, y, *spread, *(told.get(name, "") for name in about)])
    except OSError as error:
        raise TwinlensError(f"{file} cannot be written: {error.strerror}.", "Name another file.") from None


def _window(widget: QWidget) -> QWidget:
    return widget.window()
