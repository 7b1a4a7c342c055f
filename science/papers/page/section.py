"""What a section of the page is made of: plain data, and functions that turn results into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from app.lab.figures.figure import Figure
from science.papers.result import Result


@dataclass(frozen=True)
class PageTable:
    """A table of words and numbers that are already written.

    Attributes
    ----------
    head : sequence of str
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
    title : str
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
    """What the page says of a paper.

    Attributes
    ----------
    key : str
        As in `science.papers.claims.PAPERS`.
    title, citation : str
    intro : str
        What the paper proposes, and what must be known of the comparison.
    items : sequence of Item
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
