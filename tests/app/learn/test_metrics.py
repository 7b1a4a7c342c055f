"""Metrics of a library and indexes that measure by one: against the plain formula, switched to and gone back from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.app.learn.test_next_pairs import GROUPS, explicit, grouped, proposed, slowly
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, SIZE, histograms, make, put
from twinlens.app.indexes.encoders import bring_indexes_up_to_date
from twinlens.app.indexes.fitted_models import load_encoder, load_metric, make_kinds
from twinlens.app.indexes.index_specification import IndexSpecification, choose_metric
from twinlens.app.indexes.indexes import default_index, delete_index, estimate_index, list_indexes, set_default, text_of
from twinlens.app.learn.learning import keep_metric, propose_metric
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.learn.metric_comparison import compare_metrics, judge_metric
from twinlens.app.learn.metrics import (
    can_go_back,
    delete_metric_and_indexes,
    delete_unused_metric,
    export_metric,
    finish_index,
    go_back,
    import_metric,
    list_metrics,
    plain_index,
    rename_metric,
    restore_metric,
    search_by_metric,
)
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.methods import catalogue
from twinlens.app.search.explanation import explain
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.searcher import Searcher
from twinlens.core.arrays import Float64Matrix
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.method_under_metric import UnderMetric
from twinlens.core.methods.lsh import Lsh
from twinlens.core.metrics.metric import MetricPairs
from twinlens.core.metrics.metric_forms import ExplicitMetric
from twinlens.storage.integrity.integrity_check import check

COUNT = 120
DESCRIPTOR = "colour:levels=1"
VECTORS = histograms(COUNT)
STORED = VECTORS.astype(np.float16).astype(np.float64)
BLANK = COUNT + 1
RNG = np.random.default_rng(3)
G = np.diag(RNG.uniform(0.1, 3, SIZE)) + 0.1 * RNG.standard_normal((SIZE, SIZE))
FLAT = RNG.standard_normal((20, SIZE))
ITEMS, S = RNG.standard_normal((5, SIZE)), 0.2 * RNG.standard_normal((5, 5))


def saved(folder: Path) -> None:
    np.save(folder / "Mine.npy", G)
    np.savez(folder / "Flat.npz", G=FLAT)
    np.savez(folder / "Root.npz", A=G.T @ G)
    np.savez(folder / "Few.npz", items=ITEMS, S=S)


def under(library: Library, name: str, metric: str, method: str = "lsh:bits=64", search: str = "scan") -> None:
    """Make an index as `create_index` does, of photographs that were never pictures."""
    wanted = IndexSpecification.of(DESCRIPTOR, method, search)
    with library.store.writing() as w:
        chosen = wanted.checked(w, metric)
        assert chosen is not None
        texts = (catalogue.written_declaration(one) for one in (wanted.descriptor, wanted.method, wanted.search))
        descriptor, hashed, structure = texts
        w.indexes.add(name, descriptor, hashed, structure, chosen.written, metric_id=chosen.metric_id)
    make_kinds(library)
    bring_indexes_up_to_date(library)


INDEXES = {
    "By G": ("Mine", "lsh:bits=64", "scan:candidates=40"),
    "By few": ("Few", "itq:bits=32", "scan:candidates=40"),
    "By flat": ("Flat", "itq:bits=16", "scan:candidates=40"),
    "White": ("whitening", "lsh:bits=64", "scan:candidates=40"),
    "White, exactly": ("whitening", "itq", "exact"),
}
FACTORS = {"By G": G, "By few": np.eye(SIZE) + ITEMS.T @ S @ ITEMS, "By flat": FLAT}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("library")
    saved(folder)
    vectors = np.concatenate([VECTORS, np.zeros((1, SIZE), np.float32)])
    with make(folder / "made.twinlens", vectors, [("Plain", DESCRIPTOR, "lsh:bits=64", "scan")]) as opened:
        for file in ("Mine.npy", "Flat.npz", "Few.npz"):
            import_metric(opened, folder / file, DESCRIPTOR)
        for name, (metric, method, search) in INDEXES.items():
            under(opened, name, metric, method, search)
        yield opened


def factor(name: str) -> Float64Matrix:
    """Return G of an index."""
    if name in FACTORS:
        return FACTORS[name]
    covariance = np.cov(STORED.T)
    shrunk = covariance + 0.1 * np.trace(covariance) / SIZE * np.eye(SIZE)
    return np.linalg.cholesky(np.linalg.inv(shrunk)).T


def plain_distances(name: str, query: int) -> Float64Matrix:
    """Measure every photograph by the formula: |G (x - z)| in the scale in which its mean square is that without G."""
    g, middle = factor(name), STORED - STORED.mean(axis=0)
    squared = np.square(STORED).sum() / COUNT * np.square(middle @ g.T).sum() / np.square(middle).sum()
    return np.asarray(np.linalg.norm((STORED - STORED[query - 1]) @ g.T, axis=1) / np.sqrt(squared))


@pytest.mark.parametrize("name", INDEXES)
def test_exact_answers_are_those_of_the_formula(library: Library, name: str) -> None:
    for query in (1, 17, 60):
        result = Searcher(library).search(query, name, SearchOptions(k=BLANK, exact=True))
        assert (result.looked_at, str(result.measure)) == (BLANK, f"metric {INDEXES[name][0]}")
        expected = plain_distances(name, query)
        assert result.hits[0].id == query
        assert result.hits[-1].id == BLANK  # nothing to compare: last, and never lost
        found = {hit.id: hit for hit in result.hits}
        for place, distance in enumerate(expected):
            assert found[place + 1].distance == pytest.approx(distance, rel=2e-4, abs=2e-6)
            assert found[place + 1].similarity == pytest.approx(max(0, 1 - distance**2 / 2), abs=5e-4)
        told = [hit.distance for hit in result.hits]
        assert told == sorted(told)


@pytest.mark.parametrize("name", [name for name, (_, _, search) in INDEXES.items() if search != "exact"])
def test_candidates_are_ranked_by_the_metric(library: Library, name: str) -> None:
    searcher = Searcher(library)
    exactly = {hit.id: hit.distance for hit in searcher.search(8, name, SearchOptions(k=BLANK, exact=True)).hits}
    result = searcher.search(8, name, SearchOptions(k=10))
    assert not result.exact
    assert result.looked_at == 40
    assert [hit.distance for hit in result.hits] == [exactly[hit.id] for hit in result.hits]
    assert [hit.distance for hit in result.hits] == sorted(hit.distance for hit in result.hits)


def test_codes_are_those_of_what_the_metric_makes(library: Library) -> None:
    with library.store.reading() as r:
        row = r.indexes.by_name("By G")
        assert row is not None
        codes = r.codes.load(row.id).codes
        encoder = load_encoder(r, row)
        assert isinstance(encoder, UnderMetric)
        images = encoder.metric.apply(STORED)
    np.testing.assert_allclose(images, STORED @ G.T, rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(codes[:COUNT], Lsh(bits=64).fit(images).encode(images))
    np.testing.assert_array_equal(codes[:COUNT], encoder.encode(STORED))


def test_a_metric_is_part_of_the_identity(library: Library) -> None:
    with library.store.reading() as r:
        rows = {row.name: row for row in r.indexes.all()}
        encoders = [rows[name].model_id for name in ("Plain", "By G", "White")]
        assert len({r.models.by_id(model_id or 0).key for model_id in encoders}) == 3
        assert rows["White"].metric_model_id == rows["White, exactly"].metric_model_id  # equal things are kept once
        assert rows["Plain"].metric_model_id is None
        assert rows["White, exactly"].model_id is None


def test_an_index_says_what_it_measures_by(library: Library) -> None:
    told = {index.name: index for index in list_indexes(library).indexes}
    assert told["By G"].text == f"{DESCRIPTOR} · Mine · lsh:bits=64 · scan:candidates=40"
    assert told["White, exactly"].text == f"{DESCRIPTOR} · whitening · exact"
    assert [told[name].metric for name in ("By G", "White", "Plain")] == ["Mine", "whitening", None]
    assert told["By G"].bytes >= SIZE * SIZE * 4
    assert "covariance" not in str(told["White"].note)


def test_several_examples_under_a_metric(library: Library) -> None:
    weights = {3: 1.0, 50: 0.5, 90: -1.0}
    question = SearchQuery(tuple(Example(photograph, weight) for photograph, weight in weights.items()))
    counting = {3: 1.0, 50: 0.5, 90: -0.3}  # what they shall not be like: a fifth of what they shall be like
    scores = np.zeros(COUNT)
    for photograph, weight in counting.items():
        score = 1 - plain_distances("White", photograph) ** 2 / 2
        scores += weight * (score if weight > 0 else np.maximum(score, -1))
    expected = np.sqrt(2 - 2 * np.minimum(scores / 1.8, 1))
    result = Searcher(library).search(question, "White", SearchOptions(k=BLANK, exact=True))
    assert result.hits[-1].id == BLANK
    for hit in result.hits[:-1]:
        assert hit.distance == pytest.approx(expected[hit.id - 1], rel=1e-3)


def test_an_explanation_names_the_metric(library: Library) -> None:
    searcher = Searcher(library)
    told = explain(searcher, SearchQuery.of(1), "By G", 2)
    assert str(told.measure) == "metric Mine"
    assert told.distance == pytest.approx(plain_distances("By G", 1)[1], rel=2e-4)
    assert told.code is not None
    assert str(told.code.estimate_of) == "cosine under the metric"
    assert str(told.code.sentence).endswith("under the metric.")
    plain = explain(searcher, SearchQuery.of(1), "Plain", 2).code
    assert plain is not None
    assert str(plain.estimate_of) == "cosine"


def test_a_new_name_is_told_at_once(library: Library) -> None:
    searcher = Searcher(library)
    before = searcher.search(5, "By G", SearchOptions(k=5))
    assert rename_metric(library, "mine", "Yours").indexes == ["By G"]
    try:
        after = searcher.search(5, "By G", SearchOptions(k=5))
        assert (str(after.measure), after.hits) == ("metric Yours", before.hits)
        assert after.text == f"{DESCRIPTOR} · Yours · lsh:bits=64 · scan:candidates=40"
        assert searcher.search(5, after.text.upper().lower(), SearchOptions(k=5)).index == "By G"
    finally:
        rename_metric(library, "Yours", "Mine")


def test_a_metric_in_use_cannot_be_deleted(library: Library, tmp_path: Path) -> None:
    with pytest.raises(TwinlensError, match="the index “By G” measures by it"):
        delete_unused_metric(library, "Mine")
    np.save(tmp_path / "Passing.npy", 2 * np.eye(SIZE))
    import_metric(library, tmp_path / "Passing.npy", DESCRIPTOR)
    under(library, "Passing index", "Passing")
    with pytest.raises(TwinlensError, match="Passing index"):
        delete_unused_metric(library, "Passing")
    with library.store.reading() as r:
        before = len(r.models.all())
    delete_index(library, "Passing index")
    assert "Passing" not in [metric.name for metric in delete_unused_metric(library, "Passing").metrics]
    with library.store.reading() as r:
        assert len(r.models.all()) == before - 3  # the metric as it was given, as it was fitted, and the encoder
    assert check(library.store).findings == []


@pytest.mark.parametrize("name", ["", "Mine", "itq", "whitening:shrinkage=2", "colour", "scan", "one · two"])
def test_names_that_cannot_be(library: Library, tmp_path: Path, name: str) -> None:
    np.save(tmp_path / "G.npy", G)
    with pytest.raises(TwinlensError) as refused:
        import_metric(library, tmp_path / "G.npy", DESCRIPTOR, name)
    assert str(refused.value.advice)
    with pytest.raises(TwinlensError):
        rename_metric(library, "Few", name)
    assert [metric.name for metric in list_metrics(library).metrics] == ["Mine", "Flat", "Few"]


@pytest.mark.parametrize(
    ("descriptor", "method", "metric", "words"),
    [
        ("colour", "itq", "Mine", r"“Mine” is for colour:levels=1, not for colour\."),
        (DESCRIPTOR, "itq:bits=21", "Flat", "20"),
        (DESCRIPTOR, "itq", "whitening:shrinkage=-1", "shrinkage"),
        (DESCRIPTOR, "itq", "nobody", r"no metric “nobody”"),
        ("vlad:centres=256", "lsh", "whitening", "too many"),
    ],
)
def test_what_can_never_be_is_refused_beforehand(
    library: Library, descriptor: str, method: str, metric: str, words: str
) -> None:
    with pytest.raises(TwinlensError, match=words):
        estimate_index(library, descriptor, method, "scan", metric)


def test_a_metric_that_changes_the_length_leaves_no_matrix(tmp_path: Path) -> None:
    np.save(tmp_path / "short.npy", RNG.standard_normal((7, 1024)))
    np.save(tmp_path / "long.npy", np.eye(1024))
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        for name in ("short", "long"):
            import_metric(library, tmp_path / f"{name}.npy", "vlad:centres=8")
        with library.store.reading() as r:
            wanted = IndexSpecification.of("vlad:centres=8", "bilinear-lsh:bits=16", "scan")
            assert wanted.checked(r, "long") == choose_metric(r, "long")
            with pytest.raises(TwinlensError, match="no matrices any more"):
                wanted.checked(r, "short")
        assert "needs about" in str(estimate_index(library, "vlad:centres=8", "lsh", "scan", "short"))


@pytest.mark.parametrize("file", ["Mine.npy", "Flat.npz", "Root.npz", "Few.npz"])
@pytest.mark.parametrize("ending", [".npy", ".npz"])
def test_there_and_back(tmp_path: Path, file: str, ending: str) -> None:
    saved(tmp_path)
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        one = import_metric(library, tmp_path / file, DESCRIPTOR, "One")
        told = export_metric(library, "One", OutputFile(tmp_path / f"out{ending}"))
        assert told.bytes == (tmp_path / f"out{ending}").stat().st_size
        again = import_metric(library, tmp_path / f"out{ending}", DESCRIPTOR, "Again", "kernel")
        assert (again.dimensions, again.out_dimensions) == (one.dimensions, one.out_dimensions)
        assert (one.ranking, again.ranking) == ("distance", "kernel")
        with library.store.reading() as r:
            metrics = [load_metric(r, row.model_id) for row in r.metrics.all()]
        np.testing.assert_allclose(metrics[0].apply(STORED), metrics[1].apply(STORED), rtol=1e-5, atol=1e-6)
        with pytest.raises(TwinlensError, match="exists already"):
            export_metric(library, "One", OutputFile(tmp_path / f"out{ending}"))


def test_files_that_are_no_metrics(tmp_path: Path) -> None:
    (tmp_path / "text.npy").write_text("no array")
    (tmp_path / "text.npz").write_text("no archive")
    (tmp_path / "empty.npy").write_bytes(b"")
    np.save(tmp_path / "objects.npy", np.array([{"a": 1}]), allow_pickle=True)
    np.savez(tmp_path / "unknown.npz", B=np.eye(SIZE))
    np.save(tmp_path / "short.npy", np.eye(5))
    np.save(tmp_path / "row.npy", np.ones(SIZE))
    (tmp_path / "G.txt").write_text("1 2 3")
    (tmp_path / "folder.npy").mkdir()
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        for name, words in {
            "text.npy": "cannot be read",
            "text.npz": "cannot be read",
            "empty.npy": "cannot be read",
            "objects.npy": "cannot be read",
            "unknown.npz": "no metric: B",
            "short.npy": "vectors of 5 dimensions, but those of colour:levels=1 have 116",
            "row.npy": "must be a matrix",
            "G.txt": "no file that a metric can be kept in",
            "folder.npy": "it is a folder",
            "nothing.npy": "There is no file",
        }.items():
            with pytest.raises(TwinlensError, match=words) as refused:
                import_metric(library, tmp_path / name, DESCRIPTOR)
            assert str(refused.value.advice)
        assert list_metrics(library).metrics == []
        np.save(tmp_path / "G.npy", G)
        import_metric(library, tmp_path / "G.npy", DESCRIPTOR)
        for target in (tmp_path / "out.txt", tmp_path / "nowhere" / "out.npy"):
            with pytest.raises(TwinlensError):
                export_metric(library, "G", OutputFile(target))
        with pytest.raises(TwinlensError, match="keeps no metric “H”, only G"):
            export_metric(library, "H", OutputFile(tmp_path / "out.npy"))


def test_photographs_that_come_later_are_encoded_under_it(tmp_path: Path) -> None:
    saved(tmp_path)
    with make(tmp_path / "made.twinlens", VECTORS[:0], [("Plain", DESCRIPTOR, "lsh:bits=64", "scan")]) as library:
        import_metric(library, tmp_path / "Mine.npy", DESCRIPTOR)
        under(library, "By G", "Mine")
        under(library, "White", "whitening")
        under(library, "White, exactly", "whitening", search="exact")
        put(library, np.concatenate([VECTORS[:1], np.zeros((1, SIZE), np.float32)]))
        bring_indexes_up_to_date(
            library
        )  # one photograph has no covariance: answers are exact, by the descriptor's measure
        answers = {name: Searcher(library).search(1, name) for name in ("By G", "White", "White, exactly")}
        assert [str(one.measure) for one in answers.values()] == ["metric Mine", "hellinger", "hellinger"]
        assert "Still preparing" in str(answers["White"].note)
        with library.store.writing() as w:
            w.remove([2])
        put(library, VECTORS[1:60], start=1)
        bring_indexes_up_to_date(library)
        with library.store.reading() as r:
            fitted = {row.name: row.metric_model_id for row in r.indexes.all()}
        assert fitted["By G"]
        assert fitted["White"] == fitted["White, exactly"] is not None
        put(library, VECTORS[60:], start=60)
        bring_indexes_up_to_date(library)
        with library.store.reading() as r:
            for name in ("By G", "White"):
                row = r.indexes.by_name(name)
                assert row is not None
                assert row.metric_model_id == fitted[name]
                encoder = load_encoder(r, row)
                assert encoder is not None
                np.testing.assert_array_equal(r.codes.load(row.id).codes, encoder.encode(STORED))
                assert row.fitted_on == (2 if name == "By G" else 60)
                assert text_of(row).startswith(f"{DESCRIPTOR} · ")
        result = Searcher(library).search(100, "White, exactly", SearchOptions(k=3))
        assert (result.hits[0].id, result.of, str(result.measure)) == (100, COUNT, "metric whitening")


INDEX = FEW_BITS[0]


def kept(library: Library, index: str = INDEX, seed: int = 0) -> str:
    return keep_metric(library, proposed(library, explicit(seed), index))


def found(library: Library, index: str, photograph: int, k: int = 10) -> list[int]:
    return [hit.id for hit in Searcher(library).search(photograph, index, SearchOptions(k=k)).hits]


def test_a_metric_answers_exactly_at_once_and_by_codes_when_its_index_is_fitted(tmp_path: Path) -> None:
    with make(tmp_path / "a.twinlens", histograms(120), (LEARNED, FEW_BITS)) as library:
        assert default_index(library) == "Automatic"
        assert can_go_back(library) == ""
        name = kept(library, LEARNED[0])
        switched = search_by_metric(library, name, like=LEARNED[0])
        assert (switched.index, switched.metric, switched.before, switched.waiting) == (name, name, "Automatic", 120)
        assert default_index(library) == name
        answer = Searcher(library).search(7, name, SearchOptions(k=10))
        assert answer.exact
        assert str(answer.measure) == f"metric {name}"
        expected = [one[0] for one in slowly(library, proposed(library, explicit()), 7)[1]]
        assert [hit.id for hit in answer.hits] == expected[:10]
        finish_index(library, name)
        answer = Searcher(library).search(7, name, SearchOptions(k=10))
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
