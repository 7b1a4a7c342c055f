"""The switch that has a question asked with the marks of its photographs too, and says how many those are."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.actions.action import give
from app.gui.look.painted_button import PaintedButton
from app.gui.look.pills import HEIGHT, paint_pill
from app.gui.look.sentences import strong
from app.gui.look.theme import theme
from app.gui.marks.mark_sign import Verdict, paint_verdict
from app.gui.search.actions import search_actions
from app.language.spoken import _, number

_PADDING = 13
_SIGN = 15  # px, smaller than on a photograph
_GAP = 5
_BETWEEN = 10


class MarksPill(PaintedButton):
    """The switch that adds marks to the query; hidden where nothing was marked.

    Signals
    -------
    wanted(bool)
        The marks are to count, or no longer; pressed while there are others than those that count, these are to count.
    """

    wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        give(self, search_actions()["marks"])
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._counts = (0, 0)
        self._stale = False
        self._signs_alone = False
        self.clicked.connect(self._on_clicked)
        self.hide()

    def show_marks(self, similar: int, different: int, used: bool = False, stale: bool = False) -> None:
        """Say how it stands.

        Parameters
        ----------
        similar, different : int
            How many photographs are marked so.
        used : bool
            They count.
        stale : bool
            Those that count are not all of these, or others too.
        """
        self._counts = similar, different
        self._stale = used and stale and similar + different > 0
        self.setChecked(used)
        self.setVisible(used or similar + different > 0)
        self.setText(_("with my new marks") if self._stale else _("with my marks"))
        said = _("{similar} marked similar, {different} marked different", similar=similar, different=different)
        what = _("Ask as if those marked similar were asked with too, and those marked different were not wanted")
        if self._stale:
            what = _("There are other marks than those that count: ask again with all of them")
        elif used:
            what = _("The marks count; ask without them")
        key = search_actions()["marks"].keys_text()
        self.setAccessibleName(_("Ask with my marks") + f": {said}")
        self.setToolTip(f"{said}\n{what} ({key})")
        self.update()

    def show_signs_alone(self, alone: bool) -> None:
        """Leave the words out, where there is no room for them."""
        self._signs_alone = alone
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As wide as its words, with a sign and a number for each kind."""
        words = 0 if self._signs_alone else QFontMetrics(self.font()).horizontalAdvance(self.text()) + _BETWEEN
        numbers = QFontMetrics(strong(self.font()))
        counted = [numbers.horizontalAdvance(words) for __, words in self._counted()]
        signs = sum(_SIGN + _GAP + width for width in counted) + _BETWEEN * max(0, len(counted) - 1)
        return QSize(2 * _PADDING + words + signs + 2, HEIGHT)

    def _counted(self) -> list[tuple[Verdict, str]]:
        kinds = zip((Verdict.SIMILAR, Verdict.DIFFERENT), self._counts, strict=True)
        return [(verdict, number(count)) for verdict, count in kinds if count]

    def _on_clicked(self) -> None:
        use = self._stale or self.isChecked()
        self.setChecked(use)
        self.wanted.emit(use)

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw it: quiet, with a dashed line, until the marks count."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked()
        paint_pill(painter, QRectF(self.rect()), self, dashed=not on or self._stale)
        x = float(_PADDING + 1)
        if not self._signs_alone:
            painter.setFont(self.font())
            painter.setPen(QColor(now.ink if on or self.underMouse() else now.quiet))
            width = QFontMetrics(self.font()).horizontalAdvance(self.text())
            painter.drawText(QRectF(x, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, self.text())
            x += width + _BETWEEN
        font = strong(self.font())
        for verdict, words in self._counted():
            painter.save()
            painter.translate(x + _SIGN / 2, self.height() / 2)
            painter.scale(_SIGN / 22, _SIGN / 22)
            paint_verdict(painter, QPointF(0, 0), verdict, now)
            painter.restore()
            x += _SIGN + _GAP
            painter.setFont(font)
            painter.setPen(QColor(now.ink if on or self.underMouse() else now.quiet))
            width = QFontMetrics(font).horizontalAdvance(words)
            painter.drawText(QRectF(x, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
            x += width + _BETWEEN
        painter.end()
