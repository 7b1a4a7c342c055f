"""Views of a query's picture: as it is, mirrored, in negative, and both, and its parts; the last views are kept.

Local features cannot recognise mirrored or negative copies, so by them the query is described in all four ways; SIFT,
which takes most of the time, runs once for all of them. A network recognises such copies by itself: where it takes
part, the picture as it is finds as many of them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from app.indexes.descriptor_kinds import load_extractor
from app.search.criterion import Alternatives, Vector
from core.systems import system
from features.descriptor import Descriptor, Extractor
from features.keypoints.keypoints import Keypoints
from features.keypoints.sift import Cap
from features.pictures.picture import Picture
from storage.library.transaction import Transaction
from storage.photographs.descriptors import KindRow

_PICTURES = 64
_EXTRACTORS = 4  # some take 30 MB

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class View:
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
    def alone(cls, vector: Vector) -> View:
        """Make the view of a picture from its one vector."""
        return cls(vector[None], np.empty((0, len(vector)), np.float32))


def needs_variants(descriptor: Descriptor) -> bool:
    """Return whether mirrored and negative copies are found only by a query that is mirrored and in negative, too."""
    return bool(descriptor.caps) and not descriptor.recognises_variants


def views(
    picture: Picture, wanted: Mapping[str, tuple[Descriptor, Extractor]], with_variants: bool, with_parts: bool
) -> dict[str, View]:
    """Describe a picture by several descriptors, its parts by those of local features, and its variants by need.

    Parameters
    ----------
    picture : Picture
    wanted : mapping of str to (Descriptor, Extractor)
        By any keys.
    with_variants, with_parts : bool

    Returns
    -------
    dict of str to View
        By the same keys.
    """
    from app.library.extraction import describe  # here, since nothing is described of a photograph of the library
    from features.question.question_pictures import parts, variants

    every = sorted({cap for declared, _ in wanted.values() for cap in declared.caps})
    changed = with_variants and any(needs_variants(declared) for declared, _ in wanted.values())
    shown = variants(picture, every) if changed else (picture,)
    cut = parts(picture, every[-1], every[:-1]) if every and with_parts else ()
    made = {}
    for key, (declared, extractor) in wanted.items():
        alternatives = [describe(extractor, one) for one in (shown if needs_variants(declared) else shown[:1])]
        of_parts = _each(extractor, cut if declared.caps else ())
        made[key] = View(
            np.stack(alternatives).astype(np.float32),
            np.array(of_parts, np.float32).reshape(-1, len(alternatives[0])),
        )
    return made


def _each(extractor: Extractor, pictures: Sequence[Picture]) -> list[npt.NDArray[np.float16]]:
    """Describe several pictures, at the same time where there are processors: a network takes 10 ms for each."""
    if not pictures:
        return []
    from app.library.extraction import describe

    with ThreadPoolExecutor(min(len(pictures), system.processors()), thread_name_prefix="parts") as pool:
        return list(pool.map(partial(describe, extractor), pictures))


class Kept(Generic[Key, Value]):
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


class DescribedPictures:
    """Cache of described pictures, so that a search with another weight is quick.

    Attributes
    ----------
    views : Kept
        By the picture's digest, the kind's key, and whether variants and parts are included.
    keypoints : Kept
        By the picture's digest, and which keypoints are looked for.
    """

    def __init__(self) -> None:
        self.views: Kept[tuple[bytes, str, bool], View] = Kept(_PICTURES)
        self.keypoints: Kept[tuple[bytes, Cap], Keypoints] = Kept(_PICTURES)
        self._extractors: Kept[str, Extractor] = Kept(_EXTRACTORS)

    def extractor(self, r: Transaction, kind: KindRow) -> Extractor:
        """Return the extractor of a kind; loading one may take longer than describing a picture."""
        found = self._extractors.get(kind.key)
        if found is None:
            found = load_extractor(r, kind)
            self._extractors.keep(kind.key, found)
        return found
