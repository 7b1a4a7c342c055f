"""The descriptor bag of visual words: which words a picture's local features are, and in which part of it.

Sivic and Zisserman: Video Google, ICCV 2003; with the spatial pyramid of `features.vocabulary.spatial_pyramid` and the
codes of `features.vocabulary.llc`. Whatever the coding, a dot product compares two pictures:

- hard: each feature is its nearest word; words are counted, and roots taken of the counts. Of a level it is the
  Hellinger kernel of the histograms, which lessens what repeats, such as windows of a facade (Arandjelović and
  Zisserman, CVPR 2012); there is no idf, as a ready-made vocabulary has not seen the library;
- llc: of each word the largest weight is kept (max pooling), as the paper does for a linear measure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Matrix
from core.declaration.declaration import parameter
from core.kernels.kernel import Kernel
from core.kernels.linear import Linear
from core.progress import Progress, silent
from features.descriptor import Extractor, Pictures, Vector
from features.keypoints.sift import Cap, local_features
from features.pictures.picture import Picture
from features.vocabulary.llc import llc, nearest_words
from features.vocabulary.spatial_pyramid import cells, cells_of, pooled, stacked_levels
from features.vocabulary.word_descriptor import WordDescriptor

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

    It finds other photos of the same things, and of scenes of the same kind where parts are told apart. For
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
