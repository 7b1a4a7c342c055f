"""Methods measured on files of vectors, with a learned metric too; experiments are shared, steps kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array, save_npz

from tests.core.installed_package import install
from twinlens.app.bench.bench import bench, curve_rows
from twinlens.app.bench.experiment import Experiment, read_experiment
from twinlens.app.bench.kept_steps import CachedSteps
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.evaluation.evaluation_task import Figures
from twinlens.core.evaluation.measurement import DataFacts, MeasuredStep
from twinlens.core.evaluation.measures import by_count
from twinlens.core.message import NOTHING, Message
from twinlens.core.methods import METHODS as METHODS_OF_ALL

METHODS = ("lsh:bits=32", "itq:bits=8")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 5, 400)
    middles = rng.random((5, 12)) * 4
    np.savez(
        tmp_path / "data.npz", base=np.abs(middles[labels] + 0.2 * rng.standard_normal((400, 12))), labels=labels,
        names=np.array([f"class {label}" for label in labels]),
        queries=np.abs(middles[labels[:30]] + 0.2 * rng.standard_normal((30, 12))), asked=labels[:30],
    )  # fmt: skip
    return tmp_path


def test_figures_are_there_and_repeat(files: Path) -> None:
    experiment = Experiment(
        base=f"{files}/data.npz",
        labels=f"{files}/data.npz::labels",
        methods=METHODS,
        seeds=(0, 1, 2),
        k=3,
        query_count=40,
    )
    result = bench(experiment)
    assert (result.data.n, result.data.d, result.data.queries, result.data.truth) == (400, 12, 40, "l2")
    for one in result.results:
        assert one.values["accuracy"] == pytest.approx(1.0, abs=0.1)
        assert 0 < one.values["recall@10"] <= 1
        assert one.values["overlap@10"] == 1.0
        assert "map" in one.spread
        assert one.of == 400
    CachedSteps.of().forget()
    again = bench(experiment)
    assert [(by_count(one.values, "recall@"), one.values["map"]) for one in again.results] == [
        (by_count(one.values, "recall@"), one.values["map"]) for one in result.results
    ]


def test_a_quantizer_is_measured_as_a_method_is(files: Path) -> None:
    experiment = Experiment(
        base=f"{files}/data.npz", methods=("pq:bytes=4", "itq:bits=8"), search=("scan:candidates=100",), seeds=(0, 1),
        query_count=40,
    )  # fmt: skip
    quantizer, codes = bench(experiment).results
    assert (quantizer.method, quantizer.bits, quantizer.of) == ("pq:bytes=4", 32, 400)
    assert quantizer.values["bytes codes"] == 4 * 400
    assert quantizer.values["recall@10"] > codes.values["recall@10"]
    assert quantizer.values["looked_at"] == 100
    assert 0 <= quantizer.values["worst@10"] <= quantizer.values["overlap@10"]
    assert quantizer.values["error@10"] >= 0


@pytest.mark.parametrize("truth", ["l2", "cosine", "chi-square", "gaussian", "radius:50", "labels"])
def test_every_truth(files: Path, truth: str) -> None:
    experiment = Experiment(
        base=f"{files}/data.npz",
        queries=f"{files}/data.npz::queries",
        labels=f"{files}/data.npz::names",
        query_labels=f"{files}/data.npz::asked",
        methods=("lsh:bits=64",),
        truth=truth,
    ).changed(labels=f"{files}/data.npz::labels")
    (one,) = bench(experiment).results
    assert one.values["map"] > 0.5


def ann_benchmark(file: Path, distance: str, rng: np.random.Generator) -> np.ndarray:
    """Write a file as ann-benchmarks lays it out, of vectors of uneven lengths; return its neighbours by angle."""
    import h5py

    x = rng.standard_normal((700, 16)).astype(np.float32) * rng.uniform(0.1, 10, (700, 1)).astype(np.float32)
    train, test = x[:660], x[660:]
    unit = [table / np.linalg.norm(table, axis=1, keepdims=True) for table in (train, test)]
    far = 1 - unit[1] @ unit[0].T
    neighbours = np.argsort(far, axis=1)[:, :100]
    with h5py.File(file, "w") as made:
        made.attrs["distance"] = distance
        made["train"], made["test"], made["neighbors"] = train, test, neighbours.astype(np.int32)
        made["distances"] = np.take_along_axis(far, neighbours, 1)
    return neighbours


def test_a_file_of_ann_benchmarks_is_measured_by_its_own_distance(files: Path) -> None:
    import h5py

    whole = files / "angular.hdf5"
    ann_benchmark(whole, "angular", np.random.default_rng(1))
    found = bench(Experiment(base=str(whole), methods=METHODS, query_count=30))
    assert (found.data.truth, found.data.queries) == ("cosine", 30)
    with h5py.File(whole, "r") as made:
        directions = {name: made[name][()] for name in ("train", "test")}
    np.savez(files / "unit.npz", **{
        name: one / np.linalg.norm(one, axis=1, keepdims=True) for name, one in directions.items()
    })  # fmt: skip
    asked = Experiment(base=f"{files}/unit.npz::train", queries=f"{files}/unit.npz::test", methods=METHODS)
    of_directions = bench(asked.changed(truth="cosine", query_count=30))
    for one, other in zip(found.results, of_directions.results, strict=True):
        assert by_count(one.values, "recall@") == pytest.approx(by_count(other.values, "recall@"))
        assert one.values["overlap@10"] == pytest.approx(other.values["overlap@10"])
        assert one.values["map"] == pytest.approx(other.values["map"])
    assert bench(Experiment(base=str(whole), methods=METHODS, truth="l2")).data.truth == "l2"


@pytest.mark.parametrize("distance", ["euclidean", "angular"])
def test_neighbours_that_are_not_the_nearest_are_refused(files: Path, distance: str) -> None:
    import h5py

    whole = files / "x.hdf5"
    ann_benchmark(whole, distance, np.random.default_rng(1))
    asked = Experiment(base=str(whole), methods=METHODS)
    if distance == "angular":
        with h5py.File(whole, "a") as made:
            made["neighbors"][:, 0] = 0
    with pytest.raises(TwinlensError, match="are not the nearest by"):
        bench(asked)
    assert bench(asked.changed(truth="cosine" if distance == "euclidean" else "l2")).results
    with h5py.File(whole, "a") as made:
        made["neighbors"][3, 3] = 660
    with pytest.raises(TwinlensError, match="beyond its 660 rows"):
        bench(asked)


@pytest.mark.parametrize(("distance", "way"), [("dot", "cosine"), ("hamming", "--codes"), ("jaccard", "truth")])
def test_a_distance_that_is_not_measured_is_refused_in_a_sentence(files: Path, distance: str, way: str) -> None:
    whole = files / "x.hdf5"
    ann_benchmark(whole, distance, np.random.default_rng(1))
    with pytest.raises(TwinlensError, match=f"ranks by “{distance}”") as refused:
        bench(Experiment(base=str(whole), methods=METHODS))
    assert way in str(refused.value.next_step)
    assert bench(Experiment(base=str(whole), methods=METHODS, truth="cosine")).data.truth == "cosine"


def test_words_name_the_same_class_of_base_and_queries(files: Path) -> None:
    rng = np.random.default_rng(5)
    classes = rng.integers(0, 3, 120)
    x = 10 * np.eye(3, 8)[classes] + rng.standard_normal((120, 8))
    words = np.array(["cat", "dog", "owl"])[classes]
    asked = classes[:40] > 0  # the first class does not ask
    np.savez(files / "words.npz", base=x[40:], queries=x[:40][asked], labels=words[40:], asked=words[:40][asked])
    (one,) = bench(
        Experiment(
            base=f"{files}/words.npz::base", queries=f"{files}/words.npz::queries", truth="labels",
            labels=f"{files}/words.npz::labels", query_labels=f"{files}/words.npz::asked", methods=("itq:bits=4",),
        )
    ).results  # fmt: skip
    assert one.values["accuracy"] == 1.0
    assert one.values["map"] > 0.8


@pytest.mark.parametrize("copies", [10, 200])
def test_equals_that_a_file_does_not_bring_are_as_right(files: Path, copies: int) -> None:
    import h5py

    rng = np.random.default_rng(3)
    train, test = np.repeat(rng.standard_normal((10, 8)), copies, axis=0), rng.standard_normal((40, 8))
    far = ((test[:, None] - train) ** 2).sum(axis=2)
    with h5py.File(files / "copies.hdf5", "w") as made:
        made.attrs["distance"] = "euclidean"
        made["train"], made["test"] = train, test
        made["neighbors"] = np.argsort(far, axis=1, kind="stable")[:, :100]
    brought = Experiment(base=str(files / "copies.hdf5"), methods=("lsh:bits=16",))
    of_arrays = Experiment(base=f"{brought.base}::train", queries=f"{brought.base}::test", methods=brought.methods)
    one, other = (bench(asked.changed(truth="l2"), curves=True).results[0] for asked in (brought, of_arrays))
    assert by_count(one.values, "recall@") == by_count(other.values, "recall@")
    assert one.values["map"] == other.values["map"]


def test_few_vectors_with_too_many_neighbours_are_measured(files: Path) -> None:
    import h5py

    train = np.eye(5, 8)
    with h5py.File(files / "few.hdf5", "w") as made:
        made.attrs["distance"] = "euclidean"
        made["train"], made["test"] = train, train + 0.1
        made["neighbors"] = np.tile(np.arange(5), (5, 20))
    (one,) = bench(Experiment(base=str(files / "few.hdf5"), methods=("lsh:bits=64",))).results
    assert one.of == 5


def test_what_has_no_direction_is_left_out_where_angles_count(files: Path) -> None:
    rng = np.random.default_rng(4)
    base, queries = rng.standard_normal((300, 8)), rng.standard_normal((30, 8))
    np.savez(files / "whole.npz", base=base, queries=queries)
    some = np.insert(base, [0, 150], 0, axis=0)
    np.savez(files / "zeros.npz", base=some, queries=np.vstack([queries, np.zeros((1, 8))]))
    found = [
        bench(
            Experiment(
                base=f"{files}/{name}.npz::base", queries=f"{files}/{name}.npz::queries", methods=("lsh:bits=16",),
                truth="cosine",
            )
        )
        for name in ("whole", "zeros")
    ]  # fmt: skip
    assert [(one.data.n, one.data.queries, one.data.left_out) for one in found] == [(300, 30, 0), (300, 30, 3)]
    assert by_count(found[0].results[0].values, "recall@") == by_count(found[1].results[0].values, "recall@")


def test_what_is_equally_near_is_equally_right(files: Path) -> None:
    few = np.random.default_rng(0).standard_normal((60, 16)).astype(np.float32)
    np.save(files / "ten_of_each.npy", np.repeat(few, 10, axis=0))
    for one in bench(Experiment(base=f"{files}/ten_of_each.npy", methods=("lsh:bits=128",))).results:
        assert one.values["recall@1"] == one.values["overlap@10"] == 1.0


def test_what_cannot_be_measured_is_a_row(files: Path) -> None:
    methods = ("lsh:bits=16", "itq:bits=64", "itq:bits=8", "faiss:Nonsense")
    result = bench(Experiment(base=f"{files}/data.npz", methods=methods, search=("scan", "buckets")))
    rows = {one.method: one for one in result.results if one.search == "scan"}
    assert [one.method for one in result.results] == [method for method in methods for _ in range(2)]
    assert [bool(rows[method].refused) for method in methods] == [False, True, False, True]
    assert "at most as many bits" in str(rows["itq:bits=64"].refused)
    assert rows["itq:bits=8"].values["recall@10"] > 0
    with pytest.raises(TwinlensError, match="at most as many bits"):
        bench(Experiment(base=f"{files}/data.npz", methods=("itq:bits=64",)))


def test_a_stopped_bench_goes_on(files: Path) -> None:
    experiment = Experiment(base=f"{files}/data.npz", methods=("lsh:bits=16", "lsh:bits=32"))

    def stopped(_spent: float, _total: float, text: Message = NOTHING) -> None:
        if "lsh:bits=32" in str(text):
            raise Cancelled

    with pytest.raises(Cancelled):
        bench(experiment, stopped)
    steps: list[str] = []

    def noted(_spent: float, _total: float, text: Message = NOTHING) -> None:
        steps.append(str(text))

    bench(experiment, noted)
    assert not any("lsh:bits=16" in one for one in steps)
    assert any("lsh:bits=32" in one for one in steps)


BROKEN = """
from twinlens.core.methods.lsh import Lsh

class Broken(Lsh):
    \"\"\"Fails when it learns.\"\"\"
    key = "broken"
    title = "Broken"

    def fit(self, *_arguments, **_named):
        raise TypeError("no such thing")
"""


def test_a_fault_of_a_package_is_said_to_be_its_own(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(files, "package_broken", BROKEN, {"twinlens.method": {"broken": "package_broken:Broken"}})
    monkeypatch.syspath_prepend(str(files))
    vars(METHODS_OF_ALL).pop("_installed", None)
    try:
        broken, ours = bench(Experiment(base=f"{files}/data.npz", methods=("broken", "lsh:bits=16"))).results
    finally:
        vars(METHODS_OF_ALL).pop("_installed", None)
    assert "The package package-broken failed (TypeError: no such thing)" in str(broken.refused)
    assert ours.values["recall@10"] > 0


@pytest.mark.parametrize("method", ["sik:bits=512", "sik:bits=512,kernel=laplacian"])
def test_a_method_with_a_kernel_is_judged_by_it(files: Path, method: str) -> None:
    result = bench(Experiment(base=f"{files}/data.npz", queries=f"{files}/data.npz::queries", methods=(method,)))
    assert result.data.truth == ("laplacian" if "laplacian" in method else "gaussian")
    assert result.results[0].values["overlap@100"] > 0.5
    assert "was found from the data" in str(result.results[0].note)


def test_an_experiment_is_written_and_read(files: Path) -> None:
    made = Experiment(base="data.npz", labels="data.npz::labels", methods=METHODS, seeds=(3, 4), truth="chi-square")
    (files / "own.toml").write_text(made.to_toml(), "utf-8")
    read = read_experiment(files / "own.toml")
    assert read == made.changed(base=f"{files}/data.npz", labels=f"{files}/data.npz::labels")
    assert bench(read).results[0].seeds == [3, 4]
    for text, words in (
        ("base = 3", "does not name its base"),
        ('base = "x"\nmethod = []', "unknown name “method”"),
        ('base = "x"\nseeds = 3', "seeds must be a list"),
        ("base = ", "is not an experiment"),
    ):
        (files / "own.toml").write_text(text, "utf-8")
        with pytest.raises(TwinlensError, match=words):
            read_experiment(files / "own.toml")
    with pytest.raises(TwinlensError, match="no file"):
        read_experiment(files / "missing.toml")


def test_wrong_use_is_a_sentence(files: Path) -> None:
    base = f"{files}/data.npz"
    spoilt = np.ones((50, 4))
    spoilt[7, 2] = np.nan
    np.save(files / "nan.npy", spoilt)
    spoilt[7, 2] = -1
    np.save(files / "negative.npy", spoilt)
    for experiment, words in (
        (Experiment(base=base, seeds=()), "No seeds are named"),
        (Experiment(base=base, methods=("itq:bits=13",)), "here 12, not 13"),
        (Experiment(base=base, methods=("nothing",)), "no “nothing”"),
        (Experiment(base=base, truth="labels"), "needs labels"),
        (Experiment(base=base, truth="colour"), "Unknown truth “colour”"),
        (Experiment(base=base, truth="radius:many"), "Unknown truth “radius:many”"),
        (Experiment(base=base, truth="gaussian:gamma=no"), "gamma must be"),
        (Experiment(base=base, truth="radius:0"), "from 1 to 100"),
        (Experiment(base=base, truth="radius:101"), "from 1 to 100"),
        (Experiment(base=base, labels=f"{base}::asked"), "30 labels for 400"),
        (Experiment(base=base, queries=str(files / "negative.npy")), "4 dimensions"),
        (Experiment(base=str(files / "nan.npy")), "Row 7"),
        (Experiment(base=str(files / "negative.npy"), truth="chi-square"), "negative.npy: .*row 7"),
        (Experiment(base=str(files / "negative.npy"), methods=("klsh:kernel=chi-square",), truth="l2"), "row 7"),
        (Experiment(base=base, methods=("lsh",), metric="nothing"), "no “nothing”"),
        (Experiment(base=base, methods=("lsh",), truth="metric"), "needs a metric"),
        (Experiment(base=f"{base}::labels"), "not a table of vectors"),
    ):
        with pytest.raises(TwinlensError, match=words):
            bench(experiment)


def test_methods_stand_behind_a_metric(files: Path) -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 4, 600)
    x = np.concatenate([5 * rng.standard_normal((600, 6)), rng.standard_normal((600, 2)) * 0.1], axis=1)
    x[:, 6:] += np.array([[0, 0], [0, 1], [1, 0], [1, 1]])[labels]
    np.savez(files / "loud.npz", base=x, labels=labels)
    np.save(files / "quiet.npy", np.diag([0.01] * 6 + [1.0] * 2))
    experiment = Experiment(
        base=f"{files}/loud.npz", labels=f"{files}/loud.npz::labels", methods=("lsh:bits=64", "klsh:bits=64,rank=8"),
        metric=str(files / "quiet.npy"), seeds=(0, 1), k=5,
    )  # fmt: skip
    result = bench(experiment)
    assert (result.data.metric, result.data.truth) == (str(files / "quiet.npy"), "metric")
    for one in result.results:
        assert one.values["accuracy"] > 0.95
        assert one.values["accuracy_before"] < 0.7
        assert "accuracy_before" in one.spread
    plain = bench(experiment.changed(metric="", methods=("lsh:bits=64",))).results[0]
    assert "accuracy_before" not in plain.values
    assert plain.values["accuracy"] == pytest.approx(result.results[0].values["accuracy_before"])
    # The same, with G applied beforehand.
    np.savez(files / "applied.npz", base=(x * np.array([0.01] * 6 + [1.0] * 2)).astype(np.float32), labels=labels)
    applied = bench(
        experiment.changed(
            base=f"{files}/applied.npz", labels=f"{files}/applied.npz::labels", metric="", methods=("lsh:bits=64",)
        )
    ).results[0]
    assert applied.values["accuracy"] == pytest.approx(result.results[0].values["accuracy"], abs=0.02)
    assert applied.values["recall@10"] == pytest.approx(result.results[0].values["recall@10"], abs=0.05)
    whitened = bench(experiment.changed(metric="whitening", methods=("lsh:bits=64",), truth="labels"))
    assert "map" in whitened.results[0].values
    (files / "own.toml").write_text(experiment.changed(base="loud.npz", labels="", metric="quiet.npy").to_toml())
    assert read_experiment(files / "own.toml").metric == str(files / "quiet.npy")


def test_a_metric_is_learned_from_pairs_of_a_file_or_of_the_labels(files: Path) -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 4, 500)
    x = np.concatenate([2 * rng.standard_normal((500, 6)), rng.standard_normal((500, 2)) * 0.1], axis=1)
    x[:, 6:] += 2 * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])[labels]
    np.savez(files / "loud.npz", base=x, labels=labels)
    experiment = Experiment(
        base=f"{files}/loud.npz",
        labels=f"{files}/loud.npz::labels",
        methods=("lsh:bits=128",),
        k=5,
        metric="itml:slack=10",
        marks=(200,),
    )
    learned = bench(experiment).results[0]
    assert learned.values["accuracy"] > learned.values["accuracy_before"] + 0.1
    rows = rng.integers(0, 500, (200, 2))
    rows = rows[rows[:, 0] != rows[:, 1]]
    similar = labels[rows[:, 0]] == labels[rows[:, 1]]
    np.save(files / "pairs.npy", np.column_stack([rows, similar]))
    lines = [f"{i},{j},{'similar' if alike else 'different'}" for (i, j), alike in zip(rows, similar, strict=True)]
    (files / "pairs.csv").write_text("\n".join(["first,second,judgement", *lines]))
    by_file = [bench(experiment.changed(marks=(), pairs=f"{files}/{name}")) for name in ("pairs.npy", "pairs.csv")]
    assert by_file[0].results[0].values["accuracy"] == by_file[1].results[0].values["accuracy"]
    (files / "own.toml").write_text(experiment.changed(base="loud.npz", labels="", pairs="pairs.npy").to_toml())
    assert read_experiment(files / "own.toml").pairs == str(files / "pairs.npy")
    (files / "wrong.csv").write_text("first,second,judgement\na.jpg,2,similar\n")
    np.save(files / "far.npy", np.array([[0, 500, 1]]))
    np.save(files / "equal.npy", np.zeros(500, np.int64))
    for values, words in (
        ({"marks": (), "labels": ""}, "none are given"),
        ({"pairs": f"{files}/wrong.csv"}, "does not name two rows"),
        ({"pairs": f"{files}/far.npy"}, "are not among"),
        ({"pairs": f"{files}/equal.npy"}, "three columns"),
        ({"labels": f"{files}/equal.npy"}, "do not give 200 pairs"),
    ):
        with pytest.raises(TwinlensError, match=words):
            bench(experiment.changed(**values))


def test_sparse_vectors_are_taken_by_lsh(files: Path) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    middles = sparse.random(6, 50_000, 4e-4, random_state=1, format="csr")
    table = sparse.csr_array(
        sparse.vstack(
            [middles[[number % 6]] + 0.3 * sparse.random(1, 50_000, 1e-4, random_state=number) for number in range(300)]
        )
    )
    sparse.save_npz(files / "x.npz", table)
    sparse.save_npz(files / "q.npz", table[:20])
    np.save(files / "labels.npy", np.arange(300) % 6)
    for truth in ("", "cosine", "radius:20", "labels"):
        result = bench(
            Experiment(
                base=f"{files}/x.npz",
                labels=f"{files}/labels.npy",
                methods=("lsh:bits=128",),
                truth=truth,
                query_count=10,
                map_protocol="candidates",
            )
        )
        (one,) = result.results
        assert (result.data.n, result.data.d, result.data.truth) == (300, 50_000, truth or "l2")
        assert one.values["accuracy"] == 1.0
        assert one.values["overlap@10"] == 1.0
        assert one.values["map"] > (0.9 if truth == "labels" else 0.4)
        assert one.values["map_candidates"] is not None
    dense = table[:, np.unique(table.indices)].toarray()
    np.save(files / "dense.npy", dense)
    for truth in ("l2", "cosine"):
        asked = Experiment(base=f"{files}/x.npz", queries=f"{files}/q.npz", methods=("lsh:bits=128",), truth=truth)
        first = bench(asked).results[0]
        again = bench(asked.changed(base=f"{files}/dense.npy", queries="", query_count=20)).results[0]
        assert abs(first.values["recall@100"] - again.values["recall@100"]) < 0.2
    items, weights = table[:3], np.diag([2.0, 0.5, 1.0])
    parts = {"S": weights, "data": items.data, "indices": items.indices, "indptr": items.indptr, "shape": items.shape}
    np.savez(files / "sparse.npz", **parts)
    np.savez(files / "dense.npz", S=weights, items=items.toarray())
    asked = Experiment(base=f"{files}/x.npz", methods=("lsh:bits=64",), query_count=10)
    behind = [bench(asked.changed(metric=f"{files}/{name}.npz")) for name in ("sparse", "dense")]
    assert behind[0].data.truth == "metric"
    assert by_count(behind[0].results[0].values, "recall@") == by_count(behind[1].results[0].values, "recall@")
    assert by_count(behind[0].results[0].values, "recall@") != by_count(bench(asked).results[0].values, "recall@")
    for experiment, words in (
        (Experiment(base=f"{files}/x.npz", methods=("itq:bits=4",)), "itq does not take sparse vectors"),
        (Experiment(base=f"{files}/x.npz", methods=("lsh",), truth="chi-square"), "cannot be measured by"),
        (Experiment(base=f"{files}/x.npz", methods=("lsh",), metric="whitening"), "S and items"),
        (Experiment(base=f"{files}/x.npz", queries=f"{files}/data.npz::queries"), "one of base and queries is sparse"),
        (Experiment(base=f"{files}/data.npz", labels=f"{files}/x.npz"), "not a row of labels"),
    ):
        with pytest.raises(TwinlensError, match=words):
            bench(experiment)


def test_the_norm_filter_drops_candidates_and_says_how_many(files: Path) -> None:
    found = [
        bench(
            Experiment(
                base=f"{files}/data.npz", methods=(f"klsh:bits=32,kernel=chi-square,rank=3,norm_filter={least}",),
                map_protocol="candidates",
            )
        ).results[0]
        for least in ("none", "0.5", "0.9", "0.999")
    ]  # fmt: skip
    dropped = [one.values["dropped"] for one in found]
    assert dropped[0] == 0
    assert dropped == sorted(dropped)
    assert 0 < dropped[-1] <= 400
    assert found[-1].values["recall@100"] < found[0].values["recall@100"]
    assert found[-1].precision_at[-1][1] < found[0].precision_at[-1][1]  # what is dropped is never reached
    assert found[-1].values["looked_at"] <= 400 - dropped[-1]
    assert found[-1].values["map"] < found[0].values["map"]


def test_curves_are_there_where_they_are_asked_for(files: Path) -> None:
    experiment = Experiment(
        base=f"{files}/data.npz",
        methods=("klsh:bits=16,kernel=chi-square,landmarks=50,rank=5", "lsh:bits=16"),
        seeds=(3, 4),
    )
    assert bench(experiment).curves == []
    curves = bench(experiment, curves=True).curves
    told = {(one.method.split(":")[0], one.seed, one.curve): one.points for one in curves}
    plain = {"recall", "precision", "recall_at"}
    assert {name for method, _, name in told if method == "lsh"} == plain
    assert {name for method, _, name in told if method == "klsh"} == plain | {"eigenvalue", "residual", "estimation"}
    assert {seed for _, seed, _ in told} == {None, 3, 4}
    values = np.array(told["klsh", 3, "eigenvalue"])
    residual = np.array(told["klsh", 3, "residual"])
    assert len(values) > 40  # all that the landmarks show, whatever rank is kept
    assert values[:, 0].tolist() == list(range(1, len(values) + 1))
    np.testing.assert_allclose(residual[:, 1] + np.cumsum(values[:, 1]), values[:, 1].sum(), atol=1e-9)
    mean = np.array(told["klsh", None, "recall"])
    np.testing.assert_allclose(mean, (np.array(told["klsh", 3, "recall"]) + told["klsh", 4, "recall"]) / 2)
    rows = list(curve_rows(curves))
    assert len(rows) == sum(len(one.points) for one in curves)
    assert {row[1] for row in rows} == {"mean", "3", "4"}


def test_ann_benchmarks_test_is_asked(files: Path) -> None:
    import h5py

    rng = np.random.default_rng(0)
    train, test = rng.standard_normal((300, 8)).astype("f4"), rng.standard_normal((17, 8)).astype("f4")
    with h5py.File(files / "ann.hdf5", "w") as file:
        file["train"], file["test"] = train, test
        file["neighbors"], file["distances"] = np.zeros((17, 5), "i4"), np.zeros((17, 5), "f4")
    result = bench(Experiment(base=str(files / "ann.hdf5"), methods=("lsh:bits=8",)))
    assert (result.data.n, result.data.queries) == (300, 17)
    asked = bench(
        Experiment(base=f"{files / 'ann.hdf5'}::train", queries=f"{files / 'ann.hdf5'}::test", methods=("lsh:bits=8",))
    )
    assert by_count(asked.results[0].values, "recall@") == by_count(result.results[0].values, "recall@")
    drawn = bench(Experiment(base=f"{files / 'ann.hdf5'}::train", methods=("lsh:bits=8",)))
    assert drawn.data.queries == 100


def test_the_base_may_ask_itself(files: Path) -> None:
    rng = np.random.default_rng(0)
    np.save(files / "x.npy", rng.standard_normal((80, 6)).astype(np.float32))
    np.save(files / "labels.npy", np.arange(80))
    asked = Experiment(
        base=f"{files}/x.npy",
        queries=f"{files}/../{files.name}/x.npy",
        labels=f"{files}/labels.npy",
        methods=("lsh:bits=16",),
    )
    whole = bench(asked)
    assert whole.data.queries == 80
    assert whole.results[0].values["accuracy"] == 0.0  # of itself alone it would have the label
    assert by_count(whole.results[0].values, "recall@") == by_count(
        bench(asked.changed(queries="", query_count=80)).results[0].values, "recall@"
    )
    assert bench(asked.changed(query_count=20)).data.queries == 20


def test_rows_without_anything_are_left_out_under_histogram_kernels(files: Path) -> None:
    with np.load(files / "data.npz") as arrays:
        base, labels = arrays["base"].copy(), arrays["labels"]
    base[[3, 40, 41]] = 0
    np.savez(files / "zeros.npz", base=base, labels=labels)
    whole = Experiment(base=f"{files}/zeros.npz", labels=f"{files}/zeros.npz::labels", query_count=400, k=3)
    result = bench(whole.changed(methods=("klsh:bits=32,kernel=chi-square",)))
    assert (result.data.n, result.data.queries, result.data.left_out) == (397, 397, 6)
    assert result.results[0].values["accuracy"] == pytest.approx(1.0, abs=0.05)
    kept = np.delete(np.arange(400), [3, 40, 41])
    np.savez(files / "without.npz", base=base[kept], labels=labels[kept])
    again = bench(whole.changed(base=f"{files}/without.npz", labels=f"{files}/without.npz::labels",
                                methods=("klsh:bits=32,kernel=chi-square",)))  # fmt: skip
    assert by_count(again.results[0].values, "recall@") == by_count(result.results[0].values, "recall@")
    assert bench(whole.changed(methods=("lsh:bits=8",))).data.left_out == 0


def test_it_can_be_cancelled(files: Path) -> None:
    def stop(done: float, total: float, text: object) -> None:
        if total and done / total > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        bench(Experiment(base=f"{files}/data.npz"), stop)


def test_searches_are_compared_on_the_same_codes(files: Path) -> None:
    searches = (
        "scan:candidates=40",
        "scan:candidates=40,asymmetric=true",
        "buckets:candidates=40,key_bits=8,neighbours=1",
        "exact",
    )
    asked = Experiment(base=f"{files}/data.npz", methods=("lsh:bits=32",), search=searches, query_count=30)
    result = bench(asked.changed(neighbours=10))
    assert [one.search for one in result.results] == list(searches)
    assert len({tuple(by_count(one.values, "recall@").items()) for one in result.results}) == 1
    scan, finer, buckets, exact = result.results
    assert scan.values["looked_at"] == pytest.approx(40, abs=1)
    assert finer.values["looked_at"] == pytest.approx(40, abs=1)
    assert finer.values["overlap@10"] >= scan.values["overlap@10"]
    assert buckets.values["probed"] > 0
    assert buckets.values["bytes search"] > 0
    assert buckets.values["scanned"] < scan.values["scanned"]
    assert exact.values["overlap@10"] == 1.0


def test_a_bound_spares_more_where_fewer_are_asked_for(files: Path) -> None:
    whole = Experiment(base=f"{files}/data.npz", methods=("lsh:bits=8",), search=("exact",), truth="polynomial:a=1,p=3")
    looked_at = [bench(whole.changed(neighbours=count)).results[0].values["looked_at"] for count in (1, 100)]
    assert looked_at[0] < 0.95 * looked_at[1]
    few = bench(whole.changed(neighbours=20)).results[0]
    assert by_count(few.values, "overlap@") == {"10": 1.0}
    with pytest.raises(TwinlensError, match="neighbours must be"):
        bench(whole.changed(neighbours=0))


def classes(n: int = 300, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Make histograms of 4 classes that differ in few small bins, while the large ones differ in all items."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 4, n)
    x = rng.gamma(1.0, 1.0, size=(n, 24))
    x[:, :8] = rng.gamma(0.5, 0.05, size=(n, 8))
    x[np.arange(n), 2 * labels] += 0.35
    x[np.arange(n), 2 * labels + 1] += 0.35
    return (x / x.sum(axis=1, keepdims=True)).astype(np.float32), labels


def test_a_metric_is_learned_of_the_kernel_of_the_method(tmp_path: Path) -> None:
    x, labels = classes()
    np.savez(tmp_path / "h.npz", base=x, labels=labels)
    experiment = Experiment(
        base=f"{tmp_path}/h.npz", labels=f"{tmp_path}/h.npz::labels", metric="itml:slack=10", marks=(80,), k=3,
        methods=("klsh:bits=128,kernel=chi-square,landmarks=80", "lsh:bits=128"), search=("scan:candidates=60",),
        query_count=30, neighbours=10,
    )  # fmt: skip
    learned = bench(experiment)
    assert learned.data.truth == "metric"
    for one in learned.results:
        assert one.values["accuracy"] > one.values["accuracy_before"] + 0.1
        assert one.values["overlap@10"] > 0.75
    of_pairs = bench(experiment.changed(metric="itml:slack=10,ranking=kernel", methods=experiment.methods[:1])).results[
        0
    ]
    assert of_pairs.values["accuracy"] > 0.8
    with pytest.raises(TwinlensError, match="cannot start from prior=covariance"):
        bench(experiment.changed(metric="itml:prior=covariance"))


def test_a_metric_is_learned_of_sparse_vectors(tmp_path: Path) -> None:
    x, labels = classes()
    places = np.sort(np.random.default_rng(1).choice(2_000_000, 24, replace=False))
    rows, columns = np.nonzero(x)
    wide = csr_array((np.sqrt(x[rows, columns]), (rows, places[columns])), shape=(len(x), 2_000_000))
    save_npz(tmp_path / "x.npz", wide)
    np.save(tmp_path / "labels.npy", labels)
    pairs = np.random.default_rng(2).integers(0, len(x), (100, 2))
    np.save(tmp_path / "pairs.npy", np.column_stack([pairs, labels[pairs[:, 0]] == labels[pairs[:, 1]]]))
    experiment = Experiment(
        base=f"{tmp_path}/x.npz",
        labels=f"{tmp_path}/labels.npy",
        metric="itml:slack=10",
        pairs=f"{tmp_path}/pairs.npy",
        k=3,
        methods=("lsh:bits=128",),
        query_count=30,
        neighbours=10,
        search=("permuted:epsilon=2.0",),
    )
    one = bench(experiment).results[0]
    assert one.values["accuracy"] > one.values["accuracy_before"] + 0.1
    assert one.values["looked_at"] < 0.3 * len(x)
    by_kernel = bench(experiment.changed(metric="itml:slack=10,ranking=kernel")).results[0]
    assert by_kernel.values["accuracy"] > one.values["accuracy_before"] + 0.05
    with pytest.raises(TwinlensError, match="none are given"):
        bench(experiment.changed(pairs="", labels="", k=1))
    with pytest.raises(TwinlensError, match="cannot start from prior=covariance"):
        bench(experiment.changed(metric="itml:prior=covariance"))


def step(key: str) -> MeasuredStep:
    figures = Figures(
        {"recall@1": 0.25, "recall@10": 1.0, "overlap@3": 0.5, "seconds search": 0.125, "bytes codes": 32}
    )
    return MeasuredStep(key, figures, DataFacts("base", 10, 4, 2, "l2"), 0.5, "digest", 1.5, {"vectors": "v"})


def test_a_step_comes_back_as_it_was(tmp_path: Path) -> None:
    steps = CachedSteps(tmp_path / "new" / "steps.jsonl")
    assert steps.kept(["a"]) == {}
    steps.keep(step("a"))
    again = CachedSteps(tmp_path / "new" / "steps.jsonl").kept(["a", "b"])
    assert list(again) == ["a"]
    assert (again["a"].figures, again["a"].facts, again["a"].seconds) == (step("a").figures, step("a").facts, 1.5)
    assert again["a"].versions["twinlens"]


def test_a_line_that_was_cut_off_costs_one_step(tmp_path: Path) -> None:
    file = tmp_path / "steps.jsonl"
    steps = CachedSteps(file)
    for key in ("a", "b"):
        steps.keep(step(key))
    file.write_bytes(file.read_bytes()[:-20])
    CachedSteps(file).keep(step("c"))
    assert list(CachedSteps(file).kept(["a", "b", "c"])) == ["a", "c"]


def test_a_step_that_cannot_be_read_is_measured_again(tmp_path: Path) -> None:
    file = tmp_path / "steps.jsonl"
    steps = CachedSteps(file)
    for key in ("a", "b"):
        steps.keep(step(key))
    first, *rest = file.read_text().splitlines()[1::2]
    file.write_text("\n".join([first.replace("recall", "of another version"), *rest]))
    assert list(CachedSteps(file).kept(["a", "b"])) == ["b"]


def test_a_full_file_forgets_its_older_half(tmp_path: Path) -> None:
    file = tmp_path / "steps.jsonl"
    steps = CachedSteps(file)
    names = [f"step {number}" for number in range(20)]
    for name in names:
        steps.keep(step(name))
    found = CachedSteps(file, most_bytes=file.stat().st_size // 2).kept(names)
    assert set(found) == set(names[10:])
    assert set(CachedSteps(file).kept(names)) == set(names[10:]), "on disk, too"


def test_a_disk_that_refuses_loses_nothing_of_the_session(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, where a folder is wanted")
    steps = CachedSteps(tmp_path / "taken" / "steps.jsonl")
    steps.keep(step("a"))
    assert list(steps.kept(["a"])) == ["a"]
