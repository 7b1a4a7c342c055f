"""What is done with a proposed index: it is built, searched with, or compared; each can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.compare.columns import Column
from app.gui.lab.advice import advice_words
from app.language.spoken import _, text
from app.methods import catalogue
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.window import Window
    from app.gui.lab.index_making import IndexMaking
    from app.lab.advice.results import AdvicePoint
    from app.library.library import Library
    from app.results import IndexStatus


class ProposalUse(QObject):
    """Uses what was measured.

    Parameters
    ----------
    window : Window
    making : IndexMaking
    parent : QObject

    Signals
    -------
    told
        The state of an index has changed.
    """

    told = Signal()

    def __init__(self, window: Window, making: IndexMaking, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._making = window, making
        self._building = ("", "")  # name and key
        self.names: dict[str, str] = {}
        """Names of the library's indexes by their text form."""

    def free_name(self, point: AdvicePoint) -> str:
        """Return a free name for an index: its descriptor and method, and a number if taken."""
        name = _("Exact") if point.exact else f"{catalogue.method(point.method).key} {point.bits}"
        plain = text(advice_words.compared(point))
        name = f"{plain[:1].upper()}{plain[1:]} · {name}"
        taken, number = set(self.names.values()), 1
        while (name if number == 1 else f"{name} ({number})") in taken:
            number += 1
        return name if number == 1 else f"{name} ({number})"

    def build(self, point: AdvicePoint, name: str) -> None:
        """Create an index, under its proposed name if none is given."""
        name = name.strip() or self.free_name(point)
        if self._building[0] or point.key in self.names or name in self.names.values():
            return
        self._building = (name, point.key)
        self.told.emit()

        def create(library: Library, progress: Progress) -> IndexStatus:
            from app.indexes.indexes import NewIndex, create_index

            method = point.method or "itq"
            wanted = NewIndex(point.descriptor, method=method, search=point.search, name=name, metric=point.metric)
            return create_index(library, wanted, progress)

        self._making.make(point.method or text(advice_words.index_name(point, False)), create, self._on_ended)

    def _on_ended(self) -> None:
        self._building = ("", "")
        self.told.emit()

    def building(self, key: str) -> str:
        """Return a text while an index is being created; empty otherwise."""
        return _("Creating “{name}”…", name=self._building[0]) if key and self._building[1] == key else ""

    def make_default(self, point: AdvicePoint) -> None:
        """Make an index the default."""
        name = self.names.get(point.key, "")
        if not name:
            return
        before = self._window.shared.index
        self._answer_by(name)
        self._window.undoing.offer(_("“{name}” is the default index now.", name=name), lambda: self._answer_by(before))

    def _answer_by(self, name: str) -> None:
        self._window.answer_by(name)
        self.told.emit()

    def base(self, point: AdvicePoint) -> str:
        """Return the name of an index that has the vectors of another; empty for none."""
        return next((name for key, name in self.names.items() if key.startswith(f"{point.descriptor} · ")), "")

    def compare(self, point: AdvicePoint, asked: int) -> None:
        """Compare an index with the default one side by side.

        Parameters
        ----------
        point : AdvicePoint
        asked : int
            Photo to search with if none is chosen; below 0: the current one of the library.
        """
        has, base = self.names.get(point.key, ""), self.base(point)
        if not has and not base:
            self._window.status.show_message(_("Create the index first to compare it."))
            return
        column = Column(has) if has else Column(base, point.method, point.search)
        asked = asked if asked >= 0 else self._window.current_in_library()
        self._window.compare_columns([Column(self._window.shared.index), column], asked)
