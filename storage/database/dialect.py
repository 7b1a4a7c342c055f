"""The protocol behind which databases differ, where one statement of SQLAlchemy Core cannot be the same for all.

A part of the library asks for the dialect of its connection, and never which database that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy.typing as npt
from sqlalchemy import ColumnElement, Connection, Row, Select, Table
from sqlalchemy.sql.dml import UpdateBase

from core.arrays import Int64Ids
from storage.database.code_tables import CodeTables

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

    Insert = sqlite.Insert | postgresql.Insert

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
        """Put rows in, in the place of those with the same primary key, damaged or not.

        Parameters
        ----------
        table : Table
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
        column : ColumnElement
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
        column : ColumnElement
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
