"""The descriptor compact VLAD: the VLAD of `features.residuals`, projected as `features.projection` says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.declaration import parameter
from core.kernels import Kernel, Linear
from core.progress import Progress, part, silent
from features import ready_made
from features.descriptor import Extractor, Pictures, Vector
from features.picture import Picture
from features.projection import Projection, learn_projection, project
from features.residuals import INTRA_NORMALISATION, POWER, unit, vlad
from features.sift import local_features
from features.vocabulary import Codebook
from features.word_descriptor import WordDescriptor


@dataclass(frozen=True, eq=False)
class CompactVladExtractor(Extractor):
    """A vocabulary and a projection.

    Parameters
    ----------
    codebook : ndarray of float32, (k, 128)
    steps : ndarray of int16, (k * 128, m)
        As in `features.projection.Projection`.
    offset, weights : ndarray of float32, (m,)
        The projected mean, and what the components are multiplied by.
    keypoints : int
    """

    codebook: npt.NDArray[np.float32]
    steps: npt.NDArray[np.int16]
    offset: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]
    keypoints: int

    @cached_property
    def _directions(self) -> npt.NDArray[np.float32]:
        return self.steps.astype(np.float32)

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by (m,) numbers, of length 1; all zero where it has no keypoint."""
        roots = local_features(picture, self.keypoints).roots
        whole = vlad(roots, self.codebook, POWER, INTRA_NORMALISATION).ravel()
        if not whole.any():
            return np.zeros(len(self.offset), np.float32)
        components = (project(whole, self._directions) - self.offset) * self.weights
        return unit(components[None, :]).ravel()


class CompactVlad(WordDescriptor):
    """Compares places and objects by what is seen around distinctive points, in a few hundred numbers a photograph.

    It finds copies that are cropped, turned, resized, in grey or in other light, and other photographs of the same
    scene. It is VLAD on its principal components: nearly as exact, and 32 times smaller with the defaults.
    """

    key = "compact-vlad"
    version = 2
    title = "Compact VLAD"
    paper = "Jégou et al., PAMI 34(9), 2012; Jégou and Chum, ECCV 2012"
    measure: ClassVar[Kernel] = Linear()
    extractor: ClassVar[type[Extractor]] = CompactVladExtractor
    plain_name = "shapes and places"

    dimensions: int = parameter(
        256,
        ge=1,
        le=512,
        shown=True,
        help="Numbers that are kept of a photograph. More are more exact and take more room.",
    )
    whitening: float = parameter(
        0.5, ge=0, le=1, help="How far components of small variance are raised: 0 not at all, 1 to the same variance."
    )

    def fit(self, sample: Pictures, progress: Progress = silent) -> CompactVladExtractor:
        """Get or learn the vocabulary and the projection; see `Descriptor.fit`."""
        codebook = self.codebook(sample, part(progress, 0, 0.5))
        if self.learns:
            made = self._learned(sample, codebook, part(progress, 0.5, 1))
        else:
            made = ready_made.projection(self.centres, self.dimensions)
        return CompactVladExtractor(
            codebook,
            made.steps[:, : self.dimensions],
            made.offset(self.dimensions),
            made.weights(self.dimensions, self.whitening),
            self.keypoints,
        )

    def _learned(self, sample: Pictures, codebook: Codebook, progress: Progress) -> Projection:
        rows = []
        for number, picture in enumerate(sample()):
            progress(number, 1.25 * self.samples, "Describing the sample")
            rows.append(
                vlad(local_features(picture, self.keypoints).roots, codebook, POWER, INTRA_NORMALISATION).ravel()
            )
        vlads = np.array(rows, np.float32).reshape(len(rows), -1)
        return learn_projection(vlads, self.dimensions, self.seed, part(progress, 0.8, 1))
