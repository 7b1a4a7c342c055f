"""The menu of a photograph: everything that can be done with it, with its keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from app.gui.actions.action import Action
from app.gui.actions.declared_actions import photograph_actions, search_actions
from app.gui.frame.commands import WorkspaceCommands


class MenuEntry(NamedTuple):
    """Something that can be done; without an action it is a line between others."""

    action: Action | None = None
    act: Callable[[], object] | None = None


class PhotographMenu(QObject):
    """Shows the menu, over the photographs that are seen.

    Parameters
    ----------
    desk : Desk
    """

    def __init__(self, desk: WorkspaceCommands) -> None:
        super().__init__(desk.widget)
        self._desk = desk

    def show(self, photograph_id: int, place: QPoint) -> None:
        """Show what can be done with a photograph, or with all that are selected if it is one of them."""
        ids = self._desk.chosen()
        if photograph_id not in ids:
            ids = [photograph_id]
        menu = QMenu(self._desk.widget)
        for action, act in self.things(photograph_id, ids):
            if action is None or act is None:
                menu.addSeparator()
            else:
                # The key is shown only: it is bound once, for the whole window.
                menu.addAction(f"{action.words}\t{action.keys_text()}", act)
        menu.exec(place)

    def things(self, one: int, ids: list[int]) -> list[MenuEntry]:
        """List what can be done with one photograph, and with all that are chosen with it."""
        return [*self._to_search(one, ids), MenuEntry(), *self._to_do(one, ids)]

    def _to_search(self, one: int, ids: list[int]) -> list[MenuEntry]:
        desk, own, asking = self._desk, photograph_actions(), search_actions()
        things = [
            MenuEntry(own["search"], lambda: desk.search_with(ids)),
            MenuEntry(own["compare"], lambda: desk.compare_with(ids)),
        ]
        if desk.view() == "search":
            things += [
                MenuEntry(asking["compare"], desk.compare_question),
                MenuEntry(asking["more like"], lambda: desk.searching.add_examples(list(ids), True)),
                MenuEntry(asking["not like"], lambda: desk.searching.add_examples(list(ids), False)),
            ]
        things += self._to_mark(ids)
        part = desk.views.choosing(desk.view())
        if part is not None:
            held = part.looked_through()
            things.append(MenuEntry(own["large"], lambda: desk.viewing.show(held, one)))
        if len({*ids, *desk.asked_with()}) > 1:
            things.append(MenuEntry(own["side by side"], lambda: desk.look_side_by_side(ids)))
        if desk.view() == "map":
            things.append(MenuEntry(own["in library"], lambda: desk.show_in_library(tuple(ids))))
        else:
            things.append(MenuEntry(own["map"], lambda: desk.show_on_map(list(ids))))
        things.append(MenuEntry(own["explore"], lambda: desk.explore(one)))
        return things

    def _to_mark(self, ids: list[int]) -> list[MenuEntry]:
        marking = self._desk.marking
        if self._desk.view() == "search":
            asking = search_actions()
            things = [
                MenuEntry(),
                MenuEntry(asking["similar"], lambda: marking.mark_results(ids, True)),
                MenuEntry(asking["different"], lambda: marking.mark_results(ids, False)),
            ]
            if marking.confirmed():
                things.append(MenuEntry(asking["confirmed"], marking.mark_confirmed))
            return [*things, MenuEntry()]
        if self._desk.view() not in ("library", "map") or len(ids) < 2:
            return []
        own = photograph_actions()
        things = [MenuEntry(), MenuEntry(own["alike"], lambda: marking.mark_selection(ids, True))]
        if len(ids) == 2:
            things.append(MenuEntry(own["different"], lambda: marking.mark_selection(ids, False)))
        return [*things, MenuEntry()]

    def _to_do(self, one: int, ids: list[int]) -> list[MenuEntry]:
        actions, own = self._desk.actions_, photograph_actions()
        return [
            MenuEntry(own["open"], lambda: actions.open(one)),
            MenuEntry(own["reveal"], lambda: actions.reveal(one)),
            MenuEntry(own["copy"], lambda: actions.copy(ids)),
            MenuEntry(),
            MenuEntry(own["export"], lambda: actions.export(ids, "copy")),
            MenuEntry(own["export links"], lambda: actions.export(ids, "link")),
            MenuEntry(own["export table"], lambda: actions.export(ids, "csv")),
        ]
