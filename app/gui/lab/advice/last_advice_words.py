"""What the Advice page says of an advice that is kept: when it was asked, of how much, and the command."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from app.gui.lab.advice.advice_facts import EDITS, NEIGHBOURS, PAIRS
from app.lab.advice.questions import NamedPairs
from app.lab.advice.report import same_command

if TYPE_CHECKING:
    from app.lab.advice.last_advice import KeptAdvice

translate = QCoreApplication.translate


def about(kept: KeptAdvice) -> str:
    """Say when it was asked, and how much was measured."""
    result = kept.result
    at = QDateTime.fromSecsSinceEpoch(int(datetime.fromisoformat(kept.made).timestamp()))
    parts = [
        QLocale().toString(at, translate("Advice", "d MMMM yyyy, HH:mm")),
        translate("Advice", "{0} photographs").format(f"{result.photographs:,}"),
        translate("Advice", "{0} questions").format(f"{result.questions:,}"),
        translate("Advice", "{0} measured in {1} s").format(f"{result.tried:,}", f"{result.seconds:,.0f}"),
    ]
    if result.cancelled:
        parts.append(translate("Advice", "stopped before its time"))
    return " · ".join(parts)


def command(kept: KeptAdvice, library: Path) -> str:
    """Give the command that asks for the same of a library."""
    from app.machine import places

    pairs = NamedPairs(tuple(kept.match), tuple(kept.differ)) if kept.result.truth == PAIRS else None
    truth = NEIGHBOURS if kept.result.truth == NEIGHBOURS else EDITS
    usual = Path(places.default_library())
    return same_command(kept.result.time_limit, truth, pairs, "" if library == usual else str(library))
