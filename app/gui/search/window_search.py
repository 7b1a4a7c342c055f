"""A search of the window: its query and index, as the history keeps them, its run and check in jobs.

And its results with their photographs.

Palettes, sketches and words need an index that knows them, so another one may replace the chosen index.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from app.gui.look.theme import theme
from app.gui.pictures.images import image_of, png_of
from app.gui.process.open_library import OpenLibrary
from app.gui.search.query_examples import ShownExample
from app.gui.search.search_results import FoundPhotograph
from app.language.texts import _
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.search.index_chooser import IndexOption
    from app.library.browsing import Photograph
    from app.search.ranked_results import RankedResults
    from app.search.search_query import Example, Feedback, QuerySource, SearchQuery
    from app.search.search_results import SearchResult


MOST_RESULTS = 200


@dataclass(frozen=True)
class WindowSearch:
    """A search, as the history keeps it."""

    question: SearchQuery
    index: str
    instead_of: str = ""
    """The chosen index, where another one replaces it."""
    marked: bool = False
    """Whether marks of its photographs count; the query stays as it is."""


@dataclass(frozen=True)
class ShownResults:
    """A result with its photographs."""

    searched: RankedResults
    """The search, which can be checked."""
    photographs: dict[int, Photograph]
    """All that the search looked up, by their ids."""
    result: SearchResult
    found: list[FoundPhotograph]
    missed: list[FoundPhotograph]

    @classmethod
    def of(cls, searched: RankedResults, photographs: dict[int, Photograph]) -> ShownResults:
        """Make the answer of a search, as far as that is checked."""
        result = searched.result
        hits = [(rank, hit, photographs.get(hit.id)) for rank, hit in enumerate(result.hits, 1)]
        missed = [(one, photographs.get(one.id)) for one in result.missed]
        return cls(
            searched,
            photographs,
            result,
            [FoundPhotograph(known, hit, rank) for rank, hit, known in hits if known is not None],
            [FoundPhotograph(known, one, one.rank, True) for one, known in missed if known is not None],
        )

    @property
    def feedback(self) -> Feedback | None:
        """The marks added to the query, if they count."""
        return self.searched.feedback

    def in_order(self, ids: list[int]) -> ShownResults:
        """Return the results in an order that is already visible; others follow."""
        places = {one: place for place, one in enumerate(ids)}
        found = sorted(self.found, key=lambda one: places.get(one.photograph.id, len(places)))
        return replace(self, found=[replace(one, rank=rank) for rank, one in enumerate(found, 1)])

    def has_confirmed_first(self) -> bool:
        """Return whether matches stand before everything else."""
        confirmed = [one.confirmed for one in self.found]
        return confirmed == sorted(confirmed, reverse=True)

    def ids(self) -> list[int]:
        """Return the photographs of the results."""
        return [one.photograph.id for one in self.found]


def find(
    opened: OpenLibrary, asked: WindowSearch, wanted: dict[str, Any], exact: bool, checks: bool, progress: Progress
) -> ShownResults:
    """Search; the result can be checked afterwards.

    Parameters
    ----------
    wanted : dict
        The filters.
    exact : bool
        Whether to compare with exact search.
    checks : bool
        Whether the result will be checked.

    Raises
    ------
    TwinlensError
        As :meth:`app.search.searcher.Searcher.search`.
    """
    from app.library.browsing import listed
    from app.search.search_query import SearchOptions
    from app.search.search_space import Filters

    whole = SearchOptions(
        MOST_RESULTS, compare_exact=exact, check=checks, filters=Filters.of(wanted), marks=asked.marked
    )
    (searched,) = opened.searcher.find(asked.question, [asked.index], whole, progress)
    return ShownResults.of(searched, {one.id: one for one in listed(searched.photographs.values())})


def check(opened: OpenLibrary, answer: ShownResults, progress: Progress) -> ShownResults:
    """Check whether the first hits of a search show the same as its pictures."""
    return ShownResults.of(opened.searcher.check(answer.searched, progress), answer.photographs)


def name_and_thumbnail(opened: OpenLibrary, picture: QuerySource) -> tuple[str, bytes]:
    """Return the name and the thumbnail of a query's picture."""
    from app.library.pictures import example

    return example(opened.library, picture)


def keep_in_history(opened: OpenLibrary, asked: WindowSearch) -> None:
    """Add a query to the history, if all of it can be kept."""
    from app.library.saved_state import remember

    if can_be_remembered(asked.question):
        remember(opened.library, query_values(opened, asked.question, asked.index))


def query_values(opened: OpenLibrary, question: SearchQuery, index: str) -> dict[str, Any]:
    """Return a query as plain values, with the names of its photographs in case the library loses them."""
    value = question.to_json() | {"index": index}
    for one in value["examples"]:
        if isinstance(one.get("picture"), int) and (name := name_and_thumbnail(opened, one["picture"])[0]):
            one["name"] = name
    return value


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
        from app.search.index_choice import can_answer

        return self.now in self._descriptors and can_answer(self._descriptors[self.now])

    def other_for_colours(self) -> str:
        """Return another index that can be searched by colours alone; empty if there is none."""
        from app.search.index_choice import best_answering

        return best_answering([(name, one) for name, one in self._descriptors.items() if name != self.now])

    def can_be_checked(self, question: SearchQuery) -> bool:
        """Return whether results of the present index can be compared with the query point by point."""
        from app.methods.catalogue import descriptor
        from app.search.search_query import SearchOptions

        declared = self._descriptors.get(self.now)
        if declared is None or uses_colours(question):
            return False
        return bool(SearchOptions().of(descriptor(declared)).check)


_SIDE = 96


def is_palette(example: Example) -> bool:
    """Return whether an example is a palette."""
    return hasattr(example.picture, "colours")  # without an import that is slow


def has_colours_alone(example: Example) -> bool:
    """Return whether an example is a palette or a sketch, which need an index of colours."""
    return example.sketch or is_palette(example)


def uses_colours(question: SearchQuery) -> bool:
    """Return whether a palette or a sketch is among the examples."""
    return any(has_colours_alone(one) for one in question.examples)


def example_words(example: Example) -> str:
    """Return the words of an example; empty where it is none."""
    text = getattr(example.picture, "text", "")  # likewise; that of a palette is a function
    return text if isinstance(text, str) else ""


def uses_words(question: SearchQuery) -> bool:
    """Return whether words are among the examples."""
    return any(example_words(one) for one in question.examples)


def drawn_example(example: Example) -> ShownExample | None:
    """Draw a palette, a sketch or words; return None for a photograph or a file."""
    picture: Any = example.picture
    if words := example_words(example):
        return ShownExample(words, png_of(_words_card(words)), example.weight, words=True)
    if example.sketch and isinstance(picture, bytes):
        name = _("Sketch")
        return ShownExample(name, picture, example.weight, colours=True)
    if not is_palette(example):
        return None
    name = _("Palette")
    return ShownExample(name, png_of(image_of(picture.picture(_SIDE, _SIDE))), example.weight, colours=True)


def _words_card(words: str) -> QImage:
    """Write words on a card."""
    now, side = theme(), 2 * _SIDE
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.fill(QColor(now.well))
    painter = QPainter(image)
    font = QFont()
    font.setPixelSize(side // 6)
    painter.setFont(font)
    painter.setPen(QColor(now.ink))
    room = image.rect().adjusted(8, 8, -8, -8)
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)
    painter.end()
    return image


def can_be_remembered(question: SearchQuery) -> bool:
    """Return whether all of a query can be kept in the history."""
    from app.search.search_query import can_be_kept

    return all(can_be_kept(one) for one in question.examples)
