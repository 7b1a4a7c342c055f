"""Which index answers when none is named: the automatic one, until the person chooses another; and going back."""

from __future__ import annotations

from app.indexes.index_names import find_index
from app.library.library import AUTOMATIC, Library
from core.errors import TwinlensError
from core.message import Message
from storage.indexes import IndexRow
from storage.transaction import Transaction

DEFAULT = ""
"""In the place of an index's name: the one that answers when none is named."""

_SETTING = "default index"
_REMEMBERED = 20


def default_index(library: Library) -> str:
    """Name the index that answers when none is named."""
    with library.store.reading() as r:
        return default_row(r).name


def named_index(r: Transaction, name: str = DEFAULT) -> IndexRow:
    """Look an index up by its name, as :func:`find_index` does; where none is named, the default one."""
    return find_index(r, name) if name else default_row(r)


def set_default(library: Library, name: str) -> None:
    """Let an index answer from now on when none is named; the one before is remembered.

    Raises
    ------
    TwinlensError
        If there is no such index.
    """
    with library.store.writing("choosing an index") as w:
        make_default(w, find_index(w, name))


def default_row(r: Transaction) -> IndexRow:
    """Return the index that answers when none is named; where the chosen one is gone, the one before it."""
    for index_id in _chosen(r):
        found = r.indexes.by_id(index_id)
        if found is not None:
            return found
    return find_index(r, AUTOMATIC)


def make_default(w: Transaction, index: IndexRow) -> None:
    """Choose an index within a transaction; the one before is remembered."""
    before = default_row(w)
    if before.id != index.id:
        chosen = [one for one in _chosen(w) if one not in {index.id, before.id}]
        w.settings.put(_SETTING, [index.id, before.id, *chosen][:_REMEMBERED])


def row_before(r: Transaction) -> IndexRow | None:
    """Return the index that answered before the present one was chosen; None where none was chosen, or all are gone."""
    now = default_row(r).id
    chosen = _chosen(r)
    later = chosen[chosen.index(now) + 1 :] if now in chosen else []
    return next((found for one in later if (found := r.indexes.by_id(one)) is not None), None)


def go_one_back(w: Transaction) -> IndexRow:
    """Choose the index that answered before, and forget the present one.

    Raises
    ------
    TwinlensError
        If there is none to go back to.
    """
    before = row_before(w)
    if before is None:
        raise TwinlensError(
            Message("No index that answered before “{name}” is left.", name=default_row(w).name),
            Message("Choose another one, if you like."),
        )
    chosen = _chosen(w)
    w.settings.put(_SETTING, chosen[chosen.index(before.id) :])
    return before


def _chosen(r: Transaction) -> list[int]:
    found = r.settings.get(_SETTING, [])
    return [one for one in found if isinstance(one, int)] if isinstance(found, list) else []
