"""By what the answers to a question are ranked: the exact measure of an index, for one example or for several together.

With examples q of weights w the score of an item x is

    s(x) = sum w k'(q, x) / sum |w|,     distance = sqrt(2 - 2 s),     similarity = max(0, s)

where k' is the normalised kernel of :mod:`core.measure`; for one example that is the measure itself. Under a metric, k'
is 1 - distance² / 2. That may be far below -1; for an example that the answers shall not be like it counts as -1 then,
or whatever is odd would come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
Distances = npt.NDArray[np.float64]

_DECIMALS = 12  # as of the measure: beyond this only rounding would order items that are equal


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
    vectors : ndarray of float32, (m, d)
        Theirs.
    weights : tuple of float
        Theirs; at least one is above 0, none is 0.
    """

    measure: Measuring
    examples: tuple[int, ...]
    vectors: npt.NDArray[np.float32]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, measure: Measuring, vectors: Sequence[Vector], weights: Sequence[float]) -> Criterion:
        """Take the examples that have something to say.

        A vector that is zero throughout is as unlike to everything as anything can be, so it would only shift the
        scores; it counts only where nothing else tells what the answers shall be like.

        Parameters
        ----------
        measure : Measuring
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
        """Measure items, (n, d) -> (n,); of an item always the same, whatever is measured beside it."""
        if len(self.weights) == 1:
            return self.measure.distances(self.vectors[0], x)
        scores = np.zeros(len(x))
        for vector, weight in zip(self.vectors, self.weights, strict=True):
            score = 1 - np.square(self.measure.distances(vector, x)) / 2
            scores += weight * (score if weight > 0 else np.maximum(score, -1))
        scores /= sum(abs(weight) for weight in self.weights)
        distances = np.sqrt(np.round(2 - 2 * np.minimum(scores, 1), _DECIMALS))
        # An item that is zero throughout is unlike what the answers shall not be like, too: that is no merit.
        blank = ~x.any(axis=1)
        distances[blank] = self.measure.distances(self.vectors[self.liked()[0]], x[blank])
        return np.asarray(distances)

    def similarities(self, x: npt.NDArray[np.floating]) -> Distances:
        """Give the similarities of items, (n, d) -> (n,), in [0, 1]."""
        return self.measure.similarities(self.distances(x))
