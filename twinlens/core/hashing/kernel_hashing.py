"""Hashing through a kernel: its landmarks, its transform, and the encoder sign((k_x - offset) W)."""

from __future__ import annotations

import json
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Self

import numpy as np
import numpy.typing as npt

from twinlens.core import kernels
from twinlens.core.declaration.declaration import Nested, declaration_from_json, parameter
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.kernel import Kernel, LandmarkKernel, MonotoneTransform
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.kernel_components import Components, Spectrum, kernel_spectrum, principal_components
from twinlens.core.vectors import Vectors, to_grid, training_vectors


@dataclass(frozen=True, eq=False)
class KernelEncoder(Encoder):
    """Evaluate the kernel against landmarks, centre, project, take signs. Made by :meth:`of`.

    Attributes
    ----------
    kernel : str
        The kernel, with nothing left ``auto``, as JSON.
    scale : float or None
        Of the monotone transform.
    landmarks : ndarray of float32, (m, d)
    offset : ndarray of float64, (m,)
        Subtracted from k_x: the mean of the rows of K, or zero.
    weights : ndarray of float32, (m, bits)
        W, rounded so that products with it are exact.
    axes : ndarray of float32, (m, r)
        What gives the coordinates in the leading space, for :meth:`relative_norms`.
    norm_filter : float or None
        The least relative norm of an item that is kept.
    """

    kernel: str
    scale: float | None
    landmarks: npt.NDArray[np.float32]
    offset: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float32]
    axes: npt.NDArray[np.float32]
    note: Message = NOTHING
    norm_filter: float | None = None

    @classmethod
    def of(
        cls,
        components: Components,
        weights: npt.NDArray[np.float64],
        centre_query: bool = True,
        note: Message = NOTHING,
        norm_filter: float | None = None,
    ) -> Self:
        """Make the encoder of components and of weights, (m, bits)."""
        return cls(
            json.dumps(components.kernel.to_json(), sort_keys=True),
            None if components.transform is None else components.transform.scale,
            components.landmarks,
            components.mean if centre_query else np.zeros_like(components.mean),
            to_grid(weights, axis=0).astype(np.float32),
            components.axes.astype(np.float32),
            note,
            norm_filter,
        )

    @property
    def bits(self) -> int:
        """Length of a code."""
        return int(self.weights.shape[1])

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return int(self.landmarks.shape[1])

    @cached_property
    def measure(self) -> Kernel:
        """The kernel, as it was fitted."""
        return declaration_from_json(KERNELS, json.loads(self.kernel))

    @cached_property
    def _against(self) -> LandmarkKernel:
        return self.measure.against(self.landmarks, None if self.scale is None else MonotoneTransform(self.scale))

    @cached_property
    def _weights(self) -> npt.NDArray[np.float64]:
        return self.weights.astype(np.float64)

    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Project a block of rows, (n, d) -> (n, bits)."""
        return self.of_values(self._against.values(block))

    def of_values(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Project rows whose kernel values against the landmarks are known, transform and all, (n, m) -> (n, bits)."""
        return np.asarray(to_grid(values, axis=1, minus=self.offset) @ self._weights)

    def keeps(self, x: npt.ArrayLike) -> npt.NDArray[np.bool_] | None:
        """Keep the items whose relative norm reaches the filter, (n, d) -> (n,); None without a filter."""
        return None if self.norm_filter is None else self.relative_norms(x) >= self.norm_filter

    def relative_norms(self, x: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the part of each item's centred length that lies in the leading space, N(x) / |φ_c(x)|, (n,).

        Jiang, Que and Kulis filter items by N(x), the length of what they keep of an item; what they compare it with
        does not bound it, so here it is put in proportion to the whole: near 1 an item is seen well, near 0 its code
        says little of it. An item at the very centre, of no length, has 0.

        Parameters
        ----------
        x : array_like, (n, d)
        """
        table = np.ascontiguousarray(x, np.float32)
        found, axes = np.empty(len(table)), self.axes.astype(np.float64)
        mean, centre = self._centre
        for rows, block in self._checked_blocks(table):
            values = self._against.values(block)
            kept = np.square((values - mean) @ axes).sum(axis=1)
            own = self.measure.diagonal(block)
            if self.scale is not None:
                own = MonotoneTransform(self.scale).of(own)
            whole = own - 2 * values.mean(axis=1) + centre if self._centred else own
            telling = whole > 1e-12 * np.maximum(own, centre)
            found[rows] = np.sqrt(np.clip(np.divide(kept, whole, out=np.zeros(len(block)), where=telling), 0.0, 1.0))
        return found

    def spectrum(self) -> Spectrum:
        """Return the decay of the eigenvalues of the landmarks' kernel, all of them, whatever rank is kept."""
        m = len(self.landmarks)
        rng = np.random.default_rng(0)  # it draws all m of m, and its kernel has nothing left to find
        found = principal_components(self.landmarks, self.measure, self.scale, m, rng, self._centred)
        return kernel_spectrum(found)

    @cached_property
    def _centred(self) -> bool:
        """Whether the kernel was centred, even where a query is not: then its eigenvectors are orthogonal to 1."""
        first = self.axes[:, :1].astype(np.float64)
        m = len(first)
        return bool(np.abs(first.sum(axis=0)).max(initial=0.0) <= 1e-4 * np.sqrt(m) * np.linalg.norm(first))

    @cached_property
    def _centre(self) -> tuple[npt.NDArray[np.float64], float]:
        """Mean of the rows of K, (m,), and of all of it; zero where nothing was centred."""
        if not self._centred:
            return np.zeros(len(self.landmarks)), 0.0
        values = self._against.values(self.landmarks)
        return values.mean(axis=0), float(values.mean())


class KernelMethod(HashMethod):
    """Base of the methods that hash in the leading space of a kernel, known from a sample of landmarks."""

    encoder: ClassVar[type[Encoder]] = KernelEncoder
    centred: ClassVar[bool] = True
    """Whether the kernel is centred before its components are found."""

    kernel: Annotated[Kernel, Nested(lambda: kernels.KERNELS)] = parameter(
        Gaussian(), help="By what items are compared, and candidates ranked."
    )
    landmarks: int = parameter(
        1000,
        ge=1,
        le=20_000,
        unit="items",
        help="Items that the space is learned from (m). More know it better, and every code takes longer.",
    )
    scale: float | None = parameter(
        None,
        gt=0,
        le=100,
        help="Of the transform exp(s (k - 1)), for kernels with values from 0 to 1; none leaves it out. It keeps every "
        "ranking and makes the leading components easier to learn.",
    )
    norm_filter: float | None = parameter(
        None,
        gt=0,
        lt=1,
        help="Leaves items out of the candidates of which less than this part of the length lies in the leading space "
        "(N(x) / |φ_c(x)|); none keeps all. Their codes say little of them. It counts in bench, which tells how many "
        "it drops; in a library every photo stays findable.",
    )

    def fit(self, x: Vectors, progress: Progress = silent) -> KernelEncoder:
        """Draw landmarks, find their components, and hash in their space.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.

        Raises
        ------
        TwinlensError
            If no row is left, one is not finite, or the kernel is not defined for one.
        """
        x = training_vectors(x)
        rng = np.random.default_rng(self.seed)
        found = self.components(x, rng, part(progress, 0, 0.3))
        return self.of_components(found, x, rng, part(progress, 0.3, 1))

    def components(self, x: Vectors, rng: np.random.Generator, progress: Progress = silent) -> Components:
        """Draw landmarks and find their components, all of them: what takes longest, whatever rank and bits are.

        Parameters
        ----------
        x : ndarray, (n, d)
            Checked, without rows that are zero throughout.
        rng : Generator
            Of the seed; what is drawn after this is drawn with it, too.
        """
        return principal_components(x, self.kernel, self.scale, self.landmarks, rng, self.centred, progress)

    @abstractmethod
    def of_components(
        self, found: Components, x: Vectors, rng: np.random.Generator, progress: Progress = silent
    ) -> KernelEncoder:
        """Hash in the space of components.

        Parameters
        ----------
        x : ndarray, (n, d)
            As :meth:`components` had it.
        rng : Generator
            As :meth:`components` left it.
        """


class RankedKernelMethod(KernelMethod):
    """Base of those of them that choose how many leading components they keep."""

    rank: int | None = parameter(
        None,
        ge=1,
        le=20_000,
        help="Leading components that are kept (r); none keeps all. Fewer leave out what the sample does not know "
        "well, up to a point that depends on the data: 32 to 128 is often best.",
    )

    def gaussian_hyperplanes(self, found: Components, items: int, rng: np.random.Generator) -> KernelEncoder:
        """Draw hyperplanes U_r Λ_r^(-1/2) G with G standard normal, (r, bits), in the leading space.

        Parameters
        ----------
        found : Components
            All of them.
        items : int
            That there were to learn from.
        """
        kept = found.first(self.rank)
        weights = kept.axes @ rng.standard_normal((len(kept.eigenvalues), self.bits))
        return KernelEncoder.of(kept, weights, note=few_landmarks(items, self.landmarks), norm_filter=self.norm_filter)


def few_landmarks(items: int, landmarks: int) -> Message:
    """Return a note that there are fewer items than landmarks; empty where there are enough."""
    if items >= landmarks:
        return NOTHING
    return Message("There are {items} items to learn from, so all of them are landmarks.", items=items)
