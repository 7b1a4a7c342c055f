"""One index of the list: name, description, size and progress."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.gui.actions.action import attach
from app.gui.indexes.actions import index_actions
from app.gui.look.page_parts import button, label
from app.gui.look.renamable_card import RenamableCard
from app.gui.look.thin_bar import ThinBar
from app.language.spoken import _, _n, text
from app.language.spoken import text as text_of
from app.results import IndexStatus
from core.amounts import size


class IndexCard(RenamableCard):
    """One index.

    Signals
    -------
    removed : str
        The person wants it deleted; it can still be undone.
    default_wanted : str
        It is to be searched where none is named.
    """

    removed = Signal(str)
    default_wanted = Signal(str)

    def __init__(self, index: IndexStatus, default: bool, words: str) -> None:
        badges = (
            *(((_("searched by default"), "badge"),) if default else ()),
            *(((_("maintained by Twinlens"), "quiet-badge"),) if index.automatic else ()),
        )
        super().__init__(index.name, badges)
        self._index = index
        for made in self._buttons(default):
            self.top.addWidget(made)
        if words:
            self.column.addWidget(label(_("Compares {words}.", words=words)))
        self.column.addWidget(label(self._facts(), "quiet", wrap=True))
        text = label(index.text.replace(",", ", "), "mono", wrap=True)  # read as the same when it is pasted
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.column.addWidget(text)
        if index.note:
            self.column.addWidget(label(text_of(index.note), "help", wrap=True))
        self._bar = ThinBar(_("Building {name}", name=index.name), keeps_room=False)
        self._bar_text = label("", "quiet")
        self.column.addWidget(self._bar)
        self.column.addWidget(self._bar_text)
        self.set_progress(None)
        self.setAccessibleName(f"{index.name}. {words}. {self._facts()}")

    def _buttons(self, default: bool) -> list[QWidget]:
        name = self._index.name
        made = []
        if not default:
            choose = button(
                _("Make default"),
                _("Search in {name} by default", name=name),
                "Ctrl+M",
                "link",
            )
            choose.clicked.connect(self._on_default)
            attach(self, index_actions(), {"default": self._on_default})
            made.append(choose)
        rename = button(_("Rename"), _("Rename {name}", name=name), "F2", "link")
        rename.clicked.connect(self.begin_rename)
        attach(self, index_actions(), {"rename": self.begin_rename})
        made.append(rename)
        if not self._index.automatic:
            delete = button(_("Delete"), _("Delete {name}", name=name), "Del", "link")
            delete.clicked.connect(self._on_delete)
            attach(self, index_actions(), {"delete": self._on_delete})
            made.append(delete)
        return [*made]

    def _facts(self) -> str:
        index = self._index
        parts = [_n("{count} photo", "{count} photos", index.photographs)]
        if index.waiting:
            parts.append(_n("{count} waiting", "{count} waiting", index.waiting))
        if index.bits is None:
            parts.append(_("exact, without codes"))
        else:
            parts.append(_n("{count} bit each", "{count} bits each", index.bits))
            parts.append(
                _("not fitted yet: searches are exact")
                if index.fitted_on is None
                else _("fitted on {count}", count=index.fitted_on)
            )
        parts.append(text(size(index.bytes)))
        return "  ·  ".join(parts)

    def set_progress(self, share: float | None, text: str = "") -> None:
        """Show the progress of building; None: it is built."""
        self._bar.show_share(-1 if share is None else share)
        self._bar_text.setVisible(share is not None)
        self._bar_text.setText(text)

    def _on_default(self) -> None:
        self.default_wanted.emit(self._index.name)

    def _on_delete(self) -> None:
        self.removed.emit(self._index.name)
