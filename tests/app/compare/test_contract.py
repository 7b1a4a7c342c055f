"""What a comparison shows of every hash method behind every search structure, recomputed plainly from stored vectors.

A new method or structure is under this as soon as its name stands in its tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from app.compare.columns import ComparisonColumn
from app.compare.comparison import Comparison, ComparisonSettings, compare_indexes
from app.compare.comparison_results import ComparedColumn
from app.indexes.encoders import bring_indexes_up_to_date
from app.indexes.fitted_models import make_kinds
from app.library.library import Library
from app.search.search_space import Filters
from app.search.searcher import Searcher
from core.message import NOTHING
from core.methods import METHODS
from core.search import SEARCHES
from core.search.buckets import draw_bits
from features.keypoints.keypoints import KEYPOINTS_VERSION, keypoint_bytes
from features.pictures.picture import Picture, PictureFacts
from storage.photographs.photographs import NewFile, ReadFile

PIXELS = "pixels:rows=8,columns=8"
N, BITS, K, DEPTH, ASKED = 130, 24, 10, 15, 7
TABLES, KEY_BITS, NEIGHBOURS, LISTS = 2, 5, 3, 8
PARAMETERS = {
    "buckets": f",key_bits={KEY_BITS},neighbours={NEIGHBOURS},tables={TABLES}",
    "permuted": f",lists={LISTS}",
}
STRUCTURES = [cls for cls in SEARCHES if cls.in_memory]
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
        ComparisonSettings([ComparisonColumn(method, search=text) for text in TEXTS], K, filters),
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
        if cls.exact and cls.uses_codes:
            assert set(hits) == set(by_code[:DEPTH][np.argsort(distances[by_code[:DEPTH]], kind="stable")][:K])
        missed = [i for i in truth[:K] if i not in hits]
        assert [(one.id - 1, one.rank) for one in column.missed] == [(i, truth.tolist().index(i) + 1) for i in missed]
        assert column.agreeing == K - len(missed)
        assert column.overlap == pytest.approx(1 - len(missed) / K)
        lost = f"missed {len(missed)} of the true first {K}" if missed else "missed none"
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
    assert (column.passing, answer.of, len(answer.hits)) == (len(passing), N, K)
    if search == "exact":
        assert (answer.looked_at, answer.scanned, answer.probed) == (len(passing), 0, 0)
        return
    if search == "buckets":
        assert (answer.looked_at, answer.scanned, answer.probed) == plain_buckets(bits, passing)
        return
    assert answer.looked_at == DEPTH
    if search == "scan":
        assert (answer.scanned, answer.probed) == (N, 0)
    elif search == "grouped":
        assert (answer.scanned, answer.probed) == (len(np.unique(bits, axis=0)), 0)
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
    if found < K:  # too few: every code is compared besides
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
