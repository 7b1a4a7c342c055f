"""Kernels: how alike two vectors are. One class each, and its place in ``KERNELS``."""

from __future__ import annotations

from twinlens.core.declaration.family import Family
from twinlens.core.kernels.kernel import Kernel

KERNELS: Family[Kernel] = Family(
    "kernel",
    Kernel,
    {
        "linear": "twinlens.core.kernels.dot_product_kernels:Linear",
        "polynomial": "twinlens.core.kernels.dot_product_kernels:Polynomial",
        "gaussian": "twinlens.core.kernels.radial_kernels:Gaussian",
        "laplacian": "twinlens.core.kernels.radial_kernels:Laplacian",
        "cauchy": "twinlens.core.kernels.radial_kernels:Cauchy",
        "sigmoid": "twinlens.core.kernels.dot_product_kernels:Sigmoid",
        "chi-square": "twinlens.core.kernels.histogram_kernels:ChiSquare",
        "intersection": "twinlens.core.kernels.histogram_kernels:Intersection",
        "hellinger": "twinlens.core.kernels.histogram_kernels:Hellinger",
    },
)
"""Every kernel that can be chosen."""
