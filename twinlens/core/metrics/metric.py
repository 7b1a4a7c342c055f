"""The interface of metrics: x -> G x before the hash method, and the distance that candidates are ranked by.

Kulis, Jain and Grauman: Fast Similarity Search for Learned Metrics, PAMI 2009. A metric is a positive semi-definite A,
factored as A = G'G:

    d_A(x, z)² = (x - z)' A (x - z) = |G x - G z|²,        s_A(x, z) = x' A z = (G x)'(G z)

so any hash method for plain vectors stands behind it: it hashes G x (:mod:`twinlens.core.hashing.method_under_metric`).
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix, Int64Labels, Int64Rows
from twinlens.core.declaration.declaration import Declaration, parameter
from twinlens.core.declaration.fitted import Fitted
from twinlens.core.declaration.parameters import Parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import Vectors, as_vectors, row_blocks, training_vectors

FORMULA = "distance = |G (x - z)| / spread, similarity = max(0, 1 - distance² / 2)"
KERNEL_FORMULA = "similarity = max(0, s(x, z) / sqrt(s(x, x) s(z, z))), s(x, z) = (G x)'(G z)"

FARTHEST = 1e6
"""Distance of an item that is zero throughout (a photograph without a keypoint): ranked last, and never lost."""

Ranking = Literal["distance", "kernel"]
"""By what candidates are ranked: the learned distance, or the learned kernel s_A, normalised."""


_ATTEMPTS = 100  # at drawing enough pairs of both kinds


@dataclass(frozen=True, eq=False)
class MetricPairs:
    """Pairs of items that were marked alike or different.

    Attributes
    ----------
    rows : ndarray of int64, (p, 2)
        Of the items that the metric is fitted to.
    similar : ndarray of bool, (p,)
        Whether the two are alike; else they are different.
    """

    rows: npt.NDArray[np.int64]
    similar: npt.NDArray[np.bool_]

    def digest(self) -> str:
        """Return a digest that tells them from any others."""
        return hashlib.sha256(self.rows.tobytes() + self.similar.tobytes()).hexdigest()

    @classmethod
    def of_labels(cls, labels: Int64Labels, count: int, hidden: Int64Rows | None, seed: int) -> Self:
        """Draw pairs, half with the same label and half with different ones, without some hidden rows.

        Parameters
        ----------
        labels : ndarray of int64, (n,)
        hidden : ndarray of int64, optional

        Raises
        ------
        TwinlensError
            If all labels are equal, or all differ.
        """
        rng = np.random.default_rng(seed)
        free = np.arange(len(labels)) if hidden is None else np.setdiff1d(np.arange(len(labels)), hidden)
        found: list[list[Int64Rows]] = [[], []]
        wanted = (count - count // 2, count // 2)
        for _ in range(_ATTEMPTS):
            rows = free[rng.integers(0, len(free), (10 * count, 2))]
            rows = rows[rows[:, 0] != rows[:, 1]]
            same = labels[rows[:, 0]] == labels[rows[:, 1]]
            for kind, chosen in enumerate((rows[same], rows[~same])):
                found[kind].append(chosen)
            if all(sum(map(len, some)) >= least for some, least in zip(found, wanted, strict=True)):
                similar, different = (np.concatenate(some)[:least] for some, least in zip(found, wanted, strict=True))
                return cls(np.concatenate([similar, different]), np.arange(count) < len(similar))
        raise TwinlensError(
            "The labels do not give {count} pairs, half with the same label and half with different ones.",
            "Give labels of which some, but not all, are equal.",
            count=count,
        )


@dataclass(frozen=True, eq=False)
class FittedMetric(Fitted):
    """A metric that is known: x -> G x, and the distances under it. A subclass gives G in :meth:`image`.

    It measures as :class:`twinlens.core.exact_search.measure.Measure` does, by distances and similarities, and can
    stand in its place.

    Attributes
    ----------
    spread : float
        What distances are divided by; see :meth:`fitted_to`.
    note : Message
        What a person should know of this metric; empty where there is nothing.
    """

    spread: float = 1.0
    ranking: str = "distance"
    note: Message = NOTHING

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """Length of the vectors that it takes, d."""

    @property
    @abstractmethod
    def out_dimensions(self) -> int:
        """Length of the vectors G x that it gives."""

    @abstractmethod
    def image(self, block: Vectors, minus: Vectors | float = 0.0) -> Float64Matrix:
        """Return G (x - minus) of checked rows, (m, d) -> (m, out); of a row always the same, whatever is beside it."""

    @abstractmethod
    def spectrum(self) -> Float64Matrix:
        """Return the eigenvalues of A = G'G, (d,), descending: how much each direction counts."""

    def apply(self, x: npt.ArrayLike, progress: Progress = silent) -> npt.NDArray[np.float32]:
        """Return G x of vectors: what is hashed in their place.

        Parameters
        ----------
        x : array_like, (n, d)
            Taken as float32, as encoders take them.

        Returns
        -------
        ndarray of float32, (n, out)
            Of a row always the same bits, alone or in a batch.

        Raises
        ------
        TwinlensError
            If ``x`` has another number of dimensions, or holds a value that is not finite or that G makes so (names
            the row).
        """
        table = np.asarray(x)
        images = np.empty((len(table), self.out_dimensions), np.float32)
        for rows, block in self._checked_blocks(table):
            progress(rows.start, len(table), Message("Applying the metric"))
            images[rows] = self.apply_block(block, rows.start)
        return images

    def apply_block(self, block: npt.NDArray[np.float32], first_row: int = 0) -> npt.NDArray[np.float32]:
        """Return G x of checked rows, (m, d) -> (m, out)."""
        with np.errstate(over="ignore"):
            image = self.image(block).astype(np.float32)
        finite = np.isfinite(image).all(axis=1)
        if not finite.all():
            raise TwinlensError(
                "Under the metric, row {first_row} (counted from 0) has a value that is too large for float32.",
                "Scale the vectors or the metric down.",
                first_row=first_row + int(np.argmin(finite)),
            )
        return image

    def distances(self, query: Vectors, x: Vectors) -> Float64Matrix:
        """Measure one query against many items.

        Parameters
        ----------
        query : ndarray, (d,)
        x : ndarray, (n, d)
            Not applied yet: the vectors as they are.

        Returns
        -------
        ndarray of float64, (n,)
            |G (x - query)| / spread, below ``FARTHEST``, or, where the kernel ranks, in [0, 2].
            Equal items at exactly 0; an item that is zero throughout as far as can be from any other. Of an item
            always the same, whatever is measured beside it.
        """
        if self.ranking == "kernel":
            return self._by_kernel(query, x)
        distances = np.empty(len(x))
        for rows in row_blocks(len(x), max(x.shape[1], self.out_dimensions)):
            difference = self.image(x[rows], minus=query)
            distances[rows] = np.sqrt(np.square(difference).sum(axis=1))
        distances = np.minimum(distances / self.spread, FARTHEST)
        if query.any():
            distances[~x.any(axis=1)] = FARTHEST
        else:
            distances[x.any(axis=1)] = FARTHEST
        return distances

    def _by_kernel(self, query: Vectors, x: Vectors) -> Float64Matrix:
        query_image, measure = self.image(query[None])[0], Measure(Linear())
        distances = np.empty(len(x))
        for rows in row_blocks(len(x), max(x.shape[1], self.out_dimensions)):
            distances[rows] = measure.distances(query_image, self.image(x[rows]))
        return distances

    def similarities(self, distances: Float64Matrix) -> Float64Matrix:
        """Turn distances into similarities in [0, 1], the same order reversed (`FORMULA`, `KERNEL_FORMULA`)."""
        return np.clip(1 - np.square(distances) / 2, 0, 1)

    def kernel(self, query: Vectors, x: Vectors) -> Float64Matrix:
        """Evaluate the learned kernel s_A(query, x) = (G query)'(G x), (d,), (n, d) -> (n,), not normalised."""
        query_image = self.image(query[None])
        values = np.empty(len(x))
        for rows in row_blocks(len(x), max(x.shape[1], self.out_dimensions)):
            values[rows] = (self.image(x[rows]) * query_image).sum(axis=1)
        return values

    def fitted_to(self, x: Vectors, progress: Progress = silent) -> Self:
        """Return this metric with its spread found from data.

            spread² = mean |x|²  ·  sum |G (x - mean)|² / sum |x - mean|²

        G counts by how it stretches some differences more than others, not by its size: the mean of the squared
        distance, divided so, is what it is without a metric, and with G = I and vectors of unit length the distance
        is that of the cosine, sqrt(2 - 2 cos). Of items that are all equal it is mean |G x|².

        Parameters
        ----------
        x : ndarray, (n, d)
            A sample; rows that are zero throughout do not count.

        Raises
        ------
        TwinlensError
            If no row is left, one is not finite, or they have another number of dimensions.
        """
        as_vectors(np.asarray(x)[:0], np.float32, self.dimensions)
        x = training_vectors(x)
        mean = x.mean(axis=0, dtype=np.float64)
        before = after = length = plain = 0.0
        for rows in row_blocks(*x.shape):
            progress(rows.start, len(x), Message("Spread"))
            before += float(np.square(np.subtract(x[rows], mean, dtype=np.float64)).sum())
            after += float(np.square(self.image(x[rows], minus=mean)).sum())
            length += float(np.square(x[rows], dtype=np.float64).sum())
            plain += float(np.square(self.image(x[rows])).sum())
        noise = 1e-14 * length  # what float32 makes of items that are equal
        squared = length / len(x) * after / before if before > noise and after > 0 else plain / len(x)
        return replace(self, spread=float(np.sqrt(squared)) if squared > 0 else 1.0)

    def check(self, dimensions: int) -> None:
        """Refuse vectors of another length.

        Raises
        ------
        TwinlensError
            Says both lengths.
        """
        if dimensions != self.dimensions:
            raise TwinlensError(
                "The metric is for vectors of {dimensions} dimensions, but these have {dimensions2}.",
                "Give vectors of the descriptor that the metric was made for.",
                dimensions=self.dimensions,
                dimensions2=dimensions,
            )

    def _checked_blocks(self, table: npt.NDArray[np.generic]) -> Iterator[tuple[slice, npt.NDArray[np.float32]]]:
        as_vectors(table[:0], np.float32, self.dimensions)
        for rows in row_blocks(len(table), max(self.dimensions, self.out_dimensions)):
            block = as_vectors(table[rows], np.float32, self.dimensions, first_row=rows.start)
            yield rows, block.astype(np.float32, copy=False)


class Metric(Declaration):
    """Base of the metrics that can be chosen; a subclass sets ``fitted`` and implements :meth:`fit`."""

    fitted: ClassVar[tuple[type[FittedMetric], ...]]
    """The forms in which it may be given."""
    needs_marks: ClassVar[bool] = False
    """Whether it is learned from pairs that were marked, and cannot be fitted without."""

    ranking: Ranking = parameter(
        "distance",
        help="By what candidates are ranked: distance, the length of G (x - z), or kernel, the cosine of G x and G z, "
        "which is what the bits of random hyperplanes estimate.",
    )

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Its own parameters, then those of all metrics."""
        return tuple(sorted(super().parameters(), key=lambda about: about.name in Metric.model_fields))

    def check(self, dimensions: int) -> None:
        """Refuse vectors that it can never be fitted to, before any of them is made; by default none.

        Raises
        ------
        TwinlensError
            Says why, and what would do.
        """

    @abstractmethod
    def fit(self, x: Vectors, pairs: MetricPairs | None = None, progress: Progress = silent) -> FittedMetric:
        """Learn a metric.

        Parameters
        ----------
        x : ndarray, (n, d)
            Training vectors; rows that are zero throughout teach nothing.
        pairs : MetricPairs, optional
            Of rows of ``x``; without meaning for a metric that needs no marks.
        progress : Progress
            Told of the work; may cancel it.

        Raises
        ------
        TwinlensError
            If nothing can be learned from these vectors; the sentence says why and what can be done.
        """
