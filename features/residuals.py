"""VLAD: what the local features of a picture leave over after the nearest visual words are taken away.

Jégou, Perronnin, Douze, Sánchez, Pérez, Schmid: Aggregating Local Image Descriptors into Compact Codes, PAMI 2012
(residual sums, power law); Arandjelović and Zisserman: All About VLAD, CVPR 2013 (intra-normalisation).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from features.vocabulary import Codebook, Features, assign

POWER = 0.5
"""The power law that is used where none is chosen."""

INTRA_NORMALISATION = True
"""Whether the words have the same weight where nothing is chosen."""

Matrix = npt.NDArray[np.float32]


def residual_sums(features: Features, codebook: Codebook) -> Matrix:
    """Sum x - c over the features x that are nearest to each centre c.

    Parameters
    ----------
    features : ndarray of float32, (n, 128)
        Multiples of `features.sift.STEP`, as the centres are: the sums are exact, whatever their order.
    codebook : ndarray of float32, (k, 128)

    Returns
    -------
    ndarray of float32, (k, 128)
    """
    sums = np.zeros(codebook.shape, np.float32)
    if len(features):
        nearest = assign(features, codebook)
        order = np.argsort(nearest, kind="stable")
        present, first, counts = np.unique(nearest[order], return_index=True, return_counts=True)
        sums[present] = np.add.reduceat(features[order], first, axis=0) - counts[:, None] * codebook[present]
    return sums


def vlad(features: Features, codebook: Codebook, power: float, intra: bool) -> Matrix:
    """Describe local features by the visual words' normalised residuals.

    Parameters
    ----------
    features : ndarray of float32, (n, 128)
    codebook : ndarray of float32, (k, 128)
    power : float
        Of the entries' sizes (the power law); 1 leaves them.
    intra : bool
        Whether each centre's part is brought to length 1 first.

    Returns
    -------
    ndarray of float32, (k, 128)
        Of length 1 as a whole; all zero where there is no feature.
    """
    sums = residual_sums(features, codebook)
    if intra:
        sums = unit(sums)
    if power != 1:
        sums = np.sign(sums) * np.abs(sums) ** np.float32(power)
    return unit(sums.reshape(1, -1)).reshape(sums.shape)


def unit(rows: Matrix) -> Matrix:
    """Bring rows to length 1; a zero row stays."""
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0))
