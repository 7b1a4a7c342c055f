"""Judging as the window does it: one judgement of a pair at a time, replaced or taken back, and exactly undone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from app.library.library import Library
from app.marks.marked_pairs import marks_among
from app.marks.marks import MarkedPictures, NamedPicture, kept_both, mark_folder, mark_group
from app.search.search_query import SearchQuery
from core.message import Message
from core.progress import Progress, silent
from storage.database.dialect import pieces
from storage.database.schema import PhotographState
from storage.library.store import Transaction
from storage.marks import MarkRow, NewMark

MOST_ALIKE = 500
"""Photographs of a selection that are marked as alike at once: more than that are selected by a slip."""

_AT_ONCE = 1_000  # marks in one transaction


@dataclass(frozen=True)
class JudgementChange:
    """The change that a judgement made.

    Attributes
    ----------
    added : tuple of int
        Marks that are new.
    removed : tuple of MarkRow
        Marks that are gone: taken back, or replaced by their opposite.
    refused : tuple of Message
        A sentence for each pair that cannot be marked.
    total : int
        Marks that the library keeps now.
    """

    added: tuple[int, ...]
    removed: tuple[MarkRow, ...]
    refused: tuple[Message, ...]
    notes: tuple[Message, ...]
    total: int


class ResultMark(NamedTuple):
    """One mark, as it is told of beside a result; as :class:`storage.marks.MarkRow`."""

    id: int
    similar: bool
    origin: str
    created: str


@dataclass(frozen=True)
class ResultMarks:
    """The marks between what is asked with and its answers.

    Attributes
    ----------
    asked : tuple of int
        The photographs of the library that are asked with, as what the answers shall be like.
    of : dict
        For each answer that has some: its marks, in the order in which they came.
    whole : bool
        Whole photographs are asked with, no parts of them.
    full : frozenset of int
        The answers that are marked with every photograph that is asked with, copies of themselves left out.
    """

    asked: tuple[int, ...] = ()
    of: dict[int, tuple[ResultMark, ...]] = field(default_factory=dict)
    whole: bool = True
    full: frozenset[int] = frozenset()


def judge_pairs(
    library: Library, pairs: Sequence[tuple[int, int]], similar: bool | None, origin: str
) -> JudgementChange:
    """Judge pairs of photographs; what was said of them before makes way.

    Parameters
    ----------
    pairs : sequence of (int, int)
    similar : bool or None
        None takes back what was said.
    origin : str
        Where it was judged.
    """
    with library.store.writing("keeping marks") as w:
        pictures = MarkedPictures(library, w)
        pictures.expect(one for pair in pairs for one in pair)
        new: list[NewMark] = []
        refused: list[Message] = []
        for pair in pairs:
            first, second = (pictures.find(one) for one in pair)
            refused += [one for one in (first, second) if isinstance(one, Message)]
            if not isinstance(first, NamedPicture) or not isinstance(second, NamedPicture):
                continue
            if first.id == second.id:
                refused.append(
                    Message(
                        "{name} is what was asked with: it cannot be marked with itself.", name=Path(first.name).name
                    )
                )
            elif first.content == second.content:
                refused.append(
                    Message(
                        "{name} is the same file again, byte for byte: nothing to mark.", name=Path(second.name).name
                    )
                )
            else:
                new.append(NewMark(first.content, second.content, first.name, second.name, bool(similar), origin))
        said = {one.ordered()[:2] for one in new}
        before = [row for row in w.marks.among({it for pair in said for it in pair}) if row.pair in said]
        removed = w.marks.remove([row.id for row in before if row.similar != similar])
        added = [] if similar is None else w.marks.put(new)
        return JudgementChange(
            tuple(row.id for row in added), tuple(removed), tuple(dict.fromkeys(refused)), (), w.marks.count()
        )


def judge_alike(library: Library, ids: Sequence[int], origin: str = "selection") -> JudgementChange:
    """Judge that photographs are all alike; said again, it is taken back. Marks that say the opposite make way.

    Raises
    ------
    TwinlensError
        As :func:`app.marks.marks.mark_group`.
    """
    result = mark_group(library, ids, origin)
    with library.store.writing("keeping marks") as w:
        pairs = marks_among(w, ids)
        rows = w.marks.by_id([one for pair in pairs for one in pair.marks])
        again = not result.added and all(row.similar for row in rows)
        removed = w.marks.remove([row.id for row in rows if again or not row.similar])
        added = tuple(one.id for one in result.added)
        # What contradicted is gone, so the note of it is none any more.
        notes = tuple(one for one in result.notes if one != kept_both(result.contradicting))
        return JudgementChange(added, tuple(removed), tuple(result.refused), notes, w.marks.count())


def judge_folder(library: Library, folder: Path, progress: Progress = silent) -> JudgementChange:
    """Judge that all photographs of a folder are alike; marks that say the opposite stay, and are told of.

    Where ``progress`` says to stop, what is marked already is kept, and can be undone like the rest.

    Raises
    ------
    TwinlensError
        As :func:`app.marks.marks.mark_folder`.
    """
    result = mark_folder(library, folder, progress=progress)
    return JudgementChange(
        tuple(one.id for one in result.added), (), tuple(result.refused), tuple(result.notes), result.total
    )


def remove_judgements(library: Library, ids: Sequence[int]) -> JudgementChange:
    """Remove marks."""
    with library.store.writing("removing marks") as w:
        return JudgementChange((), tuple(w.marks.remove(ids)), (), (), w.marks.count())


def undo_judgement(library: Library, judged: JudgementChange) -> int:
    """Undo a judgement exactly, and give how many marks there are then; what was removed meanwhile stays away."""
    *before, last = pieces(judged.added, _AT_ONCE) if judged.added else [()]
    for some in before:  # of a large folder, so that whoever else wants to write never waits long
        with library.store.writing("undoing marks") as w:
            w.marks.remove(some)
    with library.store.writing("undoing marks") as w:
        w.marks.remove(last)
        w.marks.restore(judged.removed)
        return w.marks.count()


def result_marks(library: Library, question: SearchQuery, ids: Iterable[int]) -> ResultMarks:
    """Return the marks between what is asked with and some answers.

    Pictures that lie elsewhere count as the photograph of the library that has their content, where there is one.
    """
    liked = [one for one in question.examples if one.weight > 0 and not one.sketch]
    whole = all(one.region is None for one in liked)
    with library.store.reading() as r:
        asked = {found: None for one in liked if (found := _photograph(library, r, one.picture)) is not None}
        answers = list(ids)
        rows = r.photographs.by_id(sorted({*asked, *answers}))
        contents = {row.id: row.content_hash for row in rows if row.content_hash is not None}
        of_asked = {contents[one] for one in asked if one in contents}
        of: dict[bytes, list[ResultMark]] = {}
        with_: dict[bytes, set[bytes]] = {}
        for row in r.marks.among(set(contents.values())):
            for one, other in (row.pair, row.pair[::-1]):
                if one in of_asked:
                    of.setdefault(other, []).append(ResultMark(row.id, row.similar, row.origin, row.created))
                    with_.setdefault(other, set()).add(one)
        marks = {one: tuple(of[contents[one]]) for one in answers if contents.get(one) in of}
        full = frozenset(one for one in marks if with_[contents[one]] == of_asked - {contents[one]})
    return ResultMarks(tuple(asked), marks, whole, full)


def _photograph(library: Library, r: Transaction, picture: object) -> int | None:
    if isinstance(picture, int):
        return picture
    if not isinstance(picture, Path | bytes):
        return None
    if isinstance(picture, Path):
        found = MarkedPictures(library, r).find(picture)
        if isinstance(found, NamedPicture):
            return found.id
        try:
            with picture.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").digest()
        except OSError:
            return None
    else:
        digest = hashlib.sha256(picture).digest()
    return next((row.id for row in r.photographs.by_hash(digest) if row.state is PhotographState.READY), None)
