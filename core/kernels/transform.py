"""The monotone transform of a kernel, k_s = exp(s (k - 1)) (Jiang, Que, Kulis: CVPR 2015, eq. 6).

It keeps every ranking, so exact neighbours do not change; it slows the decay of the eigenvalues: the leading space is
estimated better from a sample, but more of it is needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.errors import TwinlensError
from core.message import Message
from core.vectors import Vectors

if TYPE_CHECKING:
    from core.kernels.kernel import Kernel

Matrix = npt.NDArray[np.float64]

_TOLERANCE = 1e-3
"""By how much the entries of a histogram may sum to more than 1: float16, in which vectors are kept, rounds."""


@dataclass(frozen=True)
class Transform:
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

    def of(self, values: Matrix) -> Matrix:
        """Transform values of a kernel, elementwise, whatever their shape."""
        transformed = np.ascontiguousarray(values - 1)
        transformed *= self.scale
        return np.exp(transformed, out=transformed)

    def check(self, kernel: Kernel, x: Vectors) -> None:
        """Refuse kernels whose values leave [0, 1], and rows of which they do.

        Raises
        ------
        TwinlensError
            Names the kernel, and the first row where it is the rows.
        """
        from core.kernels.kernel import UnitRange

        if kernel.unit_range is UnitRange.NO_ROWS:
            raise TwinlensError(
                Message(
                    "The transform exp(s (k - 1)) is for values from 0 to 1, and the kernel {kernel} gives others.",
                    kernel=kernel.text(),
                ),
                Message("Leave the transform out, or choose a kernel such as chi-square, intersection or gaussian."),
            )
        if kernel.unit_range is UnitRange.UNIT_SUMS:
            sums = x.sum(axis=1, dtype=np.float64)
            row = int(np.argmax(sums > 1 + _TOLERANCE)) if len(sums) else 0
            if len(sums) and sums[row] > 1 + _TOLERANCE:
                raise TwinlensError(
                    Message(
                        "The transform exp(s (k - 1)) is for values from 0 to 1, but the kernel {kernel} gives "
                        "row {row} (counted from 0), whose entries sum to {sums:.6g}, more than 1 with itself.",
                        kernel=kernel.text(),
                        row=row,
                        sums=sums[row],
                    ),
                    Message("Write {key}(normalise=true), or divide each row by its sum.", key=kernel.key),
                )
