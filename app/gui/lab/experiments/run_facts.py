"""Facts shown by the Experiments page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from app.lab.figures.figure import Figure


class State(Enum):
    """State of a run."""

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
        Below 0 for an opened file.
    name : str
    data : str
        Index of its vectors.
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
    """A figure of the table with its deviation over seeds; a mean of None means no figure."""

    mean: float | None
    spread: float = 0.0


@dataclass(frozen=True)
class RowShown:
    """A row of the table.

    Attributes
    ----------
    key : str
        Key of the row in the figures.
    run : str
        Name of its run, if several are shown.
    method, search : str
        Text forms.
    name : str
        Method without the parameters common to all rows.
    place : int
        In the palette.
    bits : int
    quality : dict of str to Value
        By the names of columns.
    costs : dict of str to float
        Likewise.
    about : str
        Further figures and notes.
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
    """Shown runs: heading, figures and table.

    Attributes
    ----------
    title : str
    line : str
        Data of the runs.
    finding : str
        Finding in a sentence or two.
    warning : str
        Reason why their curves cannot be compared; empty if they can.
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
    """Choices of the form of a plan.

    Attributes
    ----------
    indexes : sequence of str
        By their names.
    metrics : sequence of str
        Metrics of the library.
    edits : sequence of str
        Names of all edits.
    taken : frozenset of str
        Names of existing runs.
    """

    indexes: Sequence[str] = ()
    metrics: Sequence[str] = ()
    edits: Sequence[str] = ()
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Reckoned:
    """Forecast of a plan.

    Attributes
    ----------
    steps, photographs, dimensions, queries : int
    seconds : float
        About.
    fault : str
        Reason why it cannot be run; empty if it can.
    """

    steps: int = 0
    photographs: int = 0
    dimensions: int = 0
    queries: int = 0
    seconds: float = 0.0
    fault: str = ""
