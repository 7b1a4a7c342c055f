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
    """Something that can be done.

    Attributes
    ----------
    name : str
        Unique: the place where it applies and what it does, such as "compare.another".
    words : str
        As a person would call it.
    keys : tuple of str
        Keys that do it, as Qt writes them ("Ctrl+A"); empty for none.
    heading : str
        Under which the sheet of keys has it.
    view : str
        The view that is shown before it is done out of another one; empty where it applies everywhere.
    keys_only : bool
        Whether it is about what has the keys, so that the palette, which takes them, does not offer it.
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


def declare(
    view: str,
    heading: str,
    rows: Mapping[str, tuple[str, str]],
    place: str = "",
    keys_only: Collection[str] = (),
) -> dict[str, Action]:
    """Declare the actions of a view.

    Parameters
    ----------
    view : str
        Its name; empty for what applies everywhere.
    rows : mapping of str to (str, str)
        For the name of each its words, and its keys with " / " between them.
    place : str
        What its names begin with; by default the view's name.
    keys_only : collection of str
        Those that the palette does not offer.
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
    """Have a widget, and what stands in it, do actions by their keys, menus and the palette.

    Parameters
    ----------
    actions : mapping of str to Action
        What is declared.
    acts : mapping of str to callable
        What does each, by its name; not all that is declared need be among these.
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


def give_key(button: QAbstractButton, action: Action) -> None:
    """Have a button do an action by its key, too, while it is seen and enabled."""
    button.setProperty(_PROPERTY, action.name)
    if action.keys:
        button.setShortcut(QKeySequence(action.keys[0]))


def available(within: QWidget, action: Action, held: QWidget | None) -> Callable[[], object] | None:
    """Return what does an action now, if something that is seen does.

    Parameters
    ----------
    held : QWidget or None
        What has the keys: of several that do it, each for itself, it is done by the one in which that stands.
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
    """Return whether an action is not offered at all: what does it is hidden."""
    found = within.findChildren(QAction, action.name)
    return bool(found) and not any(one.isVisible() for one in found)


def by_heading(actions: Iterable[Action]) -> dict[str, list[Action]]:
    """Return actions under their headings, in the order of both."""
    found: dict[str, list[Action]] = {}
    for one in actions:
        found.setdefault(one.heading, []).append(one)
    return found
