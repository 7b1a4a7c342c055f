"""Contents of a table: columns as functions of a row, and the rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar


class KeyedRow(Protocol):
    """A row of a table."""

    @property
    def key(self) -> str:
        """The key of a row, in the charts too."""


R = TypeVar("R", bound=KeyedRow)


@dataclass(frozen=True)
class TableColumn(Generic[R]):
    """A column of a table.

    Attributes
    ----------
    heading : str
        Another than that of any other column of the table.
    words : callable
        Text of a row's cell.
    value : callable or None
        What rows are sorted by, where it is not the text; None of a row comes first in ascending order.
    number : bool
        Whether its cells stand at the right.
    help : str
        What the heading means; of a link, what it does.
    lesser : bool
        Whether a narrow table does without it.
    link : bool
        Whether a cell chooses its row if it has a text, and nothing else in the row does; it is not sorted by.
    """

    heading: str
    words: Callable[[R], str]
    value: Callable[[R], Any] | None = None
    number: bool = False
    help: str = ""
    lesser: bool = False
    link: bool = False

    def sort_value(self, row: R) -> tuple[bool, Any]:
        """Return what a row is sorted by."""
        value = (self.value or self.words)(row)
        return value is not None, value


@dataclass(frozen=True)
class TableSheet(Generic[R]):
    """The contents of a table.

    Attributes
    ----------
    columns : sequence of Column
    rows : sequence
    dot : callable
        Place in the palette of the dot before a row.
    about : callable
        What is told of a row under the pointer.
    quiet : callable
        Whether a row is less important than others.
    """

    columns: Sequence[TableColumn[R]]
    rows: Sequence[R]
    dot: Callable[[R], int]
    about: Callable[[R], str]
    quiet: Callable[[R], bool] = lambda _: False

    def place_of(self, heading: str | None) -> int:
        """Return the place of a column, or -1."""
        return next((place for place, one in enumerate(self.columns) if one.heading == heading), -1)

    def link(self) -> TableColumn[R] | None:
        """Return the column whose cells choose their rows."""
        return next((one for one in self.columns if one.link), None)

    def chooses(self, row: R) -> bool:
        """Return whether a row can be chosen."""
        link = self.link()
        return link is None or bool(link.words(row))
