"""Photographs that are looked at side by side: how one lies over the other, and what is better in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.duplicates.compared_pictures import Looks, compared
from app.duplicates.comparing import read
from app.duplicates.difference_words import differences
from app.library.library import Library
from app.results import shown
from core.arithmetic.one_thread import one_thread
from core.message import Message
from features.copies.relation import Kind, Relation, relate
from storage.photographs.photograph_rows import PhotographRow

Places = tuple[float, ...]
"""A map of nine numbers, row by row, in shares of each picture's longer side."""

_GOOD, _FAIR = 0.35, 0.12  # bytes for each pixel of a JPEG


@dataclass(frozen=True)
class Beside:
    """One of some photographs that are looked at together.

    Attributes
    ----------
    id : int
    path : str
    width, height, bytes : int
    format : str
    taken, camera : str or None
    quality : Message
        How much compression has left, about.
    better : frozenset of str
        The facts in which it is better than another: ``pixels``, ``bytes``, ``taken``, ``camera``, ``quality``.
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
    quality: Message
    better: frozenset[str]
    differs: tuple[Message, ...]
    places: Places | None


def _density(row: PhotographRow) -> float:
    return round(row.size / max(1, (row.width or 0) * (row.height or 0)), 2)


_FACTS: dict[str, Callable[[PhotographRow], Any]] = {
    "pixels": lambda row: (row.width or 0) * (row.height or 0),
    "bytes": lambda row: row.size,
    "taken": lambda row: row.taken is not None,
    "camera": lambda row: row.camera is not None,
    "quality": _density,
}


def beside(library: Library, ids: Sequence[int]) -> list[Beside]:
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
            (row.first, row.second): read(row) for row in r.comparisons.of([row.content_hash or b"" for row in rows])
        }
    relations = [_relation(library, rows[0], row, known) for row in rows]
    return [
        Beside(
            row.id,
            shown(path),
            row.width or 0,
            row.height or 0,
            row.size,
            row.format or "",
            row.taken,
            row.camera,
            _quality(row),
            frozenset(name for name, value in _FACTS.items() if _is_best(value, row, rows)),
            tuple(differences(found)),
            None if found is None or not found.places else found.places,
        )
        for row, path, found in zip(rows, paths, relations, strict=True)
    ]


def _is_best(value: Callable[[PhotographRow], Any], row: PhotographRow, rows: Sequence[PhotographRow]) -> bool:
    own, others = value(row), [value(one) for one in rows]
    return bool(own == max(others) and own > min(others))


def _relation(
    library: Library, first: PhotographRow, second: PhotographRow, known: dict[tuple[bytes, bytes], Relation]
) -> Relation | None:
    """Return what the second is to the first: as it is known, else by laying one over the other now."""
    a, b = first.content_hash or b"", second.content_hash or b""
    if a == b:
        return Relation(Kind.SAME, 1.0, 1.0, places=(1, 0, 0, 0, 1, 0, 0, 0, 1))
    found = known.get((min(a, b), max(a, b)))
    if found is not None and found.places:
        return found if a < b else found.turned_around()
    with library.store.reading() as r:
        looks = Looks(library).of(r, [compared(first), compared(second)])
    if len(looks) < 2:
        return None
    with one_thread():
        found = relate(looks[a], looks[b])
    return found if found.kind is not Kind.OTHER else None


def _quality(row: PhotographRow) -> Message:
    if row.format not in ("JPEG", "HEIC", "AVIF", "WebP"):
        return Message("not compressed, or without loss")
    density = _density(row)
    if density >= _GOOD:
        return Message("hardly compressed")
    return Message("compressed") if density >= _FAIR else Message("strongly compressed")
