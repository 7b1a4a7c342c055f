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


def _make(most: int, count: int, progress: Progress) -> Made:
    source = source_photographs(part(progress, 0, 0.2))
    base, aside = source.split(0.2)
    of_base = _described(base, most, part(progress, 0.2, 0.8))
    of_queries = _described(aside, most, part(progress, 0.8, 1))
    table = drawn(of_base, count, seed=1)
    arrays = {"base": table, "queries": drawn(of_queries, QUERIES, seed=2)}
    photographs = {"base": len(base), "queries": len(aside)}
    return Made(arrays, source.packages, photographs)


def _described(files: tuple[Path, ...], most: int, progress: Progress) -> list[npt.NDArray[np.float32]]:
    sift = cv2.SIFT.create(nfeatures=most)
    return list(_tables(files, sift, progress))


def _tables(files: tuple[Path, ...], sift: cv2.SIFT, progress: Progress) -> Iterable[npt.NDArray[np.float32]]:
    for number, file in enumerate(files):
        progress(number, len(files), Message("Describing keypoints"))
        found = sift.detectAndCompute(open_photograph(file).grey, None)[1]
        if found is not None and len(found):
            yield (found / np.maximum(found.sum(axis=1, keepdims=True), 1)).astype(np.float32)


SIFT = DataSet("sift", "SIFT of photographs, L1-normalised", make)
MORE_SIFT = DataSet("more-sift", "More SIFT of photographs, L1-normalised", make_more)
ALL_SIFT = DataSet("all-sift", "All SIFT of photographs, L1-normalised", make_all)
