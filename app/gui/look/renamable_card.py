"""A card whose title is a name that can be changed in place."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit

from app.gui.look.page_parts import Card, label
from app.gui.process.outlived import outlived
from app.language.spoken import _


class RenamableCard(Card):
    """Its first line is the name, followed by badges; :attr:`top` takes more.

    Parameters
    ----------
    name : str
    badges : iterable of (str, str)
        Words and role of each.

    Signals
    -------
    rename_wanted : str, str
        The old and the new name.
    """

    rename_wanted = Signal(str, str)

    def __init__(self, name: str, badges: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__()
        self.name = name
        self._title = label(name, "name")
        self._edit = QLineEdit()
        self._edit.setAccessibleName(_("New name of {name}", name=name))
        self._edit.returnPressed.connect(self._on_renamed)
        self._edit.installEventFilter(self)
        self._edit.hide()
        self.top = QHBoxLayout()
        self.top.setSpacing(8)
        self.top.addWidget(self._title)
        self.top.addWidget(self._edit, 1)
        for words, role in badges:
            self.top.addWidget(label(words, role))
        self.top.addStretch()
        self.column.addLayout(self.top)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def has_focus(self) -> bool:
        """Return whether it, or something in it, has the focus."""
        focused = QApplication.focusWidget()
        return focused is not None and (focused is self or self.isAncestorOf(focused))

    def new_name(self) -> str | None:
        """Return the name that is being typed; None where none is."""
        return None if self._edit.isHidden() else self._edit.text()

    def begin_rename(self) -> None:
        """Let another name be typed."""
        self.rename(self.name)
        self._edit.selectAll()

    def rename(self, typed: str) -> None:
        """Go on with a name that is being typed."""
        self._title.hide()
        self._edit.setText(typed)
        self._edit.show()
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_renamed(self) -> None:
        new = self._edit.text().strip()
        self._leave_rename()
        if new and new != self.name:
            self.rename_wanted.emit(self.name, new)

    def _leave_rename(self) -> None:
        self._edit.hide()
        self._title.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Leave the name as it was, with Escape; keep letters from the keys of the view."""
        if outlived(self):
            return False
        if watched is self._edit and isinstance(event, QKeyEvent):
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
                self._leave_rename()
                return True
        return super().eventFilter(watched, event)
