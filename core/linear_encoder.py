"""The encoder of all linear hash methods: sign((x - mean) P)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.hash_method import Encoder


@dataclass(frozen=True, eq=False)
class LinearEncoder(Encoder):
    """Centre by the training mean, project, take signs.

    Attributes
    ----------
    mean : ndarray of float32, (d,)
        Of the training vectors; subtracted from queries too, or a query meets codes of another origin.
    projection : ndarray of float32, (d, bits)
        A hyperplane's normal in each column.
    note : str
        What a person should know of this fit (padded directions, say); empty where there is nothing.
    """

    mean: npt.NDArray[np.float32]
    projection: npt.NDArray[np.float32]
    note: str = ""

    @property
    def bits(self) -> int:
        """Length of a code."""
        return int(self.projection.shape[1])

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return int(self.projection.shape[0])

    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Project a block of rows, (ENCODE_ROWS, d) -> (ENCODE_ROWS, bits)."""
        return (block - self.mean) @ self.projection
