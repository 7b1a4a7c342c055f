"""Edge histograms and GIST of random crops of photographs; base and queries from different photographs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from science.papers.data_set import DataSet, Made, drawn, open_photograph, source_photographs
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part
from twinlens.features.brightness.edge_histogram import Edges
from twinlens.features.brightness.gist import Gist
from twinlens.features.descriptor import Extractor
from twinlens.features.pictures.picture import Picture, Region
from twinlens.features.reading.reading import crop

SMALLEST, LARGEST = 64, 512
"""Pixels of the side of a crop; drawn evenly on a logarithmic scale."""

OVERLAP = 0.3
"""Two crops of a photograph share less than this of what they cover together."""

TRIES = 900
EDGES, GISTS = 300, 60
"""Crops of a photograph, at most: describing one by GIST takes long."""

PART, QUERIES = 20_000, 1_000


def make_edges(progress: Progress) -> Made:
    """Count the edges of crops, of parts and of groups of parts: 150 numbers."""
    return _make(Edges(groups=True).fit(lambda: ()), EDGES, progress)


def make_gist(progress: Progress) -> Made:
    """Describe crops by GIST: 960 numbers."""
    return _make(Gist().fit(lambda: ()), GISTS, progress)


def _make(extractor: Extractor, most: int, progress: Progress) -> Made:
    source = source_photographs(part(progress, 0, 0.2))
    base, aside = source.split(0.2)
    of_base = _described(base, extractor, most, part(progress, 0.2, 0.8))
    of_queries = _described(aside, extractor, most, part(progress, 0.8, 1))
    table = drawn(of_base, 10**9, seed=1)
    arrays = {"base": table, "part": table[:PART], "queries": drawn(of_queries, QUERIES, seed=2)}
    photographs = {"base": len(base), "part": len(base), "queries": len(aside)}
    return Made(arrays, source.packages, photographs)


def _described(
    files: tuple[Path, ...], extractor: Extractor, most: int, progress: Progress
) -> list[npt.NDArray[np.float32]]:
    tables = []
    for number, file in enumerate(files):
        progress(number, len(files), Message("Describing crops"))
        picture = open_photograph(file)
        rows = [extractor.extract(one) for one in crops(picture, number, most)]
        table = np.stack(rows).astype(np.float32) if rows else np.zeros((0, 1), np.float32)
        tables.append(table[table.any(axis=1)])  # flat sky has no edge
    return [_summing_to_one(table) for table in tables if len(table)]


def crops(picture: Picture, seed: int, most: int) -> Iterator[Picture]:
    """Cut squares of random size and place out of a photograph."""
    rng = np.random.default_rng(seed)
    height, width = picture.grey.shape
    taken = np.zeros((0, 4))
    for _ in range(TRIES):
        largest = min(LARGEST, height, width)
        if len(taken) == most or largest < SMALLEST:
            return
        side = float(np.exp(rng.uniform(np.log(SMALLEST), np.log(largest))))
        left, top = rng.uniform(0, width - side), rng.uniform(0, height - side)
        box = np.array([left, top, left + side, top + side])
        if (overlaps(box, taken) < OVERLAP).all():
            taken = np.concatenate([taken, box[None, :]])
            shares = (box / [width, height, width, height]).clip(0, 1)
            region: Region = (float(shares[0]), float(shares[1]), float(shares[2]), float(shares[3]))
            yield crop(picture, region)


def overlaps(box: npt.NDArray[np.float64], others: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Divide what a box (left, top, right, bottom) has in common with each other by what both cover, (n, 4) -> (n,)."""
    sides = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])
    common = np.maximum(sides, 0).prod(axis=1)
    return np.asarray(common / ((box[2:] - box[:2]).prod() + (others[:, 2:] - others[:, :2]).prod(axis=1) - common))


def _summing_to_one(table: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    wide = table.astype(np.float64)
    return np.asarray(wide / wide.sum(axis=1, keepdims=True), np.float32)


EDGE_CROPS = DataSet(
    "edge-crops",
    "Edge histograms of crops of photographs",
    make_edges,
    version=2,
)
GIST_CROPS = DataSet("gist-crops", "GIST of crops of photographs", make_gist)
