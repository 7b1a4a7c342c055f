"""Controller of the check for the same picture, made after a search without moving results."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.gui.process.jobs import LatestJob, Work
from app.gui.search.search_jobs import ShownResults
from app.gui.search.view import SearchView
from app.language.spoken import _

HELD_MS = 250  # so long after asking the answer waits for its check: then nothing has to change its place


class ShowResults(Protocol):
    """Shows a result; as :meth:`app.gui.search.view.SearchView.show_answer`."""

    def __call__(self, answer: ShownResults, keep: bool, *, checking: bool = False, in_place: bool = False) -> None:
        """Show it."""


class CheckControl(QObject):
    """Has results checked before they are shown.

    Where that takes long, the answer is shown meanwhile and stays in its order: what is confirmed is marked, and comes
    first only when the person says so.

    Parameters
    ----------
    view : SearchView
    searching : Latest
        The job of the search, whose place the check takes.
    show : Show
    parent : QObject
    """

    switched = Signal()
    """Results should be checked from now on, or no longer."""
    failed = Signal(object)
    """The `Failure` of a check."""

    def __init__(self, view: SearchView, searching: LatestJob, show: ShowResults, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._searching = searching
        self._show = show
        self._checks = True
        self._waiting: tuple[ShownResults, bool] | None = None  # not checked yet, and not shown
        self._seen: ShownResults | None = None  # not checked yet, and shown
        self._checked: ShownResults | None = None  # whose confirmed hits are not first yet
        self._held = QTimer(self)
        self._held.setSingleShot(True)
        self._held.timeout.connect(self.show_waiting)
        view.checking.check_wanted.connect(self._on_wanted)
        view.checking.order_wanted.connect(self._on_order)

    def restore(self, state: dict[str, object]) -> None:
        """Restore the remembered state."""
        self._checks = state.get("check") is not False
        self._view.show_only_confirmed(state.get("only_confirmed") is True)

    def state(self) -> dict[str, object]:
        """Return the state to be remembered."""
        return {"check": self._checks, "only_confirmed": self._view.shows_only_confirmed()}

    @property
    def checks(self) -> bool:
        """Whether results are checked where they can be."""
        return self._checks

    def waits(self) -> bool:
        """Return whether a result waits for its check before it is shown."""
        return self._waiting is not None

    def begin(self, applies: bool) -> bool:
        """Forget earlier results; return whether those of an index are to be checked."""
        self._held.stop()
        self._waiting = self._seen = self._checked = None
        self._view.show_check(applies, self._checks, False)
        self._held.start(HELD_MS)
        return applies and self._checks

    def check(self, answer: ShownResults, keep: bool, work: Work) -> None:
        """Have a result checked by ``work``, which returns the checked one, and show it, once it is late unchecked."""
        self._waiting = answer, keep
        if self._view.shows_only_confirmed():  # others are not to be seen even for a moment
            self._held.stop()
            self._view.timing.say(_("Looking for the same picture…"))
        elif not self._held.isActive():
            self.show_waiting()
        self._searching.begin(work).then(lambda checked: self._on_checked(checked, keep)).failed(self.failed.emit)

    def show_waiting(self) -> bool:
        """Show the result unchecked, since its check takes long or has failed; return whether one was being checked."""
        self._held.stop()
        if self._waiting is not None:
            (self._seen, keep), self._waiting = self._waiting, None
            self._show(self._seen, keep, checking=True)
        return self._seen is not None

    def _on_checked(self, checked: ShownResults, keep: bool) -> None:
        seen = self._seen
        self._held.stop()
        self._waiting = self._seen = None
        if seen is None:
            self._show(checked, keep)
        else:
            self.complete(checked, seen)

    def complete(self, checked: ShownResults, seen: ShownResults) -> None:
        """Complete a visible result; its photographs keep their places."""
        settled = checked.in_order(seen.ids())
        self._show(settled, True, in_place=True)
        if settled.result.checked and not settled.has_confirmed_first():
            self._checked = checked
            self._view.show_check(True, True, True)

    def _on_order(self) -> None:
        checked, self._checked = self._checked, None
        if checked is not None:
            self._view.show_check(True, True, False)
            self._show(checked, False)

    def _on_wanted(self, wanted: bool) -> None:
        self._checks = wanted
        self.switched.emit()
