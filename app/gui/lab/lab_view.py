"""The Lab: its pages under one line of tabs, each made when it is first shown."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.gui.frame.late_views import LatePart, LateViews
from app.gui.frame.opened import Opened
from app.gui.lab.pages import PAGES
from app.gui.look.theme import theme
from app.language.spoken import _


def words_of(name: str) -> str:
    """Return what a page is called."""
    return {
        "experiments": _("Experiments"),
        "theory": _("Theory"),
        "explore": _("Explore"),
        "advice": _("Advice"),
    }[name]


class Tab(QPushButton):
    """The name of a page; that of the page that is seen has a line under it."""

    def __init__(self, name: str, place: int) -> None:
        super().__init__(words_of(name))
        self.setObjectName("tab")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(f"{self.text()} (Alt+{place})")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the word, and the line of the page that is seen."""
        now = theme()
        painter = QPainter(self)
        font = self.font()
        font.setBold(self.isChecked())
        painter.setFont(font)
        seen = self.isChecked() or self.underMouse()
        painter.setPen(QPen(QColor(now.accent if self.hasFocus() else now.ink if seen else now.quiet)))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.isChecked():
            painter.fillRect(8, self.height() - 2, self.width() - 16, 2, QColor(now.accent))
        painter.end()


class LabShell:
    """The Lab as a part of the window.

    Parameters
    ----------
    late : LateViews
        Makes the pages.
    """

    def __init__(self, late: LateViews) -> None:
        self._late = late
        self.view = QWidget()
        self.view.setAccessibleName(_("Lab"))
        self._tabs: dict[str, Tab] = {}
        self._stack = QStackedWidget()
        self._page = ""
        head = QWidget()
        head.setObjectName("head")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 16, 0)
        row.setSpacing(0)
        for place, (name, __) in enumerate(PAGES, 1):
            tab = self._tabs[name] = Tab(name, place)
            tab.setFixedHeight(40)
            tab.setMinimumWidth(tab.fontMetrics().horizontalAdvance(tab.text()) + 40)
            tab.clicked.connect(partial(self.show_page, name))
            row.addWidget(tab)
            key = QShortcut(QKeySequence(f"Alt+{place}"), self.view)
            key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            key.activated.connect(partial(self.show_page, name))
        row.addStretch()
        column = QVBoxLayout(self.view)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._stack, 1)

    @property
    def page(self) -> str:
        """The name of the page that is seen."""
        return self._page

    def show_page(self, name: str, *__: object) -> None:
        """Show a page, by its name, and put the keys on what it is about."""
        part = self._part(name)
        if part is not None:
            part.focus()

    def take(self, opened: Opened) -> None:
        """Show the page that was seen when this library was left; the pages themselves are told by who made them."""
        kept = opened.state.get("lab")
        name = kept.get("page") if isinstance(kept, dict) else None
        self._part(name if name in self._tabs else next(iter(self._tabs), ""))

    def focus(self) -> None:
        """Focus what the page is about."""
        self.show_page(self._page)

    def refresh(self) -> None:
        """Nothing of its own: the pages look themselves."""

    def state(self) -> dict[str, Any]:
        """Return the page that is seen."""
        return {"page": self._page}

    def _part(self, name: str) -> LatePart | None:
        part = self._late.part(name)
        if part is None:
            return None
        if self._stack.indexOf(part.view) < 0:
            self._stack.addWidget(part.view)
        self._stack.setCurrentWidget(part.view)
        self._page = name
        for own, tab in self._tabs.items():
            tab.setChecked(own == name)
        return part
