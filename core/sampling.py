"""Training samples that depend on what the items are and on a seed, not on the order in which they arrived."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def sample(contents: Sequence[bytes], size: int, seed: int) -> list[int]:
    """Choose items by seed and content.

    Parameters
    ----------
    contents : sequence of bytes
        A content hash for each item; of items with equal content only the first is taken.
    size : int
        How many to choose at most.
    seed : int

    Returns
    -------
    list of int
        Places in ``contents``, ordered by the draw: the same contents give the same items in the same order,
        wherever they stand.

    Examples
    --------
    >>> some = sample([b"a", b"b", b"c", b"a"], 2, seed=1)
    >>> [[b"a", b"b", b"c", b"a"][i] for i in some] == [[b"c", b"a", b"b"][i] for i in sample([b"c", b"a", b"b"], 2, 1)]
    True
    """
    salt = seed.to_bytes(8, "little")
    places: dict[bytes, int] = {}
    for place, content in enumerate(contents):
        places.setdefault(content, place)
    drawn = sorted((hashlib.blake2b(content, digest_size=16, key=salt).digest(), place) for content, place in places.items())
    return [place for _, place in drawn[:size]]


def digest(contents: Sequence[bytes]) -> bytes:
    """Give the digest of a chosen sample, for the identity of what is fitted on it."""
    return hashlib.sha256(b"".join(contents)).digest()
