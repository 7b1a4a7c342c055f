"""Common part of the controllers of views with a grid."""

from __future__ import annotations

from app.gui.photo_grid.grid import PhotoGrid


class GridControl:
    """A part of the workspace whose photographs are those of a grid.

    Attributes
    ----------
    grid : PhotoGrid
    """

    grid: PhotoGrid

    def chosen(self) -> list[int]:
        """Return the ids of the selected photographs, or of the current one."""
        return self.grid.chosen()

    def current(self) -> int:
        """Return the id of the current photograph, or -1."""
        return self.grid.current_id()

    def looked_through(self) -> PhotoGrid:
        """Return what is stepped through when one is seen large."""
        return self.grid
