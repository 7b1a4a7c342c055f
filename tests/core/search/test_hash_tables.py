"""A table gives the rows of a key and the closest occupied keys, however it finds them and whatever is held ready."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.hashing.packed_codes import pack_bits, planar
from core.search import buckets
from core.search.buckets import HashTable, draw_bits, keys_of, keys_of_one
from core.search.hamming.hamming_scan import nearest_of
from tests.core.search.scanning import numbers, reference, ways, words_of


@st.composite
def keyed(draw: st.DrawFn) -> tuple[list[int], int, int]:
    """Keys of rows, their length, and a key to ask for, which may be absent."""
    bits = draw(st.sampled_from([1, 2, 5, 8, 24, 25, 63, 64, 65, 80, 128, 200]))
    any_key = st.integers(0, (1 << bits) - 1)
    near_key = st.one_of(st.integers(0, min(bits, 6) - 1), st.integers(0, bits - 1)).map(lambda bit: 1 << bit)
    keys = draw(st.lists(st.one_of(any_key, near_key), min_size=1, max_size=60))
    return keys, bits, draw(st.one_of(any_key, near_key, st.sampled_from(keys)))


FINDING: dict[str, dict[str, float]] = {
    "as it is": {},
    "by trying": {"_TRIES_PER_KEY": 0},
    "by trying a few": {"_TRIES_PER_KEY": 0.002},
    "by comparing": {"_TRIES_PER_KEY": 1 << 60, "_TRIES": 0},
    "nothing held ready": {"_TRIES": 0, "_COMPARISONS": -1},
    "in blocks": {"_TRIES_AT_ONCE": 1},
}


@pytest.mark.parametrize("finding", FINDING)
@settings(max_examples=40)  # of each way
@given(keyed(), st.integers(0, 70), st.integers(0, 12))
def test_the_closest_keys(finding: str, drawn: tuple[list[int], int, int], count: int, held: int) -> None:
    keys, bits, key = drawn
    if finding == "by trying" and bits > 8:
        bits = 8
        keys, key = [other & 255 for other in keys], key & 255
    with pytest.MonkeyPatch.context() as patched:
        for name, value in FINDING[finding].items():
            patched.setattr(buckets, name, value)
        table = HashTable.of(words_of(keys, bits), bits, held)
        asked = words_of([key], bits)[:, 0]
        order = sorted(((other ^ key).bit_count(), other) for other in set(keys))
        assert numbers(table.keys[:, table.closest(asked, count)]) == [other for _, other in order][:count]
        for radius in (0, 1, 3, 64):
            near = [other for distance, other in order if distance <= radius]
            assert numbers(table.keys[:, table.within(asked, radius)]) == near
        assert (table.place(asked) is None) == (key not in keys)


@given(keyed())
def test_rows_of_a_key(drawn: tuple[list[int], int, int]) -> None:
    keys, bits, _ = drawn
    table = HashTable.of(words_of(keys, bits), bits)
    assert numbers(table.keys) == sorted(set(keys))
    for place, key in enumerate(numbers(table.keys)):
        assert table.place(table.keys[:, place]) == place
        assert table.rows_at([place]).tolist() == [row for row, other in enumerate(keys) if other == key]
    assert sorted(table.rows_at(range(table.keys.shape[1])).tolist()) == list(range(len(keys)))
    assert table.rows_at([]).tolist() == []


@given(keyed())
def test_the_neighbour_in_the_sorted_keys(drawn: tuple[list[int], int, int]) -> None:
    keys, bits, key = drawn
    table = HashTable.of(words_of(keys, bits), bits)
    found = numbers(table.keys)[table.neighbour(words_of([key], bits)[:, 0])]
    assert (found ^ key).bit_length() == min((other ^ key).bit_length() for other in keys)


def test_what_is_held_ready_is_limited_by_what_it_costs() -> None:
    keys = np.random.default_rng(0).integers(0, 1 << 30, (1, 500), dtype=np.uint64)
    assert (HashTable.of(keys, 30, 4).ready >= 0).all()
    with patch.object(buckets, "_COMPARISONS", 500 * 499):
        table = HashTable.of(keys, 30, 4)
    assert (table.ready == -1).all()
    assert table.bytes == table.ready.nbytes + table.keys.nbytes + table.starts.nbytes + table.rows.nbytes


@given(st.integers(1, 200), st.data())
def test_tables_share_no_bit_while_there_are_others(bits: int, data: st.DataObject) -> None:
    key_bits, count = data.draw(st.integers(1, bits)), data.draw(st.integers(1, 9))
    drawn = draw_bits(bits, key_bits, count, seed=1)
    assert drawn.shape == (count, key_bits)
    assert ((drawn >= 0) & (drawn < bits)).all()
    assert all(len(set(some)) == key_bits for some in drawn.tolist())
    unused = bits // key_bits
    assert len(set(drawn[:unused].ravel().tolist())) == min(count, unused) * key_bits
    np.testing.assert_array_equal(drawn, draw_bits(bits, key_bits, count, seed=1))


@pytest.mark.parametrize(("bits", "key_bits"), [(3, 3), (64, 64), (100, 65), (130, 80), (300, 200)])
def test_keys_are_the_bits_chosen(bits: int, key_bits: int) -> None:
    ones = np.random.default_rng(bits).random((50, bits)) < 0.5
    planes = planar(pack_bits(ones))
    chosen = draw_bits(bits, key_bits, 3, seed=0)
    for some in chosen:
        expected = [int("".join("01"[one] for one in row[some].astype(int)), 2) for row in ones]
        with patch.object(buckets, "_BLOCK", 7):
            assert numbers(keys_of(planes, some)) == expected
    for row in range(5):
        assert keys_of_one(planes[:, row], chosen).tolist() == [keys_of(planes, one)[:, row].tolist() for one in chosen]


@given(st.sets(st.integers(0, 49)), st.integers(0, 60))
def test_the_nearest_of_chosen_rows(rows: set[int], k: int) -> None:
    planes = np.random.default_rng(0).integers(0, 8, (2, 50), dtype=np.uint64)
    mask = np.zeros(50, np.bool_)
    mask[list(rows)] = True
    distances, expected = reference(planes, planes[:, 3], mask)
    found = nearest_of(planes, planes[:, 3], np.array(sorted(rows, reverse=True), np.int32), k)
    assert found.rows.tolist() == expected[:k]
    assert found.distances.tolist() == distances[:k]


def test_the_same_keys_are_held_ready_compiled_and_plain() -> None:
    keys = np.random.default_rng(0).integers(0, 1 << 40, (2, 2000), dtype=np.uint64)
    for words, bits in ((1, 40), (2, 104)):
        ready = [HashTable.of(keys[:words], bits, 10).ready for _ in ways()]
        for other in ready:
            np.testing.assert_array_equal(other, ready[0])
