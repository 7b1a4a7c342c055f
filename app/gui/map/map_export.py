"""The whole map as a file: a picture of it, or a table of the places."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtWidgets import QFileDialog

from app.language.spoken import _
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.opened import Opened
    from app.gui.frame.window import Window
    from app.gui.map.view import MapView
    from app.map.results import MapResult


def save_map(window: Window, view: MapView, opened: Opened, found: MapResult, how: Literal["png", "table"]) -> None:
    """Ask for a file, and write the map into it in its turn among long work."""
    name, __ = (
        QFileDialog.getSaveFileName(
            view,
            _("Save the map as"),
            "map.png",
            _("Picture (*.png *.jpg)"),
        )
        if how == "png"
        else QFileDialog.getSaveFileName(view, _("Save the places as"), "map.csv", _("Table (*.csv)"))
    )
    if not name:
        return

    def work(progress: Progress) -> str:
        from app.map.layout import summary
        from app.map.picture import draw_map
        from app.map.table import write_table

        if how == "png":
            draw_map(opened.library, found, Path(name), progress=progress)
        else:
            write_table(Path(name), summary(opened.library, found))
        return name

    def then(file: str) -> None:
        window.status.show_message(_("The map is saved as {file}.", file=file))

    window.adding.run(_("Saving the map…"), work, then)
