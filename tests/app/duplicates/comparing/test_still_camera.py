"""Frames of a still camera are all alike: each is laid over its nearest only, and its copies are found all the same."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.app.duplicates.test_duplicates import save
from tests.app.folders import added, ids_by_name
from tests.features.copies.bursts import scene_of, shot
from twinlens.app.duplicates.comparing import candidates, comparison, pair_confirmation
from twinlens.app.duplicates.comparing.candidates import HASH_RADIUS, among_nearest, turned_pairs
from twinlens.app.duplicates.comparing.comparing_tasks import AlignmentTask
from twinlens.app.duplicates.duplicates import find_duplicates
from twinlens.app.library.library import Library
from twinlens.core.arrays import Int64Rows
from twinlens.core.progress import silent
from twinlens.core.search.pairs import code_pairs

MOST = 4
pairs_of_ten = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda both: both[0] < both[1]))


@given(pairs_of_ten, st.integers(1, 4))
def test_a_pair_is_among_the_nearest_of_one_of_its_pictures(pairs: list[tuple[int, int]], most: int) -> None:
    seen: Counter[int] = Counter()
    expected = []
    for first, second in pairs:
        expected.append(seen[first] < most or seen[second] < most)
        seen.update((first, second))
    assert among_nearest(np.array(pairs, np.int64).reshape(-1, 2), most).tolist() == expected


def crowd(n: int, seed: int) -> Int64Rows:
    """Draw hashes that differ in a few bits."""
    rng = np.random.default_rng(seed)
    flips = np.uint64(1) << rng.integers(1, 40, (3, n)).astype(np.uint64)
    return np.asarray(rng.integers(0, 1 << 63, 1, np.uint64) ^ np.bitwise_xor.reduce(flips), np.int64)


@pytest.mark.parametrize("at_once", [64, 1 << 20])
def test_of_a_crowd_each_picture_keeps_its_nearest_by_hash(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MOST_LAID", MOST)
    monkeypatch.setattr(code_pairs, "_PAIRS", at_once)
    own = crowd(150, 0)
    apart = np.bitwise_count(own[:, None] ^ own[None])
    found = turned_pairs([int(one).to_bytes(8, "little") for one in own], np.arange(150), silent)
    kept = {(a, b) for a, b in found.pairs.tolist()}
    assert len(kept) <= MOST * 150
    near = {place: sorted(int(apart[pair]) for pair in kept if place in pair)[:MOST] for place in range(150)}
    dropped = 0
    for pair in itertools.combinations(range(150), 2):
        if apart[pair] <= HASH_RADIUS and pair not in kept:
            dropped += 1
            assert all(len(near[place]) == MOST and near[place][-1] <= apart[pair] for place in pair)
    assert dropped > 5_000


def frames(folder: Path, n: int, dated: bool) -> None:
    """Take frames of one scene, half a minute apart; of every eighth there is a copy, or one whose clock was set."""
    rng, scene = np.random.default_rng(0), scene_of(3, 320, 240)
    for number in range(n):
        when = f"2024:06:01 12:{number // 2:02}:{number % 2 * 30:02}" if dated else ""
        path = folder / f"{number:03}.jpg"
        save(shot(scene, rng, moved=4 * number - 60), path, taken=when)
        if number % 8 == 3 and dated:
            (folder / f"{number:03}-copy.jpg").write_bytes(
                path.read_bytes().replace(b"2024:06:01 12", b"2024:06:01 13")
            )
        elif number % 8 == 3:
            with Image.open(path) as image:
                image.save(folder / f"{number:03}-copy.jpg", quality=75)


@pytest.mark.parametrize("dated", [True, False])
def test_copies_of_frames_are_found_among_all_that_are_alike(
    dated: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid = []

    def counted(*given: Any) -> AlignmentTask:
        laid.append(given)
        return AlignmentTask(*given)

    for module, name in ((candidates, "MOST_LAID"), (comparison, "MOST_LAID"), (comparison, "_COPIES_LAID")):
        monkeypatch.setattr(module, name, MOST)
    monkeypatch.setattr(pair_confirmation, "AlignmentTask", counted)
    frames(tmp_path / "frames", 24, dated)
    added(tmp_path / "a.twinlens", tmp_path / "frames")
    with Library.open(tmp_path / "a.twinlens") as library:
        found = find_duplicates(library)
        again = find_duplicates(library)
    assert 27 <= len(laid) <= 27 * MOST * 1.5 < 27 * 26 / 4
    assert again.compared == 0
    ids = ids_by_name(tmp_path / "a.twinlens")
    together = [set(files) for group in found.groups for files in group.pictures]
    for number in range(3, 24, 8):
        assert {ids[f"{number:03}.jpg"], ids[f"{number:03}-copy.jpg"]} in together
    assert sum(len(files) > 1 for files in together) == 3
    assert bool(found.bounds) is not dated
