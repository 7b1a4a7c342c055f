"""Metric of a bench, read from a file or learned on the base from pairs of a file or drawn by labels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from twinlens.app.bench.array_files import open_npz
from twinlens.app.bench.experiment import is_file_of_metric
from twinlens.app.bench.vector_files import load_vectors
from twinlens.app.learn.metric_files import read_metric_file
from twinlens.app.marks.pair_file import read_pairs
from twinlens.app.methods import catalogue
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.truth import SAMPLE, SEED, is_dense
from twinlens.core.files.untrusted_input import expanded, reading
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import NOTHING, Message
from twinlens.core.metrics.itml import Itml
from twinlens.core.metrics.kernel_learning import learn_of_kernel, learn_sparse
from twinlens.core.metrics.metric import FittedMetric, Metric, MetricPairs
from twinlens.core.metrics.metric_arrays import read_sparse_metric
from twinlens.core.metrics.sparse_metric import SparseMetric
from twinlens.core.progress import Progress
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.vectors import Vectors


def bench_metric(
    text: str,
    base: Vectors,
    progress: Progress,
    pairs: Callable[[], MetricPairs | None] = lambda: None,
    kernel: Kernel | None = None,
) -> FittedMetric | SparseMetric | None:
    """Return the metric read from a file or fitted as declared; None without one.

    Parameters
    ----------
    base : ndarray or scipy.sparse array, (n, d)
    pairs : callable
        Returns pairs of rows of the base, for a metric that learns from pairs.
    kernel : Kernel, optional
        By which the methods compare: a metric that learns from pairs learns of it, of the linear one, or of none, from
        the vectors themselves.

    Raises
    ------
    TwinlensError
        If it cannot be read or fitted, or is for other vectors than those of the base.
    """
    if not text:
        return None
    if not is_dense(base):
        learned = None if is_file_of_metric(text) else _learned_of_sparse(text, base, pairs, progress)
        return learned or _sparse(text, base.shape[1]).fitted_to(base)
    sample = base[draw_places(len(base), SAMPLE, np.random.default_rng(SEED))]
    if not is_file_of_metric(text):
        declared = catalogue.metric(text)
        if not declared.needs_marks:
            return declared.fit(sample, progress=progress)
        marked = _marked(declared, pairs)
        rows, places = np.unique(marked.rows, return_inverse=True)
        ends = MetricPairs(places.reshape(-1, 2), marked.similar)
        x = np.concatenate([base[rows], sample])
        if isinstance(declared, Itml) and kernel is not None and not isinstance(kernel, Linear):
            known = kernel.fitted_to(sample, np.random.default_rng(SEED))
            return learn_of_kernel(declared, known, x, ends, SEED, progress).metric
        return declared.fit(x, ends, progress)
    given = read_metric_file(expanded(text))
    given.check(base.shape[1])
    return given.fitted_to(sample, progress)


def harm(before: float, after: float, error: float = 0.005) -> Message:
    """Return a warning of a harmful metric; empty if accuracy falls by no more than its error.

    Parameters
    ----------
    before, after : float
        Accuracy without and with the metric.
    """
    if before - after <= error:
        return NOTHING
    return Message(
        "This metric does harm: {after:.1%} are judged rightly with it, {before:.1%} without. Leave it out, or "
        "learn it from more pairs.",
        before=before,
        after=after,
    )


def _marked(declared: Metric, pairs: Callable[[], MetricPairs | None]) -> MetricPairs:
    marked = pairs()
    if marked is None:
        raise TwinlensError(
            "The metric {key} is learned from pairs, and none are given.",
            "Give pairs, or labels to draw pairs from.",
            key=declared.key,
        )
    return marked


def _learned_of_sparse(
    text: str, base: Any, pairs: Callable[[], MetricPairs | None], progress: Progress
) -> SparseMetric | None:
    """Learn a metric of sparse vectors from pairs; None if the declared one learns from none."""
    declared = catalogue.metric(text)
    if not isinstance(declared, Itml):
        return None
    return learn_sparse(declared, base, _marked(declared, pairs), SEED, progress).metric


def _sparse(text: str, dimensions: int) -> SparseMetric:
    """Read a metric for sparse vectors: S, with the items as scipy.sparse.save_npz writes them, or dense."""
    file = expanded(text)
    arrays = {}
    if file.suffix.lower() == ".npz":
        mend = Message("Write the file with numpy.savez, without objects.")
        with reading(file, Message("{file} cannot be read as .npz", file=file), mend), open_npz(file) as opened:
            arrays = opened.all()
    if "S" not in arrays:
        if is_file_of_metric(text):
            read_metric_file(file)  # which says if it is missing, or cannot be read
        raise TwinlensError(
            "The metric {text} does not work with sparse vectors. Only a metric learned from pairs, or given as S "
            "and items, does.",
            "Choose itml with pairs, or give a .npz file with the array S and the items as scipy.sparse.save_npz "
            "writes them.",
            text=text,
        )
    with reading(file, Message("{file} is not a metric", file=file), Message("Write the file again.")):
        metric = read_sparse_metric(arrays)
    if metric.dimensions != dimensions:
        raise TwinlensError(
            "The metric is for vectors with {dimensions} dimensions, but these have {actual}.",
            "Give vectors with as many dimensions as the metric.",
            dimensions=metric.dimensions,
            actual=dimensions,
        )
    return metric


def pairs_of_file(name: str, n: int) -> MetricPairs:
    """Read pairs of rows of the base, counted from 0.

    Parameters
    ----------
    name : str
        ``.csv`` or ``.json`` with first, second and judgement, as `twinlens learn` takes them, with rows for pictures;
        or a table of vectors' own formats, (p, 3): row, row, and 1 if similar, else 0 or -1.
    n : int
        Vectors of the base.

    Raises
    ------
    TwinlensError
        If the file cannot be read, has another form, or names a missing row.
    """
    if Path(name).suffix.lower() in {".csv", ".json"}:
        named = read_pairs(Path(name))
        for one in named:
            if not (one.first.isdecimal() and one.second.isdecimal()):
                raise TwinlensError(
                    "Pair {line} of {name} does not name two rows.",
                    "Give rows of the base, counted from 0.",
                    line=one.line,
                    name=name,
                )
        # One that no array can hold is beyond every base.
        rows = np.array([(min(int(one.first), n), min(int(one.second), n)) for one in named], np.int64)
        return _checked(MetricPairs(rows, np.array([one.similar for one in named], bool)), name, n)
    return pairs_of_table(load_vectors(name), name, n)


def pairs_of_table(table: Any, name: str, n: int) -> MetricPairs:
    """Return pairs of rows of the base from a table, (p, 3): row, row, and 1 if similar, else 0 or -1.

    Raises
    ------
    TwinlensError
        If it is no such table, or names a missing row.
    """
    plain = isinstance(table, np.ndarray) and table.ndim == 2 and table.shape[1] == 3 and len(table) > 0
    if not plain or table.dtype.kind not in "biuf" or not np.isfinite(table.astype(np.float64)).all():
        raise TwinlensError(
            "{name} has no pairs.", "Give a table with three columns: row, row, 1 if similar.", name=name
        )
    return _checked(MetricPairs(np.clip(table[:, :2], -1, n).astype(np.int64), table[:, 2] > 0), name, n)


def _checked(pairs: MetricPairs, name: str, n: int) -> MetricPairs:
    if pairs.rows.min() < 0 or pairs.rows.max() >= n:
        raise TwinlensError(
            "{name} names rows that are not among the {n} vectors of the base.", "Count rows from 0.", name=name, n=n
        )
    return pairs
