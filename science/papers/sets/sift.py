"""Raw SIFT of photographs as histograms: rows of sum 1, base and queries from different photographs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from science.papers.data_set import DataSet, Made, data_folder, drawn, open_photograph, ready, source_photographs
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part

A_PHOTOGRAPH, MOST_A_PHOTOGRAPH = 2_000, 8_000
"""Keypoints taken of one photograph, at most, and where as many are wanted as there are."""

BASE, MOST, MORE, PART, QUERIES = 200_000, 1_000_000, 60_000, 40_000, 2_000
VIEWS = 2
"""Of each photograph beside itself, where a million are wanted, as cameras elsewhere would see it."""


def make(progress: Progress) -> Made:
    """Describe some keypoints of all photographs."""
    made = _make(A_PHOTOGRAPH, BASE, progress)
    photographs = {**made.photographs, "part": made.photographs["base"]}
    return replace(made, arrays={**made.arrays, "part": made.arrays["base"][:PART]}, photographs=photographs)


def make_more(progress: Progress) -> Made:
    """Take as many of these as 5 % of them are 3,000."""
    facts = ready(SIFT, progress)
    arrays = {name: np.load(data_folder() / SIFT.name / f"{name}.npy")[:MORE] for name in ("base", "queries")}
    return Made(arrays, facts.packages, {name: facts.files[name].photographs for name in arrays})


def make_all(progress: Progress) -> Made:
    """Describe all keypoints of all photographs."""
    return _make(MOST_A_PHOTOGRAPH, MOST, progress)


def make_million(progress: Progress) -> Made:
    """Describe all keypoints of all photographs and of other views of them, and draw a million."""
    return _make(MOST_A_PHOTOGRAPH, MOST, progress, VIEWS)


def _make(most: int, count: int, progress: Progress, views: int = 0) -> Made:
    source = source_photographs(part(progress, 0, 0.2))
    base, aside = source.split(0.2)
    of_base = _described(base, most, part(progress, 0.2, 0.8), views)
    of_queries = _described(aside, most, part(progress, 0.8, 1))
    table = drawn(of_base, count, seed=1)
    arrays = {"base": table, "queries": drawn(of_queries, QUERIES, seed=2)}
    photographs = {"base": len(base), "queries": len(aside)}
    return Made(arrays, source.packages, photographs)


def _described(files: tuple[Path, ...], most: int, progress: Progress, views: int = 0) -> list[npt.NDArray[np.float32]]:
    sift = cv2.SIFT.create(nfeatures=most)
    return list(_tables(files, sift, progress, views))


def _tables(
    files: tuple[Path, ...], sift: cv2.SIFT, progress: Progress, views: int
) -> Iterable[npt.NDArray[np.float32]]:
    for number, file in enumerate(files):
        progress(number, len(files), Message("Describing keypoints"))
        grey, rng = open_photograph(file).grey, np.random.default_rng(number)
        for picture in (grey, *(_seen_elsewhere(grey, rng) for _ in range(views))):
            found = sift.detectAndCompute(picture, None)[1]
            if found is not None and len(found):
                yield (found / np.maximum(found.sum(axis=1, keepdims=True), 1)).astype(np.float32)


def _seen_elsewhere(grey: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Turn, enlarge and squeeze a picture by chance, so that its keypoints are described anew; beyond it, mirrored."""
    height, width = grey.shape
    turned = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(-40, 40), rng.uniform(0.9, 1.6))
    squeezed = np.diag([rng.uniform(0.6, 1.0), rng.uniform(0.6, 1.0)]) @ turned
    warped = cv2.warpAffine(grey, squeezed, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(warped, np.uint8)


SIFT = DataSet("sift", "SIFT of photographs, L1-normalised", make)
MORE_SIFT = DataSet("more-sift", "More SIFT of photographs, L1-normalised", make_more)
ALL_SIFT = DataSet("all-sift", "All SIFT of photographs, L1-normalised", make_all)
MILLION_SIFT = DataSet("million-sift", "A million SIFT of photographs and of turned views of them", make_million)
