"""Kernel values of a sample with itself, evaluated once: rank, scale, width, landmarks and bits all begin with them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Vectors, Float64Matrix, Int64Rows
from core.hashing.kernel_method import KernelMethod
from core.kernels.kernel import Kernel
from core.kernels.monotone_transform import MonotoneTransform, normalised
from core.message import Message
from core.progress import Progress, silent
from core.projections.kernel_components import Components
from core.vectors import training_vectors

_KINDS = 2  # kernels whose sums are kept: 32 MB each, of 2,000 photographs
_AT_ONCE = 128
_COMPONENTS = 6


@dataclass(frozen=True, eq=False)
class KernelComponents:
    """The components of a kernel method, with what follows from them.

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
        """Return the generator as it was behind the components."""
        rng = np.random.default_rng(0)
        rng.bit_generator.state = self.state  # type: ignore[assignment]
        return rng


class KernelColumns:
    """Sums of kernels over the dimensions, and components, of one table. Safe to use from several threads.

    Parameters
    ----------
    images : ndarray of float32, (n, d)
    """

    def __init__(self, images: Float32Vectors) -> None:
        self.images = images
        self.training = training_vectors(images)
        self._lock = threading.RLock()
        self._sums: OrderedDict[str, tuple[Float64Matrix, npt.NDArray[np.bool_]]] = OrderedDict()
        self._places = {row.tobytes(): place for place, row in reversed(list(enumerate(images)))}
        self._known: OrderedDict[tuple[object, ...], KernelComponents] = OrderedDict()
        self._coordinates: OrderedDict[int, tuple[KernelComponents, Float32Vectors, Float64Matrix]] = OrderedDict()
        self._widths: dict[tuple[str, int], Kernel] = {}

    def resolved(self, kernel: Kernel, seed: int) -> Kernel:
        """Return a kernel with its width found, as a method of a seed finds it."""
        key = kernel.text(), seed
        with self._lock:
            if key not in self._widths:
                self._widths[key] = kernel.fitted_to(self.training, np.random.default_rng(seed))
            return self._widths[key]

    def known(self, method: KernelMethod) -> KernelComponents | None:
        """Return the components that a method begins with, if they are at hand."""
        with self._lock:
            return self._known.get((True, *_key(method))) or self._known.get((False, *_key(method)))

    def learn(self, method: KernelMethod, progress: Progress = silent, exact: bool = True) -> KernelComponents:
        """Return the components that a method begins with: those that its ``fit`` finds.

        Exact ones are the same bit for bit. Others may have been found by fewer threads, which add in another order.
        """
        key = exact, *_key(method)
        with self._lock:
            found = self._known.get(key)
        if found is not None:
            return found
        rng = np.random.default_rng(method.seed)
        components = method.components(self.training, rng, progress)
        rows = np.array([self._places[row.tobytes()] for row in components.landmarks], np.int64)
        made = KernelComponents(components, rng.bit_generator.state, rows)
        with self._lock:
            self._known[key] = made
            while len(self._known) > _COMPONENTS:
                gone = self._known.popitem(last=False)[1]
                self._coordinates.pop(id(gone), None)
        return made

    def values(
        self, kernel: Kernel, scale: float | None, rows: Int64Rows, progress: Progress = silent
    ) -> Float64Matrix:
        """Evaluate a kernel, nothing in it left ``auto``, of all rows with some: as `Against.values`, (n, m)."""
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
        """Return the coordinates of all rows along all components, nearly, (n, r), and their squared lengths, (n,)."""
        with self._lock:
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
        with self._lock:
            self._coordinates[id(known)] = known, made, lengths
            while len(self._coordinates) > _COMPONENTS:
                self._coordinates.popitem(last=False)
        return made, lengths

    def _columns(self, kernel: Kernel, rows: Int64Rows, progress: Progress) -> Float64Matrix:
        """Return sums, (n, m), the reader's own; what lacks is added up some columns at a time."""
        n = len(self.images)
        with self._lock:
            if kernel.key not in self._sums:
                self._sums[kernel.key] = np.empty((n, n)), np.zeros(n, np.bool_)
            self._sums.move_to_end(kernel.key)
            while len(self._sums) > _KINDS:
                self._sums.popitem(last=False)
            sums, there = self._sums[kernel.key]
        lacking = np.unique(rows[~there[rows]])
        for start in range(0, len(lacking), _AT_ONCE):
            progress(start, len(lacking), Message("Evaluating the kernel"))
            some = lacking[start : start + _AT_ONCE]
            sums[:, some] = kernel.lone_sums(np.ascontiguousarray(self.images[some]))(self.images)
            there[some] = True
        return np.ascontiguousarray(sums[:, rows])


def _key(method: KernelMethod) -> tuple[object, ...]:
    return method.kernel.text(), method.scale, method.landmarks, method.seed, method.centred
