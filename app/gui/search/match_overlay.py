"""Both pictures of a match, enlarged, with lines between matching points."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPixmap
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.gui.look.page_parts import surface
from app.gui.look.sentences import Sentence
from app.gui.process.outlived import outlived
from app.gui.search.match_pair import Line, MatchPair
from app.language.spoken import _

_MARGIN = 48


class MatchOverlay(QWidget):
    """Lies over a view; left and right go from line to line, L hides the lines, Esc or a click beside closes it."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        surface(self, "ground")
        self._before: QWidget | None = None
        self.setAccessibleName(_("Matching points"))
        self._pair = MatchPair(highest=4000, scale=1.6)
        self._words = Sentence()
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._shown = True
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(16)
        column.addStretch()
        column.addWidget(self._pair)
        column.addWidget(self._words)
        column.addStretch()
        self._pair.pressed.connect(self.leave)
        over.installEventFilter(self)
        self.hide()

    def open(self, pictures: tuple[QPixmap, QPixmap], lines: Sequence[Line], sentence: str, shown: bool) -> None:
        """Show two pictures and their lines."""
        self._before = self.window().focusWidget()
        self._pair.show_pixmaps(*pictures)
        self._pair.set_lines(lines)
        self._pair.setToolTip("")
        self._shown = shown
        self._pair.show_lines(shown)
        self._words.say(sentence + " · " + _("L hides the lines, Esc closes"))
        self._fit()
        self.show()
        self.raise_()
        self._pair.setFocus()

    def sharpen(self, left: QImage, right: QImage) -> None:
        """Replace the thumbnails by the pictures themselves."""
        self._pair.show_pixmaps(QPixmap.fromImage(left), QPixmap.fromImage(right))

    def leave(self) -> None:
        """Close."""
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus()

    def _fit(self) -> None:
        self.setGeometry(self._over.rect())
        room = self.height() - 2 * _MARGIN - 64
        left, right = self._pair.pictures()
        shapes = sum(one.width() / one.height() if one.height() else 1.0 for one in (left, right))
        self._pair.setFixedWidth(max(200, min(self.width() - 2 * _MARGIN, round(room * shapes) + 8)))
        layout = self.layout()
        if layout is not None:
            layout.setAlignment(self._pair, Qt.AlignmentFlag.AlignHCenter)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Stay as large as the view."""
        if outlived(self):
            return False
        if watched is self._over and event.type() is QEvent.Type.Resize and self.isVisible():
            self._fit()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Close."""
        del event
        self.leave()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Close, or hide the lines."""
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Space, Qt.Key.Key_Return):
            self.leave()
        elif event.key() == Qt.Key.Key_L:
            self._shown = not self._shown
            self._pair.show_lines(self._shown)
        else:
            super().keyPressEvent(event)
