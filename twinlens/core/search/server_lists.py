"""Search of the codes on the server that holds a library, instead of holding them in memory."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Ids, OptionalMask, UInt64Words
from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.packed_codes import planar
from twinlens.core.search.search_structure import Candidates, CodeSearch

_PER_LIST = 1_000
"""Codes to a list of up to a million; beyond, there are as many lists as the square root of the codes."""


class CodeServer(Protocol):
    """The lists of codes of one index on a server; valid until the transaction ends."""

    def nearest(
        self, code: npt.NDArray[np.uint8], k: int, probes: int, allowed: Int64Ids | None
    ) -> tuple[Int64Ids, Int64Ids]:
        """Find near codes.

        Parameters
        ----------
        code : ndarray of uint8, (bytes,)
            Packed.
        probes : int
            How many lists to look into, more where these hold fewer than k.
        allowed : ndarray of int64, (m,), or None
            Only these ids are found; None for all.

        Returns
        -------
        ids : ndarray of int64, (m,)
            In any order; more than k where several are as far as the last.
        distances : ndarray of int64, (m,)
            Hamming distances, in bits.
        """

    def codes(self, ids: Int64Ids) -> npt.NDArray[np.uint8]:
        """Return the packed codes of ids, (n,), ascending: (n, bytes)."""


@dataclass(frozen=True, eq=False)
class ServedCodes:
    """Codes on a server; of them only the ids, ascending, are in memory."""

    search: ServerLists
    server: CodeServer
    ids: Int64Ids

    is_built: ClassVar[bool] = True
    bytes: ClassVar[int] = 0  # of this machine

    @property
    def built(self) -> ServedCodes:
        """Itself: nothing stands beside it."""
        return self

    def codes(self, rows: npt.NDArray[np.int64]) -> UInt64Words:
        """Return the codes of rows, (words, len(rows)); they are fetched."""
        ids, places = np.unique(self.ids[rows], return_inverse=True)
        return planar(self.server.codes(ids)[places])

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: OptionalMask = None) -> Candidates:
        """Find near codes, (words,) -> ordered by (distance, row); what the server compared beside them is unknown."""
        if mask is not None and mask.shape != self.ids.shape:
            raise ValueError(f"the mask must be {self.ids.shape}, not {mask.shape}")
        allowed = None if mask is None else self.ids[mask]
        packed = np.ascontiguousarray(code).view(np.uint8)
        ids, distances = self.server.nearest(packed, min(k, len(self.ids)), self.search.probes, allowed)
        order = np.lexsort((ids, distances))[:k]
        rows = np.searchsorted(self.ids, ids[order])
        return Candidates(rows, distances[order], scanned=len(rows), probed=self.search.probes)


class ServerLists(CodeSearch):
    """Asks the server that holds the library for near codes, which it keeps in lists, each around a centre.

    It looks into the lists whose centres are nearest and may miss neighbours in the others. No codes are held in the
    memory of this machine. Choose it for a library on a server, with pgvector, whose codes are too many for the memory
    of the machines that search; where they fit, the scan is faster and misses nothing.
    """

    key = "server"
    title = "Lists on the server"
    paper = "Jégou, Douze and Schmid, 2011, section IV, for the inverted lists: IVFFlat of pgvector"

    in_memory: ClassVar[bool] = False

    lists: int | None = parameter(
        None,
        ge=1,
        le=32_768,
        unit="lists",
        help="Into how many lists the server puts the codes. More makes lists shorter: faster, and more is missed. "
        "None: one for a thousand codes up to a million codes, beyond that the square root of their number.",
    )
    probes: int = parameter(
        20,
        ge=1,
        le=32_768,
        unit="lists",
        help="How many lists are looked into, the nearest first. More finds more of the neighbours, and takes longer; "
        "as many as there are lists misses nothing.",
    )

    def lists_for(self, n: int) -> int:
        """Return into how many lists n codes are put."""
        if self.lists is not None:
            return self.lists
        return max(1, n // _PER_LIST if n <= _PER_LIST**2 else math.isqrt(n))

    def build(self, planes: UInt64Words, bits: int | None = None) -> NoReturn:
        """Refuse to build of codes in memory."""
        raise TwinlensError(
            "“{search}” searches only indexes of a library on a server.",
            "Choose another search structure, such as scan.",
            search=self.text(),
        )
