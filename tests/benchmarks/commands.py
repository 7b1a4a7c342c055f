"""Commands on a large library: each a process from its start to its end, and the memory that it has at most.

The photographs are made up and have no files. The floor of a command is a process that imports what all of Twinlens
stands on: NumPy, pydantic and SQLAlchemy.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.comparison import Comparison, Peer, Run, Unmeasurable
from tests.benchmarks.peer import ROOT

ROWS, QUICK_ROWS = 500_000, 50_000
INDEX = ("Made up", "colour:levels=1", "lsh:bits=256", "scan")
_GB = 10**9
_SEARCH = ("search", "#12345", "--index", INDEX[0], "--no-check")


def library(rows: int) -> Path:
    """Return the library of so many rows, which is made once and kept for later runs."""
    from tests.app.made_library import make_large

    folder = Path(tempfile.gettempdir()) / f"twinlens-benchmark-commands-{rows}"
    if not (folder / "done").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make_large(folder / "made.twinlens", rows, INDEX)
        (folder / "done").touch()
    return folder / "made.twinlens"


def command(rows: int, arguments: Sequence[str]) -> Run:
    """Call a command on a library."""
    path = library(rows)
    return _process(["-m", "app.cli", "--quiet", *arguments, "--library", os.fspath(path)], path.parent)


def floor() -> Run:
    """Import what everything stands on, and no more."""
    return _process(["-c", "import numpy, pydantic.main, sqlalchemy, sqlite3"], Path(tempfile.gettempdir()))


def at_most(memory: float) -> Run:
    """Return what a command may have of memory."""
    return lambda: {"memory": memory}


def _process(arguments: Sequence[str], folder: Path) -> Run:
    if not hasattr(os, "wait4"):
        raise Unmeasurable("this system does not say what a process has used")
    own = {f"TWINLENS_{name}": os.fspath(folder / name.lower()) for name in ("CACHE", "DATA")}

    def run() -> dict[str, float]:
        began = subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, env=os.environ | own, stdout=subprocess.DEVNULL
        )
        _, status, used = os.wait4(began.pid, 0)
        began.returncode = os.waitstatus_to_exitcode(status)
        assert began.returncode == 0
        return {"cpu": used.ru_utime + used.ru_stime, "memory": 1024.0 * used.ru_maxrss}

    return run


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Yield the lines."""
    rows, rounds = QUICK_ROWS if quick else ROWS, 5
    search = Peer(command, {"rows": rows, "arguments": _SEARCH})
    yield Comparison(
        f"the command that searches with one of {rows:,} photographs, processor time",
        "a process that imports NumPy, pydantic and SQLAlchemy",
        search,
        Peer(floor),
        must=3.0,
        stretch=2.0,
        figure="cpu",
        at_most=True,
        rounds=rounds,
        seconds=rows / 5_000,
    )
    for what, arguments in (
        ("searches", _SEARCH),
        ("searches those of a year", (*_SEARCH, "--since", "2005", "--until", "2005")),
        ("checks all rows", ("check",)),
    ):
        yield Comparison(
            f"the command that {what}, {rows:,} photographs, processor time",
            f"ten times that of {rows // 10:,}",
            Peer(command, {"rows": rows, "arguments": arguments}),
            Peer(tenfold, {"rows": rows // 10, "arguments": arguments}),
            must=1.1,
            stretch=1.0,
            figure="cpu",
            at_most=True,
            rounds=3,
            seconds=rows / 8_000,
        )
    check = Peer(command, {"rows": rows, "arguments": ("check",)})
    yield Comparison(
        f"memory of the command that checks {rows:,} photographs",
        "0.4 GB",
        check,
        Peer(at_most, {"memory": 0.4 * _GB}),
        must=1.0,
        stretch=0.5,
        figure="memory",
        at_most=True,
        rounds=1,
        seconds=rows / 15_000,
    )


def tenfold(rows: int, arguments: Sequence[str]) -> Run:
    """Call a command, and return ten times its processor time."""
    once = command(rows, arguments)

    def run() -> dict[str, float]:
        figures = once()
        assert isinstance(figures, dict)
        return figures | {"cpu": 10 * figures["cpu"]}

    return run
