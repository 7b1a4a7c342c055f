"""Learning what "similar" means from marks: whether a metric is worth keeping, which one, and what to mark next."""

from __future__ import annotations

ENOUGH = 20
"""Marks from which on it is known what a metric brings."""


def marks_wanted(marks: int) -> int:
    """Return how many more marks would help, as long as nothing was learned from them; 0 where there are enough.

    Examples
    --------
    >>> marks_wanted(2), marks_wanted(40)
    (18, 0)
    """
    return max(0, ENOUGH - marks)
