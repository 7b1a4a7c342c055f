"""The sign over the window while something is dragged: it says what dropping does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.gui.look.page_parts import label, surface
from app.gui.search.query_examples import MOST_EXAMPLES
from app.language.texts import _

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
    folders : sequence of Path
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
