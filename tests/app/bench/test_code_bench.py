"""Search structures on packed codes, and indexes of faiss, are measured as candidates beside hash methods."""

from __future__ import annotations

import threading
from importlib import util
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.app.lab.making import new_library
from twinlens.app.bench import code_bench
from twinlens.app.bench.bench import bench, candidate_of
from twinlens.app.bench.code_bench import bench_codes
from twinlens.app.bench.experiment import Experiment
from twinlens.app.bench.faiss_peer import FaissPeer
from twinlens.app.lab.experiments.run_sheet import make_index
from twinlens.app.lab.experiments.runner import run_experiment
from twinlens.app.lab.figures.run_figures import figures
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.evaluation.measures import by_count
from twinlens.core.hashing.packed_codes import LARGEST_BITS, hamming
from twinlens.core.progress import silent
from twinlens.core.search import SEARCHES
from twinlens.core.search.search_structure import Candidates

N, BYTES = 3_000, 8
STRUCTURES = tuple(one.key for one in SEARCHES if one.uses_codes and one.in_memory)


@pytest.fixture
def made() -> npt.NDArray[np.uint8]:
    """Make clusters, some codes several times."""
    rng = np.random.default_rng(3)
    centres = rng.integers(0, 256, (40, BYTES), dtype=np.uint8)
    flips = np.packbits(rng.random((N, 8 * BYTES)) < 0.08, axis=1)
    return np.asarray(centres[rng.integers(0, 40, N)] ^ flips)


@pytest.fixture
def base(tmp_path: Path, made: npt.NDArray[np.uint8]) -> str:
    np.save(tmp_path / "codes.npy", made)
    return str(tmp_path / "codes.npy")


def test_every_structure_is_judged_against_the_exact_neighbours(base: str) -> None:
    result = bench_codes(Experiment(base=base, query_count=30))
    assert (result.n, result.bits, result.queries, result.k) == (N, 8 * BYTES, 30, 100)
    assert result.bytes == N * BYTES
    assert [one.search for one in result.results] == list(STRUCTURES)
    for one in result.results:
        assert not one.refused
        assert not one.in_blocks
        assert set(by_count(one.values, "overlap@")) == {"10", "100"}
        assert one.values["seconds query"] > 0
        if one.exact:
            assert {**by_count(one.values, "recall@"), **by_count(one.values, "overlap@")} == {
                "1": 1,
                "10": 1,
                "100": 1,
            }
    by_name = {one.search: one for one in result.results}
    assert by_name["scan"].values["scanned"] == N
    assert 0 < by_name["buckets"].values["scanned"] < N
    assert by_name["buckets"].values["probed"] > 0
    assert by_name["buckets"].values["overlap@100"] < 1  # a few buckets of 64 bits do not hold them all
    assert by_name["permuted"].values["bytes search"] > N


def test_a_query_of_the_base_is_never_its_own_answer(tmp_path: Path) -> None:
    # Every code is alone but for one at a distance of one bit, the row beside it.
    rng = np.random.default_rng(0)
    pairs = np.repeat(rng.integers(0, 256, (60, BYTES), dtype=np.uint8), 2, axis=0)
    pairs[1::2, 0] ^= 1
    np.save(tmp_path / "pairs.npy", pairs)
    base = str(tmp_path / "pairs.npy")
    task = code_bench.find_truth(*code_bench.load_codes(Experiment(base=base, queries=base)), 5, silent)
    assert all(one[0] == 1 for one in task.true)
    assert task.own is not None
    drawn = bench_codes(Experiment(base=base, search=("scan",), neighbours=5))
    assert by_count(drawn.results[0].values, "recall@") == {"1": 1.0}


def test_the_truth_is_that_of_a_plain_comparison(base: str, made: npt.NDArray[np.uint8], tmp_path: Path) -> None:
    queries = made[:7] ^ np.uint8(5)
    np.save(tmp_path / "q.npy", queries)
    asked = Experiment(base=base, queries=str(tmp_path / "q.npy"), neighbours=20)
    task = code_bench.find_truth(*code_bench.load_codes(asked), 20, silent)
    plain = np.sort(hamming(queries[:, None], made), axis=1)[:, :20]
    assert np.array_equal(np.array(task.true), plain)


def test_codes_beyond_a_share_of_memory_are_scanned_from_the_file(base: str) -> None:
    held = bench_codes(Experiment(base=base, search=("scan",)))
    mapped = bench_codes(Experiment(base=base, search=("buckets", "scan")), memory=8 * N * BYTES - 8)
    buckets, scan = mapped.results
    assert buckets.refused
    assert "memory" in str(buckets.refused)
    assert by_count(buckets.values, "overlap@") == {}
    assert scan.in_blocks
    assert by_count(scan.values, "overlap@") == by_count(held.results[0].values, "overlap@")
    assert "one pass" in str(scan.note)


def test_a_structure_that_cannot_be_built_says_so_and_the_others_go_on(base: str) -> None:
    result = bench_codes(Experiment(base=base, search=("permuted:lists=100000,memory=1", "scan")))
    assert "sorted lists" in str(result.results[0].refused)
    assert result.results[1].values["overlap@10"] == 1


def test_few_codes(tmp_path: Path) -> None:
    np.save(tmp_path / "few.npy", np.arange(4, dtype=np.uint8)[:, None])
    result = bench_codes(Experiment(base=str(tmp_path / "few.npy")))
    assert (result.queries, result.k) == (4, 3)
    assert all(
        one.values["recall@1"] == 1 and by_count(one.values, "overlap@") == {} for one in result.results if one.exact
    )


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (Experiment(base="", search=("exact",)), "does not search codes"),
        (Experiment(base="", search=("scan:candidates=50",)), "candidates needs vectors"),
        (Experiment(base="", search=("scan:asymmetric=yes",)), "asymmetric needs vectors"),
        (Experiment(base="", search=("hash",)), "search structure"),
        (Experiment(base="floats.npy"), "not packed codes"),
        (Experiment(base="row.npy"), "not packed codes"),
        (Experiment(base="empty.npy"), "not packed codes"),
        (Experiment(base="long.npy"), "not packed codes"),
        (Experiment(base="one.npy"), "only one code"),
        (Experiment(base="missing.npy"), "no file"),
        (Experiment(base="", queries="one.npy"), "have 3 bytes, those of the base 8"),
    ],
)
def test_what_has_no_meaning_is_a_sentence(base: str, tmp_path: Path, wrong: Experiment, told: str) -> None:
    for name, table in (
        ("floats", np.zeros((3, 8))),
        ("row", np.zeros(8, np.uint8)),
        ("empty", np.zeros((0, 8), np.uint8)),
        ("long", np.zeros((3, LARGEST_BITS // 8 + 1), np.uint8)),
        ("one", np.zeros((1, 3), np.uint8)),
    ):
        np.save(tmp_path / f"{name}.npy", table)
    place = str(tmp_path / wrong.base) if wrong.base else base
    queries = str(tmp_path / wrong.queries) if wrong.queries else ""
    with pytest.raises(TwinlensError, match=told):
        bench_codes(wrong.changed(base=place, queries=queries))


def test_it_can_be_stopped_while_a_structure_is_built(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from twinlens.core.search.buckets import Buckets

    stopped = threading.Event()
    monkeypatch.setattr(Buckets, "build", lambda *_: stopped.wait(30))

    def enough(done: float, total: float, text: object = "") -> None:
        if "Building" in str(text):
            raise Cancelled

    with pytest.raises(Cancelled):
        bench_codes(Experiment(base=base, search=("buckets",)), enough)
    stopped.set()


def test_progress_rises_to_the_last_structure(base: str) -> None:
    told: list[tuple[float, str]] = []
    bench_codes(
        Experiment(base=base, search=("scan", "grouped")), lambda done, total, text: told.append((done, str(text)))
    )
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert "Step 2 of 2: grouped" in told[-1][1]


def test_a_structure_that_finds_nothing_is_no_fault(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from twinlens.core.search.linear_scan import ScannedCodes

    nothing = Candidates(np.empty(0, np.int64), np.empty(0, np.int64), scanned=0)
    monkeypatch.setattr(ScannedCodes, "candidates", lambda *_: nothing)
    (scan,) = bench_codes(Experiment(base=base, search=("scan",))).results
    assert {**by_count(scan.values, "recall@"), **by_count(scan.values, "overlap@")} == {"1": 0, "10": 0, "100": 0}


needs_faiss = pytest.mark.skipif(util.find_spec("faiss") is None, reason="faiss is not installed")


@pytest.fixture
def base_file(tmp_path: Path) -> Path:
    x = np.random.default_rng(1).normal(size=(600, 16)).astype(np.float32)
    np.save(tmp_path / "base.npy", x)
    return tmp_path / "base.npy"


@needs_faiss
def test_an_exact_index_finds_everything_and_a_graph_compares_few(base_file: Path) -> None:
    asked = Experiment(
        base=str(base_file),
        methods=("lsh:bits=64", "faiss:Flat", "faiss:HNSW8@efSearch=120", "faiss:IVF8,Flat@nprobe=8"),
        search=("scan:candidates=100", "scan:candidates=200"),
        seeds=(0, 1),
        truth="l2",
    )
    rows = bench(asked).results
    assert [one.method for one in rows] == [method for method in asked.methods for _ in asked.search]
    lsh, flat, graph, lists = rows[::2]
    for one in (flat, lists):
        assert by_count(one.values, "recall@") == {"1": 1.0, "10": 1.0, "100": 1.0}
        assert by_count(one.values, "overlap@") == {"10": 1.0, "100": 1.0}
        assert (one.values["looked_at"], one.seeds, one.spread) == (100, [0], {})
    assert flat.values["bytes codes"] == 600 * 16 * 4
    assert flat.bits == 16 * 32
    assert rows[3].values["looked_at"] == 200
    assert graph.values["overlap@10"] > 0.9
    assert graph.values["scanned"] < flat.values["scanned"] == 600
    assert lsh.values["recall@10"] < 1
    assert lists.values["scanned"] == pytest.approx(600 + 8, abs=10), "the lists, and their centres"
    assert flat.values["seconds search"] > 0


@needs_faiss
def test_product_quantisation_ranks_as_its_own_distances_do(base_file: Path) -> None:
    (one,) = bench(Experiment(base=str(base_file), methods=("faiss:PQ8x4np",), search=("scan:candidates=100",))).results
    assert 0.2 < one.values["recall@1"] < 1
    assert one.values["bytes codes"] == 600 * 4
    assert one.values["overlap@10"] > one.values["recall@1"]


@needs_faiss
def test_cosine_and_metrics_are_seen_by_faiss(base_file: Path) -> None:
    whole = Experiment(base=str(base_file), methods=("faiss:Flat",), search=("scan:candidates=100",))
    for changed in ({"truth": "cosine"}, {"metric": "whitening"}):
        assert bench(whole.changed(**changed)).results[0].values["recall@1"] == 1.0


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
def test_what_faiss_refuses_is_a_sentence(base_file: Path, factory: str, words: str) -> None:
    with pytest.raises(TwinlensError, match=f"faiss cannot make .*{words}"):
        bench(Experiment(base=str(base_file), methods=(f"faiss:{factory}",)))


@needs_faiss
def test_it_can_be_cancelled(base_file: Path) -> None:
    def stop(done: float, total: float, text: object) -> None:
        if "Measuring faiss" in str(text):
            raise Cancelled

    with pytest.raises(Cancelled):
        bench(Experiment(base=str(base_file), methods=("faiss:Flat",)), stop)


def test_without_faiss_a_sentence_says_so(base_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(util, "find_spec", lambda _: None)
    with pytest.raises(TwinlensError, match="faiss is not installed here") as wrong:
        bench(Experiment(base=str(base_file), methods=("faiss:PQ8",)))
    assert "pip install faiss-cpu" in str(wrong.value.advice)


def test_its_text_names_it() -> None:
    for text in ("faiss:OPQ16,PQ16", "faiss:IVF64,PQ16@nprobe=8"):
        assert candidate_of(text).text() == text
    assert candidate_of("faiss: PQ8 ") == FaissPeer("PQ8")
    with pytest.raises(TwinlensError, match="names no index"):
        candidate_of("faiss:")
