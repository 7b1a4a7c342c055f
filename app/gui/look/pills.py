"""Pills: the round-ended buttons of the question."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.gui.actions.action import Action, give_key
from app.gui.look.elided_line import ElidedLine
from app.gui.look.icons import Sign
from app.gui.look.page_parts import label
from app.gui.look.quiet_button import QuietButton

PILL_HEIGHT = 32
PILL_PADDING = 14


class Pill(QuietButton):
    """A button with round ends.

    Parameters
    ----------
    text : str
        Its words.
    name : str
        What it does, for the tooltip and for those who listen.
    action : Action, optional
        What it does; its key is shown in the tooltip.
    invites : bool
        Whether it offers to add something: quiet, with a dashed line.
    """

    def __init__(
        self,
        text: str = "",
        name: str = "",
        action: Action | None = None,
        invites: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, "pill", parent=parent)
        self.setProperty("invites", invites)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name or text)
        if action is not None:
            give_key(self, action)
        self.setToolTip(f"{name or text} ({action.keys_text()})" if action is not None else name)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As wide as the words, as high as all pills; never narrower than a circle."""
        if self.layout() is None and len(self.text()) == 1:
            return QSize(PILL_HEIGHT, PILL_HEIGHT)
        return QSize(super().sizeHint().width() + PILL_PADDING * (self.layout() is None), PILL_HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """May be narrower; then the words end in dots."""
        return QSize(PILL_HEIGHT, PILL_HEIGHT)


class WordsPill(Pill):
    """A pill with quiet words, strong ones, and quiet ones again.

    Parameters
    ----------
    name : str
        What it does.
    opens : bool
        Whether it opens a list.
    """

    def __init__(self, name: str = "", opens: bool = False, parent: QWidget | None = None) -> None:
        super().__init__("", name, parent=parent)
        self._lead, self._loud, self._tail = label(role="quiet"), ElidedLine("name"), ElidedLine("quiet")
        self._loud.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred)  # all of it, if it can be
        inner = QHBoxLayout(self)
        inner.setContentsMargins(PILL_PADDING, 0, PILL_PADDING - 4 * opens, 0)
        inner.setSpacing(0)
        for words in (self._lead, self._loud, self._tail):
            words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            inner.addWidget(words)
        inner.addStretch()
        if opens:
            inner.addSpacing(6)
            inner.addWidget(Sign("opens", 14))

    def set_words(self, lead: str, text: str, tail: str) -> None:
        """Show words."""
        self.setText(text)
        for shown, words in ((self._lead, lead), (self._loud, text), (self._tail, tail)):
            shown.setText(words)
            shown.setVisible(bool(words))
        self.updateGeometry()

    def least_width(self) -> int:
        """Return the width at which all but the last quiet words can be read."""
        return self.sizeHint().width() - self._tail.sizeHint().width() * bool(self._tail.text())
