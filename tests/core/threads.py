"""How many threads a matrix product may take."""

from __future__ import annotations

from contextlib import AbstractContextManager

from threadpoolctl import threadpool_limits


def blas_threads(count: int) -> AbstractContextManager[object]:
    """Let matrix products use so many threads."""
    limited: AbstractContextManager[object] = threadpool_limits(count)
    return limited
