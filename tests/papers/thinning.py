"""Curves of many points with as few as a drawing needs: what is kept of results stays small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

STEP = 0.02
"""Points nearer than this, across and up, to the last that was taken are left out; recall and precision are shares."""


def thinned(row: dict[str, Any]) -> dict[str, Any]:
    """Give a row of a result with thin curves of precision over recall; other curves have few points."""
    rows = taken(row["precision_recall"])
    spread = row.get("precision_spread") or []
    return {
        **row,
        "precision_recall": [row["precision_recall"][one] for one in rows],
        "precision_spread": [spread[one] for one in rows] if spread else [],
    }


def taken(curve: Sequence[Sequence[float]]) -> list[int]:
    """Give the places of the points that are taken, the first and the last among them.

    Examples
    --------
    >>> taken([(0, 1), (0.001, 1), (0.5, 1), (0.501, 0.2), (0.502, 0.2)])
    [0, 2, 3, 4]
    """
    rows: list[int] = []
    for place, (x, y) in enumerate(curve):
        if rows and max(abs(x - curve[rows[-1]][0]), abs(y - curve[rows[-1]][1])) < STEP and place < len(curve) - 1:
            continue
        rows.append(place)
    return rows
