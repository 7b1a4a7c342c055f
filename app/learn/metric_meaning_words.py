"""What a metric weighs, in words: names of colours, how much a factor is, and what to say first."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

import numpy as np

_HUES = (
    (15, "red"), (45, "orange"), (70, "yellow"), (160, "green"), (200, "cyan"), (255, "blue"), (290, "violet"),
    (345, "pink"), (361, "red"),
)  # fmt: skip
_LEAST_SHARE = 0.01
_ALIKE = 0.1  # a factor this near to 1 is none to speak of


def colour_name(rgb: tuple[int, int, int]) -> str:
    """Name a colour plainly.

    Examples
    --------
    >>> colour_name((0, 0, 0)), colour_name((128, 128, 128)), colour_name((20, 70, 20)), colour_name((150, 200, 255))
    ('black', 'medium grey', 'dark green', 'pale blue')
    """
    hue, saturation, value = colorsys.rgb_to_hsv(*(part / 255 for part in rgb))
    if saturation < 0.12 or value < 0.1:
        steps = ((0.12, "black"), (0.4, "dark grey"), (0.65, "medium grey"), (0.9, "light grey"), (2, "white"))
        return next(name for end, name in steps if value < end)
    name = next(name for end, name in _HUES if 360 * hue < end)
    if value < 0.45:
        return f"dark {name}"
    return f"pale {name}" if saturation < 0.5 else name


def times(factor: float) -> str:
    """Say how much a factor is.

    Examples
    --------
    >>> times(1.83), times(2.02), times(0.48), times(1.0), times(0.04)
    ('1.8 times as much', 'twice as much', 'half as much', 'as much', 'hardly at all')
    """
    if factor < 0.1:
        return "hardly at all"
    if abs(factor - 1) < 0.05:
        return "as much"
    if abs(factor - 2) < 0.1:
        return "twice as much"
    if abs(factor - 0.5) < 0.05:
        return "half as much"
    return f"{factor:.1f} times as much"


def summary(named: Sequence[tuple[str, float, float, float]], verb: str = "count") -> str:
    """Say in a sentence what counts more and what less.

    Parameters
    ----------
    named : sequence of (name, factor, share before, share after)
    verb : str
        That goes with the names.

    Examples
    --------
    >>> summary([("colours", 1.8, 0.3, 0.54), ("outlines", 0.5, 0.5, 0.25), ("shapes", 1.05, 0.2, 0.21)])
    'Colours count 1.8 times as much as before, outlines half as much.'
    """
    telling = [one for one in named if max(one[2], one[3]) >= _LEAST_SHARE and abs(np.log(max(one[1], 1e-3))) > _ALIKE]
    # What changes most of the distance, not the greatest factor: that may be of something that hardly ever differs.
    more = sorted((one for one in telling if one[1] > 1), key=lambda one: one[2] - one[3])[:2]
    less = sorted((one for one in telling if one[1] < 1), key=lambda one: one[3] - one[2])[:2]
    said = [f"{name} {f'{verb} ' * (not number)}{times(factor)}{' as before' * (not number)}"
            for number, (name, factor, _, _) in enumerate([*more, *less])]  # fmt: skip
    if not said:
        return "Everything counts about as much as before."
    sentence = ", ".join(said)
    return f"{sentence[0].upper()}{sentence[1:]}."
