"""A run of the Lab in a process of its own.

Whoever stops it ends the process at once; every step that was measured is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.bench.experiment import Experiment
from app.lab.experiments.results import LabCheckResult
from app.library.library import Library
from app.machine.separate_process import do_aside
from core.progress import Progress, silent


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

    def __call__(self, library: Library, progress: Progress, kept: Callable[[int], None], /) -> int:
        """Return the id of the run."""
        from app.lab.experiments.runner import run

        return run(library, self.plan, self.name, progress, kept).id


@dataclass(frozen=True)
class GoOn:
    """Go on with a run.

    Attributes
    ----------
    name : str
    """

    name: str

    def __call__(self, library: Library, progress: Progress, kept: Callable[[int], None], /) -> int:
        """Return the id of the run."""
        from app.lab.experiments.runner import resume

        return resume(library, self.name, progress, kept).id


@dataclass(frozen=True)
class Again:
    """Measure again what is measured, and compare.

    Attributes
    ----------
    what : str or Path
        A run by its name, or the file of an experiment.
    """

    what: str | Path

    def __call__(self, library: Library, progress: Progress, kept: Callable[[int], None], /) -> LabCheckResult:
        """Say how the figures compare."""
        from app.lab.experiments.file import open_experiment, opened_run, run_again

        del kept
        opened = open_experiment(self.what) if isinstance(self.what, Path) else opened_run(library, self.what)
        return run_again(opened, library, progress)[1]


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
        As of :func:`app.lab.experiments.runner.run`. While it does not return the process waits; when it raises the
        process ends.
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
    found: int | LabCheckResult = do_aside(library, wish, progress, kept)
    return found
