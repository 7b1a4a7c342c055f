"""By what the answers to a question are ranked: the exact measure of an index, for one example or for several together.

With examples q of weights w the score of an item x is

    s(x) = sum v k'(q, x) / sum |v|,     distance = sqrt(2 - 2 s),     similarity = max(0, s)

    v = w for what the answers shall be like,     v = 0.2 P w / m for what they shall not be like

with P the sum of the weights of the first and m the number of the second (Rocchio, 1971, who takes 0.15 to 0.75): all
that is unlike counts together a fifth of what is liked, or, with weights above 1, more. If each counted as much as what
is liked, one alone would halve the precision of the first ten (0.50 to 0.26, of 1,102 photographs in 18 classes, marks
taken from the first answers) and five would leave nothing; so, five and five raise it from 0.43 to 0.56.

Here k' is the normalised kernel of :mod:`core.measure`; for one example that is the measure itself. Under a metric, k'
is 1 - distance² / 2. That may be far below -1; for an example that the answers shall not be like it counts as -1 then,
or whatever is odd would come first.

An example may be described by several alternatives, as by its picture and the mirror image of that. It is like an item
if any of them is: its distance is the smallest of theirs, whatever its weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
Alternatives = npt.NDArray[np.float32]
"""Vectors of one example, (a, d), any of which may be meant."""
Distances = npt.NDArray[np.float64]

FARTHER = 1.12
"""By what the distance from every alternative but the first is taken longer.

Of four distances, each by chance a little short, the smallest says less than one. What shows the same, mirrored or in
negative, is so near that this leaves it first; what is merely a little nearer so does not come before what is alike as
it is. Found on 807 photographs of ten kinds: without it the first ten of a search had 0.518 of the kind, with it 0.530,
as many as without alternatives.
"""

_DECIMALS = 12  # as of the measure: beyond this only rounding would order items that are equal


UNLIKE = 0.2
"""What all that the answers shall not be like counts together, at weights of -1, beside what they shall be like."""


def balanced(weights: Sequence[float]) -> tuple[float, ...]:
    """Say what examples count for by their weights, of which one is above 0.

    Examples
    --------
    >>> balanced([1, 1, -1, -1])
    (1, 1, -0.2, -0.2)
    """
    liked = sum(weight for weight in weights if weight > 0)
    unlike = sum(weight < 0 for weight in weights)
    return tuple(weight if weight > 0 else UNLIKE * liked * weight / unlike for weight in weights)


class Measuring(Protocol):
    """What tells how far items are from one: the measure of a kernel, or a metric."""

    def distances(self, query: Vector, x: npt.NDArray[np.floating]) -> Distances:
        """Measure items, (d,), (n, d) -> (n,)."""

    def similarities(self, distances: Distances) -> Distances:
        """Turn distances into similarities in [0, 1]."""


@dataclass(frozen=True, eq=False)
class Criterion:
    """A question as one index sees it. Made by :meth:`of`.

    Attributes
    ----------
    measure : Measuring
    examples : tuple of int
        Which examples of the question count, by their places.
    alternatives : tuple of ndarray of float32, (a, d)
        Theirs: the vectors any of which may be meant.
    weights : tuple of float
        What they count for, v; at least one is above 0, none is 0.
    """

    measure: Measuring
    examples: tuple[int, ...]
    alternatives: tuple[Alternatives, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(
        cls, measure: Measuring, examples: Sequence[Vector] | Sequence[Alternatives], weights: Sequence[float]
    ) -> Criterion:
        """Take the examples that have something to say.

        A vector that is zero throughout is as unlike to everything as anything can be, so it would only shift the
        scores; it counts only where nothing else tells what the answers shall be like.

        Parameters
        ----------
        measure : Measuring
        examples : sequence of ndarray of float32, (d,) or (a, d)
            A vector of each, or several of which any may be meant.
        weights : sequence of float
            At least one above 0.
        """
        asked = [np.atleast_2d(one) for one in examples]
        counting = [i for i, (rows, weight) in enumerate(zip(asked, weights, strict=True)) if weight and rows.any()]
        if not any(weights[i] > 0 for i in counting):
            counting = [next(i for i, weight in enumerate(weights) if weight > 0)]
        kept = balanced([weights[i] for i in counting])
        return cls(measure, tuple(counting), tuple(asked[i] for i in counting), kept)

    @property
    def blank(self) -> bool:
        """Whether no example tells what the answers shall be like."""
        return not any(rows.any() for rows in self.alternatives)

    def liked(self) -> list[int]:
        """Return the places, among those that count, of the examples that the answers shall be like."""
        return [place for place, weight in enumerate(self.weights) if weight > 0]

    def distances(self, x: npt.NDArray[np.floating]) -> Distances:
        """Measure items, (n, d) -> (n,); of an item always the same, whatever is measured beside it."""
        if len(self.weights) == 1:
            return self._of_any(self.alternatives[0], x)
        scores = np.zeros(len(x))
        for rows, weight in zip(self.alternatives, self.weights, strict=True):
            score = 1 - np.square(self._of_any(rows, x)) / 2
            scores += weight * (score if weight > 0 else np.maximum(score, -1))
        scores /= sum(abs(weight) for weight in self.weights)
        distances = np.sqrt(np.round(2 - 2 * np.minimum(scores, 1), _DECIMALS))
        # An item that is zero throughout is unlike what the answers shall not be like, too: that is no merit.
        blank = ~x.any(axis=1)
        distances[blank] = self._of_any(self.alternatives[self.liked()[0]], x[blank])
        return np.asarray(distances)

    def similarities(self, x: npt.NDArray[np.floating]) -> Distances:
        """Return the similarities of items, (n, d) -> (n,), in [0, 1]."""
        return self.measure.similarities(self.distances(x))

    def nearest(self, item: Vector) -> tuple[int, int]:
        """Say to which liked example an item, (d,), is nearest, and as which alternative; of equals the first.

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

    def _of_any(self, rows: Alternatives, x: npt.NDArray[np.floating]) -> Distances:
        """Return distance from the nearest alternative; one that is zero throughout tells nothing beside another."""
        telling = rows[rows.any(axis=1)]
        if not len(telling):
            telling = rows[:1]
        nearest = self.measure.distances(telling[0], x)
        for vector in telling[1:]:
            np.minimum(nearest, FARTHER * self.measure.distances(vector, x), out=nearest)
        return nearest
