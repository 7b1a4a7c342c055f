"""What points are coloured by: groups with a name, a colour and a shape, and the group of each photograph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication, QLocale

from app.gui.map.dots import Shape
from app.mapping_groups import MOST

if TYPE_CHECKING:
    from app.map_results import MapFacts, MapResult

MOST_GROUPS = MOST
_MONTHS = (1, 2, 3, 6, 12, 24, 36, 60, 120, 240, 600, 1200)  # that one group of dates may take
_DAY = 1_000_000  # as dates of taking are written: 20230514110800
_OUTLIERS = 0.03  # of dates at each end: a wrong clock is not to make all others one group
_NEAREST = (10, 30, 100, 300, 1000, 3000)


class By(StrEnum):
    """What may tell colours."""

    FOLDER = "folder"
    DATE = "date"
    CLUSTER = "cluster"
    MARK = "mark"
    LIKENESS = "likeness"


@dataclass(frozen=True)
class Group:
    """Photographs of one colour.

    Attributes
    ----------
    name : str
    place : int
        Its colour: among those of kinds, or of steps; below 0, grey.
    count : int
    shape : Shape
    typical : int
        A photograph that shows what is in it, or -1.
    """

    name: str
    place: int
    count: int
    shape: Shape = Shape.DISC
    typical: int = -1


@dataclass(frozen=True, eq=False)
class Colouring:
    """How the points of a map are coloured.

    Attributes
    ----------
    by : By
    groups : tuple of Group
        In the order of the legend.
    of : ndarray of uint8, (n,)
        The group of each point.
    steps : int
        Of how many colours from faint to strong; 0 where colours are of kinds without order.
    """

    by: By
    groups: tuple[Group, ...]
    of: npt.NDArray[np.uint8]
    steps: int = 0


def by_cluster(found: MapResult) -> Colouring:
    """Colour what lies together: a few groups that hold all but what lies alone.

    Clusters themselves are named on the map; they are too many for colours that can be told apart.
    """
    number = QCoreApplication.translate("Map", "group {0}")
    groups = [
        Group(one.name or number.format(place + 1), place, one.photographs, Shape(place % len(Shape)), one.typical)
        for place, one in enumerate(found.groups)
    ]
    alone = int((found.group < 0).sum())
    if alone or not groups:
        rest = QCoreApplication.translate("Map", "alone")
        if found.silent:
            rest = QCoreApplication.translate("Map", "alone, or nothing to compare")
        groups.append(Group(rest, -1, alone))
    return Colouring(
        By.CLUSTER, tuple(groups), np.where(found.group < 0, len(groups) - 1, found.group).astype(np.uint8)
    )


def by_folder(facts: MapFacts) -> Colouring:
    """Colour by folder: those in which the paths of all photographs part, the largest first."""
    parts = [tuple(part for part in one.split("/") if part) for one in facts.inner]
    heads = _heads(parts)
    names = list(dict.fromkeys(heads))
    numbers = {name: place for place, name in enumerate(names)}
    number = np.array([numbers[one] for one in heads] or [0], np.int64)
    of = np.where(facts.folder >= 0, number[facts.folder], -1) if parts else np.full(len(facts.folder), -1)
    return _of_kinds(By.FOLDER, names, of, QCoreApplication.translate("Map", "other folders"))


def _heads(parts: Sequence[tuple[str, ...]]) -> list[str]:
    """Give for each path its first part that not all have; its last one where there is none."""
    common = 0
    while parts and all(len(one) > common + 1 for one in parts) and len({one[common] for one in parts}) == 1:
        common += 1
    heads = [one[min(common, len(one) - 1)] if one else "/" for one in parts]
    if len(set(heads)) == 1:
        heads = [one[min(common + 1, len(one) - 1)] if one else "/" for one in parts]
    return heads


def by_mark(facts: MapFacts) -> Colouring:
    """Colour what was said of photographs."""
    translate = QCoreApplication.translate
    names = [
        translate("Map", "marked similar"),
        translate("Map", "marked different"),
        translate("Map", "marked both"),
    ]
    of = facts.mark.astype(np.int64) - 1
    counts = np.bincount(of[of >= 0], minlength=3)
    groups = [Group(name, place, int(counts[place]), Shape(place)) for place, name in enumerate(names)]
    groups.append(Group(translate("Map", "not marked"), -1, int((of < 0).sum())))
    return Colouring(By.MARK, tuple(groups), np.where(of < 0, 3, of).astype(np.uint8))


def _of_kinds(by: By, names: Sequence[str], of: npt.NDArray[np.int64], rest: str) -> Colouring:
    """Give the largest kinds a colour and a shape each, and all others grey."""
    counts = np.bincount(of[of >= 0], minlength=len(names))
    some = [place for place in np.argsort(-counts, kind="stable").tolist() if counts[place]][:MOST_GROUPS]
    into = np.full(len(names) + 1, len(some), np.uint8)  # the last one: of none
    into[some] = np.arange(len(some), dtype=np.uint8)
    given = into[of]
    left = int((given == len(some)).sum())
    groups = [Group(names[place], n, int(counts[place]), Shape(n % len(Shape))) for n, place in enumerate(some)]
    if left:
        groups.append(Group(rest, -1, left))
    return Colouring(by, tuple(groups), given)


def by_date(facts: MapFacts) -> Colouring:
    """Colour by when photographs were taken: up to seven equal times, the newest strongest."""
    day = facts.taken // _DAY
    months = (day // 10_000) * 12 + np.clip(day // 100 % 100, 1, 12) - 1
    dated = facts.taken > 0
    none = QCoreApplication.translate("Map", "no date")
    if not dated.any():
        return Colouring(By.DATE, (Group(none, -1, len(day)),), np.zeros(len(day), np.uint8))
    ordered = np.sort(months[dated])
    first, last = (int(ordered[round(share * (len(ordered) - 1))]) for share in (_OUTLIERS, 1 - _OUTLIERS))
    step = next((one for one in _MONTHS if last // one - first // one < MOST_GROUPS), _MONTHS[-1] * 10)
    count = last // step - first // step + 1
    number = np.clip(months // step - first // step, 0, count - 1)
    of = np.where(dated, number, count).astype(np.uint8)
    counts = np.bincount(of, minlength=count + 1)
    names = [_written((first // step + one) * step, step) for one in range(count)]
    if ordered[0] // step < first // step:
        names[0] = QCoreApplication.translate("Map", "{0} and before").format(names[0])
    if ordered[-1] // step > last // step:
        names[-1] = QCoreApplication.translate("Map", "{0} and after").format(names[-1])
    groups = [Group(name, one, int(counts[one])) for one, name in enumerate(names)]
    if counts[count]:
        groups.append(Group(none, -1, int(counts[count]), Shape.RING))
    return Colouring(By.DATE, tuple(groups), of, steps=count)


def _written(month: int, months: int) -> str:
    """Write a time for people: May 2023, Jan – Mar 2023, 2023, 2020 – 2022.

    Examples
    --------
    >>> _written(2023 * 12, 12), _written(2020 * 12, 36)
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


def by_likeness(similarities: npt.NDArray[np.float32]) -> Colouring:
    """Colour by how alike all are to one photograph: the 10 nearest, the 30 nearest, and so on."""
    translate = QCoreApplication.translate
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
        least = f"{float(known[order[end]]):.2f}".replace("0.", ".", 1)
        count = end - (ends[place - 1] if place else 0)  # without the photograph itself
        words = translate("Map", "next {0}, from {1}") if place else translate("Map", "{0} nearest, from {1}")
        groups.append(Group(words.format(f"{count:,}", least), len(ends) - 1 - place, count))
    rest = translate("Map", "less alike") if ends else translate("Map", "all")
    groups.append(Group(rest, -1, counts[len(ends)]))
    return Colouring(By.LIKENESS, tuple(groups), of, steps=len(ends))
