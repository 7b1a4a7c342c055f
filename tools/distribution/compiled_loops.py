"""The loops of Twinlens compiled ahead of time: ``python -m tools.distribution.compiled_loops FOLDER LEVEL``.

Numba compiles them for one level of processors into an extension module that needs no numba (numba.pycc), and a C
compiler links it. One process makes one module, since LLVM keeps the processor that it was started for.
:mod:`twinlens.core.compilation.compilation` loads them.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from twinlens.core.compilation.compilation import MODULES, CompiledLoop, extension_name


def declared_loops() -> Iterator[tuple[CompiledLoop, Any, Any]]:
    """Yield every loop for every combination of types, with numba's function and the types."""
    for module in MODULES:
        for compiled, signatures in importlib.import_module(module).SIGNATURES:
            for signature in signatures:
                yield CompiledLoop(module, compiled.__name__, tuple(map(_type, signature))), compiled, signature


def compile_into(folder: Path, level: str) -> None:
    """Compile all loops for a level of processors, such as x86-64-v3, into a module in a folder."""
    os.environ["NUMBA_CPU_NAME"] = level
    os.environ["NUMBA_CPU_FEATURES"] = ""  # no others than the level has
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numba.pycc is to be replaced one day, by nothing yet
        options_of_target: Any = importlib.import_module("numba.core.registry").cpu_target.options
        cc: Any = importlib.import_module("numba.pycc.cc")
        compiler: Any = importlib.import_module("numba.pycc.compiler")

    made = cc.CC(extension_name(level), source_module=sys.modules[__name__])
    made.target_cpu, made.output_dir = level, str(folder)
    options = {}
    for loop, compiled, signature in declared_loops():
        compiled.compile(signature)
        made.export(loop.text(), compiled.overloads[signature].signature)(compiled.py_func)
        options[compiled.py_func] = compiled.targetoptions
    compile_extra = compiler.compile_extra

    def compile_as_declared(
        typing: Any, target: Any, function: Any, arguments: Any, result: Any, flags: Any, **others: Any
    ) -> Any:
        """Compile with the options of the loop (nogil, fastmath), of which numba.pycc knows nothing."""
        declared = type(flags)()
        options_of_target.parse_as_flags(declared, options[function])
        declared.no_compile, declared.nrt = flags.no_compile, flags.nrt
        return compile_extra(typing, target, function, arguments, result, declared, **others)

    compiler.compile_extra = compile_as_declared
    try:
        made.compile()
    finally:
        compiler.compile_extra = compile_extra


def _type(argument: Any) -> str:
    if not hasattr(argument, "ndim"):
        return str(argument)
    return f"{argument.dtype}:{argument.ndim}{':written' if argument.mutable else ''}"


if __name__ == "__main__":
    compile_into(Path(sys.argv[1]), sys.argv[2])
