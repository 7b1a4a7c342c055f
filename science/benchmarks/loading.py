"""Loading the codes of an index from the library and saving them there, against a .npy of the same bytes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from science.benchmarks.comparison import Peer, Run, SpeedComparison
from science.benchmarks.scan import codes
from twinlens.app.indexes import fitted_models
from twinlens.app.library.library import Library
from twinlens.core.methods.lsh import Lsh
from twinlens.storage.photographs.photographs import NewFile

PHOTOGRAPHS, QUICK_PHOTOGRAPHS = 1_000_000, 100_000
BITS = 256
_BATCH = 50_000


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the two lines."""
    count = QUICK_PHOTOGRAPHS if quick else PHOTOGRAPHS
    yield SpeedComparison(
        f"load {count:,} codes of {BITS} bits from the library",
        "numpy.load of the same bytes",
        Peer(from_library, {"count": count}),
        Peer(from_file, {"count": count}),
        must=5.0,
        stretch=2.5,
        at_most=True,
        seconds=count / 20_000,
    )
    yield SpeedComparison(
        f"save {count:,} codes of {BITS} bits in the library, in place of others",
        "numpy.save of the same bytes",
        Peer(into_library, {"count": count}),
        Peer(into_file, {"count": count}),
        must=10.0,
        stretch=5.0,
        figure="cpu",  # what the disk does besides is as much for both
        at_most=True,
        rounds=7,
        seconds=count / 20_000,
    )


def from_library(count: int) -> Run:
    """Read ids and codes of an index, checked and in order."""
    place, library, index, _, _ = _filled(count)

    def run(_: object = place) -> None:
        with library.store.reading() as r:
            assert len(r.codes.load(index).codes) == count

    return run


def into_library(count: int) -> Run:
    """Put an index's codes in the place of those it has, in one transaction."""
    place, library, index, model, ids = _filled(count)
    made = codes(count, BITS)

    def run(_: object = place) -> None:
        with library.store.writing("saving codes") as w:
            w.codes.replace(index, model, count, ids, made)

    return run


def into_file(count: int) -> Run:
    """Write the same codes to a .npy."""
    place = tempfile.TemporaryDirectory()
    made = codes(count, BITS)

    def run(_: object = place) -> None:
        np.save(Path(place.name) / "codes.npy", made)

    return run


def _filled(count: int) -> tuple[object, Library, int, int, npt.NDArray[np.int64]]:
    """Fill a library; give what keeps its folder, the library, index, encoder, and the photographs' ids."""
    place = tempfile.TemporaryDirectory()
    library = Library.open(Path(place.name) / "codes.twinlens", create=True)
    made = codes(count, BITS)
    with library.store.writing("filling a library") as w:
        index = next(one for one in w.indexes.all() if one.automatic)
        volume = w.volumes.seen("benchmark", "", b"/benchmark")
        folder = w.folders.add(volume, b"")
        ids: list[int] = []
        for start in range(0, count, _BATCH):
            files = [NewFile(b"%09d.jpg" % number, 1, 1) for number in range(start, min(count, start + _BATCH))]
            ids.extend(w.photographs.register(volume, folder, files))
        model = fitted_models.keep_model(w, "benchmark", "lsh", Lsh(bits=BITS).fit(np.eye(BITS)))
        w.codes.replace(index.id, model, count, np.array(ids), made)
    return place, library, index.id, model, np.array(ids)


def from_file(count: int) -> Run:
    """Read the same codes from a .npy."""
    place = tempfile.TemporaryDirectory()
    path = Path(place.name) / "codes.npy"
    np.save(path, codes(count, BITS))

    def run(_: object = place) -> None:
        assert len(np.load(path)) == count

    return run
