"""Libraries of any size whose photographs were never pictures: made-up vectors under real indexes, in a moment."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from twinlens.app.duplicates.comparing.comparison import VERSION as COMPARISON_VERSION
from twinlens.app.duplicates.comparing.comparison import relation_to_json
from twinlens.app.duplicates.grouping import ordered
from twinlens.app.indexes.encoders import bring_indexes_up_to_date
from twinlens.app.indexes.fitted_models import make_kinds
from twinlens.app.library import volumes
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.core.arrays import AnyArray, Int64Ids
from twinlens.core.systems.volume import Volume
from twinlens.features.copies import RelationKind
from twinlens.features.copies.relation import Relation
from twinlens.features.keypoints.keypoints import KEPT, KEYPOINTS_VERSION, keypoint_bytes
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.storage.comparisons import ComparedRow, RelatedRow
from twinlens.storage.database.address import Address
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.photographs import NewFile, ReadFile
from twinlens.storage.sqlite.engine import keep_in_step

FEW_BITS = ("Few bits", "colour:levels=1", "lsh:bits=24", "scan:candidates=1")
LEARNED = ("Learned", "colour:levels=1", "itq:bits=40", "scan:candidates=50")
EXACTLY = ("Exactly", "colour:levels=1", "itq", "exact")
_NOTHING_SEEN = keypoint_bytes(Picture(np.zeros((48, 64, 3), np.uint8), None, PictureFacts("JPEG", 640, 480)))
_BATCH = 50_000
_BYTES, _TIME = 1_000, 10**18  # of each file
_DISK = Volume("a disk", "Disk", b"/mnt/disk"), b""
SIZE = 116
"""Bins of the colours of a whole picture."""


def histograms(n: int, seed: int = 0, size: int = SIZE) -> npt.NDArray[np.float32]:
    """Make colours up: few bins of each photograph hold something, some photographs are much alike; (n, size)."""
    rng = np.random.default_rng(seed)
    middles = rng.random((max(1, n // 8), size)) ** 12
    made = middles[rng.integers(0, len(middles), n)] + 0.2 * rng.random((n, size)) ** 12
    return np.asarray(made / made.sum(axis=1, keepdims=True), dtype=np.float32)


_KEPT = Path(tempfile.mkdtemp(prefix="twinlens-made-"))
atexit.register(shutil.rmtree, _KEPT, ignore_errors=True)


def make(
    path: Path | Address, vectors: npt.NDArray[np.float32], indexes: Sequence[tuple[str, str, str, str]]
) -> Library:
    """Make a library with an index for each of (name, descriptor, method, search), and open it.

    Many tests begin with the same: what was made in this process is copied, and has an id of its own.
    """
    if isinstance(path, Address):
        return make_anew(path, vectors, indexes)
    asked = hashlib.sha256(vectors.tobytes() + repr((vectors.shape, *indexes)).encode()).hexdigest()
    if not (_KEPT / asked).exists():
        make_anew(path, vectors, indexes).close()
        shutil.copyfile(path, _KEPT / asked)
    else:
        shutil.copyfile(_KEPT / asked, path)
        with closing(sqlite3.connect(path)) as connection, connection:
            keep_in_step(connection)
            connection.execute("UPDATE library SET value = ? WHERE name = 'id'", (uuid4().hex,))
    return Library.open(path)


def make_anew(
    path: Path | Address, vectors: npt.NDArray[np.float32], indexes: Sequence[tuple[str, str, str, str]]
) -> Library:
    """Make it whether or not the same was made before."""
    library = Library.open(path, create=True)
    with library.store.writing() as w:
        for index in w.indexes.all():
            if not index.automatic:
                w.indexes.delete(index.id)
        for name, descriptor, method, search in indexes:
            w.indexes.add(name, descriptor, method, search)
    make_kinds(library)
    put(library, vectors)
    bring_indexes_up_to_date(library)
    return library


def make_large(
    path: Path | Address, rows: int, index: tuple[str, str, str, str], folder: Path | None = None, size: int = SIZE
) -> None:
    """Make a library of many photographs, batch by batch, with one index more than every library has.

    Their vectors, of the descriptors with so many numbers, have ``size``. With ``folder``, their files are there,
    without content, and the index is the automatic and only one, so that nothing waits to be read.
    """
    place = _DISK if folder is None else volumes.split_folder(os.fsencode(folder))
    with Library.open(path, create=True) as library:
        with library.store.writing("making a library") as w:
            if folder is None:
                w.indexes.add(*index)
            else:
                for other in w.indexes.all():
                    w.indexes.delete(other.id)
                w.indexes.add(AUTOMATIC, *index[1:], automatic=True)
            volume, under = place
            w.folders.add(w.volumes.seen(volume.identity, volume.label, volume.mount), under)
        make_kinds(library)
        for first in range(0, rows, _BATCH):
            put(library, histograms(min(_BATCH, rows - first), first, size), first, place)
        bring_indexes_up_to_date(library)
    if folder is not None:
        for number in range(rows):
            _make_file(folder / os.fsdecode(_name(number)))


def put(
    library: Library,
    vectors: npt.NDArray[np.float32],
    start: int = 0,
    place: tuple[Volume, bytes] = _DISK,
) -> Int64Ids:
    """Register photographs with colours, a day and a camera each, landscape and portrait in turn."""
    with library.store.writing() as w:
        ids = _register(w, range(start, start + len(vectors)), place)
        w.keypoints.put(ids, KEYPOINTS_VERSION, [_NOTHING_SEEN] * len(ids))
        for kind in w.descriptors.kinds():
            if kind.dimensions == vectors.shape[1]:
                w.descriptors.put(kind, ids, vectors)
    return ids


def _register(w: Transaction, numbers: range, place: tuple[Volume, bytes]) -> Int64Ids:
    disk, under = place
    volume = w.volumes.seen(disk.identity, disk.label, disk.mount)
    files = [NewFile(b"/".join(filter(None, (under, _name(number)))), _BYTES, _TIME) for number in numbers]
    ids = w.photographs.register(volume, None, files)
    w.photographs.record(
        [
            ReadFile(i, content(i), "JPEG", *((640, 480) if i % 2 else (480, 640)), 1,
                     f"{2000 + i % 20}-05-14T11:08:00", f"Camera {i % 3}")
            for i in ids.tolist()
        ]
    )  # fmt: skip
    return ids


def content(photograph: int) -> bytes:
    """Return the made-up content hash of a photograph: like those of files, in no order."""
    return hashlib.sha256(b"%d" % photograph).digest()


def make_mixed(path: Path, source: Path, rows: int, folder: Path | None = None) -> None:
    """Make a library with the default's indexes, its descriptors and keypoints mixed of a library of real photographs.

    Each photograph is a mixture of two; of every five the vectors are nearly the same. The last fortieth are copies of
    the first photographs: most of their keypoints and their vectors.

    Parameters
    ----------
    source : Path
        The library of real photographs, with all default descriptors.
    folder : Path, optional
        Where their files are, without content.
    """
    place = _DISK if folder is None else volumes.split_folder(os.fsencode(folder))
    with Library.open(path, create=True) as library, Library.open(source) as real:
        make_kinds(library)
        with real.store.reading() as r:
            whole = r.keypoints.ids(KEYPOINTS_VERSION)
            points = [np.frombuffer(one or b"", np.uint8) for one in r.keypoints.read(whole, KEYPOINTS_VERSION)]
            vectors = {one.key: r.descriptors.read(one, whole)[0] for one in r.descriptors.kinds()}
        with library.store.writing("making a library") as w:
            volume, under = place
            w.folders.add(w.volumes.seen(volume.identity, volume.label, volume.mount), under)
            kinds = w.descriptors.kinds()
        if lacking := [one.name for one in kinds if one.key not in vectors]:
            raise ValueError(f"{source} has no {', '.join(lacking)} of this version")
        mixture = _Mixture(rows, len(whole))
        for start in range(0, rows, _MIXED):
            numbers = range(start, min(rows, start + _MIXED))
            with library.store.writing() as w:
                ids = _register(w, numbers, place)
                for kind in kinds:
                    w.descriptors.put(kind, ids, mixture.vectors(vectors[kind.key], numbers))
                w.keypoints.put(ids, KEYPOINTS_VERSION, [mixture.keypoints(points, one) for one in numbers])
        bring_indexes_up_to_date(library)
    if folder is not None:
        for number in range(rows):
            _make_file(folder / os.fsdecode(_name(number)))


def copies(rows: int) -> list[tuple[int, int]]:
    """Return the ids of photographs of a mixed library, and of the copy of each."""
    count = rows // _COPIED
    return [(number + 1, rows - count + number + 1) for number in range(count)]


def mark_compared(library: Library, rows: int) -> None:
    """Record that a mixed library was compared, and that its copies were recognized."""
    same = relation_to_json(Relation(RelationKind.SAME))
    with library.store.writing() as w:
        w.comparisons.put(
            [ComparedRow(content(one + 1), content(one + 1)[:8]) for one in range(rows)], COMPARISON_VERSION
        )
        w.comparisons.relate([RelatedRow(*ordered(*map(content, pair)), "same", same) for pair in copies(rows)])


_MIXED, _ALIKE, _COPIED = 4_000, 5, 40
_HEAD, _POINT, _SIGNS = 4, 22, 16  # bytes: of what comes before keypoints, of each, and of its description


class _Mixture:
    """Mixtures of real photographs, by number.

    Attributes
    ----------
    of : ndarray of int64, (rows,)
        The photograph that each is a copy of, or its own number.
    """

    def __init__(self, rows: int, real: int) -> None:
        self.of = np.arange(rows)
        for first, copy in copies(rows):
            self.of[copy - 1] = first - 1
        rng = np.random.default_rng(0)
        self._parents = rng.integers(0, real, (rows, 2))
        self._share = rng.uniform(0.3, 0.7, (rows, 1)).astype(np.float32)
        self._flips = rng.integers(0, 256, (rows, _SIGNS), np.uint8)

    def vectors(self, real: AnyArray, numbers: range) -> AnyArray:
        """Mix vectors, those of five photographs nearly in the same way."""
        alike = self.of[numbers.start : numbers.stop] // _ALIKE
        x, share = real.astype(np.float32), self._share[alike]
        first, second = self._parents[alike].T
        noise = np.random.default_rng(numbers.start).uniform(0.98, 1.02, (len(numbers), x.shape[1]))
        mixed: AnyArray = (share * x[first] + (1 - share) * x[second]) * noise.astype(np.float32)
        return mixed.astype(real.dtype)

    def keypoints(self, real: Sequence[npt.NDArray[np.uint8]], number: int) -> bytes:
        """Mix halves of keypoints; the signs of each mixture are flipped in its own way, so that none matches."""
        of = int(self.of[number])
        first, second = (real[one][_HEAD:].reshape(-1, _POINT) for one in self._parents[of])
        rows = np.concatenate([first[::2], second[1::2]])[:KEPT]
        rows[:, :_SIGNS] ^= self._flips[of]
        if number != of:
            rng = np.random.default_rng(number)
            rows[:, :_SIGNS] ^= np.packbits(rng.random((len(rows), 8 * _SIGNS)) < 0.05, axis=1)
        return bytes(real[self._parents[of, 0]][:_HEAD]) + bytes(rows.tobytes())


def _name(number: int) -> bytes:
    return b"%04d/%07d.jpg" % (number // 100, number)


def _make_file(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(_BYTES)
        os.utime(file.fileno(), ns=(_TIME, _TIME))
