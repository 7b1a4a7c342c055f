"""Locality-constrained linear coding: a local feature as a combination of the visual words around it.

Wang, Yang, Yu, Lv, Huang, Gong: Locality-constrained Linear Coding for Image Classification, CVPR 2010, the fast form
of section 3: of a feature x only its k nearest words B have a weight, those that minimise

    |x - Σ_j c_j b_j|²    with    Σ_j c_j = 1

With the matrix C of (b_i - x)'(b_j - x) that is c = C⁻¹ 1, divided by its sum; a ridge of 10^-4 of C's trace keeps it
solvable where words lie on a line. The weights may be negative.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Matrix
from features.vocabulary.vocabulary import Codebook, Features

_RIDGE = 1e-4


def nearest_words(features: Features, codebook: Codebook, count: int) -> npt.NDArray[np.intp]:
    """Return the nearest words of each feature, nearest first, of equally near ones the first: (n, count)."""
    nearness = features @ codebook.T
    nearness -= np.square(codebook).sum(axis=1) / 2
    rows = np.arange(len(features))
    chosen = np.empty((len(features), count), np.intp)
    for place in range(count):
        chosen[:, place] = nearness.argmax(axis=1)
        nearness[rows, chosen[:, place]] = -np.inf
    return chosen


def llc(features: Features, codebook: Codebook, neighbours: int) -> Float32Matrix:
    """Code features by the words around them.

    Parameters
    ----------
    features : ndarray of float32, (n, 128)
        Multiples of `features.keypoints.sift.STEP`, as the words are: the products that C is made of are exact.
    codebook : ndarray of float32, (k, 128)
    neighbours : int
        Words that have a weight; all where there are fewer.

    Returns
    -------
    ndarray of float32, (n, k)
        Rows sum to 1.
    """
    count = min(neighbours, len(codebook))
    chosen = nearest_words(features, codebook, count)
    words, x = codebook.astype(np.float64), features.astype(np.float64)
    towards = np.take_along_axis(x @ words.T, chosen, axis=1)
    covariance = (words @ words.T)[chosen[:, :, None], chosen[:, None, :]]
    covariance += np.square(x).sum(axis=1)[:, None, None] - towards[:, :, None] - towards[:, None, :]
    trace = np.trace(covariance, axis1=1, axis2=2)
    ridge = np.where(trace > 0, _RIDGE * trace, 1)
    covariance[:, np.arange(count), np.arange(count)] += ridge[:, None]
    weights = np.linalg.solve(covariance, np.ones((len(x), count, 1)))[..., 0]
    codes = np.zeros((len(x), len(codebook)), np.float32)
    np.put_along_axis(codes, chosen, (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32), axis=1)
    return codes
