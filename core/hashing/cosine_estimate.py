"""Estimate of the angle between two items from the Hamming distance of random-hyperplane codes.

Charikar: Similarity Estimation Techniques from Rounding Algorithms, STOC 2002, eq. 1: a bit differs with probability
θ / π.
"""

from __future__ import annotations

import math

from core.message import Message

COSINE = Message("cosine")
"""What is estimated."""


def estimated_cosine(share: float) -> float:
    """Return the cosine of the angle whose expected share of differing bits is the one that was seen.

    Examples
    --------
    >>> [round(estimated_cosine(share), 6) + 0.0 for share in (0.0, 0.5, 1.0)]
    [1.0, 0.0, -1.0]
    """
    return math.cos(math.pi * share)
