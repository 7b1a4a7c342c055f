"""The whole map as a file: a picture of it, or a table of the places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from app.gui.frame.save_dialog import ask_for_output
from app.language.spoken import _
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.opened import OpenLibrary
    from app.gui.frame.window import WorkspaceServices
    from app.gui.map.view import MapView
    from app.map.results import MapResult


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
        from app.map.picture import draw_map
        from app.map.table import write_map_table

        if how == "png":
            draw_map(opened.library, found, file, progress=progress)
        else:
            write_map_table(file, map_summary(opened.library, found))
        return str(file)

    def then(written: str) -> None:
        window.status.show_message(_("The map is saved as {file}.", file=written))

    window.adding.run(_("Saving the map…"), work, then)
