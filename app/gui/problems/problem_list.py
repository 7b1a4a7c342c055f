"""The list of files that could not be read: three lines each, however many there are."""

from __future__ import annotations

import os

from app.gui.look.card_list import CardList
from app.gui.look.card_painting import Card, CardLine, CardLook
from app.language.spoken import _, text
from app.library.results import Problem
from app.machine.places import home_relative
from core.files.untrusted_input import plain_name


class ProblemList(CardList[Problem]):
    """The list; a problem is known by its path."""

    def __init__(self) -> None:
        super().__init__(lambda one: one.path, problem_card, CardLook(lines=2, little=False))
        self.setAccessibleName(_("Files that could not be read"))

    def meant(self) -> list[Problem]:
        """Return those that are chosen; where none is, the current one."""
        current = self.current()
        return self.chosen() or ([current] if current else [])


def problem_card(problem: Problem) -> Card:
    """Return name and folder, the reason, what to do."""
    folder, name = os.path.split(home_relative(problem.path))
    reason, step = text(problem.reason), text(problem.next_step)
    since = problem.since[:10] and f"({problem.since[:10]})"
    return Card(
        title=CardLine(name, "ink", f"{folder}  ·  {_('set aside')}" if problem.ignored else folder),
        lines=(CardLine(reason, "ink"), CardLine(f"{step}  {since}".strip())),
        faded=problem.ignored,
        spoken=f"{plain_name(problem.path)}: {reason} {step}".strip(),
        tip=f"{home_relative(problem.path)}\n{reason}\n{step}".strip(),
    )
