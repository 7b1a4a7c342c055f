"""The descriptor compact VLAD: the VLAD of `vlad`, projected on the components of `ready_made_codebook`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.declaration.declaration import parameter
from core.kernels.dot_product_kernels import Linear
from core.kernels.kernel import Kernel
from core.message import Message
from core.progress import Progress, part, silent
from features.descriptor import Extractor, Pictures, Vector
from features.pictures.picture import Picture
from features.vocabulary import ready_made_codebook
from features.vocabulary.ready_made_codebook import Projection, learn_projection, project_vlad
from features.vocabulary.vlad import INTRA_NORMALISATION, POWER, Aggregating, AggregatingExtractor, unit
from features.vocabulary.vocabulary import DescribedSample


@dataclass(frozen=True, eq=False, kw_only=True)
class CompactVladExtractor(AggregatingExtractor):
    """A vocabulary and a projection.

    Parameters
    ----------
    steps : ndarray of int16, (k * 128, m)
        As in `features.vocabulary.ready_made_codebook.Projection`.
    offset, weights : ndarray of float32, (m,)
        The projected mean, and what the components are multiplied by.
    """

    steps: npt.NDArray[np.int16]
    offset: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]

    @cached_property
    def _directions(self) -> npt.NDArray[np.float32]:
        return self.steps.astype(np.float32)

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by (m,) numbers, of length 1; all zero where it has no keypoint."""
        whole = self.matrix(picture).ravel()
        if not whole.any():
            return np.zeros(len(self.offset), np.float32)
        components = (project_vlad(whole, self._directions) - self.offset) * self.weights
        return unit(components[None, :]).ravel()


class CompactVlad(Aggregating):
    """Compares places and objects by what is seen around distinctive points, in a few hundred numbers a photo.

    It finds copies that are cropped, turned, resized, in grey or in other light, and other photos of the same
    scene. It is VLAD on its principal components: nearly as exact, and 32 times smaller with the defaults. A
    projection comes along for the usual normalisation; for any other, one is learned from your photos.
    """

    key = "compact-vlad"
    version = 3
    title = "Compact VLAD"
    paper = "Jégou et al., PAMI 34(9), 2012; Jégou and Chum, ECCV 2012; Delhumeau et al., ACM Multimedia 2013"
    measure: ClassVar[Kernel] = Linear()
    extractor: ClassVar[type[Extractor]] = CompactVladExtractor
    plain_name = "shapes and places"

    dimensions: int = parameter(
        256,
        ge=1,
        le=512,
        shown=True,
        help="Numbers that are kept of a photo. More are more exact and take more room.",
    )
    whitening: float = parameter(
        0.5, ge=0, le=1, help="How far components of small variance are raised: 0 not at all, 1 to the same variance."
    )

    @property
    def learns(self) -> bool:
        """Whether it learns a vocabulary or a projection of the library's own."""
        usual = (self.power, self.intra_normalisation, self.residual_normalisation) == (
            POWER,
            INTRA_NORMALISATION,
            False,
        )
        return super().learns or not usual

    def fit(self, sample: Pictures, progress: Progress = silent) -> CompactVladExtractor:
        """Get or learn the vocabulary and the projection; see `Descriptor.fit`."""
        described = self.described(sample)
        nothing = np.zeros((self.words, 0), np.int16), np.zeros(0, np.float32), np.zeros(0, np.float32)
        words = CompactVladExtractor(
            steps=nothing[0],
            offset=nothing[1],
            weights=nothing[2],
            **self.fit_words(described, part(progress, 0, 0.7)),
        )
        if self.learns:
            made = self._learned(described, words, part(progress, 0.7, 1))
        else:
            made = ready_made_codebook.projection(self.centres, self.dimensions)
        return replace(
            words,
            steps=made.steps[:, : self.dimensions],
            offset=made.offset(self.dimensions),
            weights=made.weights(self.dimensions, self.whitening),
        )

    def _learned(self, described: DescribedSample, words: CompactVladExtractor, progress: Progress) -> Projection:
        rows = []
        for number, roots in enumerate(described):
            progress(number, 1.25 * self.samples, Message("Describing the sample"))
            rows.append(words.aggregate(roots.astype(np.float32)).ravel())
        vlads = np.array(rows, np.float32).reshape(len(rows), -1)
        return learn_projection(vlads, self.dimensions, self.seed, part(progress, 0.8, 1))
