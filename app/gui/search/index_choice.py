"""The index of a search: the chosen one, or a replacement where that cannot be searched by colours or with words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.gui.search.colour_examples import uses_colours, uses_words
from app.gui.search.search_jobs import WindowSearch

if TYPE_CHECKING:
    from app.gui.search.index_chooser import IndexOption
    from app.search.question import SearchQuery

AUTOMATIC = "Automatic"


class IndexChoice:
    """The indexes of the library, and the one that is searched."""

    def __init__(self) -> None:
        self.offered: list[IndexOption] = []
        """Name, plain words and text of each."""
        self._descriptors: dict[str, str] = {}
        self.with_words: frozenset[str] = frozenset()
        """Names of those that know words."""
        self.now = AUTOMATIC
        """The one that is searched."""
        self.instead_of = ""
        """The chosen one, while another one replaces it."""

    @property
    def chosen(self) -> str:
        """The one that the person has chosen."""
        return self.instead_of or self.now

    def choose(self, name: str) -> None:
        """Choose one; nothing replaces it."""
        self.now, self.instead_of = name, ""

    def follow(self, asked: WindowSearch) -> None:
        """Take the one of a search."""
        self.now, self.instead_of = asked.index, asked.instead_of

    def offer(
        self, offered: list[IndexOption], descriptors: dict[str, str], with_words: frozenset[str] = frozenset()
    ) -> None:
        """Offer indexes, with their descriptors by name; if the present one is gone, the first takes its place."""
        self.offered, self._descriptors, self.with_words = offered, descriptors, with_words
        names = [name for name, _, _ in offered]
        if self.now not in names and names:
            self.choose(names[0])

    def words(self) -> str:
        """Return what the present index compares, in plain words."""
        return next((words for name, words, _ in self.offered if name == self.now), "")

    def asked(self, question: SearchQuery) -> WindowSearch:
        """Return the search of the chosen index, or, for colours or words, of one that knows them."""
        if not uses_colours(question) and not uses_words(question):
            return WindowSearch(question, self.chosen)
        able = self.now if self.answers(question) else self.other_for(question)
        if not able or able == self.chosen:
            return WindowSearch(question, self.chosen)
        return WindowSearch(question, able, self.chosen)

    def answers(self, question: SearchQuery) -> bool:
        """Return whether the present index can be searched with all of a query."""
        if uses_colours(question) and not self.answers_colours():
            return False
        return not uses_words(question) or self.now in self.with_words

    def other_for(self, question: SearchQuery) -> str:
        """Return another index that can be searched with the colours or the words of a query; empty if none can."""
        if not uses_words(question):
            return self.other_for_colours()
        return "" if uses_colours(question) else next(iter(sorted(self.with_words - {self.now})), "")

    def answers_colours(self) -> bool:
        """Return whether the present index can be searched by colours alone."""
        from app.search.colour_query import can_answer

        return self.now in self._descriptors and can_answer(self._descriptors[self.now])

    def other_for_colours(self) -> str:
        """Return another index that can be searched by colours alone; empty if there is none."""
        from app.search.colour_query import best_answering

        return best_answering([(name, one) for name, one in self._descriptors.items() if name != self.now])

    def can_be_checked(self, question: SearchQuery) -> bool:
        """Return whether results of the present index can be compared with the query point by point."""
        from app.methods.catalogue import descriptor
        from app.search.wanted import SearchOptions

        declared = self._descriptors.get(self.now)
        if declared is None or uses_colours(question):
            return False
        return bool(SearchOptions().of(descriptor(declared)).check)
