"""The descriptors VLAD and compact VLAD: sums of the residuals of local features to their nearest visual words.

Jégou, Perronnin, Douze, Sánchez, Pérez, Schmid: Aggregating Local Image Descriptors into Compact Codes, PAMI 2012
(residual sums, power law); Arandjelović and Zisserman: All About VLAD, CVPR 2013 (intra-normalisation); Delhumeau,
Gosselin, Jégou, Pérez: Revisiting the VLAD Image Representation, ACM Multimedia 2013 (residual normalisation, local
coordinate system); Jégou and Chum: Negative evidences and co-occurences in image retrieval, ECCV 2012 (several
vocabularies side by side).

Compact VLAD is projected on the components that come along.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Matrix
from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.fitted import Packed
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.features.descriptor import Extractor, Pictures, Vector
from twinlens.features.keypoints.sift import LENGTH, SIDE, STEP, Cap, local_features
from twinlens.features.pictures.picture import Picture
from twinlens.features.vocabulary import vocabulary
from twinlens.features.vocabulary.vocabulary import (
    Codebook,
    DescribedSample,
    Features,
    Projection,
    WordDescriptor,
    assign,
    gather_described,
    learn_centres,
    learn_projection,
    project_vlad,
)

POWER = 0.5
"""The power law that is used where none is chosen."""

INTRA_NORMALISATION = True
"""Whether the words have the same weight where nothing is chosen."""


@dataclass(frozen=True, eq=False, kw_only=True)
class AggregatingExtractor(Extractor):
    """Visual words, and how residuals to them are normalised; see `twinlens.features.vocabulary.vlad.vlad`.

    Parameters
    ----------
    codebook : ndarray of float32, (k, 128)
        Of several vocabularies one after another.
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
    """Parameters of the first version, which the text form keeps also at their defaults."""

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
        """Return the packed extractor without values at their defaults, so that equal extractors stay equal."""
        packed = super().pack()
        usual = {field.name: field.default for field in fields(self) if field.name not in self.always_chosen}
        numbers = {name: value for name, value in packed.numbers.items() if name not in usual or value != usual[name]}
        return Packed(packed.kind, numbers, packed.arrays)


@dataclass(frozen=True, eq=False, kw_only=True)
class VladExtractor(AggregatingExtractor):
    """A vocabulary, and how residuals are normalised."""

    always_chosen: ClassVar[frozenset[str]] = frozenset({"power", "intra_normalisation"})

    def extract(self, picture: Picture) -> Vector:
        """Describe a picture by its residuals, (words * 128,), of length 1; all zero where it has no keypoint."""
        return self.matrix(picture).ravel()


class Aggregating(WordDescriptor):
    """Base of the descriptors that sum residuals to visual words; see `twinlens.features.vocabulary.vlad.vlad`."""

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
        help="Vocabularies side by side, each of so many centres: one distinguishes what falls between the words of "
        "another. More than one are learned from your photos, with vocabulary=own.",
    )

    @property
    def cap(self) -> Cap:
        """Limit on the local features of a picture, as `twinlens.features.keypoints.sift.local_features` takes it."""
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
        """Return the local features of a sample, found once where there is room for them."""
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
            books = [vocabulary.codebook(self.centres)]
        else:
            raise TwinlensError(
                "One vocabulary at a time comes with Twinlens.", "Learn several of your own with vocabulary=own."
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


_ROOM = 2**29  # bytes for the local features of a sample: those of 7,000 photographs
AXES_STEPS = 4096
"""Axes of words, and what is turned by them, are multiples of 1/4096: their products are exact in float32."""

Axes = npt.NDArray[np.int16]
"""A coordinate system for each word, (k, 128, 128): an axis a column, in steps of 1/4096."""


def residual_sums(features: Features, codebook: Codebook, normalised: bool = False) -> Float32Matrix:
    """Sum x - c over the features x that are nearest to each centre c.

    Parameters
    ----------
    features : ndarray of float32, (n, 128)
        Multiples of `twinlens.features.keypoints.sift.STEP`, as the centres are: the sums are exact, whatever their
        order.
    codebook : ndarray of float32, (k, 128)
    normalised : bool
        Whether each residual is brought to length 1 first, and rounded to multiples of that step: so each feature
        counts the same, however far from its word it is.

    Returns
    -------
    ndarray of float32, (k, 128)
    """
    sums = np.zeros(codebook.shape, np.float32)
    if len(features):
        nearest = assign(features, codebook)
        order = np.argsort(nearest, kind="stable")
        present, first, counts = np.unique(nearest[order], return_index=True, return_counts=True)
        if normalised:
            sums[present] = np.add.reduceat(unit_residuals(features, codebook, nearest)[order], first, axis=0)
        else:
            sums[present] = np.add.reduceat(features[order], first, axis=0) - counts[:, None] * codebook[present]
    return sums


def unit_residuals(features: Features, codebook: Codebook, nearest: npt.NDArray[np.intp]) -> Float32Matrix:
    """Return x - c of each feature and its word, of length 1, in multiples of `STEP`, (n, 128)."""
    return np.asarray(np.rint(unit(features - codebook[nearest]) * np.float32(1 / STEP)) * np.float32(STEP))


def vlad(
    features: Features,
    codebook: Codebook,
    power: float,
    intra: bool,
    *,
    normalised: bool = False,
    vocabularies: int = 1,
    axes: Axes | Float32Matrix | None = None,
) -> Float32Matrix:
    """Describe local features by the visual words' normalised residuals.

    Parameters
    ----------
    features : ndarray of float32, (n, 128)
    codebook : ndarray of float32, (k, 128)
        The words; of several vocabularies one after another, each of the same size.
    power : float
        Of the entries' sizes (the power law); 1 leaves them.
    intra : bool
        Whether each centre's part is brought to length 1 first.
    normalised : bool
        Whether each residual is.
    vocabularies : int
        Each feature is assigned once in each of them, and each has the same weight in the whole.
    axes : ndarray, (k, 128, 128), optional
        Coordinates in which each centre's part is written, in steps of 1/4096: what the power law weakens then are
        residuals that often go together.

    Returns
    -------
    ndarray of float32, (k, 128)
        Of length 1 as a whole; all zero where there is no feature.
    """
    books = codebook.reshape(vocabularies, -1, codebook.shape[1])
    sums = np.concatenate([residual_sums(features, book, normalised) for book in books])
    if axes is not None:
        sums = _turned(sums, axes)
    if intra:
        sums = unit(sums)
    if power != 1:
        sums = np.sign(sums) * np.abs(sums) ** np.float32(power)
    if vocabularies > 1:
        sums = unit(sums.reshape(vocabularies, -1))
    return unit(sums.reshape(1, -1)).reshape(codebook.shape)


def unit(rows: Float32Matrix) -> Float32Matrix:
    """L2-normalize each row in float32; zero rows come out as +0, since they are stored."""
    lengths = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0))


def learn_axes(features: Features, codebook: Codebook, normalised: bool) -> Axes:
    """Learn the coordinate system of each word: the principal axes of the residuals around it.

    Parameters
    ----------
    features : ndarray of float32, (n, 128)
        Of many pictures.
    codebook : ndarray of float32, (k, 128)
    normalised : bool
        Whether residuals are brought to length 1 first.

    Returns
    -------
    ndarray of int16, (k, 128, 128)
        An axis a column, by decreasing variance; a word that nothing is near to has those of the features.
    """
    nearest = assign(features, codebook)
    axes = np.empty((*codebook.shape, codebook.shape[1]), np.int16)
    for word in range(len(codebook)):
        mine = features[nearest == word]
        residuals = unit_residuals(mine, codebook, np.full(len(mine), word)) if normalised else mine - codebook[word]
        wide = residuals.astype(np.float64)
        _, directions = np.linalg.eigh(wide.T @ wide)
        directions = directions[:, ::-1]
        # LAPACK's choice of signs is not the same everywhere; towards zero, so that no axis gets longer than 1.
        largest = np.take_along_axis(directions, np.abs(directions).argmax(axis=0)[None, :], axis=0)
        axes[word] = np.trunc(directions * np.where(largest < 0, -1.0, 1.0) * AXES_STEPS)
    return axes


def _turned(sums: Float32Matrix, axes: Axes | Float32Matrix) -> Float32Matrix:
    """Write each word's sum in the word's own coordinates; exact but for what the steps cut off."""
    lengths = np.sqrt(np.square(sums).sum(axis=1, keepdims=True))
    steps = np.trunc(unit(sums) * np.float32(AXES_STEPS))
    seen = np.flatnonzero(lengths)
    turned = np.zeros_like(sums)
    turned[seen] = (steps[seen, None, :] @ axes[seen].astype(np.float32, copy=False))[:, 0]
    return np.asarray(turned * np.float32(1 / AXES_STEPS**2) * lengths)


@dataclass(frozen=True, eq=False, kw_only=True)
class CompactVladExtractor(AggregatingExtractor):
    """A vocabulary and a projection.

    Parameters
    ----------
    steps : ndarray of int16, (k * 128, m)
        As in `twinlens.features.vocabulary.vocabulary.Projection`.
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
            made = vocabulary.projection(self.centres, self.dimensions)
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
