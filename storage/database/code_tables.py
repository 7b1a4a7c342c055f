"""The protocol of tables in which the database itself searches the codes of some indexes.

They are made of the codes that the library keeps, lie in no copy of it, and are made anew where they are missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import Int64Ids
from core.errors import TwinlensError

if TYPE_CHECKING:
    from core.search.server_lists import CodeServer

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
        """Return what answers from the table of an index."""
