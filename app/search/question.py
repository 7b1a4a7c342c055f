"""A query: pictures that results should resemble, or should not, each whole or a part of one."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from core.errors import TwinlensError
from core.message import Message
from features.pictures.picture import Picture
from features.question.imagined_picture import Palette
from features.question.phrase import Phrase

Region = tuple[float, float, float, float]
"""Left, top, right and bottom, as shares of the upright picture: ``(0, 0, 1, 1)`` is all of it."""

QuerySource = Path | int | bytes | Palette | Phrase | Picture
"""A file anywhere, the id of a photograph, the bytes of a picture (dropped, or from the clipboard), some colours,
words, or a picture that the program made."""

_SKETCH_BYTES = 128 * 1024  # one that was drawn in the window has a tenth of it
_AGAIN = Message("Search again.")


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
                Message("A weight must be a number, not {weight}.", weight=self.weight),
                Message("Give one such as 1, or -1."),
            )
        if isinstance(self.picture, Palette) and (self.region is not None or self.sketch):
            raise TwinlensError(Message("A palette has no parts."), Message("Search with the whole palette."))
        if isinstance(self.picture, Phrase) and (self.region is not None or self.sketch):
            raise TwinlensError(Message("Words have no parts."), Message("Search with all of them."))
        if self.region is not None:
            left, top, right, bottom = self.region
            if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
                raise TwinlensError(
                    Message(
                        "The part {left:g}, {top:g}, {right:g}, {bottom:g} lies outside the picture.",
                        left=left,
                        top=top,
                        right=right,
                        bottom=bottom,
                    ),
                    Message("Give left, top, right and bottom as numbers from 0 to 1."),
                )


@dataclass(frozen=True)
class SearchQuery:
    """The pictures of a search.

    Attributes
    ----------
    examples : tuple of Example
        Results resemble those of positive weight and differ from those of negative weight
        (:mod:`app.search.criterion`).
    named : int, optional
        The first so many name the query in results; by default all.

    Examples
    --------
    >>> question = Question((Example(12), Example(Path("fog.jpg"), weight=-0.5)))
    >>> Question.from_json(question.to_json()) == question
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
            raise TwinlensError(Message("This saved search cannot be read any more."), _AGAIN) from None


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
