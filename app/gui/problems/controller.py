"""Controller of the problems page: lists what cannot be read, has it read again, sets it aside."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.gui.frame.window import WorkspaceServices
from app.gui.problems.problems_page import ProblemsPage
from app.gui.process.file_manager import reveal_path
from app.language.spoken import _n
from core.progress import Progress

if TYPE_CHECKING:
    from app.library.results import ProblemsResult


class ProblemsControl(QObject):
    """The page of the problems."""

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
        """List the problems anew."""
        opened, with_ignored, passed_over = self._opened, self._with_ignored, self._with_passed_over

        def work(__: Progress) -> ProblemsResult:
            return opened.library.problems(with_ignored, passed_over)

        self._listing.begin(work).then(self.view.set_problems)

    def state(self) -> dict[str, Any]:
        """Return nothing: the page shows what the library has."""
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
        """Set some problems aside, or take them back, and list what there is then."""
        opened = self._opened

        def work(__: Progress) -> None:
            from app.library.problems import ignore_problem

            for path in paths:
                ignore_problem(opened.library, path, ignored)

        self._window.changes.do(work, lambda __: self.refresh())
