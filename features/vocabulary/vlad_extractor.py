"""The common base of VLAD and compact VLAD: the published refinements, and an extractor that applies them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Matrix
from core.declaration.declaration import parameter
from core.declaration.fitted import Packed
from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress, part
from features.descriptor import Extractor, Pictures
from features.keypoints.sift import LENGTH, SIDE, Cap, local_features
from features.pictures.picture import Picture
from features.vocabulary import ready_made_codebook
from features.vocabulary.vlad_residuals import INTRA_NORMALISATION, POWER, learn_axes, vlad
from features.vocabulary.vocabulary import DescribedSample, Features, gather_described, learn_centres
from features.vocabulary.word_descriptor import WordDescriptor

_ROOM = 2**29  # bytes for the local features of a sample: those of 7,000 photographs


@dataclass(frozen=True, eq=False, kw_only=True)
class AggregatingExtractor(Extractor):
    """Visual words, and how residuals to them are normalised; see `features.vocabulary.vlad_residuals.vlad`.

    Parameters
    ----------
    codebook : ndarray of float32, (k, 128)
        Of several vocabularies one after another.
    keypoints : int
    spread : float
    side : int
    power, intra_normalisation, residual_normalisation, vocabularies
        As in the descriptor.
    axes : ndarray of int16, (k, 128, 128), or None
        The words' own coordinates.
    """

    codebook: npt.NDArray[np.float32]
    keypoints: int
    power: float = POWER
    intra_normalisation: bool = INTRA_NORMALISATION
    residual_normalisation: bool = False
    vocabularies: int = 1
    axes: npt.NDArray[np.int16] | None = None
    spread: float = 0.0
    side: int = SIDE

    of_local_features: ClassVar[bool] = True
    always_chosen: ClassVar[frozenset[str]] = frozenset()
    """What could be chosen from the beginning, and is kept also where it is as usual."""

    @property
    def cap(self) -> Cap:
        """Limit on the local features of a picture."""
        return Cap(self.keypoints, self.spread, self.side)

    @cached_property
    def _axes(self) -> Float32Matrix | None:
        return None if self.axes is None else self.axes.astype(np.float32)

    def matrix(self, picture: Picture) -> Float32Matrix:
        """Aggregate the local features of a picture, (centres, 128), of length 1 or all zero."""
        return self.aggregate(local_features(picture, self.cap).roots)

    def aggregate(self, roots: Features) -> Float32Matrix:
        """Aggregate local features, (centres, 128), of length 1 or all zero."""
        return vlad(
            roots,
            self.codebook,
            self.power,
            self.intra_normalisation,
            normalised=self.residual_normalisation,
            vocabularies=self.vocabularies,
            axes=self._axes,
        )

    def pack(self) -> Packed:
        """Take it apart, without what is as it was before there was a choice: so equal things stay known as equal."""
        packed = super().pack()
        usual = {field.name: field.default for field in fields(self) if field.name not in self.always_chosen}
        numbers = {name: value for name, value in packed.numbers.items() if name not in usual or value != usual[name]}
        return Packed(packed.kind, numbers, packed.arrays)


class Aggregating(WordDescriptor):
    """Base of the descriptors that sum residuals to visual words; see `features.vocabulary.vlad_residuals.vlad`."""

    side: int = parameter(
        SIDE,
        ge=128,
        le=1024,
        unit="px",
        help="The longer side of the picture in which local features are looked for. A smaller one is faster; a larger "
        "one finds smaller crops.",
    )
    power: float = parameter(
        POWER, gt=0, le=1, help="Power law on the entries: below 1, repeated patterns such as windows count for less."
    )
    intra_normalisation: bool = parameter(
        INTRA_NORMALISATION, help="Whether every visual word has the same weight in the whole."
    )
    residual_normalisation: bool = parameter(
        False, help="Whether every local feature has the same weight in its visual word, however far from it it is."
    )
    local_coordinates: bool = parameter(
        False,
        help="Whether the power law is applied along each visual word's own principal axes, which are learned from "
        "your photos.",
    )
    vocabularies: int = parameter(
        1,
        ge=1,
        le=16,
        help="Vocabularies side by side, each of so many centres: what falls between the words of one is told by "
        "another. More than one are learned from your photos, with vocabulary=own.",
    )

    @property
    def cap(self) -> Cap:
        """Limit on the local features of a picture, as `features.keypoints.sift.local_features` takes it."""
        return Cap(self.keypoints, self.spread, self.side)

    @property
    def learns(self) -> bool:
        """Whether it learns something from the library's own photographs."""
        return super().learns or self.local_coordinates

    @property
    def words(self) -> int:
        """Visual words of all vocabularies together."""
        return self.vocabularies * self.centres

    def described(self, sample: Pictures) -> DescribedSample:
        """Return the local features of a sample, which are found once where there is room for them."""
        return DescribedSample(sample, self.cap, _ROOM)

    def fit_words(self, described: DescribedSample, progress: Progress) -> dict[str, Any]:
        """Get or learn vocabularies, and the coordinates of their words where those are wanted.

        Returns
        -------
        dict
            The fields of `AggregatingExtractor`.

        Raises
        ------
        TwinlensError
            If there are no such ready-made vocabularies, or the pictures have too few local features.
        """
        own = self.vocabulary == "own"
        features = np.zeros((0, LENGTH), np.float32)
        if own or self.local_coordinates:
            features = gather_described(described, self.samples, self.seed, part(progress, 0, 0.7))
        if own:
            books = [
                learn_centres(features, self.centres, self.seed + number, part(progress, *self._share(number)))
                for number in range(self.vocabularies)
            ]
        elif self.vocabularies == 1:
            books = [ready_made_codebook.codebook(self.centres)]
        else:
            raise TwinlensError(
                Message("One vocabulary at a time comes with Twinlens."),
                Message("Learn several of your own with vocabulary=own."),
            )
        axes = None
        if self.local_coordinates:
            axes = np.concatenate([learn_axes(features, book, self.residual_normalisation) for book in books])
            progress(1, 1, Message("Learning visual words"))
        chosen = {
            field.name: getattr(self, field.name)
            for field in fields(AggregatingExtractor)
            if field.name in type(self).model_fields
        }
        return chosen | {"codebook": np.concatenate(books), "axes": axes}

    def _share(self, number: int) -> tuple[float, float]:
        return 0.7 + 0.3 * number / self.vocabularies, 0.7 + 0.3 * (number + 1) / self.vocabularies
