"""Loading the codes of an index from the library, against numpy.load of the same bytes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from app import models
from app.library import Library
from core.methods.lsh import Lsh
from storage.photograph_rows import NewFile
from tests.benchmarks.comparison import Comparison, Peer, Run
from tests.benchmarks.scan import codes

PHOTOGRAPHS, QUICK_PHOTOGRAPHS = 1_000_000, 100_000
BITS = 256
_BATCH = 50_000


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Give the one line."""
    count = QUICK_PHOTOGRAPHS if quick else PHOTOGRAPHS
    yield Comparison(
        f"load {count:,} codes of {BITS} bits from the library",
        "numpy.load of the same bytes",
        Peer(from_library, {"count": count}),
        Peer(from_file, {"count": count}),
        must=5.0,
        stretch=2.5,
        at_most=True,
    )


def from_library(count: int) -> Run:
    """Read ids and codes of an index, checked and in order."""
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
        model = models.keep(w, "benchmark", "lsh", Lsh(bits=BITS).fit(np.eye(BITS)))
        w.codes.replace(index.id, model, count, np.array(ids), made)

    def run(_: object = place) -> None:
        with library.store.reading() as r:
            assert len(r.codes.load(index.id).codes) == count

    return run


def from_file(count: int) -> Run:
    """Read the same codes from a .npy."""
    place = tempfile.TemporaryDirectory()
    path = Path(place.name) / "codes.npy"
    np.save(path, codes(count, BITS))

    def run(_: object = place) -> None:
        assert len(np.load(path)) == count

    return run
