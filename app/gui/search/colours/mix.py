"""The colours of a palette with their shares: whole percents that add up to 100."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Colour = tuple[int, int, int]
"""sRGB, 0 to 255 each."""

MOST_COLOURS = 8
LEAST_SHARE = 2
"""Least percent: a smaller share cannot be seen or grasped."""


@dataclass(frozen=True)
class PaletteMix:
    """Colours and shares; each change returns another mix.

    Attributes
    ----------
    colours : tuple of Colour
        At most `MOST`.
    shares : tuple of int
        Percents, each at least `LEAST`, together 100.
    """

    colours: tuple[Colour, ...] = ()
    shares: tuple[int, ...] = ()

    @classmethod
    def of(cls, weighted: Sequence[tuple[Colour, float]]) -> PaletteMix:
        """Make a mix of colours with relative weights; at most `MOST` are kept."""
        kept = list(weighted)[:MOST_COLOURS]
        return cls(tuple(colour for colour, _ in kept), whole_percents([weight for _, weight in kept]))

    def __len__(self) -> int:
        return len(self.colours)

    def weighted(self) -> list[tuple[Colour, float]]:
        """Return colours with weights."""
        return [(colour, float(share)) for colour, share in zip(self.colours, self.shares, strict=True)]

    def text(self) -> str:
        """Write it as palettes are written: ``#cc3333:40,#ffffff:60``."""
        return ",".join(
            f"{colour_code(colour)}:{share}" for colour, share in zip(self.colours, self.shares, strict=True)
        )

    def with_colour(self, colour: Colour) -> PaletteMix:
        """Add a colour with the average share; without room nothing changes."""
        if len(self) >= MOST_COLOURS or colour in self.colours:
            return self
        mean = 100 / max(1, len(self))
        return PaletteMix.of([*self.weighted(), (colour, mean)])

    def without(self, place: int) -> PaletteMix:
        """Remove a colour; the others share its part."""
        return PaletteMix.of([one for own, one in enumerate(self.weighted()) if own != place])

    def replaced(self, place: int, colour: Colour) -> PaletteMix:
        """Replace a colour."""
        colours = (*self.colours[:place], colour, *self.colours[place + 1 :])
        return PaletteMix(colours, self.shares)

    def with_edge(self, edge: int, percent: float) -> PaletteMix:
        """Move the edge between the colours ``edge`` and ``edge + 1`` to a place from 0 to 100; only these change."""
        before = sum(self.shares[:edge])
        both = self.shares[edge] + self.shares[edge + 1]
        left = max(LEAST_SHARE, min(both - LEAST_SHARE, round(percent) - before))
        return PaletteMix(self.colours, (*self.shares[:edge], left, both - left, *self.shares[edge + 2 :]))

    def with_share(self, place: int, percent: int) -> PaletteMix:
        """Return the mix with another share of a colour; the others keep their proportions."""
        others = [share for own, share in enumerate(self.shares) if own != place]
        if not others:
            return self
        mine = max(LEAST_SHARE, min(100 - LEAST_SHARE * len(others), percent))
        rest = whole_percents(others, 100 - mine)
        return PaletteMix(self.colours, (*rest[:place], mine, *rest[place:]))


def whole_percents(weights: Sequence[float], total: int = 100) -> tuple[int, ...]:
    """Return whole percents in proportion to weights, at least `LEAST` each, together exactly ``total``."""
    if not weights:
        return ()
    whole = sum(weights)
    parts = [total * weight / whole for weight in weights]
    shares = [int(part) for part in parts]
    lacking = total - sum(shares)
    for place in sorted(range(len(parts)), key=lambda place: shares[place] - parts[place])[:lacking]:
        shares[place] += 1
    for place in range(len(shares)):
        while shares[place] < LEAST_SHARE:
            shares[place] += 1
            shares[shares.index(max(shares))] -= 1
    return tuple(shares)


def colour_code(colour: Colour) -> str:
    """Write a colour: ``#cc3333``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
