"""Vectors of an index in eight bits, for exact search: as the library keeps them, or rounded once in the cache."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes import loaded_index
from twinlens.app.indexes.loaded_index import LoadedIndex
from twinlens.app.machine import app_folders
from twinlens.core.arrays import Int64Rows
from twinlens.core.exact_search.eight_bit_vectors import EightBitVectors, RoundedTable, frame, packed_vectors
from twinlens.core.exact_search.measure import Measure
from twinlens.core.exact_search.measure_images import Imaging, imaging, without_image
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.core.vectors import as_float32
from twinlens.storage.library.store import Transaction

_log = logging.getLogger(__name__)
_BLOCK = 256  # photographs: their images stay in the processor's cache
_SAMPLE = 4_096


def eight_bit_vectors(
    r: Transaction, library_id: str, index: LoadedIndex, progress: Progress
) -> EightBitVectors | None:
    """Return the images of the photographs of an index in eight bits; None where exact search does without.

    Parameters
    ----------
    r : Transaction
        In which the index was loaded.
    """
    linear = isinstance(index.measure, Measure) and isinstance(index.measure.kernel, Linear)
    if linear and index.kind.stored() == np.int8:
        return packed_vectors(lambda: _stored(r, index, packed=True), len(index.ids), index.kind.dimensions)
    if index.structure is None or imaging(index.measure) is None:
        return None
    folder = app_folders.cache_folder() / "exact" / library_id
    kept = folder / loaded_index.index_file_name(index.row)
    found = _opened(kept, len(index.ids))
    if found is None:
        try:
            _make(r, index, folder, progress)
        except OSError as error:
            _log.warning("Rounded vectors are not kept in %s: %s", folder, error)
            return None
        found = _opened(kept, len(index.ids))
    return None if found is None else found.vectors()


def _stored(r: Transaction, index: LoadedIndex, packed: bool = False) -> Iterator[tuple[Int64Rows, npt.NDArray[Any]]]:
    """Read the vectors of an index with their rows, ascending."""
    last = len(index.ids) - 1
    for ids, vectors in r.descriptors.blocks(index.kind, _BLOCK, packed):
        rows = np.searchsorted(index.ids, ids)
        known = index.ids[np.minimum(rows, last)] == ids
        if known.any():
            yield (rows, vectors) if known.all() else (rows[known], vectors[known])


def _make(r: Transaction, index: LoadedIndex, folder: Path, progress: Progress) -> None:
    image = imaging(index.measure)
    assert image is not None
    n = len(index.ids)
    spread = np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.intp)
    sample, _ = _images(index, image, r.descriptors.read(index.kind, index.ids[spread], verify=False)[0])
    centre, scale = frame(sample)
    d = len(centre)
    with loaded_index.making_index_file(r, folder, index.row, n * (d + 12)) as there:

        def array(file: str, shape: tuple[int, ...], dtype: Any) -> Any:
            return np.lib.format.open_memmap(there / f"{file}.npy", "w+", dtype, shape)

        table = RoundedTable(
            centre, scale, array("codes", (n, d), np.int8), array("squares", (n,), np.float64),
            array("errors", (n,), np.float32),
        )  # fmt: skip
        table.errors[:] = np.inf  # also of those without a vector
        for rows, stored in _stored(r, index):
            progress(int(rows[-1]), n, Message("Preparing exact search"))
            images, apart = _images(index, image, stored)
            table.write(rows, images)
            table.errors[rows[apart]] = np.inf
        np.save(there / "frame.npy", np.stack([centre, scale]))
        for file in (table.codes, table.squares, table.errors):
            assert isinstance(file, np.memmap)
            file.flush()


def _images(
    index: LoadedIndex, image: Imaging, stored: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Return the images of vectors, (n, out), and which photographs are to be measured always, (n,)."""
    vectors = as_float32(stored)
    images = image(vectors)
    return images, without_image(index.measure, vectors, images)


def _opened(folder: Path, n: int) -> RoundedTable | None:
    """Open what was kept; None where nothing whole is there."""
    try:
        parts = [np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("codes", "squares", "errors")]
        centre, scale = np.load(folder / "frame.npy")
    except (OSError, ValueError, EOFError, TokenError):
        return None
    codes, squares, errors = (part.view(np.ndarray) for part in parts)
    kinds = (codes.dtype, squares.dtype, errors.dtype) == (np.int8, np.float64, np.float32)
    if not kinds or codes.shape != (n, len(centre)) or squares.shape != (n,) or errors.shape != (n,):
        return None
    return RoundedTable(centre, scale, codes, squares, errors)
