"""Texts of the Advice page about indexes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.lab.advice.reasons import descriptor_name, duration, reasons
from app.language.spoken import _, text
from core.message import Message, joined, verbatim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.lab.advice.results import AdvicePoint, AdviceResult, IndexParts


@dataclass(frozen=True)
class Answer:
    """The texts about one index: the proposal, or another one that is chosen instead.

    Attributes
    ----------
    badge : str
        "Proposed", "No change needed", "Chosen instead", "So far".
    sentence : str
        What it does, with numbers.
    reasons : tuple of str
    state : str
        Whether the library has it, and whether it answers now.
    build, default, compare, back : bool
        What can be done now: make it, let it answer, hold it against others, go back to the proposal.
    stays : bool
        Whether it is as well to leave everything as it is.
    key : str
        Of the index.
    name : str
        That it gets where nobody types another.
    taken : frozenset of str
        Names that other indexes have.
    """

    badge: str
    sentence: str
    reasons: tuple[str, ...] = ()
    state: str = ""
    build: bool = False
    default: bool = False
    compare: bool = False
    back: bool = False
    stays: bool = False
    key: str = ""
    name: str = ""
    taken: frozenset[str] = frozenset()


_FEW = 100  # queries: fewer are counted, more are given as a share
_LISTED = 12


def milliseconds(seconds: float) -> str:
    """Return a time in seconds or milliseconds."""
    return text(duration(seconds))


def size_each(size: float) -> str:
    """Return the bytes of one photo."""
    return _("{bytes:,.0f}\u00a0B", bytes=size)


def index_name(point: AdvicePoint, with_descriptor: bool) -> Message:
    """Return the name of an index: method, search structure, and descriptor where several are compared."""
    name = (
        Message("Exact search")
        if point.exact
        else Message("{method} with {search}", method=point.method, search=point.search)
    )
    return Message("{index} of {descriptor}", index=name, descriptor=compared(point)) if with_descriptor else name


def compared(index: IndexParts) -> Message:
    """Return the plain name of an index's descriptor, and its metric."""
    return joined([descriptor_name(index.descriptor), verbatim(index.metric)], " · ")


def _found(point: AdvicePoint, truth: str) -> Message:
    """Return how much an index finds: a count of few edited copies, else a share."""
    if truth == "edits" and point.questions <= _FEW:
        return Message("{found} of {count}", found=round(point.recall * point.questions), count=point.questions)
    return Message("{share:.0%}", share=point.recall)


def sentence(point: AdvicePoint, truth: str, present: AdvicePoint | None, with_descriptor: bool) -> str:
    """Return how much an index finds and how fast, and the same of the present one."""
    values = {
        "index": index_name(point, with_descriptor),
        "found": _found(point, truth),
        "time": duration(point.seconds),
        "size": point.bytes_per_photograph,
    }
    parts = [
        {
            "edits": Message("{index} finds {found} edited copies in {time} ({size:,.0f} B per photo).", **values),
            "pairs": Message(
                "{index} finds {found} of the photos that should match in {time} ({size:,.0f} B per photo).", **values
            ),
            "marks": Message(
                "{index} finds {found} of the photos marked as similar in {time} ({size:,.0f} B per photo).", **values
            ),
            "neighbours": Message(
                "{index} finds {found} of the true nearest neighbours in {time} ({size:,.0f} B per photo).", **values
            ),
        }[truth]
    ]
    if present is not None:
        parts.append(_comparison(point, present, truth))
    return text(joined(parts))


def _comparison(point: AdvicePoint, present: AdvicePoint, truth: str) -> Message:
    if present.key == point.key:
        return Message("This is your present index.")
    found = _found(present, truth)
    if found == _found(point, truth):
        return Message("Your present index finds as many, in {time}.", time=duration(present.seconds))
    return Message("Your present index finds {found}.", found=found)


def so_far(point: AdvicePoint, truth: str, points: Sequence[AdvicePoint]) -> Answer:
    """Return the best index so far, while others are tried."""
    return Answer(_("So far"), sentence(point, truth, None, several(points)))


def answer(result: AdviceResult, key: str, has: str, answers: str) -> Answer:
    """Return the texts about the proposed index, or about another chosen instead.

    Parameters
    ----------
    result : AdviceResult
    key : str
        Key of the index.
    has : str
        Its name in the library; empty if the library does not have it.
    answers : str
        Name of the index in use.
    """
    point = next(one for one in result.points if one.key == key)
    present = next((one for one in result.points if one.key == result.present), None)
    proposed = key == result.proposed
    if proposed:
        why = result.reasons
        stays = key == result.present
        badge = _("No change needed") if stays else _("Proposed")
    else:
        why = reasons(result.points, point, result.photographs, result.truth)
        badge = _("Chosen instead")
    if has:
        state = _("The library has it: “{name}”.", name=has)
        if has == answers:
            state = _("The library has it: “{name}”. It is in use.", name=has)
    else:
        state = text(result.existing) if proposed else ""
    return Answer(
        badge,
        sentence(point, result.truth, present, several(result.points)),
        tuple(map(text, why)),
        state,
        build=not has,
        stays=proposed and bool(state),
        default=bool(has) and has != answers,
        compare=True,
        back=not proposed,
        key=key,
    )


def several(points: Sequence[AdvicePoint]) -> bool:
    """Return whether the indexes compare different things."""
    return len({(one.descriptor, one.metric) for one in points}) > 1


def notes(point: AdvicePoint, proposed: str, present: str) -> list[str]:
    """Return whether an index is the proposed one, whether it is in use, and its name in the library."""
    said = (
        _("proposed") if point.key == proposed else "",
        _("in use") if point.key == present else "",
        f"“{point.index}”" if point.index and point.key != present else "",
    )
    return [one for one in said if one]


def left_out(result: AdviceResult) -> tuple[str, ...]:
    """Return the notes of an advice, and the indexes that were not tried or cannot be made."""
    told = [*result.notes]
    if result.not_tried:
        listed = result.not_tried[:_LISTED]
        groups: dict[str, list[IndexParts]] = {}
        for one in listed:
            groups.setdefault(one.descriptor, []).append(one)
        names = tuple(
            Message(
                "{descriptor} ({indexes})", descriptor=descriptor_name(key), indexes=tuple(map(_within_group, some))
            )
            for key, some in groups.items()
        )
        if more := len(result.not_tried) - len(listed):
            told.append(Message("No time for {indexes}, and {more} more.", indexes=names, more=more))
        else:
            told.append(Message("No time for {indexes}.", indexes=names))
    return tuple(map(text, [*told, *result.refused[:_LISTED]]))


def _within_group(index: IndexParts) -> Message:
    """Return an index's name among those with its descriptor."""
    search = "" if index.search == "scan" and index.method else index.search
    return joined(map(verbatim, (index.metric, index.method, search)), " · ")
