"""A library whose index compares by a kernel learns of that kernel, and searches by what it learned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.indexes.index_specification import load_metric
from app.indexes.indexes import NewIndex, create_index
from app.learn.learning import LearningSettings, learn_and_keep
from app.learn.metrics import export_metric, find_metric, import_metric
from app.learn.training_data import LearningSpace, kernel_of_measure
from app.library.library import Library
from app.machine.output_file import OutputFile
from app.marks.mark_file import NamedPair
from app.search.search_query import SearchOptions
from app.search.searcher import Searcher
from core.errors import TwinlensError
from core.exact_search.measure import Measure
from core.kernels.dot_product_kernels import Linear
from core.kernels.histogram_kernels import ChiSquare
from core.kernels.kernel import Kernel
from core.kernels.radial_kernels import Gaussian
from core.learning import cross_validation
from core.metrics.itml import Itml
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import FittedMetric, MetricPairs
from core.metrics.metric_forms import ExplicitMetric
from features.vocabulary.pyramid_match import PyramidMatch
from tests.app.made_library import SIZE, histograms, make

COLOURS = "colour:levels=1"
BY_CHI_SQUARE = ("Kernel", COLOURS, "klsh:bits=64,kernel=chi-square,landmarks=50", "scan:candidates=60")
BY_OWN_MEASURE = ("Own", COLOURS, "lsh:bits=64", "scan:candidates=60")


def two_kinds(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Make histograms of two kinds, told by a few bins that hold little."""
    x, rng = histograms(n, seed=3), np.random.default_rng(4)
    kind = rng.random(n) < 0.5
    x[:, :6] = 0.02 * rng.random((n, 6)) ** 4
    x[kind, :3] += 0.03
    x[~kind, 3:6] += 0.03
    return (x / x.sum(axis=1, keepdims=True)).astype(np.float32), kind


def judged(kind: np.ndarray, count: int) -> list[NamedPair]:
    rows = np.random.default_rng(5).integers(0, len(kind), (count, 2))
    rows = rows[rows[:, 0] != rows[:, 1]]
    return [
        NamedPair(line, str(i + 1), str(j + 1), bool(kind[i] == kind[j]))
        for line, (i, j) in enumerate(rows.tolist(), start=1)
    ]


def kept(library: Library, name: str) -> FittedMetric:
    with library.store.reading() as r:
        return load_metric(r, find_metric(r, name).model_id)


def precision(library: Library, index: str, kind: np.ndarray) -> float:
    searcher = Searcher(library)
    shares = []
    for photograph in range(1, len(kind) + 1, 5):
        hits = [hit.id for hit in searcher.search(photograph, index, SearchOptions(11)).hits if hit.id != photograph][
            :10
        ]
        shares.append(np.mean([kind[hit - 1] == kind[photograph - 1] for hit in hits]))
    return float(np.mean(shares))


def test_it_learns_of_the_descriptor_s_own_kernel(tmp_path: Path) -> None:
    x, kind = two_kinds(40)
    with make(tmp_path / "a.twinlens", x, (BY_OWN_MEASURE,)) as library:
        learn_and_keep(
            library, LearningSettings(named=judged(kind, 10), index=BY_OWN_MEASURE[0], name="Mine", anyway=True)
        )
        metric = kept(library, "Mine")
        assert isinstance(metric, KernelMetric)
        assert metric.base.text() == "hellinger:normalise=true"


def test_it_learns_of_the_method_s_kernel_and_searches_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        cross_validation, "LEAST_PAIRS", 1_000
    )  # the choice, which takes long, is not what is tested here
    x, kind = two_kinds(90)
    with make(tmp_path / "a.twinlens", x, (BY_CHI_SQUARE,)) as library:
        result = learn_and_keep(
            library, LearningSettings(named=judged(kind, 60), index=BY_CHI_SQUARE[0], name="Mine", anyway=True)
        )
        assert result.metric == "Mine"
        metric = kept(library, "Mine")
        assert isinstance(metric, KernelMetric)
        assert metric.base.text() == "chi-square:normalise=true"
        before = precision(library, BY_CHI_SQUARE[0], kind)
        for method in (BY_CHI_SQUARE[2], "kpca-lsh:bits=64,kernel=chi-square,landmarks=50"):
            made = create_index(
                library, NewIndex(descriptor=COLOURS, method=method, search=BY_CHI_SQUARE[3], metric="Mine")
            )
            answer = Searcher(library).search(7, made.name, SearchOptions(5))
            assert str(answer.measure) == "metric Mine"
            assert answer.hits[0].id == 7
            assert precision(library, made.name, kind) > before + 0.1
        # What was learned of a kernel is learned further of it.
        learn_and_keep(library, LearningSettings(named=judged(kind, 12), index=made.name, name="Further", anyway=True))
        assert isinstance(kept(library, "Further"), KernelMetric)
        out = tmp_path / "mine.npz"
        export_metric(library, "Mine", OutputFile(out))
        import_metric(library, out, COLOURS, "Mine again")
        brought = kept(library, "Mine again")
        np.testing.assert_allclose(
            brought.distances(x[0], x) * brought.spread, metric.distances(x[0], x) * metric.spread, atol=1e-4
        )
        with pytest.raises(TwinlensError, match="learned of the kernel"):
            export_metric(library, "Mine", OutputFile(tmp_path / "mine.npy"))


@pytest.mark.parametrize("kernel", [ChiSquare(), Gaussian(gamma=3.0), PyramidMatch.measure], ids=lambda one: one.text())
def test_the_space_keeps_what_the_measure_says(kernel: Kernel) -> None:
    x, kind = two_kinds(80)
    x[3] = 0
    measure = Measure(kernel)
    space = LearningSpace.of(measure, x[:30], x[30:])
    assert not space.x[3].any()
    expected = measure.distances(x[0], x)
    together = np.concatenate([space.x, space.background])
    np.testing.assert_allclose(space.before.distances(space.x[0], together), expected, atol=2e-3)
    rows = np.random.default_rng(1).integers(4, 30, (40, 2))
    pairs = MetricPairs(rows, kind[rows[:, 0]] == kind[rows[:, 1]])
    for declared in (Itml(), Itml(prior="similar", slack=0.1, rank=4)):
        vectors = space.vectors(declared.rank)
        learned = declared.learn(vectors, pairs)
        metric = space.told(learned).metric
        telling = x.any(axis=1)
        for row in (0, 20):
            of_space = learned.metric.distances(vectors[row], vectors) * learned.metric.spread
            of_vectors = metric.distances(x[row], x) * metric.spread
            np.testing.assert_allclose(of_vectors[telling], of_space[telling], atol=5e-3)
        further = LearningSpace.of(metric, x[:30], x[30:])
        seen = further.before.distances(further.x[0], further.background)
        np.testing.assert_allclose(seen, metric.distances(x[0], x[30:]), atol=2e-2)


def test_without_a_kernel_the_vectors_are_the_space() -> None:
    x, _ = two_kinds(20)
    for measure in (Measure(Linear()), ExplicitMetric.of(np.eye(SIZE))):
        assert kernel_of_measure(measure) is None
        space = LearningSpace.of(measure, x[:5], x[5:])
        assert space.before is measure
        np.testing.assert_array_equal(space.vectors(0), x)
        learned = Itml().learn(x, MetricPairs(np.array([(0, 1), (2, 3)]), np.array([True, False])))
        assert space.told(learned) is learned
