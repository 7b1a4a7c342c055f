"""Searching by kept metrics: switched to at once, fitted later, compared, gone back from, deleted and restored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.indexes.indexes import default_index, delete_index, list_indexes, set_default
from app.learn.learning import LearningSettings, keep_metric, propose_metric
from app.learn.metric_comparison import compare_metrics, judge_metric
from app.learn.metrics import (
    can_go_back,
    delete_metric_and_indexes,
    finish_index,
    go_back,
    list_metrics,
    plain_index,
    rename_metric,
    restore_metric,
    search_by_metric,
)
from app.library.library import Library
from app.marks.marks import mark_pairs
from app.search.search_query import SearchOptions
from app.search.searcher import Searcher
from core.errors import TwinlensError
from core.metrics.metric import MetricPairs
from core.metrics.metric_forms import ExplicitMetric
from tests.app.learn.test_before_after import explicit, proposed, slowly
from tests.app.learn.test_next_pairs import GROUPS, grouped
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, SIZE, histograms, make

INDEX = FEW_BITS[0]


def kept(library: Library, index: str = INDEX, seed: int = 0) -> str:
    return keep_metric(library, proposed(library, explicit(seed), index))


def found(library: Library, index: str, photograph: int, k: int = 10) -> list[int]:
    return [hit.id for hit in Searcher(library).search(photograph, index, SearchOptions(k)).hits]


def test_a_metric_answers_exactly_at_once_and_by_codes_when_its_index_is_fitted(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(120), (LEARNED, FEW_BITS)) as library:
        assert default_index(library) == "Automatic"
        assert can_go_back(library) == ""
        name = kept(library, LEARNED[0])
        switched = search_by_metric(library, name, like=LEARNED[0])
        assert (switched.index, switched.metric, switched.before, switched.waiting) == (name, name, "Automatic", 120)
        assert default_index(library) == name
        answer = Searcher(library).search(7, name, SearchOptions(10))
        assert answer.exact
        assert str(answer.measure) == f"metric {name}"
        expected = [one[0] for one in slowly(library, proposed(library, explicit()), 7)[1]]
        assert [hit.id for hit in answer.hits] == expected[:10]
        finish_index(library, name)
        answer = Searcher(library).search(7, name, SearchOptions(10))
        assert not answer.exact
        assert [hit.id for hit in answer.hits][:3] == expected[:3]
        status = next(one for one in list_indexes(library).indexes if one.name == name)
        assert (status.waiting, status.fitted_on) == (0, 120)
        assert [one.name for one in list_indexes(library).indexes if one.default] == [name]
        assert status.text.endswith(f"{LEARNED[2]} · {LEARNED[3]}")
        again = search_by_metric(library, name)
        assert (again.index, again.waiting) == (name, 0)
        assert len([one for one in list_indexes(library).indexes if one.metric == name]) == 1


def test_one_goes_back_to_what_answered_before_and_nothing_is_lost(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(60), (FEW_BITS, EXACTLY)) as library:
        one, other = kept(library), kept(library, seed=1)
        set_default(library, EXACTLY[0])
        assert search_by_metric(library, one).waiting == 0  # an index that always measures all needs no codes
        assert search_by_metric(library, other).before == one
        assert (plain_index(library, other), plain_index(library, EXACTLY[0])) == (INDEX, EXACTLY[0])
        assert plain_index(library, "gone") == "gone"
        assert can_go_back(library) == one
        assert go_back(library).index == one
        back = go_back(library)
        assert (back.index, back.before, back.metric) == (EXACTLY[0], one, None)
        assert go_back(library).index == "Automatic"
        with pytest.raises(TwinlensError, match="No earlier index"):
            go_back(library)
        assert {status.name for status in list_metrics(library).metrics} == {one, other}
        assert {status.name for status in list_indexes(library).indexes} > {one, other}
        search_by_metric(library, other)
        rename_metric(library, other, "Mine")
        assert default_index(library) == other
        delete_index(library, other)
        assert default_index(library) == "Automatic"


def test_a_deleted_metric_comes_back_with_its_indexes(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(60), (FEW_BITS,)) as library:
        proposal = replace(proposed(library, explicit()), photographs=np.array([3, 8, 9]))
        name = keep_metric(library, proposal, "Mine")
        search_by_metric(library, name)
        finish_index(library, name)
        expected = found(library, name, 5)
        deleted = delete_metric_and_indexes(library, "mine")
        assert (deleted.name, deleted.default) == ("Mine", "Mine")
        assert "“Automatic” answers from now on" in str(deleted.sentence)
        assert not list_metrics(library).metrics
        assert default_index(library) == "Automatic"
        assert "Mine" not in {one.name for one in list_indexes(library).indexes}
        back = restore_metric(library, deleted)
        assert back is not None
        assert (back.index, default_index(library)) == ("Mine", "Mine")
        assert Searcher(library).search(5, "Mine").exact
        finish_index(library, "Mine")
        assert found(library, "Mine", 5) == expected
        (status,) = list_metrics(library).metrics
        assert status.indexes == ["Mine"]
        deleted = delete_metric_and_indexes(library, "Mine")
        assert deleted.photographs is not None
        assert deleted.photographs.tolist() == [3, 8, 9]
        set_default(library, INDEX)
        keep_metric(library, proposal, "Mine")
        with pytest.raises(TwinlensError, match="already a metric"):
            restore_metric(library, deleted)


def test_another_hash_method_steps_in_where_one_cannot_learn_behind_a_metric(tmp_path: Path) -> None:
    kernel = ("Kernel", "colour:levels=1", "kpca-itq:bits=8,kernel=hellinger", "scan")
    with make(tmp_path / "a.twinlens", histograms(60), (kernel, FEW_BITS)) as library:
        matrix = np.eye(SIZE)
        matrix[0, 1] = -3.0
        name = keep_metric(library, proposed(library, ExplicitMetric.of(matrix[:4])))
        switched = search_by_metric(library, name, like=INDEX)
        finish_index(library, switched.index)
        assert Searcher(library).search(5, name).exact is False
        with pytest.raises(TwinlensError, match="no metric “Other”"):
            search_by_metric(library, "Other")


def test_a_metric_is_judged_by_marks_that_it_has_not_seen(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(200), (FEW_BITS,)) as library:
        similar = [(i, i + GROUPS) for i in range(1, 25)]
        different = [(i, i + GROUPS + 1) for i in range(30, 54)]
        mark_pairs(library, similar, True)
        mark_pairs(library, different, False)
        with pytest.raises(TwinlensError, match="no index “Other”"):
            compare_metrics(library, "Other")
        none, *others = compare_metrics(library, INDEX).metrics
        assert others == []
        assert none.name == ""
        assert none.held_out is not None
        assert (none.pairs, none.seen) == (48, 0)
        bad = ExplicitMetric.of(np.eye(SIZE)[:1])
        photographs = np.unique(similar + different)
        keep_metric(library, replace(proposed(library, bad), photographs=photographs[:0]), "Bad")
        keep_metric(library, replace(proposed(library, explicit()), photographs=photographs), "Seen")
        keep_metric(library, replace(proposed(library, explicit()), photographs=np.unique(similar[:8])), "Half")
        search_by_metric(library, "Half")
        told = {one.name: one for one in compare_metrics(library, INDEX).metrics}
        assert list(told) == ["", "Bad", "Seen", "Half"]
        assert [one.default for one in told.values()] == [False, False, False, True]
        assert told[""].held_out == none.held_out
        bad_one = told["Bad"].held_out
        assert bad_one is not None
        assert bad_one.area is not None
        assert none.held_out.area is not None
        assert bad_one.area.mean < none.held_out.area.mean
        assert (told["Seen"].held_out, told["Seen"].pairs, told["Seen"].seen) == (None, 0, 48)
        assert "say nothing of it" in str(told["Seen"].sentence)
        assert 0 < told["Half"].seen < 48
        assert told["Half"].held_out is not None
        assert "do not count" in str(told["Half"].sentence)


def test_judging_is_right_where_it_is_known() -> None:
    rng = np.random.default_rng(0)
    x = np.zeros((80, 3), np.float32)
    x[:, 0] = np.arange(80) // 2 + 1
    x[:, 1] = 0.01 * rng.random(80)
    plain = ExplicitMetric.of(np.eye(3))
    rows = np.array([(2 * i, 2 * i + 1) for i in range(20)] + [(2 * i, 2 * i + 30) for i in range(20)])
    pairs = MetricPairs(rows, np.arange(40) < 20)
    background = np.zeros((50, 3), np.float32)
    background[:, 0] = 1000 + np.arange(50)
    right = judge_metric(plain, x, pairs, background)
    assert right is not None
    assert right.accuracy is not None
    assert right.recall is not None
    assert (right.accuracy.mean, right.recall.mean) == (1, 1)
    blind = judge_metric(ExplicitMetric.of(np.eye(3)[1:2]), x, pairs, background)
    assert blind is not None
    assert blind.area is not None
    assert 0.3 < blind.area.mean < 0.7
    assert blind.area.low < blind.area.mean < blind.area.high
    assert judge_metric(plain, x, MetricPairs(rows[:7], np.ones(7, bool)), background) is None
    alone = judge_metric(plain, x, MetricPairs(rows[:20], np.ones(20, bool)), background)
    assert alone is not None


def test_what_was_proposed_from_marks_remembers_its_photographs(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", grouped(60), (FEW_BITS,)) as library:
        mark_pairs(library, [(i, i + GROUPS) for i in range(1, 5)], True)
        proposal = propose_metric(library, LearningSettings(index=INDEX, anyway=True))
        assert proposal.photographs.tolist() == sorted({one for i in range(1, 5) for one in (i, i + GROUPS)})
        assert str(proposal.result.headline).startswith("Not enough marks yet: about 16 more")
        keep_metric(library, proposal)
        (_, told) = compare_metrics(library, INDEX).metrics
        assert (told.pairs, told.seen) == (0, 4)
