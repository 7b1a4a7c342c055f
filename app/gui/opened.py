"""An open library as the window holds it: opened behind the shown window, and everything slow imported there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.library import Library
    from app.searching import Searcher


@dataclass(frozen=True, eq=False)
class Opened:
    """A library, what answers questions about it, and how its window was left."""

    library: Library
    searcher: Searcher
    state: dict[str, object]

    @property
    def path(self) -> Path:
        """Its file."""
        return self.library.path


def open_library(path: Path | None) -> Opened:
    """Open a library, making it where there is none; called in a job.

    Raises
    ------
    TwinlensError
        If it cannot be opened.
    """
    from app.library import Library
    from app.remembered import window_state
    from app.searching import Searcher

    library = Library.open(path, create=True)
    return Opened(library, Searcher(library), dict(window_state(library)))
