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


def theory(settings: TheorySettings, library: Library | None = None, progress: Progress = silent) -> Theory:
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
    if settings.kind not in KINDS:
        raise TwinlensError(
            "There is no theory “{kind}”.", "Choose one of {kinds}.", kind=settings.kind, kinds=", ".join(KINDS)
        )
    with one_thread():  # no later for so few vectors, and many times sooner where other work goes on
        return _computed(settings, library, progress)


def _computed(settings: TheorySettings, library: Library | None, progress: Progress) -> Theory:
    if settings.kind == "metric":
        return metric_figures(_marked(settings, library, part(progress, 0, 0.5)), settings.seed, part(progress, 0.5, 1))
    material, step = _material(settings, library, part(progress, 0, 0.1)), part(progress, 0.1, 1)
    if settings.kind == "bounds":
        return bounds_figures(material, _kernel(settings, material), seed=settings.seed, progress=step)
    method = catalogue.method(settings.method) if settings.method else None
    if settings.kind == "rank":
        declared = _changed(_klsh(method, material), settings)
        return rank_figures(material, declared, (None, *settings.scales), settings.seed, step)
    if settings.kind == "hamming":
        return bits_figures(material, _changed(_sik(method, material), settings), settings.seed, step)
    return rotation_figures(material, _changed(_itq(method, material), settings), settings.seed, step)


def _changed(method: HashMethod, settings: TheorySettings) -> Any:
    """Replace a method's parameters by the given ones."""
    changes: dict[str, object] = {}
    if settings.bits:
        changes["bits"] = settings.bits
    if settings.kernel and hasattr(method, "kernel"):
        changes["kernel"] = read_declaration(KERNELS, settings.kernel)
    if settings.landmarks and hasattr(method, "landmarks"):
        changes["landmarks"] = settings.landmarks
    return method.changed(**changes) if changes else method


def _material(settings: TheorySettings, library: Library | None, progress: Progress) -> TheoryData:
    if settings.vectors:
        return material_of_file(settings.vectors, settings.seed, settings.size)
    if library is None:
        raise TwinlensError("There are no vectors to draw theory over.", "Name an index or a file of vectors.")
    return material_of_index(library, settings.index or default_index(library), settings.seed, settings.size, progress)


def _marked(settings: TheorySettings, library: Library | None, progress: Progress) -> MarkedMetric:
    if settings.vectors:
        if not settings.labels:
            raise TwinlensError("A metric is learned from labels here.", "Name a file of them, one for each vector.")
        x, pairs = labelled_of_file(settings.vectors, settings.labels, _PAIRS, settings.seed, settings.size)
        declared = catalogue.metric(settings.metric) if settings.metric else Itml()
        fitted = declared.fit(x, pairs, progress)
        sample = Message(
            "{pairs} pairs, drawn by label with seed {seed:d}, of {vectors} of {file}.",
            pairs=len(pairs.rows),
            seed=settings.seed,
            vectors=len(x),
            file=settings.vectors,
        )
        return MarkedMetric(fitted, declared.text(), x, pairs, sample)
    if library is None or not settings.metric:
        raise TwinlensError("There is no metric to look at.", Remedy("list metrics"))
    return marked_of_library(library, settings.metric, settings.seed, progress)


def _kernel(settings: TheorySettings, material: TheoryData) -> Kernel:
    if settings.kernel or settings.method:
        return read_declaration(KERNELS, settings.kernel or settings.method)
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
