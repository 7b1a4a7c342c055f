"""Photographs side by side: how one lies over the other, what is better in each, and how an edited version differs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from twinlens.app.duplicates.comparing.compared_contents import compared_content
from twinlens.app.duplicates.comparing.comparing_tasks import AlignmentTask
from twinlens.app.duplicates.comparing.comparison import relation_from_json
from twinlens.app.duplicates.comparing.pair_confirmation import AlignmentCache
from twinlens.app.library.library import Library
from twinlens.app.library.pictures import large_picture
from twinlens.app.library.workers import decoders
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message, counted
from twinlens.features.copies import RelationKind
from twinlens.features.copies.perceptual_hash import UPRIGHT
from twinlens.features.copies.relation import Relation
from twinlens.features.decoders.jpeg import estimated_quality
from twinlens.features.reading.reading_limits import UnreadableError
from twinlens.storage.photographs.photographs import PhotographRow

Places = tuple[float, ...]
"""A map of nine numbers, row by row, in shares of each picture's longer side."""


@dataclass(frozen=True)
class AlignedPhotograph:
    """One of several photographs side by side.

    Attributes
    ----------
    quality : int or None
        The quality of a JPEG, from 1 to 100.
    better, worse : frozenset of str
        The facts in which it is among the best and another is worse, and those in which another is better:
        ``pixels``, ``bytes``, ``taken``, ``camera``, ``quality``.
    differs : tuple of Message
        How it differs from the first.
    places : tuple of float or None
        The map from the first to this one; None where none is known.
    """

    id: int
    path: str
    width: int
    height: int
    bytes: int
    format: str
    taken: str | None
    camera: str | None
    quality: int | None
    better: frozenset[str]
    worse: frozenset[str]
    differs: tuple[Message, ...]
    places: Places | None


def align_photographs(library: Library, ids: Sequence[int]) -> list[AlignedPhotograph]:
    """Compare photographs, each with the first; unknown ones are left out.

    Parameters
    ----------
    ids : sequence of int
        The others are laid over the first.
    """
    with library.store.reading() as r:
        rows = [row for row in r.photographs.by_id(list(ids)) if row.content_hash is not None]
        rows.sort(key=lambda row: list(ids).index(row.id))
        paths = library.paths(r, rows)
        known = {
            (row.first, row.second): relation_from_json(row)
            for row in r.comparisons.of([row.content_hash or b"" for row in rows])
        }
    relations = [_relation(library, rows[0], row, known) for row in rows]
    qualities = [_quality(row, path) for row, path in zip(rows, paths, strict=True)]
    facts = [_facts(row, quality) for row, quality in zip(rows, qualities, strict=True)]
    best = {name: max(one[name] for one in facts if name in one) for name in set().union(*facts)}
    least = {name: min(one[name] for one in facts if name in one) for name in best}
    return [
        AlignedPhotograph(
            row.id,
            shown(path),
            row.width or 0,
            row.height or 0,
            row.size,
            row.format or "",
            row.noted,
            row.camera,
            quality,
            frozenset(name for name, value in own.items() if least[name] < value == best[name]),
            frozenset(name for name, value in own.items() if value < best[name]),
            tuple(difference_words(found)),
            None if found is None or not found.places else found.places,
        )
        for row, path, quality, own, found in zip(rows, paths, qualities, facts, relations, strict=True)
    ]


def _relation(
    library: Library, first: PhotographRow, second: PhotographRow, known: dict[tuple[bytes, bytes], Relation]
) -> Relation | None:
    """Return the relation of the second to the first: the stored one, else by aligning the two now."""
    a, b = first.content_hash or b"", second.content_hash or b""
    if a == b:
        return Relation(RelationKind.SAME, 1.0, 1.0, places=(1, 0, 0, 0, 1, 0, 0, 0, 1))
    found = known.get((min(a, b), max(a, b)))
    if found is not None and found.places:
        return found if a < b else found.turned_around()
    with library.store.reading() as r:
        looks = AlignmentCache(library).of(r, [compared_content(first), compared_content(second)])
    if len(looks) < 2:
        return None
    try:
        laid = decoders.ask(AlignmentTask(looks[a], looks[b], UPRIGHT))
    except UnreadableError:
        return None
    return laid.relation if laid is not None and laid.relation.kind is not RelationKind.OTHER else None


def _quality(row: PhotographRow, path: bytes) -> int | None:
    """Return the quality with which a JPEG was saved; None of other formats, and where it cannot be read now."""
    if row.format != "JPEG":
        return None
    try:
        with open(path, "rb") as file:
            return estimated_quality(file)
    except OSError:
        return None


def _facts(row: PhotographRow, quality: int | None) -> dict[str, int]:
    """Return the facts that can be better in one photograph than in another; more is better."""
    facts = {
        "pixels": (row.width or 0) * (row.height or 0),
        "bytes": row.size,
        "taken": int(row.noted is not None),
        "camera": int(row.camera is not None),
    }
    return facts if quality is None else facts | {"quality": quality}


_OVER = 0.02


def difference_words(found: Relation | None) -> list[Message]:
    """Describe how the second picture of a relation differs from the first, the largest difference first.

    Parameters
    ----------
    found : Relation or None
        None, or of two that are the same picture, has no words.
    """
    if found is not None and found.kind is RelationKind.DAMAGED:
        return [_damaged(found)]
    if found is None or found.kind is not RelationKind.EDITED:
        return []
    words = [*_counted(found), *_shown(found), *_laid(found), *_coloured(found)]
    if found.differing > _OVER and not words:
        words.append(Message("something added"))
    return words or [Message("slightly changed")]


def _damaged(found: Relation) -> Message:
    """Describe which of two is damaged, and from where on."""
    share = round(100 * found.damaged_from)
    if found.second_damaged is None:
        return Message("one of both is damaged, about {share} % down", share=share)
    if found.second_damaged:
        return Message("damaged from about {share} % down", share=share)
    return Message("whole: the other one is damaged from about {share} % down", share=share)


def _counted(found: Relation) -> list[Message]:
    """Describe that it has more or fewer frames or pages."""
    first, second = found.frames
    if first == second:
        return []
    return [
        counted(
            "{count} frame or page instead of {other}",
            "{count} frames or pages instead of {other}",
            second,
            other=first,
        )
    ]


_PART = 0.97


def shows_other(found: Relation | None) -> bool:
    """Return whether the second picture shows something that the first does not: it was not made from that alone."""
    return found is not None and found.second_seen < _PART


def _shown(found: Relation) -> list[Message]:
    """Describe which part of the picture it shows."""
    cropped, extended = found.first_seen < _PART, shows_other(found)
    if cropped and extended:
        return [Message("another part of the picture")]
    if cropped:
        return [Message("cropped to {share} %", share=max(1, round(100 * found.first_seen)))]
    return [Message("shows more of the scene")] if extended else []


_TURN = 1.5  # degrees
_STRETCH = 0.03


def _laid(found: Relation) -> list[Message]:
    """Describe how it is turned, mirrored and stretched."""
    words = []
    upside_down = found.mirrored and abs(abs(found.turned) - 180) < _TURN
    if upside_down:
        words.append(Message("upside down"))
    elif found.mirrored:
        words.append(Message("mirrored"))
    if abs(found.turned) > _TURN and not upside_down:
        words.append(Message("turned by {degrees}°", degrees=round(abs(found.turned))))
    if abs(found.stretched - 1) > _STRETCH:
        words.append(Message("stretched"))
    return words


_LIGHT = 12.0  # levels
_GREY, _PALE, _STRONG = 0.15, 0.75, 1.35
_HUE = 12.0


def _coloured(found: Relation) -> list[Message]:
    """Describe how its light and colours differ."""
    if found.negative:
        return [Message("in negative")]
    if found.colour < _GREY:
        return [Message("grey")]
    words = []
    if abs(found.lighter) > _LIGHT:
        words.append(Message("lighter") if found.lighter > 0 else Message("darker"))
    if found.colour > 1 / _GREY:
        words.append(Message("in colour"))
    elif not _PALE < found.colour < _STRONG or found.hue_off > _HUE:
        words.append(Message("other colours"))
    return words


_SHARPNESS_SIDE = 1024  # px of the longer side


def sharpness(library: Library, ids: Sequence[int]) -> dict[int, float]:
    """Measure how sharp photographs are: the variance of the Laplacian of each, all reduced to one size.

    It compares shots of one scene, and says nothing of different scenes. Pictures that cannot be read are left out.
    J. L. Pech-Pacheco et al., Diatom autofocusing in brightfield microscopy, ICPR 2000.
    """
    pictures = {}
    for one in ids:
        with suppress(TwinlensError):
            pictures[one] = cv2.cvtColor(large_picture(library, one, _SHARPNESS_SIDE), cv2.COLOR_RGB2GRAY)
    side = min((max(one.shape) for one in pictures.values()), default=0)
    measured = {}
    for one, grey in pictures.items():
        share = side / max(grey.shape)
        equal = grey if share == 1 else cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        measured[one] = float(cv2.Laplacian(equal, cv2.CV_32F).var())
    return measured


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
