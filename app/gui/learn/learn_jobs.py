"""Jobs that gather what the Learn view shows, from the use cases."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from app.gui.learn.learn_facts import (
    Change,
    Judgement,
    KeptMetric,
    MarkedPair,
    MarksCount,
    Meaning,
    MetricList,
    PairToMark,
    Picture,
    Weight,
)
from app.gui.look.images import image_of
from app.gui.marks.mark_words import origin_words
from app.language.spoken import _, text
from core.errors import TwinlensError
from core.files.untrusted_input import plain
from core.progress import Progress

if TYPE_CHECKING:
    from app.learn.learning import Proposal
    from app.learn.next_pairs_results import OfferResult
    from app.learn.results import HeldOut, LearnResult, Measured
    from app.library.library import Library
    from app.marks.mark_filters import MarkFilters
    from app.marks.results import MarkStatus


def pictures(library: Library, ids: Iterable[int]) -> dict[int, Picture]:
    """Find photographs."""
    from app.library.browsing import photographs

    return {one.id: Picture(one.id, one.content_hash, one.name) for one in photographs(library, list(ids))}


def large_image(library: Library, photograph_id: int, side: int) -> QImage:
    """Decode a photograph, its longer side at most so many pixels; a null one where it cannot be read now."""
    from app.library.pictures import large_picture

    try:
        return image_of(large_picture(library, photograph_id, side))
    except TwinlensError:
        return QImage()  # its thumbnail stays


# --- marks -----------------------------------------------------------------------------------------------------------


def filters(chosen: str) -> MarkFilters:
    """Return what a filter of the list lets through."""
    from app.marks.mark_filters import MarkFilters

    return {
        "similar": MarkFilters(similar=True),
        "different": MarkFilters(similar=False),
        "contradicted": MarkFilters(contradicted=True),
        "missing": MarkFilters(missing=True),
    }.get(chosen, MarkFilters())


def marks(library: Library, chosen: str) -> tuple[MarksCount, list[MarkedPair]]:
    """List the marks of a filter, the newest first, and count all."""
    from app.marks.marks import list_marks

    listed = list_marks(library, filters(chosen))
    count = MarksCount(listed.total, listed.similar, listed.different, listed.contradicted, listed.missing)
    return count, [_marked(one) for one in reversed(listed.marks)]


def _marked(one: MarkStatus) -> MarkedPair:
    first = Picture(_id(one.first_id), bytes.fromhex(one.first_content), plain(os.path.basename(one.first)))
    second = Picture(_id(one.second_id), bytes.fromhex(one.second_content), plain(os.path.basename(one.second)))
    made = datetime.fromisoformat(one.created).astimezone()
    origin = _("{origin}, {moment}", origin=origin_words(one.origin), moment=made)
    return MarkedPair(
        one.id, first, second, one.similar, contradicted=one.contradicted, missing=one.missing, origin=origin
    )


def _id(photograph_id: int | None) -> int:
    return -1 if photograph_id is None else photograph_id


# --- what to mark next -----------------------------------------------------------------------------------------------


def offered(library: Library, result: OfferResult) -> list[PairToMark]:
    """Return the pairs that are offered."""
    known = pictures(library, {one for pair in result.pairs for one in (pair.first_id, pair.second_id)})
    return [
        PairToMark(known[pair.first_id], known[pair.second_id], text(pair.reason))
        for pair in result.pairs
        if pair.first_id in known and pair.second_id in known
    ]


# --- what learning did -----------------------------------------------------------------------------------------------


def judgement(result: LearnResult, can_be_kept: bool) -> Judgement:
    """Return what learning did."""
    before, after = result.before, result.after
    from app.marks.marked_pairs import both_ways

    changes = []
    if before is not None and after is not None:
        for name, old, new in (
            (_("Pair accuracy"), before.accuracy, after.accuracy),
            (_("ROC area"), before.area, after.area),
            (_("recall@10"), before.recall, after.recall),
        ):
            if old is not None and new is not None:
                changes.append(Change(name, old.mean, new.mean, _off(new)))
    return Judgement(
        marks=result.pairs,
        better=result.better,
        earlier=result.earlier,
        worse=result.worse,
        of=result.of,
        sure=result.sure,
        more=result.more,
        changes=tuple(changes),
        seconds=result.seconds,
        contradicted=result.contradictions,
        can_be_kept=can_be_kept,
        left_out=tuple(text(one) for one in result.left_out if one != both_ways(result.contradictions)),
    )


def _off(measured: Measured) -> float:
    """Return half of the interval."""
    return max(measured.high - measured.mean, measured.mean - measured.low)


# --- metrics ---------------------------------------------------------------------------------------------------------


def metric_list(library: Library, index: str, judged: bool, progress: Progress) -> MetricList:
    """List the metrics, of which search uses that of an index.

    Parameters
    ----------
    library : Library
    index : str
        That searches now.
    judged : bool
        Whether to say how each stands on the marks there are now, which takes longer.
    progress : Progress
    """
    from app.learn.metric_use import can_go_back
    from app.learn.metrics import list_metrics

    kept = list_metrics(library).metrics
    standing = _standing(library, index, progress) if judged and kept else {}
    shown = tuple(
        KeptMetric(one.name, text(one.note) or one.descriptor, standing.get(one.name, ""), index in one.indexes)
        for one in kept
    )
    return MetricList(shown, not any(one.used for one in shown), can_go_back(library) or None)


def plain_index(library: Library, index: str) -> str:
    """Return the index that measures the same without what was learned: itself, where it measures by no kept metric."""
    from app.indexes.indexes import list_indexes
    from app.learn.metrics import list_metrics
    from app.library.library import AUTOMATIC

    under = {name for one in list_metrics(library).metrics for name in one.indexes}
    if index not in under:
        return index
    indexes = list_indexes(library).indexes
    kinds = {one.name: one.descriptor for one in indexes}
    same = [name for name, kind in kinds.items() if kind == kinds.get(index) and name not in under]
    return AUTOMATIC if not same or AUTOMATIC in same else same[0]


def _standing(library: Library, index: str, progress: Progress) -> dict[str, str]:
    from app.learn.metric_use import compare_metrics

    try:
        compared = compare_metrics(library, index, progress=progress)
    except TwinlensError:
        return {}  # there are too few marks: the metrics are listed all the same
    return {one.name: _held_out(one.held_out, one.seen) for one in compared.metrics}


def _held_out(told: HeldOut | None, seen: int) -> str:
    """Write how a metric stands in a few figures."""
    accuracy = None if told is None else told.accuracy
    if accuracy is None:
        return _("Marks of other photographs would tell how it stands.") if seen else ""
    return _(
        "Pair accuracy {accuracy:.0%} (± {off}) on marks it has not seen",
        accuracy=accuracy.mean,
        off=max(1, round(100 * _off(accuracy))),
    )


def meaning(library: Library, metric: Proposal | str, progress: Progress) -> Meaning | None:
    """Return what a metric weighs; nothing where that cannot be said."""
    from app.learn.metric_meaning import metric_meaning

    try:
        told = metric_meaning(library, metric, progress=progress)
    except TwinlensError:
        return None
    ids = {one for centre in told.centres for one in centre.photographs}
    ids |= {one for way in told.directions for one in (*way.one_end, *way.other_end)}
    known = pictures(library, ids)

    def some(photographs: Sequence[int]) -> tuple[Picture, ...]:
        return tuple(known[one] for one in photographs if one in known)[:3]

    weights = [Weight("", one.factor, colour=one.rgb) for one in told.colours]
    weights += [Weight(text(one.name), one.factor) for one in told.parts]
    weights += [
        Weight(_("Centre {number:d}", number=one.number), one.factor, pictures=some(one.photographs))
        for one in told.centres
    ]
    weights += [
        Weight("", one.factor, pictures=some(one.one_end), others=some(one.other_end)) for one in told.directions
    ]
    return Meaning(text(told.sentence), tuple(weights))


def with_distances(
    some: Sequence[MarkedPair], distances: dict[int, tuple[float | None, float | None]]
) -> list[MarkedPair]:
    """Add distances before and after to marks."""
    nothing = (None, None)
    told = [(one, *distances.get(one.id, nothing)) for one in some]
    return [replace(one, before=before, after=after) for one, before, after in told]
