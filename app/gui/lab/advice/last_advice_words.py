"""What the Advice page says of an advice that is kept: when it was asked, of how much, and the command."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale

from app.gui.lab.advice.advice_facts import EDITS, NEIGHBOURS, PAIRS
from app.lab.advice.questions import NamedPairs
from app.lab.advice.report import same_command
from app.language.spoken import _

if TYPE_CHECKING:
    from app.lab.advice.last_advice import KeptAdvice


def about(kept: KeptAdvice) -> str:
    """Say when it was asked, and how much was measured."""
    result = kept.result
    at = QDateTime.fromSecsSinceEpoch(int(datetime.fromisoformat(kept.made).timestamp()))
    parts = [
        QLocale().toString(at, _("d MMMM yyyy, HH:mm")),
        _("{passing} photographs", passing=result.photographs),
        _("{questions} questions", questions=result.questions),
        _("{tried} measured in {seconds} s", tried=result.tried, seconds=f"{result.seconds:,.0f}"),
    ]
    if result.cancelled:
        parts.append(_("stopped before its time"))
    return " · ".join(parts)


def command(kept: KeptAdvice, library: Path) -> str:
    """Return the command that asks for the same of a library."""
    from app.machine import places

    pairs = NamedPairs(tuple(kept.match), tuple(kept.differ)) if kept.result.truth == PAIRS else None
    truth = NEIGHBOURS if kept.result.truth == NEIGHBOURS else EDITS
    usual = Path(places.default_library())
    return same_command(kept.result.time_limit, truth, pairs, "" if library == usual else str(library))
