"""k-NN among the items of a few buckets, by KLSH and by its pre-images (Bodó and Csató 2012, Table III).

Short keys: the query's own bucket; where that is empty, the one whose key is closest. Long keys: the buckets of the ten
occupied keys closest to the query's; where the query's is not occupied, those of its neighbour in the sorted keys, as
the paper does, or its own ten closest, which is measured beside it. Each repetition draws anew what is searched, what
is asked, and the keys.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.kernel_tables import LANDMARKS, ONES, SETTINGS, Setting, neighbourhood
from science.papers.size import Tables
from twinlens.core.arrays import Float32Matrix, Float64Matrix, Int64Labels, Int64Rows
from twinlens.core.evaluation.tied_rankings import majority
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.hashing.kernel_hashing import KernelEncoder
from twinlens.core.message import Message
from twinlens.core.methods.klsh import Klsh
from twinlens.core.methods.preimage_klsh import PreimageEncoder, PreimageKlsh
from twinlens.core.progress import Progress
from twinlens.core.vectors import one_thread

DATA = tuple(SETTINGS)
CASES = DATA
REPEATS = 10
QUERIES, TIMED, TIMINGS = 1_000, 60, 3
NEIGHBOURS = 10

Codes = npt.NDArray[np.uint8]


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return what each method finds, and how many kernel evaluations an item takes.

    Of a method: accuracy, share of items compared, time of a thread to encode an item in a batch and to label a query,
    each (mean, deviation, runs).
    """
    setting = SETTINGS[case]
    first = np.asarray(tables(case, setting.base), np.float32)
    asked = np.asarray(tables(case, "queries"), np.float32)
    x = np.concatenate([first, asked])
    labels = np.concatenate([tables(case, "labels")[: len(first)], tables(case, "query_labels")[: len(asked)]])
    found: dict[str, dict[str, list[float]]] = {}
    evaluations: dict[str, int] = {}
    for seed in range(repeats):
        progress(seed, repeats, Message("Buckets of {case}", case=case))
        order = np.random.default_rng(seed).permutation(len(x))
        base, queries = order[: len(first)], order[len(first) :][:QUERIES]
        told = labels.astype(np.int64)
        for name, values in _run(setting, x, told, base, queries, seed, evaluations).items():
            for figure, value in values.items():
                found.setdefault(name, {}).setdefault(figure, []).append(value)
    return {
        "searched": len(first),
        "asked": min(QUERIES, len(asked)),
        "evaluations": evaluations,
        "methods": {name: {figure: _summed(values) for figure, values in own.items()} for name, own in found.items()},
    }


def _summed(values: Sequence[float]) -> tuple[float, float, int]:
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0, len(values)


def methods(setting: Setting, seed: int) -> tuple[HashMethod, HashMethod]:
    """Return KLSH and its pre-images, as the paper sets them."""
    own = {"bits": setting.bits, "seed": seed, "kernel": setting.kernel, "landmarks": LANDMARKS, "samples": ONES}
    return Klsh(**own), PreimageKlsh(**own)


def _run(
    setting: Setting,
    x: Float32Matrix,
    labels: Int64Labels,
    base: Int64Rows,
    queries: Int64Rows,
    seed: int,
    evaluations: dict[str, int],
) -> dict[str, dict[str, float]]:
    """Search once."""
    ways = ("lexicographic", "closest") if setting.neighbouring else ("closest",)
    keys: dict[str, tuple[Buckets, str, Encoder]] = {}
    found: dict[str, dict[str, float]] = {}
    for method in methods(setting, seed):
        with one_thread():
            encoder = method.fit(x[base])
            buckets = Buckets.of(encoder.encode(x[base]))
        evaluations[method.key] = evaluations_an_item(encoder)
        for way in ways:
            name = method.key + (" closest" if setting.neighbouring and way == "closest" else "")
            keys[name] = buckets, way, encoder
            found[name] = {"encode us": _microseconds(encoder, x[base[:2_000]])}
    right = dict.fromkeys(("exact", *keys), 0)
    compared = dict.fromkeys(keys, 0)
    kernel, n = setting.kernel, len(base)
    own = kernel.diagonal(x[base])
    codes = {name: encoder.encode(x[queries]) for name, (_, _, encoder) in keys.items()}
    everything, searched, told = np.arange(n), x[base], labels[base]
    for place, query in enumerate(queries):
        far = own - 2 * kernel.pairs(searched, x[query][None])  # of an item always the same, so that ties are
        answer = int(labels[query])
        right["exact"] += _is_right(far, everything, told, answer, setting.votes)
        for name, (buckets, way, _) in keys.items():
            rows = buckets.near(codes[name][place], setting.neighbouring, way)
            compared[name] += len(rows)
            right[name] += _is_right(far, rows, told, answer, setting.votes)
    count = len(queries)
    for name, (buckets, way, encoder) in keys.items():
        found[name] |= {
            "accuracy": right[name] / count,
            "compared": compared[name] / (count * n),
            "ms": _milliseconds(setting, x[base], x[queries[:TIMED]], encoder, buckets, way),
        }
    return {"exact": {"accuracy": right["exact"] / count}, **found}


class Buckets:
    """Items by their keys."""

    def __init__(self, occupied: Codes, order: Int64Rows, starts: Int64Rows) -> None:
        self.occupied, self._order, self._starts = occupied, order, starts

    @classmethod
    def of(cls, codes: Codes) -> Buckets:
        """Put items of these codes, (n, bytes), into their buckets."""
        words = np.ascontiguousarray(codes).view(f"V{codes.shape[1]}").ravel()
        order = np.argsort(words, kind="stable")
        first = np.flatnonzero(np.concatenate([[True], words[order][1:] != words[order][:-1]]))
        return cls(codes[order[first]], order, np.append(first, len(codes)))

    def near(self, key: Codes, neighbouring: bool, absent: str) -> Int64Rows:
        """Return the items that a query of this key is compared with, ascending."""
        chosen = neighbourhood(self.occupied, key, NEIGHBOURS if neighbouring else 1, absent)
        parts = [self._order[self._starts[one] : self._starts[one + 1]] for one in chosen]
        return np.sort(np.concatenate(parts))


def evaluations_an_item(encoder: Encoder) -> int:
    """Count the kernel evaluations that encoding an item takes."""
    if isinstance(encoder, PreimageEncoder):
        return len(encoder.preimages)
    assert isinstance(encoder, KernelEncoder)
    return len(encoder.landmarks)


def _is_right(far: Float64Matrix, rows: Int64Rows, labels: Int64Labels, answer: int, votes: int) -> bool:
    """Let the nearest of some rows vote, by (distance, row)."""
    own = far[rows]
    last = min(votes, len(own)) - 1
    near = np.flatnonzero(own <= np.partition(own, last)[last])
    near = near[np.argsort(own[near], kind="stable")[:votes]]
    return int(majority(labels[rows[near]][None], own[near][None], votes)[0]) == answer


def _microseconds(encoder: Encoder, x: Float32Matrix) -> float:
    """Return the thread time to encode an item in a batch."""
    times = []
    for _ in range(TIMINGS):
        with one_thread():
            began = time.thread_time()
            encoder.encode(x)
            times.append(time.thread_time() - began)
    return 1e6 * min(times) / len(x)


def _milliseconds(
    setting: Setting, base: Float32Matrix, queries: Float32Matrix, encoder: Encoder, buckets: Buckets, way: str
) -> float:
    """Return the median thread time to label a query: to encode it, to find its buckets, to measure what is in them."""
    spent = []
    for query in queries:
        with one_thread():
            began = time.thread_time()
            rows = buckets.near(encoder.encode(query[None])[0], setting.neighbouring, way)
            values = setting.kernel.pairs(base[rows], query[None])
            np.argpartition(values, -min(setting.votes, len(values)))
            spent.append(1000 * (time.thread_time() - began))
    return statistics.median(spent)
