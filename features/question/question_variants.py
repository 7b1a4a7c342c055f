"""A question's picture mirrored, in negative, and both: copies get about so, and nothing that is indexed shows it.

SIFT is run once. What it would find in the other three pictures is known from the first (see
`features.keypoints.keypoints`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from features.keypoints.keypoints import inverted_roots, mirrored_roots
from features.keypoints.sift import Cap, LocalFeatures, keep_local_features, local_features
from features.pictures.picture import Picture


def variants(picture: Picture, keypoints: Sequence[int | Cap]) -> tuple[Picture, Picture, Picture, Picture]:
    """Return a picture as it is, mirrored, in negative, and mirrored in negative.

    Parameters
    ----------
    picture : Picture
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
