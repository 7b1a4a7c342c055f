"""Switches of the check for the same picture: on or off, and matches only."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.gui.actions.action import give_key
from app.gui.look.quiet_button import Switch
from app.gui.look.sentences import Link, small
from app.gui.search.actions import search_actions
from app.gui.search.timing_line import HEIGHT
from app.language.spoken import _, number


class CheckBar(QWidget):
    """Stands at the end of the timing line, where an index can be checked.

    Signals
    -------
    check_wanted(bool)
    only_wanted(bool)
        Only confirmed photographs are to be shown, or all.
    order_wanted()
        Confirmed photographs are to come first.
    """

    check_wanted = Signal(bool)
    only_wanted = Signal(bool)
    order_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self.setFont(small(self.font(), 0.9))
        self._order = Link(_("show matches first"))
        self._order.setToolTip(_("Show matches before the other results"))
        self._only = Switch()
        actions = search_actions()
        give_key(self._only, actions["only confirmed"])
        self._check = Switch()
        self._check.setText(_("check matches"))
        give_key(self._check, actions["check"])
        self._check.setAccessibleName(_("Compare the first results point by point"))
        self._check.setToolTip(
            _(
                "Compare the first results with your photo point by point. Matches are marked and come first ({key})",
                key=actions["check"].keys_text(),
            )
        )
        self._order.clicked.connect(self.order_wanted)
        self._only.clicked.connect(self.only_wanted)
        self._check.clicked.connect(self.check_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 1)
        row.setSpacing(12)
        for widget in (self._order, self._only, self._check):
            widget.setFont(self.font())
            row.addWidget(widget)
        self._in_detail, self._applies = False, False
        self.show_state(applies=False)

    def show_detail(self, in_detail: bool) -> None:
        """Show the switch of the check itself, too."""
        self._in_detail = in_detail
        self._check.setVisible(self._applies and in_detail)

    def show_state(
        self, applies: bool, checks: bool = True, confirmed: int | None = None, only: bool = False, waits: bool = False
    ) -> None:
        """Show the state of the check.

        Parameters
        ----------
        applies : bool
            The index compares what can be checked.
        checks : bool
            It is checked.
        confirmed : int or None
            How many are confirmed besides what was asked with; None while that is not known.
        only : bool
            Only these are shown.
        waits : bool
            They are not yet before the others.
        """
        self._applies = applies
        self._check.setVisible(applies and self._in_detail)
        self._check.setChecked(checks)
        self._only.setVisible(applies and checks)
        self._only.setChecked(only)
        self._only.setEnabled(only or bool(confirmed))
        count = "…" if confirmed is None else number(confirmed)
        words = _("same picture only · {value}", value=count)
        self._only.setText(words)
        self._only.setAccessibleName(words)
        self._only.setToolTip(
            _("Show only results with the same picture ({key})", key=search_actions()["only confirmed"].keys_text())
        )
        self._order.setVisible(applies and checks and waits and not only)
