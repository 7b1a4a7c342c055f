"""Random hyperplanes for sparse vectors of millions of dimensions, behind the implicit metric or behind none.

Kulis, Jain and Grauman: bit = sgn(r'G x) with G = I + Φ S Φ' and r drawn from N(0, I), entry by entry when it is asked
for (:mod:`core.metrics.lazy_directions`):

    r'G x = r'x + Σ_j γ_j φ_j'x,        γ_j = Σ_i S_ij r'φ_i

Nothing of d x bits numbers is ever held: a model is the seed, and γ, (c, bits), with the items that were constrained.
Where these are not zero the sums Σ_j γ_j φ_j are kept while it is used (:mod:`core.metrics.kept_directions`), so a code
takes time by the non-zeros of x.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from core.declaration.fitted import Packed
from core.hashing.hash_method import Encoder
from core.hashing.packed_codes import bytes_of, pack_bits
from core.message import Message
from core.metrics.kept_directions import KeptDirections
from core.metrics.lazy_directions import LazyDirections
from core.metrics.sparse_metric import SparseMetric
from core.metrics.sparse_vectors import Rows, as_sparse, block_of, sparse_blocks
from core.progress import Progress, silent


@dataclass(frozen=True, eq=False)
class SparseEncoder(Encoder):
    """Takes sparse rows, or dense ones, which get the same codes. Made by :meth:`of`; there is nothing to fit.

    It does not centre: bits tell the angle between G x and G z as seen from the origin. Of a seed it has other
    hyperplanes than ``lsh``, whose are drawn in another way.

    Attributes
    ----------
    length : int
        Bits of a code.
    seed : int
    metric : SparseMetric
        By which candidates are ranked, too.
    gamma : ndarray of float32, (c, bits)
        γ.
    """

    length: int
    seed: int
    metric: SparseMetric
    gamma: npt.NDArray[np.float32]

    @classmethod
    def of(cls, metric: SparseMetric | int, bits: int, seed: int = 0) -> Self:
        """Make the encoder.

        Parameters
        ----------
        metric : SparseMetric, or int
            A number of dimensions is the plain metric of so many.
        bits, seed : int
            As of the method ``lsh``.
        """
        metric = SparseMetric.plain(metric) if isinstance(metric, int) else metric
        gamma = metric.s.T @ LazyDirections(bits, seed).project(metric.items)
        return cls(bits, seed, metric, gamma.astype(np.float32))

    @property
    def bits(self) -> int:
        """Length of a code."""
        return self.length

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return self.metric.dimensions

    @cached_property
    def _kept(self) -> KeptDirections:
        return KeptDirections(self.metric.items, self.gamma.astype(np.float64))

    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Project checked dense rows, (m, dimensions) -> (m, bits)."""
        return self._project_rows(as_sparse(block))

    def _project_rows(self, rows: Rows) -> npt.NDArray[np.float64]:
        projected = LazyDirections(self.length, self.seed).project(rows)
        if len(self.gamma):
            projected += self._kept.project(rows)
        return projected

    def project(self, x: Any) -> npt.NDArray[np.float64]:
        """Return the real values whose signs are the bits.

        Parameters
        ----------
        x : scipy.sparse array of any layout, or array_like, (n, d)

        Returns
        -------
        ndarray of float64, (n, bits)
            Of an item always the same, alone or in a batch.

        Raises
        ------
        TwinlensError
            If ``x`` has another number of dimensions, is damaged, or holds a value that is not finite (names the row).
        """
        rows = as_sparse(x, self.dimensions)
        projected = np.empty((rows.shape[0], self.bits))
        for some in sparse_blocks(rows, self.bits):
            projected[some] = self._project_rows(block_of(rows, some))
        return projected

    def encode(self, x: Any, progress: Progress = silent) -> npt.NDArray[np.uint8]:
        """Turn vectors into codes.

        Parameters
        ----------
        x : scipy.sparse array of any layout, or array_like, (n, d)
        progress : Progress

        Returns
        -------
        ndarray of uint8, (n, ceil(bits / 8))

        Raises
        ------
        TwinlensError
            As :meth:`project`.
        """
        rows = as_sparse(x, self.dimensions)
        codes = np.empty((rows.shape[0], bytes_of(self.bits)), np.uint8)
        for some in sparse_blocks(rows, self.bits):
            progress(some.start, rows.shape[0], Message("Encoding"))
            codes[some] = pack_bits(self._project_rows(block_of(rows, some)) >= 0)
        return codes

    @classmethod
    def unpack(cls, packed: Packed) -> Self:
        """Restore the encoder.

        Raises
        ------
        TwinlensError
            If the parts are of another version of the program.
        """
        return replace(super().unpack(packed), metric=SparseMetric.unpack(packed.part("metric")))
