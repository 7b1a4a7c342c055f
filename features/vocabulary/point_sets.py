"""Pictures as sets of points of few dimensions: local features on their principal components, in cells of a grid.

Grauman and Darrell reduce SIFT to 10 dimensions by PCA before they match pyramids of it. The components here are those
of the visual words, which stand for all the features that a vocabulary was learned from; so a ready-made vocabulary has
them ready, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from core.errors import TwinlensError
from core.kernels.pyramid_match_kernel import Cells, Pyramid
from core.message import Message
from features.descriptor import Extractor, Vector
from features.keypoints.sift import Cap, local_features
from features.pictures.picture import Picture
from features.vocabulary.vocabulary import Codebook

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
    levels : int
    decay : float
        Of the pyramid over it.
    keypoints : int
    spread : float
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
                Message(
                    "{codebook} visual words have {codebook2} components, not {components}.",
                    codebook=len(codebook),
                    codebook2=len(codebook) - 1,
                    components=components,
                ),
                Message("Choose more centres, or fewer components."),
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
        """Take apart what :meth:`extract` gave, (n * components,) -> (n, components)."""
        return vector.reshape(-1, self.steps.shape[1]).astype(np.int64)
