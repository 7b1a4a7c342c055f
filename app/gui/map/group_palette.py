"""The colours of groups in light and dark: kinds that colour-blind people tell apart, steps from faint to strong."""

from __future__ import annotations

from app.gui.look.theme import DARK, Theme, theme
from app.gui.map.colouring import Colouring, PointGroup
from app.gui.map.dots import PointInks
from app.lab.figures.palette import series_colour

Rgb = tuple[int, int, int]

_LIGHT_STEPS = ("#d6b43c", "#9bb53a", "#45a56a", "#22858a", "#2f668e", "#413a86", "#2f0d44")
_DARK_STEPS = ("#57489b", "#3f6ba6", "#2a8d95", "#36b07a", "#8fd04c", "#dcdf45", "#fff6b0")
"""Lightness goes one way only, so that grey tells the order, too; the last stands out most."""

_GREY = ("#b4b4ad", "#55555b")  # light and dark
_DIM, _GONE = 0.22, 0.10  # of a colour that is left where others are meant, or shown alone


def group_colour(group: PointGroup, coloured: Colouring, now: Theme | None = None) -> str:
    """Return the colour of a group as #rrggbb."""
    dark = (now or theme()) is DARK
    if group.place < 0:
        return _GREY[dark]
    if not coloured.steps:
        return series_colour(group.place, dark)
    ramp = _DARK_STEPS if dark else _LIGHT_STEPS
    last = max(1, coloured.steps - 1)
    place = len(ramp) - 1 if coloured.steps == 1 else round(group.place * (len(ramp) - 1) / last)
    return ramp[place]


def group_inks(coloured: Colouring, now: Theme | None = None) -> PointInks:
    """Return the colours of all groups, then the same dimmed, then almost gone: three times as many as groups."""
    held = now or theme()
    ground = rgb(held.ground)
    plain = [rgb(group_colour(one, coloured, held)) for one in coloured.groups]
    colours = [*plain, *(mixed(ground, one, _DIM) for one in plain), *(mixed(ground, one, _GONE) for one in plain)]
    return PointInks(tuple(colours), tuple(one.shape for one in coloured.groups) * 3)


def rgb(text: str) -> Rgb:
    """Read #rrggbb.

    Examples
    --------
    >>> rgb("#0080ff")
    (0, 128, 255)
    """
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mixed(ground: Rgb, over: Rgb, share: float) -> Rgb:
    """Lay a share of one colour over another."""
    red, green, blue = (round(below + share * (above - below)) for below, above in zip(ground, over, strict=True))
    return red, green, blue
