"""The list of experiments: advice first, then the runs, each a card with its finding in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu, QWidget

from twinlens.app.gui.lists.card import Card, CardLine, CardLook
from twinlens.app.gui.lists.card_list import CardList
from twinlens.app.gui.pictures.photograph import moment_words
from twinlens.app.language.texts import _

if TYPE_CHECKING:
    from twinlens.app.lab.experiments.lab_results import LabRunStatus


ADVICE = 0
"""Id of the first experiment; those of runs are others."""


class RunState(Enum):
    """State of a run."""

    WHOLE = "whole"
    PART = "part"  # stopped, and can be gone on with
    WAITS = "waits"  # for other long work
    RUNS = "runs"
    FILE = "file"  # out of somebody's file, not kept; its id is below 0


@dataclass(frozen=True)
class ListedExperiment:
    """An experiment in the list.

    Attributes
    ----------
    finding : str
        One sentence.
    status : LabRunStatus, optional
        None of advice, and of a run that is not kept.
    """

    id: int
    name: str
    finding: str = ""
    state: RunState = RunState.WHOLE
    status: LabRunStatus | None = None


def state_words(one: ListedExperiment) -> str:
    """Return the state of an experiment as text; empty for advice."""
    status = one.status
    return {
        RunState.WHOLE: "" if status is None else moment_words(status.created),
        RunState.PART: "" if status is None else _("stopped at {done} / {steps}", done=status.done, steps=status.steps),
        RunState.RUNS: _("running"),
        RunState.WAITS: _("waiting"),
        RunState.FILE: _("from a file, not kept"),
    }[one.state]


_COLOURS = {RunState.RUNS: "accent", RunState.WAITS: "accent", RunState.PART: "warn"}


def experiment_card(one: ListedExperiment) -> Card:
    """Return name, state, data and finding."""
    state, data = state_words(one), "" if one.status is None else one.status.data
    told = [CardLine(state, _COLOURS.get(one.state, "quiet"), aside=data)] if state else []
    found = [CardLine(one.finding, "quiet")] if one.finding else []
    return Card(
        title=CardLine(one.name, "ink"),
        lines=(*told, *found),
        spoken="\n".join(filter(None, [one.name, " · ".join(filter(None, [state, data])), one.finding])),
    )


class ExperimentList(CardList[ListedExperiment]):
    """List of advice, then the runs, the newest first. Several runs chosen with Ctrl are compared.

    Signals
    -------
    menu_wanted : object, object
        Experiment and place, for what else can be done.
    """

    menu_wanted = Signal(object, object)

    def __init__(self) -> None:
        look = CardLook(lines=4, margin=18)
        super().__init__(lambda one: one.id, experiment_card, look, seeks=True, renamable=lambda one: one.id > ADVICE)
        self.setAccessibleName(_("Experiments"))
        self.setAccessibleDescription(_("Choose several with Ctrl to compare them"))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the menu of a run."""
        keyboard = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if keyboard else self.indexAt(event.pos())
        if index.isValid() and self.rows()[index.row()].id != ADVICE:
            at = self.viewport().mapToGlobal(self.visualRect(index).center()) if keyboard else event.globalPos()
            self.menu_wanted.emit(self.rows()[index.row()], at)


def new_menu(parent: QWidget) -> QMenu:
    """Return an empty menu that is deleted after use."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def truth_words(truth: str) -> str:
    """Return the definition of the relevant results of a truth."""
    return {
        "": _("exact neighbours"),
        "folders": _("the same folder"),
        "concepts": _("showing the same thing"),
        "marks": _("marked as similar"),
        "edits": _("edited copies"),
    }.get(truth, _("exact neighbours by {measure}", measure=truth))
