"""Actions on a proposed index: build it, search with it, or compare it; each can be undone."""

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
    from app.lab.advice.results import AdvicePoint


class MakingControl(QObject):
    """Makes indexes of what was measured.

    Parameters
    ----------
    window : Window
    parent : QObject

    Signals
    -------
    library_changed
        Indexes have come or gone.
    told
        The state of an index has changed.
    progressed : str
        Progress of the index being created.
    """

    library_changed = Signal()
    told = Signal()
    progressed = Signal(str)

    def __init__(self, window: Window, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._opened = window.opened
        self._building = ("", "")  # name and key
        self.names: dict[str, str] = {}
        """Names of the library's indexes by their text form."""
        window.adding.index_progressed.connect(self._on_progressed)
        window.adding.index_made.connect(self._on_made)
        window.adding.index_failed.connect(self._on_failed)

    def free_name(self, point: AdvicePoint) -> str:
        """Return a free name for an index: its descriptor and method, and a number if taken."""
        name = _("Exact") if point.exact else f"{catalogue.method(point.method).key} {point.bits}"
        plain = text(advice_words.compared(point))
        name = f"{plain[:1].upper()}{plain[1:]} · {name}"
        taken, number = set(self.names.values()), 1
        while (name if number == 1 else f"{name} ({number})") in taken:
            number += 1
        return name if number == 1 else f"{name} ({number})"

    # --- building ----------------------------------------------------------------------------------------------------

    def build(self, point: AdvicePoint, name: str) -> None:
        """Create an index, under its proposed name if none is given."""
        name = name.strip() or self.free_name(point)
        if self._building[0] or point.key in self.names or name in self.names.values():
            return
        self._building = (name, point.key)
        self.told.emit()
        self._window.adding.create_index(point.descriptor, point.metric, point.method or "itq", point.search, name)

    def building(self, key: str) -> str:
        """Return a text while an index is being created; empty otherwise."""
        return _("Creating “{name}”…", name=self._building[0]) if key and self._building[1] == key else ""

    @property
    def building_key(self) -> str:
        """Key of the index being created; empty for none."""
        return self._building[1]

    def _on_progressed(self, name: str, share: float, text: str) -> None:
        del text
        if name == self._building[0]:
            self.progressed.emit(_("Creating “{name}”: {share:.0%}", name=name, share=share))

    def _on_made(self, name: str) -> None:
        if name != self._building[0]:
            return
        self._building = ("", "")
        self.library_changed.emit()
        self._window.undoing.offer(_("The index “{name}” was created.", name=name), lambda: self._delete(name))

    def _on_failed(self, sentence: str) -> None:
        del sentence  # the status line says it
        if self._building[0]:
            self._building = ("", "")
            self.library_changed.emit()

    def _delete(self, name: str) -> None:
        opened = self._opened

        def work(__: Progress) -> None:
            from app.indexes.indexes import delete_index

            delete_index(opened.library, name)

        def then(__: object) -> None:
            self._window.indexes.refresh()
            self.library_changed.emit()

        self._window.jobs.begin(work).then(then)

    def base(self, point: AdvicePoint) -> str:
        """Return the name of an index that has the vectors of another; empty for none."""
        return next((name for key, name in self.names.items() if key.startswith(f"{point.descriptor} · ")), "")

    # --- answering and comparing -------------------------------------------------------------------------------------

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

    def compare(self, point: AdvicePoint, asked: int) -> None:
        """Compare an index with the default one side by side.

        Parameters
        ----------
        point : AdvicePoint
        asked : int
            Photo to search with if none is chosen; below 0: the current one of the library.
        """
        has = self.names.get(point.key, "")
        if has:
            column = Column(has)
        else:
            base = self.base(point)
            if not base:
                self._window.status.show_message(_("Create the index first to compare it."))
                return
            column = Column(base, point.method, point.search)
        asked = asked if asked >= 0 else self._window.current_in_library()
        self._window.compare_columns([Column(self._window.shared.index), column], asked)
