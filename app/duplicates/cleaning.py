"""Cleaning up: what is proposed to go becomes a plan of what is moved away."""

from __future__ import annotations

from pathlib import Path

from app.duplicates.comparing import compare_pictures
from app.duplicates.disposal_log import disposal_log
from app.duplicates.disposal_plan import DisposalPlan, plan_disposal
from app.duplicates.duplicates import ALL_GROUPS, DuplicatesQuery, choices, known_duplicates
from app.duplicates.settling import settle_log
from app.library.library import Library
from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress, part, silent
from storage.duplicates.disposals import DisposalOutcome


def proposed(
    library: Library,
    query: DuplicatesQuery = ALL_GROUPS,
    destination: Path | None = None,
    progress: Progress = silent,
    take_along: bool = False,
) -> DisposalPlan:
    """Compare what is new, and plan to move away what the rules let go; of some kinds only those.

    Parameters
    ----------
    library, query, progress
        As of :func:`app.duplicates.duplicates.find_duplicates`.
    destination : Path, optional
        A folder; by default the trash.
    take_along : bool
        Whether what lies beside a copy alone moves to the photograph kept; otherwise that copy is refused.

    Raises
    ------
    TwinlensError
        If there is no such index, or the destination cannot be used.
    Cancelled
        If progress says so.
    """
    compare_pictures(library, query.index, part(progress, 0.0, 0.9))
    found = known_duplicates(library, query.rules, part(progress, 0.9, 0.95))
    going = choices(found.passing(query.wanted), query.wanted.kinds)
    return plan_disposal(library, going, destination, take_along, part(progress, 0.95, 1.0))


def last_run(library: Library) -> int:
    """Return the number of the last run of which something can be brought back.

    Raises
    ------
    TwinlensError
        If there is none, or another program is at work on the library.
    """
    settle_log(library)  # what was moved when the program was killed counts, too
    for entry in disposal_log(library, limit=100_000):
        if entry.state is DisposalOutcome.DONE:
            return entry.run
    raise TwinlensError(
        Message("There is nothing to undo."), Message("The log says what was moved and what came back.")
    )
