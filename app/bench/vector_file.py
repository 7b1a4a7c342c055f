"""Vectors from files: .npy, .npz (of scipy.sparse, too), .fvecs, .ivecs, .bvecs and ann-benchmarks' .hdf5.

They are mapped into memory where that is possible.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.bench.array_file import Archive, most_unpacked, open_npz, read_npy
from app.bench.hdf5_file import HDF5_ENDINGS as HDF5
from app.bench.hdf5_file import open_hdf5, read_hdf5
from core.errors import InvalidError, TwinlensError
from core.files.tilde import expanded
from core.files.untrusted_input import check_kind, reading
from core.message import Message

VectorArray = npt.NDArray[Any]

ENDINGS = (".npy", ".npz", ".fvecs", ".ivecs", ".bvecs", *HDF5)
_VECS: dict[str, tuple[str, int]] = {".fvecs": ("<f4", 4), ".ivecs": ("<i4", 4), ".bvecs": ("u1", 1)}
_SPARSE = frozenset({"format", "shape", "data"})
"""What scipy.sparse.save_npz writes into a .npz, whatever the layout."""

_BASES = ("codes", "base", "train", "x", "X", "vectors", "data", "arr_0")


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
    file = expanded(path)
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise TwinlensError(
            Message("{file} is not a known kind of vector file.", file=file),
            Message("Give one of {endings}.", endings=", ".join(ENDINGS)),
        )
    with reading(
        file, Message("{file} cannot be read", file=file), Message("Write the file again, or give another one.")
    ):
        check_kind(file.stat())
        if ending in _VECS:
            return _vecs(file, *_VECS[ending])
        if ending == ".npy":
            return read_npy(file)
        return _npz(file, wanted) if ending == ".npz" else _hdf5(file, wanted)


def _npz(file: Path, wanted: str) -> Any:
    with open_npz(file) as arrays:
        if not wanted and set(arrays.names) >= _SPARSE:
            return _sparse(arrays, file.stat().st_size)
        return arrays[_chosen(file, arrays.names, wanted)]


def _sparse(arrays: Archive, size: int) -> Any:
    """Put a table of scipy.sparse together as its own reader does, after a look at what its parts claim."""
    from scipy import sparse

    from core.metrics.sparse_vectors import as_sparse

    layout = arrays["format"].item()
    layout = layout.decode("ascii") if isinstance(layout, bytes) else str(layout)
    shape = tuple(int(side) for side in arrays["shape"].ravel())
    if len(shape) != 2 or min(shape) < 0 or 8 * shape[0] > most_unpacked(size):
        raise InvalidError(Message("its table claims the shape {shape}", shape=str(shape)))
    data = arrays["data"]
    if layout in {"csr", "csc", "bsr"}:
        made = getattr(sparse, f"{layout}_array")((data, arrays["indices"], arrays["indptr"]), shape=shape)
        made.check_format(full_check=True)
    elif layout == "coo":
        made = sparse.coo_array((data, (arrays["row"], arrays["col"])), shape=shape)
    elif layout == "dia":
        made = sparse.dia_array((data, arrays["offsets"]), shape=shape)
    else:
        raise InvalidError(Message("its layout is none of scipy.sparse's"))
    return as_sparse(made)


def has_array(name: str, array: str) -> bool:
    """Return whether a name is that of a whole .hdf5 file with such an array in it."""
    file = expanded(name)
    if file.suffix.lower() not in HDF5:
        return False
    try:
        with reading(file, Message("{file} cannot be read", file=file)), open_hdf5(file) as arrays:
            return array in tuple(arrays)
    except TwinlensError:
        return False  # what it is instead, is said when it is read


def _hdf5(file: Path, wanted: str) -> VectorArray:
    with open_hdf5(file) as arrays:
        return read_hdf5(arrays, _chosen(file, tuple(arrays), wanted))


def _chosen(file: Path, there: tuple[str, ...], wanted: str) -> str:
    if wanted in there:
        return wanted
    if not wanted:
        found = [name for name in _BASES if name in there] or list(there[:1] if len(there) == 1 else ())
        if found:
            return found[0]
    raise TwinlensError(
        Message("{file} has no array “{name}”, but {arrays}.", file=file, name=wanted, arrays=there)
        if wanted
        else Message("{file} has several arrays: {arrays}.", file=file, arrays=there),
        Message("Name one as {file}::{name}.", file=file, name=there[0] if there else "NAME"),
    )


def _vecs(file: Path, dtype: str, size: int) -> VectorArray:
    """Map a file of rows that each begin with their length, 4 bytes."""
    total = os.path.getsize(file)
    if total < 4:
        raise TwinlensError(Message("{file} holds no vectors.", file=file), Message("Give a file with vectors."))
    dimensions = int(np.fromfile(file, "<i4", 1)[0])
    row = 4 + dimensions * size
    if dimensions < 1 or total % row:
        raise TwinlensError(
            Message(
                "{file} is damaged: its first row says {dimensions} dimensions, and {total} bytes are no "
                "multiple of such rows.",
                file=file,
                dimensions=dimensions,
                total=total,
            ),
            Message("Copy or download it again."),
        )
    mapped = np.memmap(file, np.uint8, "r", shape=(total // row, row))
    lengths = np.ascontiguousarray(mapped[:, :4]).view("<i4").ravel()
    if (lengths != dimensions).any():
        bad = int(np.argmax(lengths != dimensions))
        raise TwinlensError(
            Message(
                "{file} is damaged: row {bad} (counted from 0) has {lengths} dimensions, not {dimensions}.",
                file=file,
                bad=bad,
                lengths=int(lengths[bad]),
                dimensions=dimensions,
            ),
            Message("Copy or download it again."),
        )
    rows: VectorArray = mapped[:, 4:]
    return rows if dtype == "u1" else np.ascontiguousarray(rows).view(dtype)
