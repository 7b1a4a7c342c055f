"""What a metric weighs: measured shares against the formula, and what is said of colours, parts, words, directions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from app.learn.learning import keep_metric
from app.learn.metric_meaning import direction_shares, group_shares, metric_meaning, strongest_directions
from app.library.library import Library
from core.arrays import Int64Ids
from core.errors import Cancelled, TwinlensError
from core.kernels.dot_product_kernels import Linear
from core.kernels.histogram_kernels import ChiSquare
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric_forms import ExplicitMetric, ImplicitMetric
from core.progress import silent
from features.colour.hsv_histogram import HsvHistogram, bin_colours
from features.fusion import Fusion
from features.vocabulary.vlad import Vlad
from storage.photographs.photographs import NewFile, ReadFile
from tests.app.learn.test_before_after import proposed
from tests.app.made_library import FEW_BITS, SIZE, histograms, make

INDEX = FEW_BITS[0]


@pytest.mark.parametrize("kind", ["explicit", "implicit"])
def test_shares_are_those_of_the_formula(kind: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.random((30, 12)).astype(np.float32) + 0.1
    metric = (
        ExplicitMetric.of(np.eye(12) + 0.3 * rng.standard_normal((12, 12)))
        if kind == "explicit"
        else ImplicitMetric.of(rng.random((3, 12)), 0.4 * np.eye(3), spread=1.7)
    )
    groups = np.arange(12) % 4
    found = group_shares(x, groups, metric)
    g = metric.g.astype(np.float64) if isinstance(metric, ExplicitMetric) else metric.image(np.eye(12)).T
    first = np.random.default_rng(0)
    one = first.integers(0, 30, found.pairs)
    other = (one + first.integers(1, 30, found.pairs)) % 30
    delta = x[one].astype(np.float64) - x[other]
    for a, measured in ((np.eye(12), found.before), (g.T @ g, found.after)):
        each = (delta * (delta @ a)).sum(axis=0)
        parts = np.array([each[groups == number].sum() for number in range(4)])
        np.testing.assert_allclose(measured, parts / parts.sum(), atol=1e-6)
    np.testing.assert_allclose(found.factors, found.after / found.before)


def test_a_direction_counts_as_much_as_it_is_stretched() -> None:
    rng = np.random.default_rng(1)
    x = rng.standard_normal((200, 8)).astype(np.float32)
    v = np.ones(8) / 8**0.5
    metric = ExplicitMetric.of(np.eye(8) + 2 * np.outer(v, v))
    directions = strongest_directions(metric, x, 0, silent)
    assert abs(directions[:, 0] @ v) > 0.97
    np.testing.assert_allclose(directions.T @ directions, np.eye(directions.shape[1]), atol=1e-9)
    found = direction_shares(x, directions, metric)
    assert found.factors[0] / found.factors[1:].mean() == pytest.approx(9, rel=0.3)


def test_a_metric_of_a_kernel_is_weighed_by_its_distances() -> None:
    x = histograms(60)[:, :12].copy() + 0.01
    groups = np.arange(12) % 4
    items = x[:10].copy()
    metric = KernelMetric.of_weights(Linear(), items, 0.5 * np.eye(10), sample=x)
    same = ImplicitMetric.of(items, 0.5 * np.eye(10))
    by_distance, by_matrix = (group_shares(x, groups, one) for one in (metric, same))
    assert by_distance.pairs > 20
    np.testing.assert_allclose(by_distance.after, by_matrix.after, atol=0.05)
    chi = KernelMetric.of_weights(ChiSquare(), items, 2 * np.eye(10), sample=x)
    along = direction_shares(x, np.eye(12)[:, :3], chi)
    assert (along.after > 0).all()
    assert along.after.sum() < 1


def test_a_colour_that_counts_more_is_named(tmp_path: Path) -> None:
    colours = bin_colours(HsvHistogram(levels=1)).astype(int)
    red = int(np.argmin(np.abs(colours - (230, 20, 20)).sum(axis=1)))
    weights = np.ones(SIZE)
    weights[red] = 8
    with make(tmp_path / "a.twinlens", histograms(80), (FEW_BITS,)) as library:
        proposal = proposed(library, ExplicitMetric.of(np.diag(weights)))
        told = metric_meaning(library, proposal)
        assert told.kind == "colours"
        assert len(told.colours) == SIZE
        assert told.colours[0].rgb == tuple(colours[red])
        assert told.colours[0].factor > 2
        assert sum(one.before for one in told.colours) == pytest.approx(1)
        assert sum(one.after for one in told.colours) == pytest.approx(1)
        assert str(told.sentence).startswith("Compared with before, red counts ")
        assert told == metric_meaning(library, proposal)
        name = keep_metric(library, proposal)
        assert metric_meaning(library, name) == told
        with pytest.raises(TwinlensError, match="no metric “Other”"):
            metric_meaning(library, "Other")


def test_cancelling_and_too_few_photographs(tmp_path: Path) -> None:
    def progress(done: float, total: float, text: object) -> None:
        if done >= 0.2 * total:
            raise Cancelled

    with make(tmp_path / "a.twinlens", histograms(30), (FEW_BITS,)) as library:
        proposal = proposed(library, ExplicitMetric.of(np.eye(SIZE)))
        with pytest.raises(Cancelled):
            metric_meaning(library, proposal, progress=progress)
        assert metric_meaning(library, proposal).sentence
    with make(tmp_path / "b.twinlens", histograms(1), (FEW_BITS,)) as library:
        proposal = proposed(library, ExplicitMetric.of(np.eye(SIZE)))
        with pytest.raises(TwinlensError, match="too few photos"):
            metric_meaning(library, proposal)


def put(library: Library, vectors: npt.NDArray[np.float32]) -> Int64Ids:
    """Register photographs with vectors of one kind."""
    with library.store.writing() as w:
        volume = w.volumes.seen("a disk", "Disk", b"/mnt/disk")
        ids = w.photographs.register(volume, None, [NewFile(b"%d" % i, 1, 1) for i in range(len(vectors))])
        w.photographs.record([ReadFile(i, i.to_bytes(32, "big"), "JPEG", 9, 9, 1, None, None) for i in ids.tolist()])
        kind = next(kind for kind in w.descriptors.kinds() if kind.dimensions == vectors.shape[1])
        w.descriptors.put(kind, ids, vectors)
    return np.asarray(ids)


def test_parts_of_a_fusion_and_visual_words(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    fusion = Fusion(first=HsvHistogram(levels=1), second=HsvHistogram(hue=4, levels=1))
    sizes = [one.dimensions for one, _ in fusion.parts]
    vlad = Vlad()
    indexes = (("Both", fusion.text(), "itq:bits=8", "exact"), ("Words", vlad.text(), "lsh:bits=8", "exact"))
    with make(tmp_path / "a.twinlens", histograms(0), indexes) as library:
        x = rng.random((40, sum(sizes)), np.float32)
        put(library, x / np.linalg.norm(x, axis=1, keepdims=True))
        weights = np.repeat([2.0, 1.0], sizes)
        told = metric_meaning(library, proposed(library, ExplicitMetric.of(np.diag(weights)), "Both"))
        assert told.kind == "parts"
        assert [one.descriptor for one in told.parts] == [one.text() for one, _ in fusion.parts]
        assert told.parts[0].factor / told.parts[1].factor == pytest.approx(4, rel=0.1)
        assert len(told.colours) == sizes[0]
        y = rng.standard_normal((40, vlad.dimensions)).astype(np.float32)
        y[7, 5 * 128 : 6 * 128] *= 5
        with library.store.writing() as w:
            kind = next(kind for kind in w.descriptors.kinds() if kind.dimensions == vlad.dimensions)
            ids = w.descriptors.ids(next(k for k in w.descriptors.kinds() if k.dimensions == sum(sizes)))
            w.descriptors.put(kind, ids, y / np.linalg.norm(y, axis=1, keepdims=True))
        heavy = np.zeros((128, vlad.dimensions))
        heavy[np.arange(128), 5 * 128 + np.arange(128)] = 1
        metric = ImplicitMetric.of(heavy, 2 * np.eye(128))
        told = metric_meaning(library, proposed(library, metric, "Words"))
        assert told.kind == "centres"
        assert told.centres[0].number == 5
        assert told.centres[0].photographs[0] == ids[7]
        assert str(told.sentence).startswith("Compared with before, visual word 5 counts ")
