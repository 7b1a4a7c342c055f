"""The grid of photographs, which needs no object per row, even for a million."""

from twinlens.app.gui.photo_grid.grid_layout import Caption, GridRows, GridSection
from twinlens.app.gui.photo_grid.photo_grid import PhotoGrid

__all__ = ["Caption", "GridRows", "GridSection", "PhotoGrid"]
