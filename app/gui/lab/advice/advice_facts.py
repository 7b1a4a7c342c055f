"""Plain data for the Advice page, made by its controller from the results of the use case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.gui.learn.learn_facts import Picture
from app.lab.figures.figure import Figure

EDITS, PAIRS, NEIGHBOURS = "edits", "pairs", "neighbours"
TRUTHS = (EDITS, PAIRS, NEIGHBOURS)


@dataclass(frozen=True)
class Pair:
    """Two photographs that should match, or should not."""

    first: Picture
    second: Picture
    match: bool = True

    @property
    def ids(self) -> tuple[int, int]:
        """Its photographs, the smaller first, so that both orders are one pair."""
        return min(self.first.id, self.second.id), max(self.first.id, self.second.id)


@dataclass(frozen=True)
class RowShown:
    """An index that was measured.

    Attributes
    ----------
    key : str
    place : int
        Of its method in the palette.
    name, search : str
        Its method in text form, and how it is searched.
    compares : str
        What it compares, in plain words; empty where all compare the same.
    finds, overlap : float
        Shares.
    wrong : float or None
    seconds, tenfold : float
        A question takes, and would take among ten times as many photographs.
    size : float
        Bytes of a photograph.
    notes : tuple of str
        That it is proposed, answers now, is on the frontier.
    frontier : bool
    questions : int
        It was asked.
    """

    key: str
    place: int
    name: str
    search: str
    compares: str
    finds: float
    wrong: float | None
    overlap: float
    seconds: float
    size: float
    tenfold: float
    notes: tuple[str, ...] = ()
    frontier: bool = False
    questions: int = 0


@dataclass(frozen=True)
class AnswerShown:
    """The texts about one index: the proposal, or another one that is chosen instead.

    Attributes
    ----------
    badge : str
        "Proposed", "No change needed", "Chosen instead", "So far".
    sentence : str
        What it does, with numbers.
    reasons : tuple of str
    state : str
        Whether the library has it, and whether it answers now.
    build, default, compare, back : bool
        What can be done now: make it, let it answer, hold it against others, go back to the proposal.
    stays : bool
        Whether it is as well to leave everything as it is.
    key : str
        Of the index.
    name : str
        That it gets where nobody types another.
    taken : frozenset of str
        Names that other indexes have.
    """

    badge: str
    sentence: str
    reasons: tuple[str, ...] = ()
    state: str = ""
    build: bool = False
    default: bool = False
    compare: bool = False
    back: bool = False
    stays: bool = False
    key: str = ""
    name: str = ""
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True)
class AdviceShown:
    """All that is measured.

    Attributes
    ----------
    about : str
        When, how many photographs, questions and indexes.
    grown : str
        What has changed in the library since; empty for nothing.
    left_out : tuple of str
        What was not tried or cannot be, and why, and what must be known besides.
    command : str
        Gives the same in the terminal.
    """

    rows: Sequence[RowShown]
    figures: Sequence[Figure]
    about: str = ""
    grown: str = ""
    left_out: tuple[str, ...] = ()
    command: str = ""
    wrong: bool = field(default=False)
