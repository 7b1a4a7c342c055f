"""By what the answers to a question are ranked: the exact measure of an index, for one example or for several together.

With examples q of weights w the score of an item x is

    s(x) = sum w k'(q, x) / sum |w|,     distance = sqrt(2 - 2 s),     similarity = max(0, s)

where k' is the normalised kernel of :mod:`core.measure`; for one example that is the measure itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.measure import Measure

Vector = npt.NDArray[np.float32]
Distances = npt.NDArray[np.float64]

_DECIMALS = 12  # as of the measure: beyond this only rounding would order items that are equal
_FARTHEST = 2.0


@dataclass(frozen=True, eq=False)
class Criterion:
    """A question as one index sees it. Made by :meth:`of`.

    Attributes
    ----------
    measure : Measure
    examples : tuple of int
        Which examples of the question count, by their places.
    vectors : ndarray of float32, (m, d)
        Theirs.
    weights : tuple of float
        Theirs; at least one is above 0, none is 0.
    """

    measure: Measure
    examples: tuple[int, ...]
    vectors: npt.NDArray[np.float32]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, measure: Measure, vectors: Sequence[Vector], weights: Sequence[float]) -> Criterion:
        """Take the examples that have something to say.

        A vector that is zero throughout is as unlike to everything as anything can be, so it would only shift the
        scores; it counts only where nothing else tells what the answers shall be like.

        Parameters
        ----------
        measure : Measure
        vectors : sequence of ndarray of float32, (d,)
        weights : sequence of float
            At least one above 0.
        """
        counting = [
            i for i, (vector, weight) in enumerate(zip(vectors, weights, strict=True)) if weight and vector.any()
        ]
        if not any(weights[i] > 0 for i in counting):
            counting = [next(i for i, weight in enumerate(weights) if weight > 0)]
        return cls(
            measure, tuple(counting), np.stack([vectors[i] for i in counting]), tuple(weights[i] for i in counting)
        )

    @property
    def blank(self) -> bool:
        """Whether no example tells what the answers shall be like."""
        return not self.vectors.any()

    def liked(self) -> list[int]:
        """Give the rows of the vectors that the answers shall be like."""
        return [row for row, weight in enumerate(self.weights) if weight > 0]

    def distances(self, x: npt.NDArray[np.floating]) -> Distances:
        """Measure items, (n, d) -> (n,), in [0, 2]; of an item always the same, whatever is measured beside it."""
        if len(self.weights) == 1:
            return self.measure.distances(self.vectors[0], x)
        scores = np.zeros(len(x))
        for vector, weight in zip(self.vectors, self.weights, strict=True):
            scores += weight * (1 - np.square(self.measure.distances(vector, x)) / 2)
        scores /= sum(abs(weight) for weight in self.weights)
        distances = np.sqrt(np.round(2 - 2 * np.clip(scores, -1, 1), _DECIMALS))
        # An item that is zero throughout is unlike what the answers shall not be like, too: that is no merit.
        distances[~x.any(axis=1)] = _FARTHEST
        return np.asarray(distances)

    def similarities(self, x: npt.NDArray[np.floating]) -> Distances:
        """Give the similarities of items, (n, d) -> (n,), in [0, 1]."""
        return self.measure.similarities(self.distances(x))
