"""An open library as the window holds it: opened behind the shown window, and everything slow imported there."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from app.library.library import Library
    from app.search.searcher import Searcher
    from storage.database.address import Address


@dataclass(frozen=True, eq=False)
class OpenLibrary:
    """A library, what answers questions about it, and how its window was left."""

    library: Library
    state: dict[str, object]
    put_away: set[str] = field(default_factory=set)
    """Names of indexes that were deleted in the window: not offered any more, and gone when the library is left."""

    @cached_property
    def searcher(self) -> Searcher:
        """The searcher, made at the first search or when the window is idle."""
        from app.library import decoders
        from app.search.searcher import Searcher

        decoders.warm()
        return Searcher(self.library, build_aside=True)

    @property
    def address(self) -> Address:
        """Its file, or the database of a server."""
        return self.library.address


def open_library(address: Address | Path | None, create: bool = True) -> OpenLibrary:
    """Open a library, making it where there is none unless that is not wanted; called in a job.

    Raises
    ------
    TwinlensError
        If it cannot be opened.
    """
    from app.indexes.default_index import default_index
    from app.library.library import AUTOMATIC, Library
    from app.library.saved_state import window_state

    library = Library.open(address, create=create)
    try:
        state: dict[str, object] = dict(window_state(library))
        default = default_index(library)
        if state.get("default", AUTOMATIC) != default:  # chosen elsewhere, since the window was left
            kept = state.get("search")
            state["search"] = (kept if isinstance(kept, dict) else {}) | {"index": default}
        return OpenLibrary(library, state)
    except BaseException:
        library.close()
        raise
