"""VLAD of crops of photographs, 500 visual words x 128, which is also 250 x 256; words from other photographs."""

from __future__ import annotations

import numpy as np

from core.message import Message
from core.progress import Progress, part
from features.keypoints.sift import local_features
from features.reading.cropping import crop
from features.vocabulary.vlad_residuals import INTRA_NORMALISATION, POWER, vlad
from features.vocabulary.vocabulary import gather, learn
from tests.papers.data_set import DataSet, Made
from tests.papers.photographs import drawn, open_photograph, source_photographs

CENTRES = 500
KEYPOINTS = 500
COUNT, PART = 5_000, 1_000
"""Crops in all, the same number of each photograph: each covers 35 to 100 % of both its sides, so some are alike."""


def make(progress: Progress) -> Made:
    """Learn the words on 40 % of the photographs, and describe crops of the others."""
    source = source_photographs(part(progress, 0, 0.1))
    described, aside = source.split(0.4)
    found = gather((open_photograph(file) for file in aside), 1_000, len(aside), 0, part(progress, 0.1, 0.2))
    codebook = learn(found, CENTRES, 0, part(progress, 0.2, 0.3))
    rng = np.random.default_rng(3)
    each = -(-COUNT // max(1, len(described)))
    rows = []
    for number, file in enumerate(described):
        progress(0.3 + 0.7 * number / len(described), 1, Message("Describing crops"))
        picture = open_photograph(file)
        for _ in range(each):
            width, height = rng.uniform(0.35, 1, 2)
            left, top = rng.uniform(0, 1 - width), rng.uniform(0, 1 - height)
            seen = crop(picture, (float(left), float(top), float(left + width), float(top + height)))
            matrix = vlad(local_features(seen, KEYPOINTS).roots, codebook, POWER, INTRA_NORMALISATION)
            rows.append(matrix.ravel())
    table = drawn([one[None] for one in rows if one.any()], COUNT, seed=4)
    photographs = {"base": len(described), "part": len(described)}
    return Made({"base": table, "part": table[:PART]}, source.packages, photographs)


VLAD_CROPS = DataSet(
    "vlad-crops",
    "VLAD (500 x 128) of crops of photographs",
    make,
    version=2,
    whole="vlad-crops",
)
