"""A menu whose entries are chosen by the keys that it shows."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QKeyCombination, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu


class KeyedMenu(QMenu):
    """A menu that takes every key while it is open: one that an entry shows does it and closes the menu.

    Qt shows these keys, but leaves them to what is behind the menu, which stays open. A key belongs to an action's
    shortcuts, or stands behind a tab in its text where it is bound elsewhere. Keys of menus inside count, too.
    """

    def event(self, event: QEvent) -> bool:
        """Keep keys from the shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Do what a key means here, or move in the menu."""
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        pressed = QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))
        meant = None if _moves(event) else next((one for one in self._offered() if pressed in _keys(one)), None)
        if meant is None:
            super().keyPressEvent(event)
            event.accept()
            return
        while (open_one := QApplication.activePopupWidget()) is not None:
            open_one.close()
        meant.trigger()

    def _offered(self) -> Iterator[QAction]:
        """Yield the enabled entries of the whole menu, from whichever part of it."""
        top = self
        while isinstance(above := top.parent(), KeyedMenu):
            top = above
        for menu in (top, *top.findChildren(QMenu)):
            yield from (one for one in menu.actions() if one.isEnabled() and one.isVisible())


_MOVING = (
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Escape, Qt.Key.Key_Tab,
)  # fmt: skip


def _moves(event: QKeyEvent) -> bool:
    """Return whether a key moves in a menu or chooses the current entry, as in every menu."""
    return event.key() in _MOVING and event.modifiers() in (
        Qt.KeyboardModifier.NoModifier,
        Qt.KeyboardModifier.KeypadModifier,
    )


def _keys(action: QAction) -> list[QKeySequence]:
    """Return the keys that an entry shows."""
    shown = filter(None, action.text().partition("\t")[2].split(" / "))
    return action.shortcuts() or [QKeySequence.fromString(one, QKeySequence.SequenceFormat.NativeText) for one in shown]
