"""The span of a few items under a kernel, in which metrics of kernels are learned.

Of t items nothing is known but their kernel's matrix K = U Λ U'. Their coordinates E = U Λ^(1/2) have E E' = K, so all
distances and angles between them are kept, and whatever learns a metric from vectors learns it from E. With Φ the
items in the kernel's space, O = Φ U Λ^(-1/2) is an orthonormal basis of what they span, and any item z has in it the
coordinates O'φ(z) = Λ^(-1/2) U' k_z. A metric G that was learned of E changes that span alone:

    A = I + O (G'G - I) O' = I + Φ C (diag(a) - I) C'Φ',        C = U Λ^(-1/2) Q,   G'G = Q diag(a) Q'

Only the directions whose a is not 1 are kept. ITML from the identity changes none but those that the items of its pairs
span (Kulis, Jain and Grauman, PAMI 2009): then these items are enough, and C is worked out for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from core.arithmetic.one_thread import one_thread
from core.arrays import Float64Matrix, IntegerRows

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
