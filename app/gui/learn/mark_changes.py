"""Actions on marks in their list: remove and restore, export and import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.frame.window import WorkspaceServices
from app.gui.learn.mark_column import MarkColumn, chosen_mark_filters
from app.language.spoken import _, _n, text
from app.machine.output_file import OutputFile
from core.progress import Progress

if TYPE_CHECKING:
    from app.marks.results import MarkResult, MarksFileResult, MarkStatus, RemovedMarks


class MarkChanges(QObject):
    """Does it, and lets it be undone."""

    told = Signal(str)

    def __init__(self, column: MarkColumn, window: WorkspaceServices, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._jobs = window.opened, window.jobs
        self._column = column
        self._changes, self._undoing = window.changes, window.undoing
        column.remove_wanted.connect(self._on_remove)

    def _on_remove(self, ids: list[int]) -> None:
        opened = self._opened
        self._column.list.without(ids)
        removed: list[MarkStatus] = []

        def work(__: Progress) -> RemovedMarks:
            from app.marks.marks import remove_marks

            return remove_marks(opened.library, ids)

        def restore() -> None:
            def bring_back(__: Progress) -> MarkResult:
                from app.marks.marks import restore_marks

                return restore_marks(opened.library, removed)

            self._changes.do(bring_back, lambda __: None)

        def on_removed(result: RemovedMarks) -> None:
            removed.extend(result.removed)
            if removed:
                words = _n("{count} mark removed.", "{count} marks removed.", len(removed))
                self._undoing.offer(words, restore)

        self._changes.do(work, on_removed)

    def export(self, file: OutputFile, chosen: str) -> None:
        """Write the marks of a filter into a file."""
        opened = self._opened

        def work(__: Progress) -> MarksFileResult:
            from app.marks.mark_file import export_marks

            return export_marks(opened.library, file, chosen_mark_filters(chosen))

        def written(result: MarksFileResult) -> None:
            self.told.emit(
                _n(
                    "{count} mark written into {file}.",
                    "{count} marks written into {file}.",
                    result.marks,
                    file=result.file,
                )
            )

        self._jobs.begin(work).then(written)

    def bring_in(self, file: Path) -> None:
        """Take marks from a file; that can be undone."""
        opened = self._opened
        added: list[int] = []

        def work(__: Progress) -> MarkResult:
            from app.marks.mark_file import import_marks

            return import_marks(opened.library, file)

        def take_out() -> None:
            def remove(__: Progress) -> RemovedMarks:
                from app.marks.marks import remove_marks

                return remove_marks(opened.library, added)

            self._changes.do(remove, lambda __: None)

        def on_taken(result: MarkResult) -> None:
            added.extend(one.id for one in result.added)
            words = _n("{count} mark taken in.", "{count} marks taken in.", len(added))
            told = [words, *map(text, (*result.notes[:1], *result.refused[:1]))]
            if len(result.refused) > 1:
                told.append(_("{refused} more were refused.", refused=len(result.refused) - 1))
            if added:
                self._undoing.offer(" ".join(told), take_out)
            else:
                self.told.emit(" ".join(told))

        self._changes.do(work, on_taken)
