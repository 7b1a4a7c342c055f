"""The monotone transform of a kernel, k_s = exp(s (k - 1)) (Jiang, Que, Kulis: CVPR 2015, eq. 6).

It keeps every ranking, so exact neighbours do not change; it slows the decay of the eigenvalues: the leading space is
estimated better from a sample, but more of it is needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.arrays import Float64Matrix


@dataclass(frozen=True)
class MonotoneTransform:
    """The transform exp(s (k - 1)) of the values of a kernel.

    Parameters
    ----------
    scale : float
        The s of the paper, above 0; 1 to 9 there.

    Examples
    --------
    >>> Transform(2.0).of(np.array([1.0, 0.5]))
    array([1.        , 0.36787944])
    """

    scale: float

    def __post_init__(self) -> None:
        if not (self.scale > 0 and math.isfinite(self.scale)):
            raise ValueError(f"the scale of a transform must be above 0, not {self.scale}")

    def of(self, values: Float64Matrix) -> Float64Matrix:
        """Transform values of a kernel, elementwise, whatever their shape."""
        transformed = np.ascontiguousarray(values - 1)
        transformed *= self.scale
        return np.exp(transformed, out=transformed)


def normalised(values: Float64Matrix, norms: Float64Matrix, other_norms: Float64Matrix) -> Float64Matrix:
    """Divide values by the norms of both sides, which broadcast; 0 where one of them is 0."""
    scale = norms * other_norms
    return np.divide(values, scale, out=np.zeros_like(values), where=scale > 0)
