"""One index of the list: name, description, size and progress."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QWidget

from app.gui.actions.action import attach
from app.gui.indexes.actions import index_actions
from app.gui.look.page_parts import Card, button, label
from app.gui.look.thin_bar import ThinBar
from app.gui.process.outlived import outlived
from app.language.spoken import _, _n, text
from app.language.spoken import text as text_of
from app.results import IndexStatus
from core.amounts import size


class IndexCard(Card):
    """One index.

    Signals
    -------
    rename_wanted : str, str
        The old and the new name.
    removed : str
        The person wants it deleted; it can still be undone.
    default_wanted : str
        It is to be searched where none is named.
    """

    rename_wanted = Signal(str, str)
    removed = Signal(str)
    default_wanted = Signal(str)

    def __init__(self, index: IndexStatus, default: bool, words: str) -> None:
        super().__init__()
        self._index = index
        self._name = label(index.name, "name")
        self._edit = QLineEdit(index.name)
        self._edit.setAccessibleName(_("New name of {name}", name=index.name))
        self._edit.returnPressed.connect(self._on_renamed)
        self._edit.installEventFilter(self)
        self._edit.hide()
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self._name)
        top.addWidget(self._edit, 1)
        if default:
            top.addWidget(label(_("searched by default"), "badge"))
        if index.automatic:
            top.addWidget(label(_("maintained by Twinlens"), "quiet-badge"))
        top.addStretch()
        for made in self._buttons(default):
            top.addWidget(made)
        self.column.addLayout(top)
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
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
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
        rename.clicked.connect(self._on_rename)
        attach(self, index_actions(), {"rename": self._on_rename})
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

    def has_focus(self) -> bool:
        """Return whether the card, or something in it, has the focus."""
        focused = QApplication.focusWidget()
        return focused is not None and (focused is self or self.isAncestorOf(focused))

    def set_progress(self, share: float | None, text: str = "") -> None:
        """Show the progress of building; None: it is built."""
        self._bar.show_share(-1 if share is None else share)
        self._bar_text.setVisible(share is not None)
        self._bar_text.setText(text)

    def _on_default(self) -> None:
        self.default_wanted.emit(self._index.name)

    def _on_delete(self) -> None:
        self.removed.emit(self._index.name)

    def new_name(self) -> str | None:
        """Return the name that is being typed; None if there is none."""
        return None if self._edit.isHidden() else self._edit.text()

    def rename(self, text: str) -> None:
        """Begin to rename."""
        self._name.hide()
        self._edit.setText(text)
        self._edit.show()
        self._edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_rename(self) -> None:
        self.rename(self._index.name)
        self._edit.selectAll()

    def _on_renamed(self) -> None:
        new = self._edit.text().strip()
        self._leave_rename()
        if new and new != self._index.name:
            self.rename_wanted.emit(self._index.name, new)

    def _leave_rename(self) -> None:
        self._edit.hide()
        self._name.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Cancel renaming with Escape."""
        if outlived(self):
            return False
        if watched is self._edit and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress:
                self._leave_rename()
                return True
        return super().eventFilter(watched, event)
