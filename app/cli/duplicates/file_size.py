"""Sizes of files as people write them: 500kB, 5MB, 2 GB."""

from __future__ import annotations

import re

import click

from app.language.spoken import _

_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


class FileSize(click.ParamType[int]):
    """A number of bytes, with a unit or without."""

    name = "size"

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmg]?)b?", value.strip(), re.IGNORECASE)
        if found is None:
            self.fail(_("“{value}” is not a size: write 500kB, 5MB or 2GB.", value=value), param, ctx)
        return round(float(found[1]) * _UNITS[found[2].lower()])
