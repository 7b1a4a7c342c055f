"""Photographs side by side over the whole window: how they are compared, the stage, and the facts of each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.duplicates.beside import Beside
from app.gui.look.outside_text import RichLabel
from app.gui.look.page_parts import label, told_key
from app.gui.look.round_button import RoundSign
from app.gui.pictures.photograph_facts import written_date
from app.gui.side_by_side.aligned_pictures import AlignedPicture
from app.gui.side_by_side.stage import Mode, Stage
from app.language.spoken import _, number, text
from core.amounts import size
from core.files.untrusted_input import plain, plain_name

_STEP = 1.25
_PAN = 96
_ARROWS = {Qt.Key.Key_Left: (1, 0), Qt.Key.Key_Right: (-1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}
_MODES = {Qt.Key.Key_B: Mode.BESIDE, Qt.Key.Key_F: Mode.FLICK, Qt.Key.Key_S: Mode.SLIDER, Qt.Key.Key_D: Mode.DIFFERENCE}


class SideBySide(QWidget):
    """Two to four photographs, in the dark colours whatever the theme.

    Signals
    -------
    closed
    step(int)
        The next (1) or previous (-1) group is wanted.
    """

    closed = Signal()
    step = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "dark")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Side by side"))
        self._shown: list[Beside] = []
        self.stage = Stage()
        self._modes = {
            Mode.BESIDE: self._button(_("Beside each other"), "B"),
            Mode.FLICK: self._button(_("Flick"), "F"),
            Mode.SLIDER: self._button(_("Slider"), "S"),
            Mode.DIFFERENCE: self._button(_("Difference"), "D"),
        }
        for mode, made in self._modes.items():
            made.clicked.connect(lambda __=False, mode=mode: self.set_mode(mode))
        self._align = self._button(_("Same place"), "A")
        self._align.setChecked(True)
        self._align.clicked.connect(self._on_align)
        close = RoundSign("close", _("Back"), "Esc", self)
        close.clicked.connect(self.closed)
        self._level = label("", "on dark")
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 12, 8)
        head.setSpacing(4)
        for made in self._modes.values():
            head.addWidget(made)
        head.addSpacing(16)
        head.addWidget(self._align)
        head.addSpacing(16)
        head.addWidget(self._level)
        head.addStretch()
        head.addWidget(close)
        self._facts = QHBoxLayout()
        self._facts.setContentsMargins(16, 10, 16, 12)
        self._facts.setSpacing(16)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.stage, 1)
        column.addLayout(self._facts)
        self.stage.moved.connect(self._tell)

    def _button(self, words: str, key: str) -> QPushButton:
        made = QPushButton(words)
        made.setProperty("role", "on dark")
        made.setCheckable(True)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.setToolTip(told_key(words, key))
        made.setAccessibleName(words)
        return made

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_photographs(self, shown: Sequence[Beside]) -> None:
        """Show photographs; their pictures come by :meth:`set_image`."""
        self._shown = list(shown)
        self.stage.show_pictures([AlignedPicture(one.places) for one in shown])
        while (item := self._facts.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for one in shown:
            said = RichLabel()
            said.setText(self._words(one))
            said.setProperty("role", "on dark")
            said.setWordWrap(True)
            said.setToolTip(plain(one.path))
            self._facts.addWidget(said, 1)
        self._align.setEnabled(any(one.places is not None for one in shown[1:]))
        self.set_mode(self.stage.mode)

    def set_image(self, place: int, image: QImage) -> None:
        """Show the picture of a photograph."""
        if place < len(self.stage.pictures):
            self.stage.pictures[place].set_image(image)
            if place == 0:
                self.stage.fit()
            self.stage.update()

    def set_message(self, place: int, sentence: str) -> None:
        """Say why a picture is not shown."""
        item = self._facts.itemAt(place)
        said = item.widget() if item is not None else None
        if isinstance(said, RichLabel) and place < len(self._shown):
            said.setText(f"{self._words(self._shown[place])}<br><i>{_escaped(sentence)}</i>")

    def set_mode(self, mode: Mode) -> None:
        """Compare in another way."""
        self.stage.mode = mode
        for own, made in self._modes.items():
            made.setChecked(own is mode)
        self.stage.fit()
        self._tell()

    def _words(self, one: Beside) -> str:
        def fact(name: str, words: str) -> str:
            return f"<b>{_escaped(words)}</b>" if name in one.better else _escaped(words)

        first = f"<b>{_escaped(plain_name(one.path))}</b>"
        pixels = fact("pixels", f"{number(one.width)} × {number(one.height)}")
        facts = " · ".join((pixels, fact("bytes", text(size(one.bytes))), _escaped(one.format)))
        taken = fact("taken", written_date(one.taken) or _("no date"))
        camera = fact("camera", plain(one.camera or _("no camera")))
        quality = fact("quality", text(one.quality))
        folder = _escaped(plain(one.path.rpartition("/")[0]))
        differs = ", ".join(text(each) for each in one.differs)
        last = f"<br>{_escaped(differs)}" if differs else ""
        return f"{first}<br>{facts} · {quality}<br>{taken} · {camera}<br>{folder}{last}"

    def _tell(self) -> None:
        percent = f"{number(100 * self.stage.level(), '.0f')} %"
        seen = ""
        if self.stage.mode is Mode.FLICK and self._shown:
            seen = plain_name(self._shown[min(self.stage.front, len(self._shown) - 1)].path)
        self._level.setText(f"{percent}   {seen}".strip())
        self.setAccessibleDescription(f"{self._modes[self.stage.mode].text()}. {self._level.text()}")

    def _on_align(self) -> None:
        self.stage.aligned = self._align.isChecked()
        self.stage.update()

    # --- keys --------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Keep single keys from the window's shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain_key = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
            if plain_key and event.key() not in (Qt.Key.Key_F1, Qt.Key.Key_F11):
                event.accept()
                return True
        return super().event(event)

    def focusNextPrevChild(self, __: bool) -> bool:  # noqa: N802 (Qt's name)
        """Keep the focus: the views below cannot be used meanwhile."""
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Zoom, move, and compare in other ways."""
        key, stage = Qt.Key(event.key()), self.stage
        if key is Qt.Key.Key_F and stage.mode is Mode.FLICK:
            self.flick()
        elif key in _MODES:
            self.set_mode(_MODES[key])
        elif key is Qt.Key.Key_A:
            self._align.click()
        elif key in _ARROWS and stage.mode is Mode.SLIDER and _ARROWS[key][0]:
            stage.slide(-0.02 * _ARROWS[key][0])
        elif key in _ARROWS:
            stage.pan(*(_PAN * way for way in _ARROWS[key]))
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            stage.zoom_to(stage.level() * _STEP)
        elif key is Qt.Key.Key_Minus:
            stage.zoom_to(stage.level() / _STEP)
        elif key is Qt.Key.Key_0:
            stage.fit()
        elif key is Qt.Key.Key_1:
            stage.zoom_to(1.0)
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self.step.emit(1 if key is Qt.Key.Key_PageDown else -1)
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def flick(self) -> None:
        """Show the next picture at the same place."""
        self.stage.front = (self.stage.front + 1) % max(1, len(self.stage.pictures))
        self.stage.update()
        self._tell()


def _escaped(words: str) -> str:
    from html import escape

    return escape(words)
