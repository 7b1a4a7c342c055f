"""Descriptors: declarations whose ``fit`` returns an extractor of vectors from pictures, and the table of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from twinlens.core.declaration.declaration import Declaration
from twinlens.core.declaration.family import Family
from twinlens.core.declaration.fitted import Fitted
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, silent
from twinlens.features.keypoints.sift import Cap
from twinlens.features.pictures.picture import Picture

Pictures = Callable[[], Iterable[Picture]]
"""A sample of pictures that can be gone through several times."""

Vector = npt.NDArray[np.float32]


class UnusableError(TwinlensError):
    """An extractor cannot describe any picture now, since a file or package is gone; the picture is not at fault."""


class Extractor(Fitted):
    """A fitted descriptor: picture to vector."""

    @abstractmethod
    def extract(self, picture: Picture) -> Vector:
        """Describe a picture.

        Returns
        -------
        ndarray of float32, (d,)
            Finite. All zero where there is nothing to compare (no keypoint): such a picture is ranked last.

        Raises
        ------
        UnusableError
            If it can describe no picture now.
        """

    needs_a_file: ClassVar[bool] = False
    """Whether it works only while a file outside the library is there."""

    @property
    def kept_as(self) -> str:
        """The type in which a library keeps its vectors, as :func:`twinlens.core.vectors.pack_vectors` takes it."""
        return "float16"

    of_local_features: ClassVar[bool] = False
    """Whether local features are all that it looks at."""

    @property
    def outdated(self) -> bool:
        """Whether another version of Twinlens made it, and this one cannot describe pictures as it does."""
        return False

    def unusable(self) -> Message:
        """Return why the extractor cannot describe pictures now, as a sentence; empty where it can."""
        return NOTHING


class Descriptor(Declaration):
    """Base of the descriptors; a subclass sets ``measure`` and ``extractor`` and implements the rest."""

    measure: ClassVar[Kernel]
    """The kernel by which two vectors of this descriptor are compared, where no other is chosen."""
    extractor: ClassVar[type[Extractor]]
    plain_name: ClassVar[str]
    """The compared properties, in a person's words: "colours", "shapes and places"."""

    if TYPE_CHECKING:
        # For the type checker only: where the length is chosen it is a field, which cannot stand over a property.

        @property
        def dimensions(self) -> int:
            """Length d of a vector."""

    @property
    def matrix_shape(self) -> tuple[int, int] | None:
        """Shape (rows, columns) in which a vector is a matrix, row-major, or None: bilinear methods need one."""
        return None

    @property
    def learns(self) -> bool:
        """Whether ``fit`` looks at pictures (a vocabulary of the library's own)."""
        return False

    @property
    def sample_size(self) -> int:
        """Number of pictures that ``fit`` wants at most; 0 where it learns nothing."""
        return 0

    @property
    def caps(self) -> tuple[Cap, ...]:
        """The local features of a picture that it describes; empty where it describes none."""
        return ()

    @property
    def recognises_variants(self) -> bool:
        """Whether a mirrored or negative copy has nearly the same vector, so that no query needs such variants."""
        return False

    @property
    def classifies(self) -> bool:
        """Whether its network tells classes apart too, so that words for these cost nothing more."""
        return False

    @property
    def from_thumbnail(self) -> bool:
        """Whether a thumbnail is picture enough for it, so that a photograph need not be read again."""
        return False

    @property
    def needs_a_file(self) -> bool:
        """Whether its extractor works only while a file outside the library is there."""
        return self.extractor.needs_a_file

    @abstractmethod
    def fit(self, sample: Pictures, progress: Progress = silent) -> Extractor:
        """Learn what the descriptor needs.

        Parameters
        ----------
        sample : callable returning an iterable of Picture
            Gone through as often as needed; not called where ``learns`` is False.

        Raises
        ------
        TwinlensError
            If it cannot be learned from these pictures (too few).
        """


SINGLE_DESCRIPTORS: Family[Descriptor] = Family(
    "descriptor",
    Descriptor,
    {
        "colour": "twinlens.features.colour.colour_histogram:HsvHistogram",
        "lab": "twinlens.features.colour.colour_histogram:LabHistogram",
        "colour-moments": "twinlens.features.colour.colour_moments:ColourMoments",
        "colour-layout": "twinlens.features.colour.colour_layout:ColourLayout",
        "edges": "twinlens.features.brightness.edge_histogram:Edges",
        "hog": "twinlens.features.brightness.hog:Hog",
        "gist": "twinlens.features.brightness.gist:Gist",
        "pixels": "twinlens.features.brightness.pixels:Pixels",
        "vlad": "twinlens.features.vocabulary.vlad:Vlad",
        "compact-vlad": "twinlens.features.vocabulary.vlad:CompactVlad",
        "sift-words": "twinlens.features.vocabulary.sift_words:SiftWords",
        "pyramid-match": "twinlens.features.vocabulary.pyramid_match:PyramidMatch",
        "network": "twinlens.features.network.network:Network",
    },
    reserved=("fusion",),
)
"""Every descriptor that can be part of a fusion."""
