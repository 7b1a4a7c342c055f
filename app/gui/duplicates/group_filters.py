"""Filters of the groups that are shown: a folder in which a photograph lies, and the size of its files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from app.duplicates.groups import PhotoGroup
from app.gui.look.outside_text import on_button
from app.gui.look.pills import Pill
from app.language.spoken import _, text
from core.amounts import size
from core.files.untrusted_input import plain

_MOST = 40
_SIZES = (100_000, 1_000_000, 5_000_000, 20_000_000)


class FolderFilter(Pill):
    """Chooses a folder: any, or one of those in which duplicates lie.

    Signals
    -------
    changed
        Another folder is chosen.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__(_("Any folder"), _("Only groups with a photo in one folder"))
        self.folder = b""
        self._groups: Sequence[PhotoGroup] = ()
        self.clicked.connect(self._on_clicked)

    def show_groups(self, groups: Sequence[PhotoGroup]) -> None:
        """Offer the folders of groups."""
        self._groups = groups

    def choose(self, folder: bytes) -> None:
        """Show groups of a folder alone; of all for an empty one."""
        self.folder = folder
        self.setText(_path(os.path.basename(folder)) if folder else _("Any folder"))
        self.updateGeometry()
        self.changed.emit()

    def _on_clicked(self) -> None:
        counts = Counter(
            folder for group in self._groups for folder in {os.path.dirname(one.path) for one in group.photographs}
        )
        menu = QMenu(self)
        menu.addAction(_("Any folder")).triggered.connect(lambda: self.choose(b""))
        menu.addSeparator()
        for folder, count in sorted(counts.most_common(_MOST)):
            act = menu.addAction(f"{on_button(_path(folder))}\t{count}")
            act.triggered.connect(lambda __=False, folder=folder: self.choose(folder))
        _open(menu, self)


class SizeFilter(Pill):
    """Chooses how large a file of a group is at least.

    Signals
    -------
    changed
        Another size is chosen.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__(_("Any size"), _("Only groups with a file of at least this size"))
        self.least_bytes = 0
        self.clicked.connect(self._on_clicked)

    def choose(self, least_bytes: int) -> None:
        """Show groups with a file of at least this size alone; all for 0."""
        self.least_bytes = least_bytes
        self.setText(_words(least_bytes))
        self.updateGeometry()
        self.changed.emit()

    def _on_clicked(self) -> None:
        menu = QMenu(self)
        for one in (0, *_SIZES):
            menu.addAction(_words(one)).triggered.connect(lambda __=False, one=one: self.choose(one))
        _open(menu, self)


def _open(menu: QMenu, pill: Pill) -> None:
    menu.exec(pill.mapToGlobal(pill.rect().bottomLeft()))
    menu.deleteLater()


def _words(size_bytes: int) -> str:
    return _("At least {size}", size=text(size(size_bytes))) if size_bytes else _("Any size")


def _path(folder: bytes) -> str:
    return plain(os.fsdecode(folder).encode("utf-8", "replace").decode())
