"""What a person does with photographs of the map: search, mark, compare, see one in detail.

And save the map as a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from PySide6.QtCore import QObject, QTimer

from app.gui.actions.action import attach
from app.gui.actions.declared_actions import photograph_actions
from app.gui.look.save_dialog import ask_for_output
from app.gui.map.map_jobs import photograph_with_thumbnail
from app.language.texts import _
from core.progress import Progress

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from app.gui.map.map_view import MapView
    from app.gui.process.open_library import OpenLibrary
    from app.gui.services.services import WorkspaceServices
    from app.library.browsing import Photograph
    from app.map.map_results import MapResult


_CARD_MS = 25


class MapSelectionControl(QObject):
    """Hears what a person does with photographs of the map, and has the window do it."""

    def __init__(self, window: WorkspaceServices, view: MapView) -> None:
        super().__init__(window.widget)
        self._window, self._view = window, view
        self._carding = window.jobs.latest()
        self._opened = window.opened
        self._card = QTimer(self)
        self._card.setSingleShot(True)
        self._card.setInterval(_CARD_MS)
        self._card.timeout.connect(self._look_up)
        canvas = view.canvas
        view.library_wanted.connect(self.show_in_library)
        view.export_wanted.connect(self._on_export)
        view.alike_wanted.connect(lambda: window.mark_alike(self.chosen(), True))
        canvas.asked.connect(self._on_asked)
        canvas.looked_at.connect(lambda one: window.viewing.show(canvas, one))
        canvas.compare_wanted.connect(lambda: window.compare_with(list(self.chosen())))
        canvas.marked.connect(lambda similar: window.mark_alike(self.chosen(), similar))
        canvas.menu_wanted.connect(window.show_menu)
        canvas.current_changed.connect(lambda __: self.tell())
        canvas.hover_changed.connect(lambda __: self.tell())
        attach(
            canvas,
            photograph_actions(),
            {"copy": lambda: window.actions_.copy(self.chosen()), "menu": canvas.ask_for_menu},
        )

    def chosen(self) -> list[int]:
        """Return what is selected, else what the keys are on."""
        return self._view.canvas.chosen_ids()

    def tell(self) -> None:
        """Show the facts of the chosen photograph, after a moment."""
        self._card.start()

    def _on_asked(self, one: int) -> None:
        chosen = self.chosen()
        self._window.search_with(list(chosen) if one in chosen and len(chosen) > 1 else [one])

    def show_in_library(self) -> None:
        """Show what is selected in the library, alone."""
        ids = self.chosen()
        if not ids:
            words = _("Nothing is selected: draw a line around photos with Shift.")
            self._window.status.show_message(words)
            return
        self._window.show_in_library(tuple(ids))

    def _look_up(self) -> None:
        """Show the photograph under the pointer, else the one that the keys are on."""
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

    def _on_export(self, how: str) -> None:
        if how in ("copy", "link", "csv"):
            self._window.actions_.export(self.chosen(), cast("Literal['copy', 'link', 'csv']", how))
        elif self._view.canvas.found is not None:
            found = self._view.canvas.found
            save_map(self._window, self._view, self._opened, found, "png" if how == "png" else "table")


def save_map(
    window: WorkspaceServices, view: MapView, opened: OpenLibrary, found: MapResult, how: Literal["png", "table"]
) -> None:
    """Ask for a file, and write the map into it in its turn among long work."""
    words = (
        (_("Save the map as"), "map.png", _("Picture (*.png *.jpg)"))
        if how == "png"
        else (_("Save the places as"), "map.csv", _("Table (*.csv)"))
    )
    file = ask_for_output(view, *words, opened.library)
    if file is None:
        return

    def work(progress: Progress) -> str:
        from app.map.layout import map_summary
        from app.map.map_export import draw_map, write_map_table

        if how == "png":
            draw_map(opened.library, found, file, progress=progress)
        else:
            write_map_table(file, map_summary(opened.library, found))
        return str(file)

    def then(written: str) -> None:
        window.status.show_message(_("The map is saved as {file}.", file=written))

    window.adding.run(_("Saving the map…"), work, then)
