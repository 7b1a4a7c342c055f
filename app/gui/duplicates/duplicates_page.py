"""The page of duplicates: the space that they would free, a tab for each kind with its count, and the groups.

Groups are filtered by a folder in which one of their photographs lies, and by the size of their files.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QStackedWidget, QWidget

from app.duplicates.duplicates import Duplicates
from app.duplicates.groups import DuplicateKind, GroupFilter, PhotoGroup
from app.gui.duplicates.group_list import GroupList
from app.gui.duplicates.group_model import kind_words
from app.gui.look.buttons import Pill
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.labels import on_button
from app.gui.look.page_parts import EmptyState, TitledPage, bind, button, surface
from app.language.texts import _, _n, number, text
from core.files.untrusted_input import plain
from core.message import size

ALL, UNDECIDED = "", "undecided"

TABS = {
    ALL: GroupFilter(),
    **{kind.value: GroupFilter(kinds=(kind,)) for kind in DuplicateKind},
    UNDECIDED: GroupFilter(undecided=True),
}
"""The filter of each tab, by its key."""


class DuplicatesPage(TitledPage):
    """The page of groups of duplicates.

    Signals
    -------
    find_wanted
        All photographs are to be compared.
    clean_wanted
        The marked copies are to be moved away, after a dialog.
    rules_wanted
    folders_wanted
        The protected folders are to be chosen.
    closed
    """

    find_wanted = Signal()
    clean_wanted = Signal()
    rules_wanted = Signal()
    folders_wanted = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__("", scrolls=False)
        self.setAccessibleName(_("Duplicates"))
        self._found: Duplicates | None = None
        self._kind = ALL
        self._folder, self._size = FolderFilter(), SizeFilter()
        self.rules = self.add_button(Pill(_("Rules"), _("Rules that choose which photo to keep")))
        self.folders = self.add_button(Pill(_("Protected folders"), _("Folders whose photos are always kept")))
        self._clean = self._button()
        self.rules.clicked.connect(self.rules_wanted)
        self.folders.clicked.connect(self.folders_wanted)
        self.tabs, self.list = KindTabs(), GroupList()
        self.tabs.chosen.connect(self._on_kind)
        self._strip = QWidget()
        surface(self._strip, "head")
        strip = QHBoxLayout(self._strip)
        strip.setContentsMargins(0, 0, 16, 0)
        strip.setSpacing(8)
        strip.addWidget(self.tabs, 1)
        for made in (self._folder, self._size):
            made.changed.connect(self._show_seen)
            strip.addWidget(made)
        self._empty = EmptyState("", _("Compare the photos"))
        self._empty.wanted.connect(self.find_wanted)
        self._views = QStackedWidget()
        self._views.addWidget(self.list)
        self._views.addWidget(self._empty)
        self.body.setSpacing(0)
        self.body.addWidget(self._strip)
        self.body.addWidget(self._views, 1)
        self.menu = QMenu(self)
        bind(self, "Esc", self.closed.emit)
        bind(self, "Ctrl++", lambda: self.list.zoom(1))
        bind(self, "Ctrl+-", lambda: self.list.zoom(-1))
        self.setFocusProxy(self.list)
        self.set_title(_("Duplicates"))
        self._strip.hide()

    def _button(self) -> QPushButton:
        made = self.add_button(button("", _("Move the copies to the trash…"), "Ctrl+Return", role="primary"))
        made.clicked.connect(self.clean_wanted)
        made.hide()
        return made

    # --- content -----------------------------------------------------------------------------------------------------

    def show_duplicates(self, found: Duplicates, waiting: int, comparing: bool) -> None:
        """Show groups of duplicates.

        Parameters
        ----------
        waiting : int
            Photographs that are not compared yet.
        comparing : bool
            Whether they are being compared now.
        """
        self._found = found
        copies = len(found.going)
        groups = _n("{count} group", "{count} groups", len(found.groups))
        if copies:
            self.set_title(f"{groups}, " + _n("{count} copy to remove", "{count} copies to remove", copies))
            said = _(
                "Keeping the best of each group frees {size}. Edited versions and series are kept. You see the list "
                "before anything moves.",
                size=text(size(found.bytes)),
            )
        else:
            self.set_title(groups)
            said = _("There are no copies to remove.")
        if comparing:
            said = _("Comparing the photos. Groups appear as they are found.")
        elif waiting:
            said = (
                _n("{count} photo is not compared yet.", "{count} photos are not compared yet.", waiting) + f" {said}"
            )
        self.set_line(" ".join([said, *(text(one) for one in found.bounds)]))
        self._clean.setEnabled(not comparing)
        self.tabs.show_counts(found)
        self._folder.show_groups(found.groups)
        self._strip.setVisible(bool(found.groups))
        self._show(found, waiting, comparing)

    def _show(self, found: Duplicates, waiting: int, comparing: bool) -> None:
        shown = self.seen()
        if not found.groups:
            if not found.of:
                sentence = _("The library has no photos yet.")
            elif comparing:
                sentence = _("The photos are being compared.")
            elif waiting:
                sentence = _n(
                    "{count} photo is to be compared with all others.",
                    "{count} photos are to be compared with each other.",
                    waiting,
                )
            else:
                sentence = _n("No duplicates: there is {count} photo.", "No duplicates among {count} photos.", found.of)
            self.set_title(_("Duplicates"))
            self.set_line("")
            self._empty.set_sentence(sentence)
            self._empty.show_action(bool(waiting) and not comparing)
        elif not shown:
            self._empty.set_sentence(_("No group matches these filters."))
            self._empty.show_action(False)
        self._show_list(shown)

    def _show_list(self, shown: list[PhotoGroup]) -> None:
        """Show groups, and the count of their photographs to remove."""
        going = [each.photograph.bytes for one in shown for each in one.going]
        held = sum(len(one.held) for one in shown)
        words = _n(
            "Remove {count} copy ({size})…",
            "Remove {count} copies ({size})…",
            len(going),
            size=text(size(sum(going))),
        )
        kept = _n("{count} copy with files of its own…", "{count} copies with files of their own…", held)
        self._clean.setText(words if going else kept)
        self._clean.setVisible(bool(going or held))
        self.list.show_groups(shown)
        self._views.setCurrentWidget(self.list if shown else self._empty)

    def seen(self) -> list[PhotoGroup]:
        """Return the groups that are shown."""
        return [] if self._found is None else self._found.passing(self.wanted())

    def wanted(self) -> GroupFilter:
        """Return the filter of the groups."""
        folder = self._folder.folder
        return TABS[self._kind].changed(
            folder=Path(os.fsdecode(folder)) if folder else None, least_bytes=self._size.least_bytes
        )

    def kind(self) -> str:
        """Return the shown kind."""
        return self._kind

    def set_kind(self, kind: str) -> None:
        """Show one kind."""
        self._kind = kind if kind in TABS else ALL
        self.tabs.choose(self._kind)

    def go_to_undecided(self) -> bool:
        """Make the next undecided group current, and return whether there is one."""
        groups = self.seen()
        after = [*range(self.list.row() + 1, len(groups)), *range(self.list.row() + 1)]
        row = next((one for one in after if groups[one].undecided), -1)
        self.list.go_to_group(row)
        return row >= 0

    def setFocus(self) -> None:  # type: ignore[override]  # noqa: N802 (Qt's name)
        """Focus the groups, or the button of the empty state."""
        (self.list if self._views.currentWidget() is self.list else self._empty).setFocus()

    def _on_kind(self, kind: str) -> None:
        self._kind = kind
        self._show_seen()

    def _show_seen(self) -> None:
        if self._found is not None:
            shown = self.seen()
            if not shown:
                self._empty.set_sentence(_("No group matches these filters."))
                self._empty.show_action(False)
            self._show_list(shown)
            self.setFocus()


class KindTabs(QWidget):
    """Tabs: one for each kind, and one for undecided groups.

    Signals
    -------
    chosen(str)
        Key of the chosen tab.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        surface(self, "head")
        self.setAccessibleName(_("Kinds of duplicates"))
        row = FlowLayout(0, grows=False)
        row.setContentsMargins(12, 0, 16, 0)
        self.setLayout(row)
        self._tabs: dict[str, Tab] = {}
        for key in TABS:
            tab = self._tabs[key] = Tab()
            tab.clicked.connect(partial(self._on_clicked, key))
            row.addWidget(tab)
        self._tabs[ALL].setChecked(True)

    def show_counts(self, found: Duplicates) -> None:
        """Count the groups of each kind."""
        names = {ALL: _("All"), UNDECIDED: _("Undecided"), **{kind.value: kind_words(kind) for kind in DuplicateKind}}
        for key, wanted in TABS.items():
            count = number(len(found.passing(wanted)))
            self._tabs[key].setText(f"{names[key]}  {count}")
            self._tabs[key].setAccessibleName(f"{names[key]}: {count}")

    def choose(self, key: str) -> None:
        """Mark a tab as chosen."""
        for own, tab in self._tabs.items():
            tab.setChecked(own == key)

    def _on_clicked(self, key: str) -> None:
        self.choose(key)
        self.chosen.emit(key)


_HEIGHT, _AIR = 40, 20


class Tab(QPushButton):
    """A tab, as wide as its text."""

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self.setProperty("role", "tab")
        self.setProperty("along", "top")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(_HEIGHT)
        self.setText(words)

    def setText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Show a text, with the room that it needs."""
        super().setText(text)
        self.setFixedWidth(self.fontMetrics().horizontalAdvance(text) + _AIR)


_MOST = 40
_SIZES = (100_000, 1_000_000, 5_000_000, 20_000_000)


class FolderFilter(Pill):
    """A pill that chooses any folder, or one of those that hold duplicates.

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
        """Show only groups of a folder; an empty path means all."""
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
    """A pill that chooses the least size of the largest file of a group.

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
        """Show only groups with a file of at least this size; 0 means all."""
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
