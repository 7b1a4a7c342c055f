"""Between Python and Qt at the end of an object's life."""

from __future__ import annotations

from PySide6.QtCore import QObject


def outlived(thing: QObject) -> bool:
    """Get whether Python's collector has emptied an object that Qt has not destroyed yet: its filters are still asked.

    That happens where a window is let go as a whole, with widgets that know one another. Of use to what keeps
    attributes of its own; without any, nothing can be missing.
    """
    return not vars(thing)
