"""VLAD of crops of photographs, 500 visual words x 128, which is also 250 x 256; words from other photographs.

Some crops have near copies, the same but for a few pixels at its borders: without them no two items are so alike that
the kernel is above 0.8, and of the upper end of a curve over it nothing could be seen.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from science.papers.data_set import DataSet, Made, open_photograph, source_photographs
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part
from twinlens.features.keypoints.sift import local_features
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading import crop
from twinlens.features.vocabulary.vlad import INTRA_NORMALISATION, POWER, vlad
from twinlens.features.vocabulary.vocabulary import Codebook, gather_features, learn_centres

CENTRES = 500
KEYPOINTS = 500
COPIED, SHIFTS = 8, (0.01, 0.03, 0.06)
"""Of how many crops one has near copies; and by which parts of its sides these are moved, each."""

COUNT = 1_000
"""Crops in all, as many of each photograph: each covers 35 to 100 % of both its sides, so some are alike."""


def make(progress: Progress) -> Made:
    """Learn the words on 40 % of the photographs, and describe crops of the others."""
    source = source_photographs(part(progress, 0, 0.1))
    described, aside = source.split(0.4)
    found = gather_features((open_photograph(file) for file in aside), 1_000, len(aside), 0, part(progress, 0.1, 0.2))
    codebook = learn_centres(found, CENTRES, 0, part(progress, 0.2, 0.3))
    rng = np.random.default_rng(3)
    a_group = 1 + len(SHIFTS) / COPIED
    each = math.ceil(COUNT / (a_group * max(1, len(described))))
    groups: list[npt.NDArray[np.float32]] = []
    for number, file in enumerate(described):
        progress(0.3 + 0.7 * number / len(described), 1, Message("Describing crops"))
        picture = open_photograph(file)
        for _ in range(each):
            size = rng.uniform(0.35, 1, 2)
            corner = rng.uniform(0, 1 - size)
            shifts = (0.0, *SHIFTS) if len(groups) % COPIED == 0 else (0.0,)
            boxes = [np.clip(corner + shift * size * rng.choice([-1, 1], 2), 0, 1 - size) for shift in shifts]
            rows = [_described(picture, box, size, codebook) for box in boxes]
            groups.append(np.stack([row for row in rows if row.any()] or [np.zeros(0, np.float32)]))
    order = np.random.default_rng(4).permutation(len(groups))
    table = np.concatenate([groups[one] for one in order if groups[one].size])[:COUNT]
    return Made({"base": table}, source.packages, {"base": len(described)})


def _described(
    picture: Picture, corner: npt.NDArray[np.float64], size: npt.NDArray[np.float64], codebook: Codebook
) -> npt.NDArray[np.float32]:
    """Describe a crop, by its corner and size as shares of the photograph's sides."""
    box = np.concatenate([corner, corner + size])
    seen = crop(picture, (float(box[0]), float(box[1]), float(box[2]), float(box[3])))
    matrix = vlad(local_features(seen, KEYPOINTS).roots, codebook, POWER, INTRA_NORMALISATION)
    return np.asarray(matrix.ravel(), np.float32)


VLAD_CROPS = DataSet(
    "vlad-crops",
    "VLAD (500 x 128) of crops of photographs, some with near copies",
    make,
    version=4,
)
