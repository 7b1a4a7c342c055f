"""The grid for those who do not see it: a list, and an item for each photograph in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.gui.photo_grid.grid import PhotoGrid


def prepare(grid: PhotoGrid) -> None:
    """Let screen readers see a grid."""


def rows_changed(grid: PhotoGrid) -> None:
    """Tell that other photographs are shown."""


def current_changed(grid: PhotoGrid) -> None:
    """Tell where the keys are now."""


def selection_changed(grid: PhotoGrid) -> None:
    """Tell that others are selected."""
