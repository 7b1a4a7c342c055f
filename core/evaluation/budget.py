"""What a search for good parameters may spend: seconds by a clock, or a number of trials, which repeats exactly."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from core.hash_method import HashMethod

_MARGIN = 1.2  # an estimate may be so much too small


class Budget(ABC):
    """What may be spent."""

    @abstractmethod
    def spent(self) -> float:
        """Give the share that is spent, 0 to 1 and beyond."""

    @abstractmethod
    def allows(self, seconds: float, until: float) -> bool:
        """Say whether one more trial that takes so long can end before a share is spent."""

    def count(self) -> None:  # noqa: B027 (a clock counts by itself)
        """Count a trial."""


class Seconds(Budget):
    """So many seconds from now."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._began = clock()

    def spent(self) -> float:
        """Give the share of the time that is over."""
        return (self._clock() - self._began) / self.seconds

    def allows(self, seconds: float, until: float) -> bool:
        """Say whether it ends in time, by an estimate with a margin."""
        return self.spent() + _MARGIN * seconds / self.seconds < until


class Trials(Budget):
    """So many trials, however long they take."""

    def __init__(self, trials: int) -> None:
        self.trials = trials
        self._done = 0

    def spent(self) -> float:
        """Give the share of the trials that are done."""
        return self._done / self.trials

    def allows(self, seconds: float, until: float) -> bool:
        """Say whether one is left."""
        return self._done < math.ceil(until * self.trials)

    def count(self) -> None:
        """Count one."""
        self._done += 1


@dataclass
class Costs:
    """What trials took, and so what the next one takes."""

    _known: list[tuple[HashMethod, int, float]] = field(default_factory=list)

    def add(self, method: HashMethod, items: int, seconds: float) -> None:
        """Remember what a trial on so many items took."""
        self._known.append((method, items, seconds))

    def estimate(self, method: HashMethod, items: int) -> float:
        """Scale the cost of the most similar trial of the method; 0 where there was none.

        More items or bits cost in proportion, more landmarks in the square; fewer are not counted on to cost less.
        """
        alike = [one for one in self._known if one[0].key == method.key]
        if not alike:
            return 0.0

        def growth(one: tuple[HashMethod, int, float]) -> float:
            known = one[0]
            landmarks = _landmarks(method, items) / _landmarks(known, one[1])
            return max(1.0, items / one[1]) * max(1.0, method.bits / known.bits) * max(1.0, landmarks) ** 2

        least = min(growth(one) for one in alike)
        return least * max(one[2] for one in alike if growth(one) <= 1.01 * least)


def _landmarks(method: HashMethod, items: int) -> int:
    return min(int(getattr(method, "landmarks", 1)), items)
