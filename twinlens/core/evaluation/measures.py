"""Measures: everything that is measured of a candidate, declared once for every table, document and figure.

A value is kept under the key of its measure, in seconds, bytes, items or as a share, and shown in the measure's unit.
A key is ``recall@10`` where a measure is taken among the first ten, and ``seconds fit`` or ``bytes codes`` for a part.
"""

from __future__ import annotations

from dataclasses import dataclass

from twinlens.core.message import NOTHING, Message


@dataclass(frozen=True)
class PerformanceMeasure:
    """One measure.

    Attributes
    ----------
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
    title: Message | str
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

    @property
    def form(self) -> str:
        """Format of a shown value."""
        return f"{self.sign},.{self.decimals}{'g' if self.significant else 'f'}"

    @property
    def has_spread(self) -> bool:
        """Whether the spread is shown beside the value: of qualities, and not of costs."""
        return bool(self.decimals) and not self.unit and not self.significant


def _share(
    key: str, title: Message | str, heading: Message | str = "", about: Message = NOTHING, axis: Message | str = ""
) -> PerformanceMeasure:
    """Declare a quality from 0 to 1."""
    return PerformanceMeasure(key, title, heading, about, axis, decimals=3, better=1)


def _points(key: str, title: Message | str, better: int = 1, sign: str = "") -> PerformanceMeasure:
    """Declare an accuracy, or a difference of two, in percentage points."""
    return PerformanceMeasure(key, title, scale=100, decimals=1, better=better, sign=sign)


def _duration(
    key: str, title: Message | str, heading: Message | str = "", about: Message = NOTHING
) -> PerformanceMeasure:
    """Declare seconds of making something."""
    return PerformanceMeasure(key, title, heading, about, unit="s", decimals=2)


def _size(key: str, title: Message | str, hides_zero: bool = False) -> PerformanceMeasure:
    """Declare bytes."""
    return PerformanceMeasure(key, title, unit="size", hides_zero=hides_zero)


MEASURES = {
    one.key: one
    for one in (
        # How well a candidate finds.
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
        _share("found@1", "found@1"),
        _share(
            "found@10", "found@10", Message("found@10"),
            Message("Share of the right photos among the first 10 results"),
        ),
        _share(
            "precision@10", "P@10", Message("precision@10"), Message("Share of the first 10 results that are right")
        ),
        _share(
            "overlap@10", "overlap@10", Message("overlap@10"),
            Message("Share of the true first 10 that the search finds"),
            Message("overlap@10, share of the true first 10"),
        ),
        _share("overlap@100", "overlap@100"),
        _share(
            "worst@10", "worst@10", Message("worst query"),
            Message("Overlap@10 of the query with the lowest overlap"),
        ),
        PerformanceMeasure(
            "error@10", "error@10", help=Message("Standard error of overlap@10 over the queries"), decimals=3
        ),
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
        _share("accuracy_before", Message("before")),
        PerformanceMeasure(
            "wrong", Message("wrong"), Message("wrong@10"),
            Message("Share of the wrong photos among the first 10 results"), decimals=3,
        ),
        # Votes over partitions, in percentage points, and what the search takes of the linear scan.
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
        # What a search costs, per query.
        PerformanceMeasure("dropped", Message("dropped"), better=0, hides_zero=True),
        PerformanceMeasure(
            "looked_at", Message("looked at"), Message("looked at"), Message("Candidates compared exactly per query"),
            Message("measured exactly, a query"), Message("photos"),
        ),
        PerformanceMeasure("scanned", Message("scanned")),
        PerformanceMeasure("probed", Message("probed"), hides_zero=True),
        PerformanceMeasure(
            "seconds query", Message("query"), Message("search ms"),
            Message("Milliseconds per query, from its vector on"),
            Message("query time (without feature extraction)"), "ms", "ms", 1000, 2, hides_zero=True,
        ),
        PerformanceMeasure(
            "seconds tenfold", Message("query at 10x"), Message("at 10×, ms"),
            Message("Milliseconds per query with ten times as many photos"), unit="ms", scale=1000,
        ),
        # What making an index costs.
        _duration("seconds fit", Message("fit"), Message("fit s"), Message("Seconds of learning")),
        _duration("seconds encode", Message("encode")),
        _duration("seconds build", Message("build")),
        PerformanceMeasure(
            "seconds encode each", Message("encode"), Message("encode µs"), Message("Microseconds to encode a photo"),
            unit="µs", scale=1e6, decimals=1,
        ),
        _size("bytes model", Message("model")),
        _size("bytes codes", Message("codes")),
        _size("bytes search", Message("lists"), hides_zero=True),
        _size("bytes code", Message("per code")),
        _size("bytes whole", Message("in all")),
        PerformanceMeasure(
            "bytes each", Message("per photo"), Message("bytes"), Message("Bytes of codes and lists per photo"),
            Message("space of codes and lists"), Message("bytes a photo"), "B",
        ),
    )
}  # fmt: skip
"""Every measure by its key."""

VOTE_MEASURES = {
    "before": "before", "after": "after", "gain": "gain", "lost_before": "lost_before", "lost": "lost",
    "overlap": "overlap share", "looked_at": "looked_at share", "scanned": "scanned share",
    "query_seconds": "query_seconds", "times": "times", "fit_seconds": "fit_seconds",
}  # fmt: skip
"""Measures of votes by their names in documents and tables."""
