"""Search structures: declarations that ``build`` turns, with codes, into something that finds candidates.

A structure finds candidates by their codes; the caller ranks them by the exact measure. Ties are in a stated order:
(distance, row), and rows are in the order of photograph ids.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import OptionalMask
from core.declaration.declaration import Declaration, parameter


@dataclass(frozen=True)
class Candidates:
    """The candidates of one query.

    Attributes
    ----------
    rows : ndarray of int64, (c,)
        Rows of the codes, ordered by (distance, row).
    distances : ndarray of int64, (c,)
        Hamming distances, in bits.
    scanned : int
        How many codes were compared.
    probed : int
        How many buckets or places of sorted lists were visited; 0 where there are none.
    """

    rows: npt.NDArray[np.int64]
    distances: npt.NDArray[np.int64]
    scanned: int
    probed: int = 0


class Structure(Protocol):
    """Codes made ready for queries."""

    @property
    def bytes(self) -> int:
        """Bytes that it keeps beside the codes."""

    def codes(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the codes of rows, (words, len(rows))."""

    def candidates(self, code: npt.NDArray[np.uint64], k: int, mask: OptionalMask = None) -> Candidates:
        """Find the k nearest codes that the structure can reach.

        Parameters
        ----------
        code : ndarray of uint64, (words,)
            The query's code, as :func:`core.hashing.packed_codes.planar` lays it out.
        k : int
            How many at most.
        mask : ndarray of bool, (n,), optional
            Only rows where it is True are found.
        """


class Search(Declaration):
    """Base of the search structures."""

    uses_codes: ClassVar[bool] = True
    """False for the exact search, which needs no hash method."""

    exact: ClassVar[bool] = False
    """Whether it always finds the k nearest codes; else it may miss some."""

    in_memory: ClassVar[bool] = True
    """False where only a server searches, for an index that a library there keeps; :meth:`build` refuses then."""

    @abstractmethod
    def build(self, planes: npt.NDArray[np.uint64], bits: int | None = None) -> Structure:
        """Make codes ready.

        Parameters
        ----------
        planes : ndarray of uint64, (words, n)
            Planar codes, as :func:`core.hashing.packed_codes.planar` lays them out; kept, not copied.
        bits : int, optional
            Length of a code; by default all bits of its words.
        """

    @abstractmethod
    def depth(self, k: int) -> int:
        """Return the number of candidates to rank exactly for k results."""


class CodeSearch(Search):
    """Base of the structures that find candidates by their codes, which are then ranked by the exact measure."""

    built_at_once: ClassVar[bool] = False
    """Whether building takes next to no time, so that it is built anew at every change."""

    candidates: int = parameter(
        1_000,
        ge=1,
        le=1_000_000,
        unit="items",
        help="How many of the nearest codes are ranked by the exact measure. More finds more of the true neighbours, "
        "and takes longer.",
    )

    asymmetric: bool = parameter(
        False,
        help="Choose the candidates from eight times as many by an asymmetric distance: a bit that differs counts as "
        "much as the query's projection is large. It finds more of the true neighbours with the same codes.",
    )

    def depth(self, k: int) -> int:
        """Return ``candidates``, or k where that is more."""
        return max(k, self.candidates)
