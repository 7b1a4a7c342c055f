"""Vectors from files: .npy, .npz (also of scipy.sparse), .fvecs, .ivecs, .bvecs and the .hdf5 of ann-benchmarks.

Only data within the file itself are read, never files that it refers to. An experiment names its tables of vectors, and
the labels of their rows, by such files.

What a header claims is held against the bytes that are there before any memory is taken, and no object is ever
unpickled. Everything that is wrong is an ``InvalidError`` that completes "the file cannot be
read: ...".
"""

from __future__ import annotations

import hashlib
import io
import math
import os
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from app.bench.experiment import Experiment
from core.arrays import AnyArray, Int64Labels
from core.errors import InvalidError, TwinlensError
from core.evaluation.tables import Tables, draw_queries, naming
from core.evaluation.truth import is_dense
from core.files.untrusted_input import check_kind, expanded, reading
from core.message import Message, verbatim
from core.vectors import Vectors, as_vectors

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

    from core.metrics.sparse_metric import as_sparse

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


def has_array(name: str, array: str) -> bool:
    """Return whether a name is that of a whole .hdf5 file with such an array in it."""
    file = expanded(name)
    if file.suffix.lower() not in HDF5_ENDINGS:
        return False
    try:
        with reading(file, Message("{file} cannot be read", file=file)), open_hdf5(file) as arrays:
            return array in tuple(arrays)
    except TwinlensError:
        return False  # reading it raises the exact error


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
    table: Any = load_vectors(name)
    if not isinstance(table, np.ndarray):  # sparse, and checked
        if 0 in table.shape:
            raise TwinlensError(
                "{name} holds no vectors.", "Give a table of numbers with one vector in each row.", name=name
            )
        return table
    if table.ndim == 3:
        table = table.reshape(len(table), -1)
    if table.ndim != 2 or table.dtype.kind not in "biuf" or 0 in table.shape:
        raise TwinlensError(
            "{name} has an array {shape} of {dtype}, which is not a table of vectors.",
            "Give a table of numbers with one vector in each row.",
            name=name,
            shape=str(table.shape),
            dtype=table.dtype,
        )
    return table


def read_table(name: str) -> Vectors:
    """Read a whole table, in float32 if it is dense, and check every number."""
    table = open_table(name)
    if not isinstance(table, np.ndarray):
        sparse: Vectors = table
        return sparse
    with naming(name):
        return as_vectors(table, np.float32)


def read_labels(name: str, expected: int) -> Int64Labels | None:
    """Read the expected number of labels as integers; None without a file."""
    if not name:
        return None
    labels = load_vectors(name)
    if not isinstance(labels, np.ndarray):
        raise TwinlensError(
            "{name} is a sparse table, not a row of labels.", "Give a label for each vector.", name=name
        )
    labels = labels.reshape(-1)
    if len(labels) != expected:
        raise TwinlensError(
            "{name} has {labels} labels for {expected} vectors.",
            "Give a label for each vector.",
            name=name,
            labels=len(labels),
            expected=expected,
        )
    if labels.dtype.kind in "iu":
        return labels.astype(np.int64)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def load_tables(experiment: Experiment) -> Tables:
    """Read base, queries and labels from the files of an experiment; over partitions, queries are drawn later."""
    if experiment.index:
        raise TwinlensError(
            "The experiment measures the photos of the index “{index}”.",
            "Run it in the library, or export the run with its vectors.",
            index=experiment.index,
        )
    base = read_table(experiment.base)
    labels = read_labels(experiment.labels, base.shape[0])
    if experiment.partitions:
        return Tables(experiment.base, base, base[:0], labels=labels)
    named = experiment.queries
    if not named and has_array(experiment.base, "train") and has_array(experiment.base, "test"):
        named = f"{experiment.base}::test"  # of ann-benchmarks
    if not named:
        own = draw_queries(base.shape[0], experiment.query_count)
        return Tables(experiment.base, base, base[own], own, labels, None if labels is None else labels[own])
    queries = read_table(named)
    asks_itself = _same_file(named, experiment.base)
    if is_dense(base) != is_dense(queries):
        raise TwinlensError("Only one of base and queries is sparse.", "Give both sparse or both dense.")
    query_labels = read_labels(experiment.query_labels, queries.shape[0])
    if experiment.query_count:
        queries = queries[: experiment.query_count]
        query_labels = None if query_labels is None else query_labels[: experiment.query_count]
    if queries.shape[1] != base.shape[1]:
        raise TwinlensError(
            "The queries have {dimensions} dimensions, the base has {base_dimensions}.",
            "Give queries with as many dimensions as the base.",
            dimensions=queries.shape[1],
            base_dimensions=base.shape[1],
        )
    if not asks_itself:
        return Tables(experiment.base, base, queries, None, labels, query_labels, asked=named)
    own = np.arange(queries.shape[0])
    if query_labels is None and labels is not None:
        query_labels = labels[own]
    return Tables(experiment.base, base, queries, own, labels, query_labels, asked=named)


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


MOST_MEMBERS = 1000
"""Arrays in one .npz."""

NOT_PLAIN = Message("it is no file of plain arrays of numbers")
_LONGEST_HEADER = 10_000
_LARGEST_ITEM = 1 << 16
_CHUNK = 1 << 22
_PACKED = 100  # how many times its size a file may grow when it is unpacked: arrays of numbers grow a few times
_ALWAYS = 1 << 28


def read_npy(file: Path) -> AnyArray:
    """Map the array of a .npy into memory.

    Raises
    ------
    OSError, ValueError
        If it cannot be read, or is no array of numbers or words.
    """
    status = file.stat()
    check_kind(status)
    with file.open("rb") as opened:
        header = _header(opened)
        has = status.st_size - header.length
        if header.bytes > has:
            raise InvalidError(
                "it says that it holds {claimed} bytes of numbers, and has {has}", claimed=header.bytes, has=has
            )
        if not header.bytes or not header.shape:
            opened.seek(header.length)
            return _filled(opened, header)
    return np.asarray(np.memmap(file, header.dtype, "r", header.length, header.shape, header.order))


class Archive:
    """The arrays of an open .npz. Made by :func:`open_npz`."""

    def __init__(self, packed: zipfile.ZipFile, size: int) -> None:
        self._packed = packed
        self._members = {}
        members = packed.infolist()
        if len(members) > MOST_MEMBERS:
            raise InvalidError("it holds {count} files", count=len(members))
        claimed = sum(member.file_size for member in members)
        if claimed > most_unpacked(size):
            raise InvalidError(
                "its {size} bytes claim to unpack to {claimed}, as no file of vectors does", size=size, claimed=claimed
            )
        self._members = {member.filename.removesuffix(".npy"): member for member in members}
        self.names = tuple(self._members)

    def __getitem__(self, name: str) -> AnyArray:
        """Read an array by its name; KeyError if there is none."""
        member = self._members[name]
        with _sound(), self._packed.open(member) as opened:
            header = _header(opened)
            has = member.file_size - header.length
            if header.bytes != has:
                raise InvalidError(
                    "{name} says that it holds {claimed} bytes of numbers, and has {has}",
                    name=name,
                    claimed=header.bytes,
                    has=has,
                )
            opened.seek(header.length)
            return _filled(opened, header)

    def all(self) -> dict[str, AnyArray]:
        """Read every array."""
        return {name: self[name] for name in self.names}


@contextmanager
def open_npz(file: Path | IO[bytes]) -> Iterator[Archive]:
    """Open a .npz.

    Raises
    ------
    OSError, ValueError
        If it cannot be read, is no .npz, or claims more than a file of its size holds.
    """
    if isinstance(file, Path):
        status = file.stat()
        check_kind(status)
        size = status.st_size
    else:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
    with open_zip(file) as packed:
        yield Archive(packed, size)


@contextmanager
def open_zip(file: Path | IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """Open a zip whose members are plain or deflated, as numpy and Twinlens write them."""
    with _sound():
        packed = zipfile.ZipFile(file)
    with packed:
        if any(one.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED} for one in packed.infolist()):
            raise InvalidError("it is packed in an unusual way")
        yield packed


def read_member(packed: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Read a member of a zip of a limited size; KeyError if there is none."""
    member = packed.getinfo(name)
    if member.file_size > most:
        raise InvalidError("its {name} is too large", name=name)
    with _sound(), packed.open(member) as opened:
        data = opened.read(most + 1)
    if len(data) != member.file_size:
        raise InvalidError("its {name} is cut short", name=name)
    return data


def most_unpacked(size: int) -> int:
    """Return how many bytes a packed file of some size may unpack to: 256 MB, or a hundred times its own."""
    return max(_ALWAYS, _PACKED * size)


@contextmanager
def _sound() -> Iterator[None]:
    """Turn errors of zipfile about a damaged file into an InvalidError."""
    try:
        yield
    except zipfile.BadZipFile as error:
        raise InvalidError(verbatim(str(error)) or Message("it is damaged")) from None
    except (zlib.error, struct.error, EOFError, IndexError) as error:
        raise InvalidError("it is damaged ({error})", error=error) from None
    except (NotImplementedError, RuntimeError) as error:  # another way of packing, or a password
        raise InvalidError(verbatim(str(error))) from None


class _Header(NamedTuple):
    """The header of a .npy file, ``length`` bytes."""

    shape: tuple[int, ...]
    order: Literal["F", "C"]
    dtype: np.dtype[Any]
    length: int

    @property
    def bytes(self) -> int:
        """Size of the array in bytes."""
        return math.prod(self.shape) * self.dtype.itemsize


def _header(opened: IO[bytes]) -> _Header:
    """Read a header of numpy's first two versions; the third has names of fields, which no plain array has."""
    head = io.BytesIO(opened.read(_LONGEST_HEADER))  # numpy reads as many bytes as a header claims to have
    try:
        read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(head)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # an old file, of Python 2
            shape, fortran, dtype = read(head, _LONGEST_HEADER)
    except (KeyError, TypeError, ValueError, SyntaxError, TokenError, RecursionError, MemoryError):
        raise InvalidError(NOT_PLAIN) from None  # numpy parses it as a literal of Python
    if dtype.kind not in "biufcUS" or not 1 <= dtype.itemsize <= _LARGEST_ITEM:
        raise InvalidError(NOT_PLAIN)
    if min(shape, default=0) < 0 or math.prod(side or 1 for side in shape) * dtype.itemsize >= 1 << 62:
        raise InvalidError("no array has such a shape")
    return _Header(shape, "F" if fortran else "C", dtype, head.tell())


def _filled(opened: IO[bytes], header: _Header) -> AnyArray:
    """Read the array after a header whose size was checked."""
    data = bytearray()
    while some := opened.read(min(_CHUNK, header.bytes - len(data))):
        data += some
    if len(data) != header.bytes:
        raise InvalidError("it is cut short")
    return np.ndarray(header.shape, header.dtype, data, order=header.order)
