"""VLAD: what the local features of a picture leave over after the nearest visual words are taken away.

Jégou, Perronnin, Douze, Sánchez, Pérez, Schmid: Aggregating Local Image Descriptors into Compact Codes, PAMI 2012
(residual sums, power law); Arandjelović and Zisserman: All About VLAD, CVPR 2013 (intra-normalisation); Delhumeau,
Gosselin, Jégou, Pérez: Revisiting the VLAD Image Representation, ACM Multimedia 2013 (residual normalisation, local
coordinate system); Jégou and Chum: Negative evidences and co-occurences in image retrieval, ECCV 2012 (several
vocabularies side by side).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Matrix
from features.keypoints.sift import STEP
from features.vocabulary.vocabulary import Codebook, Features, assign

POWER = 0.5
"""The power law that is used where none is chosen."""

INTRA_NORMALISATION = True
"""Whether the words have the same weight where nothing is chosen."""

AXES_STEPS = 4096
"""Axes of words, and what is turned by them, are multiples of 1/4096: their products are exact in float32."""

Axes = npt.NDArray[np.int16]
"""A coordinate system for each word, (k, 128, 128): an axis a column, in steps of 1/4096."""


def residual_sums(features: Features, codebook: Codebook, normalised: bool = False) -> Float32Matrix:
    """Sum x - c over the features x that are nearest to each centre c.

    Parameters
    ----------
    features : ndarray of float32, (n, 128)
        Multiples of `features.keypoints.sift.STEP`, as the centres are: the sums are exact, whatever their order.
    codebook : ndarray of float32, (k, 128)
    normalised : bool
        Whether each residual is brought to length 1 first, and rounded to multiples of that step: so each feature
        counts the same, however far from its word it is.

    Returns
    -------
    ndarray of float32, (k, 128)
    """
    sums = np.zeros(codebook.shape, np.float32)
    if len(features):
        nearest = assign(features, codebook)
        order = np.argsort(nearest, kind="stable")
        present, first, counts = np.unique(nearest[order], return_index=True, return_counts=True)
        if normalised:
            sums[present] = np.add.reduceat(unit_residuals(features, codebook, nearest)[order], first, axis=0)
        else:
            sums[present] = np.add.reduceat(features[order], first, axis=0) - counts[:, None] * codebook[present]
    return sums


def unit_residuals(features: Features, codebook: Codebook, nearest: npt.NDArray[np.intp]) -> Float32Matrix:
    """Return x - c of each feature and its word, of length 1, in multiples of `STEP`, (n, 128)."""
    return np.asarray(np.rint(unit(features - codebook[nearest]) * np.float32(1 / STEP)) * np.float32(STEP))


def vlad(
    features: Features,
    codebook: Codebook,
    power: float,
    intra: bool,
    *,
    normalised: bool = False,
    vocabularies: int = 1,
    axes: Axes | Float32Matrix | None = None,
) -> Float32Matrix:
    """Describe local features by the visual words' normalised residuals.

    Parameters
    ----------
    features : ndarray of float32, (n, 128)
    codebook : ndarray of float32, (k, 128)
        The words; of several vocabularies one after another, each of the same size.
    power : float
        Of the entries' sizes (the power law); 1 leaves them.
    intra : bool
        Whether each centre's part is brought to length 1 first.
    normalised : bool
        Whether each residual is.
    vocabularies : int
        Each feature is assigned once in each of them, and each has the same weight in the whole.
    axes : ndarray, (k, 128, 128), optional
        Coordinates in which each centre's part is written, in steps of 1/4096: what the power law weakens then are
        residuals that often go together.

    Returns
    -------
    ndarray of float32, (k, 128)
        Of length 1 as a whole; all zero where there is no feature.
    """
    books = codebook.reshape(vocabularies, -1, codebook.shape[1])
    sums = np.concatenate([residual_sums(features, book, normalised) for book in books])
    if axes is not None:
        sums = _turned(sums, axes)
    if intra:
        sums = unit(sums)
    if power != 1:
        sums = np.sign(sums) * np.abs(sums) ** np.float32(power)
    if vocabularies > 1:
        sums = unit(sums.reshape(vocabularies, -1))
    return unit(sums.reshape(1, -1)).reshape(codebook.shape)


def unit(rows: Float32Matrix) -> Float32Matrix:
    """Bring rows to length 1; a zero row stays."""
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0))


def learn_axes(features: Features, codebook: Codebook, normalised: bool) -> Axes:
    """Learn the coordinate system of each word: the principal axes of the residuals around it.

    Parameters
    ----------
    features : ndarray of float32, (n, 128)
        Of many pictures.
    codebook : ndarray of float32, (k, 128)
    normalised : bool
        Whether residuals are brought to length 1 first.

    Returns
    -------
    ndarray of int16, (k, 128, 128)
        An axis a column, by decreasing variance; a word that nothing is near to has those of the features.
    """
    nearest = assign(features, codebook)
    axes = np.empty((*codebook.shape, codebook.shape[1]), np.int16)
    for word in range(len(codebook)):
        mine = features[nearest == word]
        residuals = unit_residuals(mine, codebook, np.full(len(mine), word)) if normalised else mine - codebook[word]
        wide = residuals.astype(np.float64)
        _, directions = np.linalg.eigh(wide.T @ wide)
        directions = directions[:, ::-1]
        # LAPACK's choice of signs is not the same everywhere; towards zero, so that no axis gets longer than 1.
        largest = np.take_along_axis(directions, np.abs(directions).argmax(axis=0)[None, :], axis=0)
        axes[word] = np.trunc(directions * np.where(largest < 0, -1.0, 1.0) * AXES_STEPS)
    return axes


def _turned(sums: Float32Matrix, axes: Axes | Float32Matrix) -> Float32Matrix:
    """Write each word's sum in the word's own coordinates; exact but for what the steps cut off."""
    lengths = np.sqrt(np.square(sums).sum(axis=1, keepdims=True))
    steps = np.trunc(unit(sums) * np.float32(AXES_STEPS))
    seen = np.flatnonzero(lengths)
    turned = np.zeros_like(sums)
    turned[seen] = (steps[seen, None, :] @ axes[seen].astype(np.float32, copy=False))[:, 0]
    return np.asarray(turned * np.float32(1 / AXES_STEPS**2) * lengths)
