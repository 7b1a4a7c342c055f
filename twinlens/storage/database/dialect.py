"""The dialect of a database: the protocol for statements that cannot be the same for all databases.

Beside it stand the tools of both dialects: ids in numpy and in statements, statements for the driver itself (where rows
are many, their values go to it as they are), and the protocol of tables in which the database itself searches the codes
of some indexes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from sqlalchemy import ColumnElement, Connection, Executable, Row, Select, Table
from sqlalchemy import Dialect as DriverDialect
from sqlalchemy.sql.dml import UpdateBase

from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import TwinlensError
from twinlens.storage.database.schema import clean, is_text

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

    Insert = sqlite.Insert | postgresql.Insert
    from twinlens.core.search.server_lists import CodeServer


V = TypeVar("V")
Values = tuple[Any, ...]
"""Values of a row as the driver has them."""

OPTION = "twinlens_dialect"
"""Name of the execution option under which an engine says how its dialect is made."""


class Dialect(Protocol):
    """Statements that databases write in different ways, on one connection."""

    @property
    def checksums(self) -> bool:
        """Whether large values are put in with a checksum of their row; a server has checksums of its own."""

    @property
    def code_tables(self) -> CodeTables:
        """The tables in which the database itself searches codes."""

    def insert(self, table: Table) -> Insert:
        """Return an INSERT that can say what happens on a conflict."""

    def many(self, statement: UpdateBase, rows: Sequence[Values]) -> None:
        """Run a statement once for every row, on the driver.

        Parameters
        ----------
        statement : UpdateBase
            One that is kept, such as a constant of a module: its text is written once.
        rows : sequence of tuple
            The values of its parameters, in the order in which they stand in it; the columns of an INSERT stand in the
            order of the table.
        """

    def replace(self, table: Table, rows: Sequence[Values]) -> None:
        """Insert rows, replacing those with the same primary key, damaged or not.

        Parameters
        ----------
        rows : sequence of tuple
            All values of each row, in the order of the table's columns.
        """

    def among(
        self, statement: Select[*tuple[Any, ...]] | UpdateBase, column: ColumnElement[V], values: Iterable[V]
    ) -> list[Row[*tuple[Any, ...]]]:
        """Run a statement on the rows whose column has one of some values, and return what it selects.

        A SELECT gives rows in no particular order.
        """

    def rows_among(
        self, statement: Select[*tuple[Any, ...]], column: ColumnElement[V], values: Sequence[V], given: Values = ()
    ) -> Iterator[Values]:
        """Yield the driver's rows of a SELECT whose column has one of some values: for many rows and large values.

        Parameters
        ----------
        statement : Select
            One that is kept, such as a constant of a module.
        values : sequence
            None twice.
        given : tuple
            The values of the statement's own parameters, in the order in which they stand in it.
        """

    def rows(self, statement: Select[*tuple[Any, ...]], given: Mapping[str, Any] | None = None) -> Iterator[Values]:
        """Yield the driver's rows of a SELECT, some at a time; the transaction must stay open meanwhile."""

    def ids(self, statement: Select[tuple[int]]) -> Int64Ids:
        """Return the ids that a statement selects, (n,), ascending: much faster than a row for each."""

    def joined(self, column: ColumnElement[Any], separator: bytes, order: ColumnElement[Any]) -> ColumnElement[bytes]:
        """Return the aggregate that joins the values of a column as bytes; numbers in digits, text in UTF-8.

        Parameters
        ----------
        separator : bytes
        order : ColumnElement
            Of the values; the statement must read the rows in this order, too.
        """

    def copied(
        self, columns: Sequence[ColumnElement[bytes]], targets: Mapping[int, Sequence[npt.NDArray[Any]]]
    ) -> Iterator[tuple[int, bool]]:
        """Copy large values into arrays, without a second copy of all of them.

        Parameters
        ----------
        columns : sequence of Column
            Of one table, whose primary key is ``id``.
        targets : mapping of int to sequence of ndarray
            For each row the arrays that its values fill, C-contiguous.

        Yields
        ------
        id : int
            Each row, in any order.
        fits : bool
            False where a value is not as long as its array, is no bytes, or the row is missing.
        """

    def last_given(self, table: Table) -> int:
        """Return the largest id that a table whose ids are never given twice has ever given; 0 for none."""

    def give(self, table: Table, count: int) -> int:
        """Return the first of so many consecutive ids of such a table, for rows that are put in next."""

    def set_given(self, table: Table, last: int) -> None:
        """Record the largest id that such a table has ever given, after its rows were copied."""


def of(connection: Connection) -> Dialect:
    """Return the dialect of a connection."""
    made: Callable[[Connection], Dialect] = connection.get_execution_options()[OPTION]
    return made(connection)


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


@lru_cache(maxsize=256)
def written(statement: Executable, dialect: DriverDialect) -> tuple[str, tuple[int, ...]]:
    """Return the text of a statement, and which of its parameters, by their places in it, are text.

    The text is kept, so the statement should be, too.
    """
    compiled = statement.compile(dialect=dialect)  # type: ignore[attr-defined]
    names = compiled.positiontup or []
    return str(compiled), tuple(at for at, name in enumerate(names) if is_text(compiled.binds[name].type))


def cleaned(rows: Sequence[tuple[Any, ...]], places: Sequence[int]) -> Sequence[tuple[Any, ...]]:
    r"""Return rows with their text at some places as text columns keep it, without NUL characters.

    Examples
    --------
    >>> cleaned([(1, "Canon\0", b"\0")], [1])
    [(1, 'Canon', b'\x00')]
    """
    if not places or not any("\0" in row[at] for row in rows for at in places if row[at] is not None):
        return rows
    return [tuple(clean(value) if at in places else value for at, value in enumerate(row)) for row in rows]


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
