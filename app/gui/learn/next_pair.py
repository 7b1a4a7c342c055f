"""The pair that is offered: two large photographs, and three keys."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QImage, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.gui.learn.headline import section
from app.gui.look.elided_line import ElidedLine
from app.gui.look.page_parts import button
from app.gui.look.theme import theme
from app.language.spoken import _, text
from app.learn.next_pairs_results import OfferedPair
from core.files.untrusted_input import plain_name

_GAP = 16
_ROUND = 8
_LEAST, _MOST = 190, 720
_SHAPE = 0.68  # height of a well, of its width


class PairPictures(QWidget):
    """Two photographs side by side, each whole in a well of its own; the keys of the view go to it.

    1 and 2 show them large.

    Signals
    -------
    large_wanted : int
        A photograph was double-clicked.
    asked_with : int
        A photograph was clicked.
    """

    large_wanted = Signal(int)
    asked_with = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._pair: OfferedPair | None = None
        self._images = [QImage(), QImage()]
        self._sharp = [False, False]
        self._scaled = [QImage(), QImage()]
        self._words = ""
        self._came_by_key = False

    def show_pair(self, pair: OfferedPair | None, images: tuple[QImage, QImage], sharp: tuple[bool, bool]) -> None:
        """Show a pair, with thumbnails where the pictures themselves are not there yet."""
        same = pair is not None and self._pair is not None and pair.ids == self._pair.ids
        self._pair = pair
        for place in (0, 1):
            if not (same and self._sharp[place] and not sharp[place]):  # what is sharp stays
                self._images[place], self._sharp[place] = images[place], sharp[place]
                self._scaled[place] = QImage()
        self._words = ""
        names = "" if pair is None else f"{plain_name(pair.first)}, {plain_name(pair.second)}"
        self.setAccessibleName(_("Which of these are alike to you?"))
        self.setAccessibleDescription(names)
        hint = _("Click ranks by a photo, 1 and 2 show the left and the right one large.")
        self.setToolTip("" if pair is None else f"{names}\n{hint}")
        self.update()

    def say(self, sentence: str) -> None:
        """Say a sentence where there is no pair."""
        self.show_pair(None, (QImage(), QImage()), (False, False))
        self._words = sentence
        self.setAccessibleDescription(sentence)

    def pair(self) -> OfferedPair | None:
        """Return what is shown."""
        return self._pair

    def is_sharp(self) -> bool:
        """Return whether both pictures are shown as sharp as they are."""
        return all(self._sharp)

    def set_room(self, width: int, height: int) -> None:
        """Fit the photographs into the view: as large as they can be without pushing the rest out."""
        wanted = round((width - _GAP) / 2 * _SHAPE)
        self.setFixedHeight(max(_LEAST, min(_MOST, wanted, height)))

    def wells(self) -> tuple[QRectF, QRectF]:
        """Return where the photographs lie."""
        width = (self.width() - _GAP) / 2
        return QRectF(0, 0, width, self.height()), QRectF(width + _GAP, 0, width, self.height())

    def side(self) -> int:
        """Return the device pixels that a picture is seen with at most."""
        well = self.wells()[0]
        return round(max(well.width(), well.height()) * self.devicePixelRatioF())

    def _at(self, where: QPointF) -> int | None:
        if self._pair is None:
            return None
        for well, photograph_id in zip(self.wells(), (self._pair.first_id, self._pair.second_id), strict=True):
            if well.contains(where):
                return photograph_id
        return None

    def show_large(self, side: int) -> None:
        """Show the left one (0), or the right one (1), large."""
        if self._pair is not None:
            self.large_wanted.emit((self._pair.first_id, self._pair.second_id)[side])

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Rank by the photograph under the pointer."""
        photograph_id = self._at(event.position())
        if photograph_id is not None and event.button() is Qt.MouseButton.LeftButton:
            self.asked_with.emit(photograph_id)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Show it large."""
        photograph_id = self._at(event.position())
        if photograph_id is not None:
            self.large_wanted.emit(photograph_id)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Show where the keys are to whoever goes from part to part; they are here nearly always else."""
        super().focusInEvent(event)
        self._came_by_key = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Show that they are elsewhere."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw wells and photographs."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self._words:
            painter.setPen(QPen(QColor(now.line), 1, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _ROUND, _ROUND)
            painter.setPen(QColor(now.quiet))
            room = QRectF(self.rect()).adjusted(40, 0, -40, 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._words)
        else:
            for place, well in enumerate(self.wells()):
                self._draw(painter, place, well)
        if self.hasFocus() and self._came_by_key:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(now.accent), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), _ROUND, _ROUND)
        painter.end()

    def _draw(self, painter: QPainter, place: int, well: QRectF) -> None:
        path = QPainterPath()
        path.addRoundedRect(well, _ROUND, _ROUND)
        painter.fillPath(path, QColor(theme().well))
        image = self._images[place]
        if image.isNull():
            return
        ratio = self.devicePixelRatioF()
        whole = QSize(round(well.width() * ratio), round(well.height() * ratio))
        size = image.size().scaled(whole, Qt.AspectRatioMode.KeepAspectRatio)
        if size.width() > 4 * image.width():  # an icon stays an icon
            size = image.size() * 4
        if self._scaled[place].size() != size:
            smooth = Qt.TransformationMode.SmoothTransformation
            self._scaled[place] = image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
        wide, high = size.width() / ratio, size.height() / ratio
        target = QRectF(well.center().x() - wide / 2, well.center().y() - high / 2, wide, high)
        painter.save()
        painter.setClipPath(path)
        painter.drawImage(target, self._scaled[place])
        painter.restore()


class PairView(QWidget):
    """The view of a pair: the question, the photographs, why these, and the possible answers.

    Signals
    -------
    judged : bool
        Similar (True) or different.
    skipped, undo_wanted
    """

    judged = Signal(bool)
    skipped = Signal()
    undo_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.pictures = PairPictures()
        self._heading = section(_("Which of these are alike to you?"))
        self._reason = ElidedLine("quiet")
        self._similar = button(_("S  similar"), _("These are alike to me"), "S")
        self._different = button(_("D  different"), _("These are different to me"), "D")
        self._skip = button(_("Space  skip"), _("Leave these, and show others"), "Space")
        self._undo = button(_("Undo"), _("Take the last mark back"), "Backspace", "link")
        self._similar.clicked.connect(lambda: self.judged.emit(True))
        self._different.clicked.connect(lambda: self.judged.emit(False))
        self._skip.clicked.connect(self.skipped)
        self._undo.clicked.connect(self.undo_wanted)
        for one in (self._similar, self._different, self._skip, self._undo):
            one.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys where they are
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self._heading)
        top.addWidget(self._reason, 1)
        keys = QHBoxLayout()
        keys.setSpacing(8)
        keys.addStretch(1)
        for one in (self._similar, self._different, self._skip):
            keys.addWidget(one)
        undo = QHBoxLayout()
        undo.addStretch()
        undo.addWidget(self._undo)
        keys.addLayout(undo, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self.pictures)
        column.addLayout(keys)
        self.setFocusProxy(self.pictures)
        self.show_undo("")
        self._enable(False)

    def show_pair(
        self,
        pair: OfferedPair,
        first: QImage,
        second: QImage,
        sharp: tuple[bool, bool] = (False, False),
    ) -> None:
        """Show a pair; called again when its pictures have come."""
        self.pictures.show_pair(pair, (first, second), sharp)
        self._reason.say(text(pair.reason))
        self._enable(True)

    def say(self, sentence: str) -> None:
        """Show why there is no pair."""
        self.pictures.say(sentence)
        self._reason.say("")
        self._enable(False)

    def show_undo(self, what: str) -> None:
        """Offer to take back what was done last; "" for nothing."""
        self._undo.setText(what)
        self._undo.setVisible(bool(what))

    def can_judge(self) -> bool:
        """Return whether there is a pair."""
        return self.pictures.pair() is not None

    def reason(self) -> str:
        """Return why this pair."""
        return self._reason.text()

    def _enable(self, there: bool) -> None:
        for one in (self._similar, self._different, self._skip):
            one.setEnabled(there)
