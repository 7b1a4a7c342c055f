"""A search query and its options: example pictures that results should resemble, or should not, and how to search.

The marks of its photographs can join as further examples: photographs marked similar are liked, photographs marked
different are disliked. This is relevance feedback without learning (Rocchio, 1971), which helps from the first mark;
:mod:`twinlens.app.search.query_distance` weighs the examples.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from twinlens.app.library.library import Library
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.features.pictures.picture import Picture, Region
from twinlens.features.query.words_and_colours import Palette, Phrase
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction

_SKETCH_BYTES = 128 * 1024  # a sketch that was drawn in the window has a tenth of it
_AGAIN = Message("Search again.")


@dataclass(frozen=True)
class SearchQuery:
    """The pictures of a search.

    Attributes
    ----------
    examples : tuple of Example
        Results resemble examples of positive weight and differ from examples of negative weight
        (:mod:`twinlens.app.search.query_distance`).

    Examples
    --------
    >>> query = SearchQuery((Example(12), Example(Path("fog.jpg"), weight=-0.5)))
    >>> SearchQuery.from_json(query.to_json()) == query
    True
    """

    examples: tuple[Example, ...]

    @classmethod
    def of(cls, picture: QuerySource | SearchQuery) -> SearchQuery:
        """Return the query with one picture; a query is returned as it is."""
        return picture if isinstance(picture, SearchQuery) else cls((Example(picture),))

    @property
    def photographs(self) -> list[int]:
        """Ids of the photographs of the library that results resemble."""
        return [one.picture for one in self.examples if isinstance(one.picture, int) and one.weight > 0]

    @property
    def is_picture(self) -> bool:
        """Whether the query is one whole picture and nothing else."""
        (first, *others) = self.examples or (None,)
        if first is None or others:
            return False
        return first.region is None and not first.sketch and not isinstance(first.picture, Palette | Phrase)

    def words(self) -> str:
        """Return the words among the examples, as they were typed."""
        return ", ".join(one.picture.text for one in self.examples if isinstance(one.picture, Phrase))

    def mark_counts(self) -> tuple[int, int]:
        """Return how many examples were added because of marks: similar and different ones."""
        weights = [one.weight for one in self.examples if one.by_mark]
        return sum(weight > 0 for weight in weights), sum(weight < 0 for weight in weights)

    def marks_note(self) -> Message:
        """Return a sentence on the marks that :func:`with_marks` added.

        Examples
        --------
        >>> print(SearchQuery((Example(3), Example(5, by_mark=True), Example(9, -1.0, by_mark=True))).marks_note())
        Your marks were included: 1 similar, 1 different.
        """
        similar, different = self.mark_counts()
        if not similar and not different:
            return Message("This photo has no marks, so nothing was added to the search.")
        return Message(
            "Your marks were included: {similar} similar, {different} different.", similar=similar, different=different
        )

    def to_json(self) -> dict[str, Any]:
        """Return the query as plain JSON values, without the pictures that cannot be kept (:func:`can_be_kept`)."""
        return {"examples": [_example_to_json(one) for one in self.examples if can_be_kept(one)]}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Read the values that :meth:`to_json` returned.

        Raises
        ------
        TwinlensError
            If they are something else.
        """
        try:
            return cls(tuple(_example_from_json(one) for one in values["examples"]))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise TwinlensError("This saved search cannot be read any more.", _AGAIN) from None


QuerySource = Path | int | bytes | Palette | Phrase | Picture
"""A file anywhere, the id of a photograph, the bytes of a picture (dropped, or from the clipboard), some colours,
words, or a picture that the program made."""


@dataclass(frozen=True)
class Example:
    """One picture of a query.

    Attributes
    ----------
    picture : Path, int, bytes, Palette, Phrase or Picture
        A file, the id of a photograph, the bytes of a picture (dropped, or from the clipboard), colours that the
        results should have anywhere, words for what they should show, or a picture that the program made.
    weight : float
        Its weight beside the others; below 0 for “not like this one”, 0 to ignore it.
    region : tuple of float, optional
        The part that is meant: left, top, right, bottom, as shares of the upright picture.
    sketch : bool
        The picture is a sketch: transparent areas do not count, and the index must compare colours.
    by_mark : bool
        A mark of another example added it; see :func:`with_marks`.

    Raises
    ------
    TwinlensError
        If the weight is not a number, the region no part of the picture, or colours or words have a part.
    """

    picture: QuerySource
    weight: float = 1.0
    region: Region | None = None
    sketch: bool = False
    by_mark: bool = False

    def __post_init__(self) -> None:
        if not math.isfinite(self.weight):
            raise TwinlensError(
                "A weight must be a number, not {weight}.", "Give one such as 1, or -1.", weight=self.weight
            )
        if isinstance(self.picture, Palette) and (self.region is not None or self.sketch):
            raise TwinlensError("A palette has no parts.", "Search with the whole palette.")
        if isinstance(self.picture, Phrase) and (self.region is not None or self.sketch):
            raise TwinlensError("Words have no parts.", "Search with all of them.")
        if self.region is not None:
            left, top, right, bottom = self.region
            if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
                raise TwinlensError(
                    "The part {left:g}, {top:g}, {right:g}, {bottom:g} lies outside the picture.",
                    "Give left, top, right and bottom as numbers from 0 to 1.",
                    left=left,
                    top=top,
                    right=right,
                    bottom=bottom,
                )


MOST_MARKS = 20
"""Largest number of marks of each kind, the newest; each is one more picture to compare everything with."""


def with_marks(library: Library, query: SearchQuery) -> SearchQuery:
    """Return a query with the marks of its pictures added as further examples (``by_mark``).

    Photographs marked similar to a liked picture are liked as much, photographs marked different are disliked. Only
    whole photographs of the library have marks. Pairs marked both ways and missing photographs do not count.
    """
    with library.store.reading() as r:
        contradicted = r.marks.contradicted()
        examples = list(query.examples)
        present = {_whole_photograph(library, r, one) for one in query.examples}
        for one in query.examples:
            own = _whole_photograph(library, r, one) if one.weight > 0 else None
            content = None if own is None else r.photographs.by_id([own])[0].content_hash
            if content is None:
                continue
            rows = [row for row in reversed(r.marks.of(content)) if row.pair not in contradicted]
            photographs = r.marks.photographs_of({other for row in rows for other in row.pair})
            taken = {True: 0, False: 0}
            for row in rows:
                other = photographs.get(row.pair[0] if row.pair[1] == content else row.pair[1])
                if (
                    other is None
                    or other.state is not PhotographState.READY
                    or other.id in present
                    or taken[row.similar] == MOST_MARKS
                ):
                    continue
                taken[row.similar] += 1
                present.add(other.id)
                examples.append(Example(other.id, one.weight if row.similar else -one.weight, by_mark=True))
    return replace(query, examples=tuple(examples))


def _whole_photograph(library: Library, r: Transaction, example: Example) -> int | None:
    """Return the id of the photograph that an example is; None if it is a part or anything else."""
    picture = example.picture
    if example.region is not None or example.sketch or not isinstance(picture, int | Path):
        return None
    row = library.find(r, picture)
    return None if row is None or row.state is not PhotographState.READY else row.id


def read_palette(text: str) -> Palette:
    """Read a palette such as ``#c33:2,#fff``; weights may be left out.

    Raises
    ------
    TwinlensError
        If it is no list of colours.
    """
    return Palette.read(text)


def read_phrase(text: str, language: str) -> Phrase:
    """Read words to search with, typed by a person of a language.

    Raises
    ------
    TwinlensError
        If they say nothing, or are too many.
    """
    return Phrase(text, language)


def can_be_kept(example: Example) -> bool:
    """Return whether an example can be kept: a picture without a file cannot, unless it is a small sketch."""
    if not isinstance(example.picture, bytes):
        return not isinstance(example.picture, Picture)
    return example.sketch and example.region is None and len(example.picture) <= _SKETCH_BYTES


def _example_to_json(example: Example) -> dict[str, Any]:
    if isinstance(example.picture, Palette):
        return {"palette": example.picture.text(), "weight": example.weight}
    if isinstance(example.picture, Phrase):
        return {"text": example.picture.text, "language": example.picture.language, "weight": example.weight}
    if isinstance(example.picture, bytes):
        return {"drawn": base64.b64encode(example.picture).decode(), "weight": example.weight}
    values: dict[str, Any] = {
        "picture": example.picture if isinstance(example.picture, int) else str(example.picture),
        "weight": example.weight,
    }
    if example.sketch:
        values["sketch"] = True
    return values if example.region is None else values | {"region": list(example.region)}


def _example_from_json(values: Mapping[str, Any]) -> Example:
    weight = float(values.get("weight", 1.0))
    if "palette" in values:
        return Example(Palette.read(_checked_text(values["palette"])), weight)
    if "text" in values:
        language = _checked_text(values.get("language", "en"))
        return Example(Phrase(_checked_text(values["text"]), language), weight)
    if "drawn" in values:
        drawn = _checked_text(values["drawn"])
        if len(drawn) > 2 * _SKETCH_BYTES:
            raise ValueError(len(drawn))
        return Example(base64.b64decode(drawn, validate=True), weight, sketch=True)
    picture, region, sketch = values["picture"], values.get("region"), values.get("sketch", False)
    if not isinstance(sketch, bool):
        raise TypeError(type(sketch))
    if isinstance(picture, bool) or not isinstance(picture, int | str):
        raise TypeError(type(picture))
    source = picture if isinstance(picture, int) else Path(picture)
    if region is None:
        return Example(source, weight, None, sketch)
    left, top, right, bottom = (float(share) for share in region)
    return Example(source, weight, (left, top, right, bottom), sketch)


def _checked_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(type(value))
    return value
