"""A query and its options: pictures that results should resemble, or should not, and how they are searched for.

Marks of its photographs can be added as examples: those marked similar are liked, those marked different disliked.
This is relevance feedback without learning (Rocchio, 1971), which helps from the first mark;
:mod:`app.search.search_space` weighs the examples.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from app.indexes.loaded_index import LoadedIndex
from app.library.library import Library
from app.search.search_results import SearchResult
from app.search.search_space import Filters
from core.errors import TwinlensError
from core.message import Message
from core.search.late_fusion import FUSIONS
from features.descriptor import Descriptor
from features.pictures.picture import Picture, Region
from features.query.words_and_colours import Palette, Phrase
from storage.database.schema import PhotographState
from storage.library.store import Transaction

QuerySource = Path | int | bytes | Palette | Phrase | Picture
"""A file anywhere, the id of a photograph, the bytes of a picture (dropped, or from the clipboard), some colours,
words, or a picture that the program made."""

_SKETCH_BYTES = 128 * 1024  # one that was drawn in the window has a tenth of it
_AGAIN = Message("Search again.")
_EVERYTHING = Filters()
WRONG = 0.02
"""Default share of wrong results."""


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
        The picture is a sketch: transparent areas do not count, and only indexes that compare colours can be asked.

    Raises
    ------
    TwinlensError
        If the weight is not a number, the region no part of the picture, or colours or words have a part.
    """

    picture: QuerySource
    weight: float = 1.0
    region: Region | None = None
    sketch: bool = False

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


@dataclass(frozen=True)
class SearchQuery:
    """The pictures of a search.

    Attributes
    ----------
    examples : tuple of Example
        Results resemble those of positive weight and differ from those of negative weight
        (:mod:`app.search.search_space`).
    named : int, optional
        The first so many name the query in results; by default all.

    Examples
    --------
    >>> question = SearchQuery((Example(12), Example(Path("fog.jpg"), weight=-0.5)))
    >>> SearchQuery.from_json(question.to_json()) == question
    True
    """

    examples: tuple[Example, ...]
    named: int | None = None

    @classmethod
    def of(cls, picture: QuerySource | SearchQuery) -> SearchQuery:
        """Return a query of one picture; a query stays as it is."""
        return picture if isinstance(picture, SearchQuery) else cls((Example(picture),))

    @property
    def photographs(self) -> list[int]:
        """The photographs of the library that results resemble."""
        return [one.picture for one in self.examples if isinstance(one.picture, int) and one.weight > 0]

    @property
    def is_picture(self) -> bool:
        """Whether it is one whole picture and nothing else."""
        (first, *others) = self.examples or (None,)
        if first is None or others:
            return False
        return first.region is None and not first.sketch and not isinstance(first.picture, Palette | Phrase)

    def to_json(self) -> dict[str, Any]:
        """Return the query as plain JSON values, without the pictures that cannot be kept (:func:`can_be_kept`)."""
        return {"examples": [_written(one) for one in self.examples if can_be_kept(one)]}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Read the values that :meth:`to_json` returned.

        Raises
        ------
        TwinlensError
            If it is something else.
        """
        try:
            return cls(tuple(_read(one) for one in values["examples"]))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise TwinlensError("This saved search cannot be read any more.", _AGAIN) from None


@dataclass(frozen=True)
class FusionOptions:
    """The way in which results are fused.

    Attributes
    ----------
    way : str
        One of `core.search.late_fusion.FUSIONS`.
    weights : tuple of float, optional
        Weight of each index, in their order; by default all are equal.

    Raises
    ------
    TwinlensError
        If there is no such way, a weight is below 0, or none is above.
    """

    way: str = "rrf"
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.way not in FUSIONS:
            raise TwinlensError(
                "Results cannot be combined by “{way}”.",
                "Choose one of {fusions}.",
                way=self.way,
                fusions=tuple(FUSIONS),
            )
        if self.weights is not None and not (
            all(0 <= weight < float("inf") for weight in self.weights) and any(self.weights)
        ):
            raise TwinlensError(
                "Weights of indexes cannot be negative, and one must be above 0.", "Give weights such as 2 and 1."
            )

    def of(self, indexes: Sequence[LoadedIndex]) -> list[float]:
        """Return the weight of each index.

        Raises
        ------
        TwinlensError
            If there are not as many weights.
        """
        if self.weights is None:
            return [1.0] * len(indexes)
        if len(self.weights) != len(indexes):
            raise TwinlensError(
                "The number of weights ({weights}) differs from the number of indexes ({indexes}).",
                "Give one weight for each index.",
                indexes=len(indexes),
                weights=len(self.weights),
            )
        return list(self.weights)


@dataclass(frozen=True)
class SearchOptions:
    """The options of a search.

    Attributes
    ----------
    k : int
        How many hits.
    exact : bool
        Measure every photograph exactly instead of only the candidates.
    compare_exact : bool
        Say too which of the exact first k are among the hits and which were missed; not of fused answers.
    check : bool or None
        Whether the keypoints of the first answers are compared with those of the question's pictures, by which what
        shows the same comes first; the question is asked mirrored and in negative, too, then. By default where the
        index, or one of those that answer together, works on local features.
    confirmed_only : bool
        Leave out what was not found to show the same.
    sure : bool
        Leave out what lies beyond the distance up to which few are wrong, where marks tell that; not of fused answers.
    wrong : float
        How many are: a share.
    marks : bool
        Ask with the marks of each picture too; see :func:`app.search.search_query.with_marks`.
    fusing : FusionOptions or None
        All indexes answer together: their answers are fused into one.

    Raises
    ------
    TwinlensError
        If it contradicts itself.
    """

    k: int = 20
    exact: bool = False
    compare_exact: bool = False
    check: bool | None = None
    confirmed_only: bool = False
    sure: bool = False
    wrong: float = WRONG
    filters: Filters = _EVERYTHING
    marks: bool = False
    fusing: FusionOptions | None = None

    def __post_init__(self) -> None:
        if self.confirmed_only and self.check is False:
            raise TwinlensError("“Same picture” only cannot be combined with no check.", "Choose one of both.")
        if self.fusing is not None and (self.sure or self.compare_exact):
            raise TwinlensError(
                "Combined results of several indexes have no error rate and no exact ranking to compare with.",
                "Ask one index, or leave that out.",
            )

    def of(self, descriptor: Descriptor) -> SearchOptions:
        """Return whether answers by a descriptor are checked, where that is left open: it must look at places, too."""
        if self.check is not None:
            return self
        return replace(self, check=self.confirmed_only or bool(descriptor.caps))


def read_palette(text: str) -> Palette:
    """Read a palette such as ``#c33:2,#fff``; weights may be left out.

    Raises
    ------
    TwinlensError
        If it is no list of colours.
    """
    return Palette.read(text)


def read_phrase(text: str) -> Phrase:
    """Read words to search with.

    Raises
    ------
    TwinlensError
        If they say nothing, or are too many.
    """
    return Phrase(text)


def can_be_kept(example: Example) -> bool:
    """Return whether an example can be kept: a picture without a file cannot, unless it is a small sketch."""
    if not isinstance(example.picture, bytes):
        return not isinstance(example.picture, Picture)
    return example.sketch and example.region is None and len(example.picture) <= _SKETCH_BYTES


def _written(example: Example) -> dict[str, Any]:
    if isinstance(example.picture, Palette):
        return {"palette": example.picture.text(), "weight": example.weight}
    if isinstance(example.picture, Phrase):
        return {"text": example.picture.text, "weight": example.weight}
    if isinstance(example.picture, bytes):
        return {"drawn": base64.b64encode(example.picture).decode(), "weight": example.weight}
    values: dict[str, Any] = {
        "picture": example.picture if isinstance(example.picture, int) else str(example.picture),
        "weight": example.weight,
    }
    if example.sketch:
        values["sketch"] = True
    return values if example.region is None else values | {"region": list(example.region)}


def _read(values: Mapping[str, Any]) -> Example:
    weight = float(values.get("weight", 1.0))
    if "palette" in values:
        return Example(Palette.read(_text(values["palette"])), weight)
    if "text" in values:
        return Example(Phrase(_text(values["text"])), weight)
    if "drawn" in values:
        drawn = _text(values["drawn"])
        if len(drawn) > 2 * _SKETCH_BYTES:
            raise ValueError(len(drawn))
        return Example(base64.b64decode(drawn, validate=True), weight, sketch=True)
    picture, region, sketch = values["picture"], values.get("region"), values.get("sketch", False)
    if not isinstance(sketch, bool):
        raise TypeError(type(sketch))
    if isinstance(picture, bool) or not isinstance(picture, int | str):
        raise TypeError(type(picture))
    named = picture if isinstance(picture, int) else Path(picture)
    if region is None:
        return Example(named, weight, None, sketch)
    left, top, right, bottom = (float(share) for share in region)
    return Example(named, weight, (left, top, right, bottom), sketch)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(type(value))
    return value


MOST_MARKS = 20
"""Largest number of marks of each kind, the newest; each is one more picture to compare everything with."""


@dataclass(frozen=True)
class Feedback:
    """A query with the marks of its pictures. Made by :func:`with_marks`.

    Attributes
    ----------
    similar, different : int
        Numbers of photographs added as liked and as disliked.
    added : frozenset of int
        Ids of the added photographs.
    """

    question: SearchQuery
    similar: int
    different: int
    added: frozenset[int] = frozenset()

    def noted(self, found: SearchResult) -> SearchResult:
        """Return the result of the query with a note on the marks; added photographs are ordinary results."""
        hits = [one.model_copy(update={"query": False}) if one.id in self.added else one for one in found.hits]
        return found.model_copy(update={"hits": hits}).noted(self.sentence())

    def sentence(self) -> Message:
        """Return a sentence on the added marks.

        Examples
        --------
        >>> print(Feedback(SearchQuery((Example(3),)), 2, 1).sentence())
        Your marks were included: 2 similar, 1 different.
        """
        if not self.similar and not self.different:
            return Message("This photo has no marks, so nothing was added to the search.")
        return Message(
            "Your marks were included: {similar} similar, {different} different.",
            similar=self.similar,
            different=self.different,
        )


def with_marks(library: Library, question: QuerySource | SearchQuery) -> Feedback:
    """Add the marks of a query's pictures to it.

    Photographs marked similar to a liked picture are liked as much, those marked different are disliked. Pairs marked
    both ways and missing photographs do not count.

    Parameters
    ----------
    question : Path, int, bytes, Palette or SearchQuery
        Only whole photographs of the library have marks.
    """
    asked = SearchQuery.of(question)
    with library.store.reading() as r:
        return _added(library, r, asked)


def _added(library: Library, r: Transaction, asked: SearchQuery) -> Feedback:
    contradicted = r.marks.contradicted()
    examples = list(asked.examples)
    own_ids = {_id(library, r, one) for one in asked.examples}
    there = set(own_ids)
    counts = {True: 0, False: 0}
    for one in asked.examples:
        own = _id(library, r, one) if one.weight > 0 else None
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
                or other.id in there
                or taken[row.similar] == MOST_MARKS
            ):
                continue
            taken[row.similar] += 1
            there.add(other.id)
            examples.append(Example(other.id, one.weight if row.similar else -one.weight))
        for similar, count in taken.items():
            counts[similar] += count
    added = frozenset(one for one in there - own_ids if one is not None)
    named = len(asked.examples) if len(examples) > len(asked.examples) else asked.named
    question = replace(asked, examples=tuple(examples), named=named)
    return Feedback(question, counts[True], counts[False], added)


def _id(library: Library, r: Transaction, example: Example) -> int | None:
    """Return the id of the photograph that an example is; None if it is a part or anything else."""
    picture = example.picture
    if example.region is not None or example.sketch or not isinstance(picture, int | Path):
        return None
    row = library.find(r, picture)
    return None if row is None or row.state is not PhotographState.READY else row.id
