"""Codes of a sample, exactly those of ``bench``, or approximate ones at once.

The kernel matrix of a sample is computed once: rank, scale, width, landmarks and bits are all derived from it.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.app.lab.explore.sample import SampleData
from twinlens.core.arrays import Float32Vectors, Float64Matrix, Int64Rows, UInt64Words
from twinlens.core.containers import RecentValues
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.hashing.kernel_hashing import KernelMethod
from twinlens.core.hashing.method_under_metric import UnderMetric
from twinlens.core.hashing.packed_codes import pack_bits, planar
from twinlens.core.kernels.kernel import Kernel, MonotoneTransform, normalised
from twinlens.core.message import NOTHING, Message
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.kernel_components import Components
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.vectors import row_blocks, training_vectors

_TIMED = 8  # questions that are encoded one at a time, for the clock


@dataclass(frozen=True)
class Reduction:
    """A quantity that a coarse reading reduces: how many it uses, and how many there are.

    Attributes
    ----------
    what : str
        ``questions``, ``landmarks``, ``items`` or ``turns``.
    """

    what: str
    used: int
    of: int


@dataclass(frozen=True, eq=False)
class SampleCodes:
    """Codes of all photographs of a sample.

    Attributes
    ----------
    planes : ndarray of uint64, (words, n)
    kept : ndarray of bool, (n,), or None
        False for photographs that are never found.
    encoder : Encoder or None
        What made them; None where they are coarse.
    eigenvalues : ndarray of float64 or None
        Of the kernel among the landmarks, the largest first.
    bytes : int
        Of the model; 0 where it is not known.
    seconds : dict of str to float
        ``encode_query``, a question, where it was measured.
    reduced : tuple of Reduction
        In which way they are coarse; empty where they are exact, or as good as.
    """

    planes: UInt64Words
    bits: int
    kept: npt.NDArray[np.bool_] | None = None
    encoder: Encoder | None = None
    eigenvalues: npt.NDArray[np.float64] | None = None
    bytes: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    note: Message = NOTHING
    reduced: tuple[Reduction, ...] = ()

    @property
    def code_bytes(self) -> int:
        """Bytes of all codes."""
        return -(-self.bits // 8) * int(self.planes.shape[1])


def exact_codes(
    material: SampleData, columns: KernelColumns, method: HashMethod, progress: Progress = silent
) -> SampleCodes:  # fmt: skip
    """Fit a method on the sample and encode it, bit for bit as ``bench`` does, reusing what is independent of it.

    Raises
    ------
    TwinlensError
        If the method cannot learn from these vectors.
    """
    inner, metric = material.of_images(method), material.loaded.metric
    kept: npt.NDArray[np.bool_] | None = None
    eigenvalues = None
    fitting, encoding = part(progress, 0.0, 0.7), part(progress, 0.7, 1.0)
    encoder: Encoder
    if isinstance(inner, KernelMethod) and len(columns.training) <= inner.sample_size:
        known = columns.learn(inner, part(fitting, 0.0, 0.6))
        fitted = inner.of_components(known.found, columns.training, known.rng(), part(fitting, 0.6, 1.0))
        values = columns.values(fitted.measure, fitted.scale, known.rows, encoding)
        bits = np.concatenate(
            [fitted.of_values(values[rows]) >= 0 for rows in row_blocks(len(values), values.shape[1])]
        )
        codes = pack_bits(bits)
        encoder, eigenvalues = fitted, known.found.eigenvalues
    else:
        rows, labelled = sample_rows(columns, inner), material.task.supervision if inner.supervised else None
        supervision = None if labelled is None else labelled.of_rows(rows)
        encoder = inner.fit_with(columns.images[rows], supervision, fitting)
        encoding(0, 1, Message("Encoding"))
        codes = encoder.encode(material.images)
    if getattr(encoder, "norm_filter", None) is not None:
        kept = encoder.keeps(material.images)
    whole = UnderMetric(metric, encoder) if isinstance(metric, FittedMetric) else encoder
    timed = material.task.queries[:_TIMED]
    whole.encode(timed[:1])  # what is done first only must not count
    began = time.perf_counter()
    for number in range(len(timed)):
        encoding(number, len(timed), Message("Encoding"))
        whole.encode(timed[number : number + 1])
    seconds = {"encode_query": (time.perf_counter() - began) / max(1, len(timed))}
    packed = whole.pack()
    return SampleCodes(
        planar(codes),
        encoder.bits,
        kept,
        whole,
        eigenvalues,
        sum(array.nbytes for array in packed.arrays.values()),
        seconds,
        getattr(whole, "note", NOTHING),
    )


def sample_rows(columns: KernelColumns, method: HashMethod) -> npt.NDArray[np.integer[Any]]:
    """Draw the rows that a method learns from, as evaluation does."""
    return draw_places(len(columns.images), method.sample_size, np.random.default_rng(method.seed))


def captured(codes: SampleCodes, method: HashMethod) -> float | None:
    """Return the share of the spectrum that the kept components hold; None without a spectrum."""
    if codes.eigenvalues is None or not len(codes.eigenvalues):
        return None
    rank = getattr(method, "rank", None) if hasattr(method, "rank") else method.bits
    shares = np.cumsum(codes.eigenvalues)
    place = len(shares) if rank is None else min(int(rank), len(shares))
    return float(shares[place - 1] / shares[-1])


_KINDS = 2  # kernels whose sums are kept: 32 MB each, of 2,000 photographs
_AT_ONCE = 128
_COMPONENTS = 6


@dataclass(frozen=True, eq=False)
class KernelComponents:
    """Components of a kernel method, with the state of its generator after them.

    Attributes
    ----------
    found : Components
        All of them.
    state : dict
        Of the generator behind them.
    rows : ndarray of int64, (m,)
        Of the landmarks.
    """

    found: Components
    state: object
    rows: Int64Rows

    def rng(self) -> np.random.Generator:
        """Return the generator in its state after the components."""
        rng = np.random.default_rng(0)
        rng.bit_generator.state = self.state  # type: ignore[assignment]
        return rng


_Coordinates = tuple[KernelComponents, Float32Vectors, Float64Matrix]


class KernelColumns:
    """Kernel sums over the dimensions, and components, of one table. Safe to use from several threads.

    Parameters
    ----------
    images : ndarray of float32, (n, d)
    """

    def __init__(self, images: Float32Vectors) -> None:
        self.images = images
        self.training = training_vectors(images)
        self._lock = threading.RLock()
        self._sums: RecentValues[str, tuple[Float64Matrix, npt.NDArray[np.bool_]]] = RecentValues(_KINDS)
        self._places = {row.tobytes(): place for place, row in reversed(list(enumerate(images)))}
        self._known: RecentValues[tuple[object, ...], KernelComponents] = RecentValues(_COMPONENTS)
        self._coordinates: RecentValues[int, _Coordinates] = RecentValues(_COMPONENTS)
        self._widths: dict[tuple[str, int], Kernel] = {}

    def resolved(self, kernel: Kernel, seed: int) -> Kernel:
        """Return a kernel with its width resolved, as a method with a seed resolves it."""
        key = kernel.text(), seed
        with self._lock:
            if key not in self._widths:
                self._widths[key] = kernel.fitted_to(self.training, np.random.default_rng(seed))
            return self._widths[key]

    def known(self, method: KernelMethod) -> KernelComponents | None:
        """Return the first components of a method if they are cached."""
        return self._known.get((True, *_key(method))) or self._known.get((False, *_key(method)))

    def learn(self, method: KernelMethod, progress: Progress = silent, exact: bool = True) -> KernelComponents:
        """Return the first components of a method, as its ``fit`` computes them.

        Exact ones are the same bit for bit. Others may have been found by fewer threads, which add in another order.
        """
        key = exact, *_key(method)
        found = self._known.get(key)
        if found is not None:
            return found
        rng = np.random.default_rng(method.seed)
        components = method.components(self.training, rng, progress)
        rows = np.array([self._places[row.tobytes()] for row in components.landmarks], np.int64)
        made = KernelComponents(components, rng.bit_generator.state, rows)
        self._known.keep(key, made)
        return made

    def values(
        self, kernel: Kernel, scale: float | None, rows: Int64Rows, progress: Progress = silent
    ) -> Float64Matrix:
        """Return kernel values of all rows with some rows, as `Against.values` does, (n, m)."""
        kernel.check(self.images)
        values = kernel.of_sums(self._columns(kernel, rows, progress))
        if kernel.normalise:
            norms = kernel.norms(self.images)
            values = normalised(values, norms[:, None], norms[rows])
        if scale is None:
            return values
        transform = MonotoneTransform(scale)
        kernel.check_unit_range(self.images[rows])
        return transform.of(values)

    def coordinates(self, known: KernelComponents, progress: Progress = silent) -> tuple[Float32Vectors, Float64Matrix]:
        """Return approximate coordinates along all components, (n, r), and their squared lengths, (n,)."""
        kept = self._coordinates.get(id(known))
        if kept is not None:
            return kept[1:]
        found = known.found
        scale = None if found.transform is None else found.transform.scale
        values = self.values(found.kernel, scale, known.rows, progress)
        own = found.kernel.diagonal(self.images)
        if found.transform is not None:
            own = found.transform.of(own)
        # Of what is not centred, the mean is zero throughout.
        centre = float(found.mean.mean())
        lengths = own - 2 * values.mean(axis=1) + centre if found.mean.any() else own
        made = (values - found.mean).astype(np.float32) @ found.axes.astype(np.float32)
        self._coordinates.keep(id(known), (known, made, lengths))
        return made, lengths

    def _columns(self, kernel: Kernel, rows: Int64Rows, progress: Progress) -> Float64Matrix:
        """Return sums, (n, m), as a copy; missing columns are added up in blocks."""
        n = len(self.images)
        with self._lock:
            sums, there = self._sums.made(kernel.key, lambda: (np.empty((n, n)), np.zeros(n, np.bool_)))
        lacking = np.unique(rows[~there[rows]])
        for start in range(0, len(lacking), _AT_ONCE):
            progress(start, len(lacking), Message("Evaluating the kernel"))
            some = lacking[start : start + _AT_ONCE]
            sums[:, some] = kernel.lone_sums(np.ascontiguousarray(self.images[some]))(self.images)
            there[some] = True
        return np.ascontiguousarray(sums[:, rows])


def _key(method: KernelMethod) -> tuple[object, ...]:
    return method.kernel.text(), method.scale, method.landmarks, method.seed, method.centred
