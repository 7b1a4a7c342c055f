"""Variants of a query's picture: mirrored, in negative, both, and parts of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinlens.features.keypoints.keypoints import inverted_roots, mirrored_roots
from twinlens.features.keypoints.sift import Cap, LocalFeatures, keep_local_features, local_features
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading import crop

SIDE = 0.5
"""Share of width and height of a part."""

FEWEST = 12
"""A part with fewer local features says nothing."""

_CORNERS = ((0.0, 0.0), (0.5, 0.0), (0.25, 0.25), (0.0, 0.5), (0.5, 0.5))


def query_variants(picture: Picture, keypoints: Sequence[int | Cap]) -> tuple[Picture, Picture, Picture, Picture]:
    """Return a picture as it is, mirrored, in negative, and mirrored in negative.

    Parameters
    ----------
    keypoints : sequence of int or Cap
        The caps of the local features that the descriptors at hand ask for; they are not looked for again.
    """
    other = mirrored(picture, keypoints)
    return picture, other, inverted(picture, keypoints), inverted(other, keypoints)


def mirrored(picture: Picture, keypoints: Sequence[int | Cap] = ()) -> Picture:
    """Exchange left and right."""
    mask = None if picture.mask is None else np.ascontiguousarray(picture.mask[:, ::-1])
    other = Picture(np.ascontiguousarray(picture.rgb[:, ::-1]), mask, picture.facts)
    for cap in keypoints:
        keep_local_features(other, cap, _mirrored(local_features(picture, cap), picture.rgb.shape[1]))
    return _read_only(other)


def inverted(picture: Picture, keypoints: Sequence[int | Cap] = ()) -> Picture:
    """Return the negative; what is transparent stays mid-grey, nearly."""
    other = Picture(255 - picture.rgb, picture.mask, picture.facts)
    for cap in keypoints:
        keep_local_features(other, cap, _inverted(local_features(picture, cap)))
    return _read_only(other)


def _read_only(picture: Picture) -> Picture:
    picture.rgb.flags.writeable = False
    if picture.mask is not None:
        picture.mask.flags.writeable = False
    return picture


def _mirrored(found: LocalFeatures, width: int) -> LocalFeatures:
    places = np.column_stack((np.float32(width - 1) - found.places[:, 0], found.places[:, 1]))
    return LocalFeatures(places, found.sizes, np.mod(180 - found.angles, 360), mirrored_roots(found.roots))


def _inverted(found: LocalFeatures) -> LocalFeatures:
    return LocalFeatures(found.places, found.sizes, np.mod(180 + found.angles, 360), inverted_roots(found.roots))


def query_parts(picture: Picture, keypoints: int | Cap, others: Sequence[int | Cap] = ()) -> tuple[Picture, ...]:
    """Cut out the parts that have enough local features.

    Parameters
    ----------
    keypoints : int or Cap
        Cap of the local features of the whole; those of a part are among them.
    others : sequence of int or Cap
        Further caps that descriptors ask for.
    """
    found = local_features(picture, keypoints)
    height, width = picture.rgb.shape[:2]
    cut = []
    x, y = found.places[:, 0] / width, found.places[:, 1] / height
    for left, top in _CORNERS:
        inside = (x >= left) & (x < left + SIDE) & (y >= top) & (y < top + SIDE)
        if inside.sum() < FEWEST:
            continue
        part = crop(picture, (left, top, left + SIDE, top + SIDE))
        for cap in (keypoints, *others):
            _keep(part, cap, local_features(picture, cap), (int(left * width), int(top * height)))
        cut.append(part)
    return tuple(cut)


def _keep(part: Picture, cap: int | Cap, found: LocalFeatures, corner: tuple[int, int]) -> None:
    height, width = part.rgb.shape[:2]
    x, y = found.places[:, 0] - corner[0], found.places[:, 1] - corner[1]
    inside = (x >= -0.5) & (x < width) & (y >= -0.5) & (y < height)
    places = found.places[inside]
    places[:, 0] -= corner[0]
    places[:, 1] -= corner[1]
    kept = LocalFeatures(places, found.sizes[inside], found.angles[inside], found.roots[inside])
    keep_local_features(part, cap, kept)
