"""Files from outside: folders and pictures that are chosen, dropped, pasted, or handed over by a second start."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QFrame, QVBoxLayout, QWidget

from app.gui.look.page_parts import label, surface
from app.gui.pictures.images import png_of
from app.gui.search.query_examples import MOST_EXAMPLES
from app.language.texts import _
from core.files.untrusted_input import expanded

_WHOLE = ("image/png", "image/jpeg", "image/webp", "image/tiff", "image/bmp")
"""Formats that are read, and lose nothing that another one has."""


class InputHandler(QObject):
    """Folders are added, pictures are searched with.

    Parameters
    ----------
    window : QWidget
        Over which files are chosen.
    """

    folders_given = Signal(list)
    """Paths of folders, to be added."""
    pictures_given = Signal(list)
    """Paths or encoded pictures, to be searched with."""
    examples_given = Signal(list, bool)
    """Paths of pictures for the question that is asked, and whether the answers shall be like them."""
    told = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window

    def choose_folder(self) -> None:
        """Ask which folder is to be added."""
        folder = QFileDialog.getExistingDirectory(self._window, _("Add a folder of photos"))
        if folder:
            self.folders_given.emit([Path(folder)])

    def choose_example(self, like: bool) -> None:
        """Ask for a picture file, as an example."""
        words = _("A picture that the results should be like") if like else _("A picture to keep away from")
        names, __ = QFileDialog.getOpenFileNames(self._window, words)
        self.examples_given.emit([Path(name) for name in names], like)

    def take_files(self, paths: list[Path]) -> None:
        """Add folders, and ask with pictures."""
        there = [path for path in paths if os.path.lexists(path)]
        if paths and not there:
            self.told.emit(_("{paths} is not there any more.", paths=paths[0]))
        folders = {path: None for path in there if os.path.isdir(path)}
        files = [path for path in there if path not in folders]
        if folders:
            self.folders_given.emit(list(folders))
        if files:
            self.pictures_given.emit(files)

    def paste(self) -> None:
        """Ask with what is on the clipboard: a picture, files, or a path."""
        data = QGuiApplication.clipboard().mimeData()
        self.take_data(QMimeData() if data is None else data)

    def take_data(self, data: QMimeData) -> None:
        """Take what was dropped or pasted."""
        paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
        if not paths and data.hasText():
            paths = path_in_text(data.text())
        if paths:
            self.take_files(paths)
        elif picture := encoded_picture(data):
            self.pictures_given.emit([picture])
        elif data.hasImage():
            self.told.emit(_("The picture on the clipboard cannot be read."))
        else:
            self.told.emit(_("There is no picture on the clipboard, and no path of one."))


def encoded_picture(data: QMimeData) -> bytes:
    """Return a picture as its program has encoded it, undecoded; where there are only pixels, as PNG; else nothing."""
    offered = [form for form in data.formats() if form.startswith("image/")]
    for form in sorted(offered, key=lambda one: one not in _WHOLE):
        if found := bytes(data.data(form).data()):
            return found
    return png_of(data.imageData()) if data.hasImage() else b""


def path_in_text(text: str) -> list[Path]:
    """Return the file or folder whose whole path a text is, if it is one."""
    text = text.strip()
    if "\n" in text or "\0" in text:
        return []
    try:
        path = expanded(QUrl(text).toLocalFile() if text.startswith("file:") else text)
        return [path] if path.is_absolute() and path.exists() else []
    except (OSError, RuntimeError):  # no path: too long, or of a person who is not known here
        return []


_MARGIN = 14
_SHORT = 40  # characters of a folder's name


class DropSign(QFrame):
    """A frame with one or two lines; the drag itself goes on to what lies below.

    Parameters
    ----------
    over : QWidget
        What it covers while it is shown.
    """

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        surface(self, "veil")
        frame = QFrame()
        surface(frame, "drop")
        self._title, self._more = label(role="loud", wrap=True), label(role="quiet", wrap=True)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        whole.addWidget(frame)
        column = QVBoxLayout(frame)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(10)
        column.addStretch()
        for words in (self._title, self._more):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(words)
        column.addStretch()
        self.hide()

    def say(self, title: str, more: str = "") -> None:
        """Show what dropping does, and what else is to be known of it."""
        self._title.setText(title)
        self._more.setText(more)
        self.setAccessibleName(title)
        self.setAccessibleDescription(more)
        self.setGeometry(self._over.rect())
        self.show()
        self.raise_()

    def words(self) -> tuple[str, str]:
        """Return what it says now; nothing where it is hidden."""
        return ("", "") if self.isHidden() else (self._title.text(), self._more.text())


def drop_sentences(folders: Sequence[Path], pictures: int, view: str, after: str = "") -> tuple[str, str]:
    """Return what dropping folders and pictures does in a view, in two lines.

    Parameters
    ----------
    pictures : int
        How many; a picture of another program counts, too.
    view : str
        By its name on the rail.
    after : str
        What the folders are added after; empty where nothing is being added.
    """
    asking = ""
    if pictures > MOST_EXAMPLES:
        asking = _(
            "{pictures} photos are too many to search with: at most {most} are possible.",
            pictures=pictures,
            most=MOST_EXAMPLES,
        )
    elif pictures and view == "compare":
        asking = _("Compare indexes with this photo") if pictures == 1 else _("Compare indexes with these photos")
    elif pictures:
        asking = _("Search with this photo") if pictures == 1 else _("Search with these photos")
    if not folders:
        return asking, _("It does not become part of the library.") if asking and pictures == 1 else ""
    if len(folders) == 1:
        adding = _("Add “{short}” to the library", short=_short_name(folders[0].name or str(folders[0])))
    else:
        adding = _("Add {folders} folders to the library", folders=len(folders))
    stays = _("The files stay where they are.")
    more = _("It comes after “{name}”. {stays}", name=_short_name(after), stays=stays) if after else stays
    return (f"{adding}\n{asking}" if asking else adding), more


def dragged_files(data: QMimeData) -> tuple[list[Path], int]:
    """Return the folders that are dragged, and how many pictures; files are not opened."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    folders = [path for path in dict.fromkeys(paths) if path.is_dir()]
    return folders, len(set(paths)) - len(folders) if paths else int(data.hasImage())


def _short_name(words: str) -> str:
    return words if len(words) <= _SHORT else f"{words[: _SHORT - 1]}…"
