"""Pictures that look alike as a whole: found once among all, they are those that each part would find by itself."""

from __future__ import annotations

import numpy as np

from app.duplicates.candidates import turned_pairs
from core.progress import silent
from features.copies.perceptual_hash import ORIENTATIONS, oriented


def made_hashes() -> list[bytes | None]:
    """Draw hashes: of strangers, of near copies, of mirrored and turned ones, and none."""
    rng = np.random.default_rng(0)
    own = rng.integers(0, 1 << 63, 60, np.uint64)
    turned = [oriented(own[:20], orientation) for orientation in ORIENTATIONS[:4]]
    flips = np.uint64(1) << rng.integers(0, 63, 60, np.uint64)
    values = rng.permutation(np.concatenate([own, own ^ flips, *turned]))
    return [None if at % 17 == 5 else int(value).to_bytes(8, "little") for at, value in enumerate(values.tolist())]


def test_parts_of_what_is_found_once_are_what_each_part_finds() -> None:
    hashes = made_hashes()
    places = np.random.default_rng(1).permutation(len(hashes))
    old, fresh = np.sort(places[:50]), np.sort(places[50:])
    once = turned_pairs(hashes, fresh, silent)
    known = np.zeros(len(hashes), np.bool_)
    known[old] = True
    found = 0
    for start in range(0, len(fresh), 30):
        some = fresh[start : start + 30]
        seen = known.copy()
        seen[some] = True
        alone = turned_pairs([one if seen[at] else None for at, one in enumerate(hashes)], some, silent)
        part = once.of(some, known)
        np.testing.assert_array_equal(part.pairs, alone.pairs)
        np.testing.assert_array_equal(part.orientation, alone.orientation)
        known, found = seen, found + len(part.pairs)
    assert found == len(once.pairs) > 100
