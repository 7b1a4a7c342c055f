"""Stacks: results of one series, or of one picture, that are seen as their first until they are opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from app.gui.search.hit_rows import FoundPhotograph
from app.language.spoken import number


class ResultStacks:
    """The stacks of an answer, and which of them are open."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def close(self) -> None:
        """Close all."""
        self._open = set()

    def toggle(self, stack: int) -> None:
        """Open a stack, or close it."""
        self._open ^= {stack}

    def seen(self, found: Sequence[FoundPhotograph]) -> tuple[list[FoundPhotograph], dict[int, str]]:
        """Leave out what stands behind the first of a closed stack; return the sign of each first one, too."""
        heads: dict[int, int] = {}
        for one in found:
            if one.stack is not None:
                heads.setdefault(one.stack, one.photograph.id)
        counts = Counter(one.stack for one in found)
        signs = {
            head: "−" if stack in self._open else f"+{number(counts[stack] - 1)}"
            for stack, head in heads.items()
            if counts[stack] > 1
        }
        kept = [
            one
            for one in found
            if one.stack is None or heads[one.stack] == one.photograph.id or one.stack in self._open
        ]
        return kept, signs
