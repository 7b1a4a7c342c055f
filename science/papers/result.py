"""A result of a run as it is kept: the figures, and all that must be known to repeat them."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from science.benchmarks.__main__ import machine
from science.papers.data_set import DataSetFacts
from science.papers.size import FULL
from twinlens.app.methods import catalogue

ROOT = Path(__file__).resolve().parents[2]
RESULTS = "results"
"""The folder of results in that of the page's files."""

DIGITS = 5
"""That are kept of a figure: more only tell machines apart."""


@dataclass(frozen=True)
class MeanFigure:
    """A mean over seeds, how far single runs lie from it, and how many there were."""

    mean: float
    deviation: float = 0.0
    runs: int = 1

    def __str__(self) -> str:
        return f"{self.mean:.3f}" + (f" ±{self.deviation:.3f}" if self.runs > 1 else "")


def mean_and_deviation(values: Sequence[float]) -> MeanFigure:
    """Return the figure of runs.

    Examples
    --------
    >>> print(mean_and_deviation([0.5, 0.7]), mean_and_deviation([0.5]))
    0.600 ±0.141 0.500
    """
    return MeanFigure(fmean(values), stdev(values) if len(values) > 1 else 0.0, len(values))


@dataclass(frozen=True)
class Result:
    """The result of an experiment (what ``bench`` gives, as JSON) or of a study (whatever it measured, by case).

    Attributes
    ----------
    sets : tuple of DataSetFacts
        Its data sets.
    about : str
        The data in words.
    size : str
        At which it was run.
    text : str
        The experiment's file, or the code of the study.
    seconds : float
        That measuring it took.
    others : float
        Cores that other programs used meanwhile, on average.
    made : dict
        When, by which version, on which machine.
    """

    name: str
    sets: tuple[DataSetFacts, ...]
    about: str
    figures: dict[str, Any]
    size: str = FULL.name
    text: str = ""
    seconds: float = 0.0
    others: float = 0.0
    made: dict[str, Any] = field(default_factory=dict)

    @property
    def seeds(self) -> int:
        """The number of seeds of an experiment; 0 of a study."""
        return max((len(one["seeds"]) for one in self.figures.get("results", ())), default=0)

    @property
    def chance(self) -> float:
        """The precision of a ranking by chance in an experiment: the share of the items that is right."""
        row = self.figures["results"][0]
        if row.get("chance") is not None:
            return float(row["chance"])
        return float(row["precision_recall"][-1][1])  # of earlier versions: the greatest radius holds everything

    @cached_property
    def _by_method(self) -> dict[tuple[str, str], dict[str, Any]]:
        return {(one["method"], one["search"]): one for one in self.figures["results"]}

    def method(self, text: str, search: str = "") -> dict[str, Any]:
        """Return the figures of a method and a search, the first by default, in any spelling of their texts."""
        search = search or self.figures["results"][0]["search"]
        return self._by_method[catalogue.method(text).text(), catalogue.search_structure(search).text()]

    def figure(self, text: str, name: str, search: str = "") -> MeanFigure:
        """Return a figure of a method: ``recall@10``, ``map``, ``accuracy``, ``seconds.encode``."""
        one = self.method(text, search)
        family, _, key = name.partition("@") if "@" in name else name.partition(".")
        value = one[family][key] if key else one[family]
        deviation = one["deviation"].get(name, one["deviation"].get(name.replace(".", " "), 0.0))
        return MeanFigure(float(value), float(deviation), len(one["seeds"]))


def circumstances() -> dict[str, Any]:
    """Return time, version and kind of machine of a measurement, without the machine's name."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "version": f"Twinlens {version('twinlens')}",
        "machine": machine(),
    }


def keep(result: Result, folder: Path) -> Path:
    """Write a result as JSON; the last one of its name is what the page tells of."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {
        "name": result.name,
        "size": result.size,
        "seconds": round(result.seconds, 1),
        "others": round(result.others, 2),
        **_of_no_place(result.made),
        "data": [one.model_dump(mode="json") for one in result.sets],
        "about": result.about,
        "text": result.text,
        "figures": rounded(result.figures),
    }
    file = folder / f"{result.name}.json"
    new = folder / f".{result.name}.new"
    new.write_text(json.dumps(document, indent=None, separators=(",", ":"), ensure_ascii=False) + "\n", "utf-8")
    new.replace(file)
    return file


def _of_no_place(made: dict[str, Any]) -> dict[str, Any]:
    """Leave out what names a machine or a build of its system: steps of earlier versions are kept with such.

    Examples
    --------
    >>> _of_no_place({"version": "Twinlens 0.1.0 · Linux-6.1-mine", "commit": "abc+", "date": "2026-01-02"})
    {'version': 'Twinlens 0.1.0', 'date': '2026-01-02'}
    """
    told = {name: value for name, value in made.items() if name in {"date", "version", "machine"}}
    return {**told, "version": told["version"].partition(" · ")[0]} if "version" in told else told


def kept(name: str, folder: Path) -> Result | None:
    """Return the last result of a name; None where there is none."""
    try:
        document = json.loads((folder / f"{name}.json").read_text("utf-8"))
        own = {one: document.pop(one) for one in ("name", "about", "figures", "size", "text", "seconds", "others")}
        sets = tuple(DataSetFacts.model_validate(one) for one in document.pop("data"))
    except (OSError, ValueError, KeyError):
        return None
    return Result(sets=sets, made=document, **own)


def rounded(value: Any) -> Any:
    """Round every figure in what JSON holds to the digits that are kept."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one) for one in value]
    return value
