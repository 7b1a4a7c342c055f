"""The distance from a query: the exact measure of an index, for one example or several together.

With examples q of weights w the score of an item x is

    s(x) = sum v k'(q, x) / sum |v|,     distance = sqrt(2 - 2 s),     similarity = max(0, s)

    v = w for liked examples,     v = 0.2 P w / m for disliked ones

with P the sum of the liked weights and m the number of disliked examples (Rocchio, 1971, who takes 0.15 to 0.75): all
disliked examples count together a fifth of the liked ones, or, with weights above 1, more. If each counted fully, one
alone would halve the precision of the first ten (0.50 to 0.26, of 1,102 photographs in 18 classes, marks taken from the
first results) and five would leave nothing. This way, five and five raise it from 0.43 to 0.56.

Here k' is the normalised kernel of :mod:`twinlens.core.exact_search.measure`; for one example that is the measure
itself. Under a metric, k' is 1 - distance² / 2. That may be far below -1; for a disliked example it then counts as -1,
or odd photographs would come first.

An example may have several alternatives, such as its picture and the mirror image. Its distance is the smallest of
theirs, whatever its weight.

A palette of several colours, or a sketch, is like what has all of them. Its similarity is the weighted geometric mean
of those to its colours alone, each beside that of the imagined picture m that has just these colours,

    s(x) = min(1, prod (k'(c, x) / k'(c, m))^w)

with w the share of the colour c, of sum 1. Where k' is Hellinger's it is about the root of the colour's share p in the
photograph, so that s = exp(-KL(w || p) / 2): 1 at just these shares, and small where one is missing. The similarity to
m itself is no such measure: much of one colour outweighs what lacks of another.

A picture has several views: as it is, mirrored, in negative, both, and its parts. Local features cannot recognise
mirrored or negative copies, so by them the query is described in all four ways; SIFT, which takes most of the time,
runs once for all of them. A network recognises such copies by itself: where it takes part, the picture as it is finds
as many of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from twinlens.core.containers import RecentValues
from twinlens.features.descriptor import Descriptor
from twinlens.features.keypoints.keypoints import Keypoints
from twinlens.features.keypoints.sift import Cap

Vector = npt.NDArray[np.float32]

Alternatives = npt.NDArray[np.float32]
"""Alternative vectors of one example, (a, d)."""

Distances = npt.NDArray[np.float64]

FARTHER = 1.12
"""Factor on the distance from every alternative but the first.

The smallest of four distances is shorter by chance. A mirrored or negative copy is so near that it stays first in spite
of the factor. Measured on 807 photographs of ten kinds: the first ten results had 0.518 of the kind without it, 0.530
with it, as many as without alternatives.
"""

_DECIMALS = 12  # as of the measure: beyond this only rounding would order items that are equal

_ABSENT = 0.001
"""Similarity to a colour that is not there at all: what has one of two colours is still before what has none."""

UNLIKE = 0.2
"""Share of all disliked examples together, at weights of -1, beside the liked ones."""


def balanced(weights: Sequence[float]) -> tuple[float, ...]:
    """Return the balanced weights, v, of examples; one of their weights is above 0.

    Examples
    --------
    >>> balanced([1, 1, -1, -1])
    (1, 1, -0.2, -0.2)
    """
    liked = sum(weight for weight in weights if weight > 0)
    unlike = sum(weight < 0 for weight in weights)
    return tuple(weight if weight > 0 else UNLIKE * liked * weight / unlike for weight in weights)


class DistanceMeasure(Protocol):
    """A distance between items: the measure of a kernel, or a metric."""

    def distances(self, query: Vector, x: npt.NDArray[np.floating]) -> Distances:
        """Return the distances of items, (d,), (n, d) -> (n,)."""

    def similarities(self, distances: Distances) -> Distances:
        """Return distances as similarities in [0, 1]."""


@dataclass(frozen=True, eq=False)
class QueryDistance:
    """The distance of photographs from a query by the measure of one index. Made by :meth:`of`.

    Attributes
    ----------
    examples : tuple of int
        Places of the examples that count.
    alternatives : tuple of ndarray of float32, (a, d)
        The alternative vectors of each.
    weights : tuple of float
        Their balanced weights, v; at least one is above 0, none is 0.
    colours : tuple of ndarray of float32, (c, d)
        The colours of each that is a palette of several or a sketch; see `PictureView`.
    """

    measure: DistanceMeasure
    examples: tuple[int, ...]
    alternatives: tuple[Alternatives, ...]
    weights: tuple[float, ...]
    colours: tuple[Alternatives, ...]

    @classmethod
    def of(
        cls,
        measure: DistanceMeasure,
        examples: Sequence[Vector] | Sequence[Alternatives],
        weights: Sequence[float],
        colours: Sequence[Alternatives] = (),
    ) -> QueryDistance:
        """Return the distance from the examples whose vectors are not zero.

        A zero vector is equally far from everything, so it would only shift the scores; it counts only where there is
        no other liked example.

        Parameters
        ----------
        examples : sequence of ndarray of float32, (d,) or (a, d)
            A vector of each, or several alternatives.
        weights : sequence of float
            At least one above 0.
        colours : sequence of ndarray of float32, (c, d)
            Of each example, or none of any.
        """
        given = [np.atleast_2d(one) for one in examples]
        counting = [i for i, (rows, weight) in enumerate(zip(given, weights, strict=True)) if weight and rows.any()]
        if not any(weights[i] > 0 for i in counting):
            counting = [next(i for i, weight in enumerate(weights) if weight > 0)]
        kept = balanced([weights[i] for i in counting])
        of_each = tuple(colours[i] if colours else _NO_COLOURS for i in counting)
        return cls(measure, tuple(counting), tuple(given[i] for i in counting), kept, of_each)

    @property
    def blank(self) -> bool:
        """Whether the vectors of all examples are zero."""
        return not any(rows.any() for rows in self.alternatives)

    def liked(self) -> list[int]:
        """Return the places of the liked examples among those that count."""
        return [place for place, weight in enumerate(self.weights) if weight > 0]

    def single(self) -> Vector | None:
        """Return the one vector to measure from, (d,); None where there are several."""
        if len(self.weights) != 1 or len(self.colours[0]):
            return None
        telling = self.alternatives[0][self.alternatives[0].any(axis=1)]
        return telling[0] if len(telling) == 1 else None

    def distances(self, x: npt.NDArray[np.floating]) -> Distances:
        """Return the distances of items, (n, d) -> (n,); that of an item does not depend on the others."""
        if len(self.weights) == 1:
            return self._of_example(0, x)
        scores = np.zeros(len(x))
        for place, weight in enumerate(self.weights):
            score = 1 - np.square(self._of_example(place, x)) / 2
            scores += weight * (score if weight > 0 else np.maximum(score, -1))
        scores /= sum(abs(weight) for weight in self.weights)
        distances = np.sqrt(np.round(2 - 2 * np.minimum(scores, 1), _DECIMALS))
        # A zero vector is far from disliked examples too: that is no merit.
        blank = ~x.any(axis=1)
        distances[blank] = self._of_any(self.alternatives[self.liked()[0]], x[blank])
        return np.asarray(distances)

    def searched(self) -> list[Alternatives]:
        """Return the vectors of each liked example whose codes find candidates."""
        return [
            np.concatenate([self.alternatives[place], *(one[None] for one in self.colours[place])])
            for place in self.liked()
        ]

    def similarities(self, x: npt.NDArray[np.floating]) -> Distances:
        """Return the similarities of items, (n, d) -> (n,), in [0, 1]."""
        return self.measure.similarities(self.distances(x))

    def nearest(self, item: Vector) -> tuple[int, int]:
        """Return the liked example, and its alternative, that are nearest to an item, (d,); of equals the first.

        Returns
        -------
        example, alternative : int
            The place of the example among those that count, and that of the alternative among its own.
        """
        found = []
        for place in self.liked():
            rows = np.flatnonzero(self.alternatives[place].any(axis=1)).tolist() or [0]
            for row in rows:
                distance = float(self.measure.distances(self.alternatives[place][row], item[None])[0])
                found.append((distance * (1 if row == rows[0] else FARTHER), place, row))
        _, place, row = min(found)
        return place, row

    def _of_example(self, place: int, x: npt.NDArray[np.floating]) -> Distances:
        colours = self.colours[place]
        if not len(colours):
            return self._of_any(self.alternatives[place], x)
        return self._of_all(colours, self.alternatives[place], x)

    def _of_all(self, colours: Alternatives, having: Alternatives, x: npt.NDArray[np.floating]) -> Distances:
        """Return the distances from what has all colours, (1, d); what is zero throughout is like no colour."""
        shares = colours.sum(axis=1, dtype=np.float64)
        shares /= shares.sum()
        similarity = np.ones(len(x))
        for colour, share in zip(colours, shares.tolist(), strict=True):
            most, alone = (self.measure.similarities(self.measure.distances(colour, one)) for one in (having, x))
            similarity *= np.maximum(alone / most, _ABSENT) ** share
        distances = np.sqrt(np.round(2 - 2 * np.minimum(similarity, 1), _DECIMALS))
        return np.asarray(np.where(x.any(axis=1), distances, 2.0))

    def _of_any(self, rows: Alternatives, x: npt.NDArray[np.floating]) -> Distances:
        """Return the distances from the nearest alternative; zero vectors count only where there are no others."""
        telling = rows[rows.any(axis=1)]
        if not len(telling):
            telling = rows[:1]
        nearest = self.measure.distances(telling[0], x)
        for vector in telling[1:]:
            np.minimum(nearest, FARTHER * self.measure.distances(vector, x), out=nearest)
        return nearest


_PICTURES = 64
_NO_COLOURS: Alternatives = np.empty((0, 0), np.float32)


@dataclass(frozen=True, eq=False)
class PictureView:
    """The vectors of a picture by one kind of descriptor.

    Attributes
    ----------
    alternatives : ndarray of float32, (1, d) or (4, d)
        Of the picture as it is; then mirrored, in negative, and both.
    parts : ndarray of float32, (p, d)
        Of its parts that are not blank; empty where parts are not needed.
    colours : ndarray of float32, (c, d)
        Of a palette of several colours or a sketch, in an index of histograms: each colour alone, times its share.
    """

    alternatives: Alternatives
    parts: npt.NDArray[np.float32]
    colours: Alternatives = field(default_factory=lambda: _NO_COLOURS)

    @classmethod
    def alone(cls, vector: Vector) -> PictureView:
        """Make the view of a picture from its one vector."""
        return cls(vector[None], np.empty((0, len(vector)), np.float32))


def needs_variants(descriptor: Descriptor) -> bool:
    """Return whether mirrored and negative copies are found only by a query that is mirrored and in negative, too."""
    return bool(descriptor.caps) and not descriptor.recognises_variants


class PictureViewCache:
    """Cache of described pictures, so that a search with another weight is quick.

    Attributes
    ----------
    views : RecentValues
        By the picture's digest, the kind's key, and whether variants and parts are included.
    keypoints : RecentValues
        By the picture's digest, and which keypoints are looked for.
    sent : set of str
        Keys of the extractors that a process was given for them.
    """

    def __init__(self) -> None:
        self.views: RecentValues[tuple[bytes, str, bool], PictureView] = RecentValues(_PICTURES)
        self.keypoints: RecentValues[tuple[bytes, Cap], Keypoints] = RecentValues(_PICTURES)
        self.sent: set[str] = set()
