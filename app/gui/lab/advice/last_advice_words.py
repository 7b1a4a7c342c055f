"""Texts about the kept advice: its time, its extent, and its command."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.lab.advice.questions import EDITS, NEIGHBOURS, PAIRS, NamedPairs
from app.lab.advice.report import same_command
from app.language.spoken import _, _n

if TYPE_CHECKING:
    from app.lab.advice.last_advice import KeptAdvice


def about(kept: KeptAdvice) -> str:
    """Return the time of an advice, and how much it measured."""
    result = kept.result
    parts = [
        _("{moment}", moment=datetime.fromisoformat(kept.made).astimezone()),
        _n("{count} photo", "{count} photos", result.photographs),
        _n("{count} query", "{count} queries", result.questions),
        _n(
            "{count} index measured in {seconds:,.0f} s",
            "{count} indexes measured in {seconds:,.0f} s",
            result.tried,
            seconds=result.seconds,
        ),
    ]
    if result.cancelled:
        parts.append(_("stopped early"))
    return " · ".join(parts)


def command(kept: KeptAdvice, library: Path) -> str:
    """Return the command that gives the same advice for a library."""
    from app.machine import places

    pairs = NamedPairs(tuple(kept.match), tuple(kept.differ)) if kept.result.truth == PAIRS else None
    truth = NEIGHBOURS if kept.result.truth == NEIGHBOURS else EDITS
    usual = Path(places.default_library())
    return same_command(kept.result.time_limit, truth, pairs, "" if library == usual else str(library))
