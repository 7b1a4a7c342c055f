"""A metric that was learned of a kernel: k(x, z) and, beside it, what a few items tell.

Kulis, Jain and Grauman: Fast Similarity Search for Learned Metrics, PAMI 2009, section on kernels. With φ the kernel's
map, never held, Φ the c items that the metric was learned from, k_x = Φ'φ(x), and the form of A that
:mod:`core.metrics.kernel_space` gives, Φ C orthonormal:

    A = G'G = I + Φ M Φ',   M = C (diag(a) - I) C'        y_x = C' k_x

    s_A(x, z) = k(x, z) + k_x' M k_z                      = k(x, z) + Σ_i (a_i - 1) y_x,i y_z,i
    d_A(x, z)² = s_A(x, x) + s_A(z, z) - 2 s_A(x, z)      = |φ(x) - φ(z)|² + Σ_i (a_i - 1) (y_x,i - y_z,i)²

By these, exactly, candidates are ranked. What is hashed must be a vector: with K = U Λ U' of landmarks L, to which the
items belong, P the projection on what L spans, and e(x) = Λ^(-1/2) U' k(L, x) the coordinates of P φ(x) (kernel
principal components without centring, or Nyström's approximation), G changes nothing outside of that span, so

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

from core.arithmetic.exact_product import to_grid
from core.arithmetic.one_thread import one_thread
from core.arrays import Float64Matrix
from core.declaration.declaration import declaration_from_json
from core.kernels import KERNELS
from core.kernels.kernel import Kernel
from core.kernels.landmark_values import LandmarkKernel
from core.message import NOTHING, Message
from core.metrics.kernel_items import KernelItems
from core.metrics.kernel_space import KernelSpace
from core.metrics.metric import FittedMetric
from core.progress import Progress, silent
from core.vectors import Vectors, as_vectors, row_blocks, training_vectors

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
        ranking : {"distance", "kernel"}
        note : Message

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
        """Return y of rows, (n, d) -> (n, q): where they are along each learned direction; of a row always the same."""
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
        asked = self.against(query[None])
        distances = np.empty(len(x))
        for rows in row_blocks(len(x), max(x.shape[1], len(self.items))):
            items = self.against(x[rows])
            if self.ranking == "kernel":
                distances[rows] = items.angles(asked)
            else:
                distances[rows] = items.distances(asked, self.spread)
        return distances

    def kernel(self, query: Vectors, x: Vectors) -> Float64Matrix:
        """Evaluate the learned kernel s_A(query, x), (d,), (n, d) -> (n,), not normalised."""
        asked = self.against(query[None])
        values = np.empty(len(x))
        for rows in row_blocks(len(x), max(x.shape[1], len(self.items))):
            values[rows] = self.against(x[rows]).products(asked)
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
