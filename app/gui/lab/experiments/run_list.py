"""List of runs to choose, rename and delete."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu, QWidget

from app.gui.lab.experiments.run_words import moment_words
from app.gui.look.card_list import CardList
from app.gui.look.card_painting import Card, CardLook, Line
from app.lab.experiments.results import LabRunStatus
from app.language.spoken import _


class State(Enum):
    """State of a run."""

    WHOLE = "whole"
    PART = "part"  # stopped, and can be gone on with
    WAITS = "waits"  # for other long work
    RUNS = "runs"
    FILE = "file"  # out of somebody's file, not kept; its id is below 0


@dataclass(frozen=True)
class ListedRun:
    """A run in the list."""

    run: LabRunStatus
    state: State

    @property
    def id(self) -> int:
        """Its number."""
        return self.run.id


def state_words(one: ListedRun) -> str:
    """Return the state of a run as text."""
    run = one.run
    steps = _("{done} / {steps}", done=run.done, steps=run.steps)
    return {
        State.WHOLE: moment_words(run.created),
        State.PART: _("stopped at {steps}", steps=steps),
        State.RUNS: _("running · {steps}", steps=steps) if run.steps else _("starting"),
        State.WAITS: _("waiting"),
        State.FILE: _("from a file, not kept"),
    }[one.state]


_COLOURS = {State.RUNS: "accent", State.WAITS: "accent", State.PART: "warn"}


def run_card(one: ListedRun) -> Card:
    """Return name, state and data; of a run that goes on, how far it is."""
    run, state = one.run, state_words(one)
    return Card(
        title=Line(run.name, "ink"),
        lines=(Line(state, _COLOURS.get(one.state, "quiet"), aside=run.data),),
        progress=run.done / run.steps if one.state is State.RUNS and run.steps else None,
        spoken=f"{run.name}. {run.data}. {state}",
    )


class RunList(CardList[ListedRun]):
    """List of runs, the newest first. Several chosen with Space or Ctrl are compared.

    Signals
    -------
    menu_wanted : object, object
        Run and place, for what else can be done.
    """

    menu_wanted = Signal(object, object)

    def __init__(self) -> None:
        look = CardLook(lines=1, margin=18)
        super().__init__(lambda one: one.id, run_card, look, seeks=True, renamable=lambda one: one.id > 0)
        self.setAccessibleName(_("Experiments"))
        self.setAccessibleDescription(_("Choose several with Ctrl to compare them"))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the menu of a run."""
        keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if keyboard else self.indexAt(event.pos())
        if index.isValid():
            at = self.viewport().mapToGlobal(self.visualRect(index).center()) if keyboard else event.globalPos()
            self.menu_wanted.emit(self.rows()[index.row()], at)


def run_menu(parent: QWidget) -> QMenu:
    """Return an empty menu that is deleted after use."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu
