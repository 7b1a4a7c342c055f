"""What every hash method is: a declaration whose ``fit`` gives an encoder that turns vectors into packed bits."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.codes import pack_bits
from core.declaration import Declaration, parameter
from core.fitted import Fitted
from core.progress import Progress, silent
from core.vectors import Vectors, as_vectors

ENCODE_ROWS = 64
"""Rows encoded at once, always: a matrix product of another shape rounds otherwise and flips a bit now and then."""


class Encoder(Fitted):
    """A fitted hash function: vectors to packed bits. Bit j of an item is 1 where its projection j is >= 0."""

    @property
    @abstractmethod
    def bits(self) -> int:
        """Length of a code."""

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""

    @abstractmethod
    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Project exactly ``ENCODE_ROWS`` checked rows, (ENCODE_ROWS, d) -> (ENCODE_ROWS, bits)."""

    def project(self, x: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Give the real values whose signs are the bits.

        Parameters
        ----------
        x : array_like, (n, d)

        Returns
        -------
        ndarray of float32, (n, bits)
            Of an item always the same, alone or in a batch.

        Raises
        ------
        TwinlensError
            If ``x`` has another number of dimensions or holds a value that is not finite.
        """
        checked = as_vectors(x, np.float32, self.dimensions).astype(np.float32, copy=False)
        projected = np.empty((len(checked), self.bits), np.float32)
        for start in range(0, len(checked), ENCODE_ROWS):
            block = checked[start : start + ENCODE_ROWS]
            rows = len(block)
            if rows < ENCODE_ROWS:
                block = np.concatenate([block, np.zeros((ENCODE_ROWS - rows, block.shape[1]), np.float32)])
            projected[start : start + rows] = self.project_block(block)[:rows]
        return projected

    def encode(self, x: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """Turn vectors into codes.

        Parameters
        ----------
        x : array_like, (n, d)

        Returns
        -------
        ndarray of uint8, (n, ceil(bits / 8))
            Packed as :func:`core.codes.pack_bits` does.
        """
        return pack_bits(self.project(x) >= 0)


class HashMethod(Declaration):
    """Base of the hash methods; a subclass sets ``encoder`` and implements :meth:`fit`."""

    encoder: ClassVar[type[Encoder]]

    bits: int = parameter(
        256, ge=1, le=16_384, unit="bits", shown=True, help="Length of a code. More bits rank finer and take more room."
    )
    seed: int = parameter(0, ge=0, help="Start of every random draw: the same seed on the same data gives the same codes.")

    @abstractmethod
    def fit(self, x: Vectors, progress: Progress = silent) -> Encoder:
        """Learn a hash function.

        Parameters
        ----------
        x : ndarray, (n, d)
            Training vectors, finite.
        progress : Progress
            Told of the work; may cancel it.

        Raises
        ------
        TwinlensError
            If this method cannot learn from these vectors; the sentence says why and what can be done.
        Cancelled
            If progress says so.
        """
