"""Tests of searches with words: what photographs show ranks them, chooses among them, and is read from thumbnails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.folders import Libraries
from twinlens.app.bench.bench import bench
from twinlens.app.bench.experiment import Experiment
from twinlens.app.cli.main import main
from twinlens.app.evaluate.evaluation_settings import EvaluationSettings
from twinlens.app.evaluate.kind_evaluation import evaluate_kinds
from twinlens.app.indexes.fitted_models import concept_kind, kept_cap, load_encoder, load_extractors, make_kinds
from twinlens.app.indexes.indexes import list_indexes
from twinlens.app.lab.experiments.runner import experiment_tables
from twinlens.app.library.browsing.listing import ListingFilter, concept_counts, listing
from twinlens.app.library.browsing.shown_concepts import ShownConcepts
from twinlens.app.library.ingest.adding import add
from twinlens.app.library.ingest.ingest import _lacking, _lacking_tasks, reduced_pictures, used_kinds
from twinlens.app.library.ingest.ingest_plan import IngestPlan
from twinlens.app.library.library import Library
from twinlens.app.library.workers.extraction import CompletedPhotograph, extract
from twinlens.app.map.colourings import map_subjects
from twinlens.app.search.explanation import explain
from twinlens.app.search.search_options import Filters, SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.searcher import Searcher
from twinlens.core.errors import TwinlensError
from twinlens.features.concepts.concept_words import concept_table, read_query
from twinlens.features.concepts.concepts import KEPT
from twinlens.features.query.words_and_colours import Phrase
from twinlens.features.reading.reading_limits import Limits

CASTLE, ALP, DOG, WATER = 483, 970, 207, 978
SHOWN: tuple[dict[int, float], ...] = (
    {CASTLE: 0.9},
    {CASTLE: 0.5, ALP: 0.45},
    {ALP: 0.8},
    {CASTLE: 0.6, WATER: 0.3},
    {DOG: 0.95},
    {CASTLE: 0.1},
    {DOG: 0.45, CASTLE: 0.5},
    {},
)


@pytest.fixture
def library(libraries: Libraries, tmp_path: Path) -> Iterator[Library]:
    """Eight photographs that show what SHOWN says, in the order of their ids."""
    with Library.open(libraries.copy(8, tmp_path / "words.twinlens")) as opened:
        with opened.store.writing("telling what is shown") as w:
            kind = concept_kind(w)
            assert kind is not None
            vectors = np.zeros((len(SHOWN), 2 * KEPT), np.float32)
            for row, shown in zip(vectors, SHOWN, strict=True):
                row[: len(shown)], row[KEPT : KEPT + len(shown)] = list(shown), list(shown.values())
            w.descriptors.put(kind, w.descriptors.ids(kind), vectors)
        yield opened


def places(library: Library, ids: list[int]) -> list[int]:
    with library.store.reading() as r:
        kind = concept_kind(r)
        assert kind is not None
        every = r.descriptors.ids(kind).tolist()
    return [every.index(one) for one in ids]


def found(library: Library, typed: str, **options: Any) -> list[int]:
    result = Searcher(library).search(SearchQuery((Example(Phrase(typed)),)), options=SearchOptions(**options))
    return places(library, [one.id for one in result.hits])


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("castle", [0, 3, 1, 6, 5]),
        ("castle on a mountain", [1]),
        ("castle without water", [0, 1, 6, 5]),
        ("dog or mountain", [4, 2, 1, 6]),
        ("castle, dog", [6]),
        ("not castle", [2, 4, 7, 5]),
        ("snow", []),
    ],
)
def test_photographs_are_ranked_by_what_they_show(library: Library, typed: str, expected: list[int]) -> None:
    ranked = found(library, typed)
    assert sorted(ranked) == sorted(expected)
    if "not" not in typed:
        assert ranked == expected


def test_there_is_a_line_below_which_it_is_a_guess(library: Library) -> None:
    result = Searcher(library).search(SearchQuery((Example(Phrase("castle")),)))
    assert result.likeness is not None
    assert str(result.likeness.shows) == "Castle"
    kinds = [result.likeness.of(one) for one in result.hits]
    assert kinds == ["very similar"] * 4 + ["similar"]
    assert [str(result.likeness.words(one)) for one in result.hits[:1]] == ["90 %"]


def test_words_beside_a_picture_choose_what_is_compared_with_it(library: Library) -> None:
    with library.store.reading() as r:
        first = int(r.descriptors.ids(concept_kind(r))[4])  # type: ignore[arg-type]
    query = SearchQuery((Example(first), Example(Phrase("castle"))))
    result = Searcher(library).search(query, options=SearchOptions(check=False))
    assert sorted(places(library, [one.id for one in result.hits])) == [0, 1, 3, 6]
    unliked = SearchQuery((Example(first), Example(Phrase("castle"), weight=-1.0)))
    result = Searcher(library).search(unliked, options=SearchOptions(check=False))
    assert sorted(places(library, [one.id for one in result.hits])) == [2, 4, 5, 7]


def test_a_colour_among_the_words_ranks_what_shows_the_rest(library: Library) -> None:
    result = Searcher(library).search(SearchQuery((Example(Phrase("blue castle")),)))
    assert sorted(places(library, [one.id for one in result.hits])) == [0, 1, 3, 6]
    assert (str(result.query), result.index) == ("blue castle", "Colours")


def test_filters_choose_by_what_is_surely_shown(library: Library) -> None:
    assert sorted(found(library, "castle", filters=Filters(shows="dog"))) == [6]
    listed = listing(library, choice=ListingFilter(shows="castle"))
    assert sorted(places(library, listed.ids.tolist())) == [0, 1, 3, 6]
    counts = {one.concept.name("en"): one.photographs for one in concept_counts(library)}
    assert (counts["castle"], counts["dog"], counts["animal"]) == (4, 2, 2)
    with pytest.raises(TwinlensError, match="No photos can be found by “wedding”"):
        listing(library, choice=ListingFilter(shows="wedding"))


def test_the_subject_is_the_narrowest_that_is_sure(library: Library) -> None:
    with library.store.reading() as r:
        shown = ShownConcepts.of(r)
    names = ["" if one < 0 else concept_table().facets[one].name("en") for one in shown.subjects().tolist()]
    assert names[5] == names[7] == ""
    assert names[4] == "retriever"
    assert names[2] == "mountain"


def test_photographs_that_show_the_same_are_a_truth_of_evaluate_and_the_lab(library: Library) -> None:
    found = evaluate_kinds(library, EvaluationSettings(truth="concepts", indexes=("Automatic",), check=False))
    assert found.truth == "concepts"
    assert all(one.photographs > 1 for one in found.kinds)
    wanted = Experiment(index="Automatic", truth="concepts", methods=("itq:bits=8", "lda-itq:bits=8"))
    experiment, tables = experiment_tables(library, wanted)
    assert tables.labels is not None
    assert len(tables.base) == len(tables.labels) == 6
    (plain, taught) = bench(experiment, tables=tables).results
    assert "average precision" in str(taught.note)
    assert "average precision" not in str(plain.note)


def test_parts_of_a_map_are_named_by_what_they_show(library: Library) -> None:
    with library.store.reading() as r:
        shown = ShownConcepts.of(r)
    dogs = np.array([0, 0, -1, 0, 1, -1, 1, -1], np.int32)
    subjects = map_subjects(dogs, 2, shown.ids, shown)
    assert subjects[1] is not None
    assert subjects[1].name("en") == "retriever"
    two_of_three = np.where(np.arange(8) == 2, 1, dogs).astype(np.int32)
    assert map_subjects(two_of_three, 2, shown.ids, shown)[1] is None
    assert map_subjects(np.zeros(8, np.int32), 1, shown.ids, shown) == [None]


def test_why_says_what_a_result_shows(library: Library) -> None:
    searcher, query = Searcher(library), SearchQuery((Example(Phrase("castle")),))
    (first, *_) = searcher.search(query).hits
    why = explain(searcher, query, "Automatic", first.id)
    assert why.similarity == pytest.approx(0.9, abs=1e-3)
    assert [(one.concept.name("de"), round(one.probability, 2)) for one in why.shown] == [("Burg", 0.9)]


def test_unknown_words_are_told_with_what_to_try(library: Library) -> None:
    with pytest.raises(TwinlensError) as refused:
        found(library, "wedding")
    assert str(refused.value.message) == "No photos can be found by “wedding” yet."
    assert "church" in str(refused.value.advice)
    result = Searcher(library).search(SearchQuery((Example(Phrase("frobnicated castle")),)))
    assert "frobnicated" in str(result.note)


def test_the_command_line_searches_with_words(library: Library, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--library", library.address.text, "search", "--text", "castle", "-k", "3"])
    assert ended.value.code == 0
    assert "90 %" in capsys.readouterr().out


def test_older_libraries_learn_what_is_shown_from_thumbnails_alone(libraries: Libraries, tmp_path: Path) -> None:
    with Library.open(libraries.copy(8, tmp_path / "old.twinlens")) as library:
        with library.store.reading() as r:
            kind = concept_kind(r)
            assert kind is not None
            before, _ = r.descriptors.read(kind, r.descriptors.ids(kind))
        with library.store.writing("as it was before") as w:
            w.descriptors.remove_kind(kind)
        assert list_indexes(library).concepts is False
        make_kinds(library)
        with library.store.reading() as r:
            kinds = used_kinds(r)
            extractors = load_extractors(r, kinds)
            lacking = _lacking(r, kinds)
            assert len(lacking) == 8
            plan = IngestPlan(kinds, [], kept_cap(r), reduced_pictures(library))
        tasks = list(_lacking_tasks(library, plan, lacking))
        assert all(task.thumbnail and task.wanted == plan.from_thumbnail for task in tasks)
        gone = [replace(task, path=b"/nowhere") for task in tasks]
        assert all(isinstance(extract(task, extractors, Limits()), CompletedPhotograph) for task in gone)
        damaged = replace(tasks[0], thumbnail=tasks[0].thumbnail[:40])
        assert not isinstance(extract(damaged, extractors, Limits()), CompletedPhotograph)
        with library.store.reading() as r:
            points = r.keypoints.read(lacking, 1)
        add(library, [libraries.photographs(8)])
        with library.store.reading() as r:
            assert r.keypoints.read(lacking, 1) == points
            kind = concept_kind(r)
            assert kind is not None
            after, present = r.descriptors.read(kind, r.descriptors.ids(kind))
            assert present.all()
            assert len(r.descriptors.lacking(kind)) == 0
            assert len(used_kinds(r)) == 3
            assert all(load_encoder(r, index) for index in r.indexes.all())
    same = [len(set(one[:3].tolist()) & set(other[:3].tolist())) for one, other in zip(before, after, strict=True)]
    assert np.mean(same) > 1  # a thumbnail is a little smaller than what the network takes


def test_a_query_remembers_its_language() -> None:
    query = SearchQuery((Example(Phrase("Hut", "de")),))
    assert SearchQuery.from_json(query.to_json()) == query
    assert read_query("Hut", "de").text() != read_query("Hut", "en").text()
