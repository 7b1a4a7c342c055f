"""The menu of a photograph: everything that can be done with it, with its keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu

from app.language.spoken import _, _n

if TYPE_CHECKING:
    from app.gui.frame.frame import Frame
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
    frame : Frame
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._frame = frame

    def show_for_current(self) -> None:
        """Show what can be done with the current photograph, as the menu key does."""
        held = self._frame.grid()
        if held is not None:
            middle = held.viewport().rect().center()
            keyboard = QContextMenuEvent.Reason.Keyboard
            QCoreApplication.sendEvent(held.viewport(), QContextMenuEvent(keyboard, middle, held.mapToGlobal(middle)))

    def show(self, photograph_id: int, place: QPoint) -> None:
        """Show what can be done with a photograph, or with all that are selected if it is one of them."""
        ids = self._frame.chosen()
        if photograph_id not in ids:
            ids = [photograph_id]
        menu = QMenu(self._frame)
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
        frame = self._frame
        search = _("Find look-alikes of these") if len(ids) > 1 else _("Find look-alikes")
        things = [Thing(search, "Enter", lambda: frame.searching.ask_pictures(list(ids)))]
        comparing = _("Compare indexes")
        things.append(Thing(comparing, "Ctrl+Shift+C", lambda: frame.comparing.ask_pictures(list(ids))))
        if frame.view() == "search":
            things += [
                Thing(_("Compare indexes by what is asked"), "Shift+C", frame.compare_question),
                Thing(_("More like this"), "+", lambda: frame.searching.add_examples(list(ids), True)),
                Thing(_("Not like this"), "-", lambda: frame.searching.add_examples(list(ids), False)),
            ]
        things += self._to_mark(ids)
        part = frame.late.choosing(frame.view())
        held: LookedThrough | None = frame.grid() if part is None else part.looked_through()
        if held is not None:
            things.append(Thing(_("Show large"), "Space", lambda: frame.viewing.show(held, one)))
        if part is None:
            things.append(Thing(_("Show on the map"), "Ctrl+Shift+M", lambda: frame.show_on_map(list(ids))))
        else:
            things.append(Thing(_("Show in the library"), "G", lambda: frame.show_in_library(tuple(ids))))
        things.append(Thing(_("Explore with this photograph"), "", lambda: self._explore(one)))
        return things

    def _explore(self, one: int) -> None:
        from app.gui.lab.explore.controller import ExploreControl
        from app.gui.lab.lab_view import LabShell

        self._frame.show_view("lab")
        lab, part = self._frame.late.part("lab"), self._frame.late.part("explore")
        if isinstance(lab, LabShell) and isinstance(part, ExploreControl):
            lab.show_page("explore")
            part.ask(one)

    def _to_mark(self, ids: list[int]) -> list[Thing]:
        marking = self._frame.marking
        if self._frame.view() == "search":
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
        if self._frame.view() not in ("library", "map") or len(ids) < 2:
            return []
        things = [Thing(), Thing(_("These are alike"), "S", lambda: marking.mark_selection(ids, True))]
        if len(ids) == 2:
            things.append(
                Thing(_("These are different"), "D", lambda: marking.mark_selection(ids, False)),
            )
        return [*things, Thing()]

    def _to_do(self, one: int, ids: list[int]) -> list[Thing]:
        actions = self._frame.actions_
        return [
            Thing(_("Open in another program"), "Ctrl+Return", lambda: actions.open(one)),
            Thing(_("Show in the file manager"), "Ctrl+Shift+R", lambda: actions.reveal(one)),
            Thing(_("Copy"), "Ctrl+C", lambda: actions.copy(ids)),
            Thing(),
            Thing(_("Export copies…"), "Ctrl+Shift+E", lambda: actions.export(ids, "copy")),
            Thing(_("Export links…"), "", lambda: actions.export(ids, "link")),
            Thing(_("Export a table…"), "", lambda: actions.export(ids, "csv")),
        ]
