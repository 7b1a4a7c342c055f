"""A metric learned of a kernel, in the span of a few items: k(x, z) plus a term of k with these items.

Kulis, Jain and Grauman: Fast Similarity Search for Learned Metrics, PAMI 2009, section on kernels. Of t items nothing
is known but their kernel's matrix K = U Λ U'. Their coordinates E = U Λ^(1/2) have E E' = K, so all distances and
angles are kept, and any method that learns a metric from vectors learns it from E. With φ the kernel's map, never
held, and Φ the items, O = Φ U Λ^(-1/2) is an orthonormal basis of their span. A metric G that was learned of E changes
that span alone:

    A = I + O (G'G - I) O' = I + Φ M Φ',   M = C (diag(a) - I) C',   C = U Λ^(-1/2) Q,   G'G = Q diag(a) Q'

Only the directions whose a is not 1 are kept. ITML from the identity changes none but those that the items of its pairs
span; then these items are enough, and C is computed for them. With k_x = Φ'φ(x) and y_x = C' k_x,

    s_A(x, z) = k(x, z) + k_x' M k_z                      = k(x, z) + Σ_i (a_i - 1) y_x,i y_z,i
    d_A(x, z)² = s_A(x, x) + s_A(z, z) - 2 s_A(x, z)      = |φ(x) - φ(z)|² + Σ_i (a_i - 1) (y_x,i - y_z,i)²

By these, exactly, candidates are ranked; items are prepared once, by their y. What is hashed must be a vector: with
K = U Λ U' of landmarks L, to which the items belong, P the projection on what L spans, and e(x) = Λ^(-1/2) U' k(L, x)
the coordinates of P φ(x) (kernel principal components without centring, or Nyström's approximation),

    P G φ(x) = G_E e(x),   G_E = I + O (diag(√a) - I) O',   O = Λ^(-1/2) U' k(L, items) C

is a matrix times k(L, x). Its dot products are s_A, all that was learned of it exactly, but for what k has outside of
the span; and any hash method takes it. KLSH of these vectors by the linear kernel is KLSH of the learned kernel.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix, IntegerRows
from twinlens.core.declaration.declaration import declaration_from_json
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.kernel import Kernel, LandmarkKernel
from twinlens.core.message import NOTHING, Message
from twinlens.core.metrics.metric import FARTHEST, FittedMetric
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import Vectors, as_vectors, one_thread, row_blocks, to_grid, training_vectors

LANDMARKS = 512
"""Items by which vectors are made for hashing: the metric's own, and of the data as many as are left of these."""

_LEAST_DRAWN = 256  # of the data, however many items the metric has
_SPREAD_SAMPLE = 1_000


@dataclass(frozen=True, eq=False)
class KernelMetric(FittedMetric):
    """A kernel, items, and how directions that they span are stretched. Made by :meth:`of` or :meth:`of_weights`.

    Attributes
    ----------
    kernel_json : str
        The kernel, with nothing left ``auto``, as JSON.
    items : ndarray of float32, (c, d)
    axes : ndarray of float64, (c, q)
        C.
    stretch : ndarray of float64, (q,)
        a.
    landmarks : ndarray of float32, (m, d)
        L.
    embedding : ndarray of float32, (m, out)
        What k(L, x) is multiplied by for what is hashed; rounded so that products with it are exact.
    """

    kernel_json: str = field(kw_only=True)
    items: npt.NDArray[np.float32] = field(kw_only=True)
    axes: npt.NDArray[np.float64] = field(kw_only=True)
    stretch: npt.NDArray[np.float64] = field(kw_only=True)
    landmarks: npt.NDArray[np.float32] = field(kw_only=True)
    embedding: npt.NDArray[np.float32] = field(kw_only=True)

    @classmethod
    def of(
        cls,
        kernel: Kernel,
        items: Vectors,
        axes: Float64Matrix,
        stretch: Float64Matrix,
        sample: Vectors | None = None,
        ranking: str = "distance",
        note: Message = NOTHING,
    ) -> Self:
        """Make the metric of what is stretched.

        Parameters
        ----------
        kernel : Kernel
            With nothing left ``auto``.
        items : ndarray, (c, d)
            Kept as float32.
        axes : ndarray of float64, (c, q)
            C, Φ C orthonormal.
        stretch : ndarray of float64, (q,)
        sample : ndarray, (n, d), optional
            Landmarks beside the items.

        Raises
        ------
        TwinlensError
            If the kernel is not defined for the items.
        """
        phi = np.ascontiguousarray(items, np.float32)
        kernel.check(phi)
        plain = cls(
            1.0,
            ranking,
            note,
            kernel_json=json.dumps(kernel.to_json(), sort_keys=True),
            items=phi,
            axes=np.asarray(axes, np.float64),
            stretch=np.asarray(stretch, np.float64),
            landmarks=phi[:0],
            embedding=np.empty((0, 0), np.float32),
        )
        return plain._embedded(phi[:0] if sample is None else sample)

    @classmethod
    def of_weights(
        cls, kernel: Kernel, items: Vectors, s: Float64Matrix, ranking: str = "distance", sample: Vectors | None = None
    ) -> Self:
        """Make the metric of items, (c, d), and S, (c, c), of G = I + Φ S Φ', symmetric."""
        phi = np.ascontiguousarray(items, np.float32)
        kernel.check(phi)
        with one_thread():
            space = KernelSpace.of(kernel.matrix(phi, phi))
        change = space.changed_by(np.eye(space.axes.shape[1]) + space.coordinates.T @ s @ space.coordinates)
        return cls.of(kernel, phi[change.items], change.axes, change.stretch, sample, ranking)

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return int(self.items.shape[1])

    @property
    def out_dimensions(self) -> int:
        """Length of the vectors that it gives."""
        return int(self.embedding.shape[1])

    @cached_property
    def base(self) -> Kernel:
        """The kernel that it was learned of."""
        return declaration_from_json(KERNELS, json.loads(self.kernel_json))

    @cached_property
    def s(self) -> Float64Matrix:
        """S of G = I + Φ S Φ', (c, c)."""
        return np.asarray((self.axes * (np.sqrt(self.stretch) - 1)) @ self.axes.T)

    @cached_property
    def m(self) -> Float64Matrix:
        """M of the learned kernel, (c, c)."""
        return np.asarray((self.axes * (self.stretch - 1)) @ self.axes.T)

    def spectrum(self) -> Float64Matrix:
        """Return the eigenvalues of A along the directions that were learned, (q,), descending: all others are 1."""
        return np.sort(self.stretch)[::-1]

    # ---- measuring ---------------------------------------------------------------------------------------------------

    @cached_property
    def _items(self) -> LandmarkKernel:
        return self.base.against(self.items)

    @cached_property
    def _axes(self) -> Float64Matrix:
        return to_grid(self.axes, axis=0) if self.axes.size else self.axes

    def coordinates(self, x: Vectors) -> Float64Matrix:
        """Return the coordinates y of rows along each learned direction, (n, d) -> (n, q); of a row always the same."""
        if not self.axes.size:
            return np.zeros((len(x), self.axes.shape[1]))
        found = to_grid(self._items.values(x), axis=1) @ self._axes
        found[~x.any(axis=1)] = 0
        return np.asarray(found)

    def against(self, x: Vectors) -> KernelItems:
        """Make items, (n, d), ready to be measured many times."""
        return KernelItems(self.base, x, self.coordinates(x), self.stretch - 1)

    def distances(self, query: Vectors, x: Vectors) -> Float64Matrix:
        """Measure one query against many items; see `FittedMetric.distances`."""
        other = self.against(query[None])
        distances = np.empty(len(x))
        for rows in row_blocks(len(x), max(x.shape[1], len(self.items))):
            items = self.against(x[rows])
            if self.ranking == "kernel":
                distances[rows] = items.angles(other)
            else:
                distances[rows] = items.distances(other, self.spread)
        return distances

    def kernel(self, query: Vectors, x: Vectors) -> Float64Matrix:
        """Evaluate the learned kernel s_A(query, x), (d,), (n, d) -> (n,), not normalised."""
        other = self.against(query[None])
        values = np.empty(len(x))
        for rows in row_blocks(len(x), max(x.shape[1], len(self.items))):
            values[rows] = self.against(x[rows]).products(other)
        return values

    def matrix(self, x: Vectors, z: Vectors) -> Float64Matrix:
        """Evaluate s_A of all pairs, fast, (n, d), (m, d) -> (n, m); the last digits may depend on the threads."""
        left, right = self.coordinates(x), self.coordinates(z)
        return np.asarray(self.base.matrix(x, z) + (left * (self.stretch - 1)) @ right.T)

    def fitted_to(self, x: Vectors, progress: Progress = silent) -> Self:
        """Return this metric with its spread and its landmarks found from data; see `FittedMetric.fitted_to`.

        The means are those of a thousand items; landmarks are drawn from all, always the same of the same items.
        """
        as_vectors(np.asarray(x)[:0], np.float32, self.dimensions)
        x = training_vectors(x)
        rng = np.random.default_rng(0)
        progress(0, 3, Message("Spread"))
        some = np.sort(rng.choice(len(x), min(_SPREAD_SAMPLE, len(x)), replace=False))
        few = np.ascontiguousarray(x[some], np.float32)
        progress(1, 3, Message("Spread"))
        y, own = self.coordinates(few), self.base.diagonal(few)
        with one_thread():
            before = float(own.mean() - self.base.matrix(few, few).mean())
        change = float(((self.stretch - 1) * y.var(axis=0)).sum())
        after = before + change
        plain = float(own.mean() + ((self.stretch - 1) * np.square(y).mean(axis=0)).sum())
        squared = float(own.mean()) * after / before if before > 1e-12 * own.mean() and after > 0 else plain
        progress(2, 3, Message("Landmarks"))
        wanted = max(LANDMARKS - len(self.items), _LEAST_DRAWN)
        drawn = np.sort(rng.choice(len(x), min(wanted, len(x)), replace=False))
        return replace(self._embedded(x[drawn]), spread=float(np.sqrt(squared)) if squared > 0 else 1.0)

    # ---- what is hashed ----------------------------------------------------------------------------------------------

    def _embedded(self, sample: Vectors) -> Self:
        """Return this metric with the landmarks of a sample beside its items."""
        landmarks = np.concatenate([self.items, np.asarray(sample, np.float32)])
        if not len(landmarks):
            return self
        with one_thread():
            space = KernelSpace.of(self.base.matrix(landmarks, landmarks))
            weights = space.axes
            if self.axes.size:
                along = weights.T @ self.base.matrix(landmarks, self.items) @ self.axes
                weights = weights + ((weights @ along) * (np.sqrt(self.stretch) - 1)) @ along.T
        return replace(self, landmarks=landmarks, embedding=to_grid(weights, axis=0).astype(np.float32))

    @cached_property
    def _landmarks(self) -> LandmarkKernel:
        return self.base.against(self.landmarks)

    @cached_property
    def _embedding(self) -> Float64Matrix:
        return self.embedding.astype(np.float64)

    def image(self, block: Vectors, minus: Vectors | float = 0.0) -> Float64Matrix:
        """Return G_E e(x) of rows, less that of ``minus``, (m, d) -> (m, out); zero for what is zero throughout."""
        image = np.asarray(to_grid(self._landmarks.values(block), axis=1) @ self._embedding)
        image[~block.any(axis=1)] = 0
        if not np.isscalar(minus):
            image -= self.image(np.asarray(minus)[None])
        return image


_DECIMALS = 12  # of a squared distance: beyond this is rounding alone


@dataclass(frozen=True, eq=False)
class KernelItems:
    """Items with their coordinates along the learned directions. Made by `KernelMetric.against`.

    Attributes
    ----------
    x : ndarray, (n, d)
    coordinates : ndarray of float64, (n, q)
        y.
    weights : ndarray of float64, (q,)
        a - 1.
    """

    kernel: Kernel
    x: Vectors
    coordinates: Float64Matrix
    weights: Float64Matrix

    @cached_property
    def telling(self) -> npt.NDArray[np.bool_]:
        """The rows that are not all zero, (n,)."""
        return np.asarray(self.x.any(axis=1))

    @cached_property
    def norms(self) -> Float64Matrix:
        """k(x, x) of each, (n,); 0 for what cannot be compared."""
        unit = self.kernel.normalise and self.kernel.positive_definite
        norms = self.telling.astype(np.float64) if unit else self.kernel.diagonal(self.x)
        norms[(norms < 0) | ~self.telling] = 0
        return norms

    @cached_property
    def learned_norms(self) -> Float64Matrix:
        """s_A(x, x) of each, (n,)."""
        return np.maximum(self.norms + self._weighed(self.coordinates, self.coordinates), 0)

    def _weighed(self, left: Float64Matrix, right: Float64Matrix) -> Float64Matrix:
        # numpy adds each row of a contiguous table in an order that depends on its length alone.
        return np.asarray((left * self.weights * right).sum(axis=1))

    def products(self, other: KernelItems) -> Float64Matrix:
        """Evaluate s_A of each with one other, (n,)."""
        plain = self.kernel.pairs(self.x, other.x)
        plain[~self.telling] = 0
        if not other.telling[0]:
            plain[:] = 0
        return np.asarray(plain + self._weighed(self.coordinates, other.coordinates))

    def distances(self, other: KernelItems, spread: float) -> Float64Matrix:
        """Measure each against one other: d_A / spread, below ``FARTHEST``; that for what is zero throughout, (n,)."""
        far = self.coordinates - other.coordinates
        squared = self.norms + other.norms - 2 * self.kernel.pairs(self.x, other.x) + self._weighed(far, far)
        squared = np.round(np.maximum(squared, 0) / spread**2, _DECIMALS)
        distances = np.minimum(np.sqrt(squared), FARTHEST)
        distances[~self.telling & ~other.telling] = 0
        distances[self.telling != other.telling] = FARTHEST
        return distances

    def angles(self, other: KernelItems) -> Float64Matrix:
        """Measure each against one other by the normalised learned kernel: sqrt(2 - 2 cos), in [0, 2], (n,)."""
        scale = np.sqrt(self.learned_norms * other.learned_norms)
        cosines = np.divide(self.products(other), scale, out=np.full(len(scale), -1.0), where=scale > 0)
        cosines[~self.telling & ~other.telling] = 1
        return np.asarray(np.sqrt(np.round(2 - 2 * np.clip(cosines, -1, 1), _DECIMALS)))


CUT = 1e-7
"""Of the largest eigenvalue: smaller ones are what float32 makes of kernel values."""

LEARNED = 1e-4
"""By how much eigenvalues of a metric that was kept as float32 differ where nothing was learned."""

_SPANNED = 1e-3  # of what is changed along a direction: what fewer items may leave of it
_RANK = 1e-5  # of the largest singular value: below it items span nothing more


@dataclass(frozen=True, eq=False)
class KernelSpace:
    """The span of some items. Made by :meth:`of`.

    Attributes
    ----------
    coordinates : ndarray of float64, (t, r)
        E, a row an item; zero throughout for an item that has no length.
    axes : ndarray of float64, (t, r)
        U Λ^(-1/2): k_z times it are the coordinates of any item z.
    """

    coordinates: Float64Matrix
    axes: Float64Matrix

    @classmethod
    def of(cls, gram: Float64Matrix, cut: float = CUT) -> Self:
        """Find the space of a kernel's matrix, (t, t); eigenvalues under the cut, or negative, are dropped."""
        with one_thread():
            values, vectors = np.linalg.eigh((gram + gram.T) / 2)
        kept = np.flatnonzero(values > max(cut * values[-1], 0.0))[::-1] if len(values) else np.zeros(0, np.intp)
        values, vectors = values[kept], vectors[:, kept]
        coordinates = vectors * np.sqrt(values)
        coordinates[np.diagonal(gram) <= 0] = 0
        return cls(coordinates, vectors / np.sqrt(values))

    @property
    def rank(self) -> int:
        """Directions that the items span, r."""
        return int(self.axes.shape[1])

    def first(self, rank: int) -> KernelSpace:
        """Keep the leading directions alone, at most so many."""
        return KernelSpace(self.coordinates[:, :rank], self.axes[:, :rank])

    def changed_by(self, g: Float64Matrix, few: IntegerRows | None = None, noise: float = 1e-12) -> Change:
        """Return the change that a metric learned of the coordinates makes.

        Parameters
        ----------
        g : ndarray of float64, (o, r)
            Its factor G.
        few : ndarray of int, optional
            Items that may be enough to say it by.
        noise : float
            Eigenvalues of G'G that differ by less from 1 are taken as 1; the more, the larger they are.
        """
        with one_thread():
            stretch, directions = np.linalg.eigh(g.T @ g)
        stretch = np.maximum(stretch, 0)
        changed = np.flatnonzero(np.abs(stretch - 1) > noise * max(1.0, float(np.sqrt(stretch.max(initial=0)))))
        stretch, directions = stretch[changed], directions[:, changed]
        if few is not None and len(changed):
            axes = self._axes_of(few, directions)
            left = self.coordinates[few].T @ axes - directions
            if (np.square(left).sum(axis=0) * np.minimum(np.abs(stretch - 1), 1)).max() <= _SPANNED**2:
                return Change(np.asarray(few), axes, stretch)
        items = np.arange(len(self.axes)) if len(changed) else np.zeros(0, np.intp)
        return Change(items, (self.axes @ directions)[items], stretch)

    def fewer(self, change: Change, most: int) -> Change:
        """Approximate it by at most so many of its items: those that span most of the others."""
        if len(change.items) <= most:
            return change
        from scipy.linalg import qr

        spanning = self.coordinates[change.items].T
        with one_thread():
            _, order = qr(spanning, mode="r", pivoting=True)
        kept = np.sort(order[:most])
        return Change(change.items[kept], self._axes_of(change.items[kept], spanning @ change.axes), change.stretch)

    def _axes_of(self, items: IntegerRows, directions: Float64Matrix) -> Float64Matrix:
        """Return directions, (r, q), as combinations of items, (c, q)."""
        with one_thread():
            return np.asarray(np.linalg.lstsq(self.coordinates[items].T, directions, rcond=_RANK)[0])


@dataclass(frozen=True, eq=False)
class Change:
    """The change that a metric makes: A = I + Φ C (diag(a) - I) C'Φ', with Φ C orthonormal.

    Attributes
    ----------
    items : ndarray of int, (c,)
        The items of Φ, by their rows.
    axes : ndarray of float64, (c, q)
        C.
    stretch : ndarray of float64, (q,)
        a, at least 0: what squared lengths along each direction are multiplied by.
    """

    items: IntegerRows
    axes: Float64Matrix
    stretch: Float64Matrix

    @property
    def s(self) -> Float64Matrix:
        """S of the symmetric factor G = I + Φ S Φ', (c, c)."""
        return np.asarray((self.axes * (np.sqrt(self.stretch) - 1)) @ self.axes.T)
