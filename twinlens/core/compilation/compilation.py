"""Compiled loops: made ready in the background, kept in a cache folder, and replaced by numpy until they are ready.

A module of loops names them with their types in ``SIGNATURES``, compiles them by
:mod:`twinlens.core.compilation.compiled_loop` and stands in ``MODULES`` here; each loop has a twin in plain numpy with
the same results. Importing numba takes about half a second and compiling several, so neither may happen while somebody
waits:

- a program that stays, such as the window, calls :func:`prepare` once; any other program names with :func:`keep_in`
  the folder for compiled code, and compiles only after its work has taken plain numpy about a second;
- another process compiles into the cache folder, so that this one stays responsive, can end at any moment, and survives
  a fault of the compiler; a thread of this one then loads the compiled code;
- until then, and for good if something goes wrong, the plain twins do the work.

A bundle has no compiler, which would be two fifths of it. Instead it holds one extension module with all loops for each
level of processors of the psABI (``tools/distribution/compiled_loops.py`` makes them), as a release's wheel for one
system does: x86-64-v2 has POPCNT and SSE 4.2 (2009; NumPy itself requires it), v3 AVX2 (2013), v4 AVX-512. The best
that the processor runs is used from the first call; where none can be used, loops are compiled as above.

``TWINLENS_PLAIN=1`` in the environment keeps everything plain.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.metadata
import importlib.util
import logging
import os
import platform
import shutil
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.files import private_files
from twinlens.core.files.file_lock import FileLock
from twinlens.core.systems import system

if TYPE_CHECKING:
    from twinlens.core.worker_process import TaskCaller, TaskRunner

MODULES = (
    "twinlens.core.search.hamming_scan_loops",
    "twinlens.core.search.pairs.code_pairs_loops",
    "twinlens.core.search.pairs.pose_votes_loops",
    "twinlens.core.search.multi_index_loops",
    "twinlens.core.search.inverted_file_loops",
    "twinlens.core.search.permuted_lists_loops",
    "twinlens.core.quantization.table_scan_loops",
    "twinlens.core.kernels.sum_loops",
    "twinlens.core.embedding.tsne_loops",
    "twinlens.core.metrics.log_det_loops",
    "twinlens.core.exact_search.distance_bounds_loops",
    "twinlens.core.exact_search.eight_bit_loops",
    "twinlens.core.exact_search.squared_distances_loops",
)
"""The modules of loops; all are compiled together, since whoever needs one is about to need the other."""

_PLAIN = "TWINLENS_PLAIN"
_SEAL = "whole"
_ROOT = Path(__file__).resolve().parents[3]
_WORK_WORTH_COMPILING = 1 << 29
"""Words scanned or terms of kernels added by numpy, in one to two seconds, that make a program worth compiled loops."""

_LONGEST_S = 600.0
"""For another process to compile; after that this one does it too."""

_log = logging.getLogger(__name__)


class _State:
    """The state of this process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.thread: threading.Thread | None = None
        self.folder: Path | None = None
        self.loops: Mapping[str, Any] | None = None
        self.work_done = 0


_state = _State()


def keep_in(cache_folder: Path) -> None:
    """Set the folder where compiled code is kept from one run to the next."""
    _state.folder = cache_folder


def prepare(cache_folder: Path | None = None) -> None:
    """Start making the compiled loops ready, and return at once; loops that came along are ready then.

    Parameters
    ----------
    cache_folder : Path, optional
        Where compiled code is kept from one run to the next; made if missing. Without it that of :func:`keep_in`;
        without either, or where nothing can be written there, the loops are compiled for this run alone.
    """
    with _state.lock:
        if _state.loops or _state.thread is not None or os.environ.get(_PLAIN, "") not in {"", "0"}:
            return
        _state.loops = ready_made_loops()
        if _state.loops is not None:
            return
        folder = cache_folder or _state.folder
        _state.thread = threading.Thread(target=_make_ready, args=(folder,), name="compile", daemon=True)
        _state.thread.start()


def ready(wait: bool = False) -> bool:
    """Return whether the compiled loops are in use; with ``wait``, after making them ready if they can be."""
    if wait:
        prepare()
        if _state.thread is not None:
            _state.thread.join()
    return _state.loops is not None


def worth(work: int) -> bool:
    """Return whether the compiled loops are in use for so much work (words, terms); enough of it starts compilation."""
    if _state.loops is not None:
        return True
    if _state.thread is None:
        _state.work_done += work
        if _state.work_done >= _WORK_WORTH_COMPILING or came_along():
            prepare()
    return _state.loops is not None


def loops(module: str) -> Any:
    """Return the compiled loops of one of ``MODULES``, once :func:`ready`."""
    assert _state.loops is not None
    return _state.loops[module]


def _make_ready(cache_folder: Path | None) -> None:
    try:
        if cache_folder is not None and _writable(cache_folder):
            _state.loops = _load(_compiled_in(cache_folder))
        else:
            with tempfile.TemporaryDirectory(prefix="twinlens-", ignore_cleanup_errors=True) as folder:
                _state.loops = _load(_compiled_in(Path(folder)))
    except (ImportError, OSError, Cancelled) as error:  # cancelled: the program ends before the compiler has begun
        _log.info("Loops stay in plain numpy: %s", error)


def _writable(folder: Path) -> bool:
    try:
        private_files.make_folder(folder)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError as error:
        _log.info("Compiled code is not kept: %s", error)
        return False


def _compiled_in(cache_folder: Path) -> Path:
    """Find the compiled loops in the cache folder, or have them compiled; return the folder that holds nothing else."""
    place = cache_folder / f"loops-{_identity()}"
    if _whole(place):
        return place
    with _alone(cache_folder):
        if not _whole(place):  # unless another process has done it while this one waited
            _compile_into(place, cache_folder)
    return place


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the lock under which one process at a time compiles into a folder."""
    lock = FileLock(folder / "compiling.lock")
    if not lock.acquire("compiling loops", _LONGEST_S):
        yield
        return
    try:
        for left in folder.glob("compiling-*") if lock.held else ():  # of a process that was killed
            shutil.rmtree(left, ignore_errors=True)
        yield
    finally:
        lock.release()


def _compile_into(place: Path, cache_folder: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="compiling-", dir=cache_folder, ignore_cleanup_errors=True) as folder:
        made = Path(folder) / "loops"
        made.mkdir()
        _compile_elsewhere(made)
        (made / _SEAL).write_text(_digest(made))
        with contextlib.suppress(OSError):  # another process has put its own there meanwhile
            made.rename(place)
    if not _whole(place):
        raise OSError(f"{place} does not keep what is written there")


def _whole(place: Path) -> bool:
    """Return whether the folder is unchanged since it was sealed: damaged native code must not run."""
    seal = place / _SEAL
    return seal.is_file() and seal.read_text(errors="replace") == _digest(place)


def _digest(place: Path) -> str:
    h = hashlib.sha256()
    for path in sorted(place.rglob("*.nb?")):
        h.update(f"{path.relative_to(place).as_posix()} {path.stat().st_size} ".encode() + path.read_bytes())
    return h.hexdigest()


def _identity() -> str:
    """Return a name of all that compiled code depends on: source, numba, Python, machine."""
    parts: list[Any] = [importlib.metadata.version("numba"), sys.version, platform.machine(), platform.node()]
    for source in (
        _ROOT.joinpath(*module.split(".")).with_suffix(".py")
        for module in (*MODULES, "twinlens.core.compilation.compiled_loop")
    ):
        parts += [source, source.stat().st_mtime_ns, source.stat().st_size]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _compile_elsewhere(place: Path) -> None:
    from twinlens.core.worker_process import TaskFaultError, WorkerEndError, WorkerProcess, WorkerStartError

    compiler = WorkerProcess(_compiler)
    try:
        compiler.run(place)
    except TaskFaultError as fault:
        _log.debug("%s", fault.trace)
        raise OSError(str(fault)) from fault
    except (WorkerEndError, WorkerStartError, TwinlensError) as error:
        raise OSError(f"the compiler ended: {error}") from error
    finally:
        compiler.stop()


def _compiler() -> TaskRunner:
    """Get a process ready to compile into a folder, behind everything else."""
    from twinlens.core.worker_process import be_quiet

    be_quiet()
    with contextlib.suppress(OSError):
        system.yield_processors()
    return _compile


def _compile(place: Path, caller: TaskCaller) -> None:
    del caller
    _load(place)


def _load(place: Path) -> dict[str, ModuleType]:
    """Import the loops with the folder as numba's cache; missing ones are compiled."""
    import numba

    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(place)
    try:
        found = {module: importlib.import_module(module) for module in MODULES}
    finally:
        config.CACHE_DIR = before
    for module in found.values():
        for loop, signatures in module.SIGNATURES:
            for signature in signatures:
                loop.compile(signature)
            loop.disable_compile()
    return found


_OF_X86 = ("x86-64-v4", "x86-64-v3", "x86-64-v2")
LEVELS = {"x86_64": _OF_X86, "AMD64": _OF_X86, "aarch64": ("generic",), "arm64": ("generic",)}
"""By the name of a machine, as LLVM calls them: the best first, and last the one that every machine has."""

_NUMPYS_NAMES = {"x86-64-v4": "X86_V4", "x86-64-v3": "X86_V3"}


@dataclass(frozen=True)
class CompiledLoop:
    """A loop and the types that it is compiled for: its name in the extension module.

    Attributes
    ----------
    types : tuple of str
        An array as its dtype and dimensions, such as uint64:2, and whether the loop writes into it. The name of
        anything else is not looked at: Python converts it.

    Examples
    --------
    >>> CompiledLoop("twinlens.core.kernels.sum_loops", "sums", ("int64", "float32:2", "float64:1:written")).text()
    'twinlens.core.kernels.sum_loops sums int64 float32:2 float64:1:written'
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
        """Return whether the arguments have these types; machine code does not check."""
        pairs = zip(arguments, self.types, strict=False)
        return len(arguments) == len(self.types) and all(_is_of(given, wanted) for given, wanted in pairs)


def extension_name(level: str) -> str:
    """Return the name of the extension module for a level."""
    return f"loops_{level.replace('-', '_')}"


@cache
def came_along() -> bool:
    """Return whether compiled loops came along, as in a bundle."""
    return _best() is not None


def ready_made_loops() -> Mapping[str, Any] | None:
    """Return the loops of each module as attributes of an object, for this processor; None if none came along."""
    name = _best()
    try:
        return None if name is None else _by_module(importlib.import_module(name))
    except ImportError as error:  # it was made for another C library
        _log.info("The loops that came along cannot be used: %s", error)
        return None


def _best() -> str | None:
    names = {level: f"{__package__}.{extension_name(level)}" for level in LEVELS.get(platform.machine(), ())}
    there = (level for level, name in names.items() if importlib.util.find_spec(name) is not None)
    return next((names[level] for level in there if _runs(level)), None)


def _runs(level: str) -> bool:
    if level not in _NUMPYS_NAMES:
        return True
    import numpy as np

    config: Any = np.show_config(mode="dicts")
    return _NUMPYS_NAMES[level] in config["SIMD Extensions"]["found"]


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
    """Return a function that calls the version of a loop for the types of its arguments."""

    def call(*arguments: Any) -> Any:
        for loop, compiled in versions:
            if loop.takes(arguments):
                return compiled(*arguments)
        raise TypeError(f"{name} is not compiled for these types")

    return call
