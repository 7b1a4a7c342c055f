"""The descriptor pyramid match: how many local features of one picture find a partner in another, and how near a one.

Grauman and Darrell, as in `core.kernels.pyramid_match_kernel`; with the bins of `features.vocabulary.word_tree`, few
enough for a vector of some hundred numbers that says everything, and a match at level l counting w_l. Since

    k(X, Z) = Σ_l (w_l - w_(l+1)) I_l = Σ_l Σ_bins min((w_l - w_(l+1)) x_bin, (w_l - w_(l+1)) z_bin)

the weights go into the counts, and the plain intersection kernel of two vectors is the pyramid match kernel;
normalised, it is the normalised one, and a metric is learned of it as of any kernel. The form over a grid, sparse and
of 10^14 dimensions, is made by `PyramidMatch.points`; of that a metric is learned by dot products alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.declaration.declaration import parameter
from core.kernels.histogram_kernels import Intersection
from core.kernels.kernel import Kernel
from core.progress import Progress, silent
from features.descriptor import Extractor, Pictures, Vector
from features.keypoints.sift import Cap, local_features
from features.pictures.picture import Picture
from features.vocabulary.point_sets import PointExtractor
from features.vocabulary.vocabulary import assign
from features.vocabulary.word_descriptor import WordDescriptor
from features.vocabulary.word_tree import tree_sizes, word_tree


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
    keypoints : int
    spread : float
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
        help="Principal components that features are matched in where the exact sparse form is asked for.",
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
        """Get what makes a picture the set of points whose exact pyramid match is a sparse vector; as :meth:`fit`."""
        codebook = self.codebook(sample, progress)
        return PointExtractor.of(codebook, self.components, self.levels, self.decay, self.cap)
