"""The page of problems: the files that could not be read, each with its reason, to be read again or set aside."""

from __future__ import annotations

import os
from functools import partial

from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import problem_actions, window_actions
from twinlens.app.gui.lists.card import Card, CardLine, CardLook
from twinlens.app.gui.lists.card_list import CardList
from twinlens.app.gui.look.buttons import Switch
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.page_parts import EmptyState, PageView, command_button, label, surface
from twinlens.app.gui.pictures.photograph import moment_words
from twinlens.app.gui.process.outside_files import reveal_path
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, _n, text
from twinlens.app.library.library_results import Problem, ProblemsResult
from twinlens.app.machine.app_folders import home_relative
from twinlens.core.files.untrusted_input import plain_name
from twinlens.core.progress import Progress


class ProblemsPage(PageView):
    """The page that lists the files that could not be read."""

    def __init__(self, window: Workspace) -> None:
        super().__init__("", scrolls=False)
        self._window, self._library = window, window.opened.library
        self._listing = window.jobs.latest()
        self.set_title(_("Problems"))
        self.setAccessibleName(_("Problems"))
        self._retry_all = self.add_button(command_button(_("Retry all"), problem_actions()["retry all"]))
        self._retry_all.clicked.connect(lambda: window.adding.retry(None))
        self._list = ProblemList()
        self._list.chosen_changed.connect(self._on_chosen_changed)
        self._list.activated.connect(self._reveal_current)
        self._empty = EmptyState(_("Every file could be read. There is nothing to do here."))
        self._views = QStackedWidget()
        self._views.addWidget(self._list)
        self._views.addWidget(self._empty)
        self.body.setSpacing(0)
        self.body.addWidget(self._tools())
        self.body.addWidget(self._views, 1)
        attach(
            self,
            problem_actions(),
            {"retry": self._retry_chosen, "retry all": self._retry_all.click, "ignore": self._ignore_chosen},
        )
        attach(self._list, problem_actions(), {"reveal": self._reveal_current})
        attach(self, window_actions(), {"leave": window.left.emit})
        self.setFocusProxy(self._list)
        self.set_problems(ProblemsResult(problems=[]))
        self.refresh()

    def _tools(self) -> QWidget:
        tools = QWidget()
        surface(tools, "head")
        row = FlowLayout()
        tools.setLayout(row)
        row.setContentsMargins(24, 8, 24, 8)
        self._retry = command_button(_("Retry"), problem_actions()["retry"])
        self._retry.clicked.connect(self._retry_chosen)
        self._ignore = command_button(_("Set aside"), problem_actions()["ignore"])
        self._ignore.clicked.connect(self._ignore_chosen)
        self._reveal = command_button(_("Show in folder"), problem_actions()["reveal"])
        self._reveal.clicked.connect(self._reveal_current)
        for made in (self._retry, self._ignore, self._reveal):
            row.addWidget(made)
        self._chosen = label("", "quiet")
        self._chosen.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row.addWidget(self._chosen)
        self._with_ignored = Switch(_("Show those set aside"))
        self._with_ignored.setAccessibleName(_("Also list the files that were set aside"))
        self._with_ignored.clicked.connect(self.refresh)
        row.addWidget(self._with_ignored)
        self._with_passed_over = Switch(_("Other files"))
        self._with_passed_over.setAccessibleName(_("Also list the files that are no pictures"))
        self._with_passed_over.setToolTip(_("Also list the files that are no pictures"))
        self._with_passed_over.clicked.connect(self.refresh)
        row.addWidget(self._with_passed_over)
        return tools

    def refresh(self) -> None:
        """List the problems again, with those set aside and files that are no pictures where they are wanted."""
        library = self._library
        with_ignored, passed_over = self._with_ignored.isChecked(), self._with_passed_over.isChecked()
        self._listing.begin(lambda __: library.problems(with_ignored, passed_over)).then(self.set_problems)

    def set_problems(self, result: ProblemsResult) -> None:
        """Show problems; selected ones stay selected."""
        count = len(result.problems)
        passed_over = [self._no_picture(path) for path in result.passed_over or []]
        self._list.show_rows([*result.problems, *passed_over])
        self._views.setCurrentWidget(self._list if count or passed_over else self._empty)
        self._retry_all.setEnabled(bool(count))
        if count:
            said = _n(
                "{count} file could not be read. Your other photos are not affected.",
                "{count} files could not be read. Your other photos are not affected.",
                count,
            )
        else:
            said = _("Every file could be read.")
        if result.retried:
            mended = _n("{count} mended", "{count} mended", result.mended)
            said = _n("{count} file read again", "{count} files read again", result.retried) + f", {mended}. {said}"
        self.set_line(said)
        self._on_chosen_changed()

    def _no_picture(self, path: str) -> Problem:
        """Return a row for a file that is no picture, which has no actions."""
        return Problem(path=path, reason=_("This file is no picture."), next_step="", since="", attempts=0)

    def _on_chosen_changed(self) -> None:
        chosen = self._list.meant()
        for made in (self._retry, self._ignore):
            made.setEnabled(any(map(_is_problem, chosen)))
        self._reveal.setEnabled(bool(chosen))
        back = bool(chosen) and all(problem.ignored for problem in chosen)
        self._ignore.setText(_("List again") if back else _("Set aside"))
        self._chosen.setText(_n("{count} chosen", "{count} chosen", len(chosen)) if len(chosen) > 1 else "")

    def _retry_chosen(self) -> None:
        chosen = list(filter(_is_problem, self._list.meant()))
        if chosen:
            self._window.adding.retry([problem.path for problem in chosen])

    def _ignore_chosen(self) -> None:
        """Set the chosen files aside, or list them again if all of them are set aside."""
        chosen = list(filter(_is_problem, self._list.meant()))
        if not chosen:
            return
        paths, ignored = [problem.path for problem in chosen], not all(problem.ignored for problem in chosen)
        self._set_aside(paths, ignored)
        words = (
            _n("{count} problem set aside.", "{count} problems set aside.", len(paths))
            if ignored
            else _n("{count} problem shown again.", "{count} problems shown again.", len(paths))
        )
        undo, again = partial(self._set_aside, paths, not ignored), partial(self._set_aside, paths, ignored)
        self._window.undoing.offer(words, undo, again)

    def _set_aside(self, paths: list[str], ignored: bool) -> None:
        """Set problems aside, or take them back, and list them again."""
        library = self._library

        def work(__: Progress) -> None:
            from twinlens.app.library.ingest.problem_files import ignore_problem

            for path in paths:
                ignore_problem(library, path, ignored)

        self._window.changes.do(work, lambda __: self.refresh())

    def _reveal_current(self) -> None:
        current = self._list.current()
        if current:
            reveal_path(current.path, self._window.status.show_message)


def _is_problem(row: Problem) -> bool:
    """Return whether a row is a problem, rather than a file that is no picture."""
    return row.attempts > 0


class ProblemList(CardList[Problem]):
    """The list of problems, keyed by path."""

    def __init__(self) -> None:
        super().__init__(lambda one: one.path, problem_card, CardLook(lines=2, little=False))
        self.setAccessibleName(_("Files that could not be read"))

    def meant(self) -> list[Problem]:
        """Return the selected problems, or the current one."""
        current = self.current()
        return self.chosen() or ([current] if current else [])


def problem_card(problem: Problem) -> Card:
    """Return the card of a problem: name and folder, reason, next step."""
    folder, name = os.path.split(home_relative(problem.path))
    reason, step = text(problem.reason), text(problem.next_step)
    since = problem.since and f"({moment_words(problem.since)})"
    return Card(
        title=CardLine(name, "ink", f"{folder}  ·  {_('set aside')}" if problem.ignored else folder),
        lines=(CardLine(reason, "ink"), CardLine(f"{step}  {since}".strip())),
        faded=problem.ignored,
        spoken=f"{plain_name(problem.path)}: {reason} {step}".strip(),
        tip=f"{home_relative(problem.path)}\n{reason}\n{step}".strip(),
    )
