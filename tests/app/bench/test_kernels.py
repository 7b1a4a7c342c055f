"""A bench whose metric is learned of a kernel, or of sparse vectors, from pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array, save_npz

from app.bench.bench import bench
from app.bench.experiment import Experiment
from core.errors import TwinlensError


def classes(n: int = 300, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Make histograms of 4 classes that differ in few small bins, while the large ones differ in all items."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 4, n)
    x = rng.gamma(1.0, 1.0, size=(n, 24))
    x[:, :8] = rng.gamma(0.5, 0.05, size=(n, 8))
    x[np.arange(n), 2 * labels] += 0.35
    x[np.arange(n), 2 * labels + 1] += 0.35
    return (x / x.sum(axis=1, keepdims=True)).astype(np.float32), labels


def test_a_metric_is_learned_of_the_kernel_of_the_method(tmp_path: Path) -> None:
    x, labels = classes()
    np.savez(tmp_path / "h.npz", base=x, labels=labels)
    experiment = Experiment(
        f"{tmp_path}/h.npz", labels=f"{tmp_path}/h.npz::labels", metric="itml:slack=10", marks=(80,), k=3,
        methods=("klsh:bits=128,kernel=chi-square,landmarks=80", "lsh:bits=128"), search=("scan:candidates=60",),
        query_count=30, neighbours=10,
    )  # fmt: skip
    learned = bench(experiment)
    assert learned.data.truth == "metric"
    for one in learned.results:
        assert one.accuracy is not None
        assert one.accuracy_before is not None
        assert one.accuracy > one.accuracy_before + 0.1
        assert one.overlap["10"] > 0.75
    of_pairs = bench(experiment.changed(metric="itml:slack=10,ranking=kernel", methods=experiment.methods[:1])).results[
        0
    ]
    assert of_pairs.accuracy is not None
    assert of_pairs.accuracy > 0.8
    with pytest.raises(TwinlensError, match="cannot start from prior=covariance"):
        bench(experiment.changed(metric="itml:prior=covariance"))


def test_a_metric_is_learned_of_sparse_vectors(tmp_path: Path) -> None:
    x, labels = classes()
    places = np.sort(np.random.default_rng(1).choice(2_000_000, 24, replace=False))
    rows, columns = np.nonzero(x)
    wide = csr_array((np.sqrt(x[rows, columns]), (rows, places[columns])), shape=(len(x), 2_000_000))
    save_npz(tmp_path / "x.npz", wide)
    np.save(tmp_path / "labels.npy", labels)
    pairs = np.random.default_rng(2).integers(0, len(x), (100, 2))
    np.save(tmp_path / "pairs.npy", np.column_stack([pairs, labels[pairs[:, 0]] == labels[pairs[:, 1]]]))
    experiment = Experiment(
        f"{tmp_path}/x.npz", labels=f"{tmp_path}/labels.npy", metric="itml:slack=10", pairs=f"{tmp_path}/pairs.npy",
        k=3, methods=("lsh:bits=128",), query_count=30, neighbours=10, search=("permuted:epsilon=2.0",),
    )  # fmt: skip
    one = bench(experiment).results[0]
    assert one.accuracy is not None
    assert one.accuracy_before is not None
    assert one.accuracy > one.accuracy_before + 0.1
    assert one.looked_at < 0.3 * len(x)
    by_kernel = bench(experiment.changed(metric="itml:slack=10,ranking=kernel")).results[0]
    assert by_kernel.accuracy is not None
    assert by_kernel.accuracy > one.accuracy_before + 0.05
    with pytest.raises(TwinlensError, match="none are given"):
        bench(experiment.changed(pairs="", labels="", k=1))
    with pytest.raises(TwinlensError, match="cannot start from prior=covariance"):
        bench(experiment.changed(metric="itml:prior=covariance"))
