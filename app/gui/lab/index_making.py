"""Creation of an index from a row of the Lab, with a proposed or typed name.

It is one piece in the queue of long work. Undoing it deletes the index again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from app.gui.services.long_work import LongWork
from app.language.texts import _
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.services.workspace import Workspace
    from app.indexes.index_results import IndexStatus
    from app.library.library import Library


Create = Callable[["Library", Progress], "IndexStatus"]


class IndexMaking(QObject):
    """Creation of indexes in the queue of long work."""

    def __init__(self, window: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window

    def make(self, what: str, create: Create, ended: Callable[[], object] = lambda: None) -> None:
        """Make an index.

        Parameters
        ----------
        what : str
            Said while it is made.
        create : callable
            Makes it in the library.
        ended : callable
            Called when it is made, has failed, or was stopped.
        """
        window = self._window

        def work(progress: Progress) -> str:
            return create(window.opened.library, progress).name

        def made(name: str) -> None:
            window.adding.index_made.emit(name)
            window.undoing.offer(_("Created the index “{name}”.", name=name), lambda: self._delete(name))

        one = QueuedWork(window.adding, self)
        one.ended.connect(lambda *__: ended())
        one.finished.connect(made)
        one.queue(_("Creating an index with {method}…", method=what), work)

    def _delete(self, name: str) -> None:
        window = self._window

        def work(__: Progress) -> None:
            from app.indexes.indexes import delete_index

            delete_index(window.opened.library, name)

        window.jobs.begin(work).then(lambda __: window.adding.changed.emit())


_WIDE = 230


class IndexNameField(QLineEdit):
    """Field with a proposed name; Enter takes it, and Escape restores the proposal.

    Signals
    -------
    fault_changed : str
        Why the name cannot be; empty where it can.
    left
        The person has gone back to the proposal.
    """

    fault_changed = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._of, self._proposed = "", ""
        self._taken: frozenset[str] = frozenset()
        self._typed = False
        self._fault = ""
        self.setFixedWidth(_WIDE)
        self.setAccessibleName(_("Name of the index"))
        self.setToolTip(_("Name of the new index (F2), Enter creates it"))
        self.textEdited.connect(self._on_edited)

    @property
    def name(self) -> str:
        """The name: the typed one, or the proposal."""
        return self.text().strip() or self._proposed

    @property
    def fault(self) -> str:
        """The reason why the name is impossible; empty if it is valid."""
        return self._fault

    def propose(self, of: str, name: str, taken: Collection[str]) -> None:
        """Propose a name; typed text stays, unless it belongs to another row.

        Parameters
        ----------
        of : str
            What gets the name.
        taken : collection of str
            Names that cannot be.
        """
        if of != self._of:
            self._typed = False
        self._of, self._proposed, self._taken = of, name, frozenset(taken)
        self.setPlaceholderText(name)
        if not self._typed:
            self.setText(name)
            self.setCursorPosition(0)  # of a long name its beginning is read
        self._check()

    def begin(self) -> None:
        """Begin to edit the name."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def _on_edited(self, text: str) -> None:
        self._typed = bool(text.strip()) and text.strip() != self._proposed
        self._check()

    def _check(self) -> None:
        taken = self.name in self._taken
        fault = _("An index with this name exists already.") if taken else ""
        if fault != self._fault:
            self._fault = fault
            self.fault_changed.emit(fault)

    def event(self, event: QEvent) -> bool:
        """Keep Escape for the field, since on the page it means leaving."""
        escapes = event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if escapes and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Restore the proposal at Escape; keep Enter from the next widget."""
        if event.key() == Qt.Key.Key_Escape:
            self._typed = False
            self.setText(self._proposed)
            self._check()
            self.left.emit()
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()


class QueuedWork(QObject):
    """One piece of work.

    Parameters
    ----------
    adding : LongWork
        Runs one long work after the other.
    ended : object
        What came of it, None for nothing; of a failure the queue itself tells.
    finished : object
        What came of it, once the next one has its turn.
    """

    began = Signal()
    ended = Signal(object)
    finished = Signal(object)
    _begins = Signal()  # from the job
    _over = Signal(object)

    def __init__(self, adding: LongWork, parent: QObject) -> None:
        super().__init__(parent)
        self._adding = adding
        self.has_begun = False
        self._unwanted = self._is_over = False
        self._begins.connect(self._on_begins)
        self._over.connect(self._on_over)

    def queue(self, words: str, work: Callable[[Progress], Any]) -> None:
        """Queue work with a text for the status line."""

        def in_turn(progress: Progress) -> Any:
            found = None
            try:
                if not self._unwanted:
                    self._begins.emit()
                    found = work(progress)
                return found
            finally:
                self._over.emit(found)

        self._adding.run(words, in_turn, self._on_finished, lambda: self._on_over(None))

    def stop(self) -> None:
        """Stop the work and keep its results; work that waits for its turn does not begin."""
        if self.has_begun:
            self._adding.stop()
        else:
            self._unwanted = True
            self._on_over(None)

    def _on_begins(self) -> None:
        self.has_begun = True
        self.began.emit()

    def _on_over(self, found: object) -> None:
        if not self._is_over:
            self._is_over = True
            self.ended.emit(found)
            if found is None:
                self.deleteLater()

    def _on_finished(self, found: object) -> None:
        if found is not None:
            self.finished.emit(found)
            self.deleteLater()
