"""An action is something that a person can do: its words and keys, declared once, and the widgets that offer it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QWidget

_NATIVE = QKeySequence.SequenceFormat.NativeText
_RANGE = re.compile(r"(.*)(\d) … (\d)")
_ENTER = re.compile(r"\b(Enter|Return)$")


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
        Keys that do it, as Qt writes them ("Ctrl+A"); empty for none. Enter and Return are one key.
    heading : str
        Heading in the sheet of keys.
    view : str
        The view to which it belongs, and which is shown first; empty where it applies everywhere.
    keys_only : bool
        Whether it acts on the focused widget, so that the palette, which takes the focus, does not offer it.
    numbered : bool
        Whether its keys end in numbers that follow each other, of which its handler gets the one that is pressed.
    once : bool
        Whether a key that is held down does it once only.
    moves : bool
        Whether it moves within a widget, which handles its keys itself.
    """

    name: str
    words: str
    keys: tuple[str, ...]
    heading: str
    view: str
    keys_only: bool = False
    numbered: bool = False
    once: bool = False
    moves: bool = False

    def keys_text(self) -> str:
        """Return the keys as a person reads them."""
        if self.numbered:
            return f"{_native(self.keys[0])} … {self.keys[-1][-1]}"
        return " / ".join(map(_native, self.keys))

    def tip(self, number: int = 0) -> str:
        """Return the words with the first key, or with that of a number, as the tooltip of a button."""
        key = self.keys[max(0, number - 1)] if self.keys else ""
        return f"{self.words} ({_native(key)})" if key else self.words

    def sequences(self) -> list[QKeySequence]:
        """Return the keys as Qt binds them."""
        both = ((_ENTER.sub("Return", key), _ENTER.sub("Enter", key)) for key in self.keys)
        return [QKeySequence(key) for pair in both for key in dict.fromkeys(pair)]

    def limited_to(self, keys: Iterable[str]) -> Action:
        """Return the action with some of its keys only."""
        return replace(self, keys=tuple(keys))


def _native(key: str) -> str:
    """Return a key as this system names it; the name of several, such as "Arrow", stays."""
    return QKeySequence(key).toString(_NATIVE) or key


def declare(
    view: str,
    heading: str,
    rows: Mapping[str, tuple[str, str]],
    place: str = "",
    keys_only: Collection[str] = (),
    once: Collection[str] = (),
    moves: Collection[str] = (),
) -> dict[str, Action]:
    """Return the actions of a view by name.

    Parameters
    ----------
    view : str
        Its name; empty for what applies everywhere.
    rows : mapping of str to (str, str)
        The words of each action, and its keys by name: with " / " between them, or from a number to another ("1 … 9").
    place : str
        Prefix of the names; by default the view's name.
    keys_only : collection of str
        Names of the actions that the palette does not offer.
    once : collection of str
        Names of the actions that a key held down does once.
    moves : collection of str
        Names of the actions that move within a widget, which the palette does not offer either.
    """
    return {
        name: Action(
            f"{place or view}.{name}",
            words,
            _split(keys),
            heading,
            view,
            keys_only=name in keys_only or name in moves,
            numbered="…" in keys,
            once=name in once,
            moves=name in moves,
        )
        for name, (words, keys) in rows.items()
    }


def _split(keys: str) -> tuple[str, ...]:
    numbers = _RANGE.fullmatch(keys)
    if numbers is not None:
        return tuple(f"{numbers[1]}{number}" for number in range(int(numbers[2]), int(numbers[3]) + 1))
    return tuple(keys.split(" / ")) if keys else ()


class BoundAction(QAction):
    """A declared action, bound to the widget that offers it and to the function that does it."""

    def __init__(self, declared: Action, widget: QWidget, act: Callable[[], object], whole_window: bool) -> None:
        super().__init__(declared.words, widget)
        self._act = act
        self.setObjectName(declared.name)
        self.setAutoRepeat(not declared.once)
        context = Qt.ShortcutContext
        self.setShortcutContext(context.WindowShortcut if whole_window else context.WidgetWithChildrenShortcut)
        self.setShortcuts(declared.sequences())  # last: Qt takes every key out and in again for what comes after
        self.triggered.connect(self.run)
        widget.addAction(self)

    def run(self) -> None:
        """Do it."""
        self._act()


def attach(
    widget: QWidget,
    actions: Mapping[str, Action],
    acts: Mapping[str, Callable[..., object]],
    whole_window: bool = False,
) -> dict[str, BoundAction]:
    """Bind actions to a widget: their keys within it, its menus, and the palette.

    Parameters
    ----------
    actions : mapping of str to Action
        Declared actions by name.
    acts : mapping of str to callable
        The handler of each action, by name; some may lack. That of a numbered action gets the number.
    whole_window : bool
        Whether the keys hold in the whole window, while the widget is visible and enabled.
    """
    made: dict[str, BoundAction] = {}
    for name, act in acts.items():
        action = actions[name]
        if action.numbered:
            for key in action.keys:
                one = action.limited_to([key])
                made[name] = BoundAction(one, widget, partial(act, int(key[-1])), whole_window)
        else:
            made[name] = BoundAction(action, widget, act, whole_window)
    return made


def means(widget: QWidget, event: QKeyEvent) -> QAction | None:
    """Return the enabled action of a widget whose key is pressed."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    tried = [modifiers]
    if not event.text().isalpha():  # signs that need Shift on some keyboards
        tried.append(modifiers & ~Qt.KeyboardModifier.ShiftModifier)
    for each in tried:
        pressed = QKeySequence(QKeyCombination(each, Qt.Key(event.key())))
        for one in widget.actions():
            if one.isEnabled() and pressed in one.shortcuts():
                return one
    return None


def press(widget: QWidget, event: QKeyEvent) -> bool:
    """Do what a key means among the actions of a widget that keeps its keys from the window; return whether it does."""
    meant = means(widget, event)
    if meant is not None and (meant.autoRepeat() or not event.isAutoRepeat()):
        meant.trigger()
    return meant is not None


def show_action(button: QAbstractButton, action: Action, details: str = "") -> None:
    """Show the words and the key of an action in the tooltip of its button, below details if there are any."""
    button.setProperty("command", action.name)
    button.setAccessibleName(action.words)
    button.setToolTip(f"{details}\n{action.tip()}" if details else action.tip())


def give_key(button: QAbstractButton, action: Action) -> None:
    """Let a button do an action: its key is bound while the button is visible and enabled, and shown."""
    show_action(button, action)
    BoundAction(action, button, button.click, whole_window=True)


def offer(
    within: QWidget,
    actions: Mapping[str, Action],
    acts: Mapping[str, Callable[[], object]],
    parts: Collection[QWidget] | None = None,
) -> None:
    """Let the buttons within a widget that show actions do them: by a click, and by a key where a click could, too.

    An action without a button is done by its key at any time.

    Parameters
    ----------
    parts : collection of QWidget
        Where the keys hold: by default in the widget itself; nowhere if it is empty, since they are bound elsewhere.
    """
    shown: dict[str, list[QAbstractButton]] = {}
    for one in within.findChildren(QAbstractButton):
        shown.setdefault(str(one.property("command")), []).append(one)
    keys: dict[str, Callable[[], object]] = {}
    for name, act in acts.items():
        buttons = shown.get(actions[name].name, [])
        for one in buttons:
            one.clicked.connect(lambda __=False, act=act: act())
        keys[name] = partial(_click_one, buttons) if buttons else act
    for part in (within,) if parts is None else parts:
        attach(part, actions, keys)


def _click_one(buttons: Iterable[QAbstractButton]) -> None:
    """Click the first of several buttons that a person could click."""
    for one in buttons:
        if one.isEnabled() and one.isVisibleTo(one.window()):
            one.click()
            return


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
        if one.isEnabled() and isinstance(owner, QWidget) and owner.isVisible() and owner.isEnabled():
            found.append((owner, one.trigger))
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
