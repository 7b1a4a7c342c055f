"""Vectors from files: .npy, .npz (of scipy.sparse, too), .fvecs, .ivecs, .bvecs and ann-benchmarks' .hdf5.

They are mapped into memory where that is possible.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import TwinlensError

Array = npt.NDArray[Any]

ENDINGS = (".npy", ".npz", ".fvecs", ".ivecs", ".bvecs", ".hdf5", ".h5")
_VECS: dict[str, tuple[str, int]] = {".fvecs": ("<f4", 4), ".ivecs": ("<i4", 4), ".bvecs": ("u1", 1)}
_SPARSE = frozenset({"format", "shape", "data"})
"""What scipy.sparse.save_npz writes into a .npz, whatever the layout."""

_BASES = ("base", "train", "x", "X", "vectors", "data", "arr_0")


def load_vectors(name: str) -> Any:
    """Load a table, (n, d), or a row of labels, (n,).

    A .npz that scipy.sparse.save_npz wrote gives a sparse table in rows, a scipy ``csr_array``.

    Parameters
    ----------
    name : str
        A path; behind ``::`` the name of the array where a file holds several: ``digits.npz::test``.

    Raises
    ------
    TwinlensError
        If there is no such file or array, it is no table, or it is damaged.
    """
    path, _, wanted = name.partition("::")
    file = Path(path).expanduser()
    ending = file.suffix.lower()
    if not file.is_file():
        raise TwinlensError(f"There is no file {file}.", "Check the spelling.")
    if ending not in ENDINGS:
        raise TwinlensError(f"{file} is no file of vectors that is known.", f"Give one of {', '.join(ENDINGS)}.")
    try:
        if ending in _VECS:
            return _vecs(file, *_VECS[ending])
        if ending == ".npy":
            return np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))
        return _npz(file, wanted) if ending == ".npz" else _hdf5(file, wanted)
    except TwinlensError:
        raise
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise TwinlensError(f"{file} cannot be read: {why(error)}.", "Write it again, or give another file.") from None


def why(error: Exception) -> str:
    """Say why a file of arrays cannot be read; numpy's advice to read it unsafely is not passed on."""
    said = str(error).rstrip(".")
    no_numbers = "pickle" in said or "Python objects" in said
    return "it is no file of plain arrays of numbers" if no_numbers else said


def _npz(file: Path, wanted: str) -> Any:
    with np.load(file, allow_pickle=False) as arrays:
        if not wanted and set(arrays.files) >= _SPARSE:
            return _sparse(file)
        return np.asarray(arrays[_chosen(file, tuple(arrays.files), wanted)])


def _sparse(file: Path) -> Any:
    from scipy.sparse import load_npz

    from core.metrics.sparse import as_sparse

    return as_sparse(load_npz(file))


def has_array(name: str, array: str) -> bool:
    """Say whether a name is that of a whole .hdf5 file with such an array in it."""
    file = Path(name).expanduser()
    if file.suffix.lower() not in {".hdf5", ".h5"} or not file.is_file():
        return False
    try:
        with _h5py().File(file, "r") as arrays:
            return bool(array in arrays)
    except OSError:
        return False  # what it is instead, is said when it is read


def _hdf5(file: Path, wanted: str) -> Array:
    with _h5py().File(file, "r") as arrays:
        return np.asarray(arrays[_chosen(file, tuple(arrays), wanted)])


def _h5py() -> Any:
    import h5py

    return h5py


def _chosen(file: Path, there: tuple[str, ...], wanted: str) -> str:
    if wanted in there:
        return wanted
    if not wanted:
        found = [name for name in _BASES if name in there] or list(there[:1] if len(there) == 1 else ())
        if found:
            return found[0]
    said = f"has no array “{wanted}”" if wanted else "holds several arrays"
    raise TwinlensError(
        f"{file} {said}; there are {', '.join(there) or 'none'}.", f"Name one: {file}::{there[0] if there else 'NAME'}."
    )


def _vecs(file: Path, dtype: str, size: int) -> Array:
    """Map a file of rows that each begin with their length, 4 bytes."""
    total = os.path.getsize(file)
    if total < 4:
        raise TwinlensError(f"{file} holds no vectors.", "Give a file with vectors.")
    dimensions = int(np.fromfile(file, "<i4", 1)[0])
    row = 4 + dimensions * size
    if dimensions < 1 or total % row:
        raise TwinlensError(
            f"{file} is damaged: its first row says {dimensions:,} dimensions, and {total:,} bytes are no multiple "
            f"of such rows.",
            "Copy or download it again.",
        )
    mapped = np.memmap(file, np.uint8, "r", shape=(total // row, row))
    lengths = np.ascontiguousarray(mapped[:, :4]).view("<i4").ravel()
    if (lengths != dimensions).any():
        bad = int(np.argmax(lengths != dimensions))
        raise TwinlensError(
            f"{file} is damaged: row {bad:,} (counted from 0) has {int(lengths[bad]):,} dimensions, "
            f"not {dimensions:,}.",
            "Copy or download it again.",
        )
    rows: Array = mapped[:, 4:]
    return rows if dtype == "u1" else np.ascontiguousarray(rows).view(dtype)
