"""What sorted lists look at, taken literally (Jain, Kulis and Grauman, TR-07-48, Figure 1, right), over bits.

Of each of M = n^(1 / (1 + epsilon)) lists, sorted by a random order of the bits, the two neighbours of the query's
place are looked at; an item that several lists bring up is looked at once. So how much is looked at depends on the
codes, while the program's lists go on until 2M items are met. Everything else is as in the experiments of this paper:
the same partitions, pairs, metric and hyperplanes.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.running import EXPERIMENTS
from science.papers.size import Tables
from twinlens.app.bench.bench_metric import bench_metric
from twinlens.app.bench.experiment import Experiment, read_experiment
from twinlens.app.bench.partitions import of_base, scaled
from twinlens.core.evaluation.voting import Images, Partition, pairs_among, partition
from twinlens.core.hashing.packed_codes import unpack_bits
from twinlens.core.methods.lsh import Lsh
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.progress import Progress, part
from twinlens.core.search.permuted_lists import Permuted

DATA = ("vehicle", "satellite", "soybean", "dna", "letter")
CASES = DATA
REPEATS = 10
EPSILON = 1.5
Bits = npt.NDArray[np.bool_]


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return the share that each partition looks at, by bits, under Euclid's distance and under the learned one."""
    experiment = read_experiment(EXPERIMENTS / f"jkg-{case}.toml")
    x, labels = np.array(tables(case, "base")), np.array(tables(case, "labels"))
    found: dict[str, dict[str, list[float]]] = {"euclid": {}, "learned": {}}
    for seed in range(repeats):
        one = partition(labels, experiment.labelled, experiment.asked, seed)
        table = scaled(x, one)
        pairs = pairs_among(labels, one.labelled, experiment.marks[0], seed)
        step = part(progress, seed / repeats, (seed + 1) / repeats)
        metric = bench_metric(experiment.metric, table[one.base], step, partial(of_base, pairs, one))
        assert isinstance(metric, FittedMetric)
        for name, under in (("euclid", table), ("learned", metric.apply(table))):
            for bits, share in _shares(experiment, under, one, seed).items():
                found[name].setdefault(str(bits), []).append(share)
    return {"searched": len(one.base), "asked": len(one.queries), "looked at": found}


def _shares(experiment: Experiment, table: Images, one: Partition, seed: int) -> dict[int, float]:
    """Return the share that is looked at, by the number of bits."""
    most = max(experiment.bits)
    encoder = Lsh(bits=most, seed=seed).fit(table[one.base])
    base, queries = (unpack_bits(encoder.encode(table[rows]), most) for rows in (one.base, one.queries))
    lists = Permuted(epsilon=EPSILON).count(len(base))
    return {
        bits: looked_at(base[:, :bits], queries[:, :bits], lists, np.random.default_rng(seed))
        for bits in experiment.bits
    }


def looked_at(base: Bits, queries: Bits, lists: int, rng: np.random.Generator) -> float:
    """Return the mean share of different items that are a query's neighbours in sorted lists, two of each.

    Parameters
    ----------
    base, queries : ndarray of bool, (n, bits), (q, bits)
    """
    met = np.zeros((len(queries), len(base)), np.bool_)
    asking = np.arange(len(queries))
    for _ in range(lists):
        order = rng.permutation(base.shape[1])
        keys, words = _words(base[:, order]), _words(queries[:, order])
        rows = np.argsort(keys, kind="stable")
        place = np.searchsorted(keys[rows], words)
        for own in (place - 1, place):
            there = (own >= 0) & (own < len(rows))
            met[asking[there], rows[own[there]]] = True
    return float(met.mean())


def _words(bits: Bits) -> npt.NDArray[np.bytes_]:
    """Return codes as strings of bytes, which sort as the codes do, the first bit the highest."""
    packed = np.packbits(bits, axis=1)
    filled = np.concatenate([packed, np.ones((len(packed), 1), np.uint8)], axis=1)  # strings end with no zero
    return np.ascontiguousarray(filled).view(f"S{filled.shape[1]}").ravel()
