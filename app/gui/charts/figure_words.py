"""The words of figures in the language of the window: figures come in English, from what also writes files and pages.

What `app.gui.charts.figure_texts` does not list is shown as it came: names of methods, and sentences put together
otherwise.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from app.gui.charts.figure_texts import SENTENCES, WORDS
from app.lab.figures.figure import Axis, Figure, Series
from app.language.spoken import _

_IN_WORDS, _IN_SENTENCES = 48, 160  # letters that stand for a place in a text: with more, it is another text
_BETWEEN = re.compile(r"(?<=\.) (?=[^a-z])")


def shown(figure: Figure) -> Figure:
    """Return a figure as the window says it.

    Parameters
    ----------
    figure : Figure

    Returns
    -------
    Figure
        The same one where the window speaks English.
    """
    if not _foreign():
        return figure
    density = None if figure.density is None else replace(figure.density, unit=said(figure.density.unit))
    return replace(
        figure,
        title=said(figure.title),
        reading=sentences(figure.reading),
        note=sentences(figure.note),
        x=_axis(figure.x),
        y=_axis(figure.y),
        series=[_series(one) for one in figure.series],
        markers=[replace(one, label=said(one.label)) for one in figure.markers],
        density=density,
    )


def said(text: str) -> str:
    """Return a word or a name in the language of the window; itself where it is not known.

    Parameters
    ----------
    text : str
        In English.
    """
    return _said(text) if text and _foreign() else text


def sentences(text: str) -> str:
    """Return sentences in the language of the window, as a whole or one by one; themselves where they are not known.

    Parameters
    ----------
    text : str
        In English.
    """
    if not text or not _foreign():
        return text
    whole = _said(text)
    return whole if whole != text else " ".join(_said(one) for one in _BETWEEN.split(text))


def _foreign() -> bool:
    return _(WORDS[0]) != WORDS[0]


def _said(text: str) -> str:
    found = _(text)
    if found != text:
        return found
    for pattern, source in _patterns():
        match = pattern.fullmatch(text)
        if match:
            return _(source).format(*map(_said, match.groups()))
    return text


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Return what finds texts with places in them; those that say most come first."""
    found = []
    for source in sorted((one for one in (*WORDS, *SENTENCES) if "{" in one), key=len, reverse=True):
        most = _IN_SENTENCES if source in SENTENCES else _IN_WORDS
        parts = re.split(r"\{\d\}", source)
        found.append(
            (re.compile(f"((?:(?!{_BETWEEN.pattern}).){{1,{most}}}?)".join(re.escape(part) for part in parts)), source)
        )
    return found


def _axis(axis: Axis) -> Axis:
    return replace(axis, label=said(axis.label), unit=said(axis.unit))


def _series(one: Series) -> Series:
    return replace(
        one,
        name=said(one.name),
        labels=[": ".join(said(part) for part in label.split(": ")) for label in one.labels],
        points=[{said(key): at for key, at in each.items()} for each in one.points],
    )
