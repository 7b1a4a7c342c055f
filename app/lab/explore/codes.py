"""Codes of a sample, exactly as ``bench`` has them, or nearly and at once."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from app.lab.explore.kernel_columns import KernelColumns
from app.lab.explore.sample import SampleData
from core.arrays import UInt64Words
from core.hashing.hash_method import Encoder, HashMethod
from core.hashing.kernel_method import KernelMethod
from core.hashing.method_under_metric import UnderMetric
from core.hashing.packed_codes import pack_bits, planar
from core.message import NOTHING, Message
from core.metrics.metric import FittedMetric
from core.progress import Progress, part, silent
from core.vectors import row_blocks

_TIMED = 8  # questions that are encoded one at a time, for the clock


@dataclass(frozen=True)
class Reduction:
    """A quantity of which a coarse reading uses less: so many of so many.

    Attributes
    ----------
    what : str
        ``questions``, ``landmarks``, ``items`` or ``turns``.
    used, of : int
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
    bits : int
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
    note : str
    reduced : tuple of Reduced
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
    """Fit a method on the sample and encode it: bit for bit what ``bench`` does, reusing what does not depend on it.

    Raises
    ------
    TwinlensError
        If the method cannot learn from these vectors.
    Cancelled
        If progress says so.
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
        encoder = inner.fit(sample_of(columns, inner), fitting)
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


def sample_of(columns: KernelColumns, method: HashMethod) -> npt.NDArray[np.float32]:
    """Draw what a method learns from, as evaluation does."""
    images = columns.images
    if len(images) <= method.sample_size:
        return images
    rng = np.random.default_rng(method.seed)
    return np.asarray(images[np.sort(rng.choice(len(images), method.sample_size, replace=False))])


def captured(codes: SampleCodes, method: HashMethod) -> float | None:
    """Return the share of the spectrum that the kept components hold; None where there is none."""
    if codes.eigenvalues is None or not len(codes.eigenvalues):
        return None
    rank = getattr(method, "rank", None) if hasattr(method, "rank") else method.bits
    shares = np.cumsum(codes.eigenvalues)
    place = len(shares) if rank is None else min(int(rank), len(shares))
    return float(shares[place - 1] / shares[-1])
