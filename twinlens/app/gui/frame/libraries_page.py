"""The page of libraries: the one that is open, recent ones, another file or a new one, a backup and the way back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QPushButton, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.frame.kept_windows import kept_windows
from twinlens.app.gui.lists.card import Card, CardLine
from twinlens.app.gui.lists.pick_list import PickList
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.page_parts import PageCard, PageView, PromptBar, button, command_button, label
from twinlens.app.gui.process.outside_files import ask_for_output, reveal_path
from twinlens.app.language.texts import _, _n
from twinlens.core.progress import Progress
from twinlens.storage.database.address import Address, names_server

if TYPE_CHECKING:
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.library.library_results import FileResult

SUFFIX = ".twinlens"
_MOST = 12  # recent ones that are listed


def _kinds() -> str:
    return _("Library (*.twinlens)")


@dataclass(frozen=True)
class RecentLibrary:
    """A library that had a window.

    Attributes
    ----------
    photographs : int or None
        How many it had when its window was closed; None where that is not known.
    """

    address: Address
    photographs: int | None

    @property
    def place(self) -> str:
        """Return the folder of its file, or the address of its server."""
        return str(self.address.path.parent) if self.address.is_file else self.address.shown

    @property
    def is_there(self) -> bool:
        """Return whether its file is there; a server is not asked."""
        return not self.address.is_file or self.address.path.exists()


def recent_libraries(present: Address, photographs: int | None) -> list[RecentLibrary]:
    """Return the libraries that had a window, the newest first, and before them the present one."""
    every = [RecentLibrary(present, photographs)]
    for name, kept in reversed(kept_windows().items()):
        address, count = Address(name), kept.get("photographs")
        if name and address.key != present.key:
            every.append(RecentLibrary(address, count if isinstance(count, int) else None))
    return every[:_MOST]


class LibrariesPage(PageView):
    """The page of libraries.

    Parameters
    ----------
    address : Address
        The library of the window, open or not.
    workspace : Workspace, optional
        Of the open library, which can be backed up.
    """

    chosen = Signal(object)
    """The library of an `Address` is to be opened; a missing file is created."""
    server_wanted = Signal()
    """A library on a server is to be opened."""
    restore_wanted = Signal(object)
    """A backup, by its path, is to be put in the place of the library."""
    closed = Signal()
    """The person wants to go back."""

    def __init__(self, address: Address, workspace: Workspace | None = None) -> None:
        super().__init__(_("Libraries"))
        self._address, self._workspace = address, workspace
        self._asking = PromptBar()
        self._backup: Path | None = None
        self._asking.agreed.connect(self._on_agreed)
        self._recent: PickList[RecentLibrary] = PickList(_("Recent libraries"), _key, self._card, lines=1)
        self._recent.picked.connect(self._on_picked)
        if workspace is None:
            self.add_button(button(_("Back"), _("Back"), window_actions()["leave"].keys[0])).clicked.connect(
                self.closed
            )
        attach(self, window_actions(), {"leave": self.closed.emit})
        self.body.addWidget(self._asking)
        self.body.addWidget(self._open_card())
        self.body.addWidget(self._keep_card())
        self.body.addStretch(1)
        self.setFocusProxy(self._recent)
        self.refresh()

    def _open_card(self) -> PageCard:
        card = PageCard(_("Recent libraries"))
        self._recent.setFrameShape(QFrame.Shape.NoFrame)
        card.column.addWidget(self._recent)
        opens = self._button(_("Open…"), _("Open a library from its file"), self.open_file)
        new = self._button(_("New…"), _("Begin a new library"), self.begin_new)
        server = command_button(_("On a server…"), window_actions()["open server"])
        server.clicked.connect(self.server_wanted)
        card.column.addWidget(_in_line(opens, new, server))
        return card

    def _keep_card(self) -> PageCard:
        card = PageCard(_("Backup of “{name}”", name=self._address.title))
        words = _(
            "A backup is one file with all that Twinlens knows of your photos: what it found, your stars, albums, "
            "marks, searches and settings. The photos themselves are not in it."
        )
        card.column.addWidget(label(words, "help", wrap=True))
        backup = command_button(_("Back up…"), window_actions()["backup"])
        backup.clicked.connect(self.back_up)
        backup.setEnabled(self._workspace is not None)
        restore = command_button(_("Restore…"), window_actions()["restore"])
        restore.clicked.connect(self.choose_backup)
        card.column.addWidget(_in_line(backup, restore))
        return card

    def _button(self, text: str, name: str, act: Callable[[], object]) -> QPushButton:
        made = button(text, name)
        made.clicked.connect(act)
        return made

    def refresh(self) -> None:
        """Read the list of recent libraries again."""
        counts = None if self._workspace is None else self._workspace.shared.photographs
        every = recent_libraries(self._address, counts)
        self._recent.show_rows(every)
        self._recent.setFixedHeight(self._recent.height_of(len(every)))
        self.set_line(_("“{name}” is open, from {place}.", name=self._address.title, place=self._address.shown))
        if self._workspace is None:
            self.set_line(_("“{name}” cannot be opened, from {place}.", name=self._address.title, place=every[0].place))

    def _card(self, one: RecentLibrary) -> Card:
        title, count = one.address.title, one.photographs
        right = "" if count is None else _n("{count} photo", "{count} photos", count)
        if one.address.key == self._address.key:
            right = _("{count} · open", count=right) if right else _("open")
        elif not one.is_there:
            right = _("not there")
        place = CardLine(one.place)
        return Card(CardLine(title, "ink"), f"{title}, {one.place}, {right}", (place,), right, faded=not one.is_there)

    # --- what can be done --------------------------------------------------------------------------------------------

    def _on_picked(self, one: RecentLibrary) -> None:
        if one.address.key == self._address.key:
            self.closed.emit()
        elif one.is_there:
            self.chosen.emit(one.address)

    def open_file(self) -> None:
        """Ask for the file of a library, and open it."""
        name, __ = QFileDialog.getOpenFileName(self, _("Open a library"), self._folder(), _kinds())
        if name:
            self.chosen.emit(Address.of(Path(name)))

    def begin_new(self) -> None:
        """Ask for the name of a new library, and open it; a file that is there is never replaced."""
        name, __ = QFileDialog.getSaveFileName(
            self,
            _("Name the new library"),
            self._folder(),
            _kinds(),
            options=QFileDialog.Option.DontConfirmOverwrite,  # a library that is there is opened
        )
        path = Path(name)
        if not path.exists() and names_server(path.name):  # the dialog puts a folder before whatever is typed
            self.server_wanted.emit()
        elif name:
            self.chosen.emit(Address.of(path if path.suffix or path.exists() else path.with_suffix(SUFFIX)))

    def back_up(self) -> None:
        """Ask for a file, and copy the library into it as long work."""
        workspace = self._workspace
        if workspace is None:
            return
        library = workspace.opened.library
        name = f"{self._address.title.replace('/', ' ')} {time.strftime('%Y-%m-%d')}{SUFFIX}"
        file = ask_for_output(self, _("Back up the library"), str(Path(self._folder(), name)), _kinds(), library)
        if file is None:
            return
        output = file

        def work(progress: Progress) -> FileResult:
            return library.backup(output, progress)

        def then(result: FileResult) -> None:
            words = _n(
                "{count} photo kept in {file}.", "{count} photos kept in {file}.", result.photographs, file=result.file
            )
            workspace.undoing.offer_action(words, _("Show"), partial(reveal_path, result.file))

        workspace.work.run(_("Backing up the library…"), work).then(then)

    def choose_backup(self) -> None:
        """Ask for a backup, and whether it is to be put in the place of the library."""
        name, __ = QFileDialog.getOpenFileName(self, _("Restore a backup"), self._folder(), _kinds())
        if name:
            self._backup = Path(name)
            words = _(
                "Put the backup “{backup}” in the place of “{name}”? What is there now is kept beside it.",
                backup=self._backup.name,
                name=self._address.title,
            )
            self._asking.ask(words, _("Restore"), _("Not now"))

    def _on_agreed(self) -> None:
        if self._backup is not None:
            self.restore_wanted.emit(self._backup)

    def _folder(self) -> str:
        return str(self._address.path.parent) if self._address.is_file else ""


def _key(one: RecentLibrary) -> bytes:
    return one.address.key


def _in_line(*widgets: QWidget) -> QWidget:
    held = QWidget()
    row = FlowLayout()
    row.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        row.addWidget(widget)
    held.setLayout(row)
    return held


def workspace_libraries(window: Workspace) -> LibrariesPage:
    """Return the page of a workspace."""
    page = LibrariesPage(window.opened.address, window)
    page.closed.connect(window.left)
    page.chosen.connect(window.library_wanted)
    page.server_wanted.connect(window.server_wanted)
    page.restore_wanted.connect(window.restore_wanted)
    return page
