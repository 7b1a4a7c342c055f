"""The compare view: query, columns with headings, and the course of each search below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap, QShowEvent
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from app.gui.actions.action import attach
from app.gui.compare.actions import compare_actions
from app.gui.compare.add_panel import AddPanel
from app.gui.compare.board import CompareBoard
from app.gui.compare.board_data import ShownColumn
from app.gui.compare.column_feet import CompareFoot
from app.gui.compare.column_headings import ColumnHeaders
from app.gui.compare.header_bar import CompareHead
from app.gui.look.empty_state import EmptyState
from app.gui.look.page_parts import bind
from app.language.spoken import _

MOST_COLUMNS = 6


class CompareView(QWidget):
    """Shows columns, and signals wishes.

    Signals
    -------
    library_wanted()
    add_wanted()
    next_wanted()
        Another photograph of the library is to be the question.
    back_wanted(), forward_wanted()
    k_chosen(int)
    reference_chosen(int)
        All columns are to be held against one, by its place; -1: each against its own.
    moved(int, int), removed(int), pinned(int), change_wanted(int), keep_wanted(int), search_wanted(int)
        Something is to be done with a column, by its place.
    left()
        Esc.
    export_wanted(str)
        ``png``, ``csv`` or ``json``.
    panel_wanted(bool), all_wanted()
        Folders and filters are to be seen, or not; nothing is to narrow the columns down.
    came_into_sight()
    """

    library_wanted = Signal()
    add_wanted = Signal()
    next_wanted = Signal()
    back_wanted = Signal()
    forward_wanted = Signal()
    k_chosen = Signal(int)
    reference_chosen = Signal(int)
    moved = Signal(int, int)
    removed = Signal(int)
    pinned = Signal(int)
    change_wanted = Signal(int)
    keep_wanted = Signal(int)
    search_wanted = Signal(int)
    left = Signal()
    export_wanted = Signal(str)
    panel_wanted = Signal(bool)
    all_wanted = Signal()
    came_into_sight = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Compare"))
        self._columns: Sequence[ShownColumn] = ()
        self._reference = -1
        self.board = CompareBoard()
        self.board.setAccessibleName(_("Pictures of all columns"))
        self.headers, self.foot = ColumnHeaders(), CompareFoot()
        self.head = CompareHead()
        self._empty = EmptyState(
            _("Search with one photo in several indexes at once, and see what each finds and misses."),
            _("Choose a photo"),
            "Ctrl+1",
        )
        self._empty.wanted.connect(self.library_wanted)
        self._pages = QStackedWidget()
        sheet = QWidget()
        column = QVBoxLayout(sheet)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.headers)
        column.addWidget(self.board, 1)
        column.addWidget(self.foot)
        self._pages.addWidget(sheet)
        self._pages.addWidget(self._empty)
        self._pages.setCurrentIndex(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.adding = AddPanel(self)
        self.adding.left.connect(self.focus_content)
        self.board.lit_changed.connect(self.foot.show_lit)
        self.board.column_changed.connect(self.headers.set_current)
        self.headers.chosen.connect(self._on_chosen)
        self.headers.moved.connect(self.moved)
        self.headers.menu_wanted.connect(self.show_column_menu)
        self._connect_head()
        self._bind()

    def _connect_head(self) -> None:
        head = self.head
        for signal, ours in (
            (head.back_wanted, self.back_wanted),
            (head.forward_wanted, self.forward_wanted),
            (head.add_wanted, self.add_wanted),
            (head.next_wanted, self.next_wanted),
            (head.panel_wanted, self.panel_wanted),
            (head.all_wanted, self.all_wanted),
            (head.k_chosen, self.k_chosen),
            (head.reference_chosen, self.reference_chosen),
        ):
            signal.connect(ours)
        for chosen in (head.k_chosen, head.reference_chosen, head.next_wanted, head.all_wanted):
            chosen.connect(self.focus_content)  # whoever chose goes on with the pictures
        head.export_wanted.connect(self._on_export)

    def _bind(self) -> None:
        at = self.board.column
        attach(
            self.board,
            compare_actions(),
            {
                "left": lambda: self._shift(-1),
                "right": lambda: self._shift(1),
                "remove": lambda: self.removed.emit(at()),
                "pin": lambda: self.pinned.emit(at()),
                "change": lambda: self.change_wanted.emit(at()),
                "keep": lambda: self.keep_wanted.emit(at()),
                "add": self.add_wanted.emit,
                "another": self.next_wanted.emit,
                "reference": self._next_reference,
                "more": lambda: self.head.step_k(1),
                "fewer": lambda: self.head.step_k(-1),
                "all": self.all_wanted.emit,
                "menu": self._on_menu_key,
                "export": self._on_export,
                "larger": lambda: self.board.zoom(1),
                "smaller": lambda: self.board.zoom(-1),
            },
        )
        bind(self._pages, "Esc", self.left.emit)  # in the panel to add a column it is the panel's

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_nothing(self) -> None:
        """Show a hint how to search."""
        self._pages.setCurrentIndex(1)

    def show_asked(self, words: str, image: QImage, back: bool, forward: bool) -> None:
        """Show the query."""
        self.head.show_asked(words, image, back, forward)
        self._pages.setCurrentIndex(0)

    def show_columns(self, columns: Sequence[ShownColumn], k: int, reference: int, keep: bool) -> None:
        """Show columns; the focus stays if ``keep`` says so."""
        self._columns, self._reference = columns, reference
        margin = self.board.verticalScrollBar().sizeHint().width()
        self.board.show_columns(columns, k, keep)
        self.headers.show_columns(columns, self.board.column(), margin)
        self.foot.show_columns(columns, margin)
        self.foot.show_lit(self.board.lit())
        self.head.show_columns([column.title for column in columns], k, reference, MOST_COLUMNS)

    def show_narrowed(self, words: str) -> None:
        """Show the filters; empty: all photographs."""
        self.head.show_narrowed(words)

    def show_waiting(self, place: int, words: str, done: float) -> None:
        """Show the progress of a column; nothing else changes."""
        self._columns = [
            replace(column, waits=words, done=done) if number == place else column
            for number, column in enumerate(self._columns)
        ]
        self.headers.show_waiting(self._columns)

    def columns(self) -> Sequence[ShownColumn]:
        """Return the columns."""
        return self._columns

    def focus_content(self) -> None:
        """Focus the pictures, or the hint."""
        shown = self._empty if self._pages.currentIndex() == 1 else self.board
        shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def is_empty(self) -> bool:
        """Return whether there is no query."""
        return self._pages.currentIndex() == 1

    def picture(self) -> QPixmap:
        """Return the view as a picture."""
        return self.grab()

    # --- what a person does ------------------------------------------------------------------------------------------

    def _on_chosen(self, column: int) -> None:
        self.board.set_column(column)
        self.board.setFocus(Qt.FocusReason.OtherFocusReason)

    def _shift(self, way: int) -> None:
        column = self.board.column()
        if 0 <= column + way < len(self._columns):
            self.moved.emit(column, column + way)

    def _next_reference(self) -> None:
        if self._columns:
            self.reference_chosen.emit((self._reference + 2) % (len(self._columns) + 1) - 1)

    def _on_menu_key(self) -> None:
        self.show_column_menu(self.board.column(), self.headers.below_button(self.board.column()))

    def _on_export(self) -> None:
        menu = QMenu(self)
        for words, how in (
            (_("Picture (PNG)…"), "png"),
            (_("Numbers (CSV)…"), "csv"),
            (_("Everything (JSON)…"), "json"),
        ):
            menu.addAction(words).triggered.connect(partial(self.export_wanted.emit, how))
        menu.exec(self.head.below_export())

    def column_menu(self, column: int) -> QMenu:
        """Make the menu of a column."""
        shown = self._columns[column]
        menu = QMenu(self)
        menu.addAction(_("Change its parameters…") + "\tE", lambda: self.change_wanted.emit(column))
        if shown.changed and shown.one is not None:
            menu.addAction(_("Keep as an index of the library") + "\tCtrl+S", lambda: self.keep_wanted.emit(column))
        if not shown.changed:
            menu.addAction(_("Search with it"), lambda: self.search_wanted.emit(column))
        held = (
            _("Compare each with its own exact search") if self._reference == column else _("Compare all with this one")
        )
        menu.addAction(held + "\tR", lambda: self.reference_chosen.emit(-1 if self._reference == column else column))
        menu.addSeparator()
        pin = _("Unpin") if shown.pinned else _("Pin to the left")
        menu.addAction(pin + "\tP", lambda: self.pinned.emit(column))
        left = menu.addAction(_("Move left") + "\tCtrl+Left", lambda: self.moved.emit(column, column - 1))
        right = menu.addAction(_("Move right") + "\tCtrl+Right", lambda: self.moved.emit(column, column + 1))
        left.setEnabled(column > 0)
        right.setEnabled(column + 1 < len(self._columns))
        menu.addSeparator()
        remove = menu.addAction(_("Remove") + "\tDel", lambda: self.removed.emit(column))
        remove.setEnabled(len(self._columns) > 1)
        return menu

    def show_column_menu(self, column: int, place: QPoint) -> None:
        """Show the menu of a column."""
        if 0 <= column < len(self._columns):
            self.column_menu(column).exec(place)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Signal that the view is shown."""
        super().showEvent(event)
        self.came_into_sight.emit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Fit a small screen."""
        return QSize(640, 480)
