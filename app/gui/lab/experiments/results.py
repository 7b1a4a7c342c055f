"""Results of runs side by side, and what was measured of each of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.language.spoken import _, text
from core.message import NOTHING, Message

if TYPE_CHECKING:
    from app.lab.experiments.results import LabRow, LabRun
    from app.lab.figures.figure import Figure

_QUALITY = ("recall@1", "recall@10", "recall@100", "map", "accuracy", "overlap@10")
_OF_RANKING = ("recall@1", "recall@100", "map")  # the same with every search structure: one of its kind is enough
COSTS = {"fit": 2, "encode": 1, "search": 2, "looked at": 0, "bytes": 0}
"""Measures of cost, and their decimals."""


@dataclass(frozen=True)
class TableRow:
    """A row of a run.

    Attributes
    ----------
    run : LabRun
    row : LabRow
    name : str
        Its method without the parameters common to all rows.
    place : int
        In the palette.
    can_index : bool
        Whether it can become an index of the library.
    """

    run: LabRun
    row: LabRow
    name: str
    place: int
    can_index: bool

    @property
    def key(self) -> str:
        """Its key in the figures."""
        return self.row.key

    def figure(self, name: str) -> float | None:
        """Return what a column has of it; None where it was not measured."""
        one, (kind, __, count) = self.row.measured, name.partition("@")
        if kind in ("recall", "overlap"):
            return (one.recall if kind == "recall" else one.overlap).get(count)
        return {
            "map": one.map,
            "accuracy": one.accuracy,
            "fit": one.seconds.fit,
            "encode": 1e6 * one.seconds.encode / max(1, one.of),
            "search": 1e3 * (one.seconds.encode_query + one.seconds.search),
            "looked at": one.looked_at,
            "bytes": self.row.bytes_each,
        }[name]

    def about(self) -> str:
        """Return its figures with more decimals, its seeds and its note."""
        one = self.row.measured
        lines = [one.method, one.search, _("seeds {seeds}", seeds=one.seeds)]
        for measure in _QUALITY:
            mean, spread = self.figure(measure), one.deviation.get(measure)
            if mean is not None and spread is None:
                lines.append(_("{measure} {mean:.4f}", measure=measure, mean=mean))
            elif mean is not None:
                lines.append(_("{measure} {mean:.4f} ± {spread:.4f}", measure=measure, mean=mean, spread=spread))
        return "\n".join(filter(None, [*lines, text(one.note)]))


@dataclass(frozen=True)
class Results:
    """Runs to be seen side by side.

    Attributes
    ----------
    runs : sequence of LabRun
        None of a run of which nothing is measured yet.
    rows : sequence of TableRow
    figures : sequence of Figure
    finding : Message
    notes : sequence of str
        About the runs.
    title : str
        Of a run of which nothing is measured yet.
    """

    runs: Sequence[LabRun] = ()
    rows: Sequence[TableRow] = ()
    figures: Sequence[Figure] = ()
    finding: Message = NOTHING
    notes: Sequence[str] = ()
    title: str = ""

    def columns(self) -> list[str]:
        """Return the names of the columns that the rows need."""
        rows = self.rows
        several = len({one.row.measured.search for one in rows}) > 1
        ranked_alike = several and len({(one.run.id, one.row.measured.method) for one in rows}) == 1
        quality = [
            name
            for name in _QUALITY
            if any(one.figure(name) is not None for one in rows)
            and (name != "overlap@10" or several)
            and not (ranked_alike and name in _OF_RANKING)
        ]
        costs = [name for name in COSTS if name != "looked at" or len({one.figure(name) for one in rows}) > 1]
        own = ["method", *(["run"] if len(self.runs) > 1 else []), *(["structure"] if several else []), "bits"]
        return [*own, *quality, *costs, "index"]
