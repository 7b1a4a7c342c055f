"""What is done with the selected photographs of the map, and the card of the one that is pointed at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMenu

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import map_actions, photograph_actions
from twinlens.app.gui.map.map_jobs import photograph_with_thumbnail
from twinlens.app.gui.map.map_view import MapView
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.process.outside_files import ask_for_output
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from twinlens.app.library.browsing.photographs import Photograph
    from twinlens.app.map.map_results import MapResult


_CARD_MS = 25


class MapSelectionControl(QObject):
    """Controller of the actions on photographs of the map."""

    def __init__(self, window: Workspace, view: MapView) -> None:
        super().__init__(window)
        self._window, self._view = window, view
        self._carding = window.jobs.latest()
        self._opened = window.opened
        self._card = QTimer(self)
        self._card.setSingleShot(True)
        self._card.setInterval(_CARD_MS)
        self._card.timeout.connect(self._look_up)
        canvas = view.canvas
        acts = attach(view.sheet, map_actions(), {"in library": self.show_in_library, "export": self.show_export})
        view.bar.library.clicked.connect(acts["in library"].trigger)
        view.bar.export.clicked.connect(acts["export"].trigger)
        view.bar.alike.clicked.connect(lambda: window.shared.alike_wanted.emit(self.chosen(), True))
        canvas.asked.connect(self._on_asked)
        canvas.looked_at.connect(lambda one: window.viewing.show(canvas, one))
        canvas.compare_wanted.connect(lambda: window.show_photographs("compare", self.chosen()))
        canvas.marked.connect(lambda similar: window.shared.alike_wanted.emit(self.chosen(), similar))
        canvas.menu_wanted.connect(window.show_menu)
        canvas.current_changed.connect(lambda __: self.tell())
        canvas.hover_changed.connect(lambda __: self.tell())
        attach(
            canvas,
            photograph_actions(),
            {
                "copy": lambda: window.actions_.copy(self.chosen()),
                "remove": lambda: window.removal_wanted.emit(self.chosen()),
                "menu": canvas.ask_for_menu,
            },
        )

    def chosen(self) -> list[int]:
        """Return the selection, else the focused photograph."""
        return self._view.canvas.chosen_ids()

    def tell(self) -> None:
        """Show the facts of the chosen photograph, after a moment."""
        self._card.start()

    def _on_asked(self, one: int) -> None:
        chosen = self.chosen()
        self._window.show_photographs("search", chosen if one in chosen and len(chosen) > 1 else [one])

    def show_in_library(self) -> None:
        """Show only the selection in the library."""
        ids = self.chosen()
        if not ids:
            words = _("Nothing is selected: draw a line around photos with Shift.")
            self._window.status.show_message(words)
            return
        self._window.show_photographs("library", ids)

    def _look_up(self) -> None:
        """Show the photograph under the pointer, else the focused one."""
        view, canvas, opened = self._view, self._view.canvas, self._opened
        one = canvas.id_of(canvas.hovered) if canvas.hovered >= 0 else canvas.current_id()
        if one < 0:
            view.show_photograph(None, None)
            return

        def then(known: tuple[Photograph, QImage] | None) -> None:
            row = -1 if canvas.found is None else canvas.found.rows.get(one, -1)
            beside = ""
            if row >= 0 and canvas.coloured is not None:
                beside = canvas.coloured.groups[int(canvas.coloured.of[row])].name
            one_, image = known or (None, None)
            view.show_photograph(one_, image, beside)

        self._carding.begin(lambda __: photograph_with_thumbnail(opened, one)).then(then)

    def show_export(self) -> None:
        """Show the menu of exports of the selection; without one, all that can be done with the map."""
        if not self._view.canvas.selection.count:
            self._view.more.click()
            return
        menu, export = QMenu(self._view), self._window.actions_.export
        menu.addAction(_("Copies of the files…"), lambda: export(self.chosen(), "copy"))
        menu.addAction(_("Links to the files…"), lambda: export(self.chosen(), "link"))
        menu.addAction(_("A table of them…"), lambda: export(self.chosen(), "csv"))
        place = self._view.bar.export
        menu.exec(place.mapToGlobal(place.rect().topLeft()))


def save_map(
    window: Workspace, view: MapView, opened: OpenLibrary, found: MapResult, how: Literal["png", "table"]
) -> None:
    """Let the person choose a file, and write the map in the queue of long work."""
    words = (
        (_("Save the map as"), "map.png", _("Picture (*.png *.jpg)"))
        if how == "png"
        else (_("Save the places as"), "map.csv", _("Table (*.csv)"))
    )
    file = ask_for_output(view, *words, opened.library)
    if file is None:
        return

    def work(progress: Progress) -> str:
        from twinlens.app.map.layout import map_summary
        from twinlens.app.map.map_export import draw_map, write_map_table

        if how == "png":
            draw_map(opened.library, found, file, progress=progress)
        else:
            write_map_table(file, map_summary(opened.library, found))
        return str(file)

    def then(written: str) -> None:
        window.status.show_message(_("The map is saved as {file}.", file=written))

    window.work.run(_("Saving the map…"), work).then(then)
