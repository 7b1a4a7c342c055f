"""An action is something that a person can do: its words and keys, declared once, and the widgets that offer it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QWidget

_PROPERTY = "action"
_NATIVE = QKeySequence.SequenceFormat.NativeText


@dataclass(frozen=True)
class Action:
    """An action of a person.

    Attributes
    ----------
    name : str
        Unique: the place where it applies and what it does, such as "compare.another".
    words : str
        Its name for a person.
    keys : tuple of str
        Keys that do it, as Qt writes them ("Ctrl+A"); empty for none.
    heading : str
        Heading in the sheet of keys.
    view : str
        The view to which it belongs, and which is shown first; empty where it applies everywhere.
    keys_only : bool
        Whether it acts on the focused widget, so that the palette, which takes the focus, does not offer it.
    """

    name: str
    words: str
    keys: tuple[str, ...]
    heading: str
    view: str
    keys_only: bool = False

    def keys_text(self) -> str:
        """Return the keys as a person reads them."""
        return " / ".join(QKeySequence(key).toString(_NATIVE) or key for key in self.keys)

    def tip(self) -> str:
        """Return the words with the first key, as the tooltip of a button."""
        return f"{self.words} ({QKeySequence(self.keys[0]).toString(_NATIVE)})" if self.keys else self.words


def declare(
    view: str,
    heading: str,
    rows: Mapping[str, tuple[str, str]],
    place: str = "",
    keys_only: Collection[str] = (),
) -> dict[str, Action]:
    """Return the actions of a view by name.

    Parameters
    ----------
    view : str
        Its name; empty for what applies everywhere.
    rows : mapping of str to (str, str)
        The words of each action, and its keys with " / " between them, by name.
    place : str
        Prefix of the names; by default the view's name.
    keys_only : collection of str
        Names of the actions that the palette does not offer.
    """
    return {
        name: Action(
            f"{place or view}.{name}",
            words,
            tuple(keys.split(" / ")) if keys else (),
            heading,
            view,
            name in keys_only,
        )
        for name, (words, keys) in rows.items()
    }


def attach(
    widget: QWidget, actions: Mapping[str, Action], acts: Mapping[str, Callable[[], object]], whole_window: bool = False
) -> dict[str, QAction]:
    """Bind actions to a widget: their keys within it, its menus, and the palette.

    Parameters
    ----------
    actions : mapping of str to Action
        Declared actions by name.
    acts : mapping of str to callable
        The handler of each action, by name; some may lack.
    whole_window : bool
        Whether the keys hold in the whole window.
    """
    made: dict[str, QAction] = {}
    context = Qt.ShortcutContext
    for name, act in acts.items():
        action = actions[name]
        one = made[name] = QAction(action.words, widget)
        one.setObjectName(action.name)
        one.setShortcuts([QKeySequence(key) for key in action.keys])
        one.setShortcutContext(context.WindowShortcut if whole_window else context.WidgetWithChildrenShortcut)
        one.triggered.connect(lambda __=False, act=act: act())
        widget.addAction(one)
    return made


def show_action(button: QAbstractButton, action: Action, details: str = "") -> None:
    """Show the words and the key of an action in the tooltip of its button, below details if there are any."""
    button.setProperty("command", action.name)
    button.setAccessibleName(action.words)
    button.setToolTip(f"{details}\n{action.tip()}" if details else action.tip())


def give_key(button: QAbstractButton, action: Action) -> None:
    """Let a button do an action: its key is bound while the button is visible and enabled, and shown."""
    show_action(button, action)
    button.setProperty(_PROPERTY, action.name)
    if action.keys:
        button.setShortcut(QKeySequence(action.keys[0]))


def available(within: QWidget, action: Action, held: QWidget | None) -> Callable[[], object] | None:
    """Return the function that does an action now, if a visible, enabled widget offers it.

    Parameters
    ----------
    held : QWidget or None
        The focused widget: of several handlers, the one around it is returned.
    """
    found: list[tuple[QWidget, Callable[[], object]]] = []
    for one in within.findChildren(QAction, action.name):
        owner = one.parent()
        if one.isEnabled() and isinstance(owner, QWidget) and owner.isVisible():
            found.append((owner, one.trigger))
    found += [
        (button, button.click)
        for button in within.findChildren(QAbstractButton)
        if button.property(_PROPERTY) == action.name and button.isEnabled() and button.isVisible()
    ]
    if len(found) > 1:
        found = [
            (owner, act) for owner, act in found if held is not None and (owner is held or owner.isAncestorOf(held))
        ]
    return found[0][1] if found else None


def is_withheld(within: QWidget, action: Action) -> bool:
    """Return whether an action is not offered at all, since its handler is hidden."""
    found = within.findChildren(QAction, action.name)
    return bool(found) and not any(one.isVisible() for one in found)


def by_heading(actions: Iterable[Action]) -> dict[str, list[Action]]:
    """Return actions under their headings, in the order of both."""
    found: dict[str, list[Action]] = {}
    for one in actions:
        found.setdefault(one.heading, []).append(one)
    return found
