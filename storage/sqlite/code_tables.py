"""SQLite searches no codes: there are no tables for it."""

from __future__ import annotations

from typing import NoReturn

from core.arrays import Int64Ids
from core.errors import TwinlensError
from core.message import Message
from storage.database.code_tables import PackedCodes


class NoCodeTables:
    """No tables; a :class:`storage.database.code_tables.CodeTables`."""

    def refusal(self) -> TwinlensError:
        """Return that a file cannot."""
        return TwinlensError(
            Message("Only a library on a server can search by lists on the server; this one is a file."),
            Message("Choose another search structure, such as scan, or copy the library to a server."),
        )

    def lists(self, index_id: int) -> None:
        """Return that there is no table."""

    def make(self, index_id: int, lists: int, ids: Int64Ids, codes: PackedCodes) -> NoReturn:
        """Refuse."""
        raise self.refusal()

    def put(self, index_id: int, ids: Int64Ids, codes: PackedCodes) -> None:
        """Do nothing."""

    def remove(self, index_id: int, ids: Int64Ids) -> None:
        """Do nothing."""

    def drop(self, index_id: int) -> None:
        """Do nothing."""

    def server(self, index_id: int) -> NoReturn:
        """Refuse."""
        raise self.refusal()
