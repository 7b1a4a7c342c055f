"""The folder whose groups are seen: any, or one of those in which duplicates lie."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from app.duplicates.groups import Group
from app.gui.duplicates.group_model import photographs
from app.gui.look.pills import Pill
from app.language.spoken import _
from core.files.untrusted_input import plain

_MOST = 40


class FolderFilter(Pill):
    """Chooses a folder.

    Signals
    -------
    changed
        Another folder is chosen.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__(_("Any folder"), _("Only groups with a photo in one folder"))
        self._folder = b""
        self._groups: Sequence[Group] = ()
        self.clicked.connect(self._on_clicked)

    def show_groups(self, groups: Sequence[Group]) -> None:
        """Offer the folders of groups."""
        self._groups = groups

    def passes(self, group: Group) -> bool:
        """Return whether a group has a photograph in the folder."""
        return not self._folder or any(one.path.startswith(self._folder + b"/") for one in photographs(group))

    def choose(self, folder: bytes) -> None:
        """Show groups of a folder alone; of all for an empty one."""
        self._folder = folder
        self.setText(_name(folder) if folder else _("Any folder"))
        self.updateGeometry()
        self.changed.emit()

    def _on_clicked(self) -> None:
        counts = Counter(
            folder for group in self._groups for folder in {os.path.dirname(one.path) for one in photographs(group)}
        )
        menu = QMenu(self)
        menu.addAction(_("Any folder")).triggered.connect(lambda: self.choose(b""))
        menu.addSeparator()
        for folder, count in sorted(counts.most_common(_MOST)):
            act = menu.addAction(f"{_path(folder)}\t{count}")
            act.triggered.connect(lambda __=False, folder=folder: self.choose(folder))
        menu.exec(self.mapToGlobal(self.rect().bottomLeft()))
        menu.deleteLater()


def _name(folder: bytes) -> str:
    return _path(os.path.basename(folder))


def _path(folder: bytes) -> str:
    return plain(os.fsdecode(folder).encode("utf-8", "replace").decode())
