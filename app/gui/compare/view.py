"""The compare view: what is asked, the columns with their headings, and beneath them how each search went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QStackedWidget, QVBoxLayout, QWidget

from app.gui.compare.add_panel import AddPanel
from app.gui.compare.board import CompareBoard
from app.gui.compare.foot import CompareFoot
from app.gui.compare.headers import ColumnHeaders
from app.gui.compare.shown import ShownColumn
from app.gui.forms.boxes import Chooser
from app.gui.pages.empty import EmptyState
from app.gui.pages.parts import bind, button
from app.gui.query.words import small, strong
from app.gui.theme import theme

KS = (6, 9, 12, 20, 30, 50, 100)
MOST = 6
_SENTENCE_FROM = 1080


class CompareView(QWidget):
    """Shows columns, and speaks by signals.

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
    export_wanted(str)
        ``png``, ``csv`` or ``json``.
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
    export_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Compare"))
        self._columns: Sequence[ShownColumn] = ()
        self._reference = -1
        self.board = CompareBoard()
        self.board.setAccessibleName(self.tr("Pictures of all columns"))
        self.headers, self.foot = ColumnHeaders(), CompareFoot()
        self._make_head()
        self._empty = EmptyState(
            self.tr("Ask one photograph of several indexes at once, and see what each finds and what it misses."),
            self.tr("Ask with a photograph"),
            "Ctrl+1",
        )
        self._empty.wanted.connect(self.library_wanted)
        self._pages = QStackedWidget()
        sheet = QWidget()
        column = QVBoxLayout(sheet)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
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
        self._bind()

    def _make_head(self) -> None:
        self._picture = _Asked()
        self._title, self._sentence = QLabel(), QLabel()
        self._title.setFont(strong(self._title.font()))
        self._sentence.setFont(small(self._sentence.font(), 0.94))
        self._sentence.setObjectName("quiet")
        self._sentence.setWordWrap(True)
        self._sentence.setText(
            self.tr(
                "Outlined: exact search has it too. Ghosts: missed. Orange: the photograph under the pointer, "
                "wherever it ranks."
            )
        )
        self._back = button("‹", self.tr("Back to the photograph before"), "Alt+Left")
        self._forward = button("›", self.tr("Forward to the next photograph"), "Alt+Right")
        self._k, self._held = Chooser(), Chooser()
        self._k.setAccessibleName(self.tr("How many each finds"))
        self._k.setToolTip(self.tr("How many each finds (M for more, Shift+M for fewer)"))
        for k in KS:
            self._k.addItem(self.tr("first {k}").format(k=k))
        self._held.setAccessibleName(self.tr("What exact means"))
        self._held.setToolTip(self.tr("What every column is held against (R for the next)"))
        self._add = button(self.tr("+ column"), self.tr("Add a column"), "A")
        self._next = button(self.tr("⇄ another"), self.tr("Ask with another photograph of the library, by chance"), "N")
        self._export = button(self.tr("Export"), self.tr("Export picture or numbers"), "X")
        self._k.activated.connect(lambda place: self.k_chosen.emit(KS[place]))
        self._held.activated.connect(lambda place: self.reference_chosen.emit(place - 1))
        for made, signal in (
            (self._back, self.back_wanted),
            (self._forward, self.forward_wanted),
            (self._add, self.add_wanted),
            (self._next, self.next_wanted),
        ):
            made.clicked.connect(signal)
        self._export.clicked.connect(self._on_export)
        for small_one in (self._back, self._forward):
            small_one.setObjectName("small")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch()
        words.addWidget(self._title)
        words.addWidget(self._sentence)
        words.addStretch()
        self._head = QWidget()
        self._head.setObjectName("head")
        self._head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._head.setFixedHeight(88)
        row = QHBoxLayout(self._head)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
        row.addWidget(self._picture)
        row.addSpacing(6)
        row.addLayout(words, 1)
        for widget in (
            self._back, self._forward, self._k, self._held, self._add, self._next, self._export,
        ):  # fmt: skip
            row.addWidget(widget)
        self._held.setSizeAdjustPolicy(Chooser.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._held.setMinimumContentsLength(14)

    def _bind(self) -> None:
        at = self.board.column
        for key, act in {
            "Ctrl+Left": lambda: self._shift(-1),
            "Ctrl+Right": lambda: self._shift(1),
            "Del": lambda: self.removed.emit(at()),
            "P": lambda: self.pinned.emit(at()),
            "E": lambda: self.change_wanted.emit(at()),
            "Ctrl+S": lambda: self.keep_wanted.emit(at()),
            "A": self.add_wanted.emit,
            "N": self.next_wanted.emit,
            "R": self._next_reference,
            "M": lambda: self._step_k(1),
            "Shift+M": lambda: self._step_k(-1),
            "X": self._on_export,
            "Ctrl++": lambda: self.board.zoom(1),
            "Ctrl+=": lambda: self.board.zoom(1),
            "Ctrl+-": lambda: self.board.zoom(-1),
            "Alt+Left": self.back_wanted.emit,
            "Alt+Right": self.forward_wanted.emit,
        }.items():
            bind(self.board, key, act)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_nothing(self) -> None:
        """Show how to ask."""
        self._pages.setCurrentIndex(1)

    def show_asked(self, words: str, image: QImage, back: bool, forward: bool) -> None:
        """Show what is asked with."""
        self._picture.set_image(image, words)
        self._back.setEnabled(back)
        self._forward.setEnabled(forward)
        self._pages.setCurrentIndex(0)

    def show_columns(self, columns: Sequence[ShownColumn], k: int, reference: int, keep: bool) -> None:
        """Show columns; the keys stay where they are if ``keep`` says so."""
        self._columns, self._reference = columns, reference
        margin = self.board.verticalScrollBar().sizeHint().width()
        self.board.show_columns(columns, k, keep)
        self.headers.show_columns(columns, self.board.column(), margin)
        self.foot.show_columns(columns, margin)
        self.foot.show_lit(self.board.lit())
        count = len(columns)
        self._title.setText(self.tr("One photograph, %n index(es)", "", count))
        self._k.setCurrentIndex(KS.index(k) if k in KS else -1)
        self._held.clear()
        self._held.addItem(self.tr("each its own exact"))
        for column in columns:
            self._held.addItem(self.tr("exact as in {name}").format(name=column.title))
        self._held.setCurrentIndex(reference + 1)
        self._add.setEnabled(count < MOST)

    def show_waiting(self, place: int, words: str, done: float) -> None:
        """Show what a column waits for now; nothing else changes."""
        self._columns = [
            replace(column, waits=words, done=done) if number == place else column
            for number, column in enumerate(self._columns)
        ]
        self.headers.show_waiting(self._columns)

    def columns(self) -> Sequence[ShownColumn]:
        """Give what is shown."""
        return self._columns

    def focus_content(self) -> None:
        """Put the keys on the pictures, or on what there is to do."""
        shown = self._empty if self._pages.currentIndex() == 1 else self.board
        shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def is_empty(self) -> bool:
        """Tell whether nothing is asked."""
        return self._pages.currentIndex() == 1

    def picture(self) -> QPixmap:
        """Give the view as a picture."""
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

    def _step_k(self, way: int) -> None:
        place = self._k.currentIndex() + way
        if 0 <= place < len(KS):
            self.k_chosen.emit(KS[place])

    def _on_export(self) -> None:
        menu = QMenu(self)
        for words, how in (
            (self.tr("Picture (PNG)…"), "png"),
            (self.tr("Numbers (CSV)…"), "csv"),
            (self.tr("Everything (JSON)…"), "json"),
        ):
            menu.addAction(words).triggered.connect(partial(self.export_wanted.emit, how))
        menu.exec(self._export.mapToGlobal(self._export.rect().bottomLeft()))

    def column_menu(self, column: int) -> QMenu:
        """Make the menu of a column."""
        shown = self._columns[column]
        menu = QMenu(self)
        menu.addAction(self.tr("Change its parameters…") + "\tE", lambda: self.change_wanted.emit(column))
        if shown.changed and shown.one is not None:
            menu.addAction(
                self.tr("Keep as an index of the library") + "\tCtrl+S", lambda: self.keep_wanted.emit(column)
            )
        if not shown.changed:
            menu.addAction(self.tr("Search with it"), lambda: self.search_wanted.emit(column))
        held = (
            self.tr("Hold each against its own exact") if self._reference == column else self.tr("Hold all against it")
        )
        menu.addAction(held + "\tR", lambda: self.reference_chosen.emit(-1 if self._reference == column else column))
        menu.addSeparator()
        pin = self.tr("Let it go from the left") if shown.pinned else self.tr("Pin to the left")
        menu.addAction(pin + "\tP", lambda: self.pinned.emit(column))
        left = menu.addAction(self.tr("Move left") + "\tCtrl+Left", lambda: self.moved.emit(column, column - 1))
        right = menu.addAction(self.tr("Move right") + "\tCtrl+Right", lambda: self.moved.emit(column, column + 1))
        left.setEnabled(column > 0)
        right.setEnabled(column + 1 < len(self._columns))
        menu.addSeparator()
        remove = menu.addAction(self.tr("Take it away") + "\tDel", lambda: self.removed.emit(column))
        remove.setEnabled(len(self._columns) > 1)
        return menu

    def show_column_menu(self, column: int, place: QPoint) -> None:
        """Show the menu of a column."""
        if 0 <= column < len(self._columns):
            self.column_menu(column).exec(place)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Say in a narrow window only what is needed."""
        super().resizeEvent(event)
        self._sentence.setVisible(self.width() >= _SENTENCE_FROM)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Fit a small screen."""
        return QSize(640, 480)


class _Asked(QWidget):
    """The picture that is asked with, in a frame."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(72, 72)
        self._pixmap = QPixmap()

    def set_image(self, image: QImage, words: str) -> None:
        """Show it."""
        self._pixmap = QPixmap.fromImage(image)
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw its middle, filling the frame."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        whole = QRectF(self.rect())
        painter.setPen(QPen(QColor(now.accent), 2))
        painter.setBrush(QColor(now.paper))
        painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), 8, 8)
        inner = whole.adjusted(4, 4, -4, -4)
        outline = QPainterPath()
        outline.addRoundedRect(inner, 5, 5)
        painter.fillPath(outline, QColor(now.well))
        if not self._pixmap.isNull():
            side = min(self._pixmap.width(), self._pixmap.height())
            middle = QRectF((self._pixmap.width() - side) / 2, (self._pixmap.height() - side) / 2, side, side)
            painter.setClipPath(outline)
            painter.drawPixmap(inner, self._pixmap, middle)
        painter.end()
