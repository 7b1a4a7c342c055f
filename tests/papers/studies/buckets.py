"""k-NN inside the bucket of a short key, by KLSH and by its pre-images (Bodó and Csató 2012, Table III).

A query whose bucket is empty goes to the occupied one that is nearest. Each repetition draws anew what is searched and
what is asked.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.evaluation.measures import majority
from core.hash_method import Encoder, HashMethod
from core.kernel_encoder import KernelEncoder
from core.kernels import Polynomial
from core.methods.klsh import Klsh
from core.methods.preimage_klsh import PreimageEncoder, PreimageKlsh
from core.progress import Progress
from tests.papers.size import Tables

DATA = CASES = ("digits", "dna")
VOTES = {"digits": 1, "dna": 3}
KERNEL = Polynomial(a=0.01, c=1, p=2)
BITS, LANDMARKS, ONES = 5, 300, 50
REPEATS = 10
TIMINGS = 5

Labels = npt.NDArray[np.int64]
Table = npt.NDArray[np.float32]


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Give accuracy, share of items compared, kernel evaluations and time to encode an item."""
    votes = VOTES[case]
    read = {name: np.array(tables(case, name)) for name in ("base", "labels", "queries", "query_labels")}
    x = np.concatenate([read["base"], read["queries"]])
    labels = np.concatenate([read["labels"], read["query_labels"]]).astype(np.int64)
    count = len(read["base"])
    found: dict[str, dict[str, list[float]]] = {}
    evaluations = {}
    for seed in range(repeats):
        progress(seed, repeats, f"Buckets of {case}")
        order = np.random.default_rng(seed).permutation(len(x))
        base, queries = order[:count], order[count:]
        far = KERNEL.diagonal(x[base]) - 2 * KERNEL.matrix(x[queries], x[base])
        everything = np.ones(far.shape, np.bool_)
        _note(found, "exact", {"accuracy": _right(far, everything, labels[base], labels[queries], votes)})
        for method in _methods(seed):
            encoder = method.fit(x[base])
            allowed = bucket(encoder.encode(x[base]), encoder.encode(x[queries]))
            right = _right(far, allowed, labels[base], labels[queries], votes)
            times = {"accuracy": right, "compared": float(allowed.mean()), "encode_us": _microseconds(encoder, x)}
            _note(found, method.key, times)
            evaluations[method.key] = evaluations_an_item(encoder)
    summed: dict[str, Any] = {
        method: {name: (statistics.fmean(values), statistics.stdev(values), repeats) for name, values in own.items()}
        for method, own in found.items()
    }
    for key, number in evaluations.items():
        summed[key]["evaluations"] = number
    return summed


def _methods(seed: int) -> tuple[HashMethod, HashMethod]:
    own = {"bits": BITS, "seed": seed, "kernel": KERNEL, "landmarks": LANDMARKS, "samples": ONES}
    return Klsh(**own), PreimageKlsh(**own)


def _note(found: dict[str, dict[str, list[float]]], method: str, values: Mapping[str, float]) -> None:
    for name, value in values.items():
        found.setdefault(method, {}).setdefault(name, []).append(value)


def bucket(codes: npt.NDArray[np.uint8], asked: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Say which items share the key of each query, or the nearest occupied one; keys of at most 8 bits."""
    occupied = np.unique(codes[:, 0])
    nearest = occupied[np.bitwise_count(occupied[None] ^ asked[:, :1]).argmin(axis=1)]
    return np.asarray(codes[:, 0] == nearest[:, None])


def evaluations_an_item(encoder: Encoder) -> int:
    """Count the kernel evaluations that encoding an item takes."""
    if isinstance(encoder, PreimageEncoder):
        return len(encoder.preimages)
    assert isinstance(encoder, KernelEncoder)
    return len(encoder.landmarks)


def _right(
    far: npt.NDArray[np.float64], allowed: npt.NDArray[np.bool_], labels: Labels, answers: Labels, votes: int
) -> float:
    masked = np.where(allowed, far, np.inf)
    rows = np.argsort(masked, axis=1, kind="stable")[:, :votes]
    near = np.take_along_axis(masked, rows, axis=1)
    voting = np.where(np.isfinite(near), labels[rows], -1)
    return float((majority(voting, near, votes) == answers).mean())


def _microseconds(encoder: Encoder, x: Table) -> float:
    times: Sequence[float] = [_seconds(encoder, x) for _ in range(TIMINGS)]
    return 1e6 * min(times) / len(x)


def _seconds(encoder: Encoder, x: Table) -> float:
    began = time.perf_counter()
    encoder.encode(x)
    return time.perf_counter() - began
