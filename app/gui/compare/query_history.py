"""What is asked of the columns, and the way back and forward through what was asked before."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.search.question import Question


class Questions:
    """One question after the other.

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
        """Ask something new; the way back leads to what was asked before."""
        if self.now is not None and self.now != question:
            self._before.append(self.now)
            self._after.clear()
        self.now = question

    def back(self) -> bool:
        """Go to the question before, if there is one."""
        return self._step(self._before, self._after)

    def forward(self) -> bool:
        """Go to the question that one came back from, if there is one."""
        return self._step(self._after, self._before)

    @property
    def has_before(self) -> bool:
        """Whether there is a way back."""
        return bool(self._before)

    @property
    def has_after(self) -> bool:
        """Whether there is a way forward."""
        return bool(self._after)

    def _step(self, away: list[Question], behind: list[Question]) -> bool:
        if not away or self.now is None:
            return False
        behind.append(self.now)
        self.now = away.pop()
        return True
