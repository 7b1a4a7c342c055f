"""Sheet of an advice, finished or still being measured, with its figures of recall against time and against bytes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from twinlens.app.bench.experiment import PEER
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.lab.advice.advice import KeptAdvice
from twinlens.app.lab.advice.advice_results import (
    AdvicePoint,
    AdviceResult,
    IndexParts,
    choose_proposal,
    comparable,
    on_frontier,
)
from twinlens.app.lab.advice.index_trials import NO_CHANGE
from twinlens.app.lab.advice.reasons import descriptor_name, index_name, query_duration, reasons, speed_name
from twinlens.app.lab.figures.figure import Axis, Figure, FigureKind, Series, Words, sentences
from twinlens.app.lab.lab_sheet import BETWEEN, OTHER_PROGRAM, LabSheet, LibraryIndexes, RowIndex, SheetRow, columns_of
from twinlens.core.message import NOTHING, Message, counted, joined, verbatim
from twinlens.core.tuning.parameter_search import frontier

TITLE = Message("Which method suits my photos?")
_FEW = 100  # queries: fewer are counted, more are given as a share
_LISTED = 12


def sheet_of_nothing() -> LabSheet:
    """Return the sheet that explains what an advice is for, before there is one."""
    return LabSheet(
        title=TITLE,
        finding=Message("Measures indexes on your own photos, and proposes the best."),
        reasons=(
            Message(
                "An index finds similar photos. It sets what is compared, how short codes are and how they are "
                "searched."
            ),
            Message("Your library and your files are not changed."),
        ),
    )


def sheet_so_far(
    points: Sequence[AdvicePoint], truth: str, library: LibraryIndexes, hidden: Collection[str] = ()
) -> LabSheet:
    """Return the sheet of an advice whose indexes are still being measured."""
    if not points:
        return LabSheet(title=TITLE, badge=Message("So far"), finding=Message("Nothing is measured yet."))
    best = choose_proposal(points)
    rows = _rows(points, library, best.key, provisional=True)
    return LabSheet(
        title=TITLE,
        badge=Message("So far"),
        finding=Message("≈ {sentence}", sentence=_sentence(best, truth, None, _several(points))),
        figures=_figures(points, truth, hidden),
        rows=rows,
        columns=columns_of(rows, lesser=("overlap@10",)),
        hidden=hidden,
        proposed=best.key,
    )


def sheet_of_advice(
    kept: KeptAdvice,
    library: LibraryIndexes,
    photographs: int,
    command: str = "",
    hidden: Collection[str] = (),
) -> LabSheet:
    """Return the sheet of a finished advice.

    Parameters
    ----------
    photographs : int
        In the library now.
    command : str
        Gives the same advice.
    hidden : collection of str
        Keys of rows hidden from the figures.
    """
    result = kept.result
    present = next((one for one in result.points if one.key == result.present), None)
    apart, every = _several(result.points), [*result.points, *result.peers]

    def with_precision(row: SheetRow, point: AdvicePoint) -> SheetRow:
        if row.key == result.proposed:
            return row
        why = () if point in result.peers else reasons(result.points, point, result.photographs, result.truth)
        return replace(row, sentence=_sentence(point, result.truth, present, apart), reasons=why)

    chosen, stays = result.point(), result.proposed == result.present or NO_CHANGE in result.reasons
    finding, why = _sentence(chosen, result.truth, present, apart), list(result.reasons)
    if stays and present is not None and present.key != result.proposed:
        # A person reads first of the index that they have and may keep.
        other = _sentence(chosen, result.truth, None, apart)
        finding = _sentence(present, result.truth, present, apart)
        why = [
            Message("Another that finds as much: {sentence}", sentence=other),
            *(one for one in why if one != NO_CHANGE),
        ]
    rows = _rows(result.points, library, result.proposed, result.peers)
    rows = [with_precision(row, point) for row, point in zip(rows, every, strict=True)]
    return LabSheet(
        title=TITLE,
        about=_when(kept),
        badge=Message("No change needed") if stays else Message("Proposed"),
        finding=finding,
        reasons=tuple(why if stays else filter(None, [*why, result.existing])),
        warning=_grown(photographs - kept.ready),
        notes=_notes(result),
        command=command,
        figures=_figures(result.points, result.truth, hidden, result.proposed, result.present, result.peers),
        rows=rows,
        columns=columns_of(rows, lesser=("overlap@10",)),
        hidden=hidden,
        proposed=result.proposed,
        asks_for_index=not stays and not result.existing,
    )


def finding_of_advice(result: AdviceResult) -> Message:
    """Return the proposal of an advice in one sentence."""
    apart, kept = _several(result.points), NO_CHANGE in result.reasons
    present = next((one for one in result.points if kept and one.key == result.present), None)
    return _sentence(present or result.point(), result.truth, None, apart)


def _figures(
    points: Sequence[AdvicePoint],
    truth: str,
    hidden: Collection[str],
    proposed: str = "",
    present: str = "",
    peers: Sequence[AdvicePoint] = (),
) -> list[Figure]:
    drawn, beside = ([one for one in some if one.key not in hidden] for some in (points, peers))
    return point_figures(drawn, truth, proposed, present, beside) if drawn else []


# ---- rows ------------------------------------------------------------------------------------------------------------
def _rows(
    points: Sequence[AdvicePoint],
    library: LibraryIndexes,
    proposed: str,
    peers: Sequence[AdvicePoint] = (),
    provisional: bool = False,
) -> list[SheetRow]:
    every = [*points, *peers]
    apart, dots = _several(every), colour_slots(every)

    def row(one: AdvicePoint) -> SheetRow:
        is_peer = one in peers
        index = None if is_peer else _index(one, library)
        note = OTHER_PROGRAM if is_peer else library.note(index, one.key == proposed)
        return SheetRow(
            key=one.key,
            name=index_name(one, apart),
            place=dots[one.key],
            values={
                "compares": _compared(one) if apart else None,
                "method": one.method or Message("exact search"),
                "search structure": None if one.exact or is_peer else one.search,
                "note": note, **one.values,
            },
            about=_about(one, apart),
            index=index,
            quiet=not (one.frontier or note or provisional),
            provisional=provisional,
        )  # fmt: skip

    return [row(one) for one in every]


def _index(point: AdvicePoint, library: LibraryIndexes) -> RowIndex:
    wanted = NewIndex(
        descriptor=point.descriptor, method=point.method or "itq", search=point.search, metric=point.metric
    )
    return library.row(wanted, point.method)


def _about(point: AdvicePoint, with_descriptor: bool) -> Message:
    named = joined(
        [
            verbatim(point.method) or Message("exact search"),
            NOTHING if point.exact else verbatim(point.search),
            _compared(point) if with_descriptor else NOTHING,
        ],
        BETWEEN,
    )
    return joined([named, counted("{count} query", "{count} queries", point.questions)], "\n")


# ---- words -----------------------------------------------------------------------------------------------------------
def _when(kept: KeptAdvice) -> Message:
    """Return when an advice was made, and how much it measured."""
    result = kept.result
    return joined(
        [
            Message("{moment}", moment=datetime.fromisoformat(kept.made).astimezone()),
            counted("{count} photo", "{count} photos", result.photographs),
            counted("{count} query", "{count} queries", result.questions),
            counted(
                "{count} index measured in {seconds:,.0f} s",
                "{count} indexes measured in {seconds:,.0f} s",
                result.tried,
                seconds=result.seconds,
            ),
            Message("stopped early") if result.cancelled else NOTHING,
        ],
        BETWEEN,
    )


def _grown(more: int) -> Message:
    """Return how the library has changed since an advice; empty if it has not."""
    if more > 0:
        return counted(
            "The library has {count} more photo now. Measure again for current advice.",
            "The library has {count} more photos now. Measure again for current advice.",
            more,
        )
    return (
        counted(
            "The library has {count} photo less now. Measure again for current advice.",
            "The library has {count} photos less now. Measure again for current advice.",
            -more,
        )
        if more
        else NOTHING
    )


def _several(points: Sequence[AdvicePoint]) -> bool:
    """Return whether the indexes use different descriptors."""
    return len({(one.descriptor, one.metric) for one in points}) > 1


def _compared(index: IndexParts) -> Message:
    """Return the plain name of an index's descriptor, and its metric."""
    return joined([descriptor_name(index.descriptor), verbatim(index.metric)], BETWEEN)


def _sentence(point: AdvicePoint, truth: str, present: AdvicePoint | None, with_descriptor: bool) -> Message:
    """Return recall and speed of an index, beside those of the present index."""
    values = {
        "index": index_name(point, with_descriptor),
        "found": _found(point, truth),
        "time": query_duration(point.seconds),
        "size": point.bytes_per_photograph,
    }
    sentence = {
        "edits": Message("{index} finds {found} edited copies in {time} ({size:,.0f} B per photo).", **values)
        if _is_counted(point, truth)
        else Message("{index} finds {found} of the edited copies in {time} ({size:,.0f} B per photo).", **values),
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
    return sentence if present is None else joined([sentence, _comparison(point, present, truth)])


def _found(point: AdvicePoint, truth: str) -> Message:
    """Return the recall of an index: a count of few edited copies, else a share."""
    if _is_counted(point, truth):
        return Message("{found} of {count}", found=round(point.recall * point.questions), count=point.questions)
    return Message("{share:.0%}", share=point.recall)


def _is_counted(point: AdvicePoint, truth: str) -> bool:
    """Return whether the recall of an index is written as a count."""
    return truth == "edits" and point.questions <= _FEW


def _comparison(point: AdvicePoint, present: AdvicePoint, truth: str) -> Message:
    if present.key == point.key:
        return Message("It is your current index.")
    found = _found(present, truth)
    if found == _found(point, truth):
        return Message("Your current index finds as many, in {time}.", time=query_duration(present.seconds))
    return Message("Your current index finds {found}.", found=found)


def _notes(result: AdviceResult) -> list[Message]:
    """Return the notes of an advice, and the indexes that were not tried or cannot be made."""
    notes_below = [*result.notes]
    if result.peers:
        notes_below.append(
            Message("Indexes of other programs are measured to compare with. None of them can be made here.")
        )
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
            notes_below.append(Message("No time for {indexes}, and {more} more.", indexes=names, more=more))
        else:
            notes_below.append(Message("No time for {indexes}.", indexes=names))
    return [*notes_below, *result.refused[:_LISTED]]


def _within_group(index: IndexParts) -> Message:
    """Return an index's name among the indexes with its descriptor."""
    search = "" if index.search == "scan" and index.method else index.search
    return joined(map(verbatim, (index.metric, index.method, search)), BETWEEN)


_FOUND = {
    "edits": Message("share of edited photos found among the first 10"),
    "marks": Message("share of similar photos found among the first 10"),
    "pairs": Message("share of matching photos found among the first 10"),
    "neighbours": Message("of the exact first 10 found"),
}
_LEAST = 0.02  # of recall, around what was measured
_EDGE = 0.02  # of the axis, below 0, where nothing can be, for the markers there


def point_figures(
    points: Sequence[AdvicePoint],
    truth: str,
    proposed: str = "",
    present: str = "",
    peers: Sequence[AdvicePoint] = (),
) -> list[Figure]:
    """Return recall against time and against bytes, with the frontier as a line.

    Each point has the key of its index, so that a click can make it one. What is proposed and what answers now, if
    anything, are told by their keys; indexes of other programs, the peers, are on no frontier.
    """
    found = [one.judged for one in (*points, *peers)]
    pad = max(_LEAST, (max(found) - min(found)) / 10)
    top = min(1.0, max(found) + pad)  # an axis that ends at 1 leaves room for the markers there itself
    found_share = _FOUND[truth]
    recall = Axis(
        found_share
        if all(one.wrong is None for one in points)
        else Message("{found}, less the wrong ones", found=found_share),
        low=max(min(0.0, *found) - _EDGE * abs(top), min(found) - pad),
        high=top,
    )
    full = comparable(points)
    best = {one.key for one, front in zip(full, on_frontier(full), strict=True) if front}
    note = NOTHING
    if len(full) < len(points):
        note = Message(
            "The line shows candidates that were measured with {questions} queries; the others had fewer, and may find "
            "as much by chance.",
            questions=full[0].questions,
        )
    roles = dict.fromkeys(best, NOTHING)
    roles |= {present: Message("now")}
    roles |= {proposed: Message("proposed") if proposed != present else Message("proposed, now")}
    return [
        Figure(
            name="advice-time",
            title=Message("Recall against time"),
            reading=Message(
                "Higher finds more, further left is faster. No index of the library could beat those on the line."
            )
            if peers
            else Message("Higher finds more, further left is faster. Nothing measured beats the points on the line."),
            x=Axis(Message("time of a query"), "ms", log=True),
            y=recall,
            series=_series(points, peers, roles, lambda one: 1000 * one.seconds),
            note=note,
        ),
        Figure(
            name="advice-bytes",
            title=Message("Recall against bytes"),
            reading=Message(
                "Higher finds more, further left is smaller. No index of the library could beat those on the line."
            )
            if peers
            else Message("Higher finds more, further left is smaller. Nothing measured beats the points on the line."),
            x=Axis(Message("bytes read per photo and search"), "B", log=True),
            y=recall,
            series=_series(points, peers, roles, lambda one: one.bytes_per_photograph),
            note=note,
        ),
    ]


def _series(
    points: Sequence[AdvicePoint],
    peers: Sequence[AdvicePoint],
    roles: dict[str, Message],
    across: Callable[[AdvicePoint], float],
) -> list[Series]:
    """Return a series for each method and descriptor, after the line of the frontier."""
    best = frontier(comparable(points), across)
    named: Words = Message("frontier") if len(best) > 1 else ""  # of a single point there is no line to be seen
    line = Series(named, [across(one) for one in best], [one.judged for one in best], place=-1)
    return [
        line,
        *(_points(name, some, roles, across, place) for place, (name, some) in enumerate(_groups([*points, *peers]))),
    ]


def _groups(points: Sequence[AdvicePoint]) -> list[tuple[Words, list[AdvicePoint]]]:
    """Return the indexes of each method and descriptor, in the order of the palette."""
    groups: dict[Words, list[AdvicePoint]] = {}
    several = len({one.descriptor for one in points}) > 1
    for one in points:
        name = _method(one)
        described = Message("{method} · {descriptor}", method=name, descriptor=descriptor_name(one.descriptor))
        groups.setdefault(described if several else name, []).append(one)
    return sorted(groups.items(), key=lambda group: str(group[0]))


def colour_slots(points: Sequence[AdvicePoint]) -> dict[str, int]:
    """Return the palette slot of each index, by its key."""
    return {one.key: place for place, (_, some) in enumerate(_groups(points)) for one in some}


def _method(one: AdvicePoint) -> Words:
    return one.method.partition(":")[0] or Message("exact")


def _points(
    name: Words, some: list[AdvicePoint], roles: dict[str, Message], across: Callable[[AdvicePoint], float], place: int
) -> Series:
    return Series(
        name,
        [across(one) for one in some],
        [one.judged for one in some],
        kind=FigureKind.POINTS,
        place=place,
        labels=[_label(one, roles) for one in some],
        ranks=[_rank(one, roles) for one in some],
        points=[
            {
                Message("descriptor"): descriptor_name(one.descriptor),
                Message("method"): one.method or Message("exact"),
                Message("search"): one.search,
                Message("felt"): speed_name(one),
                Message("queries"): Message("{count}", count=one.questions),
                **({Message("index"): one.index} if one.index else {}),
            }
            for one in some
        ],
        keys=[one.key for one in some],
        marked=True,
    )


def _label(one: AdvicePoint, roles: dict[str, Message]) -> Message:
    """Name the proposed index, the present one, and those on the frontier; label the others by their bits."""
    bits = Message("{bits}", bits=one.bits) if one.bits else NOTHING
    if one.method.startswith(PEER):
        return verbatim(one.method.removeprefix(PEER))
    if one.key not in roles:
        return bits
    named = sentences([_method(one), bits])
    return Message("{role}: {method}", role=roles[one.key], method=named) if roles[one.key] else named


def _rank(one: AdvicePoint, roles: dict[str, Message]) -> int:
    """Place the labels of the proposed and the present index first, then those on the frontier."""
    if one.key not in roles:
        return 2
    return 0 if roles[one.key] else 1
