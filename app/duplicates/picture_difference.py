"""The difference of two pictures that were painted at the same place."""

from __future__ import annotations

from typing import Any

import numpy as np

Painted = np.ndarray[Any, np.dtype[np.uint8]]
"""Blue, green, red and alpha, (h, w, 4)."""

_AMPLIFIED = 3
_OPAQUE, _UNSEEN = 0xFF000000, 0xFF1E1E1E


def painted_difference(first: Painted, second: Painted) -> Painted:
    """Return how two pictures differ, three times as strong, and dark grey where one is not seen; changes the first."""
    least = np.minimum(first, second)
    unseen = least.view(np.uint32)[..., 0] < _OPAQUE
    apart = np.maximum(first, second, out=first)
    apart -= least
    np.minimum(apart, 255 // _AMPLIFIED, out=apart)
    apart *= np.uint8(_AMPLIFIED)
    np.copyto(apart.view(np.uint32)[..., 0], _UNSEEN, where=unseen)
    return apart
