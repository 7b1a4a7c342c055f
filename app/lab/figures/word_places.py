"""Places for words in a drawing: beside lines and points, and names beside a plot, moved apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

_LETTERS = 25  # of a name in a line


class LabelBox(NamedTuple):
    """A rectangle in pixels, from its left and top."""

    left: float
    top: float
    width: float
    height: float


def beside_line(at: float, width: float, height: float, rows: int, gap: float = 5.0) -> list[LabelBox]:
    """Return candidates for the words of a line that stands at `at`: right and left of it, from above downwards."""
    found = []
    for row in range(rows):
        top = 2.0 + row * (height + 2.0)
        found += [LabelBox(at + gap, top, width, height), LabelBox(at - gap - width, top, width, height)]
    return found


def along_line(at: float, width: float, height: float, length: float, gap: float = 3.0) -> list[LabelBox]:
    """Return candidates for the words of a line that lies at `at`: above and below it, from the left on."""
    found = []
    for share in (0.0, 1.0, 0.5, 0.25, 0.75):
        left = 4.0 + share * max(0.0, length - width - 8.0)
        found += [LabelBox(left, at - gap - height, width, height), LabelBox(left, at + gap, width, height)]
    return found


def around_point(x: float, y: float, width: float, height: float, gap: float = 9.0) -> list[LabelBox]:
    """Return candidates for the words of a point: above, below, right and left of it, and at its corners.

    The usual gap leaves room for a ring around the point.
    """
    return [
        LabelBox(x - width / 2, y - gap - height, width, height),
        LabelBox(x - width / 2, y + gap, width, height),
        LabelBox(x + gap, y - height / 2, width, height),
        LabelBox(x - gap - width, y - height / 2, width, height),
        LabelBox(x + gap * 0.7, y - gap * 0.7 - height, width, height),
        LabelBox(x - gap * 0.7 - width, y - gap * 0.7 - height, width, height),
        LabelBox(x + gap * 0.7, y + gap * 0.7, width, height),
        LabelBox(x - gap * 0.7 - width, y + gap * 0.7, width, height),
    ]


def folded_label(name: str) -> str:
    """Break a long name where its parts meet."""
    lines = [""]
    for piece in name.replace(" · ", " · \0").replace(",", ",\0").replace(":", ":\0").split("\0"):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > _LETTERS:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.strip() for line in lines)


def spread_labels(wanted: Sequence[float], heights: Sequence[float], low: float, high: float) -> list[float]:
    """Move labels apart, as little as can be: of places that fall, so that none overlaps and all are within bounds.

    Labels that touch stand together, around the mean of where they want to be (pool of adjacent violators).

    Parameters
    ----------
    wanted : sequence of float
        Middles, falling.
    heights : sequence of float
    low, high : float
        Bounds of all, as long as there is room.

    Examples
    --------
    >>> spread([0.9, 0.5, 0.5], [0.1, 0.1, 0.1], 0.0, 1.0)
    [0.9, 0.55, 0.45]
    """
    groups: list[tuple[float, list[int]]] = []  # top of a group, and what stands in it
    for place in range(len(wanted)):
        group, top = [place], wanted[place] + heights[place] / 2
        top = min(top, high)
        while groups:
            above_top, above = groups[-1]
            if above_top - sum(heights[one] for one in above) >= top - 1e-12:
                break
            groups.pop()
            group = [*above, *group]
            before = np.concatenate([[0.0], np.cumsum([heights[one] for one in group])])
            tops = [wanted[one] + heights[one] / 2 + before[i] for i, one in enumerate(group)]
            total = float(before[-1])
            top = min(max(float(np.mean(tops)), low + total), high)
        total = sum(heights[one] for one in group)
        groups.append((max(top, min(low + total, high)), group))
    found = [0.0] * len(wanted)
    floor = low
    for top, group in reversed(groups):
        total = sum(heights[one] for one in group)
        lifted = max(top, floor + total)
        at = lifted
        for one in group:
            found[one] = round(at - heights[one] / 2, 9)
            at -= heights[one]
        floor = lifted
    return found
