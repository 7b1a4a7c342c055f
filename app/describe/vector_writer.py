"""Writers of vectors, row by row, into files that bench reads: .npy, or .npz of scipy.sparse.

A file is written under another name and renamed when it is complete, so that nothing stays after a stop.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol

import numpy as np
import numpy.typing as npt

from app.machine.csv_table import Table
from core.errors import TwinlensError
from core.kernels.pyramid_match_kernel import Pyramid
from core.message import Message
from features.vocabulary.point_sets import PointExtractor

Row = npt.NDArray[np.generic]


class Writer(Protocol):
    """A writer of rows, one after another."""

    def put(self, row: Row) -> bool:
        """Write a row of an extractor; return whether it is zero."""

    def finish(self) -> None:
        """Complete the file."""


class DenseWriter:
    """Writes a .npy of float32, (n, d); n is known only at the end."""

    def __init__(self, file: IO[bytes], dimensions: int) -> None:
        self._file, self._dimensions, self._rows = file, dimensions, 0
        self._header()

    def put(self, row: Row) -> bool:
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

    def put(self, row: Row) -> bool:
        """Add a set of an extractor, its points' cells one after another."""
        self._sets.append(row.astype(np.int16))
        return not len(row)

    def finish(self) -> None:
        """Write the table."""
        from scipy.sparse import save_npz

        pyramid: Pyramid = self._points.pyramid
        save_npz(self._file, pyramid.rows(self._points.cells_in(one) for one in self._sets), compressed=True)


@contextlib.contextmanager
def new_files(target: Path, table: Path) -> Iterator[tuple[IO[bytes], Table]]:
    """Open a new file of vectors and the table beside it; both get their names when the block ends well.

    Yields
    ------
    file : binary file
    rows : Table

    Raises
    ------
    TwinlensError
        If one of them exists already, or cannot be written.
    """
    for place in (target, table):
        if os.path.lexists(place):
            raise TwinlensError(Message("{place} exists already.", place=place), Message("Name another file."))
    making = [place.with_name(f".{place.name}.new") for place in (target, table)]
    try:
        with making[0].open("wb") as file, making[1].open("w", newline="", encoding="utf-8") as lines:
            yield file, Table(lines)
        for new, place in zip(making, (target, table), strict=True):
            new.rename(place)
    except OSError as error:
        raise TwinlensError(
            Message("Twinlens could not write {file}: {strerror}.", file=target, strerror=error.strerror),
            Message("Name another file."),
        ) from None
    finally:
        for new in making:
            new.unlink(missing_ok=True)
