"""What the Experiments page shows, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from app.lab.figures.figure import Figure


class State(Enum):
    """How a run stands."""

    WHOLE = "whole"
    PART = "part"  # stopped, and can be gone on with
    WAITS = "waits"  # for other long work
    RUNS = "runs"
    FILE = "file"  # out of somebody's file, not kept


@dataclass(frozen=True)
class RunShown:
    """A run in the list.

    Attributes
    ----------
    id : int
        Below 0: of a file that was opened.
    name : str
    data : str
        The index that it is of.
    when : str
    done, steps : int
    state : State
    """

    id: int
    name: str
    data: str
    when: str
    done: int
    steps: int
    state: State


@dataclass(frozen=True)
class Value:
    """A figure of the table, and how far single seeds lie from it; None: there is none."""

    mean: float | None
    spread: float = 0.0


@dataclass(frozen=True)
class RowShown:
    """A row of the table.

    Attributes
    ----------
    key : str
        Of the row, as figures name it.
    run : str
        Name of its run, where several are seen.
    method, search : str
        Text forms.
    name : str
        The method without what all rows have in common.
    place : int
        In the palette.
    bits : int
    quality : dict of str to Value
        By the names of columns.
    costs : dict of str to float
        Likewise.
    about : str
        What is worth knowing besides.
    can_index : bool
        Whether it can become an index of the library.
    """

    key: str
    run: str
    method: str
    search: str
    name: str
    place: int
    bits: int
    quality: dict[str, Value]
    costs: dict[str, float]
    about: str = ""
    can_index: bool = True


@dataclass(frozen=True)
class ResultsShown:
    """Runs that are seen: their heading, figures and table.

    Attributes
    ----------
    title : str
    line : str
        What they are of.
    finding : str
        What they found, in a sentence or two.
    warning : str
        Why their curves do not belong together; empty where they do.
    figures : sequence of Figure
    rows : sequence of RowShown
    columns : sequence of str
        Names of the columns of figures, in order.
    several_searches, several_runs : bool
    """

    title: str = ""
    line: str = ""
    finding: str = ""
    warning: str = ""
    figures: Sequence[Figure] = ()
    rows: Sequence[RowShown] = ()
    columns: Sequence[str] = ()
    several_searches: bool = False
    several_runs: bool = False


@dataclass(frozen=True)
class PlanFacts:
    """What the form of a plan offers.

    Attributes
    ----------
    indexes : sequence of str
        By their names.
    metrics : sequence of str
        That the library keeps.
    edits : sequence of str
        Every one there is.
    taken : frozenset of str
        Names of the runs that there are.
    """

    indexes: Sequence[str] = ()
    metrics: Sequence[str] = ()
    edits: Sequence[str] = ()
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Reckoned:
    """What a plan would be.

    Attributes
    ----------
    steps, photographs, dimensions, queries : int
    seconds : float
        About.
    fault : str
        Why it cannot be run; empty where it can.
    """

    steps: int = 0
    photographs: int = 0
    dimensions: int = 0
    queries: int = 0
    seconds: float = 0.0
    fault: str = ""
