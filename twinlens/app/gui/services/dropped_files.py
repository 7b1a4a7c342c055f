"""Files from outside: folders and pictures that are chosen, dropped, pasted, or handed over by a second start."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QFrame, QWidget

from twinlens.app.gui.look.page_parts import STRETCH, column_of, label, surface
from twinlens.app.gui.pictures.photograph import png_of
from twinlens.app.language.texts import _
from twinlens.core.files.untrusted_input import expanded

MOST_EXAMPLES = 16  # pictures of a search: more than that nobody means, and could not see
_WHOLE = ("image/png", "image/jpeg", "image/webp", "image/tiff", "image/bmp")
"""Formats of the clipboard that lose nothing."""


class InputHandler(QObject):
    """Sorts input from outside: folders to add, and pictures to search with.

    Parameters
    ----------
    window : QWidget
        Parent of the dialogs.
    """

    folders_given = Signal(list)
    """Paths of folders to add."""
    pictures_given = Signal(list)
    """Paths or encoded pictures to search with."""
    examples_given = Signal(list, bool)
    """Paths of pictures to add to the query, and whether results are to be similar to them."""
    told = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window

    def choose_folder(self) -> None:
        """Ask for a folder to add."""
        folder = QFileDialog.getExistingDirectory(self._window, _("Add a folder of photos"))
        if folder:
            self.folders_given.emit([Path(folder)])

    def choose_example(self, like: bool) -> None:
        """Ask for a picture file, as an example."""
        words = _("A picture that the results should be like") if like else _("A picture to keep away from")
        names, __ = QFileDialog.getOpenFileNames(self._window, words)
        self.examples_given.emit([Path(name) for name in names], like)

    def take_files(self, paths: list[Path]) -> None:
        """Add folders, and search with pictures."""
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
        """Search with the content of the clipboard: a picture, files, or a path."""
        data = QGuiApplication.clipboard().mimeData()
        self.take_data(QMimeData() if data is None else data)

    def take_data(self, data: QMimeData) -> None:
        """Take dropped or pasted data."""
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
    """Return the encoded picture of clipboard data, undecoded; bare pixels as PNG; empty without a picture."""
    offered = [form for form in data.formats() if form.startswith("image/")]
    for form in sorted(offered, key=lambda one: one not in _WHOLE):
        if found := bytes(data.data(form).data()):
            return found
    return png_of(data.imageData()) if data.hasImage() else b""


def path_in_text(text: str) -> list[Path]:
    """Return the file or folder if a text is the absolute path of one."""
    text = text.strip()
    if "\n" in text or "\0" in text:
        return []
    try:
        path = expanded(QUrl(text).toLocalFile() if text.startswith("file:") else text)
        return [path] if path.is_absolute() and path.exists() else []
    except (OSError, RuntimeError):  # no path: too long, or the home of an unknown user
        return []


_MARGIN = 14
_SHORT = 40  # characters shown of a folder's name


class DropSign(QFrame):
    """The sign during a drag: a frame with one or two lines, transparent for the drag itself.

    Parameters
    ----------
    over : QWidget
        The widget that it covers.
    """

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        surface(self, "veil")
        frame = QFrame()
        surface(frame, "drop")
        self._title, self._more = label(role="loud", wrap=True), label(role="quiet", wrap=True)
        column_of(frame, on=self, margins=_MARGIN)
        column = column_of(STRETCH, on=frame, gap=10, margins=24)
        for words in (self._title, self._more):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(words)
        column.addStretch()
        self.hide()

    def say(self, title: str, more: str = "") -> None:
        """Show the effect of dropping, and a second line."""
        self._title.setText(title)
        self._more.setText(more)
        self.setAccessibleName(title)
        self.setAccessibleDescription(more)
        self.setGeometry(self._over.rect())
        self.show()
        self.raise_()

    def words(self) -> tuple[str, str]:
        """Return the shown text; empty while hidden."""
        return ("", "") if self.isHidden() else (self._title.text(), self._more.text())


def drop_sentences(folders: Sequence[Path], pictures: int, view: str, after: str = "") -> tuple[str, str]:
    """Return the effect of dropping folders and pictures in a view, as two lines.

    Parameters
    ----------
    pictures : int
        Number of pictures, including one from another program.
    view : str
        Its name on the rail.
    after : str
        The work after which folders are added; empty if nothing is being added.
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
    more = _("It is added after “{name}”. {stays}", name=_short_name(after), stays=stays) if after else stays
    return (f"{adding}\n{asking}" if asking else adding), more


def _short_name(words: str) -> str:
    return words if len(words) <= _SHORT else f"{words[: _SHORT - 1]}…"


def dragged_files(data: QMimeData) -> tuple[list[Path], int]:
    """Return the dragged folders, and the number of pictures, without opening files."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    folders = [path for path in dict.fromkeys(paths) if path.is_dir()]
    return folders, len(set(paths)) - len(folders) if paths else int(data.hasImage())
