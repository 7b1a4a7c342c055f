"""An embedding in the plane that keeps neighbours together: t-SNE, from principal components, the same every time.

Van der Maaten and Hinton: Visualizing Data using t-SNE, 2008. Of neighbours with weights p_ij (:mod:`affinities`) and a
layout y, what is minimised is the divergence of p from q_ij = w(y_i - y_j) / Z, w(d) = 1 / (1 + |d|²):

    gradient_i = 4 (sum_j p_ij w_ij (y_i - y_j)  -  F_i / Z)

The first sum runs over the edges of a sparse graph, the second is :mod:`repulsion`. As Kobak and Berens advise (The art
of using t-SNE for single-cell transcriptomics, 2019), it starts from the principal components, which gives the whole
its place and makes it the same every time, and takes steps of n / exaggeration; all attraction is exaggerated at
first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Matrix
from core.embedding.affinities import affinities
from core.embedding.neighbour_lists import NeighbourLists, neighbour_lists
from core.embedding.principal_plane import pca_plane
from core.embedding.repulsion import Repulsion, plain_sums
from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress, part, silent

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Plane = npt.NDArray[np.float32]
Watch = Callable[[Plane], None]
"""Is given a layout, (n, 2), now and then while it is made; raises ``Cancelled`` to stop."""

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
        """Write it down: equal texts, equal layouts."""
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
    how : NeighbourEmbedding
    start : array_like, (n, 2), optional
        The layout to start from; by default the principal components.
    seed : int
        Of how many items are cut into cells to find neighbours (:mod:`neighbour_lists`); of few items it changes
        nothing.
    progress : Progress
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
        raise TwinlensError(Message("The layout to start from is not finite."), Message("Give numbers."))
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
            progress(step + 1, total, Message("Placing neighbours together"))
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
        x_apart = y[self._first, 0] - y[self._second, 0]
        y_apart = y[self._first, 1] - y[self._second, 1]
        pull = self._weights / (1 + x_apart * x_apart + y_apart * y_apart)
        found = np.empty((self._n, 2))
        for axis, apart in enumerate((x_apart, y_apart)):
            force = pull * apart
            found[:, axis] = np.bincount(self._first, force, self._n) - np.bincount(self._second, force, self._n)
        return found
