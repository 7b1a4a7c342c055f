"""A comparison of a benchmark: one peer of ours beside one yardstick, and the ratio that it must reach.

Times mean nothing across machines, and little across two runs on one; so each peer runs in a process of its own, in
turn with the other, and only the ratio of the medians counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Run = Callable[[], object]
"""A measured function. It may return a mapping of figures of its own, such as ``{"memory": bytes}``."""


class Unmeasurable(Exception):  # noqa: N818 (it is a state, not a fault)
    """A peer cannot run here; the text says why."""


class PeerFailure(Unmeasurable):
    """A peer fails where it should run."""


@dataclass(frozen=True)
class Peer:
    """One side of a comparison.

    Attributes
    ----------
    make : function at the top of a module, returning a ``Run``
        Called once, in the peer's own process, with ``arguments``; makes everything that is not to be measured.
    threads : int
        How many threads its libraries may start; 0 leaves that to them.
    warm_up : bool
        Run twice before the turns begin, and several times a turn if it is short; False for what takes minutes.
    """

    make: Callable[..., Run]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 0
    warm_up: bool = True


@dataclass(frozen=True)
class SpeedComparison:
    """A line of the table.

    Attributes
    ----------
    what, against : str
        The loop that is measured, and its yardstick.
    must, stretch : float
        The ratio that counts as done, and as well done.
    figure : str
        "wall" or "cpu" (seconds a call), or a figure that both runs return: "memory" (bytes), "share" and that of the
        "worst" query (in [0, 1]), "codes" (how many), "build" and "few" (seconds), "rate" (a second).
    at_most : bool
        The ratio is ours / other and may be at most ``must``; otherwise it is other / ours and must be at least that.
        Of the figures "share", "rate" and "worst", of which more is better, the ratio is always ours / other.
    rounds : int
        How often the two take turns.
    seconds : float
        About how long the line takes on two quiet cores, making what it needs included: for the time that is left.
        Lines in a row with the same peers and rounds are measured together, and only the first takes time.
    """

    what: str
    against: str
    ours: Peer
    other: Peer
    must: float
    stretch: float
    figure: str = "wall"
    at_most: bool = False
    rounds: int = 15
    seconds: float = 10.0

    def ratio(self, ours: float, other: float) -> float:
        """Put two figures in proportion, the way that ``must`` is meant."""
        return ours / other if self.at_most or self.figure in {"share", "rate", "worst"} else other / ours

    def reaches(self, ratio: float, goal: float) -> bool:
        """Return whether a ratio is as good as a goal."""
        return ratio <= goal if self.at_most else ratio >= goal

    def is_measured_with(self, other: SpeedComparison) -> bool:
        """Return whether the same turns of the same peers give the figures of both."""
        return (self.ours, self.other, self.rounds) == (other.ours, other.other, other.rounds)
