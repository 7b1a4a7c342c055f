"""Marks that pass from a photograph that goes to the one that is kept in its place, and back."""

from __future__ import annotations

from collections.abc import Sequence

from storage.duplicates.disposals import DisposalRow
from storage.library.transaction import Transaction
from storage.marks import NewMark

MARKS = "marks"
"""Under this name the log has the ids of the marks that were made."""


def transfer_marks(w: Transaction, gone: bytes, kept: bytes, kept_name: str) -> list[int]:
    """Move the marks of a content without photographs to the content kept in its place.

    What a person said of that one and the same third photograph stays as it is.

    Parameters
    ----------
    w : Transaction
    gone, kept : bytes
        Content hashes.
    kept_name : str
        Where the kept photograph lies, for people.

    Returns
    -------
    list of int
        Ids of the marks that were made.
    """
    if gone == kept or w.photographs.by_hash(gone):
        return []
    said = {one for row in w.marks.of(kept) for one in row.pair}
    new = []
    for row in w.marks.of(gone):
        of_first = row.first == gone
        other, name = (row.second, row.second_name) if of_first else (row.first, row.first_name)
        if other not in said and other != kept:
            new.append(NewMark(kept, other, kept_name, name, row.similar, row.origin))
    return [row.id for row in w.marks.put(new)]


def take_back_marks(w: Transaction, rows: Sequence[DisposalRow]) -> None:
    """Take back the marks that were passed on when photographs went, which are about to be back.

    A mark that others which are still away would have passed on, too, is passed on by them.
    """
    back = {row.content_hash for row in rows}
    passed = [row for row in w.disposals.of_contents(back) if row.known.get(MARKS)]
    w.marks.remove([one for row in passed for one in row.known[MARKS]])
    for row in passed:
        w.disposals.passed_on(row.id, {**row.known, MARKS: []})
    for kept in {row.kept for row in passed}:
        for other in w.disposals.kept_instead(kept):
            made = [] if other.content_hash in back else transfer_marks(w, other.content_hash, kept, other.kept_name)
            if made:
                w.disposals.passed_on(other.id, {**other.known, MARKS: [*other.known.get(MARKS, []), *made]})
