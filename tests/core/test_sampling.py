from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.sampling import digest_of_sample, sample

CONTENTS = st.lists(st.binary(max_size=4), max_size=60)


@given(
    contents=CONTENTS, size=st.integers(0, 70), seed=st.integers(0, 2**70), shuffle=st.randoms(use_true_random=False)
)
def test_the_order_of_arrival_does_not_matter(
    contents: list[bytes], size: int, seed: int, shuffle: random.Random
) -> None:
    moved = contents.copy()
    shuffle.shuffle(moved)
    assert [contents[i] for i in sample(contents, size, seed)] == [moved[i] for i in sample(moved, size, seed)]


@given(contents=CONTENTS, size=st.integers(0, 70))
def test_distinct_contents_as_many_as_there_are(contents: list[bytes], size: int) -> None:
    chosen = [contents[i] for i in sample(contents, size, seed=1)]
    assert len(set(chosen)) == len(chosen) == min(size, len(set(contents)))


@given(contents=CONTENTS, size=st.integers(0, 70))
def test_a_larger_sample_begins_with_a_smaller(contents: list[bytes], size: int) -> None:
    assert sample(contents, size + 5, seed=1)[:size] == sample(contents, size, seed=1)


def test_of_equal_contents_the_first_is_taken() -> None:
    assert sample([b"x", b"x", b"x"], 3, seed=0) == [0]


def test_a_seed_draws_anew_and_evenly() -> None:
    contents = [bytes([i]) for i in range(100)]
    drawn = [set(sample(contents, 10, seed)) for seed in range(500)]
    times = [sum(i in chosen for chosen in drawn) for i in range(100)]
    # 500 draws at 1/10: mean 50, deviation 6.7; 100 of them stay within 5 deviations.
    assert all(16 < count < 84 for count in times)
    assert len({frozenset(chosen) for chosen in drawn}) > 490


@given(contents=CONTENTS, others=CONTENTS)
def test_digests_differ_where_samples_do(contents: list[bytes], others: list[bytes]) -> None:
    assert (digest_of_sample(contents) == digest_of_sample(others)) == (contents == others)
    assert len(digest_of_sample(contents)) == 32


def test_digests_know_where_an_item_ends() -> None:
    assert digest_of_sample([b"ab", b"c"]) != digest_of_sample([b"a", b"bc"])
