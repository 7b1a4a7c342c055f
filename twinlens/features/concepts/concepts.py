"""Concepts: the most probable classes of a photograph, by the classifier of the network that comes along.

The network was trained to tell the 1,000 classes of ILSVRC 2012 apart (Russakovsky et al., IJCV 2015). A photograph
keeps its 16 most probable classes; the probability of a broader word is the sum of its classes' probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import AnyArray
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.features.descriptor import Descriptor, Extractor, Pictures, Vector
from twinlens.features.pictures.picture import Picture

CLASS_COUNT = 1_000
KEPT = 16
"""Classes that are kept of a photograph."""

_BLOCK = 1024  # photographs whose sums are in memory together
MODEL = "efficientnet-lite0"


@dataclass(frozen=True, eq=False)
class ConceptExtractor(Extractor):
    """Classifies pictures; the network runs once for this and for its descriptor.

    Parameters
    ----------
    network : str
        Name of the network.
    digest : str
        SHA-256 of its weights.
    """

    network: str
    digest: str

    def extract(self, picture: Picture) -> Vector:
        """Return the most probable classes of a picture, then their probabilities, (2 * KEPT,).

        Float16, in which the library keeps them, holds whole numbers up to 2,048. All zero where nothing of the picture
        is visible.
        """
        if picture.mask is not None and not picture.mask.any():
            return np.zeros(2 * KEPT, np.float32)
        from twinlens.features.network.network import NetworkExtractor  # here, since who reads classes runs no network

        probabilities = NetworkExtractor.of(self.network).outputs(picture)[0]
        first = np.argsort(-probabilities, kind="stable")[:KEPT]
        return np.concatenate([first, probabilities[first]]).astype(np.float32)

    def unusable(self) -> Message:
        """Return why pictures cannot be classified now; empty where they can."""
        from twinlens.features.network.ready_made_network import missing_for_networks

        return missing_for_networks(self.network)


class Concepts(Descriptor):
    """The concepts of a photograph: classes with their probabilities, searched with words and not with pictures."""

    key = "concepts"
    title = "What it shows"
    measure = Linear()
    """Nothing compares by it."""
    extractor = ConceptExtractor
    plain_name = "what it shows"

    @property
    def dimensions(self) -> int:
        """Numbers of a vector: classes and their probabilities."""
        return 2 * KEPT

    @property
    def from_thumbnail(self) -> bool:
        """Whether a thumbnail is enough: the network itself takes 224 px."""
        return True

    def fit(self, sample: Pictures, progress: Progress = silent) -> ConceptExtractor:
        """Return the classifier; nothing is learned.

        Raises
        ------
        UnusableError
            If a package that it needs is not installed, or might tell others what it does.
        """
        from twinlens.features.network.ready_made_network import READY_MADE, ready_made_refusal

        if (refused := ready_made_refusal(MODEL)) is not None:
            raise refused
        return ConceptExtractor(MODEL, READY_MADE[MODEL].sha256)


@dataclass(frozen=True, eq=False)
class ClassProbabilities:
    """The most probable classes of some photographs.

    Attributes
    ----------
    classes : ndarray of int16, (n, KEPT)
    probabilities : ndarray of float32, (n, KEPT)
    """

    classes: npt.NDArray[np.int16]
    probabilities: npt.NDArray[np.float32]

    @classmethod
    def of(cls, vectors: AnyArray) -> Self:
        """Read vectors as :class:`ConceptExtractor` makes them, (n, 2 * KEPT); what is no class counts as nothing."""
        classes = vectors[:, :KEPT].astype(np.float32)
        known = (classes >= 0) & (classes < CLASS_COUNT)
        probabilities = np.where(known, vectors[:, KEPT:].astype(np.float32).clip(0, 1), 0)
        return cls(np.where(known, classes, 0).astype(np.int16), probabilities)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return those of several lists of photographs as one."""
        classes = [np.empty((0, KEPT), np.int16), *(one.classes for one in parts)]
        probabilities = [np.empty((0, KEPT), np.float32), *(one.probabilities for one in parts)]
        return cls(np.concatenate(classes), np.concatenate(probabilities))

    def class_counts(self, least: float) -> list[int]:
        """Count the photographs that show each class with at least some probability."""
        return [int(one) for one in np.bincount(self.classes[self.probabilities >= least], minlength=CLASS_COUNT)]

    def counts(self, sums: Sequence[Sequence[int]], least: float) -> list[int]:
        """Count the photographs that show one of the classes of each sum with at least some probability."""
        of_class: list[list[int]] = [[] for _ in range(CLASS_COUNT)]
        for place, classes in enumerate(sums):
            for each in set(classes):
                of_class[each].append(place)
        spare = len(sums)  # a column that takes what belongs to no sum
        places = np.full((CLASS_COUNT, max(map(len, of_class))), spare)
        for each, own in enumerate(of_class):
            places[each, : len(own)] = own
        counts = np.zeros(len(sums), np.int64)
        for start in range(0, len(self.classes), _BLOCK):
            rows = slice(start, start + _BLOCK)
            found = np.zeros((len(self.classes[rows]), len(sums) + 1), np.float32)
            photographs = np.arange(len(found))[:, None]
            for each, probability in zip(self.classes[rows].T, self.probabilities[rows].T, strict=True):
                found[photographs, places[each]] += probability[:, None]
            counts += (found[:, :spare] >= least).sum(axis=0)
        return [int(count) for count in counts]

    def some(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Self:
        """Return those of some photographs, by a mask, (n,), or their rows."""
        return type(self)(self.classes[rows], self.probabilities[rows])

    def of_any(self, classes: Sequence[int]) -> npt.NDArray[np.float32]:
        """Return the probability that a photograph shows one of some classes, (n,), in [0, 1]."""
        wanted = np.zeros(CLASS_COUNT, np.float32)
        wanted[list(classes)] = 1
        sums: npt.NDArray[np.float32] = (wanted[self.classes] * self.probabilities).sum(axis=1)
        return np.minimum(sums, 1)
