"""The keypoints that a library keeps with its photographs; damaged ones count as lacking."""

from __future__ import annotations

from collections.abc import Sequence

from app.indexes.fitted_models import usable_indexes
from app.methods import catalogue
from core.arrays import Int64Ids
from features.keypoints import keypoints
from features.keypoints.keypoints import cap_beside
from features.keypoints.sift import Cap
from storage.library.store import Transaction


def stored_keypoints(
    r: Transaction, ids: Sequence[int] | Int64Ids, version: int = keypoints.KEYPOINTS_VERSION
) -> list[bytes | None]:
    """Read the keypoints of photographs, in the order of the ids; None where there are none, or they are damaged."""
    return [one if one is not None and fits(version, one) else None for one in r.keypoints.read(ids, version)]


def kept_cap(r: Transaction) -> Cap:
    """Return the cap among whose keypoints a library keeps the strongest."""
    return cap_beside(cap for index in usable_indexes(r) for cap in catalogue.descriptor(index.descriptor).caps)


def fits(version: int, data: bytes) -> bool:
    """Return whether bytes can be keypoints of a version; True for a version that this program does not know."""
    return version != keypoints.KEYPOINTS_VERSION or keypoints.are_kept_keypoints(data)
