"""Outcomes of a comparison: an index of the library, or a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from app.gui.frame.save_dialog import ask_for_output
from app.gui.library.adding_controller import LongWork
from app.gui.look.images import png_of
from app.gui.process.jobs import Jobs
from app.language.spoken import _, text
from app.library.library import Library
from app.machine.output_file import DRAWING, MADE_BY, OutputFile
from app.machine.places import home_relative
from core.progress import Progress

if TYPE_CHECKING:
    from app.compare.columns import ComparisonColumn
    from app.compare.results import ComparedColumn, CompareResult


class ColumnKeeping(QObject):
    """Makes indexes of the library from changed columns."""

    kept = Signal(object, str)
    """A `Column`, and the name of its new index."""

    def __init__(self, adding: LongWork, parent: QObject) -> None:
        super().__init__(parent)
        self._adding = adding
        self._becoming: dict[str, ComparisonColumn] = {}  # by the name of what is being made
        adding.index_made.connect(self._on_index_made)

    def keep(self, column: ComparisonColumn, one: ComparedColumn) -> bool:
        """Make an index of a column; return False if the library already has it."""
        if not one.changed or not one.method:
            return False
        name = f"{one.index} · {text(one.title)}"
        self._becoming[name] = column
        self._adding.create_index(one.descriptor, one.metric, one.method, one.search, name)
        return True

    def _on_index_made(self, name: str) -> None:
        column = self._becoming.pop(name, None)
        if column is not None:
            self.kept.emit(column, name)


def choose_comparison_file(parent: QWidget, how: str, library: Library) -> OutputFile | None:
    """Ask for the file of a ``png``, ``csv`` or ``json``; return None if cancelled."""
    kinds = {
        "png": _("Picture (*.png)"),
        "csv": _("Table (*.csv)"),
        "json": _("JSON (*.json)"),
    }
    heading = _("Save the comparison as")
    return ask_for_output(parent, heading, f"comparison.{how}", kinds[how], library)


def export_comparison(
    jobs: Jobs, file: OutputFile, result: CompareResult, image: QImage | None, tell: Callable[[str], object]
) -> None:
    """Write a picture, a table, or everything as JSON, by the name of the file; ``tell`` shows the place."""

    def work(__: Progress) -> OutputFile:
        from app.compare.export import write_comparison

        if image is None:
            write_comparison(result, file)
        else:
            image.setText("Software", MADE_BY)
            file.write(png_of(image), DRAWING)
        return file

    def done(written: OutputFile) -> None:
        tell(_("Saved as {last}", last=home_relative(str(written))))

    jobs.begin(work).then(done)
