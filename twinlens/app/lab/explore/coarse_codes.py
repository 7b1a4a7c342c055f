"""Approximate codes of a sample within some ten milliseconds, from known values or learned from fewer items."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.app.lab.explore.sample_codes import KernelColumns, KernelComponents, Reduction, SampleCodes, sample_rows
from twinlens.core.arrays import Float32Vectors, Float64Matrix
from twinlens.core.containers import RecentValues
from twinlens.core.hashing.hash_method import Encoder, HashMethod, LinearEncoder
from twinlens.core.hashing.kernel_hashing import KernelMethod, RankedKernelMethod
from twinlens.core.hashing.packed_codes import pack_bits, planar
from twinlens.core.message import Message
from twinlens.core.methods.itq import Itq
from twinlens.core.methods.klsh import Klsh, KpcaItq
from twinlens.core.methods.lsh import Lsh
from twinlens.core.methods.sik import Sik
from twinlens.core.progress import Progress, silent
from twinlens.core.projections.subspaces import column_mean, gaussian, orthonormal, principal
from twinlens.core.vectors import one_thread

LANDMARKS = 256
"""Landmarks where those of the method are not known yet."""

ITEMS = 400
"""Photographs that a rotation or pre-images are learned from."""

_TURNS = 12
_SVD = 4.0e7  # cubes of bits that are turned within the time: 12 turns of 128 bits, 2 of 256
_KEPT = 12
_Directions = tuple[KernelComponents, Float32Vectors]


class CoarseCodes:
    """Approximate codes of one sample. Safe to use from several threads."""

    def __init__(self, columns: KernelColumns) -> None:
        self._columns = columns
        self._lock = threading.Lock()
        self._long: RecentValues[str, SampleCodes] = RecentValues(_KEPT)
        self._directions: RecentValues[tuple[int, int, int], _Directions] = RecentValues(_KEPT)
        self._turned: RecentValues[tuple[int, int, int], SampleCodes] = RecentValues(_KEPT)
        self._plane: tuple[Float32Vectors, int] | None = None

    def keep(self, method: HashMethod, codes: SampleCodes) -> None:
        """Remember exact codes that other settings share, such as the first bits of longer codes."""
        if isinstance(method, Itq) and _of_all(method, len(self._columns.images)):
            self._turned.keep((method.bits, method.iterations, method.seed), codes)
        if not isinstance(method, (Lsh, Sik)):
            return
        key = _without_bits(method)
        with self._lock:
            before = self._long.peek(key)
            if before is None or before.bits < codes.bits:
                self._long.keep(key, codes)

    def codes(self, method: HashMethod, progress: Progress = silent) -> SampleCodes:
        """Encode all photographs approximately; the result says how the codes are approximate.

        Raises
        ------
        TwinlensError
            If the method cannot learn from these vectors.
        """
        with one_thread():  # a second one would wait for whatever else runs, longer than it helps
            if isinstance(method, KernelMethod):
                return self._of_kernel(method, progress)
            if isinstance(method, (Lsh, Sik)):
                return self._of_long(method, progress)
            if isinstance(method, Itq) and _of_all(method, len(self._columns.images)):
                return self._of_plane(method, progress)
            return self._of_less(method, progress)

    # --- kernels -----------------------------------------------------------------------------------------------------

    def _of_kernel(self, method: KernelMethod, progress: Progress) -> SampleCodes:
        known, own = self._columns.known(method), method
        reduced: list[Reduction] = []
        if known is None:
            kernel = self._columns.resolved(method.kernel, method.seed)
            fewer = min(method.landmarks, LANDMARKS)
            rank = getattr(method, "rank", None)
            own = method.changed(kernel=kernel, landmarks=fewer)
            if rank is not None and rank > fewer:
                own = own.changed(rank=None)
            wanted = min(method.landmarks, len(self._columns.training))
            if fewer < wanted:
                reduced.append(Reduction("landmarks", fewer, wanted))
            known = self._columns.known(own) or self._columns.learn(own, progress, exact=False)
        progress(0.5, 1, Message("Projecting"))
        coordinates, lengths = self._columns.coordinates(known, progress)
        progress(0.7, 1, Message("Projecting"))
        if isinstance(own, KpcaItq):
            bits, turns = self._rotated(own, coordinates, known)
            reduced += turns
        else:
            bits = self._straight(own, known, coordinates)
        kept = None
        if method.norm_filter is not None:
            rank = method.bits if isinstance(own, KpcaItq) else getattr(own, "rank", None)
            inside = np.square(coordinates[:, :rank], dtype=np.float64).sum(axis=1)
            kept = inside >= method.norm_filter**2 * np.maximum(lengths, 1e-12)
        values = known.found.eigenvalues
        return SampleCodes(planar(pack_bits(bits)), method.bits, kept, None, values, reduced=tuple(reduced))

    def _straight(
        self, method: KernelMethod, known: KernelComponents, coordinates: Float32Vectors
    ) -> npt.NDArray[np.bool_]:
        assert isinstance(method, RankedKernelMethod)
        rank = len(known.found.eigenvalues) if method.rank is None else min(method.rank, len(known.found.eigenvalues))
        planes = self._hyperplanes(method, known, rank)
        projected = coordinates[:, :rank] @ planes
        if isinstance(method, Klsh) and not method.centre_query:
            shift = known.found.mean @ known.found.axes[:, :rank]
            projected += shift.astype(np.float32) @ planes
        return np.asarray(projected >= 0)

    def _hyperplanes(self, method: RankedKernelMethod, known: KernelComponents, rank: int) -> Float32Vectors:
        """Return the hyperplanes in the space of the components, (rank, bits)."""
        if not isinstance(method, Klsh):
            drawn = known.rng().standard_normal((rank, method.bits))
            return drawn.astype(np.float32)

        def directions() -> _Directions:
            chosen = method.chosen(len(known.rows), known.rng()).astype(np.float32)
            return known, known.found.vectors.T.astype(np.float32) @ chosen

        key = id(known), method.bits, method.samples
        return np.asarray(self._directions.made(key, directions)[1][:rank])

    def _rotated(
        self, method: KpcaItq, coordinates: Float32Vectors, known: KernelComponents
    ) -> tuple[npt.NDArray[np.bool_], list[Reduction]]:
        kept = min(method.bits, len(known.found.eigenvalues))
        v = coordinates[:, :kept].astype(np.float64)
        rng = known.rng()
        if kept < method.bits:
            v = v @ (rng.standard_normal((kept, method.bits)) / np.sqrt(method.bits))
        return _turned(v, method.iterations, rng)

    # --- linear ------------------------------------------------------------------------------------------------------

    def _of_long(self, method: Lsh | Sik, progress: Progress) -> SampleCodes:
        """Take the first bits of longer codes: a shorter code is a prefix of them."""
        long = self._long.get(_without_bits(method))
        if long is not None and long.bits >= method.bits:
            planes = long.planes[: -(-method.bits // 64)].copy()
            if method.bits % 64:
                planes[-1] &= np.uint64((1 << (method.bits % 64)) - 1)
            return SampleCodes(planes, method.bits)
        encoder = method.fit(self._columns.images, progress)
        made = SampleCodes(planar(_packed(encoder, self._columns.images)), method.bits)
        self.keep(method, made)
        return made

    def _of_plane(self, method: Itq, progress: Progress) -> SampleCodes:
        """Rotate principal components that are computed once."""
        images = self._columns.images
        method.check(images.shape[1])
        with self._lock:
            plane = self._plane
        turned = self._turned.get((method.bits, method.iterations, method.seed))
        if turned is not None:  # of what else it has, nothing counts with all principal components
            return SampleCodes(turned.planes, method.bits)
        if plane is None or plane[1] < method.bits:
            most = min(images.shape[1], max(256, method.bits))
            mean = column_mean(images, progress)
            directions = principal(images, mean, most, np.random.default_rng(0), progress)
            plane = ((images - mean.astype(np.float32)) @ directions.astype(np.float32), most)
            with self._lock:
                self._plane = plane
        rng = np.random.default_rng(method.seed)
        v = plane[0][:, : method.bits].astype(np.float64)
        if v.shape[1] < method.bits:
            return self._of_less(method, progress)
        bits, reduced = _turned(v, method.iterations, rng)
        return SampleCodes(planar(pack_bits(bits)), method.bits, reduced=tuple(reduced))

    def _of_less(self, method: HashMethod, progress: Progress) -> SampleCodes:
        """Learn from fewer photographs, in fewer iterations, and encode all."""
        values: dict[str, Any] = {}
        parts = []
        for name, most, what in (
            ("landmarks", LANDMARKS // 2, "landmarks"),
            ("training_items", ITEMS, "items"),
            ("iterations", 1, "turns"),
        ):
            wanted = getattr(method, name, None)
            there = len(self._columns.training) if name != "iterations" else wanted
            if wanted is not None and there is not None and min(wanted, there) > most:
                values[name] = most
                parts.append(Reduction(what, most, min(wanted, there)))
        own = method.changed(**values)
        images = self._columns.images
        encoder = own.fit(images[sample_rows(self._columns, own)], progress)
        progress(0.9, 1, Message("Encoding"))
        codes = _packed(encoder, images)
        return SampleCodes(planar(codes), method.bits, reduced=tuple(parts))


def _packed(encoder: Encoder, images: Float32Vectors) -> npt.NDArray[np.uint8]:
    return pack_bits(_signs(encoder, images)) if isinstance(encoder, LinearEncoder) else encoder.encode(images)


def _signs(encoder: LinearEncoder, images: Float32Vectors) -> npt.NDArray[np.bool_]:
    """Return the signs of a float32 product as bits; a few near zero may differ from the exact ones."""
    return np.asarray((images - encoder.mean) @ encoder.projection >= 0)


def _turned(
    v: Float64Matrix, iterations: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.bool_], list[Reduction]]:
    """Learn a rotation as `learn_rotation` does, in fewer iterations and in float32."""
    bits = v.shape[1]
    turns = min(iterations, max(2, min(_TURNS, int(_SVD / bits**3))))
    wide = v.astype(np.float32)
    some = wide[:: max(1, len(wide) // ITEMS)]
    rotation = orthonormal(gaussian(bits, bits, rng)).astype(np.float32)
    for _ in range(turns):
        m, _, n_transposed = np.linalg.svd(np.where(some @ rotation >= 0, np.float32(1), np.float32(-1)).T @ some)
        rotation = n_transposed.T @ m.T
    reduced = [Reduction("items", len(some), len(wide))] if len(some) < len(wide) else []
    reduced += [Reduction("turns", turns, iterations)] if turns < iterations else []
    return np.asarray(wide @ rotation >= 0), reduced


def _of_all(method: Itq, items: int) -> bool:
    """Return whether the method rotates the principal components of all items."""
    return method.subspace == "pca" and method.training_items >= items


def _without_bits(method: HashMethod) -> str:
    return method.changed(bits=1).identity()
