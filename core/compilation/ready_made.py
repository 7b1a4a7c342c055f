"""Loops that came along compiled, as in a bundle: one extension module for each level of processors.

The levels are those of the psABI: x86-64-v2 has POPCNT and SSE 4.2 (2009; NumPy itself asks for it), v3 AVX2 (2013),
v4 AVX-512. A bundle has no compiler, which would be two fifths of it, so the loops of every level lie in it
(``tools/distribution/compiled_loops.py`` makes them), and the best that the processor runs are taken. Everywhere else
there are none, and :mod:`core.compilation.compilation` has them compiled.
"""

from __future__ import annotations

import importlib
import importlib.util
import platform
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any

_OF_X86 = ("x86-64-v4", "x86-64-v3", "x86-64-v2")
LEVELS = {"x86_64": _OF_X86, "AMD64": _OF_X86, "aarch64": ("generic",), "arm64": ("generic",)}
"""By the name of a machine, as LLVM calls them: the best first, and last the one that every machine has."""

_NUMPYS_NAMES = {"x86-64-v4": "X86_V4", "x86-64-v3": "X86_V3"}


@dataclass(frozen=True)
class CompiledLoop:
    """A loop and the types that it is compiled for: its name in the extension module.

    Attributes
    ----------
    module, name : str
    types : tuple of str
        An array as its dtype and dimensions, such as uint64:2, and whether the loop writes into it. The name of
        anything else is not looked at: Python converts it.

    Examples
    --------
    >>> Loop("core.kernels.sum_loops", "sums", ("int64", "float32:2", "float64:1:written")).text()
    'core.kernels.sum_loops sums int64 float32:2 float64:1:written'
    """

    module: str
    name: str
    types: tuple[str, ...]

    def text(self) -> str:
        """Return the name, as :meth:`of` reads it."""
        return " ".join((self.module, self.name, *self.types))

    @classmethod
    def of(cls, text: str) -> CompiledLoop:
        """Read a name."""
        module, name, *types = text.split(" ")
        return cls(module, name, tuple(types))

    def takes(self, arguments: Sequence[Any]) -> bool:
        """Return whether the arguments are of these types: machine code would take any others for them."""
        pairs = zip(arguments, self.types, strict=False)
        return len(arguments) == len(self.types) and all(_is_of(given, wanted) for given, wanted in pairs)


def extension_name(level: str) -> str:
    """Return the name of the extension module for a level."""
    return f"loops_{level.replace('-', '_')}"


@cache
def came_along() -> bool:
    """Return whether there are such loops here."""
    return _best() is not None


def ready_made_loops() -> Mapping[str, Any] | None:
    """Return the loops of each module as attributes of an object, for this very processor; None if none came along."""
    name = _best()
    return None if name is None else _by_module(importlib.import_module(name))


def _best() -> str | None:
    names = {level: f"{__package__}.{extension_name(level)}" for level in LEVELS.get(platform.machine(), ())}
    there = (level for level, name in names.items() if importlib.util.find_spec(name) is not None)
    return next((names[level] for level in there if _runs(level)), None)


def _runs(level: str) -> bool:
    if level not in _NUMPYS_NAMES:
        return True
    import numpy as np

    told: Any = np.show_config(mode="dicts")
    return _NUMPYS_NAMES[level] in told["SIMD Extensions"]["found"]


def _is_of(given: Any, wanted: str) -> bool:
    if ":" not in wanted:
        return True
    if not hasattr(given, "dtype") or not given.flags.c_contiguous:
        return False
    text = f"{given.dtype}:{given.ndim}"
    return wanted == text or (wanted == f"{text}:written" and bool(given.flags.writeable))


def _by_module(extension: ModuleType) -> Mapping[str, Any]:
    versions: dict[tuple[str, str], list[tuple[CompiledLoop, Callable[..., Any]]]] = defaultdict(list)
    for text, compiled in vars(extension).items():
        if " " in text:
            loop = CompiledLoop.of(text)
            versions[loop.module, loop.name].append((loop, compiled))
    modules: dict[str, Any] = defaultdict(SimpleNamespace)
    for (module, name), ways in versions.items():
        setattr(modules[module], name, _choosing(name, ways))
    return dict(modules)


def _choosing(name: str, versions: list[tuple[CompiledLoop, Callable[..., Any]]]) -> Callable[..., Any]:
    """Return the function that calls the version of a loop for the types it is given."""

    def call(*arguments: Any) -> Any:
        for loop, compiled in versions:
            if loop.takes(arguments):
                return compiled(*arguments)
        raise TypeError(f"{name} is not compiled for these types")

    return call
