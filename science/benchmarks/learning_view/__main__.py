"""Waiting times of the Learn view in a large synthetic library: rankings before and after, and pairs to mark next.

python -m science.benchmarks.learning_view [PHOTOGRAPHS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from twinlens.app.indexes.loaded_index import index_measure
from twinlens.app.learn.before_after import BeforeAfter
from twinlens.app.learn.learn_results import LearnResult
from twinlens.app.learn.learning import Proposal
from twinlens.app.learn.metric_meaning import metric_meaning
from twinlens.app.learn.metrics import search_by_metric
from twinlens.app.learn.next_pairs import offer_pairs
from twinlens.app.library.library import Library
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.metrics.metric_forms import ExplicitMetric, ImplicitMetric
from twinlens.storage.photographs.photographs import NewFile, ReadFile

DIMENSIONS = 512
_INDEX = "Shapes"


def main(photographs: int) -> None:
    """Make the library, and print what is measured."""
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder, _made(Path(folder) / "a.twinlens", photographs) as library:
        metrics = {
            "explicit": ExplicitMetric.of(np.eye(DIMENSIONS) + 0.02 * rng.standard_normal((DIMENSIONS, DIMENSIONS))),
            "of 60 items": ImplicitMetric.of(rng.random((60, DIMENSIONS)) / 10, 0.1 * np.eye(60)),
        }
        for name, metric in metrics.items():
            _measure(library, name, metric)


def _measure(library: Library, name: str, metric: FittedMetric) -> None:
    with library.store.reading() as r:
        index = index_measure(r, _INDEX)
    nothing = LearnResult(
        index=_INDEX, descriptor=index.descriptor.text(), pairs=0, similar=0, different=0, advice="", better=0, worse=0,
        of=0, apart=True, more=0, tried=[], metric=None, learned_by=None, left_out=[], seconds=0,
    )  # fmt: skip
    proposal = Proposal(nothing, metric, index, index.row.descriptor, None, np.empty(0, np.int64))
    asked = BeforeAfter(library, proposal)
    started = time.perf_counter()
    asked.prepare()
    print(f"{name}: made ready in {time.perf_counter() - started:.2f} s")
    seconds = [asked.ask(photograph).seconds for photograph in range(1, 2001, 100)]
    print(f"  before and after: {1000 * np.median(seconds):.0f} ms, at most {1000 * max(seconds):.0f}")
    print(f"  without room for it: {BeforeAfter(library, proposal, room=0).ask(7).seconds:.2f} s")
    print(f"  ten pairs to mark: {offer_pairs(library, index=_INDEX, learned=proposal).seconds:.2f} s")
    started = time.perf_counter()
    metric_meaning(library, proposal)
    print(f"  what it weighs: {time.perf_counter() - started:.2f} s")
    from twinlens.app.learn.learning import keep_metric

    kept = keep_metric(library, proposal)
    started = time.perf_counter()
    search_by_metric(library, kept)
    print(f"  searching by it: {time.perf_counter() - started:.2f} s")


def _made(path: Path, photographs: int) -> Library:
    library = Library.open(path, create=True)
    rng = np.random.default_rng(0)
    middles = rng.standard_normal((photographs // 20 + 1, DIMENSIONS)).astype(np.float32)
    with library.store.writing() as w:
        descriptor = f"compact-vlad:dimensions={DIMENSIONS}"
        from twinlens.app.methods import catalogue

        written = catalogue.written_declaration(catalogue.descriptor(descriptor))
        kind = w.descriptors.add_kind("made up", written, DIMENSIONS)
        w.indexes.add(
            _INDEX,
            written,
            catalogue.written_declaration(catalogue.method("itq:bits=256")),
            catalogue.written_declaration(catalogue.search_structure("scan")),
            kind_id=kind.id,
        )
        volume = w.volumes.seen("a disk", "Disk", b"/mnt/disk")
        for start in range(0, photographs, 10_000):
            count = min(10_000, photographs - start)
            files = [NewFile(b"%07d.jpg" % i, 1, 1) for i in range(start, start + count)]
            ids = w.photographs.register(volume, None, files)
            w.photographs.record(
                [ReadFile(i, i.to_bytes(32, "big"), "JPEG", 9, 9, 1, None, None) for i in ids.tolist()]
            )
            x = middles[rng.integers(0, len(middles), count)] + rng.standard_normal((count, DIMENSIONS))
            w.descriptors.put(kind, ids, x / np.linalg.norm(x, axis=1, keepdims=True))
    return library


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
