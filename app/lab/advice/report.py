"""What advice says: the points that were measured, the one that is proposed, why, and what it does not know."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from app.indexes.index_names import text_of
from app.lab.advice.choice import SPEEDS_TEXT, as_good, choose, comparable, near_a_limit, on_frontier, reasons
from app.lab.advice.questions import EDITS, NamedPairs, Questions
from app.lab.advice.results import AdvicePoint, AdviceResult
from app.lab.advice.work import LEAST, Subject, Work
from storage.indexes import IndexRow

NO_CHANGE = "Your current index finds as much and is as fast. No change needed."


def advice_of(
    work: Work,
    subjects: Sequence[Subject],
    questions: Questions,
    known: dict[str, str],
    default: IndexRow,
    notes: list[str],
    seed: int,
) -> AdviceResult:
    """Return what was found as the result: the points, the proposal with its reasons, notes and the command."""
    first, second = work.levels
    # Few questions of all are told, until both exact search and hashing were asked all of them.
    whole = {one.exact for one in second.values()} == {False, True} or not first
    measured = {**first, **second} if whole else {**second, **first}
    named = [one.model_copy(update={"index": known.get(one.key, "")}) for one in measured.values()]
    same = comparable(named)
    front = {one.key for one, best in zip(same, on_frontier(same), strict=True) if best}
    points = [one.model_copy(update={"frontier": one.key in front}) for one in named]
    keys = {one.key for one in same}
    points.sort(key=lambda one: (one.key not in keys, not one.frontier, -one.judged, one.bytes_per_photograph))
    same = [one for one in points if one.key in keys]
    present = text_of(default)
    chosen = choose(same, present)
    photographs = max(one.ids for one in subjects)
    said = reasons(same, chosen, photographs, questions.truth)
    there = as_good([one for one in same if one.index], chosen)
    if chosen.key == present:
        said.insert(0, NO_CHANGE)
    elif chosen.index:
        said.append(f"The library has it: “{chosen.index}”.")
    elif there is not None:
        said.append(f"“{there.index}”, which the library has, finds as much and is as fast.")
    notes = [*notes, *questions.notes, *_notes(points, chosen, photographs, work, questions)]
    left = [key for key in work.left if key not in {*first, *second, *work.refused}]
    return AdviceResult(
        truth=questions.truth,
        meaning=questions.meaning,
        photographs=photographs,
        questions=len(questions.asked),
        seed=seed,
        time_limit=work.budget.seconds,
        seconds=work.budget.spent() * work.budget.seconds,
        points=points,
        proposed=chosen.key,
        present=present if any(one.key == present for one in points) else "",
        reasons=said,
        speeds=SPEEDS_TEXT,
        tried=len(points),
        not_tried=left,
        refused=[f"{key}: {why}" for key, why in work.refused.items()],
        notes=notes,
        command="" if chosen.index else _command(chosen),
        cancelled=work.cancelled,
    )


def _notes(
    points: Sequence[AdvicePoint], chosen: AdvicePoint, photographs: int, work: Work, questions: Questions
) -> list[str]:
    notes = []
    if chosen.photographs < photographs // 2:
        notes.append(
            f"There was no time to search all {photographs:,} photographs: recall is of {chosen.photographs:,} of "
            "them, times are reckoned for all."
        )
    if chosen.questions < len(questions.asked):
        notes.append(f"There was time for {chosen.questions:,} questions of {len(questions.asked):,}.")
    if work.left:
        notes.append("Not everything was tried in the time; more time may find a better one.")
    measured = {one.method.partition(":")[0] for one in points}
    too_long = [f"{key} ({seconds:,.0f} s)" for key, seconds in work.too_long.items() if key not in measured]
    if too_long:
        notes.append(
            f"To learn these would have taken longer than was left, as far as the others tell: {', '.join(too_long)}."
        )
    exact = [one for one in points if one.exact and one.descriptor == chosen.descriptor]
    if near_a_limit([chosen, *exact]):
        notes.append(f"A time is near a limit between classes ({SPEEDS_TEXT}): another run may propose another index.")
    if questions.truth == EDITS:
        notes.append(
            "Indexes alone are measured. A search that also checks its first results point by point can find more of "
            "the edited copies, whichever index it asks."
        )
    if questions.truth in {"pairs", "marks"} and len(questions.asked) < LEAST:
        notes.append(f"{len(questions.asked):,} questions decide little: name or mark more pairs.")
    return notes


def _command(chosen: AdvicePoint) -> str:
    words = ["twinlens", "index", "create", "--descriptor", chosen.descriptor]
    words += ["--method", chosen.method] if chosen.method else []
    words += ["--search", chosen.search]
    words += ["--metric", chosen.metric] if chosen.metric else []
    return shlex.join(words)


def same_command(seconds: float, truth: str, pairs: NamedPairs | None = None, library: str = "") -> str:
    """Write the command that asks for the same advice.

    Parameters
    ----------
    seconds : float
    truth : str
    pairs : NamedPairs, optional
        In place of `truth`.
    library : str
        Path of the library; empty for the usual one.

    Examples
    --------
    >>> same_command(60, "edits")
    'twinlens advise --time 60'
    """
    words = ["twinlens", *(["--library", library] if library else []), "advise", "--time", f"{seconds:g}"]
    if pairs is None:
        words += [] if truth == EDITS else ["--truth", truth]
    else:
        for option, some in (("--match", pairs.match), ("--differ", pairs.differ)):
            for pair in some:
                words += [option, *(f"#{one}" if isinstance(one, int) else str(one) for one in pair)]
    return shlex.join(words)
