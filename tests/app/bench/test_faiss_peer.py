"""Indexes of faiss are measured as candidates beside hash methods, where faiss is installed."""

from __future__ import annotations

from importlib import util
from pathlib import Path

import numpy as np
import pytest

from app.bench.bench import bench, candidate_of
from app.bench.experiment import Experiment
from app.bench.faiss_peer import FaissPeer
from app.lab.experiments.run_sheet import make_index
from app.lab.experiments.runner import run_experiment
from app.lab.figures.run_figures import figures
from core.errors import Cancelled, TwinlensError
from tests.app.lab.making import new_library

needs_faiss = pytest.mark.skipif(util.find_spec("faiss") is None, reason="faiss is not installed")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    x = np.random.default_rng(1).normal(size=(600, 16)).astype(np.float32)
    np.save(tmp_path / "base.npy", x)
    return tmp_path / "base.npy"


@needs_faiss
def test_an_exact_index_finds_everything_and_a_graph_compares_few(base: Path) -> None:
    asked = Experiment(
        str(base), methods=("lsh:bits=64", "faiss:Flat", "faiss:HNSW8@efSearch=120", "faiss:IVF8,Flat@nprobe=8"),
        search=("scan:candidates=100", "scan:candidates=200"), seeds=(0, 1), truth="l2",
    )  # fmt: skip
    rows = bench(asked).results
    assert [one.method for one in rows] == [method for method in asked.methods for _ in asked.search]
    lsh, flat, graph, lists = rows[::2]
    for one in (flat, lists):
        assert one.recall == {"1": 1.0, "10": 1.0, "100": 1.0}
        assert one.overlap == {"10": 1.0, "100": 1.0}
        assert (one.looked_at, one.seeds, one.deviation) == (100, [0], {})
    assert flat.bytes.codes == 600 * 16 * 4
    assert flat.bits == 16 * 32
    assert rows[3].looked_at == 200
    assert graph.overlap["10"] > 0.9
    assert graph.scanned < flat.scanned == 600
    assert lsh.recall["10"] < 1
    assert lists.scanned == pytest.approx(600 + 8, abs=10), "the lists, and their centres"
    assert flat.seconds.search > 0


@needs_faiss
def test_product_quantisation_ranks_as_its_own_distances_do(base: Path) -> None:
    (one,) = bench(Experiment(str(base), methods=("faiss:PQ8x4np",), search=("scan:candidates=100",))).results
    assert 0.2 < one.recall["1"] < 1
    assert one.bytes.codes == 600 * 4
    assert one.overlap["10"] > one.recall["1"]


@needs_faiss
def test_cosine_and_metrics_are_seen_by_faiss(base: Path) -> None:
    whole = Experiment(str(base), methods=("faiss:Flat",), search=("scan:candidates=100",))
    for changed in ({"truth": "cosine"}, {"metric": "whitening"}):
        assert bench(whole.changed(**changed)).results[0].recall["1"] == 1.0


@needs_faiss
def test_the_lab_measures_it_keeps_it_and_makes_no_index_of_it(tmp_path: Path) -> None:
    with new_library(tmp_path) as library:
        plan = Experiment(index="Learned", methods=("lsh:bits=16", "lsh:bits=32", "faiss:LSHrt"), search=("scan",))
        found = run_experiment(library, plan, "peers")
        assert [row.measured.method for row in found.rows] == list(plan.methods)
        assert [row.is_peer for row in found.rows] == [False, False, True]
        assert run_experiment(library, plan, "peers") == found
        assert figures([found]), "peers are drawn beside methods"
        with pytest.raises(TwinlensError, match="cannot be an index"):
            make_index(library, "peers", "3")


@needs_faiss
@pytest.mark.parametrize(
    ("factory", "words"), [("nonsense", "could not parse"), ("PQ7", "multiple"), ("Flat@a=1", "a")]
)
def test_what_faiss_refuses_is_a_sentence(base: Path, factory: str, words: str) -> None:
    with pytest.raises(TwinlensError, match=f"faiss cannot make .*{words}"):
        bench(Experiment(str(base), methods=(f"faiss:{factory}",)))


@needs_faiss
def test_it_can_be_cancelled(base: Path) -> None:
    def stop(done: float, total: float, text: object) -> None:
        if "Measuring faiss" in str(text):
            raise Cancelled

    with pytest.raises(Cancelled):
        bench(Experiment(str(base), methods=("faiss:Flat",)), stop)


def test_without_faiss_a_sentence_says_so(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(util, "find_spec", lambda _: None)
    with pytest.raises(TwinlensError, match="faiss is not installed here") as wrong:
        bench(Experiment(str(base), methods=("faiss:PQ8",)))
    assert "pip install faiss-cpu" in str(wrong.value.advice)


def test_its_text_names_it() -> None:
    for text in ("faiss:OPQ16,PQ16", "faiss:IVF64,PQ16@nprobe=8"):
        assert candidate_of(text).text() == text
    assert candidate_of("faiss: PQ8 ") == FaissPeer("PQ8")
    with pytest.raises(TwinlensError, match="names no index"):
        candidate_of("faiss:")
