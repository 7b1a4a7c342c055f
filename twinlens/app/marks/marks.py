"""Marks: pairs of photographs that a person calls similar or different, made, listed, filtered, removed, restored.

A mark is between contents. :class:`MarkedPictures` finds the content of a named picture, and :func:`mark_statuses` the
photographs that have a content now.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from twinlens.app.library.library import Library, absolute_path
from twinlens.app.marks.mark_filters import EVERY_MARK, MarkFilters
from twinlens.app.marks.mark_results import MarkResult, MarksResult, MarkStatus, RemovedMarks
from twinlens.core.errors import Cancelled, Remedy, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import NOTHING, Message, counted, joined
from twinlens.core.progress import Progress, silent
from twinlens.storage.database.dialect import pieces
from twinlens.storage.database.values import PhotographState, now
from twinlens.storage.library.store import Transaction
from twinlens.storage.marks import MarkRow, NewMark, smaller_first
from twinlens.storage.photographs.photograph_listing import Filter
from twinlens.storage.photographs.photographs import PhotographRow

PAIRS_EACH = 5
"""Pairs that are marked for each photograph of a large group; of a small group all pairs are marked."""

_AT_ONCE = 1_000  # marks in one transaction: some 50 ms, too short to be noticed by a waiting writer


def mark_pairs(
    library: Library, pairs: Sequence[tuple[int | Path, int | Path]], similar: bool, origin: str = "asked"
) -> MarkResult:
    """Mark pairs of photographs.

    Parameters
    ----------
    pairs : sequence of (int or Path, int or Path)
        By id or path.
    origin : str
        Where the judgement was made: results, selection, group, asked.

    Returns
    -------
    MarkResult
        A pair that cannot be marked is refused in a sentence, the others are marked.
    """
    with library.store.reading() as r:
        pictures = MarkedPictures(library, r)
        pictures.expect(picture for pair in pairs for picture in pair if isinstance(picture, int))
        new: list[NewMark] = []
        refused: list[Message] = []
        for pair in pairs:
            first, second = (pictures.find(picture) for picture in pair)
            refused += [one for one in (first, second) if isinstance(one, Message)]
            if isinstance(first, NamedPicture) and isinstance(second, NamedPicture):
                why_not = _same(first, second)
                if why_not:
                    refused.append(why_not)
                else:
                    new.append(NewMark(first.content, second.content, first.name, second.name, similar, origin))
    return keep_marks(library, new, refused, [])


def _same(first: NamedPicture, second: NamedPicture) -> Message:
    if first.id == second.id:
        return Message("{name} cannot be marked with itself.", name=first.name)
    if first.content == second.content:
        return Message(
            "{first} and {second} are the same, byte for byte: there is nothing to learn from them.",
            first=first.name,
            second=second.name,
        )
    return NOTHING


def mark_group(
    library: Library,
    pictures: Sequence[int | Path],
    origin: str = "group",
    seed: int = 0,
    progress: Progress = silent,
) -> MarkResult:
    """Mark that all photographs of a selection or a group are alike.

    In a large group, all pairs would be very many and add little. So the photographs are put in a random circle, and
    each is paired with the next `PAIRS_EACH`: the pairs connect all of them.

    Parameters
    ----------
    pictures : sequence of int or Path
        By id or path; several of one content count once.
    seed : int
        Of the circle; the same group has the same pairs.
    progress : Progress
        Where it cancels, the marks made so far stay.

    Raises
    ------
    TwinlensError
        If fewer than two of them can be marked.
    """
    with library.store.reading() as r:
        known = MarkedPictures(library, r)
        known.expect(picture for picture in pictures if isinstance(picture, int))
        found = [known.find(picture) for picture in dict.fromkeys(pictures)]
        refused = [one for one in found if isinstance(one, Message)]
        distinct = {one.content: one for one in reversed(found) if isinstance(one, NamedPicture)}
    group = [distinct[content] for content in sorted(distinct)]
    if len(group) < 2:
        raise TwinlensError(
            joined([Message("A group needs two photos that are not the same."), *refused[:3]]), "Name more of them."
        )
    pairs = _pairs_of_group(len(group), seed)
    notes: list[Message] = []
    same = len(found) - len(refused) - len(group)
    if same:
        notes.append(
            counted(
                "{count} of them is a copy of another, byte for byte.",
                "{count} of them are copies of another, byte for byte.",
                same,
            )
        )
    every = len(group) * (len(group) - 1) // 2
    if len(pairs) < every:
        notes.append(
            Message(
                "Of the {every} pairs of {photographs} photos {pairs} are marked, chosen by chance, so that all "
                "hang together.",
                every=every,
                photographs=len(group),
                pairs=len(pairs),
            )
        )
    new = [NewMark(group[i].content, group[j].content, group[i].name, group[j].name, True, origin) for i, j in pairs]
    return keep_marks(library, new, refused, notes, progress)


def _pairs_of_group(n: int, seed: int) -> list[tuple[int, int]]:
    if n * (n - 1) // 2 <= PAIRS_EACH * n:
        return [(i, j) for i in range(n) for j in range(i + 1, n)]
    circle = np.random.default_rng(seed).permutation(n).tolist()
    return [(circle[i], circle[(i + step) % n]) for i in range(n) for step in range(1, PAIRS_EACH + 1)]


def mark_folder(library: Library, folder: Path, seed: int = 0, progress: Progress = silent) -> MarkResult:
    """Mark that all photographs of a folder, at any depth, are alike; see :func:`mark_group`.

    Raises
    ------
    TwinlensError
        If the library has fewer than two different photographs in it.
    """
    path = absolute_path(folder)
    with library.store.reading() as r:
        place = library.place(r, path)
        if place is not None and place[1] == b".":
            place = place[0], b""  # all of a disk that is away
        ids = (
            [] if place is None else r.photographs.matching(Filter((place,), states=(PhotographState.READY,))).tolist()
        )
    if not ids:
        raise TwinlensError("The library has no photos in {path}.", Remedy("add folder"), path=shown(path))
    return mark_group(library, ids, f"folder:{shown(path)}", seed, progress)


def keep_marks(
    library: Library,
    new: Sequence[NewMark],
    refused: Iterable[Message],
    notes: list[Message],
    progress: Progress = silent,
) -> MarkResult:
    """Keep marks, and return the result with those that were there before.

    Many marks are kept in several transactions, and the result is read in none of them, so that other writers never
    wait long. Where ``progress`` cancels, the marks kept so far stay, and a note says so.
    """
    moment = now()  # all marks of one step have the same time
    added: set[int] = set()
    done = 0
    try:
        for some in pieces([one if one.created else one._replace(created=moment) for one in new], _AT_ONCE):
            progress(done, len(new), Message("Marking"))
            with library.store.writing("keeping marks") as w:
                added |= {row.id for row in w.marks.put(some)}
            done += len(some)
    except Cancelled:
        if not done:
            raise
        notes = [*notes, Message("Stopped: {done} of {pairs} pairs are marked, and stay.", done=done, pairs=len(new))]
        new = new[:done]
    return _mark_result(library, added, new, refused, notes)


def _mark_result(
    library: Library, added: set[int], wanted: Sequence[NewMark], refused: Iterable[Message], notes: list[Message]
) -> MarkResult:
    pairs = {smaller_first(one)[:2] for one in wanted}
    contents = {content for pair in pairs for content in pair}
    with library.store.reading() as r:
        these = mark_statuses(library, r, [row for row in r.marks.among(contents) if row.pair in pairs])
        total = r.marks.count()
    contradicting = [one for one in these if one.contradicted and one.id not in added]
    both = kept_both(these)
    return MarkResult(
        added=[one for one in these if one.id in added],
        repeated=len(wanted) - len(added),
        contradicting=contradicting,
        refused=list(dict.fromkeys(refused)),
        notes=[*notes, both] if both else notes,
        total=total,
    )


def kept_both(marks: Iterable[MarkStatus]) -> Message:
    """Describe how many pairs among marks are marked both ways; empty for none."""
    pairs = len({(one.first_content, one.second_content) for one in marks if one.contradicted})
    if not pairs:
        return NOTHING
    return counted(
        "{count} of the pairs is marked similar and different: both marks are kept, and neither is used until one is "
        "removed.",
        "{count} of the pairs are marked similar and different: both marks are kept, and neither is used until one is "
        "removed.",
        pairs,
    )


def list_marks(library: Library, filters: MarkFilters = EVERY_MARK) -> MarksResult:
    """List marks in the order in which they were made, with whether each is contradicted or waits for a photograph.

    Raises
    ------
    TwinlensError
        If the photograph that is asked for was never there.
    """
    with library.store.reading() as r:
        marks = mark_statuses(library, r, r.marks.all())
        wanted = filter_marks(library, r, marks, filters)
    similar = sum(one.similar for one in marks)
    return MarksResult(
        marks=wanted,
        total=len(marks),
        similar=similar,
        different=len(marks) - similar,
        contradicted=len({(one.first_content, one.second_content) for one in marks if one.contradicted}),
        missing=sum(one.missing for one in marks),
    )


def remove_marks(library: Library, ids: Sequence[int]) -> RemovedMarks:
    """Remove marks, and return them, so that :func:`restore_marks` can bring them back."""
    with library.store.reading() as r:
        rows = r.marks.by_id(ids)
        removed = mark_statuses(library, r, rows)
    for some in pieces([row.id for row in rows], _AT_ONCE):
        with library.store.writing("removing marks") as w:
            w.marks.remove(some)
    with library.store.reading() as r:
        total = r.marks.count()
    there = {row.id for row in rows}
    refused = [Message("There is no mark {number:d}.", number=one) for one in dict.fromkeys(ids) if one not in there]
    return RemovedMarks(removed=removed, refused=refused, total=total)


def restore_marks(library: Library, removed: Sequence[MarkStatus]) -> MarkResult:
    """Bring removed marks back as they were; a mark that was made anew meanwhile stays as it is."""
    rows = [mark_row(one) for one in removed]
    back: set[int] = set()
    for some in pieces(rows, _AT_ONCE):
        with library.store.writing("restoring marks") as w:
            back |= {row.id for row in w.marks.restore(some)}
    wanted = [NewMark(*row.pair, row.first_name, row.second_name, row.similar, row.origin) for row in rows]
    return _mark_result(library, back, wanted, [], [])


def filter_marks(
    library: Library, r: Transaction, marks: Iterable[MarkStatus], filters: MarkFilters
) -> list[MarkStatus]:
    """Return those of some marks that pass, in their order.

    Raises
    ------
    TwinlensError
        If the photograph that is asked for was never there.
    """
    content, name = _photograph(library, r, filters.photograph)

    def wanted(one: MarkStatus) -> bool:
        return (
            (filters.similar is None or one.similar == filters.similar)
            and (not filters.contradicted or one.contradicted)
            and (not filters.missing or one.missing)
            and (filters.origin is None or filters.origin in {one.origin, _head(one.origin)})
            and (
                filters.photograph is None
                or content in {one.first_content, one.second_content}
                or name in {one.first, one.second}
            )
        )

    return [one for one in marks if wanted(one)]


def _photograph(library: Library, r: Transaction, picture: int | Path | None) -> tuple[str, str]:
    """Return the content of a photograph, in hexadecimal, and its path; the path alone where it is forgotten."""
    if picture is None:
        return "", ""
    row = library.find(r, picture)
    if row is not None and row.content_hash is not None:
        return row.content_hash.hex(), shown(library.paths(r, [row])[0])
    if isinstance(picture, int):
        raise TwinlensError("The library has no photo {named}.", "Name it by its path.", named=name_picture(picture))
    return "", shown(absolute_path(picture))


def _head(origin: str) -> str:
    return origin.partition(":")[0]


@dataclass(frozen=True)
class NamedPicture:
    """A photograph of the library that can be marked."""

    id: int
    content: bytes
    name: str


class MarkedPictures:
    """The photographs that a person names, each looked up once."""

    def __init__(self, library: Library, r: Transaction) -> None:
        self._library = library
        self._r = r
        self._known: dict[int | Path, NamedPicture | Message] = {}

    def find(self, picture: int | Path) -> NamedPicture | Message:
        """Find a photograph by its id or its path; where it cannot be marked, a message says why."""
        if picture not in self._known:
            self._known[picture] = self._find(picture)
        return self._known[picture]

    def expect(self, ids: Iterable[int]) -> None:
        """Read many photographs at once, before they are found one by one."""
        rows = self._r.photographs.by_id(list(ids))
        for row, path in zip(rows, self._library.paths(self._r, rows), strict=True):
            self._known[row.id] = self._named(row, path)

    def _find(self, picture: int | Path) -> NamedPicture | Message:
        row = self._library.find(self._r, picture)
        if row is None:
            return Message("The library has no photo {picture}.", picture=name_picture(picture))
        (path,) = self._library.paths(self._r, [row])
        return self._named(row, path)

    def _named(self, row: PhotographRow, path: bytes) -> NamedPicture | Message:
        name = shown(path)
        if row.state is PhotographState.UNREADABLE:
            return Message("{name} cannot be read.", name=name)
        if row.state is PhotographState.MISSING:
            return Message("The file of {name} has vanished.", name=name)
        if row.state is not PhotographState.READY or row.content_hash is None:
            return Message("{name} has changed or has not been read yet. Look for changes first.", name=name)
        return NamedPicture(row.id, row.content_hash, name)


def name_picture(picture: int | Path) -> str:
    """Return the name of a picture as it was given."""
    return str(picture) if isinstance(picture, int) else shown(os.fsencode(picture))


def mark_statuses(library: Library, r: Transaction, rows: Iterable[MarkRow]) -> list[MarkStatus]:
    """Return the statuses of marks, in the same order."""
    marks = list(rows)
    photographs = r.marks.photographs_of({content for row in marks for content in row.pair})
    found = list(photographs.values())
    paths = {row.id: shown(path) for row, path in zip(found, library.paths(r, found), strict=True)}
    contradicted = r.marks.contradicted()

    def status(row: MarkRow) -> MarkStatus:
        both = [photographs.get(content) for content in row.pair]
        names = [
            name if one is None else paths[one.id]
            for one, name in zip(both, (row.first_name, row.second_name), strict=True)
        ]
        ids = [None if one is None else one.id for one in both]
        return MarkStatus(
            id=row.id,
            first=names[0],
            second=names[1],
            first_id=ids[0],
            second_id=ids[1],
            similar=row.similar,
            origin=row.origin,
            created=row.created,
            contradicted=row.pair in contradicted,
            missing=any(one is None or one.state is not PhotographState.READY for one in both),
            first_content=row.first.hex(),
            second_content=row.second.hex(),
        )

    return [status(row) for row in marks]


def mark_row(status: MarkStatus) -> MarkRow:
    """Return the row of a status."""
    return MarkRow(
        status.id,
        bytes.fromhex(status.first_content),
        bytes.fromhex(status.second_content),
        status.first,
        status.second,
        status.similar,
        status.origin,
        status.created,
    )
