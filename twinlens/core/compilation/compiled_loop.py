"""Compilation of loops by numba; only modules of loops import this, since numba is slow to start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

Signatures = tuple[tuple[Any, tuple[tuple[Any, ...], ...]], ...]
"""Loops, each with the types of arguments that it is compiled for."""


def compiled(function: F) -> F:
    """Compile for the types in ``SIGNATURES``, when told to; kept on disk where there is a folder to keep it in.

    Additions stay in the order in which they are written and are not fused with products, so that plain numpy, which
    does the same, gives the same bits.
    """
    return _compiled(function)


def compiled_in_any_order(function: F) -> F:
    """Compile likewise, but additions may be made in any order and with products, as vectorised sums are.

    For what is allowed to be a rounding off; arguments and results are finite.
    """
    return _compiled(function, fastmath=True)


def _compiled(function: F, **options: Any) -> F:
    config: Any = numba.config
    kept = bool(config.CACHE_DIR)
    return cast(F, numba.njit(function, nogil=True, cache=kept, error_model="numpy", **options))
