"""Choosing among marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.library.library import Library, absolute_path
from app.marks.marked_pictures import name_picture
from app.marks.results import MarkStatus
from app.results import shown
from core.errors import TwinlensError
from core.message import Message
from storage.library.transaction import Transaction


@dataclass(frozen=True)
class MarkFilters:
    """Filters of marks; all of them must hold.

    Attributes
    ----------
    similar : bool or None
        Those of one judgement.
    contradicted : bool
        Those whose pair is marked both ways.
    origin : str or None
        As it was given, or what stands before its colon: ``folder`` finds ``folder:/pictures/cats``.
    photograph : int, Path or None
        Those of one photograph, by id or path.
    missing : bool
        Those that wait for a photograph.
    """

    similar: bool | None = None
    contradicted: bool = False
    origin: str | None = None
    photograph: int | Path | None = None
    missing: bool = False


EVERY_MARK = MarkFilters()


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


def _head(origin: str) -> str:
    return origin.partition(":")[0]


def _photograph(library: Library, r: Transaction, picture: int | Path | None) -> tuple[str, str]:
    """Return the content of a photograph, in hexadecimal, and its path; the path alone where it is forgotten."""
    if picture is None:
        return "", ""
    row = library.find(r, picture)
    if row is not None and row.content_hash is not None:
        return row.content_hash.hex(), shown(library.paths(r, [row])[0])
    if isinstance(picture, int):
        raise TwinlensError(
            Message("The library has no photo {named}.", named=name_picture(picture)), Message("Name it by its path.")
        )
    return "", shown(absolute_path(picture))
