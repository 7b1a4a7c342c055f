"""Colouring of the points of a map: groups with a name, a colour and a shape, and the group of each photograph.

Colour-blind people can tell the colours of groups apart, in light and in dark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLocale

from twinlens.app.gui.look.theme import DARK, Theme, theme
from twinlens.app.gui.map.dots import PointInks, PointShape
from twinlens.app.lab.figures.figure import series_colour
from twinlens.app.language.texts import _, current_language, number
from twinlens.app.map.map_groups import MOST

if TYPE_CHECKING:
    from twinlens.app.map.map_results import MapFacts, MapResult


MOST_GROUPS = MOST
_MONTHS = (1, 2, 3, 6, 12, 24, 36, 60, 120, 240, 600, 1200)  # that one group of dates may take
_DAY = 1_000_000  # as dates of taking are written: 20230514110800
_OUTLIERS = 0.03  # of dates at each end: a wrong clock is not to make all others one group
_NEARLY = 1.5  # times what a depth of folders tells, must a greater one tell to be worth more names
_NEAREST = (10, 30, 100, 300, 1000, 3000)


class ColourBy(StrEnum):
    """Properties by which points may be coloured."""

    FOLDER = "folder"
    DATE = "date"
    CLUSTER = "cluster"
    MARK = "mark"
    LIKENESS = "likeness"


@dataclass(frozen=True)
class PointGroup:
    """Photographs of one colour.

    Attributes
    ----------
    place : int
        Its colour: among those of kinds, or of steps; below 0, grey.
    typical : int
        A photograph that shows what is in it, or -1.
    """

    name: str
    place: int
    count: int
    shape: PointShape = PointShape.DISC
    typical: int = -1


@dataclass(frozen=True, eq=False)
class Colouring:
    """A colouring of the points of a map.

    Attributes
    ----------
    groups : tuple of PointGroup
        In the order of the legend.
    of : ndarray of uint8, (n,)
        The group of each point.
    steps : int
        Of how many colours from faint to strong; 0 where colours are of kinds without order.
    """

    by: ColourBy
    groups: tuple[PointGroup, ...]
    of: npt.NDArray[np.uint8]
    steps: int = 0


def by_cluster(found: MapResult) -> Colouring:
    """Colour by clusters: a few groups with all photographs except outliers.

    Clusters themselves are named on the map; they are too many for colours that can be told apart.
    """
    groups = [
        PointGroup(
            one.words(current_language()) or _("group {number:d}", number=place + 1),
            place,
            one.photographs,
            PointShape(place % len(PointShape)),
            one.typical,
        )
        for place, one in enumerate(found.groups)
    ]
    alone = int((found.group < 0).sum())
    if alone or not groups:
        rest = _("alone")
        if found.silent:
            rest = _("alone, or nothing to compare")
        groups.append(PointGroup(rest, -1, alone))
    return Colouring(
        ColourBy.CLUSTER, tuple(groups), np.where(found.group < 0, len(groups) - 1, found.group).astype(np.uint8)
    )


def by_folder(facts: MapFacts) -> Colouring:
    """Colour by folder, at the depth that separates most photographs, the largest first."""
    parts = [tuple(part for part in one.split("/") if part) or ("/",) for one in facts.inner]
    counts = np.bincount(facts.folder[facts.folder >= 0], minlength=len(parts))
    heads = _heads(parts, counts)
    kinds = list(dict.fromkeys(heads))
    numbers = {kind: place for place, kind in enumerate(kinds)}
    number = np.array([numbers[one] for one in heads] or [0], np.int64)
    of = np.where(facts.folder >= 0, number[facts.folder], -1) if parts else np.full(len(facts.folder), -1)
    return _of_kinds(ColourBy.FOLDER, _short(kinds), of, _("other folders"))


_Path = tuple[str, ...]


def _heads(parts: Sequence[_Path], counts: npt.NDArray[np.int64]) -> list[_Path]:
    """Cut each path at the depth that separates most; at a smaller one that separates nearly as much."""
    levels = [[one[:depth] for one in parts] for depth in range(1, max(map(len, parts), default=1) + 1)]
    told = [_told_apart(heads, counts) for heads in levels]
    return next((heads for heads, one in zip(levels, told, strict=True) if _NEARLY * one >= max(told)), [])


def _told_apart(heads: Sequence[_Path], counts: npt.NDArray[np.int64]) -> float:
    """Return the entropy of the colours: the largest folders have one each, all others share grey."""
    sizes: Counter[_Path] = Counter()
    for head, count in zip(heads, counts.tolist(), strict=True):
        sizes[head] += count
    largest = [size for __, size in sizes.most_common(MOST_GROUPS)]
    total = sizes.total()
    shares = np.array([size / total for size in (*largest, total - sum(largest)) if size]) if total else np.ones(1)
    return float(-(shares * np.log(shares)).sum())


def _short(paths: Sequence[_Path]) -> list[str]:
    """Name folders by the last parts of their paths, as many as make them distinct."""
    names: dict[_Path, str] = {}
    for length in range(1, max(map(len, paths), default=0) + 1):
        left = [one for one in paths if one not in names]
        ends = Counter(one[-length:] for one in paths)
        names |= {one: "/".join(one[-length:]) for one in left if ends[one[-length:]] == 1 or length >= len(one)}
    return [names[one] for one in paths]


def by_mark(facts: MapFacts) -> Colouring:
    """Colour by marks."""
    names = [
        _("marked similar"),
        _("marked different"),
        _("marked both"),
    ]
    of = facts.mark.astype(np.int64) - 1
    counts = np.bincount(of[of >= 0], minlength=3)
    groups = [PointGroup(name, place, int(counts[place]), PointShape(place)) for place, name in enumerate(names)]
    groups.append(PointGroup(_("not marked"), -1, int((of < 0).sum())))
    return Colouring(ColourBy.MARK, tuple(groups), np.where(of < 0, 3, of).astype(np.uint8))


def _of_kinds(by: ColourBy, names: Sequence[str], of: npt.NDArray[np.int64], rest: str) -> Colouring:
    """Assign a colour and a shape to each of the largest kinds, and grey to all others."""
    counts = np.bincount(of[of >= 0], minlength=len(names))
    some = [place for place in np.argsort(-counts, kind="stable").tolist() if counts[place]][:MOST_GROUPS]
    into = np.full(len(names) + 1, len(some), np.uint8)  # the last one: of none
    into[some] = np.arange(len(some), dtype=np.uint8)
    given = into[of]
    left = int((given == len(some)).sum())
    groups = [
        PointGroup(names[place], n, int(counts[place]), PointShape(n % len(PointShape))) for n, place in enumerate(some)
    ]
    if left:
        groups.append(PointGroup(rest, -1, left))
    return Colouring(by, tuple(groups), given)


def by_date(facts: MapFacts) -> Colouring:
    """Colour by capture date: up to seven periods of equal length, the newest strongest."""
    day = facts.taken // _DAY
    months = (day // 10_000) * 12 + np.clip(day // 100 % 100, 1, 12) - 1
    dated = facts.taken > 0
    none = _("no date")
    if not dated.any():
        return Colouring(ColourBy.DATE, (PointGroup(none, -1, len(day)),), np.zeros(len(day), np.uint8))
    ordered = np.sort(months[dated])
    first, last = (int(ordered[round(share * (len(ordered) - 1))]) for share in (_OUTLIERS, 1 - _OUTLIERS))
    step = next((one for one in _MONTHS if last // one - first // one < MOST_GROUPS), _MONTHS[-1] * 10)
    count = last // step - first // step + 1
    number = np.clip(months // step - first // step, 0, count - 1)
    of = np.where(dated, number, count).astype(np.uint8)
    counts = np.bincount(of, minlength=count + 1)
    names = [_period_text((first // step + one) * step, step) for one in range(count)]
    if ordered[0] // step < first // step:
        names[0] = _("{names} and before", names=names[0])
    if ordered[-1] // step > last // step:
        names[-1] = _("{names} and after", names=names[-1])
    groups = [PointGroup(name, one, int(counts[one])) for one, name in enumerate(names)]
    if counts[count]:
        groups.append(PointGroup(none, -1, int(counts[count]), PointShape.RING))
    return Colouring(ColourBy.DATE, tuple(groups), of, steps=count)


def _period_text(month: int, months: int) -> str:
    """Return a period in words: May 2023, Jan – Mar 2023, 2023, 2020 – 2022.

    Examples
    --------
    >>> _period_text(2023 * 12, 12), _period_text(2020 * 12, 36)
    ('2023', '2020 – 2022')
    """
    year = month // 12
    if months >= 12:
        last = year + months // 12 - 1
        return f"{year}" if last == year else f"{year} – {last}"
    names = [
        QLocale().standaloneMonthName(one % 12 + 1, QLocale.FormatType.ShortFormat)
        for one in (month, month + months - 1)
    ]
    return f"{names[0]} {year}" if months == 1 else f"{names[0]} – {names[1]} {year}"


def by_similarity(similarities: npt.NDArray[np.float32]) -> Colouring:
    """Colour by similarity to one photograph: the 10 nearest, the 30 nearest, and so on."""
    known = np.where(np.isnan(similarities), -np.inf, similarities)
    order = np.argsort(-known, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))  # the photograph itself is the first
    n = len(order)
    ends = [one for one in _NEAREST if one + 1 < n]
    of = np.searchsorted(np.array([one + 1 for one in ends]), rank, side="right").astype(np.uint8)
    counts = Counter(of.tolist())
    groups = []
    for place, end in enumerate(ends):
        least = number(float(known[order[end]]), ".2f")
        count = end - (ends[place - 1] if place else 0)  # without the photograph itself
        name = (
            _("next {count}, from {least}", count=count, least=least)
            if place
            else _("{count} nearest, from {least}", count=count, least=least)
        )
        groups.append(PointGroup(name, len(ends) - 1 - place, count))
    rest = _("less alike") if ends else _("all")
    groups.append(PointGroup(rest, -1, counts[len(ends)]))
    return Colouring(ColourBy.LIKENESS, tuple(groups), of, steps=len(ends))


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
    """Return the colours of all groups, then dimmed, then faint: three times as many as groups."""
    held = now or theme()
    ground = rgb(held.ground)
    plain = [rgb(group_colour(one, coloured, held)) for one in coloured.groups]
    colours = [*plain, *(mixed(ground, one, _DIM) for one in plain), *(mixed(ground, one, _GONE) for one in plain)]
    return PointInks(tuple(colours), tuple(one.shape for one in coloured.groups) * 3)


def rgb(text: str) -> Rgb:
    """Return the numbers of a colour #rrggbb.

    Examples
    --------
    >>> rgb("#0080ff")
    (0, 128, 255)
    """
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mixed(ground: Rgb, over: Rgb, share: float) -> Rgb:
    """Mix a share of one colour into another."""
    red, green, blue = (round(below + share * (above - below)) for below, above in zip(ground, over, strict=True))
    return red, green, blue
