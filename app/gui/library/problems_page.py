"""The page of problems: the files that could not be read, each with its reason, to be read again or set aside."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from app.gui.actions.action import attach
from app.gui.actions.declared_actions import problem_actions
from app.gui.lists.card_list import Card, CardLine, CardList, CardLook
from app.gui.look.buttons import Switch
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import EmptyState, TitledPage, bind, button, command_button, label, surface
from app.gui.process.outside_files import reveal_path
from app.gui.services.services import WorkspaceServices
from app.language.texts import _, _n, text
from app.library.library_results import Problem, ProblemsResult
from app.machine.app_folders import home_relative
from core.files.untrusted_input import plain_name
from core.progress import Progress

if TYPE_CHECKING:
    from app.library.library_results import ProblemsResult


class ProblemsControl(QObject):
    """Controller of the page of problems."""

    def __init__(self, window: WorkspaceServices) -> None:
        self.view = ProblemsPage()
        super().__init__(self.view)
        self._window, self._opened = window, window.opened
        self._listing = window.jobs.latest()
        self._with_ignored = self._with_passed_over = False
        page = self.view
        page.retry_wanted.connect(window.adding.retry)
        page.retry_all_wanted.connect(lambda: window.adding.retry(None))
        page.ignore_wanted.connect(self._on_ignore)
        page.reveal_wanted.connect(reveal_path)
        page.show_ignored_wanted.connect(self._on_with_ignored)
        page.show_passed_over_wanted.connect(self._on_with_passed_over)
        page.closed.connect(window.leave)
        self.refresh()

    def focus(self) -> None:
        """Focus the page."""
        self.view.setFocus()

    def refresh(self) -> None:
        """List the problems again."""
        opened, with_ignored, passed_over = self._opened, self._with_ignored, self._with_passed_over

        def work(__: Progress) -> ProblemsResult:
            return opened.library.problems(with_ignored, passed_over)

        self._listing.begin(work).then(self.view.set_problems)

    def state(self) -> dict[str, Any]:
        """Return an empty state, since the page shows the library's problems."""
        return {}

    def _on_with_ignored(self, shown: bool) -> None:
        self._with_ignored = shown
        self.refresh()

    def _on_with_passed_over(self, shown: bool) -> None:
        self._with_passed_over = shown
        self.refresh()

    def _on_ignore(self, paths: list[str], ignored: bool) -> None:
        self._set_aside(paths, ignored)
        count = len(paths)
        words = (
            _n("{count} problem set aside.", "{count} problems set aside.", count)
            if ignored
            else _n("{count} problem shown again.", "{count} problems shown again.", count)
        )
        again = partial(self._set_aside, paths, ignored)
        self._window.undoing.offer(words, partial(self._set_aside, paths, not ignored), again)

    def _set_aside(self, paths: list[str], ignored: bool) -> None:
        """Set problems aside, or take them back, and list them again."""
        opened = self._opened

        def work(__: Progress) -> None:
            from app.library.ingest.adding import ignore_problem

            for path in paths:
                ignore_problem(opened.library, path, ignored)

        self._window.changes.do(work, lambda __: self.refresh())


class ProblemsPage(TitledPage):
    """The page that lists the files that could not be read.

    Signals
    -------
    retry_wanted : list of str
        Paths of the files that are to be read again.
    retry_all_wanted
        All files are to be read again.
    ignore_wanted : list of str, bool
        Paths that are to be set aside (True), or to be listed again (False).
    reveal_wanted : str
        The file is to be shown in the file manager.
    show_ignored_wanted : bool
        Whether problems set aside are to be listed, too, by :meth:`set_problems`.
    show_passed_over_wanted : bool
        Whether files that are no pictures are to be listed, too, by :meth:`set_problems`.
    closed
        The person wants to go back.
    """

    retry_wanted = Signal(list)
    retry_all_wanted = Signal()
    ignore_wanted = Signal(list, bool)
    reveal_wanted = Signal(str)
    show_ignored_wanted = Signal(bool)
    show_passed_over_wanted = Signal(bool)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__("", scrolls=False)
        self.set_title(_("Problems"))
        self.setAccessibleName(_("Problems"))
        self._retry_all = self.add_button(command_button(_("Retry all"), problem_actions()["retry all"]))
        self._retry_all.clicked.connect(self.retry_all_wanted)
        self._list = ProblemList()
        self._list.chosen_changed.connect(self._on_chosen_changed)
        self._list.activated.connect(self._on_reveal)
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
            {"retry": self._on_retry, "retry all": self._retry_all.click, "ignore": self._on_ignore},
        )
        bind(self, "Esc", self.closed.emit)
        self.setFocusProxy(self._list)
        self.set_problems(ProblemsResult(problems=[]))

    def _tools(self) -> QWidget:
        tools = QWidget()
        surface(tools, "head")
        row = FlowLayout()
        tools.setLayout(row)
        row.setContentsMargins(24, 8, 24, 8)
        self._retry = command_button(_("Retry"), problem_actions()["retry"])
        self._retry.clicked.connect(self._on_retry)
        self._ignore = command_button(_("Set aside"), problem_actions()["ignore"])
        self._ignore.clicked.connect(self._on_ignore)
        self._reveal = button(_("Show in folder"), _("Show the file in the file manager"), "Return")
        self._reveal.clicked.connect(self._on_reveal)
        for made in (self._retry, self._ignore, self._reveal):
            row.addWidget(made)
        self._chosen = label("", "quiet")
        self._chosen.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row.addWidget(self._chosen)
        self._with_ignored = Switch(_("Show those set aside"))
        self._with_ignored.setAccessibleName(_("Also list the files that were set aside"))
        self._with_ignored.clicked.connect(self.show_ignored_wanted)
        row.addWidget(self._with_ignored)
        self._with_passed_over = Switch(_("Other files"))
        self._with_passed_over.setAccessibleName(_("Also list the files that are no pictures"))
        self._with_passed_over.setToolTip(_("Also list the files that are no pictures"))
        self._with_passed_over.clicked.connect(self.show_passed_over_wanted)
        row.addWidget(self._with_passed_over)
        return tools

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

    def _on_retry(self) -> None:
        chosen = list(filter(_is_problem, self._list.meant()))
        if chosen:
            self.retry_wanted.emit([problem.path for problem in chosen])

    def _on_ignore(self) -> None:
        chosen = list(filter(_is_problem, self._list.meant()))
        if chosen:
            back = all(problem.ignored for problem in chosen)
            self.ignore_wanted.emit([problem.path for problem in chosen], not back)

    def _on_reveal(self) -> None:
        current = self._list.current()
        if current:
            self.reveal_wanted.emit(current.path)


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
    since = problem.since[:10] and f"({problem.since[:10]})"
    return Card(
        title=CardLine(name, "ink", f"{folder}  ·  {_('set aside')}" if problem.ignored else folder),
        lines=(CardLine(reason, "ink"), CardLine(f"{step}  {since}".strip())),
        faded=problem.ignored,
        spoken=f"{plain_name(problem.path)}: {reason} {step}".strip(),
        tip=f"{home_relative(problem.path)}\n{reason}\n{step}".strip(),
    )
