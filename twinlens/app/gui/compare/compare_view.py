"""Page of a comparison: the query above, columns with headings, and the course of each search below."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QStackedWidget, QWidget

from twinlens.app.gui.actions.action import show_action
from twinlens.app.gui.actions.declared_actions import compare_actions, window_actions
from twinlens.app.gui.compare.board_layout import ShownColumn
from twinlens.app.gui.compare.column_choice import AddPanel
from twinlens.app.gui.compare.column_feet import CompareFoot
from twinlens.app.gui.compare.column_headings import ColumnHeaders
from twinlens.app.gui.compare.compare_board import CompareBoard
from twinlens.app.gui.forms.parameter_controls import Chooser
from twinlens.app.gui.look.buttons import Link
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import ElidedLine, small, strong
from twinlens.app.gui.look.page_parts import STRETCH, EmptyState, column_of, command_button, row_of, surface
from twinlens.app.gui.look.theme import grown
from twinlens.app.gui.pictures.photograph import FramedPicture
from twinlens.app.gui.side_panel.filters import camera_words
from twinlens.app.language.texts import _, _n
from twinlens.core.files.untrusted_input import plain

MOST_COLUMNS = 6


class CompareView(QWidget):
    """Page of a comparison.

    Signals
    -------
    came_into_sight()
    """

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
        self.empty = EmptyState(
            _("Search with one photo in several indexes at once, and see what each finds and misses."),
            _("Choose a photo"),
            window_actions()["library"].keys[0],
        )
        self.pages = QStackedWidget()
        sheet = QWidget()
        column_of(self.head, self.headers, (self.board, 1), self.foot, on=sheet, gap=0, margins=0)
        self.pages.addWidget(sheet)
        self.pages.addWidget(self.empty)
        self.pages.setCurrentIndex(1)
        column_of(self.pages, on=self, margins=0)
        self.adding = AddPanel(self)
        self.adding.left.connect(self.focus_content)
        self.board.lit_changed.connect(self.foot.show_lit)
        self.board.column_changed.connect(self.headers.set_current)
        self.headers.chosen.connect(self._on_chosen)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_nothing(self) -> None:
        """Show a hint how to search."""
        self.pages.setCurrentIndex(1)

    def show_asked(self, words: str, image: QImage, back: bool, forward: bool) -> None:
        """Show the query."""
        self.head.show_asked(words, image, back, forward)
        self.pages.setCurrentIndex(0)

    def show_columns(self, columns: Sequence[ShownColumn], k: int, reference: int, keep: bool) -> None:
        """Show columns; with ``keep`` the focus stays."""
        self._columns, self._reference = columns, reference
        margin = self.board.verticalScrollBar().sizeHint().width()
        self.board.show_columns(columns, k, keep)
        self.headers.show_columns(columns, self.board.column(), margin)
        self.foot.show_columns(columns, margin)
        self.foot.show_lit(self.board.lit())
        self.head.show_columns([column.title for column in columns], k, reference, MOST_COLUMNS)

    def show_narrowed(self, words: str) -> None:
        """Show the filters; empty for all photographs."""
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

    def reference(self) -> int:
        """Return the place of the column with which all are compared; -1 for none."""
        return self._reference

    def focus_content(self) -> None:
        """Focus the pictures, or the hint."""
        shown = self.empty if self.pages.currentIndex() == 1 else self.board
        shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def is_empty(self) -> bool:
        """Return whether there is no query."""
        return self.pages.currentIndex() == 1

    def picture(self) -> QPixmap:
        """Return the view as a picture."""
        return self.grab()

    def _on_chosen(self, column: int) -> None:
        self.board.set_column(column)
        self.board.setFocus(Qt.FocusReason.OtherFocusReason)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Signal that the view is shown."""
        super().showEvent(event)
        self.came_into_sight.emit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Fit a small screen."""
        return QSize(640, 480)


RESULT_COUNTS = (6, 9, 12, 20, 30, 50, 100)
HEIGHT = 88
_SENTENCE_FROM, _MANY_FROM = 1180, 1240
_KEYS_FROM, _SIGNS_BELOW = 1400, 1000
_FEW, _MANY = 9, 14  # letters of what all are held against


class CompareHead(QWidget):
    """Head of the page: the query's photograph, a sentence, and buttons.

    Signals
    -------
    k_chosen(int)
    reference_chosen(int)
        All columns are to be held against one, by its place; -1: each against its own.
    panel_wanted(bool)
        Folders and filters are to be seen, or not.
    all_wanted()
        Nothing is to narrow the columns down.
    back_wanted(), forward_wanted()

    Attributes
    ----------
    add, another, export : QPushButton
        Buttons of the page's actions.
    """

    k_chosen = Signal(int)
    reference_chosen = Signal(int)
    panel_wanted = Signal(bool)
    all_wanted = Signal()
    back_wanted = Signal()
    forward_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        surface(self, "head")
        self.setMinimumHeight(HEIGHT)
        self._picture = FramedPicture()
        self._picture.setFixedSize(72, 72)
        self._narrowed = ""
        self._make_words()
        self._make_choices()
        self._make_buttons()
        self._lay_out()

    def _make_words(self) -> None:
        self._title, self._sentence, self._only = ElidedLine(), QLabel(), ElidedLine()
        self._title.setFont(strong(self._title.font()))
        for quiet in (self._sentence, self._only):
            quiet.setFont(small(quiet.font(), 0.94))
        self._sentence.setObjectName("quiet")
        self._sentence.setWordWrap(True)
        self._sentence.setText(
            _("Outlined: exact search does not find it. Faded: missed. Orange: the photo under the pointer.")
        )
        self._all = Link(_("show all"))
        self._all.setFont(self._only.font())
        show_action(self._all, compare_actions()["all"])
        self._all.clicked.connect(self.all_wanted)

    def _make_choices(self) -> None:
        self._k, self._held = Chooser(), Chooser()
        self._k.setAccessibleName(_("Results per column"))
        self._k.setToolTip(_("Results per column (M for more, Shift+M for fewer)"))
        for k in RESULT_COUNTS:
            self._k.addItem(_("first {k}", k=k))
        self._held.setAccessibleName(_("Reference"))
        self._held.setToolTip(_("What every column is compared with (R for the next)"))
        self._held.setSizeAdjustPolicy(Chooser.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._held.setMinimumContentsLength(_MANY)
        self._k.activated.connect(lambda place: self.k_chosen.emit(RESULT_COUNTS[place]))
        self._held.activated.connect(lambda place: self.reference_chosen.emit(place - 1))

    def _make_buttons(self) -> None:
        self._back = command_button("‹", window_actions()["back"])
        self._forward = command_button("›", window_actions()["forward"])
        self._panel = command_button(_("Filters"), window_actions()["side"])
        self._panel.setCheckable(True)
        self._panel.clicked.connect(self.panel_wanted)
        self.add = command_button("", compare_actions()["add"])
        self.another = command_button("", compare_actions()["another"])
        self.export = command_button("", compare_actions()["export"])
        self._keyed: list[tuple[QPushButton, str, str, str]] = [
            (self.add, "+", _("+ column"), "A"),
            (self.another, "⇄", _("⇄ another"), "N"),
            (self.export, "↧", _("Export"), "X"),
        ]
        for made, signal in (
            (self._back, self.back_wanted),
            (self._forward, self.forward_wanted),
        ):
            made.clicked.connect(signal)
        for small_one in (self._back, self._forward):
            small_one.setObjectName("small")

    def _lay_out(self) -> None:
        only = row_of(self._only, self._all, STRETCH, gap=4)
        words = column_of(STRETCH, self._title, self._sentence, only, STRETCH, gap=2)
        asked = QWidget()
        asked.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row_of(self._picture, (words, 1), on=asked, gap=14, margins=0)
        row = FlowLayout()
        row.setContentsMargins(16, 8, 16, 8)
        row.addWidget(asked)
        for widget in (
            self._back, self._forward, self._panel, self._k, self._held, self.add, self.another, self.export,
        ):  # fmt: skip
            row.addWidget(widget)
        self.setLayout(row)
        self._fit()

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_asked(self, words: str, image: QImage, back: bool, forward: bool) -> None:
        """Show the query, and whether there is a former and a next one."""
        self._picture.show_picture(image)
        self._picture.setAccessibleName(words)
        self._picture.setToolTip(words)
        self._back.setEnabled(back)
        self._forward.setEnabled(forward)

    def show_columns(self, titles: Sequence[str], k: int, reference: int, most: int) -> None:
        """Show the number of columns and the reference."""
        self._title.say(_n("One photo, {count} index", "One photo, {count} indexes", len(titles)))
        self._k.setCurrentIndex(RESULT_COUNTS.index(k) if k in RESULT_COUNTS else -1)
        self._held.clear()
        self._held.addItem(_("own exact"))
        for title in titles:
            self._held.addItem(_("exact as in {name}", name=title))
        self._held.setCurrentIndex(reference + 1)
        self.add.setEnabled(len(titles) < most)

    def show_narrowed(self, words: str) -> None:
        """Show the filters, which must never be hidden. Empty: all photographs."""
        self._narrowed = words
        self._only.say(_("Only photos {narrowed}", narrowed=words) if words else "")
        self._fit()

    def narrowed(self) -> str:
        """Return the text of the filters; empty if there are none."""
        return self._only.text()

    def show_panel(self, shown: bool) -> None:
        """Show whether folders and filters are visible."""
        self._panel.setChecked(shown)

    def step_k(self, way: int) -> None:
        """Change the number of results."""
        place = self._k.currentIndex() + way
        if 0 <= place < len(RESULT_COUNTS):
            self.k_chosen.emit(RESULT_COUNTS[place])

    def below_export(self) -> QPoint:
        """Return the screen position of the export menu."""
        return self.export.mapToGlobal(self.export.rect().bottomLeft())

    def _fit(self) -> None:
        """Show short texts in a narrow window, and keys in a wide one."""
        wide, narrow = self.width() >= grown(_KEYS_FROM), self.width() < grown(_SIGNS_BELOW)
        for made, sign, words, key in self._keyed:
            made.setText(sign if narrow else f"{words}  {key}" if wide else words)
        self._sentence.setVisible(self.width() >= grown(_SENTENCE_FROM) and not self._narrowed)
        for widget in (self._only, self._all):
            widget.setVisible(bool(self._narrowed))
        self._held.setMinimumContentsLength(_MANY if self.width() >= grown(_MANY_FROM) else _FEW)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit the texts to the width."""
        super().resizeEvent(event)
        self._fit()


def filters_text(filters: Mapping[str, str]) -> str:
    """Return the filters as text: ``in monuments, since 2022``; empty without filters."""
    words = []
    folder, since, until = (filters.get(name, "") for name in ("folder", "since", "until"))
    if folder:
        name = plain(os.path.basename(folder.rstrip("/\\")) or folder)
        words.append(_("in {folder}", folder=name))
    if since and since == until:
        words.append(_("of {date}", date=since))
    elif since and until:
        words.append(_("from {since} to {until}", since=since, until=until))
    elif since:
        words.append(_("since {date}", date=since))
    elif until:
        words.append(_("until {date}", date=until))
    if filters.get("camera"):
        words.append(_("by {camera}", camera=camera_words(filters["camera"])))
    if filters.get("rating"):
        words.append(_("{stars} or more", stars="★" * int(filters["rating"])))
    if filters.get("near"):
        words.append(_("within {distance}", distance=filters.get("within") or "1km"))
    named = _named()
    others = [(name, filters[name]) for name in ("orientation", "label", "pick", "marked") if filters.get(name)]
    words += [named.get(one, one[1]) for one in others]
    return ", ".join(words)


def _named() -> dict[tuple[str, str], str]:
    return {
        ("orientation", "landscape"): _("landscape"),
        ("orientation", "portrait"): _("portrait"),
        ("orientation", "square"): _("square"),
        ("pick", "favourite"): _("favourites"),
        ("pick", "picked"): _("picked"),
        ("pick", "rejected"): _("rejected"),
        ("marked", "any"): _("marked"),
        ("marked", "similar"): _("marked similar"),
        ("marked", "different"): _("marked different"),
    }
