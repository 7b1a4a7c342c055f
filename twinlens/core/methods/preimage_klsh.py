"""Kernelized hashing through pre-images: one kernel evaluation for a bit.

Bodó and Csató: Improving Kernel Locality-Sensitive Hashing Using Pre-Images and Bounds, 2012, section VI. With
landmarks S (m, d), K = k(S, S), K̄ = H K H where H = I - 11'/m, and E (m, b), t ones in each column:

    W = (K̄ + λI)^(-3/2) K̄ E / sqrt(t)        the directions of kernelized LSH, in the space of the kernel
    g_j = S' W[:, j]                           their pre-images, which are vectors
    bit j = k(x, g_j) - o_j >= 0               o_j the mean of k(S, g_j)

For a kernel that is no dot product the length of g counts; it is exactly this one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar

import numpy as np
import numpy.typing as npt
from pydantic_core import PydanticCustomError

from twinlens.core import kernels
from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.declaration import Declaration, Nested, declaration_from_json, family_member, parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.kernels.dot_product_kernels import Polynomial
from twinlens.core.kernels.kernel import Kernel, LandmarkKernel
from twinlens.core.message import NOTHING, Message, joined
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.vectors import Vectors, row_blocks, training_vectors

_RANK_CUT = 1e-9  # of the largest eigenvalue: what is below is rounding, or negative


@dataclass(frozen=True, eq=False)
class PreimageEncoder(Encoder):
    """Compare an item with a vector for each bit.

    Attributes
    ----------
    preimages : ndarray of float32, (bits, d)
    offsets : ndarray of float64, (bits,)
        Above which value of the kernel a bit is 1.
    kernel : str
        JSON of the kernel, nothing in it left ``auto``.
    note : Message
        What a person should know of this fit; empty where there is nothing.
    """

    preimages: npt.NDArray[np.float32]
    offsets: npt.NDArray[np.float64]
    kernel: str
    note: Message = NOTHING

    @property
    def bits(self) -> int:
        """Length of a code."""
        return int(self.preimages.shape[0])

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return int(self.preimages.shape[1])

    @cached_property
    def measure(self) -> Kernel:
        """The kernel, as it was fitted."""
        return declaration_from_json(kernels.KERNELS, json.loads(self.kernel))

    @cached_property
    def _against(self) -> LandmarkKernel:
        return self.measure.against(self.preimages)

    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Compare a block of rows with the pre-images, (m, d) -> (m, bits)."""
        return self._against.values(block) - self.offsets


def _takes_any_vectors(option: type[Declaration]) -> bool:
    return issubclass(option, Kernel) and not option.non_negative


class _OfAnyVectors(Nested):
    """The kernels that are defined for vectors with negative entries, as pre-images are."""

    def choose(self, value: object) -> Declaration:
        """Return why a kernel of histograms is not among them."""
        key = value.key if isinstance(value, Kernel) else value.get("key") if isinstance(value, Mapping) else value
        name = str(key).partition("(")[0]
        chosen = family_member(kernels.KERNELS, name)
        if chosen is not None and chosen.non_negative:
            why = "It is for histograms, and pre-images have negative entries. "
            raise PydanticCustomError("choice", "{hint}", {"hint": why, "key": name})
        return super().choose(value)


class PreimageKlsh(HashMethod):
    """Turns vectors into bits by comparing them, under a kernel, with one vector for each bit.

    The vectors stand for the hyperplanes that kernelized LSH draws in the space of the kernel, so that an item is
    compared with as many vectors as there are bits, and not with all landmarks. Choose it for short codes under a
    kernel, where the time to encode matters.
    """

    key = "preimage-klsh"
    title = "Kernelized LSH by pre-images"
    paper = "Bodó and Csató, 2012, section VI"
    encoder: ClassVar[type[Encoder]] = PreimageEncoder

    kernel: Annotated[Kernel, _OfAnyVectors(lambda: kernels.KERNELS, _takes_any_vectors)] = parameter(
        Polynomial(),
        help="By what items are compared. Histogram kernels are not offered: pre-images have negative entries. A "
        "kernel of a distance, such as gaussian, needs vectors that are all about equally long.",
    )
    landmarks: int = parameter(
        300,
        ge=1,
        le=10_000,
        unit="items",
        help="How many items, drawn at random, the pre-images are made of (the paper's p). More knows the data better, "
        "and takes longer to learn, not to encode.",
    )
    samples: int = parameter(
        50,
        ge=1,
        le=10_000,
        unit="items",
        help="How many of the landmarks a direction is the sum of (the paper's t), at most half of them. More makes "
        "directions more nearly normally distributed, and more alike.",
    )
    ridge: float = parameter(
        0.0,
        ge=0,
        le=1,
        help="Added to the eigenvalues before they are inverted, as a part of the largest. More lets directions "
        "of little variance count less.",
    )

    def check(self, dimensions: int, matrix_shape: tuple[int, int] | None = None) -> None:
        """Refuse a kernel that pre-images can leave; see `HashMethod.check`."""
        if isinstance(self.kernel, Polynomial) and not self.kernel.p.is_integer():
            raise TwinlensError(
                "{key} cannot use the kernel {kernel}: a x·z + c may be negative for a pre-image z, and "
                "of a negative number there is no power {p:g}.",
                "Choose a whole p.",
                key=self.key,
                kernel=self.kernel.text(),
                p=self.kernel.p,
            )

    def fit(self, x: Vectors, progress: Progress = silent) -> PreimageEncoder:
        """Draw landmarks and directions, and work out the pre-images.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.

        Returns
        -------
        PreimageEncoder
            Its note says where there were fewer items than wanted, and how many bits say nothing, because all items
            are equally alike to their pre-images.

        Raises
        ------
        TwinlensError
            If the kernel cannot be used, no row is left, or one is not finite.
        """
        x = training_vectors(x)
        self.check(x.shape[1])
        rng = np.random.default_rng(self.seed)
        progress(0, 1, Message("Drawing landmarks"))
        kernel = self.kernel.fitted_to(x, rng)
        landmarks = np.asarray(x[draw_places(len(x), self.landmarks, rng)], np.float64)
        values, vectors = _spectrum(kernel, landmarks, part(progress, 0.1, 0.5))
        powers = values / (values + self.ridge * values.max(initial=0)) ** 1.5
        ones = min(self.samples, max(1, len(landmarks) // 2))
        preimages = np.empty((self.bits, x.shape[1]), np.float32)
        for rows in row_blocks(self.bits, max(landmarks.shape)):
            progress(0.5 + 0.3 * rows.start / self.bits, 1, Message("Pre-images"))
            drawn = _directions(rows.stop - rows.start, len(landmarks), ones, rng)
            weights = vectors @ (powers[:, None] * (vectors.T @ drawn)) / np.sqrt(ones)
            preimages[rows] = weights.T @ landmarks
        offsets, silent_bits = _offsets(kernel.against(preimages), landmarks, part(progress, 0.8, 1))
        note = self._note(len(landmarks), ones, len(values), silent_bits)
        return PreimageEncoder(preimages, offsets, json.dumps(kernel.to_json(), sort_keys=True), note)

    def _note(self, landmarks: int, ones: int, rank: int, silent_bits: int) -> Message:
        parts = []
        if landmarks < self.landmarks:
            parts.append(
                Message(
                    "There were {items} items for {landmarks} landmarks.", items=landmarks, landmarks=self.landmarks
                )
            )
        if ones < self.samples:
            parts.append(
                Message("A direction is the sum of {ones} landmarks, not of {wanted}.", ones=ones, wanted=self.samples)
            )
        if rank == 0:
            parts.append(Message("The kernel sees no difference between the landmarks: the codes say nothing."))
        elif silent_bits:
            parts.append(
                Message(
                    "{same} of {bits} bits are the same for all landmarks: the kernel sees no difference between them "
                    "from so far.",
                    same=silent_bits,
                    bits=self.bits,
                )
            )
        return joined(parts)


def _spectrum(kernel: Kernel, landmarks: Float64Matrix, progress: Progress) -> tuple[Float64Matrix, Float64Matrix]:
    """Return the positive eigenvalues of K̄, (r,), and their eigenvectors, (m, r)."""
    progress(0, 2, Message("Comparing landmarks"))
    centred = kernel.matrix(landmarks, landmarks)
    centred -= centred.mean(axis=0)
    centred -= centred.mean(axis=1, keepdims=True)
    progress(1, 2, Message("Eigenvectors"))
    values, vectors = np.linalg.eigh((centred + centred.T) / 2)
    # What is below the last digits of the kernel itself is no difference between landmarks.
    noise = len(values) * np.finfo(np.float64).eps * float(np.abs(kernel.diagonal(landmarks)).max())
    kept = values > max(_RANK_CUT * values[-1], noise)
    return values[kept], vectors[:, kept]


def _directions(count: int, landmarks: int, ones: int, rng: np.random.Generator) -> Float64Matrix:
    """Draw columns of so many ones each, without replacement, (landmarks, count)."""
    drawn = np.zeros((landmarks, count))
    for column in range(count):
        drawn[rng.choice(landmarks, ones, replace=False), column] = 1
    return drawn


def _offsets(against: LandmarkKernel, x: Float64Matrix, progress: Progress) -> tuple[npt.NDArray[np.float64], int]:
    """Average the kernel between all rows and each pre-image; count those to which all rows are equally alike."""
    total = np.zeros(len(against.landmarks))
    least, most = np.full_like(total, np.inf), np.full_like(total, -np.inf)
    for rows, values in against.blocks(x):
        progress(rows.start, len(x), Message("Offsets"))
        total += values.sum(axis=0)
        np.minimum(least, values.min(axis=0), out=least)
        np.maximum(most, values.max(axis=0), out=most)
    return total / len(x), int(np.count_nonzero(least == most))
