"""Leaving a library: pending changes are settled, and the state of the window is saved."""

from __future__ import annotations

from typing import Any

from app.gui.frame.opened import OpenLibrary


def close_library(opened: OpenLibrary, state: dict[str, Any]) -> None:
    """Keep how the window was left, settle what could be undone, and close the library.

    Parameters
    ----------
    opened : Opened
    state : dict
        How the window stood.
    """
    from app.indexes.default_index import default_index
    from app.indexes.indexes import delete_index
    from app.library.forgetting import settle
    from app.library.saved_state import keep_window_state
    from core.errors import TwinlensError

    try:
        settle(opened.library)
        for name in sorted(opened.put_away):
            delete_index(opened.library, name)
        if opened.library.store.writable:
            keep_window_state(opened.library, state | {"default": default_index(opened.library)})
    except TwinlensError:
        pass  # a disk that is full or gone: how the window stood is no loss
    finally:
        opened.library.close()
