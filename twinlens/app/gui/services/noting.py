"""A person's notes on photographs in the window: stars, favourites, picks, all undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from twinlens.app.gui.process.jobs import ChangeQueue
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.services.undo_history import UndoHistory
from twinlens.app.language.texts import _n
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.notes.own_notes import NotesBefore

MOST_STARS = 5


class Noting(QObject):
    """Notes stars and the like; every change is written in its turn, and can be undone."""

    changed = Signal()
    """Something is noted of photographs, or no longer."""

    def __init__(self, opened: OpenLibrary, changes: ChangeQueue, undoing: UndoHistory, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._changes, self._undoing = opened, changes, undoing

    def rate(self, ids: Sequence[int], stars: int) -> None:
        """Put stars on photographs; 0 removes them."""

        def words(count: int, __: dict[str, Any]) -> str:
            if not stars:
                return _n("{count} photo has no stars now.", "{count} photos have no stars now.", count)
            return _n("{count} photo has {stars} now.", "{count} photos have {stars} now.", count, stars="★" * stars)

        self._note(ids, lambda _: {"rating": stars}, words)

    def favour(self, ids: Sequence[int]) -> None:
        """Make photographs favourites, or no longer if all of them are."""

        def words(count: int, noted: dict[str, Any]) -> str:
            if noted["favourite"]:
                return _n("{count} photo is a favourite now.", "{count} photos are favourites now.", count)
            return _n("{count} photo is no favourite now.", "{count} photos are no favourites now.", count)

        self._note(ids, lambda notes: {"favourite": not all(one.favourite for one in notes)}, words)

    def pick(self, ids: Sequence[int], pick: int) -> None:
        """Pick (1) or reject (-1) photographs, or no longer if all of them are."""

        def words(count: int, noted: dict[str, Any]) -> str:
            if noted["pick"] > 0:
                return _n("{count} photo is picked.", "{count} photos are picked.", count)
            if noted["pick"] < 0:
                return _n("{count} photo is rejected.", "{count} photos are rejected.", count)
            return _n(
                "{count} photo is neither picked nor rejected.",
                "{count} photos are neither picked nor rejected.",
                count,
            )

        self._note(ids, lambda notes: {"pick": 0 if all(one.pick == pick for one in notes) else pick}, words)

    def _note(
        self,
        ids: Sequence[int],
        noted: Callable[[Sequence[Any]], dict[str, Any]],
        words: Callable[[int, dict[str, Any]], str],
    ) -> None:
        """Note what follows from the present notes (`Metadata`) of photographs, and tell it."""
        library = self._opened.library
        if not ids:
            return

        def work(__: Progress) -> tuple[NotesBefore, dict[str, Any]]:
            from twinlens.app.notes.own_notes import notes_of, set_notes

            with library.store.reading() as r:
                wanted = noted(list(notes_of(r, ids).values()))
            return set_notes(library, ids, **wanted), wanted

        def then(made: tuple[NotesBefore, dict[str, Any]]) -> None:
            before, wanted = made
            self.changed.emit()
            step = _Change(before)
            self._undoing.offer(words(len(ids), wanted), lambda: self._swap(step), lambda: self._swap(step))

        self._changes.do(work, then)

    def _swap(self, step: _Change) -> None:
        """Bring notes to what they were before a change, and keep those of now, to do it again."""
        library = self._opened.library

        def work(__: Progress) -> None:
            from twinlens.app.notes.own_notes import put_back

            step.before = put_back(library, step.before)

        self._changes.do(work, lambda __: self.changed.emit())


class _Change:
    """A change that can be taken back and done again."""

    def __init__(self, before: NotesBefore) -> None:
        self.before = before
