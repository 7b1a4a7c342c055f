"""All pairs within a distance are those that comparing all with all finds, each once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.compilation import compilation
from twinlens.core.errors import Cancelled
from twinlens.core.hashing.packed_codes import hamming, pack_bits, planar
from twinlens.core.search.pairs import code_pairs
from twinlens.core.search.pairs.code_pairs import pairs_within


def expected(codes: npt.NDArray[np.uint8], radius: int) -> list[tuple[int, int, int]]:
    """Compare all with all."""
    table = hamming(codes[:, None], codes)
    first, second = np.nonzero(np.triu(table <= radius, 1))
    return list(zip(first.tolist(), second.tolist(), table[first, second].tolist(), strict=True))


def found(codes: npt.NDArray[np.uint8], radius: int, bits: int, threads: int = 0) -> list[tuple[int, int, int]]:
    """Collect what comes, in the order in which it comes."""
    every: list[tuple[int, int, int]] = []
    for some in pairs_within(planar(codes), radius, bits, threads=threads):
        assert len(some.first)
        every += zip(some.first.tolist(), some.second.tolist(), some.distances.tolist(), strict=True)
    return every


@contextmanager
def way(name: str) -> Iterator[None]:
    """Compiled or plain, with every boundary nearby."""
    if name == "compiled":
        assert compilation.ready(wait=True)
    with (
        patch.object(compilation, "worth", lambda work: name == "compiled"),
        patch.object(code_pairs, "_ROWS", 5),
        patch.object(code_pairs, "_PAIRS", 3),
        patch.object(code_pairs, "_BUDGET", 9),
        patch.object(code_pairs, "BUDGET", 20),
    ):
        yield


def clustered(n: int, bits: int, seed: int) -> npt.NDArray[np.uint8]:
    """Make codes of which many are near or equal."""
    rng = np.random.default_rng(seed)
    centres = rng.random((3, bits)) < 0.5
    flips = rng.random((n, bits)) < rng.choice([0.0, 0.02, 0.1], (n, 1))
    return pack_bits(centres[rng.integers(0, 3, n)] ^ flips)


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(0, 60),
    bits=st.sampled_from([1, 7, 16, 63, 64, 65, 100, 256]),
    share=st.floats(0, 0.3),
    seed=st.integers(0, 2**20),
)
def test_every_pair_once_and_in_the_same_order_by_all_ways(n: int, bits: int, share: float, seed: int) -> None:
    codes, radius = clustered(n, bits, seed), int(share * bits)
    answers = []
    for name in ("compiled", "plain"):
        with way(name):
            answers += [found(codes, radius, bits, threads) for threads in (1, 3)]
    assert sorted(answers[0]) == expected(codes, radius)
    assert answers == [answers[0]] * 4


@pytest.mark.parametrize("flips", [0, 1, 2])
@pytest.mark.parametrize("name", ["compiled", "plain"])
def test_every_cut_finds_every_pair(name: str, flips: int) -> None:
    codes, radius = clustered(80, 60, 1), 8
    count = -(-(radius + 1) // (flips + 1))
    plan = code_pairs.ChunkCut(code_pairs._even(60, radius, count), 0.0)
    assert max(chunk[2] for chunk in plan.chunks) == flips
    with way(name), patch.object(code_pairs, "cheapest_cut", lambda *_: plan):
        assert sorted(found(codes, radius, 60)) == expected(codes, radius)


def test_many_codes_are_cut() -> None:
    codes = np.random.default_rng(0).integers(0, 256, (20_000, 16), np.uint8)
    plan = code_pairs.cheapest_cut(planar(codes), 128, 12)
    assert len(plan.chunks) > 3
    assert plan.cost < 20_000 * 19_999 / 20
    assert sum(flips + 1 for _, _, flips in plan.chunks) == 13
    assert [chunk[0] for chunk in plan.chunks[1:]] == [chunk[1] for chunk in plan.chunks[:-1]]


def test_a_million_pairs_of_equal_codes_come_in_parts() -> None:
    parts = list(pairs_within(np.zeros((4, 3_000), np.uint64), 10))
    assert sum(len(part.first) for part in parts) == 3_000 * 2_999 // 2
    assert max(len(part.first) for part in parts) <= 1 << 20
    assert all((part.first < part.second).all() for part in parts)


def test_nothing_is_within_less_than_nothing() -> None:
    assert not list(pairs_within(np.zeros((4, 10), np.uint64), -1))


def test_it_can_be_cancelled() -> None:
    def stop(done: float, total: float, text: object) -> None:
        raise Cancelled

    codes = np.random.default_rng(0).integers(0, 256, (3_000, 16), np.uint8)
    with pytest.raises(Cancelled):
        list(pairs_within(planar(codes), 12, progress=stop))
