"""Metric of a bench, fitted on the base or read from a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.bench.array_file import open_npz
from app.bench.experiment import is_file_of_metric
from app.learn.metric_file import read_metric_file
from app.methods import catalogue
from core.errors import TwinlensError
from core.evaluation.named_distance import SAMPLE, SEED
from core.evaluation.truth import is_dense
from core.files.tilde import expanded
from core.files.untrusted_input import reading
from core.kernels.kernel import Kernel
from core.kernels.linear import Linear
from core.message import NOTHING, Message
from core.metrics.itml import Itml
from core.metrics.kernel_learning import learn_of_kernel, learn_sparse
from core.metrics.metric import FittedMetric, Metric, MetricPairs
from core.metrics.metric_arrays import read_sparse_metric
from core.metrics.sparse_metric import SparseMetric
from core.progress import Progress
from core.projections.subspaces import draw_places
from core.vectors import Vectors


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
    text : str
    base : ndarray or scipy.sparse array, (n, d)
    progress : Progress
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
        marked = _asked(declared, pairs)
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
    """Return a warning of a harmful metric; empty where accuracy falls by no more than its error.

    Parameters
    ----------
    before, after : float
        Accuracy without and with the metric.
    error : float
    """
    if before - after <= error:
        return NOTHING
    return Message(
        "This metric does harm: {after:.1%} are told rightly with it, {before:.1%} without. Leave it out, or learn it "
        "from more pairs.",
        before=before,
        after=after,
    )


def _asked(declared: Metric, pairs: Callable[[], MetricPairs | None]) -> MetricPairs:
    marked = pairs()
    if marked is None:
        raise TwinlensError(
            Message("The metric {key} is learned from pairs, and none are given.", key=declared.key),
            Message("Give pairs, or labels to draw pairs from."),
        )
    return marked


def _learned_of_sparse(
    text: str, base: Any, pairs: Callable[[], MetricPairs | None], progress: Progress
) -> SparseMetric | None:
    """Learn a metric of sparse vectors from pairs; None if the declared one learns from none."""
    declared = catalogue.metric(text)
    if not isinstance(declared, Itml):
        return None
    return learn_sparse(declared, base, _asked(declared, pairs), SEED, progress).metric


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
            Message(
                "The metric {text} does not work with sparse vectors. Only a metric learned from pairs, or given as S "
                "and items, does.",
                text=text,
            ),
            Message(
                "Choose itml with pairs, or give a .npz file with the array S and the items as scipy.sparse.save_npz "
                "writes them."
            ),
        )
    with reading(file, Message("{file} is not a metric", file=file), Message("Write the file again.")):
        metric = read_sparse_metric(arrays)
    if metric.dimensions != dimensions:
        raise TwinlensError(
            Message(
                "The metric is for vectors with {dimensions} dimensions, but these have {actual}.",
                dimensions=metric.dimensions,
                actual=dimensions,
            ),
            Message("Give vectors with as many dimensions as the metric."),
        )
    return metric
