"""The views of the window, one over the other, by their names on the rail."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.gui.frame.failure_view import FailureView
from app.gui.frame.late_views import LateViews


class ViewStack(QStackedWidget):
    """Shows one view at a time, and in the place of all of them why there is no library.

    Parameters
    ----------
    late : LateViews
        What makes the views that are made when they are first shown.
    """

    again_wanted = Signal()
    other_wanted = Signal()

    def __init__(self, late: LateViews) -> None:
        super().__init__()
        self._late = late
        self._known: dict[str, tuple[QWidget, Callable[[], None]]] = {}
        self._failure: FailureView | None = None

    @property
    def failure(self) -> FailureView | None:
        """What says why there is no library; None where there is one."""
        return self._failure

    def add(self, name: str, view: QWidget, focus: Callable[[], None]) -> None:
        """Add a view, and what puts the keys on what it is about."""
        self._known[name] = view, focus
        self.addWidget(view)

    def prepare(self, name: str) -> None:
        """Make a view that is made late."""
        late = self._late.part(name)
        if late is not None and name not in self._known:
            self.add(name, late.view, late.focus)

    def show_view(self, name: str, page: Callable[[str], QWidget]) -> None:
        """Show a view of the library, or the page of that name, with the keys on it."""
        if name not in self._known:
            shown = page(name)
            self.setCurrentWidget(shown)
            shown.setFocus()
        elif self._failure is not None:
            self.setCurrentWidget(self._failure)
            self._failure.setFocus()
        else:
            self.setCurrentWidget(self._known[name][0])
            self.focus(name)

    def focus(self, name: str) -> None:
        """Focus what a view is about, if it is one of the library."""
        if name in self._known:
            self._known[name][1]()

    def fail(self, sentence: str, next_step: str) -> None:
        """Show why there is no library, wherever one of its views would be."""
        if self._failure is None:
            self._failure = FailureView()
            self._failure.again_wanted.connect(self.again_wanted)
            self._failure.other_wanted.connect(self.other_wanted)
            self.addWidget(self._failure)
        self._failure.say(sentence, next_step)

    def mend(self) -> bool:
        """Show views again, now that there is a library; say whether there was none."""
        failure, self._failure = self._failure, None
        if failure is None:
            return False
        self.removeWidget(failure)
        failure.deleteLater()
        return True
