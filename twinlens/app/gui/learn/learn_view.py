"""Learn view: the headline, the pair to mark next, the rankings before and after, the marks and the metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from twinlens.app.gui.actions.action import attach, offer
from twinlens.app.gui.actions.declared_actions import learn_actions, window_actions
from twinlens.app.gui.learn.before_after import StripsView
from twinlens.app.gui.learn.headline import LearnHead
from twinlens.app.gui.learn.learned_metrics import KeptMetrics, MeaningView, MetricColumn
from twinlens.app.gui.learn.mark_column import MarkColumn
from twinlens.app.gui.learn.next_pair import PairView
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.page_parts import EmptyState, button, column_of, row_of, scrolling, surface
from twinlens.app.gui.pictures.small_pictures import SmallPictures
from twinlens.app.language.texts import _, number
from twinlens.app.marks.mark_results import NO_MARKS, MarksResult

_COLUMN_PX = 332
_ROOM_FOR_COLUMN = 900
_MARGIN = 24
_SPACING = 20
_GAP = 8  # between the scroll bar and the column
_EDGE = 10  # right of the column, whose scroll bar stands in the margin


class LearnView(QWidget):
    """View of the parts of learning, whose keys work wherever the focus is.

    S and D mark the pair, Space skips it, Backspace and Ctrl+Z take back; L or Ctrl+Enter learns, K keeps, N leaves,
    B goes back, Esc cancels; A ranks by another photograph, M shows the marks where they have no room of their own.
    """

    seen = Signal(bool)
    """The view comes into sight, or leaves it."""

    def __init__(self) -> None:
        super().__init__()
        self.thumbnails = SmallPictures(self)
        self.head = LearnHead()
        self.pair = PairView()
        self.strips = StripsView(self.thumbnails)
        self.meaning = MeaningView(self.thumbnails)
        self.marks = MarkColumn(self.thumbnails)
        self.metrics = MetricColumn()
        self._asked_for_column = False
        self._lay_out()
        self.setFocusProxy(self.pair)
        self.show_counts(NO_MARKS, KeptMetrics())
        self.show_photographs(True)

    def bind(self, acts: Mapping[str, Callable[[], object]], leave: Callable[[], object]) -> None:
        """Bind what the page does to its buttons and keys.

        Parameters
        ----------
        acts : mapping of str to callable
            Functions of the buttons, by the names of their actions.
        leave : callable
            Leaves the page by Esc, where nothing is being learned.
        """
        actions, pictures = learn_actions(), self.pair.pictures
        # Space is the button's, or the strip's, where one of these has the keys.
        offer(self, actions, {"skip": acts["skip"]}, [pictures])
        offer(self, actions, {name: act for name, act in acts.items() if name != "skip"})
        attach(
            self,
            actions,
            {"left large": lambda: pictures.show_large(0), "right large": lambda: pictures.show_large(1)},
        )
        offer(self, actions, {"column": lambda: self.show_column(not self._asked_for_column)})
        attach(self, window_actions(), {"leave": lambda: acts["cancel"]() if self.head.can("cancel") else leave()})

    def _lay_out(self) -> None:
        sheet = QWidget()
        surface(sheet, "ground")
        left = column_of(on=sheet, margins=(_MARGIN, 16, _MARGIN - _GAP, _MARGIN))
        self._left = left
        left.setSpacing(_SPACING)
        for part in (self.pair, self.strips, self.meaning):
            left.addWidget(part)
        left.addStretch()
        self._scroll = scrolling(sheet, _("Learn"))
        self._scroll.verticalScrollBar().rangeChanged.connect(self._on_range)
        self._column = self._make_column()
        body = row_of((self._scroll, 1), self._column, gap=0)
        full = QWidget()
        column_of(self.head, (body, 1), on=full, gap=0, margins=0)
        self.empty = EmptyState(
            _("There is nothing to learn from yet: add photos first."),
            _("Go to the library"),
            window_actions()["library"].keys[0],
        )
        self._pages = QStackedWidget(self)
        self._pages.addWidget(full)
        self._pages.addWidget(self.empty)
        column_of(self._pages, on=self, margins=0)

    def _make_column(self) -> QWidget:
        column = QWidget()
        surface(column, "ground")
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
        self._inner = column_of(row, (self._panes, 1), on=column, gap=10, margins=(_GAP, 12, _EDGE, 16))
        self.show_tab(0)
        return column

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_photographs(self, there: bool) -> None:
        """Set whether the library has photographs at all."""
        self._pages.setCurrentIndex(0 if there else 1)

    def shows_photographs(self) -> bool:
        """Return whether the library has photographs."""
        return self._pages.currentIndex() == 0

    def show_counts(self, marks: MarksResult, metrics: KeptMetrics) -> None:
        """Show the counts on the tabs."""
        self._tabs[0].setText(f"{_('Your marks')}  {number(marks.total)}")
        self._tabs[1].setText(f"{_('Metrics')}  {number(len(metrics.kept))}")
        self.marks.show_count(marks)

    def show_tab(self, place: int) -> None:
        """Show the marks (0) or the metrics (1)."""
        for own, tab in enumerate(self._tabs):
            tab.setChecked(own == place)
        self._panes.setCurrentIndex(place)

    def tabs(self) -> list[QPushButton]:
        """Return the tabs of marks and metrics."""
        return self._tabs

    def focus_content(self) -> None:
        """Focus the pair."""
        (self.pair if self.shows_photographs() else self.empty).setFocus(Qt.FocusReason.OtherFocusReason)

    # --- room --------------------------------------------------------------------------------------------------------

    def folded(self) -> bool:
        """Return whether the column has no room of its own."""
        return self.width() < _ROOM_FOR_COLUMN

    def show_column(self, shown: bool) -> None:
        """Show the column in place of the rest, or the rest; both if there is room."""
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
        """Keep the scroll bar within the margin, so that nothing moves when it appears."""
        bar = self._scroll.verticalScrollBar().sizeHint().width() if highest > 0 else 0
        self._left.setContentsMargins(_MARGIN, 16, _MARGIN - _GAP - bar, _MARGIN)

    def _column_px(self) -> int:
        return min(440, max(_COLUMN_PX, self.width() // 5)) + _MARGIN + _GAP

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Report that the view is visible."""
        super().showEvent(event)
        self.seen.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Report that the view is hidden."""
        super().hideEvent(event)
        self.seen.emit(False)

    # --- what is looked at large -------------------------------------------------------------------------------------

    def ids(self) -> list[int]:
        """Return the photographs that the viewer steps through: the visible ones."""
        pair = self.pair.pictures.pair()
        both = () if pair is None else (pair.first_id, pair.second_id)
        return list(dict.fromkeys((*both, *self.strips.after.ids(), *self.strips.before.ids())))

    def set_current(self, photograph_id: int) -> None:
        """Go to the photograph that the viewer left, if the focused strip has it."""
        for strip in (self.strips.after, self.strips.before):
            strip.set_current(photograph_id)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit the photographs to the room; the strips stay visible."""
        super().resizeEvent(event)
        self._place_column()
        width = self.width() - (0 if self.folded() else self._column_px()) - 2 * _MARGIN + _GAP
        tile = self.strips.before.height()
        self.pair.pictures.set_room(width, self.height() - self.head.height() - 2 * tile - 180)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Fit a small screen."""
        return QSize(560, 420)
