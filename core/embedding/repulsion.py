"""Repulsion between all pairs of items in the plane, in time that hardly depends on their number.

With w(d) = 1 / (1 + |d|²), the force on an item and the normaliser of t-SNE are sums over all others,

    F_i = sum_j w(y_i - y_j)² (y_i - y_j),        Z = sum_i sum_j w(y_i - y_j),  j != i

that is, convolutions. As Linderman, Rachh, Hoskins, Steinerberger and Kluger do (Fast interpolation-based t-SNE, Nature
Methods 2019), items are spread over the nodes of a grid by the weights of polynomial interpolation, the grid is
convolved by Fourier transforms, and values are read off with the same weights. Here the kernels of the force itself,
w² x and w² y, are on the grid, so that one number an item is spread and three are read; polynomials are cubic, with the
item always in the middle one of three intervals; and spacings come in steps, so that kernels serve again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Matrix

_SPACING = 0.4
"""Of the grid, at most: forces are off by some hundredths of their size, and finer grids keep no more neighbours."""

_LEAST_NODES = 96
_MARGIN = 3
_REACH = np.arange(-1, 3)


@dataclass
class Repulsion:
    """Sums over all pairs of items; keeps the transforms of its kernels from one layout to the next."""

    _kernels: dict[tuple[float, int, int], tuple[npt.NDArray[np.complex128], ...]] = field(default_factory=dict)

    def sums(self, y: Float64Matrix) -> tuple[Float64Matrix, float]:
        """Return the forces F, (n, 2), and Z of a layout, (n, 2)."""
        low, high = y.min(axis=0), y.max(axis=0)
        spacing = _step(max(float((high - low).max()) / _LEAST_NODES, 1e-12))
        across, down = (_size((high - low) / spacing)).tolist()
        at = (y - low) / spacing + 1
        base = at.astype(np.int64)
        across_weights, down_weights = _cubic(at[:, 0] - base[:, 0]), _cubic(at[:, 1] - base[:, 1])
        nodes = [(base[:, 0] + i) * down + base[:, 1] + j for i in _REACH for j in _REACH]
        weights = [across_weights[i + 1] * down_weights[j + 1] for i in _REACH for j in _REACH]
        size = across * down
        grid = sum(np.bincount(node, weight, size) for node, weight in zip(nodes, weights, strict=True))
        fields = self._convolved(np.asarray(grid).reshape(across, down), spacing)
        read = np.zeros((3, len(y)))
        for node, weight in zip(nodes, weights, strict=True):
            for place, values in enumerate(fields):
                read[place] += weight * values[node]
        return read[1:].T, float(read[0].sum() - len(y))

    def _convolved(self, grid: Float64Matrix, spacing: float) -> list[Float64Matrix]:
        from scipy import fft

        across, down = grid.shape
        shape = 2 * across, 2 * down
        spread = fft.rfft2(grid, shape)
        kernels = self._kernel(spacing, across, down)
        return [fft.irfft2(spread * one, shape)[:across, :down].ravel() for one in kernels]

    def _kernel(self, spacing: float, across: int, down: int) -> tuple[npt.NDArray[np.complex128], ...]:
        from scipy import fft

        key = spacing, across, down
        if key not in self._kernels:
            x = spacing * fft.fftfreq(2 * across, 1 / (2 * across))[:, None]
            y = spacing * fft.fftfreq(2 * down, 1 / (2 * down))[None, :]
            w = 1 / (1 + x * x + y * y)
            self._kernels.clear()
            self._kernels[key] = tuple(fft.rfft2(one) for one in (w, w * w * x, w * w * y))
        return self._kernels[key]


def plain_sums(y: Float64Matrix) -> tuple[Float64Matrix, float]:
    """Return what :meth:`Repulsion.sums` does, pair by pair: for few items, and what it is held against."""
    difference = y[:, None] - y[None]
    w = 1 / (1 + np.square(difference).sum(axis=2))
    return np.einsum("ij,ijk->ik", w * w, difference), float(w.sum() - len(y))


def _step(spacing: float) -> float:
    """Round a spacing up to a power of sqrt(2), at most that of the grid."""
    return min(float(2 ** (np.ceil(2 * np.log2(spacing)) / 2)), _SPACING)


def _size(extent: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return numbers of nodes that hold an extent, in steps of which transforms are fast."""
    from scipy import fft

    least = np.ceil(extent).astype(np.int64) + _MARGIN + 1
    step = np.maximum(2 ** (np.floor(np.log2(np.maximum(least, 8))) - 3), 1).astype(np.int64)
    return np.array([fft.next_fast_len(int(size), real=True) for size in -(-least // step) * step])


def _cubic(t: Float64Matrix) -> list[Float64Matrix]:
    """Return the weights of the nodes at -1, 0, 1, 2 of the cubic polynomial through them, at t in [0, 1)."""
    return [
        -t * (t - 1) * (t - 2) / 6,
        (t + 1) * (t - 1) * (t - 2) / 2,
        -(t + 1) * t * (t - 2) / 2,
        (t + 1) * t * (t - 1) / 6,
    ]
