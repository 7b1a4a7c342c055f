"""Anchor graph hashing: the bits are the smoothest functions on a graph of the data that runs through anchors.

Liu, Wang, Kumar, Chang: Hashing with Graphs, ICML 2011. With m anchors u_j, centres of k-means, an item is described by
the nearest s of them (eq. 2), D² the squared Euclidean distance:

    Z_ij = exp(-D²(x_i, u_j) / t) / (sum over the s nearest u_j' of exp(-D²(x_i, u_j') / t)),    else 0

The graph's affinity Â = Z Λ^-1 Z', Λ = diag(Z'1), has the eigenvectors of a small matrix (section 3.2):

    M = Λ^(-1/2) Z'Z Λ^(-1/2) = V Σ V',    Y = Z W,    W = sqrt(n) Λ^(-1/2) V Σ^(-1/2)

the trivial one, of eigenvalue 1, left out; any item x has the values z(x) W (eq. 6, Theorem 1). With one layer bit k is
sgn(w_k' z(x)). With two (section 3.3), half as many eigenvectors give two bits each, since the first are the smoothest:
the second bit cuts each side of the first once more,

    h_k(x) = sgn(w_k' z(x)),    h'_k(x) = sgn(w_k' z(x) - b+) where h_k(x) = 1, else sgn(-w_k' z(x) + b-)

where b+ and b- make y = [y+ - b+ ; -y- + b-] as smooth as can be, min y'(I - Â) y, and balanced, 1'y = 0 (eq. 9). The
constraint leaves y = p + b+ q on a line, with n+ and n- values on the sides and e+ and e- their indicators,

    q = -e+ + (n+ / n-) e-,    p = [y+ ; -y-] - (sum of y+ less that of y-) / n- e-,    b+ = -p'(I - Â) q / q'(I - Â) q

and b- from 1'y = 0. sqrt(t) is the mean distance to the s-th nearest anchor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from twinlens.core.arrays import Float32Vectors, Float64Matrix, Float64Values, Int64Rows
from twinlens.core.declaration.declaration import parameter
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.k_means import k_means
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.vectors import Vectors, one_thread, row_blocks, to_grid, training_vectors

_SMALLEST = 1e-9  # eigenvalues below are none


@dataclass(frozen=True, eq=False)
class AnchorEncoder(Encoder):
    """Functions on an anchor graph.

    Attributes
    ----------
    anchors : ndarray of float32, (m, d)
    width : float
        t.
    nearest : int
        s: anchors that describe an item.
    weights : ndarray of float64, (m, k)
        W: the values of the functions at the anchors.
    upper, lower : ndarray of float64, (k',)
        b+ and b- of the second bits, after the first ones; of the first k' functions.
    note : Message
        How many functions are random, where the graph has too few.
    """

    anchors: Float32Vectors
    width: float
    nearest: int
    weights: Float64Matrix
    upper: Float64Values
    lower: Float64Values
    note: Message = NOTHING

    @property
    def bits(self) -> int:
        """Length of a code."""
        return int(self.weights.shape[1]) + len(self.upper)

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return int(self.anchors.shape[1])

    @cached_property
    def _columns(self) -> Float64Matrix:
        return to_grid(self.anchors.T, axis=0)

    def described(self, block: Vectors) -> tuple[Int64Rows, Float64Matrix]:
        """Return the nearest anchors of rows and the weight of each, (n, s) both: the entries of Z that are not 0."""
        own = to_grid(block, axis=1)
        far = np.square(self._columns).sum(axis=0) - 2 * (own @ self._columns)
        places = np.argsort(far, axis=1, kind="stable")[:, : self.nearest]
        far = np.take_along_axis(far, places, axis=1)
        shares = np.exp((far[:, :1] - far) / self.width)
        return places, shares / shares.sum(axis=1, keepdims=True)

    def functions(self, block: Vectors) -> Float64Matrix:
        """Return z(x) W of rows, (n, d) -> (n, k)."""
        places, shares = self.described(block)
        found = np.zeros((len(block), self.weights.shape[1]))
        for place, share in zip(places.T, shares.T, strict=True):
            found += share[:, None] * self.weights[place]
        return found

    def project_block(self, block: Float32Vectors) -> Float64Matrix:
        """Return the values whose signs are the bits, first those of the first layer, (n, d) -> (n, bits)."""
        first = self.functions(block)
        halved = first[:, : len(self.upper)]
        return np.hstack([first, np.where(halved >= 0, halved - self.upper, self.lower - halved)])


class AnchorGraphHashing(HashMethod):
    """Turns vectors into bits that change seldom along a graph of the data: what is joined by near items is alike.

    Items are seen through a few hundred anchors, so that the graph of all takes time in proportion to their number.
    Choose it where what belongs together lies along bent surfaces, with codes of some dozen bits; longer ones gain
    little.
    """

    key = "agh"
    title = "Anchor graph hashing"
    paper = "Liu, Wang, Kumar and Chang, Hashing with Graphs, ICML 2011, sections 3.2 and 3.3"
    encoder: ClassVar[type[Encoder]] = AnchorEncoder

    layers: Literal["one", "two"] = parameter(
        "two", help="One bit of each function on the graph, or two of each of half as many, as the paper advises."
    )
    anchors: int = parameter(
        300,
        ge=2,
        le=20_000,
        unit="items",
        help="Through how many centres items are seen (m). There are fewer functions than anchors. More see finer, and "
        "every code takes longer.",
    )
    nearest: int = parameter(
        2, ge=1, le=100, unit="anchors", help="How many of the nearest anchors describe an item (s)."
    )

    def fit(self, x: Vectors, progress: Progress = silent) -> AnchorEncoder:
        """Find anchors, the graph, and its smoothest functions.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.

        Returns
        -------
        AnchorEncoder
            Its note says how many functions are random because the graph has no more.

        Raises
        ------
        TwinlensError
            If no row is left, or one is not finite.
        """
        x = np.asarray(training_vectors(x), np.float32)
        with one_thread():
            centres = k_means(x, min(self.anchors, len(x)), self.seed, part(progress, 0.0, 0.4))
            return self._fitted(x, centres, part(progress, 0.4, 1.0))

    def _fitted(self, x: Float32Vectors, centres: Float32Vectors, progress: Progress) -> AnchorEncoder:
        n, m, s = len(x), len(centres), min(self.nearest, len(centres))
        wanted = self.bits if self.layers == "one" else -(-self.bits // 2)
        none = np.empty(0)
        seen = AnchorEncoder(centres, _width(x, centres, s), s, np.zeros((m, 0)), none, none)
        z, mass = np.zeros((m, m)), np.zeros(m)
        for rows in row_blocks(n, m):
            progress(0.4 * rows.start / n, 1, Message("Building the graph"))
            dense = _dense(*seen.described(x[rows]), m)
            z += dense.T @ dense
            mass += dense.sum(axis=0)
        root = 1 / np.sqrt(np.where(mass > 0, mass, np.inf))
        trivial = np.sqrt(mass / n)  # where the graph is in pieces, other vectors have the eigenvalue 1, too
        values, vectors = np.linalg.eigh(root[:, None] * z * root - np.outer(trivial, trivial))
        order = np.argsort(-values)
        order = order[values[order] > _SMALLEST][:wanted]
        weights = np.sqrt(n) * root[:, None] * vectors[:, order] / np.sqrt(values[order])
        rng = np.random.default_rng(self.seed)
        missing = wanted - weights.shape[1]
        drawn = rng.standard_normal((m, missing))
        weights = np.hstack([weights, drawn - mass @ drawn / n])
        second = self.bits - wanted
        note = NOTHING if not missing else Message(
            "{found} of {wanted} functions are of the graph; the others are random, for the graph has no more.",
            found=wanted - missing, wanted=wanted,
        )  # fmt: skip
        first = AnchorEncoder(centres, seen.width, s, weights, none, none, note)
        if not second:
            return first
        cuts = second_cuts(first, x, mass, second, part(progress, 0.5, 1.0))
        return AnchorEncoder(centres, seen.width, s, weights, *cuts, note)


def second_cuts(
    encoder: AnchorEncoder, x: Float32Vectors, mass: Float64Values, count: int, progress: Progress
) -> tuple[Float64Values, Float64Values]:
    """Return b+ and b- of the first functions, (count,) each.

    Parameters
    ----------
    encoder : AnchorEncoder
        Of the first layer.
    mass : ndarray of float64, (m,)
        The diagonal of Λ.
    """
    n, m = len(x), len(mass)
    # Of y+ and -y-, their indicators, and Z' of each: all that the two quadratic forms need.
    sums = {name: np.zeros(count) for name in ("n+", "y+", "y-", "yy")}
    drawn = {name: np.zeros((m, count)) for name in ("c", "+", "-")}
    for rows in row_blocks(n, m):
        progress(rows.start, n, Message("Cutting the sides"))
        y = encoder.functions(x[rows])[:, :count]
        dense = _dense(*encoder.described(x[rows]), m)
        above = (y >= 0).astype(np.float64)
        sums["n+"] += above.sum(axis=0)
        sums["y+"] += (y * above).sum(axis=0)
        sums["y-"] += (y * (1 - above)).sum(axis=0)
        sums["yy"] += np.square(y).sum(axis=0)
        drawn["c"] += dense.T @ np.abs(y)
        drawn["+"] += dense.T @ above
        drawn["-"] += dense.T @ (1 - above)
    most = sums["n+"]
    least = n - most
    both = (most > 0) & (least > 0)
    rest = np.where(both, least, 1.0)
    ratio, shift = most / rest, (sums["y+"] - sums["y-"]) / rest
    inverse = 1 / np.where(mass > 0, mass, np.inf)
    zp, zq = drawn["c"] - shift * drawn["-"], ratio * drawn["-"] - drawn["+"]
    # y = |y| on the two sides: p'q and q'q from the sums, less the part of the graph.
    pq = -sums["y+"] + ratio * (-sums["y-"] - shift * least) - (inverse[:, None] * zp * zq).sum(axis=0)
    qq = most + ratio**2 * least - (inverse[:, None] * zq * zq).sum(axis=0)
    upper = np.where(both & (qq > _SMALLEST * n), -pq / np.where(qq > 0, qq, 1.0), 0.0)
    lower = np.where(both, ratio * upper - shift, 0.0)
    return upper, lower


def _dense(places: Int64Rows, shares: Float64Matrix, m: int) -> Float64Matrix:
    """Return rows of Z, (n, m)."""
    dense = np.zeros((len(places), m))
    np.put_along_axis(dense, places, shares, axis=1)
    return dense


def _width(x: Float32Vectors, centres: Float32Vectors, s: int) -> float:
    """Return t of a sample: the square of the mean distance to the s-th nearest anchor; 1 where that is 0."""
    rows = x[draw_places(len(x), 5_000, np.random.default_rng(0))].astype(np.float64)
    anchors = centres.astype(np.float64)
    far = np.square(rows).sum(axis=1)[:, None] + np.square(anchors).sum(axis=1) - 2 * rows @ anchors.T
    distance = float(np.sqrt(np.maximum(np.partition(far, s - 1, axis=1)[:, s - 1], 0)).mean())
    return distance**2 or 1.0
