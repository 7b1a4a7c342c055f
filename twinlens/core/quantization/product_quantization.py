"""Product quantization: a vector is cut into parts, and each part is replaced by the nearest of 256 centres.

Jégou, Douze, Schmid: Product Quantization for Nearest Neighbor Search, PAMI 2011. With m parts u_j(x), each with a
quantizer q_j learned by k-means (eq. 8), the distance of a query from an item is a sum of look-ups (eq. 13):

    d(x, y)² ~ sum over j of |u_j(x) - q_j(u_j(y))|²

Ge, He, Ke, Sun: Optimized Product Quantization, CVPR 2013, turns the vectors first, by the rotation R that leaves the
least error. Where it starts, principal components go to the parts so that the products of their variances are balanced
(section 3.2: the eigenvalue allocation); from there (section 3.1) centres and rotation are learned in turn, with Y the
quantized vectors:

    min |X R - Y|²    by    X'Y = U S V',    R = U V'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Matrix, Float64Matrix, Int64Rows
from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.packed_codes import Bytes
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.k_means import k_means, nearest_centre
from twinlens.core.quantization.quantizer import VALUES, ByteEncoder, Quantizer
from twinlens.core.vectors import Vectors, one_thread, to_grid, training_vectors

_ROUNDS = 20
"""Of k-means."""

_ROUNDS_BETWEEN = 4
"""Of k-means for each turn of the rotation."""


@dataclass(frozen=True, eq=False)
class ProductEncoder(ByteEncoder):
    """Centres of the parts of vectors.

    Attributes
    ----------
    mean : ndarray of float32, (d,)
    rotation : ndarray of float32, (d, m * length)
        Orthonormal columns, and columns of zeros where the parts are longer than d together.
    centres : ndarray of float32, (m, c, length)
        c of at most 256 of each part.
    """

    mean: npt.NDArray[np.float32]
    rotation: npt.NDArray[np.float32]
    centres: npt.NDArray[np.float32]

    @property
    def bytes(self) -> int:
        """Length of a code."""
        return len(self.centres)

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return len(self.mean)

    @cached_property
    def _rotation(self) -> Float64Matrix:
        return to_grid(self.rotation, axis=0)

    @cached_property
    def _columns(self) -> Float64Matrix:
        """The centres of each part in columns, (m, length, c)."""
        return np.stack([to_grid(own.T, axis=0) for own in self.centres])

    def _squared(self, block: Float32Matrix) -> Float64Matrix:
        """Return squared distances of rows from all centres, (n, m, c)."""
        turned = (to_grid(block, axis=1, minus=self.mean) @ self._rotation).reshape(len(block), self.bytes, -1)
        far = np.empty((len(block), self.bytes, self.centres.shape[1]))
        for number, columns in enumerate(self._columns):
            own = to_grid(turned[:, number], axis=1)
            np.matmul(own, columns, out=far[:, number])
            far[:, number] *= -2
            far[:, number] += np.square(columns).sum(axis=0)
            far[:, number] += np.square(own).sum(axis=1, keepdims=True)
        return np.maximum(far, 0, out=far)

    def encode_block(self, block: Float32Matrix) -> Bytes:
        """Return the nearest centre of each part, (n, d) -> (n, m)."""
        step = max(1, (1 << 22) // (self.bytes * VALUES))
        found = [self._squared(block[i : i + step]).argmin(axis=2) for i in range(0, len(block), step)]
        return np.concatenate([np.empty((0, self.bytes), np.int64), *found]).astype(np.uint8)

    def tables_block(self, block: Float32Matrix) -> Float32Matrix:
        """Return the squared distance of each part from each centre, (n, d) -> (n, m, 256)."""
        tables = np.zeros((len(block), self.bytes, VALUES), np.float32)
        tables[:, :, : self.centres.shape[1]] = self._squared(block)
        return tables

    def decode(self, codes: Bytes) -> Float32Matrix:
        """Put centres in the place of parts, and turn back, (n, m) -> (n, d)."""
        parts = self.centres[np.arange(self.bytes), codes].reshape(len(codes), -1)
        return np.asarray(parts @ self.rotation.T + self.mean, np.float32)


class ProductQuantization(Quantizer):
    """Cuts vectors into parts and keeps, of each, the number of the nearest of 256 centres: a byte.

    At the same length its codes rank finer than those of any hash method, since the query's own numbers count and not
    its code; comparing takes longer, a look-up for each byte. Choose it where bytes are few.
    """

    key = "pq"
    title = "Product quantization"
    paper = "Jégou, Douze and Schmid, PAMI 2011, section III; Ge, He, Ke and Sun, CVPR 2013, for the rotation"

    rotation: Literal["none", "balanced", "optimized"] = parameter(
        "optimized",
        help="How vectors are turned first: not at all, as in the first paper; by their principal components, so that "
        "the parts hold equally much; or from there so that the least is lost (OPQ).",
    )
    turns: int = parameter(
        10, ge=1, le=1_000, help="Of the optimized rotation. More loses a little less, and takes longer."
    )

    def fit(self, x: Vectors, progress: Progress = silent) -> ProductEncoder:
        """Learn rotation and centres.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.

        Raises
        ------
        TwinlensError
            If there are more bytes than dimensions, no row is left, or one is not finite.
        """
        x = training_vectors(x)
        d = x.shape[1]
        if self.bytes > d:
            raise TwinlensError(
                "{key} gives at most as many bytes as the vectors have dimensions, here {dimensions}, not {bytes}.",
                "Write {changed}.",
                key=self.key,
                dimensions=d,
                bytes=self.bytes,
                changed=self.changed(bytes=d).text(),
            )
        mean = x.mean(axis=0, dtype=np.float64)
        centred = x - mean
        length = -(-d // self.bytes)
        with one_thread():
            rotation = self._start(centred, length)
            if self.rotation == "optimized":
                for turn in range(self.turns):
                    progress(0.7 * turn / self.turns, 1, Message("Learning the rotation"))
                    turned = centred @ rotation
                    centres = self._centres(turned, _ROUNDS_BETWEEN, silent)
                    u, _, vt = np.linalg.svd(centred.T @ _quantized(turned, centres), full_matrices=False)
                    rotation = u @ vt
            centres = self._centres(centred @ rotation, _ROUNDS, part(progress, 0.7, 1))
        return ProductEncoder(mean.astype(np.float32), rotation.astype(np.float32), centres)

    def _start(self, centred: Float64Matrix, length: int) -> Float64Matrix:
        """Return the first rotation, (d, m * length)."""
        d = centred.shape[1]
        columns = np.zeros((d, self.bytes * length))
        if self.rotation == "none":
            columns[:, :d] = np.eye(d)
            return columns
        variances, directions = np.linalg.eigh(centred.T @ centred / len(centred))
        for number, own in enumerate(allocated(variances[::-1], self.bytes)):
            columns[:, number * length : number * length + len(own)] = directions[:, ::-1][:, own]
        return columns

    def _centres(self, turned: Float64Matrix, rounds: int, progress: Progress) -> Float32Matrix:
        parts = np.split(turned.astype(np.float32), self.bytes, axis=1)
        found = []
        for number, own in enumerate(parts):
            progress(number, len(parts), Message("Learning centres"))
            found.append(k_means(np.ascontiguousarray(own), VALUES, self.seed, rounds=rounds, each=len(own)))
        return np.stack(found)


def _quantized(turned: Float64Matrix, centres: Float32Matrix) -> Float64Matrix:
    """Replace each part by its nearest centre."""
    parts = np.split(turned.astype(np.float32), len(centres), axis=1)
    return np.hstack([
        own[nearest_centre(np.ascontiguousarray(one), own)] for one, own in zip(parts, centres, strict=True)
    ]).astype(np.float64)  # fmt: skip


def allocated(variances: npt.NDArray[np.float64], parts: int) -> list[Int64Rows]:
    """Give each component, the largest first, to the part with the least product of variances that has room.

    Examples
    --------
    >>> [own.tolist() for own in allocated(np.array([9.0, 4.0, 2.0, 1.0]), 2)]
    [[0, 3], [1, 2]]
    """
    room = -(-len(variances) // parts)
    logs = np.log(np.maximum(variances, 1e-12 * max(1e-300, float(variances[0]))))
    given: list[list[int]] = [[] for _ in range(parts)]
    shift = float(logs.min())  # a variance below 1 must not make a part emptier
    for component in range(len(logs)):
        free = [own for own in given if len(own) < room]
        least = min(free, key=lambda own: sum(float(logs[one]) - shift for one in own))
        least.append(component)
    return [np.array(own, np.int64) for own in given]
