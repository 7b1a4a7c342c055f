"""Which index is asked: the chosen one, or one that stands in for it where it cannot answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.gui.search.colour_examples import asks_with_colours
from app.gui.search.search_jobs import Asked

if TYPE_CHECKING:
    from app.search.question import Question

AUTOMATIC = "Automatic"


class IndexChoice:
    """The indexes there are, and which of them answers."""

    def __init__(self) -> None:
        self.offered: list[tuple[str, str, str]] = []
        """Name, plain words and text of each."""
        self.now = AUTOMATIC
        """The one that answers."""
        self.instead_of = ""
        """The chosen one, while another one stands in for it."""

    @property
    def chosen(self) -> str:
        """The one that the person has chosen."""
        return self.instead_of or self.now

    def choose(self, name: str) -> None:
        """Choose one; no other stands in for it."""
        self.now, self.instead_of = name, ""

    def follow(self, asked: Asked) -> None:
        """Take the one that is asked."""
        self.now, self.instead_of = asked.index, asked.instead_of

    def offer(self, offered: list[tuple[str, str, str]]) -> None:
        """Offer these from now on; where the one that answers is gone, the first takes its place."""
        self.offered = offered
        names = [name for name, _, _ in offered]
        if self.now not in names and names:
            self.choose(names[0])

    def words(self) -> str:
        """Say what the one that answers compares."""
        return next((words for name, words, _ in self.offered if name == self.now), "")

    def asked(self, question: Question) -> Asked:
        """Say who is asked: the chosen index, but colours alone ask one that compares them, if there is one."""
        if not asks_with_colours(question):
            return Asked(question, self.chosen)
        able = self.now if self.answers_colours() else self.other_for_colours()
        if not able or able == self.chosen:
            return Asked(question, self.chosen)
        return Asked(question, able, self.chosen)

    def answers_colours(self) -> bool:
        """Return whether the one that answers can be asked with colours alone."""
        from app.search.colour_query import can_answer

        return any(name == self.now and can_answer(text) for name, _, text in self.offered)

    def other_for_colours(self) -> str:
        """Name another one that can be asked with colours alone; empty where there is none."""
        from app.search.colour_query import best_answering

        return best_answering([(name, text) for name, _, text in self.offered if name != self.now])

    def can_be_checked(self, question: Question) -> bool:
        """Return whether its answers can be checked point by point, and there is something to check them against."""
        from app.methods.catalogue import descriptor
        from app.search.wanted import Wanted

        text = next((text for name, _, text in self.offered if name == self.now), "")
        if not text or asks_with_colours(question):
            return False
        return bool(Wanted().of(descriptor(text.split(" · ", maxsplit=1)[0])).check)
