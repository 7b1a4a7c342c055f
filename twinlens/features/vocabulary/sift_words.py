"""The descriptor bag of visual words: which words a picture's local features are, and in which part of it.

Sivic and Zisserman: Video Google, ICCV 2003. Whatever the coding, a dot product compares two pictures:

- hard: each feature is its nearest word; words are counted, and roots taken of the counts. Of a level it is the
  Hellinger kernel of the histograms, which lessens what repeats, such as windows of a facade (Arandjelović and
  Zisserman, CVPR 2012); there is no idf, as a ready-made vocabulary has not seen the library;
- llc: each feature is a combination of its k nearest words B (locality-constrained linear coding: Wang, Yang, Yu, Lv,
  Huang, Gong, CVPR 2010, the fast form of section 3), with the weights that minimise |x - Σ_j c_j b_j|² with
  Σ_j c_j = 1. With the matrix C of (b_i - x)'(b_j - x) that is c = C⁻¹ 1, divided by its sum; a ridge of 10^-4 of C's
  trace keeps it solvable where words lie on a line. The weights may be negative. Of each word the largest weight is
  kept (max pooling), as the paper does for a linear measure.

The spatial pyramid (Lazebnik, Schmid, Ponce: Beyond Bags of Features: Spatial Pyramid Matching for Recognizing Natural
Scene Categories, CVPR 2006) cuts the picture at level l into 2^l x 2^l cells; of levels 0 ... L a match at level l
counts (equation 3)

    w_0 = 1 / 2^L,        w_l = 1 / 2^(L - l + 1)

which sum to 1. Each level is brought to length 1 here and multiplied by sqrt(w_l): the dot product of two pyramids is
the weighted mean of what the levels say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Matrix
from twinlens.core.declaration.declaration import parameter
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.progress import Progress, silent
from twinlens.features.descriptor import Extractor, Pictures, Vector
from twinlens.features.keypoints.sift import Cap, local_features
from twinlens.features.pictures.picture import Picture
from twinlens.features.vocabulary.vlad import unit
from twinlens.features.vocabulary.vocabulary import Codebook, Features, WordDescriptor

Coding = Literal["hard", "llc"]


@dataclass(frozen=True, eq=False)
class SiftWordsExtractor(Extractor):
    """A vocabulary, and how features are coded and pooled."""

    codebook: npt.NDArray[np.float32]
    keypoints: int
    spread: float
    coding: str
    neighbours: int
    levels: int

    of_local_features: ClassVar[bool] = True

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its words, of length 1; all zero where it has no keypoint.

        The whole picture first, then the cells of each finer level row by row; in each the words.
        """
        found = local_features(picture, Cap(self.keypoints, self.spread))
        codes, pool = self._codes(found.roots), np.maximum if self.coding == "llc" else np.add
        height, width = picture.grey.shape
        levels = []
        for level in range(self.levels):
            of = cells(found.places, height, width, level)
            levels.append(pooled(codes, of, 4**level, pool))
        return stacked_levels(levels if self.coding == "llc" else [np.sqrt(counts) for counts in levels])

    def _codes(self, roots: npt.NDArray[np.float32]) -> Float32Matrix:
        if self.coding == "llc":
            return llc(roots, self.codebook, self.neighbours)
        codes = np.zeros((len(roots), len(self.codebook)), np.float32)
        np.put_along_axis(codes, nearest_words(roots, self.codebook, 1), 1, axis=1)
        return codes


class SiftWords(WordDescriptor):
    """Compares what is to be seen by counting visual words, in the whole picture or part by part.

    It finds other photos of the same things, and of scenes of the same kind where parts differ. For
    copies, compact-vlad is more exact: a word is counted here, but not how the feature differs from it.
    """

    key = "sift-words"
    title = "Bag of visual words"
    paper = "Sivic and Zisserman, ICCV 2003; Lazebnik et al., CVPR 2006; Wang et al., CVPR 2010"
    measure: ClassVar[Kernel] = Linear()
    extractor: ClassVar[type[Extractor]] = SiftWordsExtractor
    plain_name = "shapes by their kinds"

    centres: int = parameter(
        256,
        ge=1,
        le=1024,
        shown=True,
        help="Visual words of the vocabulary. More tell pictures apart more finely and take more room and time.",
    )
    coding: Coding = parameter(
        "hard",
        help="hard counts each feature for its nearest word; llc shares it out among the words around it and keeps the "
        "largest share of each word.",
    )
    neighbours: int = parameter(5, ge=1, le=64, help="Among how many words llc shares a feature out.")
    levels: int = parameter(
        2,
        ge=1,
        le=3,
        shown=True,
        help="How finely places count: 1 not at all, 2 in 2 x 2 parts as well, 3 in 4 x 4 parts, too. More tell scenes "
        "apart by their layout and lose copies that are cropped, turned or mirrored.",
    )

    @property
    def dimensions(self) -> int:
        """Words times cells."""
        return self.centres * cells_of(self.levels)

    @property
    def matrix_shape(self) -> tuple[int, int] | None:
        """A row a cell, where there are several."""
        return (cells_of(self.levels), self.centres) if self.levels > 1 else None

    def fit(self, sample: Pictures, progress: Progress = silent) -> SiftWordsExtractor:
        """Get or learn the vocabulary; see `Descriptor.fit`."""
        codebook = self.codebook(sample, progress)
        return SiftWordsExtractor(codebook, self.keypoints, self.spread, self.coding, self.neighbours, self.levels)


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
        Multiples of `twinlens.features.keypoints.sift.STEP`, as the words are: the products that C is made of are
        exact.
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


Cells = npt.NDArray[np.intp]


def cells_of(levels: int) -> int:
    """Count the cells of all levels: 1, 5 or 21 of 1 to 3."""
    return sum(1 << 2 * level for level in range(levels))


def cells(places: npt.NDArray[np.float32], height: int, width: int, level: int) -> Cells:
    """Return the cell, row by row, that each place (x, y) in pixels lies in, (n, 2) -> (n,)."""
    side = 1 << level
    inside = np.clip((places + 0.5) / (width, height), 0, 1)
    columns, rows = np.minimum((inside * side).astype(np.intp), side - 1).T
    return np.asarray(rows * side + columns)


def pooled(codes: Float32Matrix, of: Cells, count: int, pool: np.ufunc) -> Float32Matrix:
    """Pool the codes of each cell, (n, k), (n,) -> (count, k); zero where a cell has none.

    Parameters
    ----------
    codes : ndarray of float32, (n, k)
    of : ndarray of int, (n,)
        The cell of each.
    count : int
        Cells.
    pool : numpy.ufunc
        `numpy.add` or `numpy.maximum`.
    """
    made = np.zeros((count, codes.shape[1]), np.float32)
    if len(codes):
        order = np.argsort(of, kind="stable")
        present, first = np.unique(of[order], return_index=True)
        made[present] = pool.reduceat(codes[order], first, axis=0)
    return made


def stacked_levels(levels: list[Float32Matrix]) -> Vector:
    """Join the levels, coarsest first, each at length 1 times sqrt(w_l); all zero where all levels are."""
    weights = np.sqrt(level_weights(len(levels)))
    return np.concatenate(
        [weight * unit(level.reshape(1, -1)).ravel() for weight, level in zip(weights, levels, strict=True)]
    ).astype(np.float32)


def level_weights(levels: int) -> list[float]:
    """Return w_l of each level, coarsest first.

    Examples
    --------
    >>> level_weights(3)
    [0.25, 0.25, 0.5]
    """
    return [2.0 ** -(levels - max(level, 1)) for level in range(levels)]
