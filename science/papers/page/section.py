"""A section of the page as plain data, and functions that turn results into its tables and figures.

Tables are Markdown with numbers in the page's style. Series of figures bear the interval of each point. Of an
experiment that was changed, its bare results are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from science.papers.result import MeanFigure, Result
from science.papers.verdict import QUIET
from twinlens.app.lab.figures.figure import Axis, Figure, Series


@dataclass(frozen=True)
class PageTable:
    """A table of words and numbers that are already written.

    Attributes
    ----------
    rows : sequence of sequence of str
        The first column stands at the left, the others at the right.
    note : str
        Below it.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


Block = str | PageTable | Figure
"""Words, a table or a figure."""

Results = Mapping[str, Result]
"""By the name of the experiment or study."""


@dataclass(frozen=True)
class Item:
    """A table or figure of a paper, or what is said in its text.

    Attributes
    ----------
    what : str
        As the paper calls it: "Table 1", "Section 5.2"; claims name it, too.
    reports : str
        What the paper reports, with its numbers; empty where it is of no paper.
    sources : sequence of str
        The experiments and studies that repeat it.
    show : function
        Of their results, which are all there, gives what is shown.
    partly : bool
        Whether something can be shown where only some of them are there.
    """

    what: str
    title: str
    reports: str
    sources: Sequence[str]
    show: Callable[[Results], Sequence[Block]]
    partly: bool = False


@dataclass(frozen=True)
class PageSection:
    """A section of the page: a paper with its items.

    Attributes
    ----------
    key : str
        As in `science.papers.claims.PAPERS`.
    intro : str
        What the paper proposes, and what must be known of the comparison.
    outro : str
        What was learned by repeating it.
    promise : str
        What the paper promises, in one sentence.
    main : mapping of str to str
        The texts of the claims that this stands and falls by, and each in a few words.
    front : sequence of str
        The names of the two or three figures that tell most.
    """

    key: str
    title: str
    citation: str
    intro: str
    items: Sequence[Item]
    outro: str = ""
    promise: str = ""
    main: Mapping[str, str] = field(default_factory=dict)
    front: Sequence[str] = ()


def table(one: PageTable) -> str:
    """Write a table: the first column at the left, the others at the right."""
    rows = [one.head, [":--", *["--:"] * (len(one.head) - 1)], *one.rows]
    text = "\n".join("| " + " | ".join(cell(value) for value in row) + " |" for row in rows)
    return f"{text}\n\n{one.note}" if one.note else text


def cell(text: str) -> str:
    """Write what stands in a cell: a bar would end it."""
    return text.replace("|", "\\|")


def percent(share: float, digits: int = 1) -> str:
    """Write a share.

    Examples
    --------
    >>> percent(0.0412), percent(1)
    ('4.1 %', '100.0 %')
    """
    return f"{100 * share:.{digits}f} %"


def plus_minus(figure: MeanFigure, digits: int = 3) -> str:
    """Write a mean with the deviation of single runs, where there are several.

    Examples
    --------
    >>> plus_minus(Figure(0.5, 0.0123, 3)), plus_minus(Figure(0.5))
    ('0.500 ± 0.012', '0.500')
    """
    return f"{figure.mean:.{digits}f}" + (f" ± {figure.deviation:.{digits}f}" if figure.runs > 1 else "")


def seconds(value: float) -> str:
    """Write a time in the unit that suits it.

    Examples
    --------
    >>> seconds(12.34), seconds(0.0021), seconds(0.0000412)
    ('12.3 s', '2.1 ms', '41 µs')
    """
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= size or unit == "µs":
            number = value / size
            return f"{number:,.0f} {unit}" if number >= 20 else f"{number:.3g} {unit}"
    raise AssertionError


def megabytes(value: float) -> str:
    """Write a number of bytes.

    Examples
    --------
    >>> megabytes(1.6e9), megabytes(82_000)
    ('1,600 MB', '0.082 MB')
    """
    number = value / 1e6
    return f"{number:,.0f} MB" if number >= 20 else f"{number:.2g} MB"


def load(*results: Result) -> str:
    """Say how busy the machine was with other programs while times were taken; empty where it was quiet.

    Examples
    --------
    >>> load(Result("x", (), "", {}, others=1.234), Result("y", (), "", {}))
    'While this was measured, other programs used 1.2 cores.'
    """
    others = max(result.others for result in results)
    return f"While this was measured, other programs used {others:.1f} cores." if others > QUIET else ""


ACROSS = Axis("recall", low=0, high=1)
UP = Axis("precision", low=0, high=1)


def spread(
    name: str, x: Sequence[float], y: Sequence[float], off: Sequence[float], place: int, marked: bool = True
) -> Series:
    """Draw figures with what is unsure of each, on both sides."""
    low, high = ([value + sign * each for value, each in zip(y, off, strict=True)] for sign in (-1, 1))
    return Series(name=name, x=list(x), y=list(y), low=low, high=high, place=place, marked=marked)


def over(name: str, values: Mapping[float, MeanFigure], place: int) -> Series:
    """Draw figures over a number, in its order, each with the deviation of single runs."""
    x = sorted(values)
    means = [values[one].mean for one in x]
    if not any(values[one].runs > 1 for one in x):
        return plain(name, x, means, place)
    return spread(name, x, means, [values[one].deviation for one in x], place)


def plain(name: str, x: Sequence[float], y: Sequence[float], place: int, marked: bool = True) -> Series:
    """Draw figures that are what they are."""
    return Series(name=name, x=list(x), y=list(y), place=place, marked=marked)


def curve(name: str, result: Result, text: str, kind: str, place: int, search: str = "scan") -> Series:
    """Draw a curve of a method: ``precision_recall``, or ``recall_curve`` (recall@R over R).

    Parameters
    ----------
    result : Result
        Of an experiment.
    text : str
        The method.
    """
    row: dict[str, Any] = result.method(text, search)
    x = [at for at, _ in row[kind]]
    y = [value for _, value in row[kind]]
    spread = row.get({"precision_recall": "precision_spread", "recall_curve": "recall_spread"}[kind]) or []
    several = len(row["seeds"]) > 1 and len(spread) == len(y)
    return Series(
        name=name,
        x=x,
        y=y,
        low=[max(0.0, value - off) for value, off in zip(y, spread, strict=True)] if several else (),
        high=[min(1.0, value + off) for value, off in zip(y, spread, strict=True)] if several else (),
        place=place,
    )


CHANGED = "Something was changed so that the table or figure of the paper cannot be made; this is what was measured."
_MEASURES = ("map", "map_candidates", "accuracy")


def generic(results: Sequence[Result]) -> list[Block]:
    """Return a table of every method of each experiment."""
    tables = [_table(one) for one in results if one.figures.get("results")]
    return [CHANGED, *tables]


def _table(result: Result) -> PageTable:
    rows: list[dict[str, Any]] = result.figures["results"]
    measures = [name for name in _MEASURES if any(row.get(name) is not None for row in rows)]
    counts = list(rows[0]["recall"])
    head = (f"`{result.name}`", *(f"recall@{count}" for count in counts), *measures, "bits", "looked at")
    return PageTable(head, [_row(row, counts, measures) for row in rows])


def _row(row: dict[str, Any], counts: Sequence[str], measures: Sequence[str]) -> tuple[str, ...]:
    name = f"`{row['method']}`" + ("" if row["search"] == "scan" else f", `{row['search']}`")
    recall = (f"{row['recall'].get(count, float('nan')):.3f}" for count in counts)
    others = ("" if row[measure] is None else f"{row[measure]:.3f}" for measure in measures)
    return name, *recall, *others, f"{row['bits']:,}", f"{row['looked_at']:,.0f} of {row['of']:,}"
