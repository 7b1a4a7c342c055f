"""The linear kernel."""

from __future__ import annotations

from core.kernels.kernel import DotProductKernel


class Linear(DotProductKernel):
    """The dot product x·z. Of vectors of unit length it is the cosine of the angle between them."""

    key = "linear"
    title = "Linear"
