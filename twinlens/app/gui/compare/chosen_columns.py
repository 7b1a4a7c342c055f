"""The columns that a person has chosen, as they are remembered, and what becomes of them: indexes, and files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.compare.compare_view import MOST_COLUMNS, RESULT_COUNTS
from twinlens.app.gui.pictures.photograph import png_of
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.outside_files import ask_for_output
from twinlens.app.gui.services.long_work import IndexMaking
from twinlens.app.language.texts import _, text
from twinlens.app.library.library import Library
from twinlens.app.machine.app_folders import home_relative
from twinlens.app.machine.output_file import DRAWING, MADE_BY, OutputFile
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.compare.columns import ComparisonColumn
    from twinlens.app.compare.comparison_results import ComparedColumn, CompareResult


_K = 20


class ChosenColumns:
    """The chosen columns and the reference, as they are remembered.

    Attributes
    ----------
    columns : list of ComparisonColumn
        Chosen by the person; empty: those that are worth seeing first.
    pinned : list of ComparisonColumn
        Those that stay at the left.
    k : int
        How many each is asked for.
    reference : ComparisonColumn or None
        What all are held against; None: each against its own exact answer.
    """

    def __init__(self) -> None:
        self.columns: list[ComparisonColumn] = []
        self.pinned: list[ComparisonColumn] = []
        self.k = _K
        self.reference: ComparisonColumn | None = None
        self._taken_away: list[tuple[list[ComparisonColumn], list[ComparisonColumn], ComparisonColumn | None]] = []

    def state(self) -> dict[str, Any]:
        """Return the remembered state as plain values."""
        return {
            "columns": [column.to_json() for column in self.columns],
            "pinned": [column.to_json() for column in self.pinned],
            "k": self.k,
        }

    def restore(self, kept: object) -> None:
        """Restore a remembered state, if this version wrote it."""
        from twinlens.app.compare.columns import ComparisonColumn

        self._taken_away.clear()
        known: dict[str, Any] = kept if isinstance(kept, dict) else {}
        try:
            self.columns = [ComparisonColumn.from_json(one) for one in known.get("columns", ())][:MOST_COLUMNS]
            self.pinned = [ComparisonColumn.from_json(one) for one in known.get("pinned", ())]
            self.k = known.get("k", _K) if known.get("k") in RESULT_COUNTS else _K
        except TypeError:
            self.columns, self.pinned, self.k = [], [], _K

    def take(self, columns: Sequence[ComparisonColumn]) -> None:
        """Choose other columns; the reference goes if its column is gone."""
        self.columns = list(columns)
        if self.reference not in columns:
            self.reference = None

    def without(self, columns: Sequence[ComparisonColumn], gone: ComparisonColumn) -> list[ComparisonColumn] | None:
        """Remove a column; return None if it is the last one, or not there."""
        if len(columns) < 2 or gone not in columns:
            return None
        self._taken_away.append((list(columns), self.pinned, self.reference))
        self.pinned = [one for one in self.pinned if one != gone]
        return [one for one in columns if one != gone]

    def brought_back(self, columns: Sequence[ComparisonColumn]) -> list[ComparisonColumn] | None:
        """Restore the column removed last, in its position; return None if there is none, or no room."""
        while self._taken_away:
            before, pinned, reference = self._taken_away.pop()
            back = [one for one in before if one not in columns]
            if not back or len(columns) + len(back) > MOST_COLUMNS:
                continue
            order = list(columns)
            for one in back:
                order.insert(min(before.index(one), len(order)), one)
            self.pinned = [one for one in order if one in self.pinned or (one in back and one in pinned)]
            self.reference = reference if reference in back else self.reference
            return order
        return None

    def moved(self, columns: Sequence[ComparisonColumn], place: int, target: int) -> list[ComparisonColumn] | None:
        """Move a column; return None if it cannot be moved, since pinned ones stay at the left."""
        pinned = sum(one in self.pinned for one in columns)
        if not (0 <= place < len(columns) and 0 <= target < len(columns)) or (place < pinned) != (target < pinned):
            return None
        order = list(columns)
        order.insert(target, order.pop(place))
        return order

    def pin(self, columns: Sequence[ComparisonColumn], place: int) -> list[ComparisonColumn]:
        """Pin a column to the left, or unpin it; return the new order."""
        column = columns[place]
        if column in self.pinned:
            self.pinned = [one for one in self.pinned if one != column]
        else:
            self.pinned = [*self.pinned, column]
        return sorted(columns, key=lambda one: one not in self.pinned)


class ColumnKeeping(QObject):
    """Creation of library indexes from changed columns."""

    kept = Signal(object, str)
    """A `ComparisonColumn`, and the name of its new index."""

    def __init__(self, making: IndexMaking, parent: QObject) -> None:
        super().__init__(parent)
        self._making = making
        self._becoming: dict[str, ComparisonColumn] = {}  # by the name of what is being made
        making.made.connect(self._on_index_made)

    def keep(self, column: ComparisonColumn, one: ComparedColumn) -> bool:
        """Make an index of a column; return False if the library already has it."""
        if not one.changed or not one.method:
            return False
        name = f"{one.index} · {text(one.title)}"
        self._becoming[name] = column
        self._making.create(one.descriptor, one.metric, one.method, one.search, name)
        return True

    def _on_index_made(self, name: str) -> None:
        column = self._becoming.pop(name, None)
        if column is not None:
            self.kept.emit(column, name)


def choose_comparison_file(parent: QWidget, how: str, library: Library) -> OutputFile | None:
    """Let the person choose a ``png``, ``csv`` or ``json`` file; return None if cancelled."""
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
    """Write a picture, a table, or everything as JSON, by the file's ending; ``tell`` reports the file."""

    def work(__: Progress) -> OutputFile:
        from twinlens.app.compare.comparison_results import write_comparison

        if image is None:
            write_comparison(result, file)
        else:
            image.setText("Software", MADE_BY)
            file.write(png_of(image), DRAWING)
        return file

    def done(written: OutputFile) -> None:
        tell(_("Saved as {last}", last=home_relative(str(written))))

    jobs.begin(work).then(done)
