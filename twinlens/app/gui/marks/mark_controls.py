"""The controls of marks in the search view: the marks between a result and the query, and the switch to use them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QDateTime, QEvent, QLocale, QPointF, QRectF, QSize, Qt, QTimeZone, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QLabel, QWidget

from twinlens.app.gui.actions.action import Action, give_key, show_action
from twinlens.app.gui.actions.declared_actions import search_actions
from twinlens.app.gui.look.buttons import PILL_PADDING, Link, Pill
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import Sentence
from twinlens.app.gui.look.page_parts import column_of, label, row_of, set_look, set_role
from twinlens.app.gui.look.theme import Theme, theme
from twinlens.app.language.texts import _, _n, number

if TYPE_CHECKING:
    from twinlens.app.marks.judgement import ResultMark

_SHOWN = 4  # marks shown at most; a query of several examples may have more


class MarksSection(QWidget):
    """The section of marks in the panel that explains a result; hidden where nothing can be marked.

    Signals
    -------
    judged(bool)
        The result is to be marked similar or different; a second press removes the mark.
    remove_wanted(int)
        A mark is to be removed.
    """

    judged = Signal(bool)
    remove_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        actions = search_actions()
        self._similar = VerdictButton(Verdict.SIMILAR, _("S  similar"), actions["similar"])
        self._different = VerdictButton(Verdict.DIFFERENT, _("D  different"), actions["different"])
        self._similar.clicked.connect(lambda: self._on_clicked(True))
        self._different.clicked.connect(lambda: self._on_clicked(False))
        buttons = FlowLayout()
        buttons.addWidget(self._similar)
        buttons.addWidget(self._different)
        self._lines = column_of(gap=2)
        column_of(buttons, self._lines, on=self, gap=6, margins=0)
        self._verdict: Verdict | None = None
        self.hide()

    def show_marks(self, markable: bool, marks: Sequence[ResultMark] = ()) -> None:
        """Show the marks of a result; hide the section where it cannot be marked."""
        self._show_verdict(Verdict.of(row.similar for row in marks))
        while (item := self._lines.takeAt(0)) is not None:
            held = item.widget()
            if held is not None:
                held.hide()
                held.deleteLater()
        for row in marks[:_SHOWN]:
            self._lines.addWidget(self._line(row))
        self.setVisible(markable)

    def expect(self, markable: bool, verdict: Verdict) -> None:
        """Show the verdict on a result whose mark is not written yet."""
        self.show_marks(markable)
        self._show_verdict(verdict)

    def _show_verdict(self, verdict: Verdict | None) -> None:
        self._verdict = verdict
        self._similar.setChecked(verdict in (Verdict.SIMILAR, Verdict.BOTH))
        self._different.setChecked(verdict in (Verdict.DIFFERENT, Verdict.BOTH))

    def _on_clicked(self, similar: bool) -> None:
        self._show_verdict(self._verdict)  # the checked button follows the marks, not the click
        self.judged.emit(similar)

    def _line(self, row: ResultMark) -> QWidget:
        line = QWidget()
        words = Sentence(mark_text(row))
        gone = Link(_("remove"))
        gone.setAccessibleName(_("Remove this mark"))
        gone.clicked.connect(lambda: self.remove_wanted.emit(row.id))
        row_of((words, 1), (gone, 0, Qt.AlignmentFlag.AlignTop), on=line, gap=8, margins=0)
        return line


SIGN = 26
"""Side of a sign, px."""


class VerdictButton(Pill):
    """A pill with the sign and the key of a verdict; filled while the verdict applies."""

    def __init__(self, verdict: Verdict, text: str, action: Action) -> None:
        super().__init__(text)
        self._sign = verdict.value
        self.setIconSize(QSize(SIGN, SIGN))
        self.setProperty("verdict", verdict.value)
        self.setCheckable(True)
        show_action(self, action)

    def icon_now(self) -> QIcon:
        """Return the sign of the verdict."""
        return QIcon(verdict_pixmap(Verdict(self._sign), SIGN, self.devicePixelRatioF()))


_SIGN = 18  # px, smaller than on a photograph
_GAP = 5


class MarksPill(Pill):
    """The switch that adds marks to the query; hidden without marks.

    Signals
    -------
    wanted(bool)
        Whether the marks are to count; a press while the used marks are outdated uses the present ones.
    """

    wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setCheckable(True)
        give_key(self, search_actions()["marks"])
        self._words = label()
        self._words.setContentsMargins(0, 0, _GAP, 0)
        self._signs = {verdict: (QLabel(), label("", "name")) for verdict in (Verdict.SIMILAR, Verdict.DIFFERENT)}
        inner = row_of(self._words, on=self, gap=_GAP, margins=(PILL_PADDING, 0, PILL_PADDING, 0))
        for both in self._signs.values():
            for one in both:
                inner.addWidget(one)
        self._signs[Verdict.SIMILAR][1].setContentsMargins(0, 0, _GAP, 0)
        self._stale = False
        self._draw()
        self.clicked.connect(self._on_clicked)
        self.hide()

    def show_marks(self, similar: int, different: int, used: bool = False, stale: bool = False) -> None:
        """Show the state of the marks.

        Parameters
        ----------
        similar, different : int
            Numbers of photographs with each mark.
        used : bool
            Whether the marks count.
        stale : bool
            Whether the marks that count are not the present ones.
        """
        for (sign, counted), count in zip(self._signs.values(), (similar, different), strict=True):
            counted.setText(number(count))
            for one in (sign, counted):
                one.setVisible(count > 0)
        self._stale = used and stale and similar + different > 0
        self.setChecked(used)
        self.setVisible(used or similar + different > 0)
        self.setText(_("with my new marks") if self._stale else _("with my marks"))
        self._words.setText(self.text())
        set_role(self._words, "" if used else "quiet")
        set_look(self, "invites", not used or self._stale)
        said = _("{similar} marked similar, {different} marked different", similar=similar, different=different)
        what = _("Search also with the photos marked similar, and against the photos marked different")
        if self._stale:
            what = _("There are new marks: search again with all of them")
        elif used:
            what = _("Your marks are included: search without them")
        show_action(self, search_actions()["marks"], f"{said}\n{what}")
        self.setAccessibleName(_("Use saved marks in this search") + f": {said}")

    def show_signs_alone(self, alone: bool) -> None:
        """Hide the words where there is no room for them."""
        self._words.setVisible(not alone)

    def _draw(self) -> None:
        for verdict, (sign, __) in self._signs.items():
            sign.setPixmap(verdict_pixmap(verdict, _SIGN, self.devicePixelRatioF()))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply the current colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_signs"):
            self._draw()

    def _on_clicked(self) -> None:
        use = self._stale or self.isChecked()
        self.setChecked(use)
        self.wanted.emit(use)


_HALF = 9.0
_APART = 17.0


class Verdict(Enum):
    """The mark between two photographs."""

    SIMILAR = "similar"
    DIFFERENT = "different"
    BOTH = "both"
    """Marked similar and different: neither mark is used until one is removed."""

    @classmethod
    def of(cls, judgements: Iterable[bool]) -> Verdict | None:
        """Return the verdict of several marks; None without any."""
        said = set(judgements)
        if not said:
            return None
        return cls.BOTH if len(said) == 2 else cls.SIMILAR if said.pop() else cls.DIFFERENT

    @classmethod
    def that(cls, similar: bool) -> Verdict:
        """Return the verdict of one judgement."""
        return cls.SIMILAR if similar else cls.DIFFERENT

    def words(self) -> str:
        """Return the sign as text."""
        return {
            Verdict.SIMILAR: _("marked similar"),
            Verdict.DIFFERENT: _("marked different"),
            Verdict.BOTH: _("marked similar and different"),
        }[self]


def paint_verdict(painter: QPainter, middle: QPointF, verdict: Verdict, colours: Theme) -> None:
    """Paint a sign around a point; a contradiction has both signs, the second at the left."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if verdict is Verdict.BOTH:
        _paint_different(painter, middle - QPointF(_APART, 0), colours)
    if verdict is Verdict.DIFFERENT:
        _paint_different(painter, middle, colours)
    else:
        _paint_similar(painter, middle, colours)


def _paint_similar(painter: QPainter, middle: QPointF, colours: Theme) -> None:
    """Paint an equal sign in a teal square."""
    box = QRectF(middle.x() - _HALF, middle.y() - _HALF, 2 * _HALF, 2 * _HALF)
    painter.setPen(QPen(QColor(colours.paper), 1.5))
    painter.setBrush(QColor(colours.accent))
    painter.drawRoundedRect(box, 4, 4)
    painter.setPen(_stroke(colours))
    for y in (-2.5, 2.5):
        painter.drawLine(middle + QPointF(-4, y), middle + QPointF(4, y))


def _paint_different(painter: QPainter, middle: QPointF, colours: Theme) -> None:
    """Paint a crossed equal sign in an orange diamond."""
    reach = _HALF + 3
    corners = [QPointF(0, -reach), QPointF(reach, 0), QPointF(0, reach), QPointF(-reach, 0)]
    join = Qt.PenJoinStyle.RoundJoin
    painter.setPen(QPen(QColor(colours.paper), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, join))
    painter.setBrush(QColor(colours.warn))
    painter.drawPolygon(QPolygonF([middle + one for one in corners]))
    painter.setPen(_stroke(colours))
    for y in (-2.1, 2.1):
        painter.drawLine(middle + QPointF(-3.8, y), middle + QPointF(3.8, y))
    painter.drawLine(middle + QPointF(2.4, -5), middle + QPointF(-2.4, 5))


def _stroke(colours: Theme) -> QPen:
    return QPen(QColor(colours.paper), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)


def verdict_pixmap(verdict: Verdict, side: int, ratio: float) -> QPixmap:
    """Return a picture of one sign in the current colours, ``side`` pixels wide and high."""
    made = QPixmap(round(side * ratio), round(side * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.scale(side / SIGN, side / SIGN)
    paint_verdict(painter, QPointF(SIGN / 2, SIGN / 2), verdict, theme())
    painter.end()
    return made


def mark_text(row: ResultMark, today: QDate | None = None) -> str:
    """Return a mark with its day and origin as text: "Marked similar on 3 May, from results"."""
    words = _("Marked **similar**") if row.similar else _("Marked **different**")
    day = _day(row.created)
    if day.isValid():
        this_year = day.year() == (today or QDate.currentDate()).year()
        written = _("d MMMM") if this_year else _("d MMMM yyyy")
        shown = QLocale().toString(day, written)
        words = _("{words} on {shown}", words=words, shown=shown)
    return f"{words}, {origin_words(row.origin)}"


def _day(created: str) -> QDate:
    """Return the local day of a time in UTC."""
    moment = QDateTime.fromString(created[:19].replace(" ", "T"), "yyyy-MM-ddTHH:mm:ss")
    moment.setTimeZone(QTimeZone.utc())
    return moment.toLocalTime().date()


def origin_words(origin: str) -> str:
    """Return the origin of a mark as text."""
    head, __, rest = origin.partition(":")
    if head == "folder" and rest:
        return _("from the folder {rest}", rest=rest)
    if head == "import":
        return _("from a file")
    known = {
        "results": _("from results"),
        "selection": _("from a selection"),
        "group": _("from a group"),
        "asked": _("from a pair that was named"),
        "offered": _("from a pair that was offered"),
    }
    return known.get(head, _("from {origin}", origin=origin))


def count_of_marks(count: int) -> str:
    """Return the number of marks as text."""
    return _n("{count} mark", "{count} marks", count)
