"""Groups of photographs: edited copies of some, to be found by the photograph, among crops of others; VLAD of each.

As in Holidays with distractors: a few right answers for each query. Groups, distractors and the vocabulary are of
different photographs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from science.papers.data_set import DataSet, Made, open_photograph, source_photographs
from twinlens.core.arrays import Float32Vectors
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part
from twinlens.features.keypoints.sift import local_features
from twinlens.features.pictures.edits import EDITS, FURTHER_EDITS
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading import crop
from twinlens.features.vocabulary.vlad import INTRA_NORMALISATION, POWER, vlad
from twinlens.features.vocabulary.vocabulary import Codebook, gather_features, learn_centres

CENTRES, KEYPOINTS = 25, 500
NAMES = ("crop 50 %", "perspective", "gamma", "jpeg 10", "blur", "half size")
"""The edits: a crop, a homography, gamma, JPEG, blur and another size."""

GROUPS, DISTRACTORS = 100, 30
"""Photographs with copies, and crops of each of the others."""


def make(progress: Progress) -> Made:
    """Learn the words on 30 % of the photographs, make groups of some and distractors of the others."""
    source = source_photographs(part(progress, 0, 0.1))
    described, aside = source.split(0.3)
    found = gather_features((open_photograph(file) for file in aside), 1_000, len(aside), 0, part(progress, 0.1, 0.2))
    codebook = learn_centres(found, CENTRES, 0, part(progress, 0.2, 0.3))
    base: list[tuple[int, Float32Vectors]] = []
    queries: list[tuple[int, Float32Vectors]] = []
    distractor = GROUPS
    for number, file in enumerate(described):
        progress(
            0.3 + 0.7 * number / len(described),
            1,
            Message("Describing copies" if number < GROUPS else "Describing crops"),
        )
        picture = open_photograph(file)
        if number < GROUPS:
            queries.append((number, _vlad(picture, codebook)))
            base += [(number, _vlad(one, codebook)) for one in copies(picture, described[number - 1], number)]
            continue
        for one in _crops(picture, number):
            base.append((distractor, _vlad(one, codebook)))
            distractor += 1
    base = [one for one in base if one[1].any()]
    queries = [one for one in queries if one[1].any()]
    order = np.random.default_rng(6).permutation(len(base))
    arrays = {
        "base": np.stack([base[row][1] for row in order]),
        "labels": np.array([base[row][0] for row in order], np.int64),
        "queries": np.stack([row for _, row in queries]),
        "query_labels": np.array([label for label, _ in queries], np.int64),
    }
    photographs = {"base": len(described), "queries": len(queries)}
    return Made(arrays, source.packages, photographs)


def copies(picture: Picture, other: Path, seed: int) -> Iterator[Picture]:
    """Make the edited copies of a photograph."""
    by_name = {edit.name: edit for edit in (*EDITS, *FURTHER_EDITS)}
    another = open_photograph(other).rgb
    for number, name in enumerate(NAMES):
        yield Picture(by_name[name].apply(picture.rgb, another, 100 * seed + number), None, picture.facts)


def _crops(picture: Picture, seed: int) -> Iterator[Picture]:
    rng = np.random.default_rng(seed)
    for _ in range(DISTRACTORS):
        width, height = rng.uniform(0.35, 1, 2)
        left, top = rng.uniform(0, 1 - width), rng.uniform(0, 1 - height)
        yield crop(picture, (float(left), float(top), float(left + width), float(top + height)))


def _vlad(picture: Picture, codebook: Codebook) -> Float32Vectors:
    return vlad(local_features(picture, KEYPOINTS).roots, codebook, POWER, INTRA_NORMALISATION).ravel()


GROUPS_VLAD = DataSet(
    "groups-vlad",
    "VLAD (25 x 128) of edited copies of photographs and of crops of others",
    make,
)
