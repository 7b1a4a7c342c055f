"""The tuner's choice against the declaration it was given, and against defaults, on queries that it has never seen.

If it is no better than the defaults of the method that it chose, it chose no more than a method.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

import numpy as np

from science.papers.size import Tables
from twinlens.app.bench.tuning import tune_parameters
from twinlens.app.bench.tuning_settings import TuningSettings
from twinlens.app.methods import catalogue
from twinlens.core.evaluation.hamming_ranking import hamming_histograms
from twinlens.core.evaluation.tied_rankings import overlap_at
from twinlens.core.evaluation.truth import Distance, Euclidean, KernelDistance, true_neighbours
from twinlens.core.hashing.packed_codes import planar
from twinlens.core.kernels.histogram_kernels import ChiSquare, Intersection
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part

DATA = ("sift", "edge-crops", "gist-crops", "fashion-mnist")
REPEATS = 3
TRIALS, BITS, QUERIES = 40, 128, 500
RECALLS = (1, 10, 100)


@dataclass(frozen=True)
class Case:
    """What is asked."""

    data: str
    methods: tuple[str, ...]
    truth: str
    distance: Distance


_KERNEL = "klsh:kernel={0}", "kpca-itq:kernel={0}"
ASKED = {
    "SIFT of photographs, chi-square": Case(
        "sift", tuple(one.format("chi-square") for one in _KERNEL), "chi-square", KernelDistance(ChiSquare())
    ),
    "edge histograms of crops, intersection": Case(
        "edge-crops", tuple(one.format("intersection") for one in _KERNEL), "intersection",
        KernelDistance(Intersection()),
    ),
    "GIST of crops, chi-square": Case(
        "gist-crops", tuple(one.format("chi-square") for one in _KERNEL), "chi-square", KernelDistance(ChiSquare())
    ),
    "pixels of clothes, Euclidean": Case("fashion-mnist", ("lsh", "itq", "sik"), "l2", Euclidean()),
}  # fmt: skip
CASES = tuple(ASKED)


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return what was asked for, the defaults of the method chosen, and what was chosen, and recall@R of each by R.

    Figures are (mean, deviation, runs) over seeds.
    """
    one = ASKED[case]
    wanted = TuningSettings(
        base=str(tables.path(one.data, "part")), methods=one.methods, bits=(BITS,), trials=TRIALS, truth=one.truth
    )
    told = tune_parameters(wanted, progress=part(progress, 0, 0.8))
    base = np.ascontiguousarray(tables(one.data, "part"), np.float32)
    queries = np.ascontiguousarray(tables(one.data, "queries")[:QUERIES], np.float32)
    first = true_neighbours(one.distance, base, queries, 1).first(1)
    texts = {
        "asked": catalogue.method(one.methods[0]).changed(bits=BITS).text(),
        "defaults": defaults_of(told.chosen, one.methods),
        "chosen": told.chosen,
    }
    known: dict[str, dict[str, Any]] = {}
    for place, text in enumerate(dict.fromkeys(texts.values())):
        found: dict[int, list[float]] = {count: [] for count in RECALLS}
        for seed in range(repeats):
            progress(0.8 + 0.06 * place, 1, Message("{case}: {text}", case=case, text=text))
            for count, value in _recall(text, seed, base, queries, first).items():
                found[count].append(value)
        known[text] = {str(count): (statistics.fmean(own), _deviation(own), len(own)) for count, own in found.items()}
    recall = {name: known[text] for name, text in texts.items()}
    return {**texts, "recall": recall, "trials": told.trials, "expected": told.recall, "items": len(base)}


def defaults_of(chosen: str, methods: tuple[str, ...]) -> str:
    """Return the method among those asked for that was chosen, with nothing else set.

    Examples
    --------
    >>> defaults_of("itq:bits=128,iterations=1", ("lsh", "itq"))
    'itq:bits=128'
    """
    own = next(text for text in methods if text.partition(":")[0] == chosen.partition(":")[0])
    return catalogue.method(own).changed(bits=BITS).text()


def _recall(text: str, seed: int, base: Any, queries: Any, first: Any) -> dict[int, float]:
    method = catalogue.method(text).changed(seed=seed)
    rows = np.random.default_rng(seed).permutation(len(base))[: method.sample_size]
    encoder = method.fit(base[np.sort(rows)])
    planes, words = planar(encoder.encode(base)), np.ascontiguousarray(planar(encoder.encode(queries)).T)
    ranked = hamming_histograms(planes, words, first, encoder.bits)
    return {count: float(overlap_at(ranked.counts, ranked.relevant, count).mean()) for count in RECALLS}


def _deviation(values: list[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else 0.0
