"""The Learn view: what learning did, the pair to mark next, the order before and after, the marks and the metrics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.gui.learn.before_after_strips import StripsView
from app.gui.learn.content_thumbnails import Thumbnails
from app.gui.learn.headline import LearnHead
from app.gui.learn.learn_facts import MarksCount, MetricList
from app.gui.learn.mark_column import MarkColumn
from app.gui.learn.metric_list import MetricColumn
from app.gui.learn.metric_meaning_panel import MeaningView
from app.gui.learn.next_pair import PairView
from app.gui.look.empty_state import EmptyState
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import button, scrolling
from app.language.spoken import _, number

_COLUMN_PX = 332
_ROOM_FOR_COLUMN = 900
_MARGIN = 24
_SPACING = 20
_GAP = 8  # between the scroll bar and the column
_EDGE = 10  # right of the column, whose scroll bar stands in the margin

_PLAIN = Qt.KeyboardModifier.NoModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier


@dataclass(frozen=True, eq=False)
class Row:
    """Photographs in an order."""

    ids: npt.NDArray[np.int64]


class LearnView(QWidget):
    """Lays the parts out and takes the keys, which hold wherever the focus in it is.

    S and D mark the pair, Space skips it, Backspace and Ctrl+Z take back; L or Ctrl+Enter learns, K keeps, N leaves,
    B goes back, Esc cancels; A ranks by another photograph, M shows the marks where they have no room of their own.

    Signals
    -------
    learn_wanted, cancel_wanted, keep_wanted, not_now_wanted, another_wanted, undo_wanted
    left
        Esc, where nothing runs.
    """

    learn_wanted = Signal()
    cancel_wanted = Signal()
    keep_wanted = Signal()
    not_now_wanted = Signal()
    another_wanted = Signal()
    undo_wanted = Signal()
    left = Signal()
    seen = Signal(bool)
    """The view comes into sight, or leaves it."""
    library_wanted = Signal()
    back_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.thumbnails = Thumbnails(self)
        self.head = LearnHead()
        self.pair = PairView()
        self.strips = StripsView(self.thumbnails)
        self.meaning = MeaningView(self.thumbnails)
        self.marks = MarkColumn(self.thumbnails)
        self.metrics = MetricColumn()
        self._asked_for_column = False
        self._lay_out()
        self.head.learn_wanted.connect(self.learn_wanted)
        self.head.cancel_wanted.connect(self.cancel_wanted)
        self.head.keep_wanted.connect(self.keep_wanted)
        self.head.not_now_wanted.connect(self.not_now_wanted)
        self.head.back_wanted.connect(self.back_wanted)
        self.metrics.back_wanted.connect(self.back_wanted)
        self.head.marks_wanted.connect(self.show_column)
        self.strips.another_wanted.connect(self.another_wanted)
        self.pair.undo_wanted.connect(self.undo_wanted)
        self.setFocusProxy(self.pair)
        self.show_counts(MarksCount(), MetricList())
        self.show_photographs(True)

    def _lay_out(self) -> None:
        sheet = QWidget()
        sheet.setProperty("role", "ground")
        sheet.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        left = QVBoxLayout(sheet)
        left.setContentsMargins(_MARGIN, 16, _MARGIN - _GAP, _MARGIN)
        self._left = left
        left.setSpacing(_SPACING)
        for part in (self.pair, self.strips, self.meaning):
            left.addWidget(part)
        left.addStretch()
        self._scroll = scrolling(sheet, _("Learn"))
        self._scroll.verticalScrollBar().rangeChanged.connect(self._on_range)
        self._column = self._make_column()
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self._scroll, 1)
        body.addWidget(self._column)
        full = QWidget()
        outer = QVBoxLayout(full)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.head)
        outer.addLayout(body, 1)
        self._empty = EmptyState(
            _("There is nothing to learn from yet: add photographs first."),
            _("Go to the library"),
            "Ctrl+1",
        )
        self._empty.wanted.connect(self.library_wanted)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(full)
        self._pages.addWidget(self._empty)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)

    def _make_column(self) -> QWidget:
        column = QWidget()
        column.setProperty("role", "ground")
        column.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._tabs = [
            button("", _("Your marks"), "", "tab"),
            button("", _("Metrics: what was learned and kept"), "", "tab"),
        ]
        row = FlowLayout(16, line_gap=4)
        self._panes = QStackedWidget()
        for place, (tab, pane) in enumerate(zip(self._tabs, (self.marks, self.metrics), strict=True)):
            tab.setCheckable(True)
            tab.clicked.connect(lambda __, place=place: self.show_tab(place))
            row.addWidget(tab)
            self._panes.addWidget(pane)
        inner = self._inner = QVBoxLayout(column)
        inner.setContentsMargins(_GAP, 12, _EDGE, 16)
        inner.setSpacing(10)
        inner.addLayout(row)
        inner.addWidget(self._panes, 1)
        self.show_tab(0)
        return column

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_photographs(self, there: bool) -> None:
        """Say whether the library has photographs at all."""
        self._pages.setCurrentIndex(0 if there else 1)

    def shows_photographs(self) -> bool:
        """Return whether there is something to learn from."""
        return self._pages.currentIndex() == 0

    def show_counts(self, marks: MarksCount, metrics: MetricList) -> None:
        """Say on the tabs how many there are."""
        self._tabs[0].setText(f"{_('Your marks')}  {number(marks.total)}")
        self._tabs[1].setText(f"{_('Metrics')}  {number(len(metrics.metrics))}")
        self.marks.show_count(marks)

    def show_tab(self, place: int) -> None:
        """Show the marks (0) or the metrics (1)."""
        for own, tab in enumerate(self._tabs):
            tab.setChecked(own == place)
        self._panes.setCurrentIndex(place)

    def tabs(self) -> list[QPushButton]:
        """Return what chooses between marks and metrics."""
        return self._tabs

    def focus_content(self) -> None:
        """Put the keys on the pair."""
        (self.pair if self.shows_photographs() else self._empty).setFocus(Qt.FocusReason.OtherFocusReason)

    # --- room --------------------------------------------------------------------------------------------------------

    def folded(self) -> bool:
        """Return whether the column has no room of its own."""
        return self.width() < _ROOM_FOR_COLUMN

    def show_column(self, shown: bool) -> None:
        """Show the column in the place of the rest, or the rest; where there is room for both, both are seen."""
        self._asked_for_column = shown
        self._place_column()
        if self.folded():
            pane = (self.marks, self.metrics)[self._panes.currentIndex()]
            (pane if shown else self.pair).setFocus(Qt.FocusReason.OtherFocusReason)

    def _place_column(self) -> None:
        folded = self.folded()
        alone = folded and self._asked_for_column
        self._column.setVisible(not folded or alone)
        self._scroll.setVisible(not alone)
        self._inner.setContentsMargins(_MARGIN if alone else _GAP, 12, _EDGE, 16)
        self._column.setMinimumWidth(0 if alone else self._column_px())
        self._column.setMaximumWidth(16_777_215 if alone else self._column_px())
        self.head.show_fold(folded, alone)

    def _on_range(self, __: int, highest: int) -> None:
        """Let the scroll bar stand in the margin: what comes below moves nothing above."""
        bar = self._scroll.verticalScrollBar().sizeHint().width() if highest > 0 else 0
        self._left.setContentsMargins(_MARGIN, 16, _MARGIN - _GAP - bar, _MARGIN)

    def _column_px(self) -> int:
        return min(440, max(_COLUMN_PX, self.width() // 5)) + _MARGIN + _GAP

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Tell that it is looked at."""
        super().showEvent(event)
        self.seen.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Tell that it is not."""
        super().hideEvent(event)
        self.seen.emit(False)

    # --- what is looked at large -------------------------------------------------------------------------------------

    def rows(self) -> Row:
        """Return the photographs that are stepped through where one is looked at large: those that are seen here."""
        pair = self.pair.pictures.pair()
        both = () if pair is None else (pair.first.id, pair.second.id)
        ranked = (*self.strips.after.shown(), *self.strips.before.shown())
        return Row(np.array(list(dict.fromkeys((*both, *(one.picture.id for one in ranked)))), np.int64))

    def set_current(self, photograph_id: int) -> None:
        """Go to what was looked at, if it is in the strip that has the keys."""
        for strip in (self.strips.after, self.strips.before):
            ids = [one.picture.id for one in strip.shown()]
            if photograph_id in ids:
                strip.set_current(ids.index(photograph_id))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Give the photographs what room there is; the strips stay in sight."""
        super().resizeEvent(event)
        self._place_column()
        width = self.width() - (0 if self.folded() else self._column_px()) - 2 * _MARGIN + _GAP
        tile = self.strips.before.height()
        self.pair.pictures.set_room(width, self.height() - self.head.height() - 2 * tile - 180)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Fit a small screen."""
        return QSize(560, 420)

    # --- keys --------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Keep the view's keys from the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._act(event, False):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Do what the key says."""
        if not self._act(event, True):
            super().keyPressEvent(event)

    def _act(self, event: QKeyEvent, really: bool) -> bool:
        """Do what a key says, or only tell whether it says something here."""
        key, held = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if not self.shows_photographs() or isinstance(self.focusWidget(), QLineEdit):
            return False
        marks = key in (Qt.Key.Key_S, Qt.Key.Key_D, Qt.Key.Key_Space)
        if marks and held == _PLAIN:
            if really and self.pair.can_judge() and not event.isAutoRepeat():
                if key == Qt.Key.Key_Space:
                    self.pair.skipped.emit()
                else:
                    self.pair.judged.emit(key == Qt.Key.Key_S)
            return True
        if (key == Qt.Key.Key_Backspace and held == _PLAIN) or (key == Qt.Key.Key_Z and held == _CONTROL):
            return self._emit(self.undo_wanted, really)
        if (key == Qt.Key.Key_L and held == _PLAIN) or (
            key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and held == _CONTROL
        ):
            return self._emit(self.learn_wanted, really and self.head.can("learn"))
        if key == Qt.Key.Key_Escape and held == _PLAIN:
            return self._emit(self.cancel_wanted if self.head.can("cancel") else self.left, really)
        if key == Qt.Key.Key_M and held == _PLAIN:
            if really:
                self.show_column(not self._asked_for_column)
            return True
        plain = {
            Qt.Key.Key_K: (self.keep_wanted, self.head.can("keep")),
            Qt.Key.Key_N: (self.not_now_wanted, self.head.can("not now")),
            Qt.Key.Key_B: (self.back_wanted, self.head.can("back")),
            Qt.Key.Key_A: (self.another_wanted, True),
        }
        if key in plain and held == _PLAIN:
            wanted, can = plain[key]
            return self._emit(wanted, really and can)
        return False

    def _emit(self, wanted: object, really: bool) -> bool:
        if really:
            wanted.emit()  # type: ignore[attr-defined]
        return True
