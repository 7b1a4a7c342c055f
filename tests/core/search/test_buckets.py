"""Buckets give the nearest of the codes they say they look at, and never nothing where something may be found."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.core.search.scanning import numbers, reference, ways, words_of
from twinlens.core.arrays import OptionalMask, UInt64Words
from twinlens.core.hashing.packed_codes import pack_bits, planar
from twinlens.core.search import buckets
from twinlens.core.search.buckets import BucketedCodes, Buckets, HashTable, draw_bits, keys_of, keys_of_one
from twinlens.core.search.hamming_scan import nearest_of


@st.composite
def questions(draw: st.DrawFn) -> tuple[UInt64Words, UInt64Words, int, OptionalMask]:
    """Codes, a query, the length of a code, a mask."""
    bits, n = draw(st.sampled_from([1, 5, 9, 64, 70, 130])), draw(st.integers(1, 60))
    share = draw(st.sampled_from([0.0, 0.05, 0.5]))
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    planes = planar(pack_bits(rng.random((n, bits)) < share))
    query = planar(pack_bits(rng.random((1, bits)) < draw(st.sampled_from([0.0, 0.1, 0.5]))))[:, 0]
    return planes, query, bits, draw(st.none() | hnp.arrays(np.bool_, n))


searches = st.builds(
    Buckets,
    tables=st.integers(1, 4),
    key_bits=st.none() | st.integers(1, 64) | st.sampled_from([65, 80, 128]),
    radius=st.integers(0, 3),
    neighbours=st.sampled_from([0, 1, 3, 10]),
    absent=st.sampled_from(["closest", "lexicographic"]),
    seed=st.integers(0, 9),
)


def looked_at(search: Buckets, structure: BucketedCodes, query: UInt64Words) -> tuple[set[int], int]:
    """Say which rows are compared, from what the declaration says, and how many buckets that takes."""
    rows: set[int] = set()
    probed = 0
    for chosen, key in zip(structure.chosen, numbers(keys_of_one(query, structure.chosen).T), strict=True):
        keys = numbers(keys_of(structure.planes, chosen))
        occupied = sorted(set(keys))
        visited = {other for other in occupied if (other ^ key).bit_count() <= search.radius}
        if search.radius == 0 or search.neighbours or not visited:
            start = key
            if search.absent == "lexicographic" and key not in occupied:
                around = [other for other in occupied if other < key][-1:] + [
                    other for other in occupied if other > key
                ][:1]
                start = min(around, key=lambda other: other ^ key)
            order = sorted(occupied, key=lambda other: ((other ^ start).bit_count(), other))
            visited |= set(order[: max(1, search.neighbours)])
        probed += len(visited)
        rows |= {row for row, other in enumerate(keys) if other in visited}
    return rows, probed


@settings(max_examples=150)
@given(questions(), searches, st.integers(0, 70))
def test_the_nearest_of_what_is_looked_at(
    question: tuple[UInt64Words, UInt64Words, int, OptionalMask], search: Buckets, k: int
) -> None:
    planes, query, bits, mask = question
    n = planes.shape[1]
    structure = search.build(planes, bits)
    rows, probed = looked_at(search, structure, query)
    allowed = set(range(n)) if mask is None else set(np.flatnonzero(mask).tolist())
    compared = allowed if len(allowed) <= len(rows) or not allowed & rows else allowed & rows
    some = np.zeros(n, np.bool_)
    some[list(compared)] = True
    distances, expected = reference(planes, query, some)
    for _ in ways():
        found = structure.candidates(query, k, mask)
        assert found.rows.tolist() == expected[:k]
        assert found.distances.tolist() == distances[:k]
        assert found.rows.dtype == found.distances.dtype == np.int64
        assert found.probed == probed
        assert found.scanned == (len(compared) if len(allowed) <= len(rows) or allowed & rows else n)


@given(questions(), searches)
def test_an_equal_code_is_found_and_what_may_be_found_is(
    question: tuple[UInt64Words, UInt64Words, int, OptionalMask], search: Buckets
) -> None:
    planes, query, bits, mask = question
    structure = search.build(planes, bits)
    equal = structure.candidates(planes[:, 0], planes.shape[1])
    assert equal.distances[0] == 0
    assert 0 in equal.rows
    assert (len(structure.candidates(query, 1, mask).rows) == 0) == (mask is not None and not mask.any())


@given(questions(), st.integers(1, 9))
def test_probing_every_key_is_the_scan(
    question: tuple[UInt64Words, UInt64Words, int, OptionalMask], key_bits: int
) -> None:
    planes, query, bits, mask = question
    found = Buckets(tables=1, key_bits=key_bits, radius=key_bits).build(planes, bits).candidates(query, 20, mask)
    distances, rows = reference(planes, query, mask)
    assert found.rows.tolist() == rows[:20]
    assert found.distances.tolist() == distances[:20]


def clustered(n: int, bits: int) -> UInt64Words:
    rng = np.random.default_rng(n)
    return planar(pack_bits((rng.random((20, bits)) < 0.5)[rng.integers(0, 20, n)] ^ (rng.random((n, bits)) < 0.1)))


@pytest.mark.parametrize("absent", ["closest", "lexicographic"])
def test_more_is_found_by_more_tables_more_keys_and_more_radius(absent: str) -> None:
    planes = clustered(3000, 128)
    queries = planes[:, :40] ^ np.uint64(1 << 17)

    def found(**values: Any) -> list[set[int]]:
        structure = Buckets(**{"tables": 2, "key_bits": 12, "neighbours": 0, "absent": absent} | values).build(planes)
        return [set(structure.candidates(query, 3000).rows.tolist()) for query in queries.T]

    fewest = found()
    for more in ({"tables": 4}, {"neighbours": 10}, {"radius": 2}):
        pairs = list(zip(fewest, found(**more), strict=True))
        if "radius" not in more:
            assert all(few <= many for few, many in pairs)
        assert sum(map(len, fewest)) < sum(len(many) for _, many in pairs)


def test_keys_are_as_long_as_the_number_of_codes_wants_and_no_longer_than_codes() -> None:
    def key_bits(n: int, bits: int, **values: Any) -> int:
        return len(Buckets(**values).build(np.zeros((2, n), np.uint64), bits).chosen[0])

    assert key_bits(0, 128) == key_bits(1, 128) == 1
    assert key_bits(1 << 12, 128) < key_bits(1 << 15, 128) < 15
    assert key_bits(1 << 15, 5) == key_bits(10, 5, key_bits=30) == 5
    assert key_bits(10, 128, key_bits=30) == 30


def test_what_is_kept_is_told() -> None:
    structure = Buckets(tables=3).build(clustered(1000, 64))
    assert structure.bytes == sum(table.bytes for table in structure.tables) > 3 * 4000


def test_another_seed_chooses_other_bits() -> None:
    planes = clustered(100, 64)
    chosen = [Buckets(seed=seed).build(planes).chosen for seed in (0, 0, 1)]
    np.testing.assert_array_equal(chosen[0], chosen[1])
    assert not np.array_equal(chosen[0], chosen[2])


def test_a_mask_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="the mask must be"):
        Buckets().build(clustered(10, 64)).candidates(np.zeros(1, np.uint64), 1, np.ones(9, np.bool_))


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
