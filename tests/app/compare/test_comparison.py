"""Comparing indexes of every hash method and search structure: numbers as search, bench and plain numpy give them.

A new method or structure is under this as soon as its name stands in its tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make, put
from twinlens.app.bench.bench import bench
from twinlens.app.bench.experiment import Experiment
from twinlens.app.compare.columns import (
    ComparisonColumn,
    column_row,
    default_columns,
    offers,
    proposed_columns,
    read_column,
)
from twinlens.app.compare.comparison import Comparison, ComparisonSettings, compare_indexes, search_columns
from twinlens.app.compare.comparison_results import ComparedColumn
from twinlens.app.compare.temporary_index import TemporaryIndexes
from twinlens.app.indexes.encoders import bring_indexes_up_to_date
from twinlens.app.indexes.fitted_models import make_kinds
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.library.library import Library
from twinlens.app.search.search_options import Filters, SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.searcher import Searcher
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import NOTHING
from twinlens.core.methods import METHODS
from twinlens.core.search import SEARCHES
from twinlens.core.search.buckets import draw_bits
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION, keypoint_bytes
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.storage.photographs.photographs import NewFile, ReadFile

VECTORS = histograms(160, seed=3)
K = 10
KEPT = [ComparisonColumn(name) for name, *_ in (FEW_BITS, LEARNED, EXACTLY)]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = tmp_path_factory.mktemp("library") / "made.twinlens"
    with make(path, VECTORS[:150], [FEW_BITS, LEARNED, EXACTLY]) as opened:
        yield opened


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Library]:
    with make(tmp_path / "own.twinlens", VECTORS[:80], [FEW_BITS, EXACTLY]) as opened:
        yield opened


def hits(found: Comparison, place: int) -> list[tuple[int, float]]:
    return [(hit.id, hit.distance) for hit in found.columns[place].result.hits]


@pytest.mark.parametrize("asked", [4, SearchQuery((Example(4), Example(9), Example(30, weight=-0.5)))])
def test_every_column_says_what_a_search_says(library: Library, asked: int | SearchQuery) -> None:
    searcher = Searcher(library)
    found = compare_indexes(searcher, asked, ComparisonSettings(KEPT, K))
    for one in found.columns:
        plain = searcher.search(asked, one.column.index, SearchOptions(k=K, compare_exact=True, check=False))
        times = {"seconds": plain.seconds, "exact_seconds": plain.exact_seconds}
        assert one.result.model_copy(update=times) == plain
    first = found.result().columns[0]
    assert first.answer == found.columns[0].result
    assert first.overlap == first.answer.overlap
    assert first.missed == first.answer.missed
    assert first.overlap is not None
    assert 0 < first.overlap < 1, "such a comparison would tell nothing"


def test_ranks_and_bits_are_those_of_plain_numpy(library: Library) -> None:
    asked, filters = 7, Filters(camera="Camera 1")
    found = compare_indexes(Searcher(library), asked, ComparisonSettings(KEPT, K, filters))
    with library.store.reading() as r:
        few = r.indexes.by_name(FEW_BITS[0])
        assert few is not None
        loaded = r.codes.load(few.id)
    # Colours are compared by Hellinger's kernel.
    vectors = np.sqrt(VECTORS[:150].astype(np.float16).astype(np.float64))
    norms = (vectors**2).sum(axis=1)
    similar = vectors @ vectors[asked - 1] / np.sqrt(norms * norms[asked - 1])
    passing = [i for i in range(150) if (i + 1) % 3 == 1]  # as the library was made
    order = sorted(passing, key=lambda i: (-round(similar[i], 9), i))
    bits = np.unpackbits(loaded.codes, axis=1, bitorder="little")[:, :24]
    differ = bits != bits[asked - 1]
    by_code = sorted(passing, key=lambda i: (differ[i].sum(), i))
    column = found.result().columns[0]
    assert column.passing == len(passing)
    assert [one.rank for one in column.missed] == [
        place + 1 for place, i in enumerate(order[:K]) if i + 1 not in [hit.id for hit in column.answer.hits]
    ]
    assert column.standings
    for one in column.standings:
        i = one.id - 1
        assert one.true_rank == order.index(i) + 1
        assert one.agrees == (order.index(i) < K)
        assert one.hamming == differ[i].sum()
        assert one.code_rank == by_code.index(i) + 1
        assert one.similarity == pytest.approx(max(0.0, similar[i]), abs=1e-5)
        assert one.estimate == pytest.approx(np.cos(np.pi * differ[i].sum() / 24))
        assert found.differ(0, one.id) is not None
        assert np.array_equal(found.differ(0, one.id), differ[i])  # type: ignore[arg-type]
    assert {hit.id for hit in column.answer.hits} | {one.id for one in column.missed} <= {
        one.id for one in column.standings
    }


def test_bench_measures_the_same_on_the_same_vectors(library: Library, tmp_path: Path) -> None:
    vectors = VECTORS[:150].astype(np.float16).astype(np.float32)
    np.save(tmp_path / "base.npy", vectors)
    np.save(tmp_path / "asked.npy", vectors[:12])
    kernel = (
        compare_indexes(Searcher(library), 1, ComparisonSettings(KEPT[:1], K))
        .columns[0]
        .index.descriptor.measure.text()
    )
    experiment = Experiment(
        base=str(tmp_path / "base.npy"), queries=str(tmp_path / "asked.npy"), truth=kernel, neighbours=10
    )
    (judged,) = bench(experiment.changed(methods=(FEW_BITS[2],), search=(FEW_BITS[3],))).results
    columns = [
        compare_indexes(Searcher(library), i, ComparisonSettings(KEPT[:1], 10)).result().columns[0]
        for i in range(1, 13)
    ]
    assert np.mean([one.overlap for one in columns]) == pytest.approx(judged.values["overlap@10"])
    assert columns[0].bytes.codes == judged.values["bytes codes"]
    assert columns[0].bytes.model == judged.values["bytes model"]
    assert columns[0].bytes.search == judged.values["bytes search"]
    assert {one.answer.scanned for one in columns} == {judged.values["scanned"]}


def test_all_can_be_held_against_one_column(library: Library) -> None:
    found = compare_indexes(
        Searcher(library), 4, ComparisonSettings([*KEPT, ComparisonColumn("Learned", method="lsh:bits=8")], K)
    )
    each, together = found.result(), found.held_against(2).result()
    assert each.reference is None
    assert together.reference == "Exactly"
    exact = [hit.id for hit in together.columns[2].answer.hits]
    for one in together.columns:
        ids = [hit.id for hit in one.answer.hits]
        assert one.agreeing == len(set(ids) & set(exact))
        assert [lost.id for lost in one.missed] == [i for i in exact if i not in ids]
        assert [exact[lost.rank - 1] for lost in one.missed] == [lost.id for lost in one.missed]
    assert together.columns[2].missed == []
    assert found.held_against(2).held_against(None).result() == each


@pytest.mark.parametrize(
    ("method", "search"),
    [("itq:bits=16", ""), ("klsh:bits=32,rank=16,kernel=chi-square", "scan:candidates=20"), ("", "buckets:key_bits=6")],
)
def test_what_is_not_kept_answers_as_the_index_that_it_may_become(own: Library, method: str, search: str) -> None:
    searcher = Searcher(own)
    column = ComparisonColumn("Few bits", method=method, search=search)
    before = compare_indexes(searcher, 5, ComparisonSettings([column], K))
    named = before.result().columns[0]
    assert named.changed
    assert named.build_seconds is not None
    made = create_index(
        own,
        NewIndex(descriptor="colour:levels=1", method=method or FEW_BITS[2], search=search or FEW_BITS[3], name="Kept"),
        workers=1,
    )
    after = compare_indexes(searcher, 5, ComparisonSettings([ComparisonColumn("Kept")], K))
    assert hits(before, 0) == hits(after, 0)
    assert made.text == named.text
    kept = after.result().columns[0]
    assert kept.bytes == named.bytes
    assert kept.standings == named.standings
    assert kept.fitted_on == named.fitted_on == 80
    assert not kept.changed


def test_what_is_made_stays_until_photographs_change(own: Library) -> None:
    searcher, kept = Searcher(own), TemporaryIndexes()
    column = ComparisonColumn("Few bits", method="lsh:bits=16")
    create_index(
        own, NewIndex(descriptor="colour:levels=1", method="lsh:bits=16", search=FEW_BITS[3], name="Kept"), workers=1
    )
    learned: list[str] = []

    def told(done: float, total: float, text: object) -> None:
        learned.append(str(text))

    compare_indexes(searcher, 5, ComparisonSettings([column], K), temporaries=kept, progress=told)
    assert any("learning" in text for text in learned)
    learned.clear()
    compare_indexes(searcher, 6, ComparisonSettings([column], 3), temporaries=kept, progress=told)
    assert not any("learning" in text for text in learned)
    put(own, VECTORS[80:100], start=80)
    bring_indexes_up_to_date(own)
    with searcher.moment() as moment:
        assert kept.get(searcher, moment, column) is None
    found = compare_indexes(
        searcher, 5, ComparisonSettings([column, ComparisonColumn("Exactly")], K), temporaries=kept, progress=told
    )
    assert found.columns[0].result.of == 100
    assert not any("learning" in text for text in learned), "codes are made for what is new, nothing is learned anew"
    assert hits(found, 0) == hits(compare_indexes(searcher, 5, ComparisonSettings([ComparisonColumn("Kept")], K)), 0)


def test_making_can_be_stopped_and_nothing_stays(own: Library) -> None:
    def stop(done: float, total: float, text: object) -> None:
        raise Cancelled

    kept = TemporaryIndexes()
    column = ComparisonColumn("Few bits", method="itq:bits=16")
    with pytest.raises(Cancelled):
        compare_indexes(Searcher(own), 5, ComparisonSettings([column], K), temporaries=kept, progress=stop)
    searcher = Searcher(own)
    with searcher.moment() as moment:
        assert kept.get(searcher, moment, column) is None
    found = search_columns(searcher, 5, ComparisonSettings([ComparisonColumn("Few bits"), column], K), kept)
    assert [one.column.index for one in found.columns] == ["Few bits"], "what is not ready does not answer yet"
    assert found.result().columns[0].overlap is None


def test_exact_search_by_the_measure_of_an_index_learns_nothing(own: Library) -> None:
    found = compare_indexes(
        Searcher(own),
        5,
        ComparisonSettings([ComparisonColumn("Few bits"), ComparisonColumn("Few bits", search="exact")], K),
    )
    few, exact = found.result().columns
    assert exact.answer.exact
    assert exact.overlap == 1
    assert exact.bits is None
    assert exact.bytes.per_photograph == 2 * 116
    assert [one.id for one in few.missed] == [hit.id for hit in exact.answer.hits if hit.id not in _ids(few.answer)]
    assert few.answer.measure == exact.answer.measure


def _ids(answer: object) -> list[int]:
    return [hit.id for hit in answer.hits]  # type: ignore[attr-defined]


def test_a_metric_may_stand_in_the_place_of_none(own: Library) -> None:
    found = compare_indexes(
        Searcher(own),
        5,
        ComparisonSettings([ComparisonColumn("Few bits", metric="whitening"), ComparisonColumn("Few bits")], K),
    )
    whitened, plain = found.result().columns
    assert whitened.metric == "whitening"
    assert str(whitened.answer.measure).startswith("metric")
    assert whitened.answer.measure != plain.answer.measure
    assert str(whitened.estimate_of).endswith("under the metric")


def test_what_changes_nothing_is_the_index_itself(own: Library) -> None:
    found = compare_indexes(
        Searcher(own), 5, ComparisonSettings([ComparisonColumn("Few bits", method=FEW_BITS[2], search=FEW_BITS[3])], K)
    )
    assert not found.result().columns[0].changed


def test_columns_are_read_as_a_person_writes_them(library: Library) -> None:
    with library.store.reading() as r:
        assert read_column(r, "Learned") == ComparisonColumn("Learned")
        assert read_column(r, "lsh:bits=8", "Learned") == ComparisonColumn("Learned", method="lsh:bits=8")
        read = read_column(r, "buckets | colour:levels=1 · itq:bits=8 · whitening")
        assert read == ComparisonColumn("Few bits", method="itq:bits=8", search="buckets", metric="whitening")
        row = column_row(r, read)
        assert row.name.startswith("whitening · ")
        assert "8 bits" in row.name
        for text, said in [
            ("sifting", "is not an index"),
            ("edges · itq", "no index"),
            ("lsh:bits=0", "1"),
            ("klsh:rank=0.5", "rank"),
        ]:
            with pytest.raises(TwinlensError, match=said):
                column_row(r, read_column(r, text, "Learned"))


def test_columns_to_begin_with_and_to_go_on_with(library: Library) -> None:
    with library.store.reading() as r:
        first = default_columns(r, "Learned")
        assert first[:2] == [ComparisonColumn("Learned"), ComparisonColumn("Learned", search="exact")]
        assert len(first) <= 4
        offered = proposed_columns(r, "Learned", first)
        assert ComparisonColumn("Learned", method="itq:bits=10") in offered
        assert ComparisonColumn("Learned", search="exact") not in offered
        assert len({column_row(r, one).name for one in offered}) == len(offered)
        assert default_columns(r, "Exactly")[0] == ComparisonColumn("Exactly")
    panel = offers(library, first, "Learned", without=["Exactly"])
    assert panel.base == "Learned"
    assert [one.column for one in panel.worth] == offered
    shown = {one.column.index for one in panel.kept} | {one.name for one in panel.bases}
    assert "Exactly" not in shown
    assert "Learned" not in {one.column.index for one in panel.kept}


def test_the_number_of_columns_is_one_that_can_be_seen(library: Library) -> None:
    with pytest.raises(TwinlensError, match="1 to 6"):
        compare_indexes(Searcher(library), 5, ComparisonSettings(KEPT[:1] * 7, K))
    with pytest.raises(TwinlensError):
        compare_indexes(Searcher(library), 5, ComparisonSettings([], K))


@settings(max_examples=15, deadline=None)
@given(asked=st.integers(1, 150), k=st.integers(1, 200), place=st.integers(0, 2))
def test_hits_and_missed_are_the_exact_first_k_and_nothing_twice(
    library: Library, asked: int, k: int, place: int
) -> None:
    found = compare_indexes(Searcher(library), asked, ComparisonSettings(KEPT, k)).held_against(place).result()
    exact = found.columns[2].answer
    for one in found.columns:
        agreeing = [each.id for each in one.standings if each.agrees and each.rank is not None]
        lost = [each.id for each in one.missed]
        assert one.agreeing == len(agreeing)
        assert not set(lost) & set(_ids(one.answer))
        assert len(agreeing) + len(lost) == min(k, one.passing)
    if place == 2:
        assert found.columns[2].agreeing == len(exact.hits)


PIXELS = "pixels:rows=8,columns=8"
N, BITS, ROWS, DEPTH, ASKED = 130, 24, 10, 15, 7
TABLES, KEY_BITS, NEIGHBOURS, LISTS = 2, 5, 3, 8
PARAMETERS = {
    "buckets": f",key_bits={KEY_BITS},neighbours={NEIGHBOURS},tables={TABLES}",
    "permuted": f",lists={LISTS}",
}
STRUCTURES = [cls for cls in SEARCHES if cls.in_memory and cls.key != "grouped"]
"""As many as are compared at once; the one left out is the scan of distinct codes."""

TEXTS = [
    cls.key if not cls.uses_codes else f"{cls.key}:candidates={DEPTH}{PARAMETERS.get(cls.key, '')}"
    for cls in STRUCTURES
]
COSINE = ("lsh", "bilinear-lsh")
SHIFT_INVARIANT = ("sik", "bilinear-sik")


@dataclass(frozen=True)
class Known:
    """A library, and the vectors that it keeps."""

    library: Library
    vectors: npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    rng = np.random.default_rng(2)
    middles = rng.standard_normal((N // 8, 64))
    vectors = middles[rng.integers(0, len(middles), N)] + 0.7 * rng.standard_normal((N, 64))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    path = tmp_path_factory.mktemp("library") / "made.twinlens"
    with Library.open(path, create=True) as library:
        with library.store.writing() as w:
            for index in w.indexes.all():
                if not index.automatic:
                    w.indexes.delete(index.id)
            for cls in METHODS:
                w.indexes.add(cls.key, PIXELS, f"{cls.key}:bits={BITS}", "scan")
        make_kinds(library)
        nothing = keypoint_bytes(Picture(np.zeros((48, 64, 3), np.uint8), None, PictureFacts("JPEG", 640, 480)))
        with library.store.writing() as w:
            volume = w.volumes.seen("a disk", "Disk", b"/mnt/disk")
            ids = w.photographs.register(volume, None, [NewFile(b"%d.jpg" % i, 1000, 10**18) for i in range(N)])
            w.photographs.record(
                [
                    ReadFile(i, i.to_bytes(32, "big"), "JPEG", *((640, 480) if i % 2 else (480, 640)), 1, None, None)
                    for i in ids.tolist()
                ]
            )
            w.keypoints.put(ids, KEYPOINTS_VERSION, [nothing] * N)
            (kind,) = [one for one in w.descriptors.kinds() if one.dimensions == vectors.shape[1]]
            w.descriptors.put(kind, ids, vectors.astype(np.float32))
        bring_indexes_up_to_date(library)
        with library.store.reading() as r:
            stored, present = r.descriptors.read(kind, np.arange(1, N + 1))
        assert present.all()
        yield Known(library, stored.astype(np.float64))


@pytest.mark.parametrize("filters", [Filters(), Filters(orientation="landscape")])
@pytest.mark.parametrize("method", [cls.key for cls in METHODS])
def test_what_is_shown_is_what_plain_numpy_gives(known: Known, method: str, filters: Filters) -> None:
    found = compare_indexes(
        Searcher(known.library),
        ASKED,
        ComparisonSettings([ComparisonColumn(method, search=text) for text in TEXTS], ROWS, filters),
    )
    with known.library.store.reading() as r:
        row = r.indexes.by_name(method)
        assert row is not None
        bits = np.unpackbits(r.codes.load(row.id).codes, axis=1, bitorder="little")[:, :BITS]
    passing = np.array([i for i in range(N) if filters == Filters() or (i + 1) % 2])
    differ = bits != bits[ASKED - 1]
    hamming = differ.sum(axis=1)
    columns = found.result().columns
    distances = plain_distances(str(columns[0].answer.measure), known.vectors)
    truth = passing[np.argsort(distances[passing], kind="stable")]
    by_code = passing[np.argsort(hamming[passing], kind="stable")]
    for place, (column, cls) in enumerate(zip(columns, STRUCTURES, strict=True)):
        hits = [hit.id - 1 for hit in column.answer.hits]
        assert hits == sorted(hits, key=lambda i: (distances[i], i)), "candidates are ranked by the measure"
        check_counts(column, cls.key, bits, passing)
        if cls().exact and cls.uses_codes:
            assert set(hits) == set(by_code[:DEPTH][np.argsort(distances[by_code[:DEPTH]], kind="stable")][:ROWS])
        missed = [i for i in truth[:ROWS] if i not in hits]
        assert [(one.id - 1, one.rank) for one in column.missed] == [(i, truth.tolist().index(i) + 1) for i in missed]
        assert column.agreeing == ROWS - len(missed)
        assert column.overlap == pytest.approx(1 - len(missed) / ROWS)
        lost = f"missed {len(missed)} of the true first {ROWS}" if missed else "missed none"
        assert str(column.sentence()).startswith(f"looked at {column.answer.looked_at} of {len(passing)}")
        assert str(column.sentence()).endswith(lost)
        if not cls.uses_codes:
            assert (column.bits, column.standings[0].hamming, missed) == (None, None, [])
            continue
        for one in column.standings:
            i = one.id - 1
            assert (one.hamming, one.code_rank) == (hamming[i], by_code.tolist().index(i) + 1)
            assert one.true_rank == truth.tolist().index(i) + 1
            shown = found.differ(place, one.id)
            assert shown is not None
            assert np.array_equal(shown, differ[i])
        check_estimates(found, column, method)


def plain_distances(measure: str, vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Measure from what is asked, up to what keeps the order."""
    asked = vectors[ASKED - 1]
    if measure.startswith("gaussian"):
        squared: npt.NDArray[np.float64] = ((vectors - asked) ** 2).sum(axis=1)
        return squared
    if measure.startswith("polynomial"):  # (x.z + 1)²
        itself = ((vectors**2).sum(axis=1) + 1) ** 2
        return np.asarray(itself + itself[ASKED - 1] - 2 * (vectors @ asked + 1) ** 2, np.float64)
    assert measure.startswith("linear"), f"write down how {measure} measures"
    cosines: npt.NDArray[np.float64] = vectors @ asked / np.linalg.norm(vectors, axis=1) / np.linalg.norm(asked)
    return -cosines


def check_counts(
    column: ComparedColumn, search: str, bits: npt.NDArray[np.uint8], passing: npt.NDArray[np.int64]
) -> None:
    """Check how the photographs thinned to the hits: codes compared, buckets probed, candidates measured."""
    answer = column.answer
    assert (column.passing, answer.of, len(answer.hits)) == (len(passing), N, ROWS)
    if search == "exact":
        assert (answer.looked_at, answer.scanned, answer.probed) == (len(passing), 0, 0)
        return
    if search == "buckets":
        assert (answer.looked_at, answer.scanned, answer.probed) == plain_buckets(bits, passing)
        return
    assert answer.looked_at == DEPTH
    if search == "scan":
        assert (answer.scanned, answer.probed) == (N, 0)
    else:
        assert DEPTH <= answer.scanned <= 2 * N
        assert answer.probed > 0 or answer.scanned == N, "what visits nothing compares every code"


def plain_buckets(bits: npt.NDArray[np.uint8], passing: npt.NDArray[np.int64]) -> tuple[int, int, int]:
    """Visit the closest occupied keys of each table: give what is measured, codes compared, and buckets visited."""
    visited: set[int] = set()
    probed = 0
    for chosen in draw_bits(BITS, KEY_BITS, TABLES, 0):
        keys = [int("".join(str(one) for one in row[chosen]), 2) for row in bits]
        own = keys[ASKED - 1]
        closest = sorted(set(keys), key=lambda key: ((key ^ own).bit_count(), key))[:NEIGHBOURS]
        probed += len(closest)
        visited |= {i for i, key in enumerate(keys) if key in closest}
    found = len(visited)
    if len(passing) < N:  # where buckets hold more than may be found at all, that is compared instead
        found = min(len(passing), found) if len(passing) <= found else len(visited & set(passing.tolist()))
    if found < ROWS:  # too few: every code is compared besides
        return DEPTH, found + N, probed
    return min(DEPTH, found), found, probed


def check_estimates(found: Comparison, column: ComparedColumn, method: str) -> None:
    """Check what differing bits estimate: a cosine by the angle, a kernel by the inverse of the expected distance."""
    assert column.bits_tell, "what bits tell is said of every method"
    for one in column.standings:
        assert one.hamming is not None
        share = one.hamming / BITS
        if method in COSINE:
            assert str(column.estimate_of) == "cosine"
            assert one.estimate == pytest.approx(np.cos(np.pi * share))
        elif method in SHIFT_INVARIANT:
            assert column.estimate_of
            assert one.estimate == pytest.approx(inverted(share), abs=2e-3)
        else:
            assert (column.estimate_of, one.estimate) == (NOTHING, None), (
                f"write down what the bits of {method} estimate"
            )


@cache
def inverted(share: float) -> float:
    """Find the Gaussian kernel value κ with E = 8/π² Σ (1 - κ^(j²)) / (4j² - 1), by halving; 0 beyond the largest E."""
    j = np.arange(1, 3001, dtype=np.float64)

    def expected(kappa: float) -> float:
        return float(8 / np.pi**2 * ((1 - kappa ** (j**2)) / (4 * j**2 - 1)).sum())

    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if expected(middle) > share else (low, middle)
    return low if share < expected(0.0) else 0.0
