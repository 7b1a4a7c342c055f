"""Kernels of the dot product of two items: linear, polynomial, sigmoid."""

from __future__ import annotations

import numpy as np

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.declaration import parameter
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels.kernel import DotProductKernel, UnitRange


class Linear(DotProductKernel):
    """The dot product x·z. Of vectors of unit length it is the cosine of the angle between them."""

    key = "linear"
    title = "Linear"


class Polynomial(DotProductKernel):
    """(a x·z + c)^p, the dot product of all products of up to p entries.

    It is positive definite for a and c of at least 0 and whole p. For a p that is not whole it is defined only where
    a x·z + c is not negative.
    """

    key = "polynomial"
    title = "Polynomial"

    a: float = parameter(1.0, ge=-1e6, le=1e6, help="Factor of the dot product.")
    c: float = parameter(
        1.0, ge=-1e6, le=1e6, help="Added to the dot product. The larger, the more products of few entries count."
    )
    p: float = parameter(
        2.0, gt=0, le=100, help="Power. The larger, the more the alike stand out; not whole, it is not a dot product."
    )

    @property
    def positive_definite(self) -> bool:
        """Whether a and c are at least 0 and p is whole."""
        return self.a >= 0 and self.c >= 0 and self.p.is_integer()

    @property
    def unit_range(self) -> UnitRange:
        """All rows for an even power of what is positive definite, normalised; else none."""
        even = self.positive_definite and self.p % 2 == 0
        return UnitRange.ALL_ROWS if even and self.normalise else UnitRange.NO_ROWS

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return (a s + c)^p.

        Raises
        ------
        TwinlensError
            If that is not defined or larger than numbers can be.
        """
        sums *= self.a
        sums += self.c
        if not self.p.is_integer() and (sums < 0).any():
            raise TwinlensError(
                "The kernel {value} is not defined for these vectors: a x·z + c is {min:.6g} for some, "
                "and of a negative number there is no power {p:g}.",
                "Choose a whole p, or a larger c.",
                value=self.text(),
                min=sums.min(),
                p=self.p,
            )
        with np.errstate(over="ignore"):
            values = _whole_power(sums, int(self.p)) if self.p.is_integer() else np.power(sums, self.p)
        if not np.isfinite(values).all():
            raise TwinlensError(
                "The kernel {value} gives more than the largest number there is for these vectors.",
                "Choose a smaller a or p.",
                value=self.text(),
            )
        return values


def _whole_power(base: Float64Matrix, p: int) -> Float64Matrix:
    """Multiply by squaring: of a number always the same, and faster than a power of any kind."""
    power = None
    while True:
        if p & 1:
            power = base.copy() if power is None else np.multiply(power, base, out=power)
        p >>= 1
        if not p:
            assert power is not None
            return power
        base = base * base


class Sigmoid(DotProductKernel):
    """tanh(a x·z + c), as a neuron would weigh x by z. It is not positive definite: bounds on its distances fail."""

    key = "sigmoid"
    title = "Sigmoid"

    a: float = parameter(1.0, ge=-1e6, le=1e6, help="Factor of the dot product. Larger tells the alike less apart.")
    c: float = parameter(0.0, ge=-1e6, le=1e6, help="Added to the dot product.")

    @property
    def positive_definite(self) -> bool:
        """Never."""
        return False

    def of_sums(self, sums: Float64Matrix) -> Float64Matrix:
        """Return tanh(a s + c)."""
        sums *= self.a
        sums += self.c
        return np.tanh(sums, out=sums)
