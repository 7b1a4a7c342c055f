"""List of the steps done: choosing one undoes the later steps, or does them again."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QDialog, QUndoView, QVBoxLayout, QWidget

from app.gui.look.page_parts import label
from app.language.spoken import _


class UndoStepList(QDialog):
    """The steps of the undo stack, the present one marked.

    Parameters
    ----------
    stack : QUndoStack
    parent : QWidget
    """

    def __init__(self, stack: QUndoStack, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("What was done"))
        self.setAccessibleName(_("What was done"))
        self.setProperty("role", "sheet")
        steps = QUndoView(stack)
        steps.setEmptyLabel(_("As the library was opened"))
        steps.setAccessibleName(_("What was done"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(12)
        column.addWidget(label(_("What was done"), "title"))
        column.addWidget(label(_("Click a step to go back to it."), "quiet"))
        column.addWidget(steps, 1)
        self.resize(min(520, parent.width() - 48), min(420, parent.height() - 48))
