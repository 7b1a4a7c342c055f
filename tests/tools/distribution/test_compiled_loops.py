"""Every loop has a name that tells the types it is compiled for, and takes arguments of these types."""

from __future__ import annotations

import numpy as np

from core.compilation.compilation import CompiledLoop
from tools.distribution.compiled_loops import declared_loops


def test_every_loop_is_told_apart_and_takes_what_it_is_compiled_for() -> None:
    names = set()
    for loop, _compiled, signature in declared_loops():
        assert CompiledLoop.of(loop.text()) == loop
        arguments = [np.zeros((1,) * one.ndim, str(one.dtype)) if hasattr(one, "ndim") else 1 for one in signature]
        assert loop.takes(arguments)
        names.add(loop.text())
    assert len(names) == sum(1 for _ in declared_loops())
