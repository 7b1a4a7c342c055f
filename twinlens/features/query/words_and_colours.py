"""Queries without a photograph: words, colours with weights, and sketches that may be unfinished.

Words are a phrase, which a text network brings into the space of its image network.

Palettes and sketches are compared with the same vectors as any picture. A palette says which colours, not where, so it
is spread over all regions of a histogram; the measure of histograms (Hellinger, or intersection) then compares what
both have and does not mind what else a picture has. Each of several colours of a palette, and each of a sketch, has a
vector of its own, too, so that a picture can be asked to have all of them. Unpainted parts of a sketch are transparent,
and do not count.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.features.colour.colour_histogram import ColoursOnly, HistogramExtractor
from twinlens.features.descriptor import Descriptor, Extractor, UnusableError, Vector
from twinlens.features.pictures.picture import WORKING_SIDE, Picture

if TYPE_CHECKING:
    from twinlens.features.network.text_network import TextNetwork


_MOST = 1_000  # signs: text networks read far fewer


@dataclass(frozen=True)
class Phrase:
    """A query in words.

    Attributes
    ----------
    text : str
        One line, with single spaces between its words.
    language : str
        Code of the person's language, in which a word counts first that means something else in another one.

    Raises
    ------
    TwinlensError
        If it says nothing, or is too long.

    Examples
    --------
    >>> Phrase("  a dog on  a beach ").text
    'a dog on a beach'
    """

    text: str
    language: str = "en"

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", " ".join(self.text.split()))
        if not self.text:
            raise TwinlensError("The text to search with is empty.", "Describe what the photos show: a dog on a beach")
        if len(self.text) > _MOST:
            raise TwinlensError(
                "The text to search with is longer than {most} characters.",
                "Describe what the photos show in one sentence.",
                most=_MOST,
            )


def text_network(declared: Descriptor) -> TextNetwork:
    """Return the text network by which words can be queries of a descriptor.

    Raises
    ------
    UnusableError
        If it has none.
    """
    from twinlens.features.network.network import Network  # here, since few searches are in words
    from twinlens.features.network.text_network import BRING

    if not isinstance(declared, Network):
        raise UnusableError(
            "Words need an index of an image network with its text network; {title} compares {plain_name}.",
            BRING,
            title=Message(declared.title),
            plain_name=Message(declared.plain_name),
        )
    return declared.text_network()


def accepts_words(declared: Descriptor) -> bool:
    """Return whether words can be queries of a descriptor."""
    return not lacking_for_words(declared)


def lacking_for_words(declared: Descriptor) -> Message:
    """Return why words cannot be queries of a descriptor; empty where they can."""
    try:
        text_network(declared)
    except UnusableError as error:
        return error.message
    return NOTHING


Colour = tuple[int, int, int]
"""sRGB, 0 to 255 each."""

Rgba = npt.NDArray[np.uint8]
_HEXADECIMAL = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z")
_EXAMPLE = Message("Write colours with their weights, as in “#c33:2,#fff” or “navy,white:3”.")
_NAMED = re.compile(r"[a-z]+\Z")


@dataclass(frozen=True)
class Palette:
    """Some colours, and how much of each.

    Attributes
    ----------
    colours : tuple of (colour, weight)
        At least one; weights above 0, of which only the proportions matter.

    Raises
    ------
    TwinlensError
        If there is no colour, or one or its weight is out of range.

    Examples
    --------
    >>> Palette.read("#c33:2, white")
    Palette(colours=(((204, 51, 51), 2.0), ((255, 255, 255), 1.0)))
    >>> Palette.read("#c33:2, white").text()
    '#cc3333:2,#ffffff'
    """

    colours: tuple[tuple[Colour, float], ...]

    def __post_init__(self) -> None:
        if not self.colours:
            raise TwinlensError("The palette has no colour.", _EXAMPLE)
        for colour, weight in self.colours:
            if len(colour) != 3 or not all(isinstance(part, int) and 0 <= part <= 255 for part in colour):
                raise TwinlensError("A colour has three numbers from 0 to 255, not {colour}.", _EXAMPLE, colour=colour)
            if not (weight > 0 and math.isfinite(weight)):
                raise TwinlensError(
                    "The weight of a colour must be a number above 0, not {weight:g}.", _EXAMPLE, weight=weight
                )

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a text: colours as #rgb, #rrggbb or by their English names in CSS, each with ``:weight`` or not.

        Raises
        ------
        TwinlensError
            If it is something else.
        """
        return cls(tuple(_weighted(part.strip()) for part in text.split(",") if part.strip()))

    def text(self) -> str:
        """Write it so that :meth:`read` reads it back."""
        return ",".join(
            "#{:02x}{:02x}{:02x}".format(*colour) + ("" if weight == 1 else f":{_shortest(weight)}")
            for colour, weight in self.colours
        )

    def picture(self, width: int = 256, height: int = 256) -> npt.NDArray[np.uint8]:
        """Paint it to be looked at: upright stripes, as wide as their colours weigh, (height, width, 3)."""
        total = math.fsum(weight for _, weight in self.colours)
        ends = np.cumsum([weight / total for _, weight in self.colours]) * width
        stripes = np.searchsorted(ends, np.arange(width) + 0.5).clip(max=len(self.colours) - 1)
        row = np.array([colour for colour, _ in self.colours], np.uint8)[stripes]
        return np.ascontiguousarray(np.broadcast_to(row, (height, width, 3)))


def _shortest(weight: float) -> str:
    return f"{weight:g}" if float(f"{weight:g}") == weight else repr(float(weight))


def _weighted(part: str) -> tuple[Colour, float]:
    colour, colon, weight = part.partition(":")
    try:
        return _colour(colour.strip()), float(weight) if colon else 1.0
    except ValueError:
        raise TwinlensError("“{part}” is no colour with a weight.", _EXAMPLE, part=part) from None


def _colour(text: str) -> Colour:
    if found := _HEXADECIMAL.match(text):
        digits = found[1] if len(found[1]) == 6 else "".join(2 * digit for digit in found[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if not _NAMED.match(text.lower()):
        raise ValueError(text)
    from PIL import ImageColor  # here, since few searches are in colours

    return ImageColor.getrgb(text)[:3]


def accepts_colours(declared: Descriptor) -> bool:
    """Return whether a descriptor uses colours alone, so that palettes and sketches can be queries."""
    return issubclass(declared.extractor, ColoursOnly)


def refuse_colours(declared: Descriptor, what: str) -> None:
    """Refuse a palette or sketch that a descriptor cannot be searched with.

    Parameters
    ----------
    what : str
        ``A palette`` or ``A sketch``.

    Raises
    ------
    TwinlensError
        If it looks at other things than colours.
    """
    if not accepts_colours(declared):
        raise TwinlensError(
            "{what} has colours only, and {title} compares {plain_name}.",
            "Ask an index that compares colours, such as “Colours”.",
            what=what,
            title=declared.title,
            plain_name=declared.plain_name,
        )


def palette_vector(declared: Descriptor, extractor: Extractor, palette: Palette) -> Vector:
    """Describe the imagined picture that has the colours of a palette, wherever they are.

    Parameters
    ----------
    extractor : Extractor
        Fitted from it.

    Returns
    -------
    ndarray of float32, (d,)
        As of a picture that has these colours in these shares in each of its regions.

    Raises
    ------
    TwinlensError
        If the descriptor looks at other things than colours, or at where they are alone.
    """
    refuse_colours(declared, "A palette")
    assert isinstance(extractor, ColoursOnly)
    return extractor.of_colours(*_colours_and_shares(palette))


def colour_vectors(extractor: Extractor, palette: Palette) -> npt.NDArray[np.float32]:
    """Describe each colour of a palette alone.

    Returns
    -------
    ndarray of float32, (c, d)
        Of sum of the colour's share. Empty where the descriptor is no histogram: its numbers of one colour do not say
        how much of it a picture has.
    """
    if not isinstance(extractor, HistogramExtractor):
        return np.empty((0, 0), np.float32)
    colours, shares = _colours_and_shares(palette)
    vectors = [
        extractor.of_colours(colours[place : place + 1], shares[place : place + 1]) for place in range(len(shares))
    ]
    return np.stack([vector for vector in vectors if vector.any()])


def _colours_and_shares(palette: Palette) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    weights = np.array([weight for _, weight in palette.colours])
    weights /= weights.max()  # their sum might be beyond the largest number
    return np.array([colour for colour, _ in palette.colours], np.uint8), weights / weights.sum()


@dataclass(frozen=True)
class Stroke:
    """One stroke of a brush.

    Attributes
    ----------
    colour : tuple of int
        sRGB.
    points : sequence of (x, y)
        Where the brush went, as shares of the sheet: (0, 0) top left, (1, 1) bottom right; one is a dot.
    width : float
        Of the brush, as a share of the sheet's longer side.
    """

    colour: Colour
    points: Sequence[tuple[float, float]]
    width: float = 0.1


def paint(strokes: Sequence[Stroke], width: int = WORKING_SIDE, height: int = WORKING_SIDE * 3 // 4) -> Rgba:
    """Paint strokes on a transparent sheet, one over the other.

    Returns
    -------
    ndarray of uint8, (height, width, 4)
        Red, green, blue and opacity, which is 0 or 255.
    """
    import cv2

    sheet = np.zeros((height, width, 4), np.uint8)
    for stroke in strokes:
        # A line needs two ends; those of a dot are at one place.
        places = np.array([*stroke.points[:1], *stroke.points], np.float64).reshape(-1, 2) * (width, height)
        line = np.clip(np.floor(places), -4 * WORKING_SIDE, 4 * WORKING_SIDE).astype(np.int32)
        thickness = max(1, round(stroke.width * max(width, height)))
        cv2.polylines(sheet, [line], False, (*stroke.colour, 255), thickness)
    return sheet


def sketch_png(sheet: Rgba) -> bytes:
    """Write a sketch as a PNG file with transparency, the form of a query."""
    from PIL import Image

    target = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(sheet)).save(target, "PNG", compress_level=1)
    return target.getvalue()


def checked_sketch(picture: Picture) -> Picture:
    """Return a sketch back as it is, if there is something to it.

    Raises
    ------
    TwinlensError
        If nothing is painted.
    """
    if picture.mask is not None and not picture.mask.any():
        raise TwinlensError("Nothing is painted in this sketch: all of it is transparent.", "Paint something.")
    return picture
