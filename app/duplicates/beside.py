"""Photographs that are looked at side by side: how one lies over the other, and what is better in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.duplicates.compared_pictures import AlignmentCache, compared_contents
from app.duplicates.comparing import relation_from_json
from app.duplicates.comparing_tasks import AlignmentTask
from app.duplicates.difference_words import difference_words
from app.library import decoders
from app.library.library import Library
from app.results import shown
from core.message import Message
from features.copies.relation import Relation, RelationKind
from features.copies.turnable_hash import UPRIGHT
from features.formats.jpeg_quality import estimated_quality
from features.reading.unreadable import UnreadableError
from storage.photographs.photograph_rows import PhotographRow

Places = tuple[float, ...]
"""A map of nine numbers, row by row, in shares of each picture's longer side."""


@dataclass(frozen=True)
class AlignedPhotograph:
    """One of some photographs that are looked at together.

    Attributes
    ----------
    id : int
    path : str
    width, height, bytes : int
    format : str
    taken, camera : str or None
    quality : int or None
        With which a JPEG was saved, from 1 to 100.
    better, worse : frozenset of str
        The facts in which none is better and another is worse, and those in which another is better: ``pixels``,
        ``bytes``, ``taken``, ``camera``, ``quality``.
    differs : tuple of Message
        How it differs from the first.
    places : tuple of float or None
        The map from the first to this one; None where nothing is known to agree.
    """

    id: int
    path: str
    width: int
    height: int
    bytes: int
    format: str
    taken: str | None
    camera: str | None
    quality: int | None
    better: frozenset[str]
    worse: frozenset[str]
    differs: tuple[Message, ...]
    places: Places | None


def align_photographs(library: Library, ids: Sequence[int]) -> list[AlignedPhotograph]:
    """Return what is to be known of photographs; unknown ones are left out.

    Parameters
    ----------
    library : Library
    ids : sequence of int
        The first is the one that the others are laid over.
    """
    with library.store.reading() as r:
        rows = [row for row in r.photographs.by_id(list(ids)) if row.content_hash is not None]
        rows.sort(key=lambda row: list(ids).index(row.id))
        paths = library.paths(r, rows)
        known = {
            (row.first, row.second): relation_from_json(row)
            for row in r.comparisons.of([row.content_hash or b"" for row in rows])
        }
    relations = [_relation(library, rows[0], row, known) for row in rows]
    qualities = [_quality(row, path) for row, path in zip(rows, paths, strict=True)]
    facts = [_facts(row, quality) for row, quality in zip(rows, qualities, strict=True)]
    best = {name: max(one[name] for one in facts if name in one) for name in set().union(*facts)}
    least = {name: min(one[name] for one in facts if name in one) for name in best}
    return [
        AlignedPhotograph(
            row.id,
            shown(path),
            row.width or 0,
            row.height or 0,
            row.size,
            row.format or "",
            row.taken,
            row.camera,
            quality,
            frozenset(name for name, value in own.items() if least[name] < value == best[name]),
            frozenset(name for name, value in own.items() if value < best[name]),
            tuple(difference_words(found)),
            None if found is None or not found.places else found.places,
        )
        for row, path, quality, own, found in zip(rows, paths, qualities, facts, relations, strict=True)
    ]


def _facts(row: PhotographRow, quality: int | None) -> dict[str, int]:
    """Return what can be better in one photograph than in another; more is better."""
    facts = {
        "pixels": (row.width or 0) * (row.height or 0),
        "bytes": row.size,
        "taken": int(row.taken is not None),
        "camera": int(row.camera is not None),
    }
    return facts if quality is None else facts | {"quality": quality}


def _relation(
    library: Library, first: PhotographRow, second: PhotographRow, known: dict[tuple[bytes, bytes], Relation]
) -> Relation | None:
    """Return what the second is to the first: as it is known, else by laying one over the other now."""
    a, b = first.content_hash or b"", second.content_hash or b""
    if a == b:
        return Relation(RelationKind.SAME, 1.0, 1.0, places=(1, 0, 0, 0, 1, 0, 0, 0, 1))
    found = known.get((min(a, b), max(a, b)))
    if found is not None and found.places:
        return found if a < b else found.turned_around()
    with library.store.reading() as r:
        looks = AlignmentCache(library).of(r, [compared_contents(first), compared_contents(second)])
    if len(looks) < 2:
        return None
    try:
        laid = decoders.ask(AlignmentTask(looks[a], looks[b], UPRIGHT))
    except UnreadableError:
        return None
    return laid.relation if laid is not None and laid.relation.kind is not RelationKind.OTHER else None


def _quality(row: PhotographRow, path: bytes) -> int | None:
    """Return the quality with which a JPEG was saved; None of other formats, and where it cannot be read now."""
    if row.format != "JPEG":
        return None
    try:
        with open(path, "rb") as file:
            return estimated_quality(file)
    except OSError:
        return None
