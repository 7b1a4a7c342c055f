"""A search of the window: its query and index, as the history keeps them, and its results with their photographs.

Its run and its check are functions for jobs. Palettes, sketches and words need an index that knows them, so another one
may replace the chosen index.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.pictures.photograph import image_of, png_of
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.search.query_examples import ShownExample
from twinlens.app.gui.search.search_results import FoundPhotograph
from twinlens.app.gui.services.workspace import SharedState
from twinlens.app.language.texts import _
from twinlens.core.errors import TwinlensError
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.search.query_bar import IndexOption
    from twinlens.app.library.browsing.photographs import Photograph
    from twinlens.app.search.ranked_results import RankedResults
    from twinlens.app.search.search_query import Example, QuerySource, SearchQuery
    from twinlens.app.search.search_results import SearchResult


MOST_RESULTS = 200


@dataclass(frozen=True)
class WindowSearch:
    """A search, as the history keeps it."""

    query: SearchQuery
    index: str
    instead_of: str = ""
    """The chosen index, where another one replaces it."""
    marked: bool = False
    """Whether marks of its photographs count; the query stays as it is."""

    def to_json(self) -> dict[str, Any] | None:
        """Return plain values to keep; None for a query with a picture that is nowhere on the disk."""
        if not can_be_remembered(self.query):
            return None
        told = {"index": self.index, "instead_of": self.instead_of, "marked": self.marked}
        return self.query.to_json() | told

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> WindowSearch | None:
        """Return a kept search; None where it is damaged."""
        from twinlens.app.search.search_query import SearchQuery

        index, instead_of = value.get("index"), value.get("instead_of")
        if not isinstance(index, str) or not isinstance(instead_of, str):
            return None
        with suppress(TwinlensError):
            return cls(SearchQuery.from_json(dict(value)), index, instead_of, value.get("marked") is True)
        return None


@dataclass(frozen=True)
class ShownResults:
    """The results of a search with their photographs."""

    ranked: RankedResults
    """The ranking, which can be checked."""
    photographs: dict[int, Photograph]
    """All that the search looked up, by their ids."""
    result: SearchResult
    found: list[FoundPhotograph]
    missed: list[FoundPhotograph]

    @classmethod
    def of(cls, ranked: RankedResults, result: SearchResult, photographs: dict[int, Photograph]) -> ShownResults:
        """Join a result of a ranking, checked or not, with its photographs."""
        found = [(rank, one, photographs.get(one.id)) for rank, one in enumerate(result.hits, 1)]
        missed = [(one, photographs.get(one.id)) for one in result.missed]
        return cls(
            ranked,
            photographs,
            result,
            [FoundPhotograph(known, one, rank) for rank, one, known in found if known is not None],
            [FoundPhotograph(known, one, one.rank, True) for one, known in missed if known is not None],
        )

    @property
    def uses_marks(self) -> bool:
        """Whether marks were added to the query."""
        return self.ranked.options.marks

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
    opened: OpenLibrary, search: WindowSearch, filters: dict[str, Any], exact: bool, checks: bool, progress: Progress
) -> ShownResults:
    """Search; the result can be checked afterwards.

    Parameters
    ----------
    exact : bool
        Whether to compare with exact search.
    checks : bool
        Whether the result will be checked.

    Raises
    ------
    TwinlensError
        As :meth:`twinlens.app.search.searcher.Searcher.search`.
    """
    from twinlens.app.library.browsing.photographs import listed
    from twinlens.app.search.search_options import Filters, SearchOptions

    options = SearchOptions(
        k=MOST_RESULTS, compare_exact=exact, check=checks, filters=Filters.of(filters), marks=search.marked
    )
    (ranked,) = opened.searcher.find(search.query, [search.index], options, progress)
    return ShownResults.of(ranked, ranked.result, {one.id: one for one in listed(ranked.photographs.values())})


def check(opened: OpenLibrary, results: ShownResults, progress: Progress) -> ShownResults:
    """Check which of the first results are matches."""
    checked = opened.searcher.check(results.ranked, progress)
    return ShownResults.of(results.ranked, checked, results.photographs)


def name_and_thumbnail(opened: OpenLibrary, picture: QuerySource) -> tuple[str, bytes]:
    """Return the name and the thumbnail of a query's picture."""
    from twinlens.app.library.pictures import example

    return example(opened.library, picture)


def keep_in_history(opened: OpenLibrary, search: WindowSearch) -> None:
    """Add a query to the history, if all of it can be kept."""
    from twinlens.app.library.saved_state import remember

    if can_be_remembered(search.query):
        remember(opened.library, query_values(opened, search.query, search.index))


def query_values(opened: OpenLibrary, query: SearchQuery, index: str) -> dict[str, Any]:
    """Return a query as plain values, with the names of its photographs in case the library loses them."""
    value = query.to_json() | {"index": index}
    for one in value["examples"]:
        if isinstance(one.get("picture"), int) and (name := name_and_thumbnail(opened, one["picture"])[0]):
            one["name"] = name
    return value


class IndexChoice:
    """The indexes of the library, and the one that is searched.

    Parameters
    ----------
    shared : SharedState
        Tells other views which index that is.
    """

    def __init__(self, shared: SharedState) -> None:
        self._shared = shared
        self.offered: list[IndexOption] = []
        """Name, plain words and text of each."""
        self._descriptors: dict[str, str] = {}
        self.with_words: frozenset[str] = frozenset()
        """Names of those that know words."""
        self.knows_concepts = False
        """Whether words find photographs by what they show, whatever the index."""

    @property
    def now(self) -> str:
        """The one that is searched."""
        return self._shared.index

    @property
    def instead_of(self) -> str:
        """The chosen one, while another one replaces it."""
        return self._shared.replaced_index

    @property
    def chosen(self) -> str:
        """The one that the person has chosen."""
        return self._shared.chosen_index

    def choose(self, name: str) -> None:
        """Choose one; nothing replaces it."""
        self._shared.index, self._shared.replaced_index = name, ""

    def follow(self, search: WindowSearch) -> None:
        """Take the one of a search."""
        self._shared.index, self._shared.replaced_index = search.index, search.instead_of

    def offer(
        self,
        offered: list[IndexOption],
        descriptors: dict[str, str],
        with_words: frozenset[str] = frozenset(),
        knows_concepts: bool = False,
    ) -> None:
        """Offer indexes, with their descriptors by name."""
        self.offered, self._descriptors = offered, descriptors
        self.with_words, self.knows_concepts = with_words, knows_concepts and not with_words

    def words(self) -> str:
        """Return what the present index compares, in plain words."""
        return next((words for name, words, _ in self.offered if name == self.now), "")

    def needs_none(self, query: SearchQuery | None) -> bool:
        """Return whether a query is answered by what photographs show, without any index: words alone."""
        return self.knows_concepts and query is not None and all(map(example_words, query.examples))

    def search_for(self, query: SearchQuery) -> WindowSearch:
        """Return the search of the chosen index, or, for colours or words, of one that knows them."""
        if not uses_colours(query) and not uses_words(query):
            return WindowSearch(query, self.chosen)
        able = self.now if self.can_search(query) else self.other_for(query)
        if not able or able == self.chosen:
            return WindowSearch(query, self.chosen)
        return WindowSearch(query, able, self.chosen)

    def can_search(self, query: SearchQuery) -> bool:
        """Return whether the present index can be searched with all of a query."""
        if uses_colours(query) and not self.can_search_colours():
            return False
        return not uses_words(query) or self.knows_concepts or self.now in self.with_words

    def other_for(self, query: SearchQuery) -> str:
        """Return another index that can be searched with the colours or the words of a query; empty if none can."""
        if not uses_words(query) or self.knows_concepts:
            return self.other_for_colours()
        return "" if uses_colours(query) else next(iter(sorted(self.with_words - {self.now})), "")

    def can_search_colours(self) -> bool:
        """Return whether the present index can be searched by colours alone."""
        from twinlens.app.search.words_and_colours import compares_colours_alone

        return self.now in self._descriptors and compares_colours_alone(self._descriptors[self.now])

    def other_for_colours(self) -> str:
        """Return another index that can be searched by colours alone; empty if there is none."""
        from twinlens.app.search.words_and_colours import best_for_colours

        return best_for_colours([(name, one) for name, one in self._descriptors.items() if name != self.now])

    def can_be_checked(self, query: SearchQuery) -> bool:
        """Return whether results of the present index can be compared with the query point by point."""
        from twinlens.app.methods.catalogue import descriptor
        from twinlens.app.search.search_options import SearchOptions

        declared = self._descriptors.get(self.now)
        if declared is None or uses_colours(query) or all(example_words(one) for one in query.examples):
            return False
        return bool(SearchOptions().for_descriptor(descriptor(declared)).check)


_SIDE = 96


def is_palette(example: Example) -> bool:
    """Return whether an example is a palette."""
    return hasattr(example.picture, "colours")  # without an import that is slow


def has_colours_alone(example: Example) -> bool:
    """Return whether an example is a palette or a sketch, which need an index of colours."""
    return example.sketch or is_palette(example)


def uses_colours(query: SearchQuery) -> bool:
    """Return whether a palette or a sketch is among the examples."""
    return any(has_colours_alone(one) for one in query.examples)


def example_words(example: Example) -> str:
    """Return the words of an example; empty where it is none."""
    text = getattr(example.picture, "text", "")  # likewise; that of a palette is a function
    return text if isinstance(text, str) else ""


def uses_words(query: SearchQuery) -> bool:
    """Return whether words are among the examples."""
    return any(example_words(one) for one in query.examples)


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


def can_be_remembered(query: SearchQuery) -> bool:
    """Return whether all of a query can be kept in the history."""
    from twinlens.app.search.search_query import can_be_kept

    return all(can_be_kept(one) for one in query.examples)
