"""The whole map as a file: a picture of it, or a table of the places."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog

from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.opened import Opened
    from app.gui.frame.window import Window
    from app.gui.map.view import MapView
    from app.map.results import MapResult

translate = QCoreApplication.translate


def save_map(window: Window, view: MapView, opened: Opened, found: MapResult, how: Literal["png", "table"]) -> None:
    """Ask for a file, and write the map into it in its turn among long work."""
    name, _ = (
        QFileDialog.getSaveFileName(
            view,
            translate("MapControl", "Save the map as"),
            "map.png",
            translate("MapControl", "Picture (*.png *.jpg)"),
        )
        if how == "png"
        else QFileDialog.getSaveFileName(
            view, translate("MapControl", "Save the places as"), "map.csv", translate("MapControl", "Table (*.csv)")
        )
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
        window.status.show_message(translate("MapControl", "The map is saved as {0}.").format(file))

    window.adding.run(translate("MapControl", "Saving the map…"), work, then)
