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
        At least 0.

    Returns
    -------
    list of int
        Places in ``contents``, ordered by the draw: the same contents give the same items in the same order,
        wherever they stand; and a larger sample begins with a smaller one.

    Examples
    --------
    >>> contents = [b"a", b"b", b"c", b"a"]
    >>> moved = [b"c", b"a", b"b"]
    >>> [contents[i] for i in sample(contents, 2, seed=1)] == [moved[i] for i in sample(moved, 2, seed=1)]
    True
    """
    places: dict[bytes, int] = {}
    for place, content in enumerate(contents):
        places.setdefault(content, place)
    # Content by keyed hash, and by itself where two hashes are equal: an order that all seeds draw anew.
    salt = hashlib.sha256(str(seed).encode()).digest()
    drawn = sorted((hashlib.blake2b(content, digest_size=16, key=salt).digest(), content) for content in places)
    return [places[content] for _, content in drawn[:size]]


def digest_of_sample(contents: Sequence[bytes]) -> bytes:
    """Return the digest of a chosen sample, 32 bytes, for the identity of what is fitted on it; the order counts."""
    h = hashlib.sha256()
    for content in contents:
        h.update(len(content).to_bytes(8, "little"))
        h.update(content)
    return h.digest()
