"""The distance up to which answers are sure: what it depends on, that it is kept, and what search and duplicates do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.app.made_library import FEW_BITS, histograms, make
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.loaded_index import index_measure
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.learn.learning import learn_and_keep
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.library.library import Library
from twinlens.app.library.saved_state import KEPT, THRESHOLDS, keep_thresholds
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.search import ranked_results
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.search_results import GeometricCheck, SimilarityLevels
from twinlens.app.search.search_space import Moment
from twinlens.app.search.searcher import Searcher, search
from twinlens.app.search.similarity_levels import ConfidenceThresholds, confidence_threshold
from twinlens.core.arrays import BoolMask, Float64Matrix
from twinlens.core.errors import TwinlensError
from twinlens.core.learning.metric_judgement import Threshold, pair_distances, threshold

INDEX, DESCRIPTOR = FEW_BITS[0], FEW_BITS[1]
VECTORS = histograms(120)


def pairs(count: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return pairs of ids that are near, of which a few are farther than the rest, and pairs of whatever comes."""
    rng = np.random.default_rng(3)
    distances = np.sqrt(np.square(np.sqrt(VECTORS)[:, None] - np.sqrt(VECTORS)[None]).sum(axis=2))
    np.fill_diagonal(distances, 9)
    near = [(row, int(other)) for row, other in enumerate(distances.argmin(axis=1)) if row < other][:count]
    far = [(one, other) for one, other in rng.integers(0, len(VECTORS), (9 * count, 2)).tolist() if one < other]
    far = [pair for pair in far if pair not in near][:count]
    return [(a + 1, b + 1) for a, b in near], [(a + 1, b + 1) for a, b in far]


def similarities(library: Library, ids: list[tuple[int, int]]) -> npt.NDArray[np.float64]:
    with library.store.reading() as r:
        index = index_measure(r, INDEX)
        vectors, _ = r.descriptors.read(index.kind, np.arange(1, 121))
    return index.measure.similarities(pair_distances(index.measure, vectors.astype(np.float32), np.array(ids) - 1))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with make(tmp_path / "a.twinlens", VECTORS, (FEW_BITS,)) as opened:
        yield opened


@pytest.fixture
def marked(library: Library) -> Library:
    similar, different = pairs(20)
    mark_pairs(library, similar, True)
    mark_pairs(library, different, False)
    return library


def test_it_is_the_threshold_of_the_marks_distances(marked: Library) -> None:
    found = confidence_threshold(marked, INDEX)
    assert found is not None
    similar, different = pairs(20)
    with marked.store.reading() as r:
        index = index_measure(r, INDEX)
        vectors, _ = r.descriptors.read(index.kind, np.arange(1, 121))
    rows = np.array([*similar, *different]) - 1
    distances = pair_distances(index.measure, vectors.astype(np.float32), rows)
    plain = threshold(distances, np.arange(len(rows)) < len(similar))
    assert found.distance == pytest.approx(plain.distance)
    assert found.marks == len(rows)
    assert found.similarity == pytest.approx(1 - plain.distance**2 / 2)
    assert found.wrong_low <= 0.02 <= found.wrong_high
    wider = confidence_threshold(marked, INDEX, 0.2)
    assert wider is not None
    assert wider.distance > found.distance
    with pytest.raises(TwinlensError, match="cannot be"):
        confidence_threshold(marked, INDEX, 0.7)


def test_it_is_worked_out_once_until_the_marks_change(marked: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    before = confidence_threshold(marked, INDEX)
    calls = []

    def counted(distances: Float64Matrix, similar: BoolMask, wrong: float) -> Threshold:
        calls.append(wrong)
        return threshold(distances, similar, wrong)

    monkeypatch.setattr("twinlens.app.search.similarity_levels.threshold", counted)
    assert confidence_threshold(marked, INDEX) == before
    searcher = Searcher(marked)
    assert searcher.search(1, INDEX, SearchOptions(check=False)).threshold == before
    assert not calls
    mark_pairs(marked, [(1, 50)], False)
    after = searcher.search(1, INDEX, SearchOptions(check=False)).threshold
    assert len(calls) == 1
    assert after is not None
    assert before is not None
    assert after.marks == before.marks + 1
    assert Searcher(marked).search(1, INDEX, SearchOptions(check=False)).threshold == after
    assert len(calls) == 1


def test_marks_tell_the_limits_of_the_words_for_any_index(marked: Library) -> None:
    sure = confidence_threshold(marked, INDEX)
    assert sure is not None
    limits = sure.likeness
    assert limits is not None
    assert sure.similarity > limits.very_similar > limits.similar > 0
    (found,) = search(marked, [1], [INDEX], SearchOptions(k=40, check=False)).results
    assert found.likeness == limits
    assert {limits.of(hit) for hit in found.hits if not hit.query} == {"very similar", "similar", "less similar"}
    similar, different = pairs(20)
    near, far = similarities(marked, similar), similarities(marked, different)
    assert np.mean(near >= limits.very_similar) > 0.5
    assert np.mean(far >= limits.very_similar) < 0.25
    again = ConfidenceThresholds(marked)
    with marked.store.reading() as r:
        kept = again.find(Moment(r), index_measure(r, INDEX))
    assert kept == sure


def test_too_few_marks_leave_the_words_as_they_are(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = SimilarityLevels(very_similar=0.6, similar=0.3)
    monkeypatch.setattr(ranked_results, "similarity_levels", lambda _: shipped)
    similar, different = pairs(20)
    mark_pairs(library, similar, True)
    mark_pairs(library, different[:-1], False)
    (found,) = search(library, [1], [INDEX], SearchOptions(check=False)).results
    assert found.threshold is not None
    assert found.threshold.likeness is None
    assert found.likeness == shipped
    mark_pairs(library, different[-1:], False)
    (found,) = search(library, [1], [INDEX], SearchOptions(check=False)).results
    assert found.likeness is not None
    assert found.likeness != shipped


def test_marks_that_mean_nothing_tell_no_words(library: Library) -> None:
    rng = np.random.default_rng(5)
    rows = [(one, other) for one, other in rng.integers(1, 121, (90, 2)).tolist() if one < other]
    mark_pairs(library, rows[:20], True)
    mark_pairs(library, rows[20:40], False)
    found = confidence_threshold(library, INDEX)
    assert found is not None
    assert found.likeness is None


def test_only_so_many_are_kept(library: Library) -> None:
    for number in range(KEPT + 5):
        keep_thresholds(library, {f"{(7 * number) % 100}": [float(number)]})
    with library.store.reading() as r:
        kept = r.settings.get(THRESHOLDS)
    assert [value for _, (value,) in kept] == [float(number) for number in range(5, KEPT + 5)]


def test_search_leaves_out_what_is_not_sure_and_says_so(marked: Library) -> None:
    asked = pairs(20)[0][0][0]
    (whole,) = search(marked, [asked], [INDEX], SearchOptions(k=40, check=False, wrong=0.1)).results
    (only,) = search(marked, [asked], [INDEX], SearchOptions(k=40, check=False, sure=True, wrong=0.1)).results
    assert whole.threshold is not None
    assert only.threshold == whole.threshold
    within = [hit.id for hit in whole.hits if hit.distance <= whole.threshold.distance]
    assert [hit.id for hit in only.hits] == within
    assert 1 < len(within) < 40
    assert whole.within() == len(within)
    assert f"Left out as uncertain: {40 - len(within)} of the first 40" in str(only.note)
    part = SearchQuery((Example(1, region=(0, 0, 0.5, 0.5)),))
    assert not part.is_picture
    both = search(
        marked, [SearchQuery((Example(1), Example(2)))], [INDEX], SearchOptions(check=False, sure=True)
    ).results[0]
    assert both.threshold is None
    assert "cannot say" in str(both.note)
    assert len(both.hits) == 20


def test_what_is_confirmed_is_sure_at_any_distance(marked: Library) -> None:
    (found,) = search(marked, [pairs(20)[0][0][0]], [INDEX], SearchOptions(k=40, check=False, wrong=0.1)).results
    assert found.threshold is not None
    last = found.hits[-1]
    assert not found.threshold.is_sure(last)
    check = GeometricCheck(confirmed=True, score=9, inliers=90, mirrored=False, inverted=False)
    confirmed = last.model_copy(update={"check": check})
    told = found.model_copy(update={"hits": [*found.hits[:-1], confirmed]})
    assert told.sure_only().hits[-1] == confirmed
    assert told.within() == 40


def test_few_marks_cannot_say(library: Library) -> None:
    similar, different = pairs(20)
    mark_pairs(library, similar, True)
    mark_pairs(library, different[:4], False)
    assert confidence_threshold(library, INDEX) is None
    (found,) = search(library, [1], [INDEX], SearchOptions(check=False, sure=True)).results
    assert found.threshold is None
    assert "too few marks" in str(found.note)
    assert len(found.hits) == 20


def test_under_a_learned_metric_marks_are_measured_by_metrics_that_have_not_seen_them(marked: Library) -> None:
    kept = learn_and_keep(marked, LearningSettings(index=INDEX, name="Mine", anyway=True))
    assert kept.metric == "Mine"
    create_index(marked, NewIndex(descriptor=DESCRIPTOR, method="lsh:bits=32", metric="Mine", name="Under"), workers=1)
    with marked.store.reading() as r:
        hasty = ConfidenceThresholds(marked).find(Moment(r), index_measure(r, "Under"), patient=False)
    assert hasty is None
    assert Searcher(marked).search(1, "Under", SearchOptions(check=False)).threshold is None
    patient = confidence_threshold(marked, "Under")
    assert patient is not None
    assert patient.likeness is not None
    told = Searcher(marked).search(1, "Under", SearchOptions(check=False))
    assert told.threshold == patient
    assert told.likeness == patient.likeness
    with marked.store.reading() as r:
        index = index_measure(r, "Under")
        vectors, _ = r.descriptors.read(index.kind, np.arange(1, 121))
    similar, different = pairs(20)
    rows = np.array([*similar, *different]) - 1
    seen = pair_distances(index.measure, vectors.astype(np.float32), rows)
    assert patient.distance != pytest.approx(threshold(seen, np.arange(len(rows)) < len(similar)).distance)
