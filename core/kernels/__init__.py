"""Kernels: how alike two vectors are. One class each, and its name in ``KERNELS``."""

from __future__ import annotations

from core.declaration.family import Family
from core.kernels.cauchy import Cauchy
from core.kernels.gaussian import Gaussian
from core.kernels.histogram_kernels import ChiSquare, Hellinger, Intersection
from core.kernels.kernel import Kernel, Matrix, UnitRange
from core.kernels.landmark_values import Against
from core.kernels.laplacian import Laplacian
from core.kernels.linear import Linear
from core.kernels.monotone_transform import Transform
from core.kernels.polynomial import Polynomial
from core.kernels.sigmoid import Sigmoid

__all__ = [
    "KERNELS",
    "Against",
    "Cauchy",
    "ChiSquare",
    "Gaussian",
    "Hellinger",
    "Intersection",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matrix",
    "Polynomial",
    "Sigmoid",
    "Transform",
    "UnitRange",
]

KERNELS: Family[Kernel] = Family(
    "kernel",
    Kernel,
    (
        Linear,
        Polynomial,
        Gaussian,
        Laplacian,
        Cauchy,
        Sigmoid,
        ChiSquare,
        Intersection,
        Hellinger,
    ),
)
"""Every kernel that can be chosen."""
