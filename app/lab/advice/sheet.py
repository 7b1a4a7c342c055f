"""Sheet of an advice, finished or still being measured."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from app.indexes.indexes import NewIndex
from app.lab.advice.choice import choose_proposal
from app.lab.advice.figures import colour_slots, point_figures
from app.lab.advice.last_advice import KeptAdvice
from app.lab.advice.reasons import descriptor_name, index_name, query_duration, reasons
from app.lab.advice.report import NO_CHANGE
from app.lab.advice.results import AdvicePoint, AdviceResult, IndexParts
from app.lab.figures.figure import Figure
from app.lab.indexes import LibraryIndexes
from app.lab.sheet import BETWEEN, OTHER_PROGRAM, LabSheet, RowIndex, SheetRow, columns_of
from core.message import NOTHING, Message, counted, joined, verbatim

TITLE = Message("Which method suits my photos?")
_FEW = 100  # queries: fewer are counted, more are given as a share
_LISTED = 12


def sheet_of_nothing() -> LabSheet:
    """Return what an advice is for, before there is one."""
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
    """Return what is known while indexes are still measured."""
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
    """Return what an advice has found.

    Parameters
    ----------
    kept : KeptAdvice
    library : LibraryIndexes
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

    def said(row: SheetRow, point: AdvicePoint) -> SheetRow:
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
    rows = [said(row, point) for row, point in zip(rows, every, strict=True)]
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
    """Return what an advice proposes, in one sentence."""
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
                "found@10": one.recall, "precision@10": one.precision, "wrong@10": one.wrong, "overlap@10": one.overlap,
                "search": 1000 * one.seconds, "tenfold": 1000 * one.seconds_tenfold,
                "bytes": one.bytes_per_photograph, "note": note,
            },
            about=_about(one, apart),
            index=index,
            quiet=not (one.frontier or note or provisional),
            provisional=provisional,
        )  # fmt: skip

    return [row(one) for one in every]


def _index(point: AdvicePoint, library: LibraryIndexes) -> RowIndex:
    wanted = NewIndex(point.descriptor, point.method or "itq", point.search, metric=point.metric)
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
    """Return when an advice was found, and how much it measured."""
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
    """Return whether the indexes compare different things."""
    return len({(one.descriptor, one.metric) for one in points}) > 1


def _compared(index: IndexParts) -> Message:
    """Return the plain name of an index's descriptor, and its metric."""
    return joined([descriptor_name(index.descriptor), verbatim(index.metric)], BETWEEN)


def _is_counted(point: AdvicePoint, truth: str) -> bool:
    """Return whether what an index finds is given as a count."""
    return truth == "edits" and point.questions <= _FEW


def _found(point: AdvicePoint, truth: str) -> Message:
    """Return how much an index finds: a count of few edited copies, else a share."""
    if _is_counted(point, truth):
        return Message("{found} of {count}", found=round(point.recall * point.questions), count=point.questions)
    return Message("{share:.0%}", share=point.recall)


def _sentence(point: AdvicePoint, truth: str, present: AdvicePoint | None, with_descriptor: bool) -> Message:
    """Return how much an index finds and how fast, and the same of the present one."""
    values = {
        "index": index_name(point, with_descriptor),
        "found": _found(point, truth),
        "time": query_duration(point.seconds),
        "size": point.bytes_per_photograph,
    }
    said = {
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
    return said if present is None else joined([said, _comparison(point, present, truth)])


def _comparison(point: AdvicePoint, present: AdvicePoint, truth: str) -> Message:
    if present.key == point.key:
        return Message("It is your current index.")
    found = _found(present, truth)
    if found == _found(point, truth):
        return Message("Your current index finds as many, in {time}.", time=query_duration(present.seconds))
    return Message("Your current index finds {found}.", found=found)


def _notes(result: AdviceResult) -> list[Message]:
    """Return the notes of an advice, and the indexes that were not tried or cannot be made."""
    told = [*result.notes]
    if result.peers:
        told.append(Message("Indexes of other programs are measured to compare with. None of them can be made here."))
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
    return [*told, *result.refused[:_LISTED]]


def _within_group(index: IndexParts) -> Message:
    """Return an index's name among those with its descriptor."""
    search = "" if index.search == "scan" and index.method else index.search
    return joined(map(verbatim, (index.metric, index.method, search)), BETWEEN)
