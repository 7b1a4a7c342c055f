"""Learning a metric, of a kernel's space too, and what the metric then weighs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.app.learn.test_next_pairs import proposed
from tests.app.made_library import FEW_BITS, SIZE, histograms, make
from twinlens.app.indexes.fitted_models import load_metric
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.learn.learning import free_metric_name, keep_metric, learn_and_keep, propose_metric
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.learn.metric_meaning import direction_shares, group_shares, metric_meaning, strongest_directions
from twinlens.app.learn.metrics import export_metric, find_metric, import_metric, list_metrics
from twinlens.app.learn.training_data import LearningSpace, kernel_of_measure
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.marks.pair_file import NamedPair, read_pairs
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.searcher import Searcher
from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.histogram_kernels import ChiSquare
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.learning import metric_choice
from twinlens.core.metrics.itml import Itml
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.metric import FittedMetric, MetricPairs
from twinlens.core.metrics.metric_forms import ExplicitMetric, ImplicitMetric
from twinlens.core.progress import silent
from twinlens.features.colour.colour_histogram import HsvHistogram, bin_colours
from twinlens.features.fusion import Fusion
from twinlens.features.vocabulary.pyramid_match import PyramidMatch
from twinlens.features.vocabulary.vlad import Vlad
from twinlens.storage.photographs.photographs import NewFile, ReadFile

INDEX = FEW_BITS[0]


def test_pairs_are_read_from_csv_and_json(tmp_path: Path) -> None:
    table, listed = tmp_path / "p.csv", tmp_path / "p.json"
    table.write_text("first, second, judgement, note\na.jpg, 3, similar, x\n3, b.jpg, Different,\n", "utf-8")
    rows = [{"first": "a.jpg", "second": 3, "judgement": "same"}, {"first": 3, "second": "b.jpg", "judgement": "0"}]
    listed.write_text(json.dumps(rows), "utf-8")
    expected = [NamedPair(1, "a.jpg", "3", True), NamedPair(2, "3", "b.jpg", False)]
    assert read_pairs(table) == read_pairs(listed) == expected


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("p.csv", "first,second\na,b\n", "columns"),
        ("p.csv", "first,second,judgement\n", "no pairs"),
        ("p.csv", "first,second,judgement\na,,similar\n", "Pair 1 of"),
        ("p.csv", "first,second,judgement\na,b,similar\na,c,perhaps\n", "“perhaps”"),
        ("p.json", "{", "no JSON"),
        ("p.json", "{}", "no list"),
        ("p.csv", b"first,second,judgement\n\x81,b,similar\n", "UTF-8"),
    ],
    ids=range(7),
)
def test_what_is_no_file_of_pairs_gets_a_sentence(tmp_path: Path, name: str, content: str | bytes, words: str) -> None:
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(TwinlensError, match=words):
        read_pairs(file)
    with pytest.raises(TwinlensError, match="no file"):
        read_pairs(tmp_path / "other.csv")


def judged(library: Library, count: int, seed: int = 0) -> list[NamedPair]:
    """Judge pairs of photographs by whether their first numbers are both large or both small."""
    with Searcher(library).moment() as moment:
        index = Searcher(library).index(moment, INDEX)
        ids = moment.r.descriptors.ids(index.kind)
        vectors, _ = moment.r.descriptors.read(index.kind, ids)
    large = vectors[:, 0] > np.median(vectors[:, 0])
    rows = np.random.default_rng(seed).integers(0, len(ids), (count, 2))
    return [
        NamedPair(line, str(ids[i]), str(ids[j]), bool(large[i] == large[j]))
        for line, (i, j) in enumerate(rows.tolist(), start=1)
    ]


def test_a_metric_is_learned_kept_and_searched_by(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(60), (FEW_BITS,)) as library:
        pairs = judged(library, 40)
        result = learn_and_keep(library, LearningSettings(named=pairs, index=INDEX, name="Mine", anyway=True))
        assert result.metric == "Mine"
        assert 0 < result.of <= result.pairs == result.similar + result.different
        assert result.better + result.worse <= result.of
        assert [one.metric for one in result.tried].count(None) == 1
        assert result.learned_by is not None
        assert result.learned_by.startswith("itml")
        (kept,) = list_metrics(library).metrics
        assert (kept.name, kept.learned_by) == ("Mine", result.learned_by)
        again = learn_and_keep(library, LearningSettings(named=pairs, index=INDEX, anyway=True))
        assert again.metric == "Learned 1"
        assert again.tried == result.tried
        made = create_index(library, NewIndex(descriptor=result.descriptor, method="lsh:bits=32", metric="Mine"))
        answer = Searcher(library).search(int(pairs[0].first), made.name, SearchOptions(k=5))
        assert str(answer.measure) == "metric Mine"
        assert answer.hits[0].id == int(pairs[0].first)


def test_marks_at_random_are_not_kept_and_pairs_that_are_not_there_are_named(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(40), (FEW_BITS,)) as library:
        pairs = judged(library, 5)
        pairs += [NamedPair(6, "99999", pairs[0].first, True), NamedPair(7, "/nowhere.jpg", pairs[0].first, True)]
        pairs += [NamedPair(8, pairs[0].first, pairs[0].first, True)]
        result = learn_and_keep(library, LearningSettings(named=pairs, index=INDEX))
        assert (result.metric, result.of) == (None, 0)
        assert result.more > 0
        assert "Not enough marks yet" in str(result.advice)
        left = " ".join(map(str, result.left_out))
        for words in ("no photo 99999", "no photo /nowhere.jpg", "itself"):
            assert words in left
        assert not list_metrics(library).metrics


def test_it_refuses_with_a_sentence_and_can_be_cancelled(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(40), (FEW_BITS,)) as library:
        pairs = judged(library, 20)
        with pytest.raises(TwinlensError, match="no pair to learn from"):
            learn_and_keep(library, LearningSettings(named=[NamedPair(1, "99999", "1", True)], index=INDEX))
        with pytest.raises(TwinlensError, match="is the name of"):
            learn_and_keep(library, LearningSettings(named=pairs, index=INDEX, name="itml"))
        learn_and_keep(library, LearningSettings(named=pairs, index=INDEX, name="Mine", anyway=True))
        with pytest.raises(TwinlensError, match="already a metric"):
            learn_and_keep(library, LearningSettings(named=pairs, index=INDEX, name="Mine"))

        def progress(done: float, total: float, text: object) -> None:
            if done > 0.5 * total:
                raise Cancelled

        with pytest.raises(Cancelled):
            learn_and_keep(library, LearningSettings(named=pairs, index=INDEX, name="Other", anyway=True), progress)
        assert [one.name for one in list_metrics(library).metrics] == ["Mine"]


def test_a_proposal_keeps_nothing_until_it_is_wanted(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(60), (FEW_BITS,)) as library:
        pairs = judged(library, 40)
        proposal = propose_metric(library, LearningSettings(named=pairs, index=INDEX, anyway=True))
        assert not list_metrics(library).metrics
        result = proposal.result
        assert proposal.metric is not None
        assert result.metric is None
        assert str(result.headline).startswith(f"Learned from {result.pairs} pairs: ")
        assert result.before is not None
        assert result.after is not None
        assert result.before.area is not None
        assert result.before.area.mean == pytest.approx(result.tried[0].area)
        assert any("ROC area" in str(one) for one in result.details)
        assert any(str(one).startswith("learned in ") for one in result.details)
        assert (result.threshold_before is None) == (result.threshold_after is None)
        name = keep_metric(library, proposal)
        assert name == "Learned 1"
        assert keep_metric(library, proposal, " Mine ") == "Mine"
        with pytest.raises(TwinlensError, match="already a metric"):
            keep_metric(library, proposal, "Mine")
        with pytest.raises(TwinlensError, match="is the name of"):
            keep_metric(library, proposal, "itml")
        with library.store.reading() as r:
            assert free_metric_name(r) == "Learned 2"
        kept = {one.name: one for one in list_metrics(library).metrics}
        assert set(kept) == {name, "Mine"}
        assert kept[name].learned_by == result.learned_by


def test_too_few_pairs_give_a_proposal_that_says_so(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(40), (FEW_BITS,)) as library:
        proposal = propose_metric(library, LearningSettings(named=judged(library, 3), index=INDEX, anyway=True))
        assert str(proposal.result.headline).startswith("Not enough pairs yet: about ")
        assert (proposal.result.before, proposal.result.after, proposal.result.sure) == (None, None, False)
        assert keep_metric(library, proposal) == "Learned 1"
        only_sure = propose_metric(library, LearningSettings(named=judged(library, 3), index=INDEX, anyway=False))
        assert only_sure.metric is None
        with pytest.raises(TwinlensError, match="no metric to keep"):
            keep_metric(library, only_sure)


def test_pairs_that_contradict_themselves_are_counted(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(40), (FEW_BITS,)) as library:
        mark_pairs(library, [(1, 2), (3, 4), (5, 6)], True)
        mark_pairs(library, [(2, 1), (7, 8)], False)
        result = propose_metric(library, LearningSettings(index=INDEX, anyway=True)).result
        assert (result.contradictions, result.pairs, result.marks) == (1, 3, True)
        assert "1 pair contradicts itself" in [str(one) for one in result.details]
        assert any("marked both similar and different" in str(one) for one in result.left_out)


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


def judged_by_kernel(kind: np.ndarray, count: int) -> list[NamedPair]:
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
        hits = [hit.id for hit in searcher.search(photograph, index, SearchOptions(k=11)).hits if hit.id != photograph][
            :10
        ]
        shares.append(np.mean([kind[hit - 1] == kind[photograph - 1] for hit in hits]))
    return float(np.mean(shares))


def test_it_learns_of_the_descriptor_s_own_kernel(tmp_path: Path) -> None:
    x, kind = two_kinds(40)
    with make(tmp_path / "a.twinlens", x, (BY_OWN_MEASURE,)) as library:
        learn_and_keep(
            library,
            LearningSettings(named=judged_by_kernel(kind, 10), index=BY_OWN_MEASURE[0], name="Mine", anyway=True),
        )
        metric = kept(library, "Mine")
        assert isinstance(metric, KernelMetric)
        assert metric.base.text() == "hellinger:normalise=true"


def test_it_learns_of_the_method_s_kernel_and_searches_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metric_choice, "LEAST_PAIRS", 1_000)  # the choice, which takes long, is not what is tested here
    x, kind = two_kinds(90)
    with make(tmp_path / "a.twinlens", x, (BY_CHI_SQUARE,)) as library:
        result = learn_and_keep(
            library,
            LearningSettings(named=judged_by_kernel(kind, 60), index=BY_CHI_SQUARE[0], name="Mine", anyway=True),
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
            answer = Searcher(library).search(7, made.name, SearchOptions(k=5))
            assert str(answer.measure) == "metric Mine"
            assert answer.hits[0].id == 7
            assert precision(library, made.name, kind) > before + 0.1
        # What was learned of a kernel is learned further of it.
        learn_and_keep(
            library, LearningSettings(named=judged_by_kernel(kind, 12), index=made.name, name="Further", anyway=True)
        )
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
        metric = space.with_material(learned).metric
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
        assert space.with_material(learned) is learned


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
