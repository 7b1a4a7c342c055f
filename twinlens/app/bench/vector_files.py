"""Vectors from files: .npy, .npz (also of scipy.sparse), .fvecs, .ivecs, .bvecs and the .hdf5 of ann-benchmarks.

Only data within the file itself are read, never files that it refers to. An experiment names its tables of vectors, and
the labels of their rows, by such files.

What a .hdf5 claims is held against the bytes that are there before any memory is taken; arrays of numpy are read by
:mod:`twinlens.app.bench.array_files`. Everything that is wrong is an ``InvalidError`` that completes "the file cannot
be read:
...".
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.app.bench.array_files import NOT_PLAIN, Archive, most_unpacked, open_npz, read_npy
from twinlens.app.bench.experiment import Experiment
from twinlens.core.arrays import Int64Labels, Int64Rows
from twinlens.core.errors import InvalidError, TwinlensError
from twinlens.core.evaluation.tables import Tables, draw_queries, naming
from twinlens.core.evaluation.truth import is_dense
from twinlens.core.files.untrusted_input import check_kind, expanded, plain, reading
from twinlens.core.message import Message
from twinlens.core.vectors import Vectors, as_vectors

VectorArray = npt.NDArray[Any]
HDF5_ENDINGS = (".hdf5", ".h5")
ENDINGS = (".npy", ".npz", ".fvecs", ".ivecs", ".bvecs", *HDF5_ENDINGS)
_VECS: dict[str, tuple[str, int]] = {".fvecs": ("<f4", 4), ".ivecs": ("<i4", 4), ".bvecs": ("u1", 1)}
_SPARSE = frozenset({"format", "shape", "data"})
"""Names of the arrays that scipy.sparse.save_npz writes into a .npz, in any layout."""

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
            "{file} is not a known kind of vector file.",
            "Give one of {endings}.",
            file=file,
            endings=", ".join(ENDINGS),
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
    """Read a sparse table as scipy.sparse does, after a check of the sizes that its parts claim."""
    from scipy import sparse

    from twinlens.core.metrics.sparse_metric import as_sparse

    layout = arrays["format"].item()
    layout = layout.decode("ascii") if isinstance(layout, bytes) else str(layout)
    shape = tuple(int(side) for side in arrays["shape"].ravel())
    if len(shape) != 2 or min(shape) < 0 or 8 * shape[0] > most_unpacked(size):
        raise InvalidError("its table claims the shape {shape}", shape=str(shape))
    data = arrays["data"]
    if layout in {"csr", "csc", "bsr"}:
        made = getattr(sparse, f"{layout}_array")((data, arrays["indices"], arrays["indptr"]), shape=shape)
        made.check_format(full_check=True)
    elif layout == "coo":
        made = sparse.coo_array((data, (arrays["row"], arrays["col"])), shape=shape)
    elif layout == "dia":
        made = sparse.dia_array((data, arrays["offsets"]), shape=shape)
    else:
        raise InvalidError("its layout is none of scipy.sparse's")
    return as_sparse(made)


@dataclass(frozen=True)
class AnnBenchmark:
    """A whole .hdf5 file as ann-benchmarks makes it, with the arrays ``train`` and ``test``.

    Attributes
    ----------
    distance : str
        In the file's words, such as "angular"; empty where it says none, "?" where what it says is no word.
    brings_neighbours : bool
        Whether it has the nearest of each query.
    """

    file: str
    distance: str
    brings_neighbours: bool

    @classmethod
    def read(cls, name: str) -> AnnBenchmark | None:
        """Look at a file; None where it is another one."""
        file = expanded(name)
        if file.suffix.lower() not in HDF5_ENDINGS:
            return None
        try:
            with reading(file, Message("{file} cannot be read", file=file)), open_hdf5(file) as arrays:
                if not {"train", "test"} <= set(arrays):
                    return None
                return cls(name, _distance_of(arrays), "neighbors" in arrays)
        except TwinlensError:
            return None  # reading its arrays raises the exact error

    def measure(self, truth: str) -> str:
        """Return the truth that the file means, in our words; none where it says none.

        Parameters
        ----------
        truth : str
            That a person has named; empty for none.

        Raises
        ------
        TwinlensError
            If it is a distance that is not measured here, and no other is named.
        """
        distance = self.distance.strip().casefold()
        if distance in _TRUTHS or truth or not distance:
            return _TRUTHS.get(distance, "")
        raise TwinlensError(
            "{file} ranks by “{distance}”, which is not measured here.",
            Message("Pack its bits (numpy.packbits), and give them to `twinlens bench --codes`.")
            if distance == "hamming"
            else Message("Name another truth, such as l2 or cosine."),
            file=self.file,
            distance=self.distance,
        )

    def neighbours(self, queries: int, base: int) -> Int64Rows | None:
        """Return the rows of the nearest of each query, (q, m); None where the file has none.

        Raises
        ------
        TwinlensError
            If they are not rows of the base.
        """
        if not self.brings_neighbours:
            return None
        rows = load_vectors(f"{self.file}::neighbors")
        if rows.ndim != 2 or rows.dtype.kind not in "iu" or len(rows) < queries or not rows.size:
            description = Message("an array {shape} of {dtype}", shape=str(rows.shape), dtype=rows.dtype)
        elif rows.min() < 0 or rows.max() >= base:
            description = Message("numbers beyond its {base} rows", base=base)
        else:
            return np.asarray(rows[:queries], np.int64)
        raise TwinlensError(
            "{file} is damaged: its neighbors are {said}.",
            "Copy or download it again.",
            file=self.file,
            said=description,
        )


_TRUTHS = {"euclidean": "l2", "l2": "l2", "angular": "cosine", "cosine": "cosine"}
"""Our words for the distances of ann-benchmarks, and of those who write such files."""

_LONGEST_WORD = 100


def _distance_of(arrays: Any) -> str:
    """Return the distance that a file says, "?" for an attribute that is no single word."""
    if "distance" not in arrays.attrs:
        return ""
    about = arrays.attrs.get_id("distance")
    if about.get_space().get_simple_extent_npoints() != 1 or about.get_type().get_size() > _LONGEST_WORD:
        return "?"
    description = np.asarray(arrays.attrs["distance"]).item()
    description = description.decode("utf-8", "replace") if isinstance(description, bytes) else description
    return plain(description[:_LONGEST_WORD]) if isinstance(description, str) else "?"


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
        "Name one as {file}::{name}.",
        file=file,
        name=there[0] if there else "NAME",
    )


def _vecs(file: Path, dtype: str, size: int) -> VectorArray:
    """Map a file of rows that each begin with their length in 4 bytes."""
    total = os.path.getsize(file)
    if total < 4:
        raise TwinlensError("{file} holds no vectors.", "Give a file with vectors.", file=file)
    dimensions = int(np.fromfile(file, "<i4", 1)[0])
    row = 4 + dimensions * size
    if dimensions < 1 or total % row:
        raise TwinlensError(
            "{file} is damaged: its first row says {dimensions} dimensions, and {total} bytes are no "
            "multiple of such rows.",
            "Copy or download it again.",
            file=file,
            dimensions=dimensions,
            total=total,
        )
    mapped = np.memmap(file, np.uint8, "r", shape=(total // row, row))
    lengths = np.ascontiguousarray(mapped[:, :4]).view("<i4").ravel()
    if (lengths != dimensions).any():
        bad = int(np.argmax(lengths != dimensions))
        raise TwinlensError(
            "{file} is damaged: row {bad} (counted from 0) has {lengths} dimensions, not {dimensions}.",
            "Copy or download it again.",
            file=file,
            bad=bad,
            lengths=int(lengths[bad]),
            dimensions=dimensions,
        )
    rows: VectorArray = mapped[:, 4:]
    return rows if dtype == "u1" else np.ascontiguousarray(rows).view(dtype)


_MOST_NAMES = 1000
_FILTERS = {1, 2, 3, 4, 5, 6, 32_000}
"""Ways of packing that come with HDF5 and h5py: deflate, shuffle, checksums, szip, n-bit, scale-offset, LZF."""


@contextmanager
def open_hdf5(file: Path) -> Iterator[Any]:
    """Open a .hdf5 for reading.

    Raises
    ------
    OSError, ValueError
        If it cannot be read.
    """
    import h5py

    check_kind(file.stat())
    with h5py.File(file, "r") as opened:
        if len(opened) > _MOST_NAMES:
            raise InvalidError("it holds {count} arrays", count=len(opened))
        yield opened


def read_hdf5(opened: Any, name: str) -> npt.NDArray[Any]:
    """Read one array of an open .hdf5.

    Raises
    ------
    OSError, ValueError
        If it is no array of numbers or words, lies elsewhere, or claims more than the file can hold.
    """
    import h5py

    if not isinstance(opened.get(name, getlink=True), h5py.HardLink):
        raise InvalidError("“{name}” only points elsewhere, which is not followed", name=name)
    found = opened[name]
    if not isinstance(found, h5py.Dataset):
        raise InvalidError("“{name}” is no array", name=name)
    if found.is_virtual or found.external:
        raise InvalidError("the numbers of “{name}” lie in other files, which are not opened", name=name)
    if found.shape is None or found.dtype.kind not in "biufcSU":
        raise InvalidError(NOT_PLAIN)
    packing = found.id.get_create_plist()
    if any(packing.get_filter(place)[0] not in _FILTERS for place in range(packing.get_nfilters())):
        raise InvalidError("“{name}” is packed in an unusual way", name=name)
    claimed = math.prod(found.shape) * found.dtype.itemsize
    size = Path(opened.filename).stat().st_size
    chunk = math.prod(found.chunks or ()) * found.dtype.itemsize
    if max(claimed, chunk) > (most_unpacked(size) if found.chunks else max(size, found.id.get_storage_size())):
        raise InvalidError(
            "“{name}” says that it holds {claimed} bytes of numbers, and the file has {has}",
            name=name,
            claimed=claimed,
            has=size,
        )
    return np.asarray(found[()])


def open_table(name: str) -> Any:
    """Open a table with a vector in each row: dense of any number type, mapped if possible, or sparse.

    Matrices are laid out as rows; bilinear methods lay them out again. The numbers of a dense one are yet unchecked.

    Raises
    ------
    TwinlensError
        If it cannot be read, or is no such table.
    """
    return _in_rows(load_vectors(name), name)


def _in_rows(table: Any, name: str) -> Any:
    if is_dense(table) and table.ndim == 3:
        table = table.reshape(len(table), -1)
    if table.ndim != 2 or table.dtype.kind not in "biuf":
        raise TwinlensError(
            "{name} has an array {shape} of {dtype}, which is not a table of vectors.",
            "Give a table of numbers with one vector in each row.",
            name=name,
            shape=str(table.shape),
            dtype=table.dtype,
        )
    if 0 in table.shape:
        raise TwinlensError(
            "{name} holds no vectors.", "Give a table of numbers with one vector in each row.", name=name
        )
    return table


def read_table(name: str) -> Vectors:
    """Read a whole table, in float32 if it is dense, and check every number."""
    table = open_table(name)
    if not is_dense(table):
        sparse: Vectors = table
        return sparse
    with naming(name):
        return as_vectors(table, np.float32)


def table_of(array: Any, name: str) -> Vectors:
    """Return an array as :func:`read_table` would read it from a file."""
    from twinlens.core.metrics.sparse_metric import as_sparse, is_sparse

    with naming(name):
        table = as_sparse(array) if is_sparse(array) else array if is_dense(array) else as_vectors(array, np.float32)
    table = _in_rows(table, name)
    with naming(name):
        return as_vectors(table, np.float32) if is_dense(table) else table


def read_labels(name: str, expected: int) -> VectorArray | None:
    """Read the expected number of labels, numbers or words; None without a file."""
    return checked_labels(load_vectors(name), name, expected) if name else None


def checked_labels(labels: Any, name: str, expected: int) -> VectorArray:
    """Return labels as a row, (n,), after a check of their number."""
    if not is_dense(labels):
        raise TwinlensError(
            "{name} is a sparse table, not a row of labels.", "Give a label for each vector.", name=name
        )
    row: VectorArray = labels.reshape(-1)
    if len(row) != expected:
        raise TwinlensError(
            "{name} has {labels} labels for {expected} vectors.",
            "Give a label for each vector.",
            name=name,
            labels=len(row),
            expected=expected,
        )
    return row


def label_numbers(*rows: VectorArray | None) -> list[Int64Labels | None]:
    """Return rows of labels as integers, a label having the same number in all of them.

    Examples
    --------
    >>> label_numbers(np.array(["cat", "dog", "owl"]), np.array(["owl", "dog"]))
    [array([0, 1, 2]), array([2, 1])]
    """
    there = [one for one in rows if one is not None]
    if all(one.dtype.kind in "iu" for one in there):
        numbers = iter([one.astype(np.int64) for one in there])
    else:
        together = np.unique(np.concatenate(there), return_inverse=True)[1].astype(np.int64)
        numbers = iter(np.split(together, np.cumsum([len(one) for one in there])[:-1]))
    return [None if one is None else next(numbers) for one in rows]


def load_tables(experiment: Experiment) -> Tables:
    """Read base, queries and labels from the files of an experiment; over partitions, queries are drawn later."""
    if experiment.index:
        raise TwinlensError(
            "The experiment measures the photos of the index “{index}”.",
            "Run it in the library, or export the run with its vectors.",
            index=experiment.index,
        )
    named = experiment.queries
    whole = None if named or experiment.partitions else AnnBenchmark.read(experiment.base)
    measure = "" if whole is None else whole.measure(experiment.truth or experiment.metric)
    base = read_table(experiment.base)
    labels = read_labels(experiment.labels, base.shape[0])
    if experiment.partitions:
        return Tables(experiment.base, base, base[:0], labels=label_numbers(labels)[0])
    if whole is not None:
        named = f"{experiment.base}::test"
    own: Int64Rows | None
    if not named:
        own = draw_queries(base.shape[0], experiment.query_count)
        return labelled(tables_of(experiment.base, base, base[own], own), labels)
    queries = read_table(named)
    query_labels = read_labels(experiment.query_labels, queries.shape[0])
    if experiment.query_count:
        queries = queries[: experiment.query_count]
        query_labels = None if query_labels is None else query_labels[: experiment.query_count]
    own = np.arange(queries.shape[0]) if _same_file(named, experiment.base) else None
    tables = labelled(tables_of(experiment.base, base, queries, own, named), labels, query_labels)
    if whole is None or not measure:
        return tables
    return replace(tables, measure=measure, neighbours=whole.neighbours(len(queries), len(base)))


def tables_of(
    name: str, base: Vectors, queries: Vectors, own: Int64Rows | None = None, query_name: str = "queries"
) -> Tables:
    """Put vectors and queries together.

    Raises
    ------
    TwinlensError
        If they do not fit.
    """
    if is_dense(base) != is_dense(queries):
        raise TwinlensError("Only one of base and queries is sparse.", "Give both sparse or both dense.")
    if queries.shape[1] != base.shape[1]:
        raise TwinlensError(
            "The queries have {dimensions} dimensions, the base has {base_dimensions}.",
            "Give queries with as many dimensions as the base.",
            dimensions=queries.shape[1],
            base_dimensions=base.shape[1],
        )
    return Tables(name, base, queries, own, query_name=query_name)


def labelled(tables: Tables, labels: VectorArray | None, query_labels: VectorArray | None = None) -> Tables:
    """Return tables with labels; queries of the base have its labels where they have none of their own."""
    if query_labels is None and labels is not None and tables.own is not None:
        query_labels = labels[tables.own]
    numbers, query_numbers = label_numbers(labels, query_labels)
    return replace(tables, labels=numbers, query_labels=query_numbers)


def _same_file(name: str, other: str) -> bool:
    """Return whether two names mean the same array, whose rows must not be their own results."""
    file, _, array = name.partition("::")
    other_file, _, other_array = other.partition("::")
    return array == other_array and expanded(file).resolve() == expanded(other_file).resolve()


def file_digest(name: str) -> str:
    """Return the digest of a file of arrays, named as in an experiment; empty without one."""
    if not name:
        return ""
    file = expanded(name.partition("::")[0])
    with (
        reading(file, Message("{file} cannot be read", file=file), Message("Check the name.")),
        file.open("rb") as data,
    ):
        return hashlib.file_digest(data, "sha256").hexdigest()
