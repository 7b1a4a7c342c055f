"""Views of a query's picture: as it is, mirrored, in negative, and both, and its parts; the last views are kept.

Local features cannot recognise mirrored or negative copies, so by them the query is described in all four ways; SIFT,
which takes most of the time, runs once for all of them. A network recognises such copies by itself: where it takes
part, the picture as it is finds as many of them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from app.search.criterion import Alternatives, Vector
from features.descriptor import Descriptor
from features.keypoints.keypoints import Keypoints
from features.keypoints.sift import Cap

_PICTURES = 64

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class PictureView:
    """A picture as one kind of descriptor sees it.

    Attributes
    ----------
    alternatives : ndarray of float32, (1, d) or (4, d)
        As the library would keep it; then mirrored, in negative, and both.
    parts : ndarray of float32, (p, d)
        Of its parts that are not blank; empty where parts are not wanted.
    """

    alternatives: Alternatives
    parts: npt.NDArray[np.float32]

    @classmethod
    def alone(cls, vector: Vector) -> PictureView:
        """Make the view of a picture from its one vector."""
        return cls(vector[None], np.empty((0, len(vector)), np.float32))


def needs_variants(descriptor: Descriptor) -> bool:
    """Return whether mirrored and negative copies are found only by a query that is mirrored and in negative, too."""
    return bool(descriptor.caps) and not descriptor.recognises_variants


class RecentValues(Generic[Key, Value]):
    """Cache of the last few values; safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self._lock = threading.Lock()
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """Return the value of a key; None if it is not kept."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value; the one unused for longest is dropped where there are too many."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)


class PictureViewCache:
    """Cache of described pictures, so that a search with another weight is quick.

    Attributes
    ----------
    views : Kept
        By the picture's digest, the kind's key, and whether variants and parts are included.
    keypoints : Kept
        By the picture's digest, and which keypoints are looked for.
    sent : set of str
        Keys of the extractors that a process was given for them.
    """

    def __init__(self) -> None:
        self.views: RecentValues[tuple[bytes, str, bool], PictureView] = RecentValues(_PICTURES)
        self.keypoints: RecentValues[tuple[bytes, Cap], Keypoints] = RecentValues(_PICTURES)
        self.sent: set[str] = set()
