"""The descriptor pyramid match: how many local features of one picture find a partner in another, and how near a one.

Grauman and Darrell, as in `twinlens.core.kernels.pyramid_match_kernel`, with the bins of a tree of words, few enough
for a vector of some hundred numbers that says everything, and a match at level l counting w_l. Since

    k(X, Z) = Σ_l (w_l - w_(l+1)) I_l = Σ_l Σ_bins min((w_l - w_(l+1)) x_bin, (w_l - w_(l+1)) z_bin)

the weights go into the counts, and the plain intersection kernel of two vectors is the pyramid match kernel;
normalised, it is the normalised one, and a metric is learned of it as of any kernel.

The tree has groups of visual words, groups of groups, and so on (Approximate Correspondences in High Dimensions, NIPS
2006: where points have more than a few dimensions, equal cubes are full of nothing; bins that follow how the points
lie, by hierarchical k-means, match better). Here it is grown from below, by k-means over the words, over the means of
their groups, and so on: a feature's finest bin then is its nearest word exactly, and its bin at each level lies within
its bin at the next.

`PyramidMatch.points` makes the form over a grid, sparse and of 10^14 dimensions, of which a metric is learned by dot
products alone. Grauman and Darrell reduce SIFT to 10 dimensions by PCA before they match pyramids of it. The components
here are those of the visual words, which stand for all the features that a vocabulary was learned from; so a ready-made
vocabulary has them ready, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels.histogram_kernels import Intersection
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.pyramid_match_kernel import Cells, Pyramid
from twinlens.core.progress import Progress, silent
from twinlens.features.descriptor import Extractor, Pictures, Vector
from twinlens.features.keypoints.sift import Cap, local_features
from twinlens.features.pictures.picture import Picture
from twinlens.features.vocabulary.vocabulary import Codebook, WordDescriptor, assign, learn_centres


@dataclass(frozen=True, eq=False)
class PyramidMatchExtractor(Extractor):
    """A vocabulary and its tree.

    Parameters
    ----------
    codebook : ndarray of float32, (k, 128)
    bins : ndarray of int32, (levels, k)
        Place in a vector of the bin of each word at each level.
    weights : ndarray of float32, (d,)
        w_l - w_(l+1) of each bin's level.
    """

    codebook: npt.NDArray[np.float32]
    bins: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float32]
    keypoints: int
    spread: float

    of_local_features: ClassVar[bool] = True

    def extract(self, picture: Picture) -> Vector:
        """Count a picture's local features in each bin, times its weight, finest level first, (d,).

        Not normalised, which the measure does; all zero where it has no keypoint.
        """
        words = assign(local_features(picture, Cap(self.keypoints, self.spread)).roots, self.codebook)
        counts = np.bincount(self.bins[:, words].ravel(), minlength=len(self.weights))
        return (counts * self.weights).astype(np.float32)


class PyramidMatch(WordDescriptor):
    """Compares two pictures by how many of their local features match, and how closely.

    It finds other photos of the same things, also where they are only a part of the picture. For copies,
    compact-vlad is more exact.
    """

    key = "pyramid-match"
    title = "Pyramid match"
    paper = "Grauman and Darrell, ICCV 2005; NIPS 2006"
    measure: ClassVar[Kernel] = Intersection(normalise=True)
    extractor: ClassVar[type[Extractor]] = PyramidMatchExtractor
    plain_name = "shapes that match"

    centres: int = parameter(
        256,
        ge=1,
        le=1024,
        shown=True,
        help="Visual words of the vocabulary: the finest bins. More tell features apart better and take more room.",
    )
    levels: int = parameter(
        5, ge=1, le=8, shown=True, help="Levels of bins, each with a quarter of those before; at most until it is one."
    )
    decay: float = parameter(
        0.5,
        gt=0,
        lt=1,
        help="What a match counts that is found one level later, against one found before; less than the usual half "
        "finds copies more surely.",
    )
    components: int = parameter(
        10,
        ge=1,
        le=50,
        help="Principal components that features are matched in where the exact sparse form is wanted.",
    )

    @property
    def dimensions(self) -> int:
        """Bins of all levels."""
        return sum(tree_sizes(self.centres, self.levels))

    def fit(self, sample: Pictures, progress: Progress = silent) -> PyramidMatchExtractor:
        """Get or learn the vocabulary, and group its words; see `Descriptor.fit`."""
        codebook = self.codebook(sample, progress)
        counts = tree_sizes(len(codebook), self.levels)
        places = np.cumsum([0, *counts[:-1]])[:, None].astype(np.int32)
        kept = [self.decay**level for level in range(self.levels)]
        differences = -np.diff([*kept, 0.0])
        return PyramidMatchExtractor(
            codebook,
            word_tree(codebook, self.levels, self.seed) + places,
            np.repeat(differences, counts).astype(np.float32),
            self.keypoints,
            self.spread,
        )

    def points(self, sample: Pictures, progress: Progress = silent) -> PointExtractor:
        """Return the extractor of sets of points whose exact pyramid match is a sparse vector; as :meth:`fit`."""
        codebook = self.codebook(sample, progress)
        return PointExtractor.of(codebook, self.components, self.levels, self.decay, self.cap)


_STEPS = 4096
_WIDER = 1.25  # features lie further out than the words, which are means of many


@dataclass(frozen=True, eq=False)
class PointExtractor(Extractor):
    """Components and a grid.

    Parameters
    ----------
    steps : ndarray of int16, (128, components)
        Directions, in steps of 2^-12: products with local features are exact.
    origin : ndarray of float64, (components,)
        The corner of the grid.
    size : float
        Of its cells, along each side.
    decay : float
        Of the pyramid over it.
    """

    steps: npt.NDArray[np.int16]
    origin: npt.NDArray[np.float64]
    size: float
    levels: int
    decay: float
    keypoints: int
    spread: float

    of_local_features: ClassVar[bool] = True

    @classmethod
    def of(cls, codebook: Codebook, components: int, levels: int, decay: float, cap: Cap) -> Self:
        """Take the components of a vocabulary's words, and the grid around them that has the pyramid's finest cells.

        Raises
        ------
        TwinlensError
            If the words have fewer components, or the pyramid would have too many bins.
        """
        if components >= len(codebook):
            raise TwinlensError(
                "{codebook} visual words have {codebook2} components, not {components}.",
                "Choose more centres, or fewer components.",
                codebook=len(codebook),
                codebook2=len(codebook) - 1,
                components=components,
            )
        words = codebook.astype(np.float64)
        _, vectors = np.linalg.eigh(np.cov(words, rowvar=False))
        leading = vectors[:, ::-1][:, :components]
        leading = leading * np.sign(leading[np.abs(leading).argmax(axis=0), np.arange(components)])
        steps = np.rint(leading * _STEPS).astype(np.int16)
        projected = words @ (steps / _STEPS)
        middle = projected.mean(axis=0)
        half = float(np.abs(projected - middle).max()) * _WIDER
        pyramid = Pyramid(components, levels, cap.keypoints, decay)
        return cls(steps, middle - half, 2 * half / pyramid.side, levels, decay, cap.keypoints, cap.spread)

    @property
    def pyramid(self) -> Pyramid:
        """The bins over the grid."""
        return Pyramid(self.steps.shape[1], self.levels, self.keypoints, self.decay)

    def cells(self, roots: npt.NDArray[np.float32]) -> Cells:
        """Return the cells of local features, (n, 128) -> (n, components)."""
        return self.pyramid.cells(roots.astype(np.float64) @ (self.steps / _STEPS), self.origin, self.size)

    def extract(self, picture: Picture) -> Vector:
        """Return cells of a picture's local features one after the other, (n * components,), n as many as it has."""
        return self.cells(local_features(picture, Cap(self.keypoints, self.spread)).roots).astype(np.float32).ravel()

    def cells_in(self, vector: npt.NDArray[np.generic]) -> Cells:
        """Split the cells of :meth:`extract` by local feature, (n * components,) -> (n, components)."""
        return vector.reshape(-1, self.steps.shape[1]).astype(np.int64)


BRANCHES = 4
"""Groups of a level that make one of the next, on average."""

Bins = npt.NDArray[np.int32]


def tree_sizes(words: int, levels: int) -> list[int]:
    """Count the bins of each level, finest first.

    Examples
    --------
    >>> tree_sizes(256, 5)
    [256, 64, 16, 4, 1]
    >>> tree_sizes(10, 4)
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
