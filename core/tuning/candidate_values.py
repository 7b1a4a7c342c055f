"""Values that a search for good parameters tries: one table by the name of the field, for all methods."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from core.declaration.declaration import Declaration
from core.errors import DeclarationError, TwinlensError
from core.hashing.hash_method import HashMethod
from core.kernels.kernel import Kernel, UnitRange
from core.kernels.radial_kernels import Gaussian, RadialKernel
from core.vectors import Vectors

BITS = (64, 128, 256, 512)
"""Lengths of codes, where none is asked for."""

VALUES: dict[str, tuple[Any, ...]] = {
    "rank": (16, 32, 64, 128, 256, None),
    "scale": (None, 1.0, 2.0, 4.0, 8.0),
    "landmarks": (300, 1_000, 2_000),
    "samples": (10, 30, 50, 100),
    "ridge": (0.0, 0.01, 0.1),
    "subspace": ("pca", "nystrom-weighted", "random"),
    "oversampling": (1, 2, 5, 10),
    "iterations": (1, 5, 20, 50),
}
"""By the name of a field. What stands nowhere here stays as it is."""

WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Multiples of the gamma that is declared or, where that is ``auto``, found: of a method, or of its kernel."""

_MOST = 2_000  # candidates of one method: no budget measures more


def drawn_candidates(
    method: HashMethod, bits: Sequence[int], x: Vectors, matrix_shape: tuple[int, int] | None, rng: np.random.Generator
) -> Iterator[HashMethod]:
    """Draw declarations that differ from one in the values of the table, each once, all lengths of codes in turn.

    A field that the declaration sets to something else than its default is kept, but for ``bits`` and ``gamma``. By a
    sample, x, gamma is found, and values are left out that cannot be.
    """
    fields = _fields(method, x, rng)
    sizes = [len(values) for values in fields.values()]
    whole = math.prod(sizes)
    order = rng.permutation(whole) if whole <= 100 * _MOST else rng.integers(0, whole, _MOST)
    seen = {method.changed(bits=count).text() for count in bits}
    lengths = itertools.cycle(bits)
    for place in order[:_MOST]:
        chosen = np.unravel_index(int(place), sizes) if sizes else ()
        values = {name: fields[name][int(i)] for name, i in zip(fields, chosen, strict=True)}
        # In turn, so that every length has as many candidates; with few combinations, each of them at every length.
        for count in bits if whole <= 100 else (next(lengths),):
            made = possible(method, {**values, "bits": count}, x.shape[1], matrix_shape)
            if made is not None and made.text() not in seen and _tells(made):
                seen.add(made.text())
                yield made


def possible(
    method: HashMethod, values: dict[str, Any], dimensions: int, matrix_shape: tuple[int, int] | None
) -> HashMethod | None:
    """Change a method, or give None where the method or the vectors do not allow it."""
    try:
        made = method.changed(**values)
        made.check(dimensions, matrix_shape)
    except (DeclarationError, TwinlensError):
        return None
    return made


def _fields(method: HashMethod, x: Vectors, rng: np.random.Generator) -> dict[str, list[Any]]:
    """Return for each field that is searched its values."""
    fields: dict[str, list[Any]] = {}
    kernel = getattr(method, "kernel", None)
    for about in method.parameters():
        values = list(VALUES.get(about.name, ()))
        if getattr(method, about.name) != about.default:
            values = []  # somebody has decided
        if about.name == "landmarks":
            values = [value for value in values if value <= len(x)]
        if about.name == "scale" and isinstance(kernel, Kernel) and not _in_unit_range(kernel, x):
            values = []
        if about.name == "kernel" and isinstance(kernel, Kernel):
            values = _widths(kernel, x, rng)
        if about.name == "gamma":
            values = [each.gamma for each in _widths(Gaussian(gamma=getattr(method, "gamma", "auto")), x, rng)]
        if values:
            default = getattr(method, about.name)
            fields[about.name] = values if default in values else [default, *values]
    return fields


def _in_unit_range(kernel: Kernel, x: Vectors) -> bool:
    """Return whether the kernel's values lie in [0, 1], as the transform needs."""
    if kernel.unit_range is UnitRange.NO_ROWS:
        return False
    try:
        kernel.check_unit_range(x)
    except TwinlensError:
        return False
    return True


def _widths(kernel: Kernel, x: Vectors, rng: np.random.Generator) -> list[Any]:
    """Return the kernel with each gamma, to 3 digits; as it is where it has none."""
    if not isinstance(kernel, RadialKernel):
        return []
    middle = kernel.fitted_to(x, rng).known_gamma
    return [kernel if width == 1 else kernel.changed(gamma=float(f"{width * middle:.3g}")) for width in WIDTHS]


def _tells(method: Declaration) -> bool:
    """Return whether it is not the same as another: a rank as large as the number of landmarks is none."""
    rank, landmarks = getattr(method, "rank", None), getattr(method, "landmarks", None)
    return rank is None or landmarks is None or rank < landmarks
