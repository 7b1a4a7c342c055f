"""The difference of two pictures that were painted at the same place."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

Painted = np.ndarray[Any, np.dtype[np.uint8]]
"""Blue, green, red and alpha, (h, w, 4)."""

_AMPLIFIED = 3
_UNSEEN = 0xFF1E1E1E


def difference(first: Painted, second: Painted) -> Painted:
    """Return how two pictures differ, three times as strong, and dark grey where one is not seen; changes the first."""
    unseen = cv2.extractChannel(cv2.min(first, second), 3) < 255
    apart = cv2.convertScaleAbs(cv2.absdiff(first, second, first), first, _AMPLIFIED)
    np.copyto(apart.view(np.uint32)[..., 0], _UNSEEN, where=unseen)
    return np.asarray(apart, np.uint8)
