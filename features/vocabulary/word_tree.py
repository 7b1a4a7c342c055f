"""Groups of visual words, groups of groups, and so on: bins of the space of local features, from fine to coarse.

Grauman and Darrell: Approximate Correspondences in High Dimensions, NIPS 2006: where points have more than a few
dimensions, equal cubes are full of nothing; bins that follow how the points lie, by hierarchical k-means, match better.
Here the tree is grown from below, by k-means over the words, over the means of their groups, and so on: a feature's
finest bin then is its nearest word exactly, and its bin at each level lies within its bin at the next.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from features.vocabulary.vocabulary import Codebook, assign, learn_centres

BRANCHES = 4
"""Groups of a level that make one of the next, on average."""

Bins = npt.NDArray[np.int32]


def tree_sizes(words: int, levels: int) -> list[int]:
    """Count the bins of each level, finest first.

    Examples
    --------
    >>> sizes(256, 5)
    [256, 64, 16, 4, 1]
    >>> sizes(10, 4)
    [10, 3, 1, 1]
    """
    return [max(1, -(-words // BRANCHES**level)) for level in range(levels)]


def word_tree(codebook: Codebook, levels: int, seed: int) -> Bins:
    """Return the bin of each word at each level.

    Parameters
    ----------
    codebook : ndarray of float32, (k, 128)
    levels : int
        Finest first: at the first each word is a bin of its own.
    seed : int
        Of the k-means.

    Returns
    -------
    ndarray of int32, (levels, k)
        Counted from 0 at each level.
    """
    bins, middles = [np.arange(len(codebook))], codebook
    for size in tree_sizes(len(codebook), levels)[1:]:
        groups = learn_centres(middles, size, seed) if size < len(middles) else middles
        bins.append(assign(middles, groups)[bins[-1]])
        middles = groups
    return np.stack(bins).astype(np.int32)
