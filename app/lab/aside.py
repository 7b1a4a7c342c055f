"""A run in a process of its own: it takes both cores, and the program that waits for it goes on as if nothing ran.

Whoever stops it ends the process at once; every step that was measured is kept.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

from app.experiment import Experiment
from app.lab.results import LabCheckResult
from app.library import Library
from app.spawning import LightContext, interrupted_after
from core.errors import TwinlensError
from core.progress import Progress, silent

_TOLD_EVERY_S = 0.05
_LOOK_S = 0.1
_COMPILING_S = 10.0  # more than that nobody waits for; numpy measures until the loops are ready


@dataclass(frozen=True)
class Start:
    """Begin a run.

    Attributes
    ----------
    plan : Experiment
    name : str
        Empty for one that is made from the plan.
    """

    plan: Experiment
    name: str = ""


@dataclass(frozen=True)
class GoOn:
    """Go on with a run.

    Attributes
    ----------
    name : str
    """

    name: str


@dataclass(frozen=True)
class Again:
    """Measure again what is measured, and compare.

    Attributes
    ----------
    what : str or Path
        A run by its name, or the file of an experiment.
    """

    what: str | Path


Wish = Start | GoOn | Again


def work_aside(
    library: Path, wish: Wish, progress: Progress = silent, kept: Callable[[int], None] = lambda _: None
) -> int | LabCheckResult:
    """Do something of the Lab in a process of its own.

    Parameters
    ----------
    library : Path
        Its file.
    wish : Start, GoOn or Again
    progress : Progress
        As of :func:`app.lab.running.run`. While it does not return the process waits; when it raises the process ends.
    kept : callable
        Told the id of the run when it is there, and whenever a step of it is kept.

    Returns
    -------
    int or LabCheckResult
        Id of the run; of what was measured again how its figures compare.

    Raises
    ------
    TwinlensError
        If it cannot be done, or the process ends by itself.
    Cancelled
        If progress says so.
    """
    context = LightContext()
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, library, wish), daemon=True)
    with interrupted_after():
        process.start()
    theirs.close()
    told: tuple[float, float, str] = (0.0, 0.0, "")
    try:
        while True:
            if not ours.poll(_LOOK_S):
                progress(*told)
                continue
            try:
                what, *values = ours.recv()
            except (EOFError, ConnectionResetError):
                raise TwinlensError(
                    "The process that measured ended before it was done, perhaps for want of memory.",
                    "Close other programs, then go on with the run: what is measured is kept.",
                ) from None
            match what:
                case "progress":
                    told = (values[0], values[1], values[2])
                    progress(*told)  # which waits while the run is paused
                    with suppress(OSError):  # it has ended meanwhile, which is read next
                        ours.send("go on")
                case "kept":
                    kept(values[0])
                case "done":
                    found: int | LabCheckResult = values[0]
                    return found
                case "error":
                    raise TwinlensError(*values)
                case _:
                    summary, whole = values
                    logging.getLogger("twinlens").error("in the process that measured:\n%s", whole)
                    raise RuntimeError(summary)
    finally:
        process.kill()
        process.join()
        ours.close()


def _work(connection: Connection[Any, Any], path: Path, wish: Wish) -> None:
    """Be the process."""
    from app.politeness import be_polite

    be_polite()
    told = 0.0

    def progress(done: float, total: float, text: str = "") -> None:
        nonlocal told
        if time.monotonic() - told >= _TOLD_EVERY_S:
            connection.send(("progress", float(done), float(total), text))
            connection.recv()  # waits while whoever listens pauses
            told = time.monotonic()

    try:
        with Library.open(path) as library:
            _compile(progress)
            connection.send(("done", _done(library, wish, progress, lambda run: connection.send(("kept", run)))))
    except TwinlensError as error:
        connection.send(("error", error.sentence, error.next_step))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # nobody listens any more
    except BaseException as error:  # noqa: BLE001 (whoever listens logs it)
        connection.send(("fault", f"{type(error).__name__}: {error}", traceback.format_exc()))


def _done(library: Library, wish: Wish, progress: Progress, kept: Callable[[int], None]) -> int | LabCheckResult:
    from app.lab.experiment_file import open_experiment, opened_run, run_again
    from app.lab.running import resume, run

    match wish:
        case Start(plan, name):
            return run(library, plan, name, progress, kept).id
        case GoOn(name):
            return resume(library, name, progress, kept).id
        case Again(what):
            opened = open_experiment(what) if isinstance(what, Path) else opened_run(library, what)
            return run_again(opened, library, progress)[1]


def _compile(progress: Progress) -> None:
    """Wait for the compiled loops, without which times say nothing."""
    from app import places
    from core import compilation

    compilation.prepare(places.compiled_cache_folder())
    waiting = Thread(target=compilation.ready, args=(True,), daemon=True)
    waiting.start()
    until = time.monotonic() + _COMPILING_S
    while waiting.is_alive() and time.monotonic() < until:
        progress(0.0, 0.0, "Compiling loops")
        waiting.join(_TOLD_EVERY_S)
