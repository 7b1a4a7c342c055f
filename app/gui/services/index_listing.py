"""The list of the indexes, read again after every change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.process.jobs import ChangeQueue, Jobs
from app.gui.process.open_library import OpenLibrary
from core.progress import Progress

if TYPE_CHECKING:
    from app.indexes.index_results import IndexListResult


class IndexListing(QObject):
    """The list of the indexes, which can be renamed and deleted."""

    listed = Signal(object)
    """The `IndexListResult`."""

    def __init__(self, opened: OpenLibrary, changes: ChangeQueue, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._changes = opened, changes
        self._listing = jobs.latest()
        self.result: IndexListResult | None = None
        """The last list; None until it is read."""

    def names(self) -> list[str]:
        """Return the names of all indexes."""
        return [] if self.result is None else [one.name for one in self.result.indexes]

    def words(self) -> dict[str, str]:
        """Return what each index compares, in plain words."""
        from app.gui.forms.parameter_controls import told
        from app.methods.catalogue import plain_words

        return (
            {} if self.result is None else {one.name: told(plain_words(one.descriptor)) for one in self.result.indexes}
        )

    def refresh(self) -> None:
        """Read the list again."""
        opened = self._opened

        def work(__: Progress) -> IndexListResult:
            from app.indexes.indexes import list_indexes

            return list_indexes(opened.library)

        self._listing.begin(work).then(self._on_listed)

    def rename(self, old: str, new: str) -> None:
        """Rename an index."""
        opened = self._opened
        self.delete_put_away(new)

        def work(__: Progress) -> IndexListResult:
            from app.indexes.indexes import list_indexes, rename_index

            rename_index(opened.library, old, new)
            return list_indexes(opened.library)

        self._changes.do(work, self._on_listed)

    def put_away(self, name: str) -> None:
        """Hide an index, which is deleted when the library is closed; until then that can be undone."""
        self._opened.put_away.add(name)
        self.refresh()

    def bring_back(self, name: str) -> None:
        """Show a hidden index again."""
        self._opened.put_away.discard(name)
        self.refresh()

    def delete_put_away(self, name: str) -> None:
        """Delete a hidden index now, since another one needs its name."""
        opened = self._opened
        if name not in opened.put_away:
            return
        opened.put_away.discard(name)

        def work(__: Progress) -> IndexListResult:
            from app.indexes.indexes import delete_index

            return delete_index(opened.library, name)

        self._changes.do(work, self._on_listed)

    def _on_listed(self, result: IndexListResult) -> None:
        left = [one for one in result.indexes if one.name not in self._opened.put_away]
        self.result = result.model_copy(update={"indexes": left})
        self.listed.emit(self.result)
