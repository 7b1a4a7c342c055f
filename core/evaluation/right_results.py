"""Right results of queries, by a truth: neighbours, items of the same label, or what the data say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Int64Rows
from core.errors import TwinlensError
from core.evaluation.evaluation_task import RELEVANT
from core.evaluation.named_truth import radius_neighbour
from core.evaluation.tables import Tables
from core.evaluation.truth import Distance, Euclidean, TrueNeighbours, rows_within, sharing_label
from core.message import Message
from core.progress import Progress

MOST_RELEVANT = 5_000

FOLDERS = "folders"
OWN_TRUTHS = (FOLDERS, "marks", "edits")
"""Truths given by the photographs of a library."""


@dataclass(frozen=True, eq=False)
class RightResults:
    """Right results of each query.

    Attributes
    ----------
    relevant : sequence of ndarray of int64
        For precision, recall and average precision.
    nearest : sequence of ndarray of int64
        For recall@R.
    meaning : Message
    """

    relevant: Sequence[Int64Rows]
    nearest: Sequence[Int64Rows]
    meaning: Message


def right_results(
    text: str, found: TrueNeighbours, distance: Distance, given: Tables, progress: Progress
) -> RightResults:  # fmt: skip
    """Return the right results by a truth.

    Raises
    ------
    TwinlensError
        If the data do not have what the truth needs.
    """
    first = found.first(1)
    if text in {"labels", FOLDERS}:
        if given.labels is None or given.query_labels is None:
            raise TwinlensError(
                Message("The truth “{truth}” needs labels of base and queries.", truth=text),
                Message("Give a file of labels."),
            )
        relevant = sharing_label(given.labels, given.query_labels, given.own)
        return RightResults(relevant, first, given.meaning or Message("vectors with the same label"))
    if text in OWN_TRUTHS:
        if given.relevant is None:
            raise TwinlensError(
                Message("The truth “{truth}” needs a library.", truth=text),
                Message("Run the experiment in the library."),
            )
        return RightResults(given.relevant, given.relevant, given.meaning)
    if (radius := radius_neighbour(text)) is not None:
        relevant, meaning = _within(radius, found, distance, given, progress)
        return RightResults(relevant, first, meaning)
    return RightResults(
        found.first(RELEVANT), first, Message("the {count} nearest by {truth}", count=RELEVANT, truth=text)
    )


def _within(
    count: int, found: TrueNeighbours, distance: Distance, given: Tables, progress: Progress
) -> tuple[list[Int64Rows], Message]:
    """Return the rows nearer than the average distance to the count-th neighbour (Kim and Choi's protocol)."""
    place = min(count, found.distances.shape[1]) - 1
    squared = isinstance(distance, Euclidean)
    far = np.sqrt(found.distances[:, place]) if squared else found.distances[:, place]
    relevant = rows_within(distance, given.base, given.queries, float(far.mean()) ** 2, given.own, progress)
    kept = [rows if len(rows) <= MOST_RELEVANT else rows[:0] for rows in relevant]
    return kept, Message(
        "vectors nearer than the average distance to neighbour {place} ({distance:.4g})",
        place=place + 1,
        distance=far.mean(),
    )
