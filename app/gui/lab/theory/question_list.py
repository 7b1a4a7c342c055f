"""The questions, one below the other, each with the answer that was found, in some words."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from app.gui.lab.theory.theory_words import KINDS, question
from app.gui.look.page_parts import label, set_role
from app.gui.look.quiet_button import QuietButton
from app.gui.look.text_size import grown

WIDTH = 224
_EDGE = 14
_WRAP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap


class _Row(QuietButton):
    """A question and its answer; the chosen one has a line before it."""

    def __init__(self, kind: str, place: int) -> None:
        super().__init__(question(kind).short, "choice")
        self.kind = kind
        self._question, self._answer = label(self.text(), "name", wrap=True), label("", "quiet", wrap=True)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(_EDGE, 10, _EDGE - 6, 4)
        inner.setSpacing(3)
        for words in (self._question, self._answer):
            words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            inner.addWidget(words)
        inner.addStretch()
        self.toggled.connect(lambda chosen: set_role(self._question, "name" if chosen else ""))
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolTip(f"{question(kind).heading} ({place})")
        self._small = QFont(self.font())
        self._small.setPixelSize(grown(11))
        self._answer.setFont(self._small)
        set_role(self._question, "")

    def say(self, answer: str) -> None:
        """Show an answer below the question."""
        self._answer.setText(answer)
        self.setAccessibleDescription(answer)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """Keep the room of an answer that is still to come."""
        return False

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return room for the question in a line or two, and for two lines of answer."""
        font = QFont(self.font())
        font.setBold(True)  # as when it is chosen
        room = QRect(0, 0, grown(WIDTH) - 2 * _EDGE, 1_000)
        question = QFontMetrics(font).boundingRect(room, int(_WRAP), self.text()).height()
        return QSize(grown(WIDTH), 22 + question + 2 * QFontMetrics(self._small).lineSpacing())


class QuestionList(QWidget):
    """Chooses a question; arrow keys go from one to the next."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(grown(WIDTH))
        self._rows = {kind: _Row(kind, place) for place, kind in enumerate(KINDS, 1)}
        group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 1, 8)
        column.setSpacing(0)
        for row in self._rows.values():
            group.addButton(row)
            column.addWidget(row)
            row.clicked.connect(lambda _=False, kind=row.kind: self.chosen.emit(kind))
        column.addStretch()

    def choose(self, kind: str) -> None:
        """Show which question is asked; the keys stay on the list where they are."""
        self._rows[kind].setChecked(True)
        if any(row.hasFocus() for row in self._rows.values()):
            self._rows[kind].setFocus(Qt.FocusReason.OtherFocusReason)

    def say(self, kind: str, answer: str) -> None:
        """Show an answer below its question."""
        self._rows[kind].say(answer)

    def forget(self) -> None:
        """Show no answers."""
        for row in self._rows.values():
            row.say("")

    def focus(self) -> None:
        """Focus the question that is asked."""
        for row in self._rows.values():
            if row.isChecked():
                row.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Go to the question above or below, and ask it."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        now = next((place for place, row in enumerate(self._rows.values()) if row.isChecked()), 0)
        if step is None or not 0 <= now + step < len(KINDS):
            event.ignore()
            return
        row = self._rows[KINDS[now + step]]
        row.setFocus(Qt.FocusReason.OtherFocusReason)
        row.click()
