"""The grid of photographs: a million rows by arithmetic, without an object for each."""

from app.gui.photo_grid.grid import PhotoGrid
from app.gui.photo_grid.grid_rows import Caption, Rows, Section

__all__ = ["Caption", "PhotoGrid", "Rows", "Section"]
