"""Search structures on packed codes: judged by distances, in memory and in blocks from the file."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from app.bench import code_bench
from app.bench.code_bench import CodeExperiment, bench_codes
from core.errors import Cancelled, TwinlensError
from core.hashing.packed_codes import LARGEST_BITS, hamming
from core.progress import silent
from core.search import SEARCHES
from core.search.search_structure import Candidates

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
    result = bench_codes(CodeExperiment(base, query_count=30))
    assert (result.n, result.bits, result.queries, result.k) == (N, 8 * BYTES, 30, 100)
    assert result.bytes == N * BYTES
    assert [one.search for one in result.results] == list(STRUCTURES)
    for one in result.results:
        assert not one.refused
        assert not one.in_blocks
        assert set(one.overlap) == {"10", "100"}
        assert one.query_seconds > 0
        if one.exact:
            assert {**one.recall, **one.overlap} == {"1": 1, "10": 1, "100": 1}
    by_name = {one.search: one for one in result.results}
    assert by_name["scan"].scanned == N
    assert 0 < by_name["buckets"].scanned < N
    assert by_name["buckets"].probed > 0
    assert by_name["buckets"].overlap["100"] < 1  # a few buckets of 64 bits do not hold them all
    assert by_name["permuted"].bytes > N


def test_a_query_of_the_base_is_never_its_own_answer(tmp_path: Path) -> None:
    # Every code is alone but for one at a distance of one bit, the row beside it.
    rng = np.random.default_rng(0)
    pairs = np.repeat(rng.integers(0, 256, (60, BYTES), dtype=np.uint8), 2, axis=0)
    pairs[1::2, 0] ^= 1
    np.save(tmp_path / "pairs.npy", pairs)
    base = str(tmp_path / "pairs.npy")
    task = code_bench.find_truth(*code_bench.load_codes(CodeExperiment(base, base)), 5, silent)
    assert all(one[0] == 1 for one in task.true)
    assert task.own is not None
    drawn = bench_codes(CodeExperiment(base, search=("scan",), neighbours=5))
    assert drawn.results[0].recall == {"1": 1.0}


def test_the_truth_is_that_of_a_plain_comparison(base: str, made: npt.NDArray[np.uint8], tmp_path: Path) -> None:
    queries = made[:7] ^ np.uint8(5)
    np.save(tmp_path / "q.npy", queries)
    asked = CodeExperiment(base, str(tmp_path / "q.npy"), neighbours=20)
    task = code_bench.find_truth(*code_bench.load_codes(asked), 20, silent)
    plain = np.sort(hamming(queries[:, None], made), axis=1)[:, :20]
    assert np.array_equal(np.array(task.true), plain)


def test_codes_beyond_a_share_of_memory_are_scanned_from_the_file(base: str) -> None:
    held = bench_codes(CodeExperiment(base, search=("scan",)))
    mapped = bench_codes(CodeExperiment(base, search=("buckets", "scan")), memory=8 * N * BYTES - 8)
    buckets, scan = mapped.results
    assert buckets.refused
    assert "memory" in str(buckets.refused)
    assert buckets.overlap == {}
    assert scan.in_blocks
    assert scan.overlap == held.results[0].overlap
    assert "one pass" in str(scan.note)


def test_a_structure_that_cannot_be_built_says_so_and_the_others_go_on(base: str) -> None:
    result = bench_codes(CodeExperiment(base, search=("permuted:lists=100000,memory=1", "scan")))
    assert "sorted lists" in str(result.results[0].refused)
    assert result.results[1].overlap["10"] == 1


def test_few_codes(tmp_path: Path) -> None:
    np.save(tmp_path / "few.npy", np.arange(4, dtype=np.uint8)[:, None])
    result = bench_codes(CodeExperiment(str(tmp_path / "few.npy")))
    assert (result.queries, result.k) == (4, 3)
    assert all(one.recall["1"] == 1 and one.overlap == {} for one in result.results if one.exact)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (CodeExperiment("", search=("exact",)), "does not search codes"),
        (CodeExperiment("", search=("scan:candidates=50",)), "candidates needs vectors"),
        (CodeExperiment("", search=("scan:asymmetric=yes",)), "asymmetric needs vectors"),
        (CodeExperiment("", search=("hash",)), "search structure"),
        (CodeExperiment("", neighbours=0), "at least 1"),
        (CodeExperiment("floats.npy"), "not packed codes"),
        (CodeExperiment("row.npy"), "not packed codes"),
        (CodeExperiment("empty.npy"), "not packed codes"),
        (CodeExperiment("long.npy"), "not packed codes"),
        (CodeExperiment("one.npy"), "only one code"),
        (CodeExperiment("missing.npy"), "no file"),
        (CodeExperiment("", "one.npy"), "have 3 bytes, those of the base 8"),
    ],
)
def test_what_has_no_meaning_is_a_sentence(base: str, tmp_path: Path, wrong: CodeExperiment, told: str) -> None:
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
        bench_codes(replace(wrong, base=place, queries=queries))


def test_it_can_be_stopped_while_a_structure_is_built(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.search.buckets import Buckets

    stopped = threading.Event()
    monkeypatch.setattr(Buckets, "build", lambda *_: stopped.wait(30))

    def enough(done: float, total: float, text: object = "") -> None:
        if "Building" in str(text):
            raise Cancelled

    with pytest.raises(Cancelled):
        bench_codes(CodeExperiment(base, search=("buckets",)), enough)
    stopped.set()


def test_progress_rises_to_the_last_structure(base: str) -> None:
    told: list[tuple[float, str]] = []
    bench_codes(
        CodeExperiment(base, search=("scan", "grouped")), lambda done, total, text: told.append((done, str(text)))
    )
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert "Step 2 of 2: grouped" in told[-1][1]


def test_a_structure_that_finds_nothing_is_no_fault(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.search.linear_scan import ScannedCodes

    nothing = Candidates(np.empty(0, np.int64), np.empty(0, np.int64), scanned=0)
    monkeypatch.setattr(ScannedCodes, "candidates", lambda *_: nothing)
    (scan,) = bench_codes(CodeExperiment(base, search=("scan",))).results
    assert {**scan.recall, **scan.overlap} == {"1": 0, "10": 0, "100": 0}
