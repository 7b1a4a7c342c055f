"""The interface of hash methods: a declaration whose ``fit`` returns an encoder of vectors into packed bits.

Most methods return the encoder of all linear ones, sign((x - mean) P). Where P is random, the share of differing bits
estimates the angle between two items: a bit differs with probability θ / π (Charikar: Similarity Estimation Techniques
from Rounding Algorithms, STOC 2002, eq. 1).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from twinlens.core.declaration.declaration import Declaration, parameter
from twinlens.core.declaration.fitted import Fitted
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.packed_codes import LARGEST_BITS, bytes_of, pack_bits
from twinlens.core.message import NOTHING, Message, joined
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import Vectors, as_vectors, row_blocks, to_grid

if TYPE_CHECKING:
    from twinlens.core.hashing.supervision import Supervision
    from twinlens.core.kernels.kernel import Kernel
    from twinlens.core.metrics.metric import FittedMetric
    from twinlens.core.projections.kernel_components import Spectrum


class Encoder(Fitted):
    """A fitted hash function: vectors to packed bits. Bit j of an item is 1 where its projection j is >= 0.

    An item has one code, alone or in any batch, with any number of threads. A subclass gives ``bits``, ``dimensions``
    and :meth:`project_block`; what it computes of a row must not depend, not in the last digit, on the rows beside it:
    its matrix products are those of :mod:`twinlens.core.vectors`.
    """

    @property
    @abstractmethod
    def bits(self) -> int:
        """Length of a code."""

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""

    @property
    def measure(self) -> Kernel | None:
        """The kernel by which candidates are ranked, nothing in it left ``auto``; None: by the descriptor's own."""
        return None

    @property
    def learned_metric(self) -> FittedMetric | None:
        """The metric by which candidates are ranked, where one was learned with the bits; before :attr:`measure`."""
        return None

    @abstractmethod
    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Project checked rows, (m, dimensions) -> (m, bits); m is any number."""

    def bits_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
        """Return which projections of checked rows are >= 0, (m, bits); a subclass may be faster."""
        return self.project_block(block) >= 0

    def project(self, x: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the real values whose signs are the bits.

        Parameters
        ----------
        x : array_like, (n, d)

        Returns
        -------
        ndarray of float64, (n, bits)
            Of an item always the same, alone or in a batch.

        Raises
        ------
        TwinlensError
            If ``x`` has another number of dimensions or holds a value that is not finite (names the row).
        """
        table = np.asarray(x)
        projected = np.empty((len(table), self.bits), np.float64)
        for rows, block in self._checked_blocks(table):
            projected[rows] = self.project_block(block)
        return projected

    def encode(self, x: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """Turn vectors into codes.

        Parameters
        ----------
        x : array_like, (n, d)
            Taken as float32, whatever it is: a vector has one code before and after it was stored.

        Returns
        -------
        ndarray of uint8, (n, ceil(bits / 8))
            Packed as :func:`twinlens.core.hashing.packed_codes.pack_bits` does.

        Raises
        ------
        TwinlensError
            As :meth:`project`.
        """
        table = np.asarray(x)
        codes = np.empty((len(table), bytes_of(self.bits)), np.uint8)
        for rows, block in self._checked_blocks(table):
            codes[rows] = pack_bits(self.bits_block(block))
        return codes

    def keeps(self, x: npt.ArrayLike) -> npt.NDArray[np.bool_] | None:
        """Return which items have a useful code, (n, d) -> (n,); None where all have.

        An item that is not kept still has a code: whoever searches leaves it out of the candidates.
        """
        return None

    def spectrum(self) -> Spectrum | None:
        """Return the eigenvalues of what was learned, for curves over the rank; None where there are none."""
        return None

    def _checked_blocks(self, table: npt.NDArray[np.generic]) -> Iterator[tuple[slice, npt.NDArray[np.float32]]]:
        as_vectors(table[:0], np.float32, self.dimensions)
        for rows in row_blocks(len(table), self.dimensions):
            block = as_vectors(table[rows], np.float32, self.dimensions, first_row=rows.start)
            yield rows, block.astype(np.float32, copy=False)


class HashMethod(Declaration):
    """Base of the hash methods; a subclass sets ``encoder`` and implements :meth:`fit`."""

    encoder: ClassVar[type[Encoder]]
    draws: ClassVar[bool] = True
    """Whether anything is left to chance, so that another seed gives other codes."""
    supervised: ClassVar[bool] = False
    """Whether it learns from labels or judged pairs, too."""

    bits: int = parameter(
        256,
        ge=1,
        le=LARGEST_BITS,
        unit="bits",
        shown=True,
        help="Length of a code. More bits rank finer and take more room.",
    )
    seed: int = parameter(
        0, ge=0, le=2**31 - 1, help="Start of every random draw: the same seed on the same data gives the same codes."
    )

    @property
    def sample_size(self) -> int:
        """Return how many items are worth passing to :meth:`fit`; a method that learns more from more says so."""
        return 20_000

    @property
    def estimate_of(self) -> Message:
        """The quantity that the number of differing bits estimates (``cosine``), in a word or two; may be empty."""
        return NOTHING

    @property
    def bits_tell(self) -> Message:
        """A sentence on what the differing bits of two items mean."""
        return Message(
            "These bits were learned from your photos. The fewer bits differ, the more similar two photos are."
        )

    def estimate(self, share: float) -> float | None:
        """Estimate how alike two items are from the share of bits in which their codes differ.

        Parameters
        ----------
        share : float
            Hamming distance over bits, in [0, 1].

        Returns
        -------
        float or None
            Of what :attr:`estimate_of` names; None where the bits estimate nothing.
        """
        return None

    def check(self, dimensions: int, matrix_shape: tuple[int, int] | None = None) -> None:
        """Refuse vectors that it can never learn from, before any of them is made; by default none.

        Parameters
        ----------
        dimensions : int
            Length of the vectors.
        matrix_shape : tuple of int, optional
            Rows and columns, where a vector is a matrix read row by row.

        Raises
        ------
        TwinlensError
            Says why, and what would do.
        """

    @abstractmethod
    def fit(self, x: Vectors, progress: Progress = silent) -> Encoder:
        """Learn a hash function.

        Parameters
        ----------
        x : ndarray, (n, d)
            Training vectors; rows that are zero throughout are left out.
        progress : Progress
            Told of the work; may cancel it.

        Raises
        ------
        TwinlensError
            If this method cannot learn from these vectors; the sentence says why and what can be done.
        """

    def fit_with(self, x: Vectors, supervision: Supervision | None, progress: Progress = silent) -> Encoder:
        """Learn from what is known of the rows, too, where the method is supervised; else as :meth:`fit`.

        Parameters
        ----------
        x, progress
            As :meth:`fit` takes them.
        supervision : Supervision, optional
            What belongs together among the rows.

        Raises
        ------
        TwinlensError
            As :meth:`fit`.
        """
        return self.fit(x, progress)

    def check_within(self, dimensions: int) -> None:
        """Refuse more bits than dimensions, for methods that cannot make them.

        Raises
        ------
        TwinlensError
            Says how many there can be, and which method makes more.
        """
        if self.bits > dimensions:
            raise TwinlensError(
                "{key} gives at most as many bits as the vectors have dimensions, here {dimensions}, not {bits}.",
                "Write {changed}, or choose lsh, which takes any number of bits.",
                key=self.key,
                dimensions=dimensions,
                bits=self.bits,
                changed=self.changed(bits=dimensions).text(),
            )


class SupervisedMethod(HashMethod):
    """Base of the methods that learn from labels or judged pairs, and without these as :attr:`untaught` does.

    A subclass implements :meth:`learn`.
    """

    supervised = True

    labels: Literal["marks", "folders"] = parameter(
        "marks",
        help="What says in a library which photos belong together: marks, or the folders that they are in. An "
        "experiment with labels takes those.",
    )
    per_class: int | None = parameter(
        None,
        ge=1,
        le=1_000_000,
        unit="items",
        help="How many items of each label it learns from, at most, drawn at random; none takes all.",
    )

    @property
    @abstractmethod
    def untaught(self) -> HashMethod:
        """The method that makes as many bits in the same way without labels: what it has to be better than."""

    @abstractmethod
    def learn(self, x: Vectors, supervision: Supervision, progress: Progress = silent) -> Encoder:
        """Learn a hash function.

        Parameters
        ----------
        x : ndarray, (n, d)
            Checked, without rows that are zero throughout.
        supervision : Supervision
            Of these rows; it teaches something.
        """

    def fit(self, x: Vectors, progress: Progress = silent) -> Encoder:
        """Learn without labels: what :attr:`untaught` learns, and a note that says so.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.
        """
        return self.fit_with(x, None, progress)

    def fit_with(self, x: Vectors, supervision: Supervision | None, progress: Progress = silent) -> Encoder:
        """Learn from what is known of the rows; see `HashMethod.fit_with`."""
        if supervision is not None:
            x = as_vectors(x, np.result_type(np.asarray(x).dtype, np.float32))
            telling = np.flatnonzero(x.any(axis=1))
            supervision = supervision.of_rows(telling).drawn(self.per_class, np.random.default_rng(self.seed))
            if supervision.teaches:
                return self.learn(x[telling], supervision, progress)
        plain: Any = self.untaught.fit(x, progress)  # a dataclass with a note, as all encoders of our own are
        unknown = Message(
            "Nothing says yet which items belong together, so these bits were learned without it, by {method}.",
            method=self.untaught.key,
        )
        values = {one.name: getattr(plain, one.name) for one in fields(plain)}
        return self.encoder(**(values | {"note": joined([unknown, plain.note])}))


@dataclass(frozen=True, eq=False)
class LinearEncoder(Encoder):
    """Centre by the training mean, project, take signs. Made by :meth:`of`.

    Attributes
    ----------
    mean : ndarray of float32, (d,)
        Of the training vectors; subtracted from queries too, or a query meets codes of another origin.
    projection : ndarray of float32, (d, bits)
        A hyperplane's normal in each column, rounded so that products with it are exact.
    note : Message
        What a person should know of this fit (padded directions, say); empty where there is nothing.
    """

    mean: npt.NDArray[np.float32]
    projection: npt.NDArray[np.float32]
    note: Message = NOTHING

    @classmethod
    def of(cls, mean: Vectors, projection: Vectors, note: Message = NOTHING) -> Self:
        """Make the encoder of a mean, (d,), and of directions in columns, (d, bits), of any precision."""
        rounded = np.empty(projection.shape, np.float32)
        step = max(1, (1 << 22) // len(projection))  # a part of the columns at a time: the float64 copy stays small
        for left in range(0, projection.shape[1], step):
            rounded[:, left : left + step] = to_grid(projection[:, left : left + step], axis=0)
        return cls(mean=mean.astype(np.float32), projection=rounded, note=note)

    @property
    def bits(self) -> int:
        """Length of a code."""
        return int(self.projection.shape[1])

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return int(self.projection.shape[0])

    @cached_property
    def _directions(self) -> npt.NDArray[np.float64]:
        return self.projection.astype(np.float64)

    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Project a block of rows, (m, d) -> (m, bits)."""
        return np.asarray(to_grid(block, axis=1, minus=self.mean) @ self._directions)


COSINE = Message("cosine")
"""The estimated quantity."""


def estimated_cosine(share: float) -> float:
    """Return the cosine of the angle whose expected share of differing bits is the observed one.

    Examples
    --------
    >>> [round(estimated_cosine(share), 6) + 0.0 for share in (0.0, 0.5, 1.0)]
    [1.0, 0.0, -1.0]
    """
    return math.cos(math.pi * share)
