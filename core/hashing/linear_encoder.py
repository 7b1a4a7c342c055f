"""The encoder of all linear hash methods: sign((x - mean) P)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from core.arithmetic.exact_product import to_grid
from core.hashing.hash_method import Encoder
from core.message import NOTHING, Message
from core.vectors import Vectors


@dataclass(frozen=True, eq=False)
class LinearEncoder(Encoder):
    """Centre by the training mean, project, take signs. Made by :meth:`of`.

    Attributes
    ----------
    mean : ndarray of float32, (d,)
        Of the training vectors; subtracted from queries too, or a query meets codes of another origin.
    projection : ndarray of float32, (d, bits)
        A hyperplane's normal in each column, rounded so that products with it are exact.
    note : Message
        What a person should know of this fit (padded directions, say); empty where there is nothing.
    """

    mean: npt.NDArray[np.float32]
    projection: npt.NDArray[np.float32]
    note: Message = NOTHING

    @classmethod
    def of(cls, mean: Vectors, projection: Vectors, note: Message = NOTHING) -> Self:
        """Make the encoder of a mean, (d,), and of directions in columns, (d, bits), of any precision."""
        rounded = np.empty(projection.shape, np.float32)
        step = max(1, (1 << 22) // len(projection))  # a part of the columns at a time: the float64 copy stays small
        for left in range(0, projection.shape[1], step):
            rounded[:, left : left + step] = to_grid(projection[:, left : left + step], axis=0)
        return cls(mean=mean.astype(np.float32), projection=rounded, note=note)

    @property
    def bits(self) -> int:
        """Length of a code."""
        return int(self.projection.shape[1])

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return int(self.projection.shape[0])

    @cached_property
    def _directions(self) -> npt.NDArray[np.float64]:
        return self.projection.astype(np.float64)

    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Project a block of rows, (m, d) -> (m, bits)."""
        return np.asarray(to_grid(block, axis=1, minus=self.mean) @ self._directions)
