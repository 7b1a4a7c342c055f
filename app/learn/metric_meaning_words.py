"""Words for the meaning of a metric: names of colours, sizes of factors, and a summary."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import numpy as np

from core.message import Message, joined

_GREYS = (
    (0.12, Message("black")),
    (0.4, Message("dark grey")),
    (0.65, Message("medium grey")),
    (0.9, Message("light grey")),
    (2, Message("white")),
)
_RED = Message("red"), Message("dark red"), Message("pale red")
_HUES = (
    (15, _RED),
    (45, (Message("orange"), Message("dark orange"), Message("pale orange"))),
    (70, (Message("yellow"), Message("dark yellow"), Message("pale yellow"))),
    (160, (Message("green"), Message("dark green"), Message("pale green"))),
    (200, (Message("cyan"), Message("dark cyan"), Message("pale cyan"))),
    (255, (Message("blue"), Message("dark blue"), Message("pale blue"))),
    (290, (Message("violet"), Message("dark violet"), Message("pale violet"))),
    (345, (Message("pink"), Message("dark pink"), Message("pale pink"))),
    (361, _RED),
)
_LEAST_SHARE = 0.01
_ALIKE = 0.1  # a factor this near to 1 is none to speak of


def colour_name(rgb: tuple[int, int, int]) -> Message:
    """Name a colour plainly.

    Examples
    --------
    >>> [str(colour_name(rgb)) for rgb in ((0, 0, 0), (128, 128, 128), (20, 70, 20), (150, 200, 255))]
    ['black', 'medium grey', 'dark green', 'pale blue']
    """
    hue, saturation, value = colorsys.rgb_to_hsv(*(part / 255 for part in rgb))
    if saturation < 0.12 or value < 0.1:
        return next(name for end, name in _GREYS if value < end)
    plain, dark, pale = next(names for end, names in _HUES if 360 * hue < end)
    if value < 0.45:
        return dark
    return pale if saturation < 0.5 else plain


def times(factor: float) -> Message:
    """Return the words for a factor.

    Examples
    --------
    >>> [str(times(factor)) for factor in (1.83, 2.02, 0.48, 1.0, 0.04)]
    ['1.8 times as much', 'twice as much', 'half as much', 'as much', 'hardly at all']
    """
    if factor < 0.1:
        return Message("hardly at all")
    if abs(factor - 1) < 0.05:
        return Message("as much")
    if abs(factor - 2) < 0.1:
        return Message("twice as much")
    if abs(factor - 0.5) < 0.05:
        return Message("half as much")
    return Message("{factor:.1f} times as much", factor=factor)


def meaning_summary(named: Sequence[tuple[Message, float, float, float]], several: bool = False) -> Message:
    """Return a sentence about what counts more and what less.

    Parameters
    ----------
    named : sequence of (name, factor, share before, share after)
    several : bool
        Whether each name is of several things.

    Examples
    --------
    >>> colours, outlines, shapes = map(Message, ("colours", "outlines", "shapes"))
    >>> named = [(colours, 1.8, 0.3, 0.54), (outlines, 0.5, 0.5, 0.25), (shapes, 1.05, 0.2, 0.21)]
    >>> print(summary(named, several=True))
    Compared with before, colours count 1.8 times as much, outlines half as much.
    """
    telling = [one for one in named if max(one[2], one[3]) >= _LEAST_SHARE and abs(np.log(max(one[1], 1e-3))) > _ALIKE]
    # What changes most of the distance, not the greatest factor: that may be of something that hardly ever differs.
    more = sorted((one for one in telling if one[1] > 1), key=lambda one: one[2] - one[3])[:2]
    less = sorted((one for one in telling if one[1] < 1), key=lambda one: one[3] - one[2])[:2]
    said = [(name, times(factor)) for name, factor, _, _ in (*more, *less)]
    if not said:
        return Message("Everything counts about as much as before.")
    (name, much), *rest = said
    parts = joined([much, *(Message("{name} {times}", name=one, times=its) for one, its in rest)], ", ")
    if several:
        return Message("Compared with before, {name} count {parts}.", name=name, parts=parts)
    return Message("Compared with before, {name} counts {parts}.", name=name, parts=parts)
