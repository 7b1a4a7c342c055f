"""A metric learned of the pyramid match kernel, implicitly, and hashing under it (Jain, Kulis and Grauman, Figure 2).

Each object is a class, 15 views of it are searched, and 1-NN tells the others: the mean rate over the classes. Vectors
are the sparse ones of the kernel, of 10^14 dimensions, and G is never held; distances are the learned ones, of the
normalised kernel.

Codes and lists are told apart: beside what the sorted lists bring up stand as many views that are nearest by Hamming
distance, and as many that are drawn by chance. How far codes can choose at all, the spread of cosines says: a bit of
two views agrees with probability 1 - angle / pi. The bins are the finest, by which the kernel labels best, of those in
which lists bring up the nearest clearly more often than chance does; the case ``bins`` has the same points in finer
ones, where they hardly do, and in coarser ones, where cosines lie farther apart and the kernel labels worse.

The kernel of all queries with all that is searched is computed once; what a metric adds to it, once for each metric.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from science.papers.sets.cut_outs import NONE, points
from science.papers.size import Tables
from twinlens.core.arrays import BoolMask, Float64Matrix, Int64Labels
from twinlens.core.evaluation.voting import pairs_among
from twinlens.core.hashing.packed_codes import pack_bits, planar
from twinlens.core.hashing.sparse_encoder import SparseEncoder
from twinlens.core.message import Message
from twinlens.core.metrics.itml import Itml
from twinlens.core.metrics.kernel_learning import learn_sparse
from twinlens.core.metrics.sparse_metric import SparseItems, SparseMetric, products, squared_norms
from twinlens.core.progress import Progress, part
from twinlens.core.search.permuted_lists import Permuted
from twinlens.core.search.search_structure import CodeQuery, find_candidates
from twinlens.core.vectors import one_thread

DATA = ("cut-outs",)
CASES = ("pairs", "hashed", "bins")
REPEATS = 5
CLASSES = 40
"""Objects, of the 101: learning takes a time that grows with the cube of the pairs."""

PAIRS_A_CLASS = (2, 5, 10, 15)
"""The last, as in the paper, is what hashing is measured with."""

LENGTHS, BITS = (32, 64, 128, 256, 512), 256
EPSILONS, EPSILON = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0), 1.5
TIMED = 10
DRAWS = 10
"""Of candidates by chance."""

COMPONENTS = 6
"""Of a local feature's ten, the first."""

COARSER, COARSE = (0, 1, 2), 1
"""Times that the side of the finest bins is doubled; and in all cases but ``bins``."""


@dataclass(frozen=True, eq=False)
class Views:
    """What is searched and what asks, as sparse vectors, with their classes."""

    base: Any
    queries: Any
    labels: Int64Labels
    answers: Int64Labels

    @cached_property
    def plain(self) -> Float64Matrix:
        """The kernel of each query with all that is searched, (q, n)."""
        return products(self.queries, self.base)


@dataclass(frozen=True, eq=False)
class Kernels:
    """A kernel of all queries with all that is searched, (q, n), and of both with themselves, (q,) and (n,)."""

    between: Float64Matrix
    asked: Float64Matrix
    searched: Float64Matrix

    @classmethod
    def of(cls, metric: SparseMetric, views: Views) -> Self:
        """Compute the learned kernel, s_A."""
        with one_thread():
            asked, searched = (metric.coordinates(one) for one in (views.queries, views.base))
            own = [
                squared_norms(rows) + np.einsum("ij,ij->i", along @ metric.m, along)
                for rows, along in ((views.queries, asked), (views.base, searched))
            ]
            return cls(views.plain + asked @ metric.m @ searched.T, own[0], own[1])

    @cached_property
    def distances(self) -> Float64Matrix:
        """Squared distances."""
        return np.asarray(self.asked[:, None] + self.searched[None, :] - 2 * self.between)

    @property
    def cosines(self) -> Float64Matrix:
        """Cosines of the angles, which the bits of codes are drawn by."""
        return np.asarray(self.between / np.sqrt(self.asked[:, None] * self.searched[None, :]))


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return rates before and after, each (mean, deviation, runs), over pairs, bits and epsilon."""
    progress(0, 1, Message("Pyramids of the views"))
    if case == "bins":
        return _bins(tables, repeats, progress)
    views = read(tables)
    plain = SparseMetric.plain(views.base.shape[1])
    rows: dict[str, list[dict[str, float]]] = {}
    before = Kernels.of(plain, views)
    for seed in range(repeats):
        step = part(progress, 0.05 + 0.95 * seed / repeats, 0.05 + 0.95 * (seed + 1) / repeats)
        pairs = case == "pairs"
        found = over_pairs(views, before.distances, seed, step) if pairs else _hashed(views, plain, before, seed, step)
        for name, values in found.items():
            rows.setdefault(name, []).append(values)
    return _counts(views) | {"before": rate(before.distances, views), "rows": _rows(rows)}


def _counts(views: Views) -> dict[str, Any]:
    found = {"searched": views.labels, "asked": views.answers}
    return {name: len(one) for name, one in found.items()} | {"classes": len(np.unique(views.labels))}


def _rows(rows: dict[str, list[dict[str, float]]]) -> dict[str, Any]:
    return {name: {figure: _summed([run[figure] for run in runs]) for figure in runs[0]} for name, runs in rows.items()}


def _summed(values: Sequence[float]) -> tuple[float, float, int]:
    return float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0, len(values)


def read(tables: Tables, coarser: int = COARSE) -> Views:
    """Turn local features into the sparse vectors of the pyramid match kernel; `coarser` levels are left out."""
    pyramid = points().pyramid
    pyramid = replace(pyramid, levels=pyramid.levels - coarser, components=COMPONENTS)
    found: list[Any] = []
    for array, names in (("base", "labels"), ("queries", "query_labels")):
        table = np.asarray(tables("cut-outs", array), np.int64)
        labels = np.asarray(tables("cut-outs", names), np.int64)[: len(table)]
        kept = labels < CLASSES
        found += [pyramid.rows([one[one[:, 0] != NONE, :COMPONENTS] >> coarser for one in table[kept]]), labels[kept]]
    return Views(found[0], found[2], found[1], found[3])


def spread_of(cosine: Float64Matrix) -> dict[str, float]:
    """Say how far the cosines of a query lie apart: their quantiles, and the largest of a query, in the middle."""
    low, middle, high = np.quantile(cosine, (0.01, 0.5, 0.99))
    nearest = np.median(cosine.max(axis=1))
    return {"low": float(low), "middle": float(middle), "high": float(high), "nearest": float(nearest)}


def rate(far: Float64Matrix, views: Views, allowed: BoolMask | None = None) -> float:
    """Return the mean over the classes of the share of queries whose nearest is of their class."""
    nearest = (far if allowed is None else np.where(allowed, far, np.inf)).argmin(axis=1)
    right = views.labels[nearest] == views.answers
    return float(np.mean([right[views.answers == one].mean() for one in np.unique(views.answers)]))


def paired_error(before: Float64Matrix, after: Float64Matrix, views: Views) -> float:
    """Return the standard error of the gain over the queries, each asked both ways."""
    was, now = (views.labels[far.argmin(axis=1)] == views.answers for far in (before, after))
    return float((now.astype(float) - was).std(ddof=1) / np.sqrt(len(views.answers)))


def learned(views: Views, each: int, seed: int, progress: Progress) -> SparseMetric:
    """Learn from so many pairs a class, of all views that are searched."""
    pairs = pairs_among(views.labels, np.arange(len(views.labels)), each * len(np.unique(views.labels)), seed)
    return learn_sparse(Itml(), views.base, pairs, seed, progress).metric


def over_pairs(views: Views, before: Float64Matrix, seed: int, progress: Progress) -> dict[str, dict[str, float]]:
    """Learn from more and more pairs."""
    found, plain = {}, rate(before, views)
    for place, each in enumerate(PAIRS_A_CLASS):
        step = part(progress, place / len(PAIRS_A_CLASS), (place + 1) / len(PAIRS_A_CLASS))
        metric = learned(views, each, seed, step)
        far = Kernels.of(metric, views).distances
        found[str(each)] = {
            "after": rate(far, views),
            "gain": rate(far, views) - plain,
            "error": paired_error(before, far, views),
            "items": float(len(metric.s)),
        }
    return found


def _hashed(
    views: Views, plain: SparseMetric, before: Kernels, seed: int, progress: Progress
) -> dict[str, dict[str, float]]:
    """Search by codes, before and after learning, over bits at one epsilon, and over epsilon."""
    metric = learned(views, PAIRS_A_CLASS[-1], seed, part(progress, 0, 0.3))
    both = (("before", plain, before), ("after", metric, Kernels.of(metric, views)))
    codes = {name: coded(own, views, max(*LENGTHS, BITS), seed) for name, own, _ in both}
    found: dict[str, dict[str, float]] = {"cosines": {}}
    for name, _, kernels in both:
        found["cosines"] |= {f"{name} {key}": value for key, value in spread_of(kernels.cosines).items()}
    steps = list(dict.fromkeys([*((bits, EPSILON) for bits in LENGTHS), *((BITS, epsilon) for epsilon in EPSILONS)]))
    for place, (bits, epsilon) in enumerate(steps):
        progress(
            0.4 + 0.6 * place / len(steps),
            1,
            Message("Searching {bits} bits, epsilon {epsilon:g}", bits=bits, epsilon=epsilon),
        )
        search = Permuted(epsilon=epsilon, seed=seed)
        row: dict[str, float] = {}
        for name, _, kernels in both:
            figures = chosen(kernels.distances, codes[name].first(bits), views, search)
            row |= {f"{name} {key}": value for key, value in figures.items()}
        found[f"{bits} {epsilon:g}"] = row | _times(metric, views, bits, search, seed)
    return found


def _bins(tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Search under the plain kernel, with coarser and coarser finest bins."""
    rows: dict[str, list[dict[str, float]]] = {}
    for place, coarser in enumerate(COARSER):
        views = read(tables, coarser)
        plain = SparseMetric.plain(views.base.shape[1])
        kernels = Kernels.of(plain, views)
        far, spread = kernels.distances, spread_of(kernels.cosines)
        for seed in range(repeats):
            progress(place + seed / repeats, len(COARSER), Message("Searching under coarser bins"))
            found = chosen(far, coded(plain, views, BITS, seed), views, Permuted(epsilon=EPSILON, seed=seed))
            rows.setdefault(str(points().pyramid.side >> coarser), []).append(found | spread)
    return _counts(views) | {"rows": _rows(rows)}


@dataclass(frozen=True, eq=False)
class Codes:
    """The bits of what is searched and of what asks, (n, bits) and (q, bits)."""

    base: BoolMask
    queries: BoolMask

    def first(self, bits: int) -> Codes:
        """Return the codes of so many bits of the same seed: longer ones begin with them."""
        return Codes(self.base[:, :bits], self.queries[:, :bits])


def coded(metric: SparseMetric, views: Views, bits: int, seed: int) -> Codes:
    """Hash both by the same functions."""
    encoder = SparseEncoder.of(metric, bits, seed)
    return Codes(encoder.project(views.base) >= 0, encoder.project(views.queries) >= 0)


def chosen(far: Float64Matrix, codes: Codes, views: Views, search: Permuted) -> dict[str, float]:
    """Compare what the lists choose with as many by the Hamming distance alone, and as many by chance."""
    allowed = candidates(codes, search)
    ranked = nearest_codes(codes, allowed.sum(axis=1), search.seed)
    rng, counts = np.random.default_rng(search.seed), allowed.sum(axis=1)
    drawn = [rate(far, views, _first(rng.random(far.shape), counts)) for _ in range(DRAWS)]
    return {
        "linear": rate(far, views),
        "hashed": rate(far, views, allowed),
        "ranked": rate(far, views, ranked),
        "by chance": float(np.mean(drawn)),
        "looked at": float(allowed.mean()),
        "same nearest": _same_nearest(far, allowed),
        "ranked same nearest": _same_nearest(far, ranked),
    }


def _same_nearest(far: Float64Matrix, allowed: BoolMask) -> float:
    return float((np.where(allowed, far, np.inf).min(axis=1) <= far.min(axis=1)).mean())


def nearest_codes(codes: Codes, counts: Int64Labels, seed: int) -> BoolMask:
    """Say which are the nearest by Hamming distance, so many of each query, (q, n); of equal ones any."""
    apart = np.stack([(codes.base != code).sum(axis=1) for code in codes.queries])
    return _first(apart + np.random.default_rng(seed).random(apart.shape), counts)


def _first(values: Float64Matrix, counts: Int64Labels) -> BoolMask:
    """Mark the smallest of each row, so many."""
    return np.asarray(values.argsort(axis=1).argsort(axis=1) < counts[:, None])


def candidates(codes: Codes, search: Permuted) -> BoolMask:
    """Say what each query is measured against by the lists, (q, n)."""
    n, bits = codes.base.shape
    structure = search.build(planar(pack_bits(codes.base)), bits)
    words = np.ascontiguousarray(planar(pack_bits(codes.queries)).T)
    allowed = np.zeros((len(words), n), np.bool_)
    for query, code in enumerate(words):
        allowed[query, find_candidates(search, structure, n, CodeQuery(code, None), 1).rows] = True
    return allowed


def _times(metric: SparseMetric, views: Views, bits: int, search: Permuted, seed: int) -> dict[str, float]:
    """Return thread times of a query in milliseconds: measured against everything, and hashed and then measured."""
    encoder, n = SparseEncoder.of(metric, bits, seed), len(views.labels)
    structure = search.build(planar(encoder.encode(views.base)), bits)
    items = metric.against(views.base)
    linear = hashed = 0.0
    with one_thread():
        for row in range(min(TIMED, len(views.answers))):
            query = views.queries[[row]]
            began = time.thread_time()
            items.distances(query)
            linear += time.thread_time() - began
            began = time.thread_time()
            code = np.ascontiguousarray(planar(encoder.encode(query)).T)[0]
            rows = np.sort(find_candidates(search, structure, n, CodeQuery(code, None), 1).rows)
            SparseItems(metric, items.x[rows], items.coordinates[rows]).distances(query)
            hashed += time.thread_time() - began
    count = min(TIMED, len(views.answers))
    return {"linear ms": 1000 * linear / count, "hashed ms": 1000 * hashed / count}
