"""Writers of vectors, row by row, into files that bench reads: .npy, or .npz of scipy.sparse."""

from __future__ import annotations

from typing import IO, Protocol

import numpy as np
import numpy.typing as npt

from core.kernels.pyramid_match_kernel import Pyramid
from features.vocabulary.point_sets import PointExtractor

VectorRow = npt.NDArray[np.generic]


class Writer(Protocol):
    """A writer of rows, one after another."""

    def put(self, row: VectorRow) -> bool:
        """Write a row of an extractor; return whether it is zero."""

    def finish(self) -> None:
        """Complete the file."""


class DenseWriter:
    """Writes a .npy of float32, (n, d); n is known only at the end."""

    def __init__(self, file: IO[bytes], dimensions: int) -> None:
        self._file, self._dimensions, self._rows = file, dimensions, 0
        self._header()

    def put(self, row: VectorRow) -> bool:
        """Write a row, (d,)."""
        self._file.write(row.astype("<f4").tobytes())
        self._rows += 1
        return not row.any()

    def finish(self) -> None:
        """Write the number of rows into the header."""
        self._file.seek(0)
        self._header()

    def _header(self) -> None:
        # numpy leaves room in the header for any number of rows, so the second one is as long as the first.
        about = {"descr": "<f4", "fortran_order": False, "shape": (self._rows, self._dimensions)}
        np.lib.format.write_array_header_1_0(self._file, about)


class SparseWriter:
    """Writes the pyramid matches of sets of points, as scipy.sparse.save_npz does."""

    def __init__(self, file: IO[bytes], points: PointExtractor) -> None:
        self._file, self._points = file, points
        self._sets: list[npt.NDArray[np.int16]] = []

    def put(self, row: VectorRow) -> bool:
        """Add a set of an extractor, its points' cells one after another."""
        self._sets.append(row.astype(np.int16))
        return not len(row)

    def finish(self) -> None:
        """Write the table."""
        from scipy.sparse import save_npz

        pyramid: Pyramid = self._points.pyramid
        save_npz(self._file, pyramid.rows(self._points.cells_in(one) for one in self._sets), compressed=True)
