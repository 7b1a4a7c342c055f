"""Theory: what the papers prove, computed for the vectors of an experiment and drawn over what is measured."""

from __future__ import annotations

from typing import Any

from twinlens.app.indexes.indexes import default_index
from twinlens.app.lab.theory.bits import bits_figures
from twinlens.app.lab.theory.learned_metric import metric_figures
from twinlens.app.lab.theory.norm_bounds import bounds_figures
from twinlens.app.lab.theory.ranks import rank_figures
from twinlens.app.lab.theory.rotation import rotation_figures
from twinlens.app.lab.theory.theory_data import (
    MarkedMetric,
    TheoryData,
    labelled_of_file,
    marked_of_library,
    material_of_file,
    material_of_index,
)
from twinlens.app.lab.theory.theory_results import Theory
from twinlens.app.lab.theory.theory_settings import TheorySettings
from twinlens.app.library.library import Library
from twinlens.app.methods import catalogue
from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.kernel_hashing import KernelMethod
from twinlens.core.kernels import KERNELS
from twinlens.core.kernels.dot_product_kernels import Linear, Polynomial
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian, Laplacian
from twinlens.core.message import Message
from twinlens.core.methods.itq import Itq
from twinlens.core.methods.klsh import Klsh
from twinlens.core.methods.sik import BilinearSik, Sik
from twinlens.core.metrics.itml import Itml
from twinlens.core.progress import Progress, part, silent
from twinlens.core.vectors import one_thread

_PAIRS = 300  # that are drawn by labels
KINDS = {
    "rank": "What low rank does to kernelized hashing: eigenvalues, residuals, held-out recall.",
    "hamming": "What the Hamming distance tells of a shift-invariant kernel, with the expected curve and bounds.",
    "bounds": "What norm bounds spare an exact search under a kernel, and what they lose.",
    "rotation": "What the rotation of ITQ does, turn by turn.",
    "metric": "Which directions a metric stretches and shrinks, and what becomes of marked pairs.",
}


def theory(asked: TheorySettings, library: Library | None = None, progress: Progress = silent) -> Theory:
    """Compute one kind of theory, and draw it over what is measured.

    Parameters
    ----------
    library : Library, optional
        Where no file of vectors is given.

    Raises
    ------
    TwinlensError
        If there is nothing to measure it on, or the method is not of this theory.
    """
    if asked.kind not in KINDS:
        raise TwinlensError(
            "There is no theory “{kind}”.", "Choose one of {kinds}.", kind=asked.kind, kinds=", ".join(KINDS)
        )
    with one_thread():  # no later for so few vectors, and many times sooner where other work goes on
        return _computed(asked, library, progress)


def _computed(asked: TheorySettings, library: Library | None, progress: Progress) -> Theory:
    if asked.kind == "metric":
        return metric_figures(_marked(asked, library, part(progress, 0, 0.5)), asked.seed, part(progress, 0.5, 1))
    material, step = _material(asked, library, part(progress, 0, 0.1)), part(progress, 0.1, 1)
    if asked.kind == "bounds":
        return bounds_figures(material, _kernel(asked, material), seed=asked.seed, progress=step)
    method = catalogue.method(asked.method) if asked.method else None
    if asked.kind == "rank":
        declared = _changed(_klsh(method, material), asked)
        return rank_figures(material, declared, (None, *asked.scales), asked.seed, step)
    if asked.kind == "hamming":
        return bits_figures(material, _changed(_sik(method, material), asked), asked.seed, step)
    return rotation_figures(material, _changed(_itq(method, material), asked), asked.seed, step)


def _changed(method: HashMethod, asked: TheorySettings) -> Any:
    """Replace a method's parameters by the given ones."""
    changes: dict[str, object] = {}
    if asked.bits:
        changes["bits"] = asked.bits
    if asked.kernel and hasattr(method, "kernel"):
        changes["kernel"] = read_declaration(KERNELS, asked.kernel)
    if asked.landmarks and hasattr(method, "landmarks"):
        changes["landmarks"] = asked.landmarks
    return method.changed(**changes) if changes else method


def _material(asked: TheorySettings, library: Library | None, progress: Progress) -> TheoryData:
    if asked.vectors:
        return material_of_file(asked.vectors, asked.seed, asked.size)
    if library is None:
        raise TwinlensError("There are no vectors to draw theory over.", "Name an index or a file of vectors.")
    return material_of_index(library, asked.index or default_index(library), asked.seed, asked.size, progress)


def _marked(asked: TheorySettings, library: Library | None, progress: Progress) -> MarkedMetric:
    if asked.vectors:
        if not asked.labels:
            raise TwinlensError("A metric is learned from labels here.", "Name a file of them, one for each vector.")
        x, pairs = labelled_of_file(asked.vectors, asked.labels, _PAIRS, asked.seed, asked.size)
        declared = catalogue.metric(asked.metric) if asked.metric else Itml()
        fitted = declared.fit(x, pairs, progress)
        sample = Message(
            "{pairs} pairs, drawn by label with seed {seed:d}, of {vectors} of {file}.",
            pairs=len(pairs.rows),
            seed=asked.seed,
            vectors=len(x),
            file=asked.vectors,
        )
        return MarkedMetric(fitted, declared.text(), x, pairs, sample)
    if library is None or not asked.metric:
        raise TwinlensError("There is no metric to look at.", Remedy("list metrics"))
    return marked_of_library(library, asked.metric, asked.seed, progress)


def _kernel(asked: TheorySettings, material: TheoryData) -> Kernel:
    if asked.kernel or asked.method:
        return read_declaration(KERNELS, asked.kernel or asked.method)
    return material.kernel or Polynomial()


def _klsh(method: HashMethod | None, material: TheoryData) -> Klsh:
    """Return the method, or the index's, if it is klsh; else klsh with the index's kernel."""
    for one in (method, material.method):
        if isinstance(one, Klsh):
            return one
        if isinstance(one, KernelMethod):
            return Klsh(kernel=one.kernel, landmarks=one.landmarks, bits=one.bits)
    _refuse(method, "klsh")
    kernel = material.kernel
    if kernel is None or isinstance(kernel, Linear):
        return Klsh(kernel=Gaussian())
    return Klsh(kernel=kernel)


def _sik(method: HashMethod | None, material: TheoryData) -> Sik:
    for one in (method, material.method):
        if isinstance(one, Sik):
            return one
        if isinstance(one, BilinearSik):
            return Sik(bits=one.bits, kernel=Gaussian(gamma=one.gamma))
    _refuse(method, "sik")
    return Sik(kernel=material.kernel) if isinstance(material.kernel, Gaussian | Laplacian) else Sik()


def _itq(method: HashMethod | None, material: TheoryData) -> Itq:
    for one in (method, material.method):
        if isinstance(one, Itq):
            return one
    _refuse(method, "itq")
    return Itq(bits=min(64, material.x.shape[1]))


def _refuse(method: HashMethod | None, wanted: str) -> None:
    if method is not None:
        raise TwinlensError(
            "This theory says nothing of {key}.", "Name {wanted}, or no method.", key=method.key, wanted=wanted
        )
