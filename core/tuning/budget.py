"""Budgets of a search for good parameters: seconds by a clock, or a number of trials, which repeats exactly."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable

_MARGIN = 1.2  # an estimate may be so much too small


class Budget(ABC):
    """A budget, with a clock that gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.now = clock

    @abstractmethod
    def spent(self) -> float:
        """Return the share that is spent, 0 to 1 and beyond."""

    @abstractmethod
    def allows(self, seconds: float, until: float, count: int = 1) -> bool:
        """Return whether so many more trials that take so long together can end before a share is spent."""

    def count(self) -> None:  # noqa: B027 (a clock counts by itself)
        """Count a trial."""


class SecondsBudget(Budget):
    """So many seconds from now."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self.seconds = seconds
        self._began = clock()

    def spent(self) -> float:
        """Return the share of the time that is over."""
        return (self.now() - self._began) / self.seconds

    def allows(self, seconds: float, until: float, count: int = 1) -> bool:
        """Return whether it ends in time, by an estimate with a margin."""
        return self.spent() + _MARGIN * seconds / self.seconds < until


class TrialsBudget(Budget):
    """So many trials, however long they take."""

    def __init__(self, trials: int) -> None:
        super().__init__()
        self.trials = trials
        self._done = 0

    def spent(self) -> float:
        """Return the share of the trials that are done."""
        return self._done / self.trials

    def allows(self, seconds: float, until: float, count: int = 1) -> bool:
        """Return whether so many are left."""
        return self._done + count <= math.ceil(until * self.trials)

    def count(self) -> None:
        """Count one."""
        self._done += 1
