"""State that a new window takes over from the one before: its view, searches, columns and filters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.gui.frame.frame import Frame
    from app.gui.search.controller import Steps
    from app.search.question import Question


@dataclass(frozen=True)
class Carried:
    """State of a window beyond what the library remembers.

    Attributes
    ----------
    view : str
    searches : Steps
    compared : Question or None
        What columns are asked.
    filters : dict of str to str
    folder : str or None
    """

    view: str
    searches: Steps
    compared: Question | None
    filters: dict[str, str]
    folder: str | None

    @classmethod
    def of(cls, frame: Frame) -> Carried:
        """Look at a window."""
        return cls(
            frame.view(),
            frame.searching.steps(),
            frame.comparing.question,
            frame.side.filters(),
            frame.side.folder(),
        )

    def bring(self, frame: Frame) -> None:
        """Bring it into another window, once its library is open and its indexes are known."""
        frame.side.choose(self.filters, self.folder)
        frame.searching.resume(self.searches)
        if self.compared is not None:
            frame.comparing.ask(self.compared)
        frame.show_view(self.view)
