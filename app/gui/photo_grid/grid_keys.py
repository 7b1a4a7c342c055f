"""Moves by keys in a grid."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.gui.photo_grid.grid_layout import GridLayout

Key = Qt.Key

# These keep the column, also past shorter lines.
ACROSS = frozenset({Key.Key_Up, Key.Key_Down, Key.Key_PageUp, Key.Key_PageDown})
MOVES = ACROSS | {Key.Key_Left, Key.Key_Right, Key.Key_Home, Key.Key_End}
# With Ctrl: steps by which tiles grow; 0 for the usual size. Where + is, Shift may or may not be needed.
SIZES: dict[int, int] = {Key.Key_Plus: 1, Key.Key_Equal: 1, Key.Key_Minus: -1, Key.Key_Underscore: -1, Key.Key_0: 0}


def moved_row(layout: GridLayout, key: int, row: int, column: int, page: int) -> int:
    """Return the row to which a key leads.

    Parameters
    ----------
    row : int
        The current one.
    column : int
        The column in which the person began to go up or down.
    page : int
        Height of what is seen, px.
    """
    last = layout.count - 1
    match key:
        case Key.Key_Left:
            return max(row - 1, 0)
        case Key.Key_Right:
            return min(row + 1, last)
        case Key.Key_Up:
            return layout.above(row, column)
        case Key.Key_Down:
            return layout.below(row, column)
        case Key.Key_Home:
            return 0
        case Key.Key_End:
            return last
        case Key.Key_PageUp:
            return layout.paged(row, column, -page)
        case Key.Key_PageDown:
            return layout.paged(row, column, page)
        case _:
            return row
