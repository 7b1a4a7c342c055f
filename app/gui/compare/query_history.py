"""The query of the columns, with its history."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.search.question import Question


class Questions:
    """Queries, one after another.

    Attributes
    ----------
    now : Question or None
    """

    def __init__(self) -> None:
        self.now: Question | None = None
        self._before: list[Question] = []
        self._after: list[Question] = []

    def clear(self) -> None:
        """Forget all."""
        self.now = None
        self._before.clear()
        self._after.clear()

    def ask(self, question: Question) -> None:
        """Start a new query; back leads to the present one."""
        if self.now is not None and self.now != question:
            self._before.append(self.now)
            self._after.clear()
        self.now = question

    def back(self) -> bool:
        """Go back to the previous query, if there is one."""
        return self._step(self._before, self._after)

    def forward(self) -> bool:
        """Go forward to the next query, if there is one."""
        return self._step(self._after, self._before)

    @property
    def has_before(self) -> bool:
        """Whether back leads anywhere."""
        return bool(self._before)

    @property
    def has_after(self) -> bool:
        """Whether forward leads anywhere."""
        return bool(self._after)

    def _step(self, away: list[Question], behind: list[Question]) -> bool:
        if not away or self.now is None:
            return False
        behind.append(self.now)
        self.now = away.pop()
        return True
