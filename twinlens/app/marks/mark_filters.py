"""Filters of marks, by which they are listed, removed and exported."""

from __future__ import annotations

from pathlib import Path

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request


class MarkFilters(Request):
    """Filters of marks; all of them must hold.

    Attributes
    ----------
    contradicted : bool
        Those whose pair is marked both ways.
    origin : str or None
        The whole origin, or its part before the colon: ``folder`` finds ``folder:/pictures/cats``.
    photograph : int, Path or None
        Those of one photograph, by id or path.
    missing : bool
        Those that wait for a photograph.
    """

    key = "marks"

    similar: bool | None = parameter(None, option="--similar/--different", help="Only those that say so.")
    contradicted: bool = parameter(False, help="Only pairs that are marked both ways.")
    missing: bool = parameter(False, help="Only those of photos that are not there.")
    origin: str | None = parameter(None, metavar="TEXT", help="Only of this origin: results, folder, import:a.csv, ...")
    photograph: int | Path | None = None


EVERY_MARK = MarkFilters()
