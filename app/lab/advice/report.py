"""Report of an advice: measured indexes, the proposal with its reasons, and notes."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from app.indexes.index_names import text_of
from app.lab.advice.choice import as_good, choose_proposal, comparable, near_a_limit, on_frontier
from app.lab.advice.order import LEAST
from app.lab.advice.questions import EDITS, NamedPairs
from app.lab.advice.reasons import SPEEDS_MEANING, reasons
from app.lab.advice.results import AdvicePoint, AdviceResult
from app.lab.advice.trying import IndexTrials
from app.methods import catalogue
from core.message import NOTHING, Message, counted
from core.tuning.budget import SecondsBudget
from storage.indexes.indexes import IndexRow

NO_CHANGE = Message("Your current index finds as much and is as fast. No change needed.")


def advice_of(
    trying: IndexTrials, budget: SecondsBudget, known: dict[str, str], default: IndexRow, cancelled: bool
) -> AdviceResult:
    """Return the result of an advice; ``known`` are the names of the library's indexes by their texts."""
    questions, (first, second) = trying.questions, trying.points
    # Results of a few questions stand until exact search and a hash method have both been asked all of them.
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
    chosen = choose_proposal(same, present)
    photographs = max(one.photographs for one in trying.subjects)
    why = reasons(same, chosen, photographs, questions.truth)
    if as_good([one for one in same if one.key == present], chosen) is not None:
        why.insert(0, NO_CHANGE)
    notes = [*questions.notes, *_notes(points, chosen, photographs, trying)]
    left = [one for key, one in trying.left.items() if key not in {*first, *second, *trying.refused}]
    return AdviceResult(
        truth=questions.truth,
        meaning=questions.meaning,
        photographs=photographs,
        questions=len(questions.asked),
        seed=trying.seed,
        time_limit=budget.seconds,
        seconds=budget.spent() * budget.seconds,
        points=points,
        peers=list(trying.compared.values()),
        proposed=chosen.key,
        present=present if any(one.key == present for one in points) else "",
        reasons=why,
        existing=NOTHING if chosen.key == present else _existing(same, chosen),
        speeds=SPEEDS_MEANING,
        tried=len(points),
        not_tried=left,
        refused=[Message("{index}: {reason}", index=key, reason=reason) for key, reason in trying.refused.items()],
        notes=notes,
        command="" if chosen.index else _command(chosen),
        cancelled=cancelled,
    )


def _existing(same: Sequence[AdvicePoint], chosen: AdvicePoint) -> Message:
    """Return the index of the library that is the chosen one, or is as good; empty for none."""
    if chosen.index:
        return Message("The library has this index already: “{name}”.", name=chosen.index)
    other = as_good([one for one in same if one.index], chosen)
    if other is None:
        return NOTHING
    return Message("The index “{name}” of the library finds as much and is as fast.", name=other.index)


def _notes(points: Sequence[AdvicePoint], chosen: AdvicePoint, photographs: int, trying: IndexTrials) -> list[Message]:
    questions, notes = trying.questions, []
    if chosen.photographs < photographs // 2:
        notes.append(
            Message(
                "There was no time to search all {photographs} photos. Recall was measured on {sample} of them "
                "and times are estimates for all.",
                photographs=photographs, sample=chosen.photographs,
            )
        )  # fmt: skip
    if chosen.questions < len(questions.asked):
        notes.append(
            Message(
                "There was time for {asked} of {questions} queries.",
                asked=chosen.questions, questions=len(questions.asked),
            )
        )  # fmt: skip
    if trying.left:
        notes.append(Message("There was no time to try everything. More time may find a better index."))
    notes += _too_long(points, trying.attempts.too_long)
    exact = [one for one in points if one.exact and one.descriptor == chosen.descriptor]
    if near_a_limit([chosen, *exact]):
        notes.append(
            Message(
                "A measured time is close to a limit between classes ({classes}). Another run may propose another "
                "index.",
                classes=SPEEDS_MEANING,
            )
        )
    if questions.truth == EDITS:
        notes.append(
            Message(
                "Only the indexes are measured here. A search also compares its first results point by point, and so "
                "finds more of the edited copies."
            )
        )
    if questions.truth in {"pairs", "marks"} and len(questions.asked) < LEAST:
        notes.append(
            counted(
                "{count} query is too few for a reliable choice. Name or mark more pairs.",
                "{count} queries are too few for a reliable choice. Name or mark more pairs.",
                len(questions.asked),
            )
        )
    return notes


def _too_long(points: Sequence[AdvicePoint], too_long: Mapping[str, float]) -> list[Message]:
    """Return a note about the methods that would have taken too long to learn."""
    measured = {catalogue.method(one.method).key for one in points if one.method}
    methods = tuple(
        Message("{method} ({seconds:,.0f} s)", method=key, seconds=seconds)
        for key, seconds in too_long.items()
        if key not in measured
    )
    if not methods:
        return []
    return [Message("There was no time to learn these methods (estimated times): {methods}.", methods=methods)]


def _command(chosen: AdvicePoint) -> str:
    words = ["twinlens", "index", "create", "--descriptor", chosen.descriptor]
    words += ["--method", chosen.method] if chosen.method else []
    words += ["--search", chosen.search]
    words += ["--metric", chosen.metric] if chosen.metric else []
    return shlex.join(words)


def same_command(
    seconds: float, truth: str, pairs: NamedPairs | None = None, library: str = "", peers: Sequence[str] = ()
) -> str:
    """Return the command that gives the same advice of a library, by pairs or by a truth, beside other programs.

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
    for one in peers:
        words += ["--peer", one]
    return shlex.join(words)
