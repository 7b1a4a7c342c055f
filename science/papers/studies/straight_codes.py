"""The product's codes beside codes straight from the formulas (`science.papers.straight`), by what they find."""

from __future__ import annotations

import functools
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers import straight
from science.papers.size import Tables
from science.papers.straight import Bits, Kernel
from twinlens.app.methods import catalogue
from twinlens.core.arrays import Float64Matrix
from twinlens.core.hashing.packed_codes import unpack_bits
from twinlens.core.message import verbatim
from twinlens.core.progress import Progress

DATA = ("sift", "edge-crops", "fashion-mnist", "digits")
ITEMS, QUERIES, REPEATS = 5_000, 300, 5
RECALLS = (1, 10, 100)


@dataclass(frozen=True)
class Case:
    """A method, written twice.

    Attributes
    ----------
    name : str
        With the data set, in words.
    text : str
        The product's, in text form.
    twin : function
        The formulas': of (x, *tables, seed=...).
    kernel : function or None
        By which the true nearest are found; None: by the Euclidean distance.
    """

    name: str
    data: str
    text: str
    twin: Callable[..., list[Bits]]
    kernel: Kernel | None = None


def _kernel_cases(data: str, key: str, kernel: Kernel) -> list[Case]:
    ours = f"kernel={key},bits=128,landmarks=300"
    klsh = functools.partial(straight.klsh, kernel=kernel, b=128, m=300)
    transformed = functools.partial(klsh, kernel=straight.transformed(kernel, 2), r=48)
    return [
        Case(f"KLSH, {key}, {data}", data, f"klsh:{ours}", klsh, kernel),
        Case(f"KLSH, query not centred, {key}, {data}", data, f"klsh:{ours},centre_query=false",
             functools.partial(klsh, centre_query=False), kernel),
        Case(f"low rank, {key}, {data}", data, f"klsh:{ours},rank=48", functools.partial(klsh, r=48), kernel),
        Case(f"low rank + transform, {key}, {data}", data, f"klsh:{ours},rank=48,scale=2",
             transformed, kernel),
        Case(f"Nyström + LSH, {key}, {data}", data, f"nystrom-lsh:{ours}",
             functools.partial(straight.nystrom_lsh, kernel=kernel, b=128, m=300), kernel),
    ]  # fmt: skip


def _cases() -> list[Case]:
    pixels, itq = "fashion-mnist", functools.partial(straight.itq, b=48)
    return [
        *_kernel_cases("sift", "chi-square", straight.chi_square),
        *_kernel_cases("edge-crops", "intersection", straight.intersection),
        Case("pre-images, digits", "digits", "preimage-klsh:kernel=polynomial(a=0.01),bits=64",
             functools.partial(straight.preimage_klsh, kernel=straight.polynomial, b=64), straight.polynomial),
        Case("random waves, pixels", pixels, "sik:bits=256", functools.partial(straight.sik, b=256)),
        Case("bilinear random waves m = 1, pixels", pixels, "bilinear-sik:bits=256,oversampling=1",
             functools.partial(straight.bilinear_sik, shape=(28, 28), b=256, m=1)),
        Case("bilinear random waves m = 5, pixels", pixels, "bilinear-sik:bits=256",
             functools.partial(straight.bilinear_sik, shape=(28, 28), b=256, m=5)),
        Case("PCA + ITQ, pixels", pixels, "itq:bits=48", itq),
        Case("uniform Nyström + ITQ, pixels", pixels, "itq:bits=48,subspace=nystrom-uniform",
             functools.partial(itq, subspace="nystrom")),
        Case("uniform Nyström + ITQ without QR, pixels", pixels,
             "itq:bits=48,subspace=nystrom-uniform,orthogonalise=false",
             functools.partial(itq, subspace="nystrom", qr=False)),
        Case("random + ITQ, pixels", pixels, "itq:bits=48,subspace=random", functools.partial(itq, subspace="random")),
    ]  # fmt: skip


BY_NAME = {case.name: case for case in _cases()}
CASES = tuple(BY_NAME)


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return by R (mean, deviation, runs) of recall@R: the product's and the formulas'."""
    progress(0, 1, verbatim(case))
    one = BY_NAME[case]
    return compare(one, tables(one.data, "base")[:ITEMS], tables(one.data, "queries")[:QUERIES], repeats)


def compare(case: Case, base: npt.NDArray[Any], queries: npt.NDArray[Any], seeds: int) -> dict[str, Any]:
    """Hash with both, for each seed, and judge both rankings in the same way."""
    x, asked = base.astype(np.float64), queries.astype(np.float64)
    true = nearest(x, asked, case.kernel)
    both: dict[int, tuple[list[float], list[float]]] = {count: ([], []) for count in RECALLS}
    for seed in range(seeds):
        codes = ours(case.text, x, asked, seed), case.twin(x, x, asked, seed=seed)
        for count, lists in both.items():
            for values, (items, queried) in zip(lists, codes, strict=True):
                values.append(straight.recall(items, queried, true, count))
    return {str(count): [_summed(values) for values in lists] for count, lists in both.items()}


def ours(text: str, x: Float64Matrix, asked: Float64Matrix, seed: int) -> tuple[Bits, Bits]:
    """Hash items and queries by the product's method."""
    method = catalogue.method(text).changed(seed=seed)
    encoder = method.fit(x.astype(np.float32))
    items, queried = (unpack_bits(encoder.encode(table), method.bits) for table in (x, asked))
    return items.astype(np.bool_), queried.astype(np.bool_)


def nearest(x: Float64Matrix, asked: Float64Matrix, kernel: Kernel | None) -> npt.NDArray[np.intp]:
    """Find the true nearest of each query: by the distance that the kernel induces, or by Euclid's."""
    if kernel is None:
        return np.asarray(((x**2).sum(axis=1) - 2 * asked @ x.T).argmin(axis=1))
    own = np.array([kernel(row[None], row[None])[0, 0] for row in x])
    return np.asarray((own - 2 * kernel(asked, x)).argmin(axis=1))


def _summed(values: list[float]) -> tuple[float, float, int]:
    return statistics.fmean(values), statistics.stdev(values), len(values)
