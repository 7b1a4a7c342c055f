"""Vectors as a measure sees them: images whose plain Euclidean distance is the measure's, kept as float32.

Every distance of one query is then a product of a table with a vector, some tens of milliseconds of 100,000 rows,
where a metric alone would multiply each of them with a matrix. The error of float32 is bounded
(:meth:`Images.distances_squared`), so an exact order needs exact distances only of items that lie too near to each
other to tell (:mod:`twinlens.core.exact_search.measure`).

Where a measure has no such image in few numbers, kernel principal components give one that is nearly so, for maps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import BoolMask, Float32Vectors, Float64Matrix, Int64Rows
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.histogram_kernels import Hellinger
from twinlens.core.message import Message
from twinlens.core.metrics.metric import FARTHEST, FittedMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.kernel_components import principal_components
from twinlens.core.vectors import Vectors, as_vectors, digits, row_blocks, unit_rows

if TYPE_CHECKING:
    from twinlens.core.metrics.kernel_metric import KernelMetric


Imaging = Callable[[Vectors], Float64Matrix]
_BLOCK = 4_096
_UNLIKE = 2.0  # a photograph with nothing to compare, from any other, under a kernel


def imaging(measure: Measure | FittedMetric) -> Imaging | None:
    """Return the function that makes images of vectors, (m, d) -> (m, out); None where a measure has none.

    An item that is zero throughout has no image that says how far it is: see :class:`Images`.
    """
    if isinstance(measure, Measure):
        if isinstance(measure.kernel, Linear):
            return unit_rows
        if isinstance(measure.kernel, Hellinger):
            return lambda x: unit_rows(_roots(x))
        return None
    from twinlens.core.metrics.kernel_metric import KernelMetric  # here, since few indexes have a metric

    plain = _of_kernel(measure) if isinstance(measure, KernelMetric) else _plain_image(measure)
    if plain is None:
        return None
    if measure.ranking == "kernel":
        return lambda x: unit_rows(plain(x))
    return lambda x: plain(x) / measure.spread


def _of_kernel(metric: KernelMetric) -> Imaging | None:
    """Return images under a metric of a kernel that is a dot product: what lies along its directions is stretched."""
    if isinstance(metric.base, Linear):
        mapped: Imaging = _as_float64
    elif isinstance(metric.base, Hellinger):
        mapped = _roots
    else:
        return None
    first: Imaging = (lambda x: unit_rows(mapped(x))) if metric.base.normalise else mapped
    directions = first(metric.items).T @ metric.axes
    stretched = (np.sqrt(metric.stretch) - 1)[:, None] * directions.T

    def image(x: Vectors) -> Float64Matrix:
        rows = first(x)
        return np.asarray(rows + (rows @ directions) @ stretched)

    return image


def _as_float64(x: Vectors) -> Float64Matrix:
    return x.astype(np.float64)


def _roots(x: Vectors) -> Float64Matrix:
    return np.asarray(np.sqrt(np.maximum(x, 0, dtype=np.float64)))


def _plain_image(metric: FittedMetric) -> Imaging | None:
    """Return a plain product for G x: one with the same last bits everywhere would cost more.

    None for a metric that measures in another way than by G x.
    """
    from twinlens.core.metrics.metric_forms import ExplicitMetric, ImplicitMetric

    if isinstance(metric, ExplicitMetric):
        columns = np.ascontiguousarray(metric.g.T, np.float64)
        return lambda x: np.asarray(x.astype(np.float64) @ columns)
    if isinstance(metric, ImplicitMetric):
        across = np.ascontiguousarray(metric.items.T, np.float64)
        back = metric.s.T @ metric.items.astype(np.float64)
        if 2 * across.shape[1] >= across.shape[0]:
            whole = np.eye(across.shape[0]) + across @ back
            return lambda x: np.asarray(x.astype(np.float64) @ whole)

        def changed(x: Vectors) -> Float64Matrix:
            rows = x.astype(np.float64)
            return np.asarray(rows + (rows @ across) @ back)

        return changed
    return None


@dataclass(frozen=True, eq=False)
class Images:
    """The images of some items. Made by :meth:`of`.

    Attributes
    ----------
    vectors : ndarray of float32, (n, out)
    squared : ndarray of float64, (n,)
        Squared lengths of the rows.
    blank : ndarray of bool, (n,)
        Items that are zero throughout, or become so.
    far : float
        How far those are from any other; from each other they are at 0.
    """

    imaging: Imaging
    vectors: npt.NDArray[np.float32]
    squared: Float64Matrix
    blank: BoolMask
    far: float

    @classmethod
    def of(cls, measure: Measure | FittedMetric, x: Vectors, progress: Progress = silent) -> Images | None:
        """Make the images of items, (n, d); None where the measure has none."""
        make = imaging(measure)
        if make is None:
            return None
        vectors = np.empty((len(x), make(np.asarray(x[:1], np.float32)).shape[1] if len(x) else 0), np.float32)
        blank = np.empty(len(x), bool)
        for start in range(0, len(x), _BLOCK):
            progress(start, len(x), Message("Measuring by the metric"))
            rows = slice(start, start + _BLOCK)
            block = x[rows].astype(np.float32)
            vectors[rows] = made = make(block)
            blank[rows] = without_image(measure, block, made)
        return cls(make, vectors, _squared(vectors), blank, FARTHEST if _by_distance(measure) else _UNLIKE)

    def taking(self, rows: Int64Rows, more: Images | None = None) -> Images:
        """Return the images of some rows, and then others."""
        others = [] if more is None else [more]
        tables = [self.vectors[rows], *(one.vectors for one in others)]
        return Images(
            self.imaging,
            np.concatenate(tables),
            np.concatenate([self.squared[rows], *(one.squared for one in others)]),
            np.concatenate([self.blank[rows], *(one.blank for one in others)]),
            self.far,
        )

    def distances_squared(self, query: Vectors) -> tuple[Float64Matrix, float]:
        """Measure all items from a query.

        Parameters
        ----------
        query : ndarray of float32, (d,)
            As it is, not its image.

        Returns
        -------
        squared : ndarray of float64, (n,)
            The squares of the distances.
        slack : float
            None is off by more, seen from what the measure itself gives: that rounds, too, so that it always gives the
            same (:mod:`twinlens.core.vectors`). Those of blank items are exact.
        """
        query_image = self.imaging(query[None])[0]
        if not query.any() or (self.far == _UNLIKE and not query_image.any()):
            return np.where(self.blank, 0.0, self.far**2), 0.0
        own = float(query_image @ query_image)
        found = np.empty(len(self.vectors))
        for rows in row_blocks(len(found), max(1, self.vectors.shape[1])):
            found[rows] = self.vectors[rows].astype(np.float64) @ query_image
        squared = np.clip(self.squared + own - 2 * found, 0, self.far**2)
        squared[self.blank] = self.far**2
        return squared, measure_error(max(own, self.squared.max(initial=0.0)), len(query))


def without_image(measure: Measure | FittedMetric, vectors: Vectors, images: Vectors) -> BoolMask:
    """Return which vectors have no image with a distance, (m,): those that are zero, or become so."""
    return np.asarray(~(vectors if _by_distance(measure) else images).any(axis=1))


def _by_distance(measure: Measure | FittedMetric) -> bool:
    return isinstance(measure, FittedMetric) and measure.ranking != "kernel"


def measure_error(longest: float, dimensions: int) -> float:
    """Bound the difference between a squared distance of images and that of the measure, which rounds, too.

    Parameters
    ----------
    longest : float
        The greatest squared length.
    dimensions : int
        Of the vectors.
    """
    return float(4 * longest * dimensions**0.5 * 2.0 ** -digits(dimensions))


def _squared(vectors: npt.NDArray[np.float32]) -> Float64Matrix:
    found = np.empty(len(vectors))
    for rows in row_blocks(len(vectors), max(1, vectors.shape[1])):
        found[rows] = np.square(vectors[rows], dtype=np.float64).sum(axis=1)
    return found


_LANDMARKS = 512
_COMPONENTS = 128


def images_under(
    measure: Measure | FittedMetric,
    x: npt.ArrayLike,
    seed: int = 0,
    progress: Progress = silent,
    overwrite: bool = False,
) -> Float32Vectors:
    """Map items so that their Euclidean distances are those of a measure.

    Where the measure is a dot product, perhaps of square roots, or a metric that ranks by its distance, exactly, but
    for a factor; of any other kernel by its leading components over a sample of landmarks, approximately.

    Parameters
    ----------
    x : array_like, (n, d)
        None of its rows zero throughout.
    seed : int
        Of the landmarks.
    overwrite : bool
        Whether ``x``, as float32, may be written to: of very many items there is no room for two.

    Returns
    -------
    ndarray of float32, (n, m)
    """
    x = as_vectors(x, np.float32)
    if len(x) == 0:
        return np.zeros((0, 1), np.float32)
    if isinstance(measure, FittedMetric):
        images = measure.apply(x, progress)
        return images if measure.ranking == "distance" else _unit_float32(images)
    kernel = measure.kernel
    if isinstance(kernel, Linear):
        return _unit_float32(x, x if overwrite and x.dtype == np.float32 else None)
    if isinstance(kernel, Hellinger):
        return _unit_float32(np.sqrt(x))
    rng = np.random.default_rng(seed)
    found = principal_components(x, kernel, None, _LANDMARKS, rng, centre=False, progress=part(progress, 0, 0.5))
    return _unit_float32(found.first(_COMPONENTS).coordinates(x, part(progress, 0.5, 1)))


def _unit_float32(x: Vectors, out: Float32Vectors | None = None) -> Float32Vectors:
    """L2-normalize each row as float32, into ``out`` where it is given; zero rows stay zero."""
    units = np.empty(x.shape, np.float32) if out is None else out
    for rows in row_blocks(*x.shape):
        units[rows] = unit_rows(x[rows])
    return units
