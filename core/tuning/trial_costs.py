"""Estimates of the cost of a trial, from the cost of others."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.evaluation.candidates import Candidate

_FIRST = 0.5
_CHEAPEST = 0.3  # of what more landmarks cost, at least
_LAST = 2.0  # times as much as before, where nothing is known of it yet


@dataclass(frozen=True)
class Stage:
    """A part of a search for good parameters."""

    items: int  # that are searched and learned from
    splits: tuple[int, ...]
    until: float  # share of the budget that may be spent when it ends
    is_last: bool = False  # all figures are wanted, and not the ranking alone


@dataclass
class Costs:
    """Costs of trials so far, and estimates for the next."""

    _known: list[tuple[Candidate, Stage, float]] = field(default_factory=list)

    def add(self, method: Candidate, stage: Stage, seconds: float) -> None:
        """Remember what a trial took."""
        self._known.append((method, stage, seconds))

    def estimate(self, method: Candidate, stage: Stage) -> float:
        """Scale the cost of the most similar trial of the method; 0 where there was none.

        More items or bits cost in proportion, more landmarks in the square; fewer cost less in proportion. On
        the last stage queries are searched and timed, too, so that it costs more.
        """
        alike = [one for one in self._known if one[0].key == method.key]
        if not alike:
            return 0.0

        def growth(one: tuple[Candidate, Stage, float]) -> float:
            known, items = one[0], one[1].items
            landmarks = _landmarks(method, stage.items) / _landmarks(known, items)
            last = _LAST if stage.is_last and not one[1].is_last else 1.0
            bits = max(1.0, method.bits / max(1, known.bits))
            return (
                last
                * max(1.0, stage.items / items)
                * bits
                * (landmarks**2 if landmarks > 1 else max(_CHEAPEST, landmarks))
            )

        least = min(growth(one) for one in alike)
        seconds = least * [one[2] for one in alike if growth(one) <= 1.01 * least][-1]
        # The first also pays for what is loaded and compiled: it alone does not forbid a second.
        return seconds * _FIRST if len(alike) == 1 else seconds


def _landmarks(method: Candidate, items: int) -> int:
    return min(int(getattr(method, "landmarks", 1)), items)
