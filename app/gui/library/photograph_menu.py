"""The menu of a photograph: everything that can be done with it, with its keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu

from app.language.spoken import _, _n

if TYPE_CHECKING:
    from app.gui.frame.workspace import Workspace
    from app.gui.viewer.controller import LookedThrough


class Thing(NamedTuple):
    """Something that can be done; without words it is a line between others."""

    words: str = ""
    key: str = ""
    act: Callable[[], object] | None = None


class PhotographMenu(QObject):
    """Shows the menu, over the grid that is seen.

    Parameters
    ----------
    window : Workspace
    """

    def __init__(self, window: Workspace) -> None:
        super().__init__(window.widget)
        self._window = window

    def show_for_current(self) -> None:
        """Show what can be done with the current photograph, as the menu key does."""
        held = self._window.grid()
        if held is not None:
            middle = held.viewport().rect().center()
            keyboard = QContextMenuEvent.Reason.Keyboard
            QCoreApplication.sendEvent(held.viewport(), QContextMenuEvent(keyboard, middle, held.mapToGlobal(middle)))

    def show(self, photograph_id: int, place: QPoint) -> None:
        """Show what can be done with a photograph, or with all that are selected if it is one of them."""
        ids = self._window.chosen()
        if photograph_id not in ids:
            ids = [photograph_id]
        menu = QMenu(self._window.widget)
        for words, key, act in self.things(photograph_id, ids):
            if act is None:
                menu.addSeparator()
                continue
            # The key is shown only: it is bound once, for the whole window.
            menu.addAction(f"{words}\t{key}" if key else words, act)
        menu.exec(place)

    def things(self, one: int, ids: list[int]) -> list[Thing]:
        """List what can be done with one photograph, and with all that are chosen with it."""
        return [*self._to_search(one, ids), Thing(), *self._to_do(one, ids)]

    def _to_search(self, one: int, ids: list[int]) -> list[Thing]:
        window = self._window
        search = _("Find look-alikes of these") if len(ids) > 1 else _("Find look-alikes")
        things = [Thing(search, "Enter", lambda: window.search_with(ids))]
        comparing = _("Compare indexes")
        things.append(Thing(comparing, "Ctrl+Shift+C", lambda: window.compare_with(ids)))
        if window.view() == "search":
            things += [
                Thing(_("Compare indexes by what is asked"), "Shift+C", window.compare_question),
                Thing(_("More like this"), "+", lambda: window.searching.add_examples(list(ids), True)),
                Thing(_("Not like this"), "-", lambda: window.searching.add_examples(list(ids), False)),
            ]
        things += self._to_mark(ids)
        part = window.views.choosing(window.view())
        held: LookedThrough | None = None if part is None else part.looked_through()
        if held is not None:
            things.append(Thing(_("Show large"), "Space", lambda: window.viewing.show(held, one)))
        if window.view() != "map":
            things.append(Thing(_("Show on the map"), "Ctrl+Shift+M", lambda: window.show_on_map(list(ids))))
        else:
            things.append(Thing(_("Show in the library"), "G", lambda: window.show_in_library(tuple(ids))))
        things.append(Thing(_("Explore with this photograph"), "", lambda: window.explore(one)))
        return things

    def _to_mark(self, ids: list[int]) -> list[Thing]:
        marking = self._window.marking
        if self._window.view() == "search":
            things = [
                Thing(),
                Thing(_("Similar to what was asked"), "S", lambda: marking.mark_results(ids, True)),
                Thing(_("Different from what was asked"), "D", lambda: marking.mark_results(ids, False)),
            ]
            count = len(marking.confirmed())
            if count:
                words = _n("Mark all {count} confirmed as similar", "Mark all {count} confirmed as similar", count)
                things.append(Thing(words, "Ctrl+Shift+S", marking.mark_confirmed))
            return [*things, Thing()]
        if self._window.view() not in ("library", "map") or len(ids) < 2:
            return []
        things = [Thing(), Thing(_("These are alike"), "S", lambda: marking.mark_selection(ids, True))]
        if len(ids) == 2:
            things.append(
                Thing(_("These are different"), "D", lambda: marking.mark_selection(ids, False)),
            )
        return [*things, Thing()]

    def _to_do(self, one: int, ids: list[int]) -> list[Thing]:
        actions = self._window.actions_
        return [
            Thing(_("Open in another program"), "Ctrl+Return", lambda: actions.open(one)),
            Thing(_("Show in the file manager"), "Ctrl+Shift+R", lambda: actions.reveal(one)),
            Thing(_("Copy"), "Ctrl+C", lambda: actions.copy(ids)),
            Thing(),
            Thing(_("Export copies…"), "Ctrl+Shift+E", lambda: actions.export(ids, "copy")),
            Thing(_("Export links…"), "", lambda: actions.export(ids, "link")),
            Thing(_("Export a table…"), "", lambda: actions.export(ids, "csv")),
        ]
