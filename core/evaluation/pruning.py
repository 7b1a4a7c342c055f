"""Lower bounds of squared Euclidean distances, many at a time: what is farther by its bound need not be measured.

Items are moved to their mean and turned by their principal components. In the first r of them, y, and with the length ρ
of all the rest,

    |q - x|² >= |y_q - y_x|² + (ρ_q - ρ_x)² = |q|² + |x|² - 2 (y_q · y_x + ρ_q ρ_x)

which one product of r + 2 columns gives for all pairs. It is evaluated in float32 and let down by as much as its
rounding can come to (Higham: Accuracy and Stability of Numerical Algorithms, 2002, section 3.1), so nothing is lost.
The more components, the more a bound costs and the fewer pairs are measured: r is chosen by the cost of both, on a
sample, whenever the limits have fallen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.vectors import Vectors

Wide = npt.NDArray[np.float64]
Single = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

_SAMPLE = 10_000
_LINES = 64
_LARGEST = 2_048
"""Dimensions up to which components are looked for."""

_QUERIES_WORTH = 48
_ITEMS_TRIED = 1_024
_COMPONENTS = (0, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128, 192, 256, 384, 512, 768, 1_024)

_PRODUCT, _BOUND, _PAIR, _TERM = 0.0225, 0.25, 10.0, 0.12
"""What things cost, in any unit: a term of a product; a bound beside it; a pair measured; each of its dimensions."""

_UNIT = 2.0**-24  # float32's unit roundoff
_WIDE_UNIT = 2.0**-53
_ORDINARY = 2.0**20
_TOO_LONG = 1e30
_TINY = 1e-36  # beside which float32 has lost its digits


class TooLongError(Exception):
    """Squared lengths leave the range of float32; another way must be taken."""


@dataclass(frozen=True, eq=False)
class Items:
    """Some items, made ready.

    Attributes
    ----------
    vectors : ndarray of float32, (m, d)
        Moved and scaled.
    columns : ndarray of float32, (m, r + 2)
        What their bounds are made of.
    longest : float
        Their greatest length.
    """

    vectors: Single
    columns: Single
    longest: float


class Room:
    """Where items are made ready, over and over: fresh memory costs more than what is written to it.

    Parameters
    ----------
    rows, d : int
        Of the items at most, and their dimensions.
    """

    def __init__(self, rows: int, d: int) -> None:
        self.vectors = np.empty((rows, d), np.float32)
        self.columns = np.empty(rows * (d + 2), np.float32)


class Bounds:
    """The bounds of some queries.

    Parameters
    ----------
    queries : ndarray, (q, d)
    sample : ndarray, (s, d)
        Of the items.
    n : int
        How many items there are.
    """

    def __init__(self, queries: Vectors, sample: Vectors, n: int) -> None:
        d = queries.shape[1]
        wide = np.asarray(sample, np.float64)
        mean = wide.mean(axis=0) if len(wide) else np.zeros(d)
        # What float32 holds is moved in float32: any place will do, if it is the same for all.
        self._narrow = all(x.dtype.itemsize <= 2 or x.dtype == np.float32 for x in (queries, sample))
        self._mean = mean.astype(np.float32).astype(np.float64) if self._narrow else mean
        centred = wide - self._mean
        with np.errstate(over="ignore", under="ignore"):
            spread = float(np.sqrt(np.mean(np.square(centred)))) if centred.size else 0.0
        ordinary = not np.isfinite(spread) or spread == 0 or 1 / _ORDINARY < spread < _ORDINARY
        self.scale = 1.0 if ordinary else float(2.0 ** -np.round(np.log2(spread)))
        """All lengths are multiplied by it."""

        self.queries, squares = self._moved(queries)
        self._squares = squares.astype(np.float64)
        self.lengths = np.sqrt(self._squares)
        worth = len(queries) >= _QUERIES_WORTH and 16 <= d <= _LARGEST and n * len(queries) >= 100 * d * d
        self._basis = _components(centred * self.scale) if worth and len(sample) >= d else None
        self._sample = self._moved(sample)
        step = max(1, len(sample) // _ITEMS_TRIED)
        self._tried = self._moved(sample[::step])
        self.use(d)

    def use(self, r: int) -> None:
        """Make bounds of so many components; of all dimensions, a bound is the distance."""
        self._r = r
        columns = self._columns(self.queries, self._squares.astype(np.float32), r)
        self.asked: Single = np.hstack([-2 * columns[:, :-1], np.ones((len(columns), 1), np.float32)])
        """Multiplied with the columns of items, (q, r + 2), the bounds less |q|²."""

    def choose(self, limits: Wide) -> None:
        """Use as many components as cost least at such limits, (q,)."""
        if self._basis is None:
            return
        some = np.arange(0, len(limits), max(1, len(limits) // _QUERIES_WORTH))
        vectors, squares = self._tried
        d = vectors.shape[1]
        cuts = (limits - self._squares)[some].astype(np.float32)[:, None]
        costs = {}
        for r in [r for r in _COMPONENTS if r < 0.8 * d] + [d]:
            ours = self._columns(self.queries[some], self._squares[some].astype(np.float32), r)
            theirs = self._columns(vectors, squares, r)
            bounds = -2 * ours[:, :-1] @ theirs[:, :-1].T + theirs[:, -1]
            turning = d * r / len(limits) if r < d else 0.0
            costs[r] = _BOUND + _PRODUCT * (r + 2 + turning) + (_PAIR + _TERM * d) * float((bounds < cuts).mean())
        self.use(min(costs, key=lambda r: costs[r]))

    def of_sample(self, lines: slice, order: int) -> Wide:
        """Say how far, squared and nearly, one of the sample is, (q,): that which ``order`` others are nearer than."""
        vectors, squares = self._sample
        found = np.empty(lines.stop - lines.start)
        for start in range(lines.start, lines.stop, _LINES):
            some = slice(start, min(start + _LINES, lines.stop))
            values = -2 * self.queries[some] @ vectors.T
            values += squares
            values.partition(order, axis=1)
            found[start - lines.start : some.stop - lines.start] = values[:, order] + self._squares[some]
        # A little more, so that equal items are below it.
        return np.maximum(found, 0) * (1 + 1e-4) + 1e-5 * self._squares[lines]

    def ready(self, x: Vectors, room: Room) -> Items:
        """Make items ready, (m, d), which hold until the room is used again."""
        vectors, squares = self._moved(x, room.vectors[: len(x)])
        room_of_columns = room.columns[: len(x) * (self._r + 2)].reshape(len(x), -1)
        columns = self._columns(vectors, squares, self._r, room_of_columns)
        return Items(vectors, columns, float(np.sqrt(squares.max(initial=0))))

    def shifts(self, longest: float) -> Wide:
        """Say what to add to bounds of items that are no longer than that, (q,): |q|² less what rounding comes to."""
        d, r = self.queries.shape[1], self._r
        turned = 0.0 if r == d else 2.0 * self._turned()
        doubt = (turned + (d + 2 * r + 24) * _UNIT) * np.square(longest + self.lengths)
        return np.asarray(self._squares - doubt - d * _TINY)

    def surely(self, limits: Wide, longest: float) -> Wide:
        """Say what no item measured at a limit or more, or with a bound so great, can be nearer than, (q,).

        Squared distances of the vectors as they came, of items that are no longer (when moved and scaled) than given.
        """
        d = self.queries.shape[1]
        known = np.where(np.isinf(limits), 0.0, limits)
        both = longest + self.lengths
        moved = 4 * _UNIT * both
        doubt = (d + 8) * _UNIT * known + 2 * moved * np.sqrt(known) + moved**2 + 16 * d * _WIDE_UNIT * both**2
        return np.asarray((limits - doubt - 2 * d * _TINY) / self.scale**2)

    def _moved(self, x: Vectors, room: Single | None = None) -> tuple[Single, Single]:
        """Give items at the mean, (m, d), and their squared lengths, (m,)."""
        vectors = np.empty(x.shape, np.float32) if room is None else room
        with np.errstate(over="ignore", invalid="ignore"):
            if self._narrow:
                np.subtract(x, self._mean.astype(np.float32), out=vectors, dtype=np.float32)
                if self.scale != 1.0:
                    vectors *= np.float32(self.scale)
            else:
                vectors[:] = (np.asarray(x, np.float64) - self._mean) * self.scale
            squares = np.einsum("ij,ij->i", vectors, vectors)
        if not squares.max(initial=0) < _TOO_LONG:
            raise TooLongError
        return vectors, squares

    def _turned(self) -> float:
        """Bound the error of the components of an item, as a part of its length."""
        d = self.queries.shape[1]
        return float((d + 6) * np.sqrt(self._r) * _UNIT)

    def _columns(self, vectors: Single, squares: Single, r: int, room: Single | None = None) -> Single:
        """Give y, ρ and |x|², (m, r + 2)."""
        d = vectors.shape[1]
        columns = np.empty((len(vectors), r + 2), np.float32) if room is None else room
        columns[:, -1] = squares
        if r == d:
            columns[:, :d] = vectors
            columns[:, d] = 0
            return columns
        assert self._basis is not None
        np.matmul(vectors, self._basis[:, :r], out=columns[:, :r])
        # Too long rather than too short: the bound falls with it.
        error = 3 * (d + 6) * np.sqrt(r + 1) * _UNIT
        rest = squares * np.float32(1 + error) - np.einsum("ij,ij->i", columns[:, :r], columns[:, :r])
        columns[:, r] = np.sqrt(np.maximum(rest, 0))
        return columns


def _components(centred: Wide) -> Single:
    """Give the principal components, (d, d), the greatest first."""
    _, vectors = np.linalg.eigh(centred.T @ centred)
    return np.ascontiguousarray(vectors[:, ::-1], np.float32)
