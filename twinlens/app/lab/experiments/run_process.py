"""A run of the Lab in a process of its own, which ends at once when it is stopped; measured steps are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from twinlens.app.bench.experiment import Experiment
from twinlens.app.lab.experiments.lab_results import LabCheckResult
from twinlens.app.library.library import Library
from twinlens.app.machine.separate_process import run_in_process
from twinlens.core.progress import Progress, silent
from twinlens.storage.database.address import Address


@dataclass(frozen=True)
class StartRun:
    """Begin a run.

    Attributes
    ----------
    name : str
        Empty for a name made from the plan.
    """

    plan: Experiment
    name: str = ""

    def __call__(self, library: Library, progress: Progress, kept: Callable[[int], None], /) -> int:
        """Return the id of the run."""
        from twinlens.app.lab.experiments.runner import run_experiment

        return run_experiment(library, self.plan, self.name, progress, kept).id


@dataclass(frozen=True)
class ResumeRun:
    """Resume a run."""

    name: str

    def __call__(self, library: Library, progress: Progress, kept: Callable[[int], None], /) -> int:
        """Return the id of the run."""
        from twinlens.app.lab.experiments.runner import resume_run

        return resume_run(library, self.name, progress, kept).id


@dataclass(frozen=True)
class RepeatRun:
    """Measure a run again and compare its figures.

    Attributes
    ----------
    what : str or Path
        Name of a run, or file of an experiment.
    """

    what: str | Path

    def __call__(self, library: Library, progress: Progress, kept: Callable[[int], None], /) -> LabCheckResult:
        """Return the comparison of the figures."""
        from twinlens.app.lab.experiments.experiment_file import open_experiment, opened_run, run_again

        del kept
        opened = open_experiment(self.what) if isinstance(self.what, Path) else opened_run(library, self.what)
        return run_again(opened, library, progress)[1]


RunJob = StartRun | ResumeRun | RepeatRun


def run_in_own_process(
    library: Address, wish: RunJob, progress: Progress = silent, kept: Callable[[int], None] = lambda _: None
) -> int | LabCheckResult:
    """Run work of the Lab in a process of its own.

    Parameters
    ----------
    progress : Progress
        As of :func:`twinlens.app.lab.experiments.runner.run_experiment`. The process waits for it, and ends if it
        raises.
    kept : callable
        Called with the id of the run when it is created, and after each kept step.

    Returns
    -------
    int or LabCheckResult
        Id of the run, or the comparison of a run measured again.

    Raises
    ------
    TwinlensError
        If the work fails, or the process ends by itself.
    Cancelled
        If progress raises it.
    """
    found: int | LabCheckResult = run_in_process(library, wish, progress, kept)
    return found
