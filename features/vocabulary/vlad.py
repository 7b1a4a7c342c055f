"""The descriptor VLAD: the whole matrix of residuals (see `features.vocabulary.vlad_residuals`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.kernels.kernel import Kernel
from core.kernels.linear import Linear
from core.progress import Progress, silent
from features.descriptor import Extractor, Pictures, Vector
from features.keypoints.sift import LENGTH
from features.pictures.picture import Picture
from features.vocabulary.vlad_extractor import Aggregating, AggregatingExtractor


@dataclass(frozen=True, eq=False, kw_only=True)
class VladExtractor(AggregatingExtractor):
    """A vocabulary, and how residuals are normalised."""

    always_chosen: ClassVar[frozenset[str]] = frozenset({"power", "intra_normalisation"})

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its residuals, (words * 128,), of length 1; all zero where it has no keypoint."""
        return self.matrix(picture).ravel()


class Vlad(Aggregating):
    """Compares places and objects by what is seen around distinctive points, wherever in the picture they are.

    It finds copies that are cropped, turned, resized, in grey or in other light, and other photos of the same
    scene. The matrix is kept whole, which takes 16 KB a photo with 64 centres: choose compact-vlad unless a
    bilinear method needs the matrix.
    """

    key = "vlad"
    version = 3
    title = "VLAD"
    paper = (
        "Jégou et al., PAMI 34(9), 2012; Arandjelović and Zisserman, CVPR 2013; Delhumeau et al., ACM Multimedia 2013"
    )
    measure: ClassVar[Kernel] = Linear()
    extractor: ClassVar[type[Extractor]] = VladExtractor
    plain_name = "shapes and places"

    @property
    def dimensions(self) -> int:
        """Words times 128."""
        return self.words * LENGTH

    @property
    def matrix_shape(self) -> tuple[int, int]:
        """A row a word, those of several vocabularies one after another."""
        return (self.words, LENGTH)

    def fit(self, sample: Pictures, progress: Progress = silent) -> VladExtractor:
        """Get or learn the vocabulary; see `Descriptor.fit`."""
        return VladExtractor(**self.fit_words(self.described(sample), progress))
