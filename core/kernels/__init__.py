"""Kernels: how alike two vectors are. One class each, and its place in ``KERNELS``."""

from __future__ import annotations

from core.declaration.family import Family
from core.kernels.kernel import Kernel

KERNELS: Family[Kernel] = Family(
    "kernel",
    Kernel,
    {
        "linear": "core.kernels.linear:Linear",
        "polynomial": "core.kernels.polynomial:Polynomial",
        "gaussian": "core.kernels.gaussian:Gaussian",
        "laplacian": "core.kernels.laplacian:Laplacian",
        "cauchy": "core.kernels.cauchy:Cauchy",
        "sigmoid": "core.kernels.sigmoid:Sigmoid",
        "chi-square": "core.kernels.histogram_kernels:ChiSquare",
        "intersection": "core.kernels.histogram_kernels:Intersection",
        "hellinger": "core.kernels.histogram_kernels:Hellinger",
    },
)
"""Every kernel that can be chosen."""
