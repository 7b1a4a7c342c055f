"""The line beneath the map: how many are selected and what can be done with them; else how the map is moved."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.gui.look.page_parts import button
from app.gui.look.sentences import small
from app.language.spoken import _, _n

_HEIGHT = 48


class SelectionBar(QWidget):
    """Always as high, so that the map never jumps.

    Signals
    -------
    library_wanted(), alike_wanted(), export_wanted(), cleared()
    """

    library_wanted = Signal()
    alike_wanted = Signal()
    export_wanted = Signal()
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT)
        self._words = QLabel()
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._plain = self._words.font()
        self._count, self._encircled = 0, -1
        self._library = button(_("Show in the library"), _("Show what is selected in the library"), "G")
        self._library.setObjectName("main")
        self._alike = button(_("These are alike"), _("Mark what is selected as alike"), "S")
        self._export = button(_("Export…"), _("Export what is selected: copies, links or a table"), "X")
        self._clear = button(_("Clear"), _("Select nothing"), "Esc")
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 16, 0)
        row.setSpacing(8)
        row.addWidget(self._words, 1)
        for made, signal in (
            (self._library, self.library_wanted),
            (self._alike, self.alike_wanted),
            (self._export, self.export_wanted),
            (self._clear, self.cleared),
        ):
            made.clicked.connect(signal)
            row.addWidget(made)
        self._say()

    def show_count(self, count: int) -> None:
        """Show how many are selected."""
        self._count = count
        self._say()

    def show_encircled(self, count: int) -> None:
        """Show how many are inside the lasso; below 0 there is none."""
        self._encircled = count
        self._say()

    def export_place(self) -> QWidget:
        """Return the button of exports, at which its menu opens."""
        return self._export

    def words(self) -> str:
        """Return what it says."""
        return self._words.toolTip()

    def _say(self) -> None:
        acts = self._count > 0 and self._encircled < 0
        for one in (self._library, self._export, self._clear):
            one.setVisible(acts)
        self._alike.setVisible(acts and self._count > 1)
        if self._encircled >= 0:
            words = _n("{count} photo inside", "{count} photos inside", self._encircled)
        elif self._count:
            words = _n("{count} photo selected", "{count} photos selected", self._count)
        else:
            words = _(
                "Drag moves · the wheel comes closer · Shift+drag or L selects · Enter finds look-alikes · F shows all"
            )
        loud = bool(self._count) or self._encircled >= 0
        self._words.setFont(self._plain if loud else small(self._plain, 0.95))
        self._words.setObjectName("title" if loud else "quiet")
        self._words.style().polish(self._words)
        self._words.setToolTip(words)
        self._words.setAccessibleName(words)
        self._fit()

    def _fit(self) -> None:
        room = max(80, self._words.width())
        self._words.setText(
            self._words.fontMetrics().elidedText(self._words.toolTip(), Qt.TextElideMode.ElideRight, room)
        )

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as much text as has room."""
        super().resizeEvent(event)
        self._fit()
