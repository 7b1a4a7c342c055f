"""Measures: everything that is measured of a candidate, declared once for every table, document and figure.

A value is kept under the key of its measure, in seconds, bytes, items or as a share, and shown in the measure's unit.
A key is ``recall@10`` where a measure is taken among the first ten, and ``seconds fit`` or ``bytes codes`` for a part.

What bench measures of a candidate stands in its tables by the measure's own word (`MeasureTable`), in the order of
this file: a new measure is in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any

from twinlens.core.message import NOTHING, Message


class MeasureTable(Flag):
    """What is written of a candidate: tables in the terminal, the document, and the table as CSV.

    The Lab's own table has every measure with a `heading`.
    """

    NONE = 0
    TERMINAL = auto()
    DOCUMENT = auto()
    CSV = auto()
    ALL = TERMINAL | DOCUMENT | CSV
    FILES = DOCUMENT | CSV


@dataclass(frozen=True)
class PerformanceMeasure:
    """One measure.

    Attributes
    ----------
    tables : MeasureTable
        That have it of every candidate.
    title : Message or str
        Heading in a table of a terminal, where cells have the unit.
    heading : Message or str
        Heading where cells are bare numbers; empty where no such table has it.
    help : Message
        What it means.
    axis, axis_unit : Message or str
        What an axis says; empty where no figure has one.
    unit : str
        That values are shown in: ``""`` for shares and numbers of items, ``s``, ``ms``, ``µs``, ``B``, ``%``, and
        ``size`` for bytes in a larger unit where there are many.
    scale : float
        Number of these units in one unit of the kept value.
    decimals : int
        Of the shown value.
    better : int
        1 where more is better, -1 where less is, 0 where neither.
    sign : str
        ``+`` where gains stand beside losses.
    significant : bool
        Whether `decimals` counts significant digits.
    hides_zero : bool
        Whether nothing is shown instead of 0, which means that there is no such thing.
    """

    key: str
    title: Message | str = ""
    heading: Message | str = ""
    help: Message = NOTHING
    axis: Message | str = ""
    axis_unit: Message | str = ""
    unit: str = ""
    scale: float = 1
    decimals: int = 0
    better: int = -1
    sign: str = ""
    significant: bool = False
    hides_zero: bool = False
    tables: MeasureTable = MeasureTable.ALL

    @property
    def form(self) -> str:
        """Format of a shown value."""
        return f"{self.sign},.{self.decimals}{'g' if self.significant else 'f'}"

    @property
    def has_spread(self) -> bool:
        """Whether the spread is shown beside the value: of qualities, and not of costs."""
        return bool(self.decimals) and not self.unit and not self.significant


def _share(
    key: str,
    title: Message | str = "",
    heading: Message | str = "",
    about: Message = NOTHING,
    axis: Message | str = "",
    tables: MeasureTable = MeasureTable.ALL,
) -> PerformanceMeasure:
    """Declare a quality from 0 to 1."""
    return PerformanceMeasure(key, title, heading, about, axis, decimals=3, better=1, tables=tables)


def _points(key: str, title: Message | str, better: int = 1, sign: str = "") -> PerformanceMeasure:
    """Declare an accuracy, or a difference of two, in percentage points."""
    return PerformanceMeasure(key, title, scale=100, decimals=1, better=better, sign=sign)


def _duration(
    key: str,
    title: Message | str = "",
    heading: Message | str = "",
    about: Message = NOTHING,
    tables: MeasureTable = MeasureTable.ALL,
) -> PerformanceMeasure:
    """Declare seconds of making something."""
    return PerformanceMeasure(key, title, heading, about, unit="s", decimals=2, tables=tables)


def _size(
    key: str, title: Message | str, hides_zero: bool = False, tables: MeasureTable = MeasureTable.ALL
) -> PerformanceMeasure:
    """Declare bytes."""
    return PerformanceMeasure(key, title, unit="size", hides_zero=hides_zero, tables=tables)


def _by_key(*measures: PerformanceMeasure) -> dict[str, PerformanceMeasure]:
    return {one.key: one for one in measures}


QUALITIES = _by_key(
    _share("recall@1", "R@1", "recall@1", Message("Share of queries whose nearest photo is first by its code")),
    _share(
        "recall@10", "R@10", "recall@10",
        Message("Share of queries whose nearest photo is among the first 10"),
        Message("recall@10, share of queries"),
    ),
    _share(
        "recall@100", "R@100", "recall@100",
        Message("Share of queries whose nearest photo is among the first 100"),
    ),
    _share("recall@1000", "R@1000"),
    _share("found@1", "found@1", tables=MeasureTable.FILES),
    _share(
        "found@10", "found@10", Message("found@10"), Message("Share of the right photos among the first 10 results")
    ),
    _share("precision@1", tables=MeasureTable.FILES),
    _share("precision@10", "P@10", Message("precision@10"), Message("Share of the first 10 results that are right")),
    _share(
        "overlap@10", "overlap@10", Message("overlap@10"),
        Message("Share of the true first 10 that the search finds"),
        Message("overlap@10, share of the true first 10"),
    ),
    _share("overlap@100", "overlap@100", tables=MeasureTable.FILES),
    _share("worst@10", "worst@10", Message("worst query"), Message("Overlap@10 of the query with the lowest overlap")),
    PerformanceMeasure(
        "error@10", "error@10", help=Message("Standard error of overlap@10 over the queries"), decimals=3,
        tables=MeasureTable.FILES,
    ),
    _share("chance", tables=MeasureTable.DOCUMENT),
    _share(
        "map", "mAP", "mAP", Message("Mean average precision of the ranking by codes"),
        Message("mean average precision"),
    ),
    _share("map_candidates", "mAP 100"),
    _share(
        "accuracy", Message("accuracy"), Message("accuracy"),
        Message("Share of queries whose nearest photos vote for the right label"),
        Message("accuracy of the vote, share of queries"),
    ),
    _share("accuracy_before", Message("before"), tables=MeasureTable.TERMINAL | MeasureTable.DOCUMENT),
    PerformanceMeasure(
        "wrong", Message("wrong"), Message("wrong@10"), Message("Share of the wrong photos among the first 10 results"),
        decimals=3, tables=MeasureTable.NONE,
    ),
)  # fmt: skip
"""How well a candidate finds."""

COSTS = _by_key(
    # What a search costs, per query.
    PerformanceMeasure(
        "dropped", Message("dropped"), better=0, hides_zero=True, tables=MeasureTable.TERMINAL | MeasureTable.DOCUMENT
    ),
    PerformanceMeasure(
        "looked_at", Message("looked at"), Message("looked at"), Message("Candidates compared exactly per query"),
        Message("measured exactly, a query"), Message("photos"),
    ),
    PerformanceMeasure("scanned", Message("scanned")),
    PerformanceMeasure("probed", Message("probed"), hides_zero=True),
    # What making an index costs, and a search of it.
    _duration("seconds fit", Message("fit"), Message("fit s"), Message("Seconds of learning")),
    _duration("seconds encode", Message("encode")),
    PerformanceMeasure(
        "seconds encode each", Message("encode"), Message("encode µs"), Message("Microseconds to encode a photo"),
        unit="µs", scale=1e6, decimals=1, tables=MeasureTable.NONE,
    ),
    _duration("seconds build", Message("build")),
    _duration("seconds encode_query", tables=MeasureTable.FILES),
    _duration("seconds search", tables=MeasureTable.FILES),
    _duration("seconds exact", tables=MeasureTable.FILES),
    PerformanceMeasure(
        "seconds query", Message("query"), Message("search ms"), Message("Milliseconds per query, from its vector on"),
        Message("query time (without feature extraction)"), "ms", "ms", 1000, 2, hides_zero=True,
        tables=MeasureTable.TERMINAL,
    ),
    PerformanceMeasure(
        "seconds tenfold", Message("query at 10x"), Message("at 10×, ms"),
        Message("Milliseconds per query with ten times as many photos"), unit="ms", scale=1000,
        tables=MeasureTable.NONE,
    ),
    _size("bytes model", Message("model")),
    _size("bytes codes", Message("codes")),
    _size("bytes search", Message("lists"), hides_zero=True),
    _size("bytes code", Message("per code"), tables=MeasureTable.NONE),
    _size("bytes whole", Message("in all"), tables=MeasureTable.NONE),
    PerformanceMeasure(
        "bytes each", Message("per photo"), Message("bytes"), Message("Bytes of codes and lists per photo"),
        Message("space of codes and lists"), Message("bytes a photo"), "B", tables=MeasureTable.CSV,
    ),
)  # fmt: skip
"""What it costs."""

MEASURES = {
    **QUALITIES,
    **COSTS,
    # Votes over partitions, in percentage points, and what the search takes of the linear scan.
    **_by_key(
        PerformanceMeasure("pairs", Message("pairs"), better=0, hides_zero=True),
        _points("before", Message("before")),
        _points("after", Message("after")),
        _points("gain", Message("gain"), sign="+"),
        _points("lost_before", Message("lost"), better=-1, sign="+"),
        _points("lost", Message("lost"), better=-1, sign="+"),
        PerformanceMeasure("overlap share", Message("found"), unit="%", scale=100, better=1),
        PerformanceMeasure("looked_at share", Message("looked at"), unit="%", scale=100, decimals=1),
        PerformanceMeasure("scanned share", Message("scanned"), unit="%", scale=100, decimals=1),
        PerformanceMeasure("query_seconds", Message("query"), unit="ms", scale=1000, decimals=3),
        PerformanceMeasure("times", "x", decimals=2, better=1, significant=True),
        _duration("fit_seconds", Message("fit")),
    ),
}
"""Every measure by its key."""

VOTE_MEASURES = {
    "before": "before", "after": "after", "gain": "gain", "lost_before": "lost_before", "lost": "lost",
    "overlap": "overlap share", "looked_at": "looked_at share", "scanned": "scanned share",
    "query_seconds": "query_seconds", "times": "times", "fit_seconds": "fit_seconds",
}  # fmt: skip
"""Measures of votes by their names in documents and tables."""

_PLACES = {key: place for place, key in enumerate(MEASURES)}


def in_order(keys: Iterable[str], *first: str) -> list[str]:
    """Return keys in the order of :data:`MEASURES`, some of them first; ``recall@`` stands for all its counts.

    Examples
    --------
    >>> in_order(["seconds fit", "map", "overlap@10", "recall@10", "recall@1"], "overlap@")
    ['overlap@10', 'recall@1', 'recall@10', 'map', 'seconds fit']
    """

    def place(key: str) -> tuple[int, int]:
        chosen = (at for at, one in enumerate(first) if key == one or (one[-1] in "@ " and key.startswith(one)))
        return next(chosen, len(first)), _PLACES.get(key, len(_PLACES))

    return sorted(keys, key=place)


def measures_of(table: MeasureTable, measures: Mapping[str, PerformanceMeasure], *first: str) -> list[str]:
    """Return the keys of the measures that a table has, in order; see :func:`in_order`."""
    return in_order((key for key, one in measures.items() if table in one.tables), *first)


def by_count(values: Mapping[str, float], measure: str) -> dict[str, float]:
    """Return the values of a measure by the ends of their keys: of ``recall@`` by count, of nothing all by their keys.

    Examples
    --------
    >>> by_count({"recall@1": 0.5, "recall@10": 0.75, "map": 0.25}, "recall@")
    {'1': 0.5, '10': 0.75}
    """
    return {key.removeprefix(measure): value for key, value in values.items() if key.startswith(measure)}


def grouped(values: Mapping[str, float]) -> dict[str, float | dict[str, float]]:
    """Return values as they are kept: counts of one measure, and parts of one, in a mapping of their own.

    Examples
    --------
    >>> grouped({"recall@1": 0.5, "recall@10": 0.75, "map": 0.25, "seconds fit": 2.0})
    {'recall': {'1': 0.5, '10': 0.75}, 'map': 0.25, 'seconds': {'fit': 2.0}}
    """
    found: dict[str, float | dict[str, float]] = {}
    for key, value in values.items():
        name, *end = re.split("[@ ]", key, maxsplit=1)
        group = found.setdefault(name, {}) if end else None
        if isinstance(group, dict):
            group[end[0]] = value
        else:
            found[key] = value
    return found


def ungrouped(kept: Mapping[str, Any]) -> dict[str, float]:
    """Return kept values by measure, without those that are None.

    Raises
    ------
    ValueError
        If one is no number.

    Examples
    --------
    >>> ungrouped({"recall": {"1": 0.5, "10": 0.75}, "map": None, "seconds": {"fit": 2.0}})
    {'recall@1': 0.5, 'recall@10': 0.75, 'seconds fit': 2.0}
    """
    found = {}
    for name, one in kept.items():
        ends = one if isinstance(one, Mapping) else {"": one}
        for end, value in ends.items():
            key = f"{name}{'@' if end.isdigit() else ' ' if end else ''}{end}"
            if value is not None and not isinstance(value, int | float):
                raise ValueError(f"{key} is no number")
            if value is not None:
                found[key] = value
    return found
