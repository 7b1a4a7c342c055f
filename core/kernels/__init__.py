"""Kernels: how alike two vectors are. One class each, and its place in ``KERNELS``."""

from __future__ import annotations

from core.declaration.family import Family
from core.kernels.kernel import Kernel

KERNELS: Family[Kernel] = Family(
    "kernel",
    Kernel,
    {
        "linear": "core.kernels.dot_product_kernels:Linear",
        "polynomial": "core.kernels.dot_product_kernels:Polynomial",
        "gaussian": "core.kernels.radial_kernels:Gaussian",
        "laplacian": "core.kernels.radial_kernels:Laplacian",
        "cauchy": "core.kernels.radial_kernels:Cauchy",
        "sigmoid": "core.kernels.dot_product_kernels:Sigmoid",
        "chi-square": "core.kernels.histogram_kernels:ChiSquare",
        "intersection": "core.kernels.histogram_kernels:Intersection",
        "hellinger": "core.kernels.histogram_kernels:Hellinger",
    },
)
"""Every kernel that can be chosen."""
