"""The small controls of forms: flat, driven by keys, and deaf to a wheel that only scrolls the page past them."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QToolTip,
    QWidget,
)

from app.gui.look.text_size import grown
from app.language.spoken import number, typed_number
from core.declaration.parameters import Parameter, ParameterKind

_ARROWS_PX = 16
_LEAST_PX = 96
_WORDS_PX = 48  # before the words of a list, and from them on: edge and arrow


class Chooser(QComboBox):
    """A list to choose from."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setItemDelegate(QStyledItemDelegate(self))  # the style sheet's rules of rows hold for this one alone

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Let words end in dots where there is little room, so that nothing is wider than its place."""
        least = super().minimumSizeHint()
        return QSize(min(least.width(), grown(_LEAST_PX)), least.height())

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:  # noqa: N802 (Qt's name)
        """Set the text to draw, elided where it has no room."""
        super().initStyleOption(option)
        room, end = self.width() - _WORDS_PX, Qt.TextElideMode.ElideMiddle
        option.currentText = self.fontMetrics().elidedText(option.currentText, end, room)

    def event(self, event: QEvent) -> bool:
        """Show the whole choice and its meaning as a tooltip."""
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), f"{self.currentText()}\n{self.toolTip()}".strip(), self)
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Change nothing while the page is scrolled."""
        event.ignore()


class NumberBox(QLineEdit):
    """A whole number or a number, of any size; arrow keys step by about a tenth of it, within its limits.

    What is typed stays as it is: whether it can be is for the declaration to say.
    """

    def __init__(self, about: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._about = about
        self.setFixedWidth(grown(112))
        self.setTextMargins(0, 0, _ARROWS_PX, 0)

    def number(self) -> object:
        """Return the number; the text itself where it is none."""
        text = self.text().strip()
        whole = self._about.kind is ParameterKind.WHOLE
        plain = typed_number(text.replace(" ", ""))
        try:
            return int(plain) if whole else float(plain)
        except ValueError:
            return text

    def set_number(self, value: float) -> None:
        """Show a number."""
        if self._about.kind is ParameterKind.WHOLE:
            self.setText(number(int(value)))
        else:
            self.setText(number(value, "g" if float(f"{value:g}") == value else ".15g"))

    def step(self, steps: int) -> None:
        """Go to the next round number, as often as told."""
        value = self.number()
        if not isinstance(value, int | float):
            return
        for _ in range(abs(steps)):
            value = stepped(self._about, value, up=steps > 0)
        self.set_number(value)
        self.textEdited.emit(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Step with the arrow keys."""
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}
        if event.key() in steps:
            self.step(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Step with the arrows."""
        if event.position().x() > self.width() - _ARROWS_PX - 4:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.step(1 if event.position().y() < self.height() / 2 else -1)
        else:
            super().mousePressEvent(event)


def stepped(about: Parameter, value: float, up: bool) -> float:
    """Return the next round number above or below, within the limits of a parameter.

    A step is about a tenth of the number: a power of two where the default is one, else of ten.
    """
    whole = about.kind is ParameterKind.WHOLE
    size = abs(value)
    default = about.default if isinstance(about.default, int) and not isinstance(about.default, bool) else 0
    if whole and default > 4 and default & (default - 1) == 0:
        step: float = 2 ** max(0, int(math.log2(max(size, 1))) - 3)
        if not up and size and size == 2 ** int(math.log2(size)):
            step = max(1, step // 2)
    else:
        power = max(-15, math.floor(math.log10(size))) if size else (0 if whole else -1)
        if not up and size and math.isclose(size, 10.0**power):
            power -= 1
        step = max(1, 10 ** max(0, power - 1)) if whole else 10.0 ** (power if size < 1 else power - 1)
    next_one = (math.floor(value / step + 1e-9) + 1) * step if up else (math.ceil(value / step - 1e-9) - 1) * step
    next_one = int(next_one) if whole else float(f"{next_one:.6g}")
    if about.lower is not None and (next_one < about.lower or (about.lower_open and next_one <= about.lower)):
        return value if about.lower_open else (int(about.lower) if whole else about.lower)
    if about.upper is not None and (next_one > about.upper or (about.upper_open and next_one >= about.upper)):
        return value if about.upper_open else (int(about.upper) if whole else about.upper)
    return next_one
