"""Estimates of the cost of a trial, from the cost of others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from core.evaluation.candidates import Candidate

_FIRST = 0.5
_CHEAPEST = 0.3  # of what more landmarks cost, at least
_LAST = 2.0  # times as much as before, where nothing is known of it yet


@dataclass(frozen=True)
class TuningStage:
    """A part of a search for good parameters."""

    items: int  # that are searched and learned from
    splits: tuple[int, ...]
    until: float  # share of the budget that may be spent when it ends
    is_last: bool = False  # all figures are wanted, and not the ranking alone


class _Trial(NamedTuple):
    """A trial, by what its cost depends on."""

    key: str
    bits: int
    landmarks: int
    stage: TuningStage
    seconds: float


@dataclass
class TrialCosts:
    """Costs of trials so far, and estimates for the next."""

    _known: list[_Trial] = field(default_factory=list)

    def add(self, method: Candidate, stage: TuningStage, seconds: float) -> None:
        """Remember what a trial took."""
        self._known.append(_Trial(method.key, method.bits, _landmarks(method, stage.items), stage, seconds))

    def estimate(self, method: Candidate, stage: TuningStage) -> float:
        """Scale the cost of the most similar trial of the method; 0 where there was none.

        More items or bits cost in proportion, more landmarks in the square; fewer cost less in proportion. On
        the last stage queries are searched and timed, too, so that it costs more.
        """
        alike = [one for one in self._known if one.key == method.key]
        if not alike:
            return 0.0
        bits, wanted = method.bits, _landmarks(method, stage.items)

        def growth(one: _Trial) -> float:
            landmarks = wanted / one.landmarks
            last = _LAST if stage.is_last and not one.stage.is_last else 1.0
            return (
                last
                * max(1.0, stage.items / one.stage.items)
                * max(1.0, bits / max(1, one.bits))
                * (landmarks**2 if landmarks > 1 else max(_CHEAPEST, landmarks))
            )

        grown = [(growth(one), one.seconds) for one in alike]
        least = min(grown)[0]
        seconds = least * [took for times, took in grown if times <= 1.01 * least][-1]
        # The first also pays for what is loaded and compiled: it alone does not forbid a second.
        return seconds * _FIRST if len(alike) == 1 else seconds


def _landmarks(method: Candidate, items: int) -> int:
    return min(int(getattr(method, "landmarks", 1)), items)
