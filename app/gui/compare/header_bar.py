"""The header of the compare view: query, filters, and actions on all columns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.gui.forms.number_boxes import Chooser
from app.gui.look.elided_line import ElidedLine
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.framed_picture import FramedPicture
from app.gui.look.page_parts import button, surface
from app.gui.look.sentences import Link, small, strong
from app.gui.look.text_size import grown
from app.language.spoken import _, _n

RESULT_COUNTS = (6, 9, 12, 20, 30, 50, 100)
HEIGHT = 88
_SENTENCE_FROM, _MANY_FROM = 1180, 1240
_KEYS_FROM, _SIGNS_BELOW = 1400, 1000
_FEW, _MANY = 9, 14  # letters of what all are held against


class CompareHead(QWidget):
    """The query's photograph, a sentence, and buttons.

    Signals
    -------
    k_chosen(int)
    reference_chosen(int)
        All columns are to be held against one, by its place; -1: each against its own.
    panel_wanted(bool)
        Folders and filters are to be seen, or not.
    all_wanted()
        Nothing is to narrow the columns down.
    add_wanted(), next_wanted(), back_wanted(), forward_wanted(), export_wanted()
    """

    k_chosen = Signal(int)
    reference_chosen = Signal(int)
    panel_wanted = Signal(bool)
    all_wanted = Signal()
    add_wanted = Signal()
    next_wanted = Signal()
    back_wanted = Signal()
    forward_wanted = Signal()
    export_wanted = Signal()

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
        self._all.setAccessibleName(_("Search in all photos again"))
        self._all.setToolTip(_("Search in all photos again (Shift+F)"))
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
        self._back = button("‹", _("Back to the previous photo"), "Alt+Left")
        self._forward = button("›", _("Forward to the next photo"), "Alt+Right")
        self._panel = button(_("Filters"), _("Folders and filters"), "F9")
        self._panel.setCheckable(True)
        self._panel.clicked.connect(self.panel_wanted)
        self._add = button("", _("Add a column"), "A")
        self._next = button("", _("Search with a random photo of the library"), "N")
        self._export = button("", _("Export picture or numbers"), "X")
        self._keyed: list[tuple[QPushButton, str, str, str]] = [
            (self._add, "+", _("+ column"), "A"),
            (self._next, "⇄", _("⇄ another"), "N"),
            (self._export, "↧", _("Export"), "X"),
        ]
        for made, signal in (
            (self._back, self.back_wanted),
            (self._forward, self.forward_wanted),
            (self._add, self.add_wanted),
            (self._next, self.next_wanted),
            (self._export, self.export_wanted),
        ):
            made.clicked.connect(signal)
        for small_one in (self._back, self._forward):
            small_one.setObjectName("small")

    def _lay_out(self) -> None:
        only = QHBoxLayout()
        only.setSpacing(4)
        only.addWidget(self._only)
        only.addWidget(self._all)
        only.addStretch()
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch()
        words.addWidget(self._title)
        words.addWidget(self._sentence)
        words.addLayout(only)
        words.addStretch()
        asked = QWidget()
        asked.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        beside = QHBoxLayout(asked)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(14)
        beside.addWidget(self._picture)
        beside.addLayout(words, 1)
        row = FlowLayout()
        row.setContentsMargins(16, 8, 16, 8)
        row.addWidget(asked)
        for widget in (
            self._back, self._forward, self._panel, self._k, self._held, self._add, self._next, self._export,
        ):  # fmt: skip
            row.addWidget(widget)
        self.setLayout(row)
        self._fit()

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_asked(self, words: str, image: QImage, back: bool, forward: bool) -> None:
        """Show the query, and whether back and forward lead anywhere."""
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
        self._add.setEnabled(len(titles) < most)

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
        """Ask for more or fewer results."""
        place = self._k.currentIndex() + way
        if 0 <= place < len(RESULT_COUNTS):
            self.k_chosen.emit(RESULT_COUNTS[place])

    def below_export(self) -> QPoint:
        """Return the place of the export menu."""
        return self._export.mapToGlobal(self._export.rect().bottomLeft())

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
        """Take as much room as there is."""
        super().resizeEvent(event)
        self._fit()
