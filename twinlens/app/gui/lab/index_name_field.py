"""The name of an index that is made from a row of the Lab, proposed or typed."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from twinlens.app.language.texts import _

if TYPE_CHECKING:
    pass


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
