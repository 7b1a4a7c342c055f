"""t-SNE: an embedding in the plane that keeps neighbours together and comes out the same every time.

Van der Maaten and Hinton: Visualizing Data using t-SNE, 2008. For neighbours with weights p_ij (`affinities`) and a
layout y, it minimises the divergence of p from q_ij = w(y_i - y_j) / Z, w(d) = 1 / (1 + |d|²):

    gradient_i = 4 (sum_j p_ij w_ij (y_i - y_j)  -  F_i / Z)

The first sum runs over the edges of a sparse graph, the second is `Repulsion`. As Kobak and Berens advise (The art
of using t-SNE for single-cell transcriptomics, 2019), it starts from the principal components, which gives the whole
its place and makes it the same every time, and takes steps of n / exaggeration; all attraction is exaggerated at
first.

The force on an item and the normaliser are sums over all other items,

    F_i = sum_j w(y_i - y_j)² (y_i - y_j),        Z = sum_i sum_j w(y_i - y_j),  j != i

that is, convolutions, whose time hardly depends on the number of items. As Linderman, Rachh, Hoskins, Steinerberger and
Kluger do (Fast interpolation-based t-SNE, Nature Methods 2019), items are spread over the nodes of a grid by the
weights of polynomial interpolation, the grid is convolved by Fourier transforms, and values are read off with the same
weights. Here the kernels of the force itself, w² x and w² y, are on the grid, so that one number an item is spread and
three are read; polynomials are cubic, with the item always in the middle one of three intervals; and spacings come in
steps, so that kernels serve again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix
from twinlens.core.compilation import compilation
from twinlens.core.embedding.neighbour_lists import NeighbourLists, neighbour_lists
from twinlens.core.embedding.principal_plane import pca_plane
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent

if TYPE_CHECKING:
    from scipy.sparse import csr_array


Plane = npt.NDArray[np.float32]
Watch = Callable[[Plane], None]
"""Is given a layout, (n, 2), now and then while it is made; raises ``Cancelled`` to stop."""

_LOOPS = "twinlens.core.embedding.tsne_loops"
_WORDS_AN_EDGE, _WORDS_AN_ITEM = 16, 256  # of the work of numpy that compiled loops spare

_FEW = 200
"""Items up to which all pairs are gone through."""

_START = 1e-4  # standard deviation of the layout at first
_SLOW, _FAST = 0.5, 0.8  # momentum, while everything is exaggerated and after
_LEAST_GAIN = 0.01
_SEEN_EVERY = 10  # steps
_LONGEST = 5.0  # step of one item, in units of the layout


@dataclass(frozen=True)
class NeighbourEmbedding:
    """The parameters of the embedding.

    Attributes
    ----------
    neighbours : int
        Of each item, in the graph.
    perplexity : float
        As how many of them count.
    exaggeration, early_steps : float, int
        By what attraction is multiplied at first, and for how many steps.
    steps : int
        Those that follow.
    """

    neighbours: int = 30
    perplexity: float = 15.0
    exaggeration: float = 12.0
    early_steps: int = 100
    steps: int = 250

    def text(self) -> str:
        """Write the parameters as text: equal texts, equal layouts."""
        return (
            f"neighbours:neighbours={self.neighbours},perplexity={self.perplexity:g},"
            f"exaggeration={self.exaggeration:g},early_steps={self.early_steps},steps={self.steps},version=1"
        )


def neighbour_embedding(
    x: npt.ArrayLike,
    how: NeighbourEmbedding = NeighbourEmbedding(),
    start: npt.ArrayLike | None = None,
    seed: int = 0,
    progress: Progress = silent,
    watch: Watch | None = None,
    lists: NeighbourLists | None = None,
) -> Plane:
    """Place items so that neighbours by Euclidean distance are neighbours in the plane.

    Parameters
    ----------
    x : array_like, (n, d)
        Taken as float32.
    start : array_like, (n, 2), optional
        The layout to start from; by default the principal components.
    seed : int
        Of how many items are cut into cells to find neighbours (:mod:`neighbour_lists`); of few items it changes
        nothing.
    watch : callable, optional
        Is given the layout every few steps.
    lists : NeighbourLists, optional
        Neighbours that are known already; then ``x`` is needed for the start alone.

    Returns
    -------
    ndarray of float32, (n, 2)
        Centred at 0. The same for the same arguments.

    Raises
    ------
    TwinlensError
        If a value is not finite.
    Cancelled
        If progress or ``watch`` says so.
    """
    begin = pca_plane(x, part(progress, 0, 0.05)) if start is None else np.asarray(start, np.float32)
    n = len(begin)
    if not np.isfinite(begin).all():
        raise TwinlensError("The layout to start from is not finite.", "Give numbers.")
    if n < 3:
        return begin
    if lists is None:
        lists = neighbour_lists(x, how.neighbours, seed, part(progress, 0.05, 0.35))
    graph = affinities(lists, how.perplexity)
    y = _descended(graph, _apart(begin), how, part(progress, 0.35, 1), watch)
    return np.asarray(y, np.float32)


def _apart(start: Plane) -> Float64Matrix:
    """Scale a layout to begin with, and take items at one point a very little apart, always in the same way."""
    y = start.astype(np.float64) - start.mean(axis=0, dtype=np.float64)
    spread = float(np.sqrt(np.square(y).mean()))
    y = y * (_START / spread) if spread > 0 else y
    # Points of a sunflower: no two alike, none far.
    turn = np.arange(len(y)) * (np.pi * (3 - np.sqrt(5)))
    out = 1e-2 * _START * np.sqrt((np.arange(len(y)) + 0.5) / len(y))
    return np.asarray(y + out[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1))


def _descended(
    graph: csr_array, y: Float64Matrix, how: NeighbourEmbedding, progress: Progress, watch: Watch | None
) -> Float64Matrix:
    n = len(y)
    repulsion = Repulsion()
    attraction = Attraction(graph)
    speed, gains = np.zeros_like(y), np.ones_like(y)
    total = how.early_steps + how.steps
    for step in range(total):
        early = step < how.early_steps
        exaggeration = how.exaggeration if early else 1.0
        if step in {0, how.early_steps}:
            gains[:] = 1.0
            speed[:] = 0.0
        pushed, z = plain_sums(y) if n <= _FEW else repulsion.sums(y)
        gradient = exaggeration * attraction.forces(y) - pushed / max(z, 1e-12)
        with_it = (gradient > 0) == (speed > 0)
        gains = np.maximum(np.where(with_it, 0.8 * gains, gains + 0.2), _LEAST_GAIN)
        rate = 4 * n / exaggeration
        speed = (_SLOW if early else _FAST) * speed - rate * gains * gradient
        length = np.sqrt(np.square(speed).sum(axis=1, keepdims=True))
        speed *= np.minimum(1.0, _LONGEST / np.maximum(length, 1e-300))
        y = y + speed
        y -= y.mean(axis=0)
        if (step + 1) % _SEEN_EVERY == 0 or step + 1 == total:
            progress(step + 1, total, Message("Drawing the map"))
            if watch is not None:
                watch(y.astype(np.float32))
    return y


class Attraction:
    """The pull of neighbours on each other, edge by edge."""

    def __init__(self, graph: csr_array) -> None:
        from scipy.sparse import triu

        upper = triu(graph, 1).tocoo()
        self._first, self._second = upper.row.astype(np.int64), upper.col.astype(np.int64)
        self._weights = upper.data
        self._n = graph.shape[0]

    def forces(self, y: Float64Matrix) -> Float64Matrix:
        """Return sum_j p_ij w_ij (y_i - y_j) of every item, (n, 2)."""
        if compilation.worth(_WORDS_AN_EDGE * len(self._first)):
            of_first, of_second = np.zeros((2, self._n, 2))
            compilation.loops(_LOOPS).pull(
                np.ascontiguousarray(y), self._first, self._second, self._weights, of_first, of_second
            )
            return np.asarray(of_first - of_second)
        x_apart = y[self._first, 0] - y[self._second, 0]
        y_apart = y[self._first, 1] - y[self._second, 1]
        pull = self._weights / (1 + x_apart * x_apart + y_apart * y_apart)
        found = np.empty((self._n, 2))
        for axis, apart in enumerate((x_apart, y_apart)):
            force = pull * apart
            found[:, axis] = np.bincount(self._first, force, self._n) - np.bincount(self._second, force, self._n)
        return found


_HALVINGS = 50
_NEAR_ENOUGH = 1e-5  # of the entropy, in nats


def affinities(lists: NeighbourLists, perplexity: float) -> csr_array:
    """Return the symmetric weights of a neighbour graph, (n, n); they sum to 1.

        p(j | i) ~ exp(-b_i d_ij²), with b_i so that exp(entropy of p(. | i)) = perplexity
        p_ij = (p(j | i) + p(i | j)) / 2n

    Parameters
    ----------
    lists : NeighbourLists
        Of at least one neighbour each.
    perplexity : float
        As how many neighbours each item counts; where there are not so many, all count the same.
    """
    from scipy.sparse import csr_array

    n, k = lists.rows.shape
    weights = conditional(np.asarray(lists.squared_distances, np.float64), perplexity)
    own = np.repeat(np.arange(n), k)
    there = (lists.rows >= 0).ravel()
    directed = csr_array((weights.ravel()[there], (own[there], lists.rows.ravel()[there])), (n, n))
    both = (directed + directed.T).tocsr()
    both.sort_indices()
    both.data /= both.data.sum()
    return both


def conditional(squared_distances: Float64Matrix, perplexity: float) -> Float64Matrix:
    """Return p(j | i), (n, k), its rows summing to 1.

    Distances count from the nearest, which changes nothing but that no row vanishes.
    """
    n, k = squared_distances.shape
    gaps = squared_distances - squared_distances[:, :1]
    finite = np.isfinite(gaps)
    scale = np.where(finite, gaps, 0).sum(axis=1) / np.maximum(finite.sum(axis=1), 1)
    gaps = gaps / np.where(scale > 0, scale, 1)[:, None]
    target = np.log(min(perplexity, k))
    sharp, low, high = np.ones(n), np.zeros(n), np.full(n, np.inf)
    finite_gaps = np.where(finite, gaps, 0)
    for _ in range(_HALVINGS):
        p = np.exp(-gaps * sharp[:, None])
        sums = p.sum(axis=1)
        entropy = np.log(sums) + sharp * (finite_gaps * p).sum(axis=1) / sums
        off = entropy - target
        if np.all(np.abs(off) < _NEAR_ENOUGH):
            break
        flat = off > 0  # too many count: sharper
        low, high = np.where(flat, sharp, low), np.where(flat, high, sharp)
        sharp = np.where(np.isinf(high), 2 * sharp, (low + high) / 2)
        sharp = np.minimum(sharp, 1e12)
    p = np.exp(-gaps * sharp[:, None])
    return np.asarray(p / p.sum(axis=1, keepdims=True))


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
        if compilation.worth(_WORDS_AN_ITEM * len(y)):
            return self._sums_by_loops(base, np.array(across_weights), np.array(down_weights), (across, down), spacing)
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

    def _sums_by_loops(
        self,
        base: npt.NDArray[np.int64],
        across_weights: Float64Matrix,
        down_weights: Float64Matrix,
        shape: tuple[int, int],
        spacing: float,
    ) -> tuple[Float64Matrix, float]:
        loops, size = compilation.loops(_LOOPS), shape[0] * shape[1]
        part, grid = np.zeros((2, size))
        loops.spread(base, across_weights, down_weights, shape[1], part, grid)
        fields = np.array(self._convolved(grid.reshape(shape), spacing))
        read = np.zeros((3, len(base)))
        loops.read(base, across_weights, down_weights, shape[1], fields, read)
        return read[1:].T, float(read[0].sum() - len(base))

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
    """Return the sums of :meth:`Repulsion.sums` pair by pair: for few items, and to test it."""
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
