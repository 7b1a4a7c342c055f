"""The dialog that lists the pairs of photographs that could not be compared."""

from __future__ import annotations

import os
from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QWidget

from twinlens.app.gui.lists.card import Card, CardLine, CardLook
from twinlens.app.gui.lists.card_list import CardList
from twinlens.app.gui.look.page_parts import button, column_of, dialog_keys, label
from twinlens.app.language.texts import _
from twinlens.app.machine.app_folders import home_relative
from twinlens.core.files.untrusted_input import shown

PathPair = tuple[bytes, bytes]


class FailedPairsDialog(QDialog):
    """The dialog of pairs that could not be compared.

    Parameters
    ----------
    pairs : sequence of (bytes, bytes)
        Their full paths.
    """

    def __init__(self, pairs: Sequence[PathPair], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Photos that could not be compared"))
        self.list: CardList[PathPair] = CardList(lambda one: one, pair_card, CardLook(lines=1, little=False))
        self.list.setAccessibleName(_("Photos that could not be compared"))
        self.list.show_rows(pairs)
        why = label(_("One photo of each pair could not be read, or comparing them took too long."), wrap=True)
        close = button(_("Close"), _("Close"), role="primary")
        close.clicked.connect(self.accept)
        column_of(why, (self.list, 1), dialog_keys(close), on=self, gap=10, margins=(20, 16, 20, 16))
        self.resize(760, 480)
        self.list.setFocus()


def pair_card(pair: PathPair) -> Card:
    """Return the card of a pair: both names, each with its folder."""
    paths = [home_relative(shown(one)) for one in pair]
    lines = [CardLine(name, "ink", folder) for folder, name in map(os.path.split, paths)]
    return Card(lines[0], "\n".join(paths), (lines[1],))
