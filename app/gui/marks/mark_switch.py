"""The switch that has a question asked with the marks of its photographs too, and says how many those are."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.gui.actions.action import give_key
from app.gui.look.page_parts import label, set_look, set_role
from app.gui.look.pills import PILL_PADDING, Pill
from app.gui.marks.mark_sign import Verdict, verdict_pixmap
from app.gui.search.actions import search_actions
from app.language.spoken import _, number

_SIGN = 18  # px, smaller than on a photograph
_GAP = 5


class MarksPill(Pill):
    """The switch that adds marks to the query; hidden where nothing was marked.

    Signals
    -------
    wanted(bool)
        The marks are to count, or no longer; pressed while there are others than those that count, these are to count.
    """

    wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setCheckable(True)
        give_key(self, search_actions()["marks"])
        self._words = label()
        self._words.setContentsMargins(0, 0, _GAP, 0)
        self._signs = {verdict: (QLabel(), label("", "name")) for verdict in (Verdict.SIMILAR, Verdict.DIFFERENT)}
        inner = QHBoxLayout(self)
        inner.setContentsMargins(PILL_PADDING, 0, PILL_PADDING, 0)
        inner.setSpacing(_GAP)
        inner.addWidget(self._words)
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
            How many photographs are marked so.
        used : bool
            They count.
        stale : bool
            Those that count are not all of these, or others too.
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
        what = _("Ask as if those marked similar were asked with too, and those marked different were not wanted")
        if self._stale:
            what = _("There are other marks than those that count: ask again with all of them")
        elif used:
            what = _("The marks count; ask without them")
        key = search_actions()["marks"].keys_text()
        self.setAccessibleName(_("Ask with my marks") + f": {said}")
        self.setToolTip(f"{said}\n{what} ({key})")

    def show_signs_alone(self, alone: bool) -> None:
        """Leave the words out, where there is no room for them."""
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
