from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from app.indexes.indexes import NewIndex, create_index
from app.learn.learning import LearningSettings, free_metric_name, keep_metric, learn_and_keep, propose_metric
from app.learn.metrics import list_metrics
from app.library.library import Library
from app.marks.mark_file import NamedPair, read_pairs
from app.marks.marks import mark_pairs
from app.search.search_query import SearchOptions
from app.search.searcher import Searcher
from core.errors import Cancelled, TwinlensError
from tests.app.made_library import FEW_BITS, histograms, make

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
        ("p.csv", b"first,second,judgement\n\xff,b,similar\n", "UTF-8"),
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
        answer = Searcher(library).search(int(pairs[0].first), made.name, SearchOptions(5))
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
