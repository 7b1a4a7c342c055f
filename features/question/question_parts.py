"""Parts of a question's picture, asked beside the whole: what is sought may be pasted into something else.

In a screenshot or a collage most keypoints are of what is around; in one of nine overlapping parts, each of half of the
width and height, most are of the photograph. SIFT is not run again: the part's local features are those that lie in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from features.keypoints.sift import Cap, LocalFeatures, keep_local_features, local_features
from features.pictures.picture import Picture
from features.reading.cropping import crop

SIDE = 0.5
"""Share of width and height of a part."""

FEWEST = 12
"""A part with fewer local features says nothing."""

_STARTS = (0.0, 0.25, 0.5)


def parts(picture: Picture, keypoints: int | Cap, others: Sequence[int | Cap] = ()) -> tuple[Picture, ...]:
    """Cut out the parts that have enough local features.

    Parameters
    ----------
    picture : Picture
    keypoints : int or Cap
        Cap of the local features of the whole; those of a part are among them.
    others : sequence of int or Cap
        Further caps that descriptors ask for.
    """
    found = local_features(picture, keypoints)
    height, width = picture.rgb.shape[:2]
    cut = []
    for top in _STARTS:
        for left in _STARTS:
            x, y = found.places[:, 0] / width, found.places[:, 1] / height
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
