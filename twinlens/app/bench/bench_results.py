"""Results of ``bench``, for hash methods on vectors and for search structures on packed codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field, model_validator

from twinlens.app.results import Result
from twinlens.core.evaluation.measures import (
    COSTS,
    QUALITIES,
    VOTE_MEASURES,
    MeasureTable,
    PerformanceMeasure,
    by_count,
    measures_of,
)
from twinlens.core.message import NOTHING, Message


class BenchData(Result):
    """Data of a bench."""

    base: str
    n: int
    d: int
    queries: int
    truth: str = Field(description="truth by which the true neighbours were found")
    relevant: Message = Field(NOTHING, description="results that count as right in precision, recall and mAP")
    metric: str = Field("", description="metric applied before every method; empty for none")
    left_out: int = Field(0, description="all-zero rows of base and queries, left out for a histogram kernel")


class MeasuredResult(Result):
    """Something measured: its declarations and settings as fields, and what was measured by measure.

    In a document each measure stands under the name that ``LAYOUT`` gives it: a pair of a name and a key of
    :mod:`twinlens.core.evaluation.measures`, or both in one where they are the same. ``recall@`` is all its counts,
    ``seconds fit`` the part ``fit`` of ``seconds``, and behind ``±`` stands what is of the spread. Fields stand under
    their own names.
    """

    values: dict[str, int | float] = Field(description="by measure; means over seeds, splits or partitions")
    spread: dict[str, float] = Field({}, description="of those that were measured several times")
    LAYOUT: ClassVar[Sequence[str | tuple[str, str]]] = ()

    def document(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the document, in the order of the layout."""
        fields = super().document(fields)
        fields = {name: value for name, value in fields.items() if name not in {"values", "spread"}}
        placed: dict[str, Any] = {}
        for entry in self.LAYOUT:
            name, key = (entry, entry) if isinstance(entry, str) else entry
            if name in fields:
                placed[name] = fields.pop(name)
                continue
            group, _, part = name.removesuffix("@").partition(" ")
            if part:
                placed.setdefault(group, {})[part] = self._placed(key)
            else:
                placed[group] = self._placed(key)
        return placed | fields

    @classmethod
    def document_properties(cls, properties: dict[str, Any]) -> dict[str, Any]:
        """Return the schemas of the fields, and of the measures under the names of the layout."""
        properties = super().document_properties(properties)
        figure, by_name = {"type": ["number", "null"]}, {"type": "object", "additionalProperties": {"type": "number"}}
        del properties["values"], properties["spread"]
        for entry in cls.LAYOUT:
            name, key = (entry, entry) if isinstance(entry, str) else entry
            group, _, part = name.removesuffix("@").partition(" ")
            if part and group not in properties:
                properties[group] = {"type": "object", "additionalProperties": figure}
            elif name not in properties and not part:
                properties[group] = by_name if not key.removeprefix("±") or key.endswith("@") else figure
        return properties

    @model_validator(mode="before")
    @classmethod
    def _of_document(cls, document: Any) -> Any:
        """Read a document back: what stands under the names of the layout are the measures."""
        if not isinstance(document, Mapping) or "values" in document:
            return document
        left, values, spread = dict(document), dict[str, Any](), dict[str, Any]()
        placed = [(one, one) if isinstance(one, str) else one for one in cls.LAYOUT]
        for name, key in placed:
            group, _, part = name.removesuffix("@").partition(" ")
            if name in cls.model_fields or group not in left:
                continue
            found = left[group].get(part) if part else left[group]
            of, measure = (spread if key.startswith("±") else values), key.removeprefix("±")
            if isinstance(found, Mapping):
                of |= {f"{measure}{end}": value for end, value in found.items()}
            elif found is not None:
                of[measure] = found
        groups = {name.removesuffix("@").partition(" ")[0] for name, _ in placed if name not in cls.model_fields}
        return {name: one for name, one in left.items() if name not in groups} | {"values": values, "spread": spread}

    def _placed(self, key: str) -> Any:
        of, key = (self.spread if key.startswith("±") else self.values), key.removeprefix("±")
        return of.get(key) if key and not key.endswith("@") else by_count(of, key)


def _names(measures: Mapping[str, PerformanceMeasure]) -> list[str]:
    """Return the names of measures in a document, all counts of one in one."""
    keys = measures_of(MeasureTable.DOCUMENT, measures, "recall@", "overlap@")
    return list(dict.fromkeys(f"{key.partition('@')[0]}@" if "@" in key else key for key in keys))


_QUALITIES, _COSTS = _names(QUALITIES), _names(COSTS)


class BenchMethodResult(MeasuredResult):
    """One method with one search structure, over its seeds."""

    LAYOUT = (
        "method", "search", "bits", "seeds",
        *(name for name in _QUALITIES if "@" in name), "precision_at",
        *(name for name in _QUALITIES if "@" not in name),
        *(name for name in _COSTS if not COSTS[name].unit), "of", *(name for name in _COSTS if COSTS[name].unit),
        ("deviation", "±"), "note", "refused",
    )  # fmt: skip

    method: str
    search: str = Field("scan", description="the search structure, in text form")
    bits: int
    seeds: list[int]
    precision_at: list[tuple[float, float]] = Field(
        description="recall, and mean precision over queries up to the rank that reaches it"
    )
    of: int = Field(description="items that are searched")
    note: Message = NOTHING
    refused: Message = Field(NOTHING, description="why it could not be measured")


class BenchCurve(Result):
    """One curve of one method."""

    method: str
    seed: int | None = Field(description="None for the mean over the seeds")
    curve: str = Field(
        description="recall, precision (x: Hamming radius), recall_at (x: R), "
        "eigenvalue, residual, estimation (x: rank; of kernel methods)"
    )
    points: list[tuple[float, float]] = Field(description="x and y")


class BenchVotes(MeasuredResult):
    """Votes of the nearest with one search and number of pairs, over the partitions.

    Values are means, gains and losses taken within each partition, and the spread is the standard error; there is none
    of one partition.
    """

    LAYOUT = (
        "method", "search", "bits", "pairs",
        *((f"{name} {what}", f"{of}{key}") for name, key in VOTE_MEASURES.items() for what, of in (
            ("mean", ""), ("error", "±"),
        )),
        "note",
    )  # fmt: skip

    method: str = Field(description="text form; empty for the linear scan")
    search: str = Field(description="text form, or linear")
    bits: int = Field(description="0 for the linear scan")
    note: Message = NOTHING


class BenchPartitions(Result):
    """k-NN figures before and after a metric, over random partitions of the base."""

    partitions: int
    classes: int
    k: int = Field(description="voting neighbours")
    base: int = Field(description="searched vectors")
    labelled: int = Field(description="of these, vectors pairs are drawn from; 0 if a file gives the pairs")
    scaled: bool = Field(description="every dimension was scaled to mean 0 and variance 1")
    rows: list[BenchVotes]
    fastest: Message = Field(NOTHING, description="the fastest search, as measured")


class BenchResult(Result):
    """Result of ``bench``."""

    data: BenchData
    results: list[BenchMethodResult] = Field(description="empty with partitions")
    partitions: BenchPartitions | None = Field(None, description="with --partitions")
    curves: list[BenchCurve] = Field([], description="with --curves")


class CodeBenchSearch(MeasuredResult):
    """A search structure on packed codes, over the queries.

    Its recall@1 is the share of queries whose first result is as near as the nearest, and its overlap@k the share of
    the first k results as near as the last of the true first k.
    """

    LAYOUT = (
        "search", "exact", "recall@", "overlap@", "worst@", ("build_seconds", "seconds build"),
        ("query_seconds", "seconds query"), "scanned", "probed", "of", ("bytes", "bytes search"), "in_blocks", "note",
        "refused",
    )  # fmt: skip

    search: str = Field(description="text form")
    exact: bool = Field(description="whether it always finds the nearest codes by construction")
    of: int = Field(description="codes")
    in_blocks: bool = Field(False, description="codes were read from their file in blocks")
    note: Message = NOTHING
    refused: Message = Field(NOTHING, description="why it could not be measured")


class CodeBenchResult(Result):
    """Result of ``bench --codes``."""

    base: str
    n: int
    bits: int
    bytes: int = Field(description="size of the codes")
    queries: int
    k: int = Field(description="nearest codes asked for")
    exact_seconds: float = Field(description="per query, all queries in one pass over the file")
    results: list[CodeBenchSearch]
