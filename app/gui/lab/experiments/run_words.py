"""Texts of experiments that several parts of the window share."""

from __future__ import annotations

from datetime import UTC, datetime

from app.language.spoken import _


def truth_words(truth: str) -> str:
    """Return the right results of a truth."""
    return {
        "": _("exact neighbours"),
        "folders": _("the same folder"),
        "marks": _("marked as similar"),
        "edits": _("edited copies"),
    }.get(truth, _("exact neighbours by {measure}", measure=truth))


def moment_words(created: str) -> str:
    """Return the local time at which a run was made."""
    try:
        made = datetime.fromisoformat(created.replace("Z", "+00:00"))
    except ValueError:
        return created
    made = made if made.tzinfo is not None else made.replace(tzinfo=UTC)
    return _("{moment}", moment=made.astimezone())
