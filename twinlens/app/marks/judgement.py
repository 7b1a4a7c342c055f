"""Judgements in the window: pairs are marked, marks replaced or taken back, and each judgement is exactly undone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from twinlens.app.library.library import Library
from twinlens.app.marks.marked_pairs import marks_among
from twinlens.app.marks.marks import MarkedPictures, NamedPicture, kept_both, mark_folder, mark_group
from twinlens.app.search.search_query import SearchQuery
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.storage.database.dialect import pieces
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.marks import MarkRow, NewMark, smaller_first

MOST_ALIKE = 500
"""Photographs of a selection that are marked as alike at once, at most: more are selected by mistake."""

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
    """One mark as a result shows it; fields as in :class:`twinlens.storage.marks.MarkRow`."""

    id: int
    similar: bool
    origin: str
    created: str


@dataclass(frozen=True)
class ResultMarks:
    """The marks between the examples of a query and its results.

    Attributes
    ----------
    examples : tuple of int
        The photographs of the library that are positive examples of the query.
    of : dict
        The marks of each result that has some, in the order in which they were made.
    whole : bool
        Whether all examples are whole photographs.
    full : frozenset of int
        The results that are marked with every example, except copies of themselves.
    """

    examples: tuple[int, ...] = ()
    of: dict[int, tuple[ResultMark, ...]] = field(default_factory=dict)
    whole: bool = True
    full: frozenset[int] = frozenset()


def judge_pairs(
    library: Library, pairs: Sequence[tuple[int, int]], similar: bool | None, origin: str
) -> JudgementChange:
    """Judge pairs of photographs; earlier marks of a pair are replaced.

    Parameters
    ----------
    pairs : sequence of (int, int)
    similar : bool or None
        None takes the marks back.
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
                        "{name} is the searched photo: it cannot be marked with itself.",
                        name=Path(first.name).name,
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
        judged = {smaller_first(one)[:2] for one in new}
        before = [row for row in w.marks.among({it for pair in judged for it in pair}) if row.pair in judged]
        removed = w.marks.remove([row.id for row in before if row.similar != similar])
        added = [] if similar is None else w.marks.put(new)
        return JudgementChange(
            tuple(row.id for row in added), tuple(removed), tuple(dict.fromkeys(refused)), (), w.marks.count()
        )


def judge_alike(library: Library, ids: Sequence[int], origin: str = "selection") -> JudgementChange:
    """Judge that photographs are all alike; a second time takes it back. Marks that say the opposite are removed.

    Raises
    ------
    TwinlensError
        As :func:`twinlens.app.marks.marks.mark_group`.
    """
    result = mark_group(library, ids, origin)
    with library.store.writing("keeping marks") as w:
        pairs = marks_among(w, ids)
        rows = w.marks.by_id([one for pair in pairs for one in pair.marks])
        again = not result.added and all(row.similar for row in rows)
        removed = w.marks.remove([row.id for row in rows if again or not row.similar])
        added = tuple(one.id for one in result.added)
        # The contradicting marks are gone, and so is the note about them.
        notes = tuple(one for one in result.notes if one != kept_both(result.contradicting))
        return JudgementChange(added, tuple(removed), tuple(result.refused), notes, w.marks.count())


def judge_folder(library: Library, folder: Path, progress: Progress = silent) -> JudgementChange:
    """Judge that all photographs of a folder are alike; marks that say the opposite stay, and a note lists them.

    Where ``progress`` cancels, the marks made so far stay, and can be undone like the rest.

    Raises
    ------
    TwinlensError
        As :func:`twinlens.app.marks.marks.mark_folder`.
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
    """Undo a judgement exactly, and return the number of marks; marks removed meanwhile stay away."""
    *before, last = pieces(judged.added, _AT_ONCE) if judged.added else [()]
    for some in before:  # of a large folder: short transactions let other writers in
        with library.store.writing("undoing marks") as w:
            w.marks.remove(some)
    with library.store.writing("undoing marks") as w:
        w.marks.remove(last)
        w.marks.restore(judged.removed)
        return w.marks.count()


def result_marks(library: Library, query: SearchQuery, ids: Iterable[int]) -> ResultMarks:
    """Return the marks between the examples of a query and some results.

    A picture from elsewhere counts as the photograph of the library with its content, if there is one.
    """
    liked = [one for one in query.examples if one.weight > 0 and not one.sketch]
    whole = all(one.region is None for one in liked)
    with library.store.reading() as r:
        examples = {found: None for one in liked if (found := _photograph(library, r, one.picture)) is not None}
        results = list(ids)
        rows = r.photographs.by_id(sorted({*examples, *results}))
        contents = {row.id: row.content_hash for row in rows if row.content_hash is not None}
        of_examples = {contents[one] for one in examples if one in contents}
        of: dict[bytes, list[ResultMark]] = {}
        with_: dict[bytes, set[bytes]] = {}
        for row in r.marks.among(set(contents.values())):
            for one, other in (row.pair, row.pair[::-1]):
                if one in of_examples:
                    of.setdefault(other, []).append(ResultMark(row.id, row.similar, row.origin, row.created))
                    with_.setdefault(other, set()).add(one)
        marks = {one: tuple(of[contents[one]]) for one in results if contents.get(one) in of}
        full = frozenset(one for one in marks if with_[contents[one]] == of_examples - {contents[one]})
    return ResultMarks(tuple(examples), marks, whole, full)


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
