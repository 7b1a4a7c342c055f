"""A connection to a library's database, on which SQL runs, written in one way for every database.

A parameter is ``?``. ``{among}`` behind a column stands for some values of it. What only SQLite understands (``INDEXED
BY``) is left out elsewhere, and what databases write in different ways are the methods of :class:`Dialect`. Beside it
stand the tools of both dialects: ids in numpy and in statements, and the protocol of tables in which the database
itself searches the codes of some indexes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import TwinlensError
from twinlens.storage.database.values import clean

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from twinlens.core.search.server_lists import CodeServer


Values = tuple[Any, ...]
"""Values of a row as the driver has them."""


class Cursor(Protocol):
    """The results of a statement, as drivers give them."""

    @property
    def rowcount(self) -> int:
        """How many rows a statement has changed."""

    @property
    def description(self) -> Sequence[Any] | None:
        """The columns, each with its name first."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the rows."""


class Dialect(ABC):
    """One connection, in one transaction.

    Attributes
    ----------
    checksums : bool
        Whether large values are put in with a checksum of their row; a server has checksums of its own.
    """

    checksums: ClassVar[bool]

    @property
    @abstractmethod
    def connection(self) -> Connection:
        """SQLAlchemy's connection, in the same transaction: for what makes, checks, copies or upgrades any table."""

    @property
    @abstractmethod
    def code_tables(self) -> CodeTables:
        """The tables in which the database itself searches codes."""

    @abstractmethod
    def execute(self, text: str, values: Sequence[Any] = ()) -> Cursor:
        """Run a statement."""

    def value(self, text: str, values: Sequence[Any] = ()) -> Any:
        """Return the first column of the first row; None where there is no row."""
        row = self.execute(text, values).fetchone()
        return None if row is None else row[0]

    def column(self, text: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the first column."""
        return [row[0] for row in self.execute(text, values)]

    def records(self, text: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Return rows by the names of their columns."""
        return list(_records(self.execute(text, values)))

    def insert(self, table: str, rows: Sequence[Mapping[str, Any]], conflict: str = "", numbered: bool = False) -> None:
        """Insert rows of the same columns.

        Parameters
        ----------
        conflict : str
            The end of the statement, such as ``ON CONFLICT DO NOTHING``.
        numbered : bool
            Whether each row gets the id after the largest one.
        """
        if rows:
            self.many(f"{_inserting(table, rows[0], numbered)} {conflict}", [tuple(row.values()) for row in rows])

    def put(self, table: str, keys: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows of the same columns; one whose key is there already changes that row."""
        if rows:
            new = ", ".join(f'"{name}" = excluded."{name}"' for name in rows[0] if name not in keys)
            self.insert(table, rows, f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {new}")

    def number(self, table: str, row: Mapping[str, Any]) -> int:
        """Insert a row with the id after the largest one, and return it."""
        return int(self.value(f"{_inserting(table, row, numbered=True)} RETURNING id", tuple(row.values())))

    def change(self, table: str, row_id: int, row: Mapping[str, Any]) -> None:
        """Change some columns of the row of an id."""
        new = ", ".join(f'"{name}" = ?' for name in row)
        self.execute(f'UPDATE "{table}" SET {new} WHERE id = ?', (*row.values(), row_id))

    @abstractmethod
    def many(self, text: str, rows: Sequence[Values]) -> None:
        """Run a statement once for every row.

        Parameters
        ----------
        text : str
            Compares each parameter of an UPDATE or DELETE with one column, by ``=`` or ``BETWEEN``.
        rows : sequence of tuple
            The values of its parameters, in the order in which they stand in it.
        """

    @abstractmethod
    def replace(self, table: str, rows: Sequence[Values]) -> None:
        """Insert rows, replacing those with the same primary key, damaged or not.

        Parameters
        ----------
        rows : sequence of tuple
            All values of each row, in the order of the table's columns.
        """

    @abstractmethod
    def cursors_among(self, text: str, values: Sequence[Any], given: Values = ()) -> Iterator[Cursor]:
        """Run a statement with ``{among}`` at its end, for all of some values, in one or several pieces.

        Parameters
        ----------
        given : tuple
            The values of the statement's own parameters, which stand before.
        """

    def among(self, text: str, values: Iterable[Any], given: Values = ()) -> None:
        """Change or delete the rows of some values, as :meth:`cursors_among`."""
        for _ in self.cursors_among(text, list(values), given):
            pass

    def rows_among(self, text: str, values: Iterable[Any], given: Values = ()) -> Iterator[Values]:
        """Yield the rows of some values, in no particular order: for many rows and large values."""
        return chain.from_iterable(self.cursors_among(text, list(values), given))

    def records_among(self, text: str, values: Iterable[Any], given: Values = ()) -> list[dict[str, Any]]:
        """Return the rows of some values by the names of their columns, in no particular order."""
        return [one for cursor in self.cursors_among(text, list(values), given) for one in _records(cursor)]

    @abstractmethod
    def rows(self, text: str, values: Sequence[Any] = ()) -> Iterator[Values]:
        """Yield rows, some at a time; the transaction must stay open meanwhile."""

    @abstractmethod
    def ids(self, text: str, values: Sequence[Any] = ()) -> Int64Ids:
        """Return the ids that a statement selects as ``id``, (n,), ascending: much faster than a row for each."""

    @abstractmethod
    def joined(self, column: str, separator: str, order: str, binary: bool = False) -> str:
        """Return the aggregate that joins the values of a column as bytes; numbers in digits, text in UTF-8.

        Parameters
        ----------
        order : str
            Of the values, a column; the statement must read the rows in this order, too.
        binary : bool
            Whether the values are bytes.
        """

    @abstractmethod
    def copied(
        self, table: str, columns: Sequence[str], targets: Mapping[int, Sequence[npt.NDArray[Any]]]
    ) -> Iterator[tuple[int, bool]]:
        """Copy large values into arrays, without a second copy of all of them.

        Parameters
        ----------
        table : str
            Its primary key is ``id``.
        targets : mapping of int to sequence of ndarray
            For each row the arrays that its values fill, C-contiguous.

        Yields
        ------
        id : int
            Each row, in any order.
        fits : bool
            False where a value is not as long as its array, is no bytes, or the row is missing.
        """

    @abstractmethod
    def last_given(self, table: str) -> int:
        """Return the largest id that a table whose ids are never given twice has ever given; 0 for none."""

    @abstractmethod
    def give(self, table: str, count: int) -> int:
        """Return the first of so many consecutive ids of such a table, for rows that are put in next."""

    @abstractmethod
    def set_given(self, table: str, last: int) -> None:
        """Record the largest id that such a table has ever given, after its rows were copied."""


def _inserting(table: str, row: Mapping[str, Any], numbered: bool) -> str:
    names, marks = [f'"{name}"' for name in row], ["?"] * len(row)
    if numbered:  # said for every database: a server's sequences would leave gaps
        names, marks = ["id", *names], [f'(SELECT coalesce(max(id), 0) + 1 FROM "{table}")', *marks]
    return f'INSERT INTO "{table}" ({", ".join(names)}) VALUES ({", ".join(marks)})'


def _records(cursor: Cursor) -> Iterator[dict[str, Any]]:
    names = [one[0] for one in cursor.description or ()]
    return (dict(zip(names, row, strict=True)) for row in cursor)


PackedCodes = npt.NDArray[np.uint8]


class CodeTables(Protocol):
    """The tables of a library, on one connection."""

    def refusal(self) -> TwinlensError | None:
        """Return why the database cannot search codes, with a next step; None where it can."""

    def lists(self, index_id: int) -> int | None:
        """Return how many lists the table of an index has; None where it has no table."""

    def make(self, index_id: int, lists: int, ids: Int64Ids, codes: PackedCodes) -> None:
        """Make the table of an index anew: of photographs, (n,), and their codes, (n, bytes)."""

    def put(self, index_id: int, ids: Int64Ids, codes: PackedCodes) -> None:
        """Put codes in, in the place of those of the same photographs; where there is no table, do nothing."""

    def remove(self, index_id: int, ids: Int64Ids) -> None:
        """Remove codes; where there is no table, do nothing."""

    def drop(self, index_id: int) -> None:
        """Drop the table of an index, if there is one."""

    def server(self, index_id: int) -> CodeServer:
        """Return the server that searches the table of an index."""


def cleaned(values: Sequence[Any]) -> Sequence[Any]:
    r"""Return values with their text as columns keep it, without NUL characters.

    Examples
    --------
    >>> cleaned(("Canon\0", b"\0"))
    ('Canon', b'\x00')
    """
    if not any(isinstance(value, str) and "\0" in value for value in values):
        return values
    return tuple(clean(value) if isinstance(value, str) else value for value in values)


IN_ONE = 500  # values in one statement; every SQLite takes 999
_V = TypeVar("_V")


def plain(ids: Sequence[int] | Int64Ids) -> list[int]:
    """Return ids as Python's integers, as the driver wants them."""
    return ids.tolist() if isinstance(ids, np.ndarray) else list(ids)


def pieces(values: Iterable[_V], length: int = IN_ONE) -> Iterator[list[_V]]:
    """Cut values into lists of at most ``length``.

    Examples
    --------
    >>> list(pieces("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(values)
    while some := list(islice(rest, length)):
        yield some


def runs(ids: Sequence[int] | Int64Ids) -> list[tuple[int, int]]:
    """Return the runs of consecutive numbers among ids, as (first, last): a folder's photographs are few runs.

    Examples
    --------
    >>> runs([7, 1, 2, 3, 8])
    [(1, 3), (7, 8)]
    """
    ordered = np.sort(np.asarray(ids, np.int64))
    ends = np.flatnonzero(np.diff(ordered) > 1)
    firsts, lasts = ordered[np.concatenate([[0], ends + 1])], ordered[np.concatenate([ends, [-1]])]
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))


def numbers(listed: str | None) -> Int64Ids:
    """Read the text that ``group_concat`` makes of ids; None, for no rows, is empty.

    Examples
    --------
    >>> numbers("3,1,2")
    array([1, 2, 3])
    """
    ids = np.fromstring(listed or "", np.int64, sep=",")
    ids.sort()
    return ids
