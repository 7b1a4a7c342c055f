"""Items as a measure sees them: vectors whose Euclidean distances are those by which an index ranks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Vectors
from core.exact_search.measure import Measure
from core.kernels.histogram_kernels import Hellinger
from core.kernels.linear import Linear
from core.metrics.metric import FittedMetric
from core.progress import Progress, part, silent
from core.projections.kernel_components import principal_components
from core.vectors import Vectors, as_vectors, row_blocks

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
    measure : Measure or FittedMetric
    x : array_like, (n, d)
        None of its rows zero throughout.
    seed : int
        Of the landmarks.
    progress : Progress
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
        return images if measure.ranking == "distance" else _unit(images)
    kernel = measure.kernel
    if isinstance(kernel, Linear):
        return _unit(x, x if overwrite and x.dtype == np.float32 else None)
    if isinstance(kernel, Hellinger):
        return _unit(np.sqrt(x))
    rng = np.random.default_rng(seed)
    found = principal_components(x, kernel, None, _LANDMARKS, rng, centre=False, progress=part(progress, 0, 0.5))
    return _unit(found.first(_COMPONENTS).coordinates(x, part(progress, 0.5, 1)))


def _unit(x: Vectors, out: Float32Vectors | None = None) -> Float32Vectors:
    """Bring rows to length 1; what is zero stays."""
    units = np.empty(x.shape, np.float32) if out is None else out
    for rows in row_blocks(*x.shape):
        block = x[rows].astype(np.float64)
        lengths = np.sqrt(np.square(block).sum(axis=1, keepdims=True))
        units[rows] = block / np.where(lengths > 0, lengths, 1)
    return units
