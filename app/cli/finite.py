"""Numbers of the command line that are numbers: click takes "nan" and "inf" for such, and within every range."""

from __future__ import annotations

import math
from typing import Any

import click

from app.language.spoken import _


class FiniteRange(click.FloatRange):
    """A range of numbers without nan and infinity."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a number."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(_("{value} is not a number.", value=repr(value)), param, ctx)
        return number
