"""Commands on a large library: each a process from its start to its end, and the memory that it has at most.

The photographs are mixtures of the demo's, with all that the default keeps of them, and files without content. One of
forty is a copy, and all were compared. The floor of a command is a process that
imports what all of Twinlens stands on: NumPy, pydantic, click and rich.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from science.benchmarks.comparison import Peer, Run, SpeedComparison, Unmeasurable
from science.benchmarks.peer import ROOT

ROWS, QUICK_ROWS = 500_000, 50_000
_GB = 10**9
_PAIRS, _MARKED = "pairs.csv", 80
_SEARCH = ("search", "#1234", "--no-check")
COMMANDS: tuple[tuple[str, tuple[str, ...], float], ...] = (
    ("searches", _SEARCH, 1.1),
    ("searches and compares keypoints", (*_SEARCH[:-1], "--check"), 1.1),
    ("searches those of a year", (*_SEARCH, "--since", "2005", "--until", "2005"), 1.1),
    ("searches those of a camera", (*_SEARCH, "--camera", "camera 1"), 1.1),
    ("searches exactly", (*_SEARCH, "--exact"), 1.1),
    ("looks for changes where there are none", ("rescan",), 1.1),
    ("checks all rows", ("check",), 1.1),
    (f"learns from {_MARKED} pairs", ("learn", _PAIRS), 1.1),
    ("lists all photographs", ("list",), 1.1),
    ("lists duplicates where nothing is new", ("duplicates",), 1.1),
    ("lays out a map", ("map",), 1.3),  # trees are as deep as the logarithm of what they hold
)
"""Words, command, and the ratio allowed for ten times the photographs beside ten runs of a tenth of them."""

MEMORY: tuple[tuple[str, tuple[str, ...], float], ...] = (
    ("checks", ("check",), 0.4 * _GB),
    ("lists duplicates where nothing is new", ("duplicates",), 0.3 * _GB),
    ("lays out a map", ("map",), 2.5 * _GB),
)
"""Words, command, and the bytes allowed."""


def library(rows: int) -> Path:
    """Return the library of so many rows, which is made once and kept for later runs."""
    from tests.app.made_library import make_mixed, mark_compared
    from twinlens.app.library.library import Library
    from twinlens.app.machine.app_folders import demo_folder

    folder = Path(tempfile.gettempdir()) / f"twinlens-benchmark-commands-{rows}"
    path = folder / "made.twinlens"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "photographs").mkdir(parents=True)
        source = demo_folder() / "demo.twinlens"
        if not source.exists():
            raise Unmeasurable("the photographs of the demo are not here: `run.py demo` fetches them")
        make_mixed(path, source, rows, folder / "photographs")
        with Library.open(path) as made:
            mark_compared(made, rows)
        ids = np.random.default_rng(0).integers(1, rows, (_MARKED, 2)).tolist()
        lines = [f"{first},{second + 1},{'similar' if first % 2 else 'different'}" for first, second in ids]
        (folder / _PAIRS).write_text("\n".join(["first,second,judgement", *lines]))
        (folder / "done").touch()
    return path


def command(rows: int, arguments: Sequence[str]) -> Callable[[], dict[str, float]]:
    """Call a command on a library, where no map is kept."""
    path = library(rows)
    called = [os.fspath(path.parent / one) if one == _PAIRS else one for one in arguments]
    run = _process(["-m", "twinlens.app.cli", "--quiet", *called, "--library", os.fspath(path)], path.parent)

    def run_anew() -> dict[str, float]:
        shutil.rmtree(path.parent / "cache" / "maps", ignore_errors=True)
        return run()

    return run_anew


def floor() -> Run:
    """Import what everything stands on, and no more."""
    imports = "import numpy, pydantic.main, click, rich.console, rich.table, sqlite3"
    return _process(["-c", imports], Path(tempfile.gettempdir()))


def at_most(memory: float) -> Run:
    """Return the memory limit of a command."""
    return lambda: {"memory": memory}


def _process(arguments: Sequence[str], folder: Path) -> Callable[[], dict[str, float]]:
    if not hasattr(os, "wait4"):
        raise Unmeasurable("this system does not say what a process has used")
    own = {f"TWINLENS_{name}": os.fspath(folder / name.lower()) for name in ("CACHE", "DATA")}
    own["PYTHONDONTWRITEBYTECODE"] = ""  # an installed program is compiled, however the benchmarks are called

    def run() -> dict[str, float]:
        began = subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, env=os.environ | own, stdout=subprocess.DEVNULL
        )
        _, status, used = os.wait4(began.pid, 0)
        began.returncode = os.waitstatus_to_exitcode(status)
        if began.returncode:
            raise RuntimeError(f"{' '.join(arguments)} ended with {began.returncode}")
        return {"cpu": used.ru_utime + used.ru_stime, "memory": 1024.0 * used.ru_maxrss}

    return run


def comparisons(quick: bool) -> Iterator[SpeedComparison]:
    """Yield the lines."""
    rows, rounds = QUICK_ROWS if quick else ROWS, 5
    search = Peer(command, {"rows": rows, "arguments": _SEARCH})
    yield SpeedComparison(
        f"the command that searches with one of {rows:,} photographs, processor time",
        "a process that imports NumPy, pydantic, click and rich",
        search,
        Peer(floor),
        must=3.0,
        stretch=2.0,
        figure="cpu",
        at_most=True,
        rounds=rounds,
        seconds=rows / 5_000,
    )
    for what, arguments, must in COMMANDS:
        times, each = (1, 1_000) if arguments == ("map",) else (3, 8_000)  # a map takes minutes
        yield SpeedComparison(
            f"the command that {what}, {rows:,} photographs, processor time",
            f"ten times that of {rows // 10:,}",
            Peer(command, {"rows": rows, "arguments": arguments}),
            Peer(tenfold, {"rows": rows // 10, "arguments": arguments}),
            must=must,
            stretch=1.0,
            figure="cpu",
            at_most=True,
            rounds=times,
            seconds=rows / each,
        )
    for what, arguments, limit in MEMORY:
        yield SpeedComparison(
            f"memory of the command that {what}, {rows:,} photographs",
            f"{limit / _GB:g} GB",
            Peer(command, {"rows": rows, "arguments": arguments}),
            Peer(at_most, {"memory": limit}),
            must=1.0,
            stretch=0.5,
            figure="memory",
            at_most=True,
            rounds=1,
            seconds=rows / 1_000 if arguments == ("map",) else rows / 15_000,
        )


def tenfold(rows: int, arguments: Sequence[str]) -> Run:
    """Call a command, and return ten times its processor time."""
    once = command(rows, arguments)

    def run() -> dict[str, float]:
        figures = once()
        return figures | {"cpu": 10 * figures["cpu"]}

    return run
