"""The scan gives the reference's answer, compiled or plain, from one thread or many, for every kind of codes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.core.search.scanning import assert_nearest, assert_within, every_boundary_nearby, ways
from twinlens.core.arrays import UInt64Words
from twinlens.core.errors import Cancelled
from twinlens.core.hashing.packed_codes import LARGEST_BITS, pack_bits, planar
from twinlens.core.search import hamming_scan
from twinlens.core.search.hamming_scan import nearest_by_hamming, nearest_mapped


def random_planes(words: int, n: int) -> UInt64Words:
    return np.random.default_rng(words * n).integers(0, 2**64, (words, n), dtype=np.uint64)


def few_bits(words: int, n: int) -> st.SearchStrategy[UInt64Words]:
    """Codes that differ in few bits, so that most distances tie."""
    return hnp.arrays(np.uint64, (words, n), elements=st.sampled_from([0, 1, 2, 3, 1 << 63]))


@st.composite
def questions(draw: st.DrawFn) -> tuple[UInt64Words, UInt64Words, npt.NDArray[np.bool_] | None]:
    words, n, q = draw(st.integers(1, 20)), draw(st.integers(0, 60)), draw(st.integers(0, 6))
    planes, queries = draw(few_bits(words, n)), draw(few_bits(q, words))
    return planes, queries, draw(st.none() | hnp.arrays(np.bool_, n))


@settings(max_examples=150)
@given(questions(), st.integers(0, 70))
def test_nearest_is_exact(question: tuple[UInt64Words, UInt64Words, npt.NDArray[np.bool_] | None], k: int) -> None:
    planes, queries, mask = question
    assert_nearest(planes, queries, k, mask)
    with every_boundary_nearby():
        assert_nearest(planes, queries, k, mask)


@settings(max_examples=150)
@given(questions(), st.integers(-1, 20 * 64 + 1))
def test_within_is_exact(question: tuple[UInt64Words, UInt64Words, npt.NDArray[np.bool_] | None], radius: int) -> None:
    planes, queries, mask = question
    for query in queries[:1]:
        assert_within(planes, query, radius, mask)
        with every_boundary_nearby():
            assert_within(planes, query, radius, mask)


def test_the_longest_codes_are_as_far_as_they_are() -> None:
    """Distances from 0 to all bits, which 16 of a key hold beside the row; and what may not be found is farther."""
    planes = planar(np.zeros((5, LARGEST_BITS // 8), np.uint8))
    words = len(planes)
    for row, ones in enumerate((words, words // 2 + 1, 0, words - 1, words)):
        planes[:ones, row] = np.uint64(2**64 - 1)
    query = np.zeros((1, words), np.uint64)
    for mask in (None, np.array([True, True, False, True, True])):
        assert_nearest(planes, query, 4, mask)
        for radius in (0, 64 * (words - 1), LARGEST_BITS):
            assert_within(planes, query[0], radius, mask)


def unary(n: int) -> UInt64Words:
    """Code ``i`` has ``i`` bits: each is one bit from the next."""
    return planar(pack_bits(np.tri(n, n - 1, -1, dtype=np.bool_)))


ADVERSARIAL = {
    "all equal": np.full((4, 5000), 7, np.uint64),
    "all distinct": random_planes(4, 5000),
    "one bit apart, nearest last": unary(1000)[:, ::-1].copy(),
    "one bit apart, nearest first": unary(1000),
    "two distances in turn": np.tile(np.array([[0, 1]], np.uint64), (1, 3000)),
    "all as far as can be": np.full((2, 3000), ~np.uint64(0)),
    "one code": random_planes(4, 1),
    "no code": random_planes(4, 0),
}


@pytest.mark.parametrize("k", [0, 1, 100, 999, 6000])
@pytest.mark.parametrize("name", ADVERSARIAL)
def test_adversarial_codes(name: str, k: int) -> None:
    planes = ADVERSARIAL[name]
    queries = np.zeros((2, len(planes)), np.uint64)
    queries[1, 0] = 3
    assert_nearest(planes, queries, k)


@pytest.mark.parametrize("words", [*range(1, 21), 31, 256])
def test_every_width(words: int) -> None:
    planes = random_planes(words, 700)
    queries = np.vstack([planes[:, 5], ~planes[:, 5]])
    assert_nearest(planes, queries, 10)
    assert_within(planes, queries[0], 32 * words)


@pytest.mark.parametrize("bits", [1, 9, 63, 65, 100, 250])
def test_widths_that_fill_no_word(bits: int) -> None:
    planes = planar(pack_bits(np.random.default_rng(bits).random((300, bits)) < 0.5))
    assert_nearest(planes, planes[:, :3].T, 20)


@pytest.mark.parametrize("n", [5000, 40_000])
@pytest.mark.parametrize("k", [1, 100, 4000])
def test_more_codes_than_blocks_and_room(n: int, k: int) -> None:
    planes = random_planes(1, n)
    mask = np.random.default_rng(0).random(n) < 0.5
    mask[2048:10_000] = False
    assert_nearest(planes, planes[:, :2].T, k)
    assert_nearest(planes, planes[:, :2].T, k, mask)
    assert_within(planes, planes[:, 0], 30, mask)


@pytest.mark.parametrize("left", [[], [0], [4999], [1, 2047, 2048, 4000]])
def test_masks_that_leave_little(left: list[int]) -> None:
    planes = random_planes(2, 5000)
    mask = np.zeros(5000, np.bool_)
    mask[left] = True
    assert_nearest(planes, planes[:, :2].T, 3, mask)
    assert_within(planes, planes[:, 0], 128, mask)


def test_many_queries_of_few_codes_are_shared_among_threads() -> None:
    planes = random_planes(1, 50)
    queries = random_planes(1, 300).T
    assert len(hamming_scan._cut(300, 3)) == 3
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hamming_scan, "WORDS_PER_THREAD", 5000)
        assert_nearest(planes, queries, 4)


def test_the_answer_does_not_depend_on_who_gives_it(tmp_path: Path) -> None:
    planes = random_planes(4, 300_000)
    queries = planes[:, ::60_000].T ^ np.uint64(5)
    answers = [hamming_scan.nearest_by_hamming(planes, queries, 50, threads=threads) for _, threads in ways()]
    answers.append(hamming_scan.nearest_by_hamming(planes, queries, 50))
    assert all(np.array_equal(a, answers[0]) for a in answers)


def test_part_of_the_columns_and_other_layouts() -> None:
    planes = random_planes(3, 4000)
    query = planes[:, 9]
    queries = query[None]
    assert_nearest(planes[:, 100:3900], queries, 30)
    assert_nearest(planes[:, ::2], queries, 30)
    assert_nearest(planes[::-1], queries, 30)
    assert_nearest(np.asfortranarray(planes), queries, 30)
    assert_nearest(planes[1:2, 7:], queries[:, 1:2], 30)
    every_third = np.zeros(12_000, np.bool_)[::3]
    every_third[50:60] = True
    assert_nearest(planes, queries, 30, every_third)


def test_memory_mapped_and_read_only_codes(tmp_path: Path) -> None:
    np.save(tmp_path / "planes.npy", random_planes(4, 3000))
    planes = np.load(tmp_path / "planes.npy", mmap_mode="r")
    queries = np.ascontiguousarray(planes[:, :2].T)
    queries.flags.writeable = False
    mask = np.ones(3000, np.bool_)
    mask.flags.writeable = False
    assert_nearest(planes, queries, 30, mask)
    assert_within(planes, queries[0], 110, mask)


def test_codes_are_seen_not_copied() -> None:
    planes = random_planes(4, 3000)
    for part in (planes, planes[:, 100:200], planes[1:3], planes[:1, 5:]):
        assert np.shares_memory(hamming_scan._run(part)[0], planes)


def test_what_does_not_fit_is_refused() -> None:
    planes = random_planes(2, 10)
    queries = planes[:, :1].T
    with pytest.raises(ValueError, match="planar codes must be"):
        hamming_scan.nearest_by_hamming(planes.astype(np.int64), queries, 1)
    with pytest.raises(ValueError, match="queries must be"):
        hamming_scan.nearest_by_hamming(planes, queries[:, :1], 1)
    with pytest.raises(ValueError, match="queries must be"):
        hamming_scan.within_hamming(planes, queries[0, :1], 1)
    with pytest.raises(ValueError, match="the mask must be"):
        hamming_scan.nearest_by_hamming(planes, queries, 1, np.ones(9, np.bool_))
    with pytest.raises(ValueError, match="k must not"):
        hamming_scan.nearest_by_hamming(planes, queries, -1)


@pytest.mark.parametrize("n", [0, 1, 99, 100, 101, 1_000])
@pytest.mark.parametrize("k", [0, 1, 150, 2_000])
def test_a_file_is_searched_block_by_block(tmp_path: Path, n: int, k: int) -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, (n, 9), np.uint8)
    np.save(tmp_path / "codes.npy", codes)
    queries = np.ascontiguousarray(planar(rng.integers(0, 4, (3, 9), np.uint8)).T)
    expected = nearest_by_hamming(planar(codes), queries, k)
    found = nearest_mapped(np.load(tmp_path / "codes.npy", mmap_mode="r"), queries, k, block=100)
    np.testing.assert_array_equal(found.rows, expected.rows)
    np.testing.assert_array_equal(found.distances, expected.distances)
    assert found.distances.dtype == np.uint16


def test_it_can_be_cancelled() -> None:
    def stop(done: float, total: float, text: object) -> None:
        if done >= 200:
            raise Cancelled

    with pytest.raises(Cancelled):
        nearest_mapped(np.zeros((1_000, 8), np.uint8), np.zeros((1, 1), np.uint64), 3, stop, block=100)
