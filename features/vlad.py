"""The descriptor VLAD: the whole matrix of residuals (see `features.residuals`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.declaration import parameter
from core.kernels import Kernel, Linear
from core.progress import Progress, silent
from features.descriptor import Extractor, Pictures, Vector
from features.picture import Picture
from features.residuals import INTRA_NORMALISATION, POWER, vlad
from features.sift import LENGTH, local_features
from features.word_descriptor import WordDescriptor


@dataclass(frozen=True, eq=False)
class VladExtractor(Extractor):
    """A vocabulary, and how residuals are normalised."""

    codebook: npt.NDArray[np.float32]
    keypoints: int
    power: float
    intra_normalisation: bool

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its residuals, (centres * 128,), of length 1; all zero where it has no keypoint."""
        roots = local_features(picture, self.keypoints).roots
        return vlad(roots, self.codebook, self.power, self.intra_normalisation).ravel()


class Vlad(WordDescriptor):
    """Compares places and objects by what is seen around distinctive points, wherever in the picture they are.

    It finds copies that are cropped, turned, resized, in grey or in other light, and other photographs of the same
    scene. The matrix is kept whole, which takes 16 KB a photograph with 64 centres: choose compact-vlad unless a
    bilinear method needs the matrix.
    """

    key = "vlad"
    version = 2
    title = "VLAD"
    paper = "Jégou et al., PAMI 34(9), 2012; Arandjelović and Zisserman, CVPR 2013"
    measure: ClassVar[Kernel] = Linear()
    extractor: ClassVar[type[Extractor]] = VladExtractor
    plain_name = "shapes and places"

    power: float = parameter(
        POWER, gt=0, le=1, help="Power law on the entries: below 1, repeated patterns such as windows count for less."
    )
    intra_normalisation: bool = parameter(
        INTRA_NORMALISATION, help="Whether every visual word has the same weight in the whole."
    )

    @property
    def dimensions(self) -> int:
        """Centres times 128."""
        return self.centres * LENGTH

    @property
    def matrix_shape(self) -> tuple[int, int]:
        """A row a centre."""
        return (self.centres, LENGTH)

    def fit(self, sample: Pictures, progress: Progress = silent) -> VladExtractor:
        """Get or learn the vocabulary; see `Descriptor.fit`."""
        return VladExtractor(self.codebook(sample, progress), self.keypoints, self.power, self.intra_normalisation)
