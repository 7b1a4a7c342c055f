"""What a search may answer with: several examples, filters, scopes and structures, against plain counting."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from tests.app.cli.test_commands import run
from tests.app.folders import added, write_scene
from tests.app.made_library import FEW_BITS, histograms, make, put
from twinlens.app.indexes.encoders import bring_indexes_up_to_date
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.ingest.folder_walk import walk
from twinlens.app.library.library import Library
from twinlens.app.search import search_space
from twinlens.app.search.query_distance import DistanceMeasure, Distances, QueryDistance
from twinlens.app.search.search_options import Filters, SearchOptions
from twinlens.app.search.search_results import SearchResult
from twinlens.app.search.search_space import passing
from twinlens.app.search.searcher import Searcher, search
from twinlens.core.arrays import Float32Vectors
from twinlens.core.errors import TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.histogram_kernels import Hellinger
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import NOTHING
from twinlens.core.search import search_structure
from twinlens.core.search.multi_index import MultiIndex
from twinlens.storage.database.values import PhotographState
from twinlens.storage.photographs.photograph_listing import Filter
from twinlens.testing.kernels import made

DIMENSIONS = 5
weight = st.floats(-4, 4).filter(lambda value: abs(value) > 0.01)
weights = st.lists(weight, min_size=1, max_size=4).filter(lambda values: max(values) > 0)


def tables(rows: int) -> st.SearchStrategy[Float32Vectors]:
    return arrays(np.float32, (rows, DIMENSIONS), elements=st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0]))


def counted(weights: list[float]) -> list[float]:
    """Say what examples count for: those that are liked their weight, the others together a fifth of all that."""
    liked = [w for w in weights if w > 0]
    unlike = len(weights) - len(liked)
    return [w if w > 0 else w * sum(liked) / (5 * unlike) for w in weights]


def plain_score(kernel: Kernel, vectors: Float32Vectors, weights: list[float], item: Float32Vectors) -> float:
    """Score one item by the formula, a sum at a time."""

    def normal(one: Float32Vectors, other: Float32Vectors) -> float:
        def k(x: Float32Vectors, z: Float32Vectors) -> float:
            return float(kernel.pairs(x[None], z[None])[0])

        value = k(one, other) / math.sqrt(k(one, one) * k(other, other))
        return min(1.0, value)  # a sigmoid may give more, and the measure no more than 1

    counts = counted(weights)
    total = sum(w * normal(vector, item) for vector, w in zip(vectors, counts, strict=True))
    return total / sum(abs(w) for w in counts)


@pytest.mark.parametrize("kernel", [made(cls, np.eye(DIMENSIONS)) for cls in KERNELS], ids=lambda kernel: kernel.key)
@settings(max_examples=20)  # for each kernel
@given(weights=weights, x=tables(6), asked=tables(4))
def test_the_score_is_the_weighted_sum(
    kernel: Kernel, weights: list[float], x: Float32Vectors, asked: Float32Vectors
) -> None:
    vectors = asked[: len(weights)]
    vectors[:, 0] += 1  # none is blank
    criterion = QueryDistance.of(Measure(kernel), list(vectors), weights)
    assert criterion.examples == tuple(range(len(weights)))
    for item, distance, similarity in zip(x, criterion.distances(x), criterion.similarities(x), strict=True):
        if item.any():
            score = plain_score(kernel, vectors, weights, item)
            assert distance == pytest.approx(math.sqrt(max(0, 2 - 2 * score)), abs=2e-6)
            assert similarity == pytest.approx(max(0, score), abs=1e-9)
        else:
            assert (distance, similarity) == (2.0, 0.0)


@given(weight=st.floats(0.01, 100), x=tables(6), asked=tables(1))
def test_one_example_is_the_measure_itself(weight: float, x: Float32Vectors, asked: Float32Vectors) -> None:
    measure = Measure(Hellinger())
    criterion = QueryDistance.of(measure, [asked[0]], [weight])
    np.testing.assert_array_equal(criterion.distances(x), measure.distances(asked[0], x))


@given(weights=weights, x=tables(6), asked=tables(4))
def test_an_item_has_one_distance_alone_and_beside_others(
    weights: list[float], x: Float32Vectors, asked: Float32Vectors
) -> None:
    criterion = QueryDistance.of(Measure(Linear()), list(asked[: len(weights)]), weights)
    together = criterion.distances(x)
    alone = np.concatenate([criterion.distances(x[i : i + 1]) for i in range(len(x))])
    np.testing.assert_array_equal(together, alone)
    assert ((together >= 0) & (together <= 2)).all()


def test_a_blank_example_does_not_count_where_another_tells() -> None:
    blank, red = np.zeros(3, np.float32), np.array([1, 0, 0], np.float32)
    measure = Measure(Hellinger())
    assert QueryDistance.of(measure, [blank, red, red], [1, 2, 0]).examples == (1,)
    assert QueryDistance.of(measure, [red, blank], [1, -1]).examples == (0,)
    alone = QueryDistance.of(measure, [red, blank], [-1, 1])
    assert alone.blank
    assert alone.examples == (1,)


def test_more_weight_draws_nearer() -> None:
    red, blue = np.eye(2, dtype=np.float32)
    x = np.array([[0.8, 0.2], [0.2, 0.8]], np.float32)
    measure = Measure(Linear())
    near_red = QueryDistance.of(measure, [red, blue], [2, 1]).distances(x)
    near_blue = QueryDistance.of(measure, [red, blue], [1, 2]).distances(x)
    unlike_red = QueryDistance.of(measure, [blue, red], [1, -1]).distances(x)
    assert near_red[0] < near_red[1]
    assert near_blue[1] < near_blue[0]
    assert unlike_red[1] < unlike_red[0]


def test_much_that_is_unlike_does_not_drown_what_is_liked() -> None:
    """Marked answers, of which the question shall not be like five, still come from near the question."""
    rng = np.random.default_rng(0)
    middles = rng.standard_normal((6, 20))
    labels = np.repeat(np.arange(6), 30)
    x = (middles[labels] + 1.5 * rng.standard_normal((180, 20))).astype(np.float32)
    measure = Measure(Linear())
    better = 0.0
    for query in range(0, 180, 7):
        alone = QueryDistance.of(measure, [x[query]], [1.0]).distances(x)
        first = [row for row in np.argsort(alone, kind="stable").tolist() if row != query]
        unlike = [row for row in first if labels[row] != labels[query]][:5]
        fed = QueryDistance.of(measure, [x[query], *x[unlike]], [1.0, *[-1.0] * 5]).distances(x)

        def precision(distances: Distances, query: int = query, unlike: list[int] = unlike) -> float:
            rest = [row for row in np.argsort(distances, kind="stable").tolist() if row not in {query, *unlike}]
            return float(np.mean(labels[rest[:10]] == labels[query]))

        better += precision(fed) - precision(alone)
    assert better > 0


def longer(place: int, distances: Distances) -> Distances:
    """Take the distance from all alternatives but the first longer."""
    return distances if place == 0 else distances * 1.12


def nearest(measure: DistanceMeasure, pair: Float32Vectors, item: Float32Vectors) -> float:
    return min(float(longer(place, measure.distances(one, item[None]))[0]) for place, one in enumerate(pair))


@given(weight=st.floats(0.01, 100), x=tables(6), asked=tables(4))
def test_an_example_is_as_near_as_the_nearest_of_its_alternatives(
    weight: float, x: Float32Vectors, asked: Float32Vectors
) -> None:
    measure = Measure(Linear())
    criterion = QueryDistance.of(measure, [asked], [weight])
    telling = [row for row in asked if row.any()] or [asked[0]]
    expected = np.min([longer(place, measure.distances(row, x)) for place, row in enumerate(telling)], axis=0)
    np.testing.assert_array_equal(criterion.distances(x), expected)
    assert criterion.blank == (not asked.any())


@given(weights=weights, x=tables(6), asked=tables(8))
def test_alternatives_and_weights_together(weights: list[float], x: Float32Vectors, asked: Float32Vectors) -> None:
    asked[:, 0] += 1  # none is blank
    pairs = asked.reshape(4, 2, DIMENSIONS)[: len(weights)]
    measure = Measure(Linear())
    distances = QueryDistance.of(measure, list(pairs), weights).distances(x)
    for item, distance in zip(x, distances, strict=True):
        near = [nearest(measure, pair, item) for pair in pairs]
        counts = counted(weights)
        score = sum(w * (1 - d**2 / 2) for w, d in zip(counts, near, strict=True)) / sum(abs(w) for w in counts)
        assert distance == pytest.approx(math.sqrt(max(0, 2 - 2 * score)) if item.any() else 2, abs=2e-6)


@given(weights=weights, item=tables(1), asked=tables(8))
def test_the_nearest_is_a_liked_one(weights: list[float], item: Float32Vectors, asked: Float32Vectors) -> None:
    asked[:, 0] += 1
    pairs = asked.reshape(4, 2, DIMENSIONS)[: len(weights)]
    criterion = QueryDistance.of(Measure(Linear()), list(pairs), weights)
    example, alternative = criterion.nearest(item[0])
    assert weights[example] > 0
    found = longer(alternative, criterion.measure.distances(pairs[example][alternative], item))[0]
    liked = [pair for pair, w in zip(pairs, weights, strict=True) if w > 0]
    assert found == min(nearest(criterion.measure, pair, item[0]) for pair in liked)


COUNT = 300
VECTORS = histograms(COUNT)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with make(tmp_path_factory.mktemp("library") / "made.twinlens", VECTORS, (FEW_BITS,)) as opened:
        yield opened


@given(hidden=st.sets(st.integers(1, 60)), unreadable=st.sets(st.integers(1, 60)), known=st.sets(st.integers(1, 80)))
@settings(max_examples=25)
def test_without_filters_all_but_the_missing_may_be_found(
    tmp_path_factory: pytest.TempPathFactory, hidden: set[int], unreadable: set[int], known: set[int]
) -> None:
    path = tmp_path_factory.mktemp("library") / "hidden.twinlens"
    with Library.open(path, create=True) as library:
        put(library, VECTORS[:60])
        with library.store.writing() as w:
            w.photographs.mark_missing(sorted(hidden))
            w.connection.exec_driver_sql(
                f"UPDATE photograph SET state = 'unreadable' WHERE id IN ({', '.join(map(str, sorted(unreadable)))})"
            )
        ids = np.array(sorted(known & set(range(1, 61))), np.int64)
        with library.store.reading() as r:
            mask = passing(library, r, Filters(), ids)
            states = (PhotographState.READY, PhotographState.PENDING)
            plain = np.isin(ids, r.photographs.matching(Filter(states=states)))
        found = np.ones(len(ids), bool) if mask is None else mask
        np.testing.assert_array_equal(found, plain)


def test_the_histogram_counts_every_photograph_where_they_are_few(library: Library) -> None:
    searcher = Searcher(library)
    for filters in (Filters(), Filters(orientation="portrait"), Filters(since="2099")):
        everything = searcher.search(11, "Few bits", SearchOptions(k=COUNT, exact=True, filters=filters))
        histogram = everything.histogram
        assert histogram is not None
        assert (histogram.low, histogram.high, histogram.sample) == (0, 1, len(everything.hits))
        plain = [0] * search_space.PARTS
        for hit in everything.hits:
            plain[min(int(hit.similarity * search_space.PARTS), search_space.PARTS - 1)] += 1
        assert np.abs(np.cumsum(histogram.counts) - np.cumsum(plain)).max() <= 1  # similarities of hits are rounded
        assert searcher.search(11, "Few bits", SearchOptions(k=3, filters=filters)).histogram == histogram


@given(st.lists(st.floats(0, 1)))
def test_counting_takes_each_similarity_once(similarities: list[float]) -> None:
    plain = [0] * search_space.PARTS
    for one in similarities:
        plain[min(int(one * search_space.PARTS), search_space.PARTS - 1)] += 1
    assert search_space.bin_counts(np.array(similarities)) == plain


@pytest.mark.parametrize(("dimensions", "size"), [(116, 2000), (8192, 256), (2048, 1024)])
def test_the_sample_is_always_the_same_and_bounded(dimensions: int, size: int) -> None:
    ids = np.arange(1, 10_001, dtype=np.int64) * 3
    sample = search_space.HistogramSample(ids).ids(dimensions)
    np.testing.assert_array_equal(sample, search_space.HistogramSample(ids).ids(dimensions))
    assert len(sample) == len(set(sample.tolist()) & set(ids.tolist())) == size
    assert (np.diff(sample) > 0).all()
    np.testing.assert_array_equal(search_space.HistogramSample(ids[:200]).ids(dimensions), ids[:200])


@pytest.fixture(scope="module")
def filtered_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photographs")
    for number, camera in enumerate(("Canon EOS 5D", "Canon EOS 5D", "NIKON D90")):
        picture = Image.open(write_scene(folder / f"{number}.jpg", number))
        about = Image.Exif()
        about[0x0110] = camera
        picture.save(folder / f"{number}.jpg", exif=about)
    (folder / "copy.jpg").write_bytes((folder / "0.jpg").read_bytes())
    path = tmp_path_factory.mktemp("library") / "library.twinlens"
    added(path, folder)
    return path


@pytest.mark.parametrize(
    ("filters", "sentence", "next_step"),
    [
        (Filters(camera="NoSuch"), "camera “NoSuch”", "Your photos come from Canon EOS 5D, NIKON D90."),
        (Filters(camera="cannon eos 5"), "camera “cannon eos 5”", "Did you mean one of these: Canon EOS 5D?"),
        (Filters(camera="Nikon", since="2024", until="2023-05"), "start 2024 is later than the end 2023-05", "Swap"),
        (Filters(folder=Path("/nowhere")), "no photos in /nowhere", "another folder"),
    ],
)
def test_what_no_photograph_has_is_said(
    filtered_library: Path, filters: Filters, sentence: str, next_step: str
) -> None:
    with Library.open(filtered_library) as opened, pytest.raises(TwinlensError) as refused:
        search(opened, [1], options=SearchOptions(filters=filters))
    assert sentence in str(refused.value.message)
    assert next_step in str(refused.value.advice)


def test_a_filter_that_leaves_nothing_is_a_sentence(
    capfdbinary: pytest.CaptureFixture[bytes], filtered_library: Path
) -> None:
    words = ("search", "#1", "--library", str(filtered_library), "-q")
    code, out, _ = run(capfdbinary, *words, "--since", "2090", "--camera", "nikon")
    assert code == 0
    assert "No photo passes the filters (since 2090, camera nikon)." in out
    assert "similarity" not in out
    assert run(capfdbinary, *words, "--camera", "canon", "--since", "20", "--until", "2023")[0] == 2
    assert "EOS" not in run(capfdbinary, *words, "--camera", "canon")[1]


@pytest.mark.parametrize(
    ("second", "sentence"),
    [("#1", "cannot be marked with itself"), ("copy", "byte for byte"), ("#99", "no photo 99")],
)
def test_a_photograph_is_not_marked_against_itself(
    capfdbinary: pytest.CaptureFixture[bytes], filtered_library: Path, second: str, sentence: str
) -> None:
    with Library.open(filtered_library) as opened, opened.store.reading() as r:
        names = {path.rpartition(b"/")[2]: row.id for row in r.photographs.by_id(range(1, 5)) for path in [row.path]}
    first = names[b"0.jpg"]
    other = {"#1": f"#{first}", "copy": f"#{names[b'copy.jpg']}"}.get(second, second)
    code, out, _ = run(capfdbinary, "mark", f"#{first}", other, "--similar", "--library", str(filtered_library))
    assert code == 2
    assert sentence in out
    assert "0 marks new" in out


@pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="asks Linux")
def test_the_system_itself_holds_no_photographs(tmp_path: Path) -> None:
    for folder in ("/proc", "/proc/self/fd"):
        with Library.open(tmp_path / "x.twinlens", create=True) as opened:
            with pytest.raises(TwinlensError, match="holds no photos"):
                add(opened, [Path(folder)], Adding(workers=1))
            with opened.store.reading() as r:
                assert not r.folders.all()


@pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="asks Linux")
def test_a_walk_from_above_passes_it_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from twinlens.app.library import volumes

    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "kcore").write_bytes(b"x")
    (tmp_path / "a.jpg").write_bytes(b"x")
    assert b"/proc" in volumes.virtual_points()
    monkeypatch.setattr(volumes, "virtual_points", lambda: frozenset({bytes(tmp_path / "proc")}))
    assert [one.path for one in walk(bytes(tmp_path))] == [bytes(tmp_path / "a.jpg")]


def test_files_that_cannot_be_read_are_not_counted_as_photographs(tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    folder.mkdir()
    write_scene(folder / "a.jpg", 1)
    (folder / "bad.jpg").write_bytes(b"\xff\xd8\xff damaged")
    (folder / "lost.jpg").symlink_to(tmp_path / "nowhere")
    assert (added(tmp_path / "x.twinlens", folder).found, added(tmp_path / "x.twinlens", folder).found) == (1, 1)


METHOD = "itq:bits=40"
SEARCHES = ("scan", "grouped", "multi-index", "buckets:key_bits=6,radius=6", "permuted:lists=4,spread=100")
CLUSTERED = histograms(120)


@pytest.fixture
def clustered_library(tmp_path: Path) -> Iterator[Library]:
    indexes = [(name, "colour:levels=1", METHOD, name) for name in SEARCHES]
    indexes.append(("finer", "colour:levels=1", METHOD, "scan:candidates=10,asymmetric=true"))
    with make(tmp_path / "made.twinlens", CLUSTERED[:80], indexes) as opened:
        yield opened


def hits(result: SearchResult) -> list[tuple[int, float]]:
    return [(hit.id, hit.distance) for hit in result.hits]


def test_every_structure_answers_through_additions_and_removals(clustered_library: Library) -> None:
    searcher = Searcher(clustered_library)
    for round_ in range(3):
        answers = {result.index: result for result in searcher.search_indexes(3, SEARCHES, SearchOptions(k=12))}
        for name in SEARCHES:  # all that are asked here reach every code
            assert hits(answers[name]) == hits(answers["scan"]), name
        assert answers["buckets:key_bits=6,radius=6"].probed > 0
        put(clustered_library, CLUSTERED[80 + 10 * round_ : 90 + 10 * round_], start=80 + 10 * round_)
        with clustered_library.store.writing() as w:
            w.codes.remove([10 + round_])
        bring_indexes_up_to_date(clustered_library)
    assert searcher.search(3, "scan", SearchOptions(k=200)).of == 110


def test_an_asymmetric_distance_chooses_the_candidates(clustered_library: Library) -> None:
    result = Searcher(clustered_library).search(3, "finer", SearchOptions(k=5))
    assert result.looked_at == 10
    assert result.hits[0].id == 3


def test_what_takes_long_is_built_aside(clustered_library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    build = MultiIndex.build

    def slow(self: MultiIndex, planes: np.ndarray, bits: int | None = None) -> object:
        if planes.shape[1]:
            time.sleep(0.2)
            built.append(planes.shape[1])
        return build(self, planes, bits)

    monkeypatch.setattr(MultiIndex, "build", slow)
    monkeypatch.setattr(search_structure, "_FEW", 5)
    searcher = Searcher(clustered_library, build_aside=True)
    first = searcher.search(3, "multi-index", SearchOptions(k=5))
    assert "still being built" in str(first.note)
    assert hits(first) == hits(searcher.search(3, "scan", SearchOptions(k=5)))
    for _ in range(100):
        later = searcher.search(3, "multi-index", SearchOptions(k=5))
        if not later.note:
            break
        time.sleep(0.05)
    assert later.note == NOTHING
    assert hits(later) == hits(first)
    assert built == [80]
    put(clustered_library, CLUSTERED[80:90], start=80)
    bring_indexes_up_to_date(clustered_library)
    after = searcher.search(3, "multi-index", SearchOptions(k=5))
    assert after.note == NOTHING  # what was built goes on answering
    assert hits(after) == hits(searcher.search(3, "scan", SearchOptions(k=5)))
    for _ in range(100):
        if built == [80, 90]:
            break
        time.sleep(0.05)
    assert built == [80, 90]
