"""Use of a setting: as an index of the library, or as a column of the comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.gui.frame.opened import Opened
from app.language.spoken import _
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.window import Window
    from app.lab.explore.knobs import Setting
    from app.lab.explore.sample import Material


class Using:
    """Makes use of settings in one window.

    Parameters
    ----------
    window : Window
    """

    def __init__(self, window: Window) -> None:
        self._window = window

    def make_index(self, opened: Opened, material: Material, setting: Setting, name: str) -> None:
        """Make an index of the library, named by the setting if nothing is said; it can be undone."""
        window = self._window

        def work(progress: Progress) -> str:
            from app.indexes.indexes import NewIndex, create_index
            from app.methods import catalogue

            method, search = catalogue.written(setting.method), catalogue.written(setting.search)
            return create_index(
                opened.library,
                NewIndex(
                    descriptor=material.descriptor,
                    method=method,
                    search=search,
                    name=name or None,
                    metric=material.metric,
                ),
                progress,
            ).name

        def then(name: str) -> None:
            window.adding.index_made.emit(name)
            words = _("The index {name} is ready.", name=name)
            window.undoing.offer(words, lambda: self._delete(opened, name))

        window.adding.run(_("Making an index of {text}…", text=setting.text()), work, then)

    def _delete(self, opened: Opened, name: str) -> None:
        def work(__: Progress) -> None:
            from app.indexes.indexes import delete_index

            delete_index(opened.library, name)

        self._window.adding.run(_("Deleting {name}…", name=name), work, lambda __: None)

    def make_column(self, material: Material, setting: Setting, question: int) -> None:
        """Send a setting to the comparison, beside the index that it began with."""
        from app.compare.columns import Column

        column = Column(material.index, method=setting.method.text(), search=setting.search.text())
        self._window.compare_columns([Column(material.index), column], question)
