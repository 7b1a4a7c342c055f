"""Export of charts to files and to the clipboard, drawn on white in a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QWidget

from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.outside_files import ask_for_output, free_name
from twinlens.app.lab.figures.figure import Figure, figure_text
from twinlens.app.language.texts import _, text
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.message import verbatim
from twinlens.core.progress import Progress


class FiguresControl:
    """Copies and saves figures of a chart or a board, whose `save_wanted` is connected to `save`.

    Parameters
    ----------
    window : QWidget
        Parent of dialogs.
    library : Library
        The library whose photographs are never overwritten.
    tell : callable
        Shows a sentence about the finished export.
    """

    def __init__(self, window: QWidget, jobs: Jobs, library: Library, tell: Callable[[str], object]) -> None:
        self._window, self._tell = window, tell
        self._jobs = jobs
        self._library = library

    def save(self, figures: Sequence[Figure], how: str) -> None:
        """Ask for a file, and write figures to it; or copy the first.

        Parameters
        ----------
        how : str
            "png", "svg", "csv", or "copy": the first, into the clipboard.
        """
        figures = [one for one in figures if one is not None]
        if not figures:
            return
        if how != "csv":  # pictures are in the window's language; tables are the same in every language
            figures = [figure_text(one, text) for one in figures]
        if how == "copy":
            self.copy(figures[0])
        elif len(figures) == 1 or how == "csv":
            self._to_file(figures, how)
        else:
            words = _("Write the charts into which folder?")
            folder = QFileDialog.getExistingDirectory(self._window, words)
            if folder:
                self.write([(one, OutputFile(free_name(Path(folder) / f"{one.name}.{how}"))) for one in figures])

    def _to_file(self, figures: Sequence[Figure], how: str) -> None:
        words = {"png": _("Picture (*.png)"), "svg": _("Drawing (*.svg)"), "csv": _("Table (*.csv)")}
        name = figures[0].name if len(figures) == 1 else "points"
        file = ask_for_output(self._window, _("Write the chart as"), f"{name}.{how}", words[how], self._library)
        if file is None:
            return
        if how == "csv":
            self.write_points(figures, file)
        else:
            self.write([(figures[0], file)])

    def write(self, wanted: Sequence[tuple[Figure, OutputFile]]) -> None:
        """Draw figures into files, PNG or SVG by their names."""

        def work(progress: Progress) -> int:
            from twinlens.app.lab.figures.drawing import write_figure

            for done, (figure, file) in enumerate(wanted):
                progress(done, len(wanted), verbatim(file.path.name))
                write_figure(figure, file)
            return len(wanted)

        last = wanted[-1][1]
        words = _("Written to {last}", last=str(last) if len(wanted) == 1 else last.path.parent)
        self._jobs.begin(work).then(lambda __: self._tell(words))

    def write_points(self, figures: Sequence[Figure], file: OutputFile) -> None:
        """Write the points of figures as a table."""

        def work(__: Progress) -> None:
            from twinlens.app.lab.figures.drawing import write_points

            write_points(figures, file)

        self._jobs.begin(work).then(lambda __: self._tell(_("Written to {last}", last=str(file))))

    def copy(self, figure: Figure) -> None:
        """Put a picture of a figure into the clipboard."""

        def work(__: Progress) -> QImage:
            from twinlens.app.lab.figures.drawing import draw_figure

            return QImage.fromData(draw_figure(figure, "png"))

        def then(image: QImage) -> None:
            QGuiApplication.clipboard().setImage(image)
            self._tell(_("“{title}” is in the clipboard as a picture", title=figure.title))

        self._jobs.begin(work).then(then)
