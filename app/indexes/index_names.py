"""Names of indexes: an index is found by its name, or by its text, which says what it is made of.

The default index is the automatic one until a person chooses another, with a history to go back.
"""

from __future__ import annotations

from app.indexes.fitted_models import declared_text, uses_codes, why_unusable
from app.indexes.index_specification import metric_text
from app.library.library import AUTOMATIC, Library
from app.methods import catalogue
from core.errors import Remedy, TwinlensError
from core.message import Message
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction


def find_index(r: Transaction, name: str) -> IndexRow:
    """Return an index by its name, or by its text where that is unique; "Automatic" also works after renaming.

    Raises
    ------
    TwinlensError
        If there is none; the error names those that exist.
    """
    indexes = r.indexes.all()
    for index in indexes:
        if name == index.name:
            return index
    if name == AUTOMATIC:
        return next(index for index in indexes if index.automatic)
    alike = [index for index in indexes if name.casefold() in (index.name.casefold(), text_of(index).casefold())]
    if len(alike) == 1:
        return alike[0]
    raise TwinlensError(
        Message(
            "There is no index “{name}”. The library has: {indexes}.",
            name=name,
            indexes=[index.name for index in indexes],
        ),
        Remedy("list indexes"),
    )


def free_index_name(r: Transaction, wanted: str) -> str:
    """Return a name that no index has: the wanted one, or with a number behind it."""
    name, number = wanted, 2
    while name == AUTOMATIC or r.indexes.by_name(name) is not None:
        name, number = f"{wanted} ({number})", number + 1
    return name


def text_of(index: IndexRow) -> str:
    """Return an index in text form: descriptor · metric · method · search, the metric if it has one."""
    return " · ".join(text_parts(index))


def text_parts(index: IndexRow) -> list[str]:
    """Return the text forms of descriptor, metric, method and search, without those that an index does not have."""
    metric = metric_text(index)
    parts = [declared_text(catalogue.descriptor, index.descriptor), *([metric] if metric else [])]
    search = declared_text(catalogue.search_structure, index.search)
    if uses_codes(index):
        parts.append(declared_text(catalogue.method, index.method))
    return [*parts, search]


DEFAULT = ""
"""Stands for the default index in place of a name."""

_SETTING = "default index"
_REMEMBERED = 20


def default_index(library: Library) -> str:
    """Return the name of the default index."""
    with library.store.reading() as r:
        return default_row(r).name


def named_index(r: Transaction, name: str = DEFAULT) -> IndexRow:
    """Return an index by its name, as `app.indexes.index_names.find_index` does; the default one for an empty name."""
    return find_index(r, name) if name else default_row(r)


def set_default(library: Library, name: str) -> None:
    """Make an index the default; the one before is remembered.

    Raises
    ------
    TwinlensError
        If there is no such index.
    """
    with library.store.writing("choosing an index") as w:
        make_default(w, find_index(w, name))


def default_row(r: Transaction) -> IndexRow:
    """Return the default index; if the chosen one is gone or cannot be used here, the one before it."""
    for index_id in _chosen(r):
        found = r.indexes.by_id(index_id)
        if found is not None and not why_unusable(found):
            return found
    return find_index(r, AUTOMATIC)


def make_default(w: Transaction, index: IndexRow) -> None:
    """Make an index the default within a transaction; the one before is remembered."""
    before = default_row(w)
    if before.id != index.id:
        chosen = [one for one in _chosen(w) if one not in {index.id, before.id}]
        w.settings.put(_SETTING, [index.id, before.id, *chosen][:_REMEMBERED])


def row_before(r: Transaction) -> IndexRow | None:
    """Return the previous default index; None if none was chosen, or all are gone."""
    now = default_row(r).id
    chosen = _chosen(r)
    later = chosen[chosen.index(now) + 1 :] if now in chosen else []
    return next((found for one in later if (found := r.indexes.by_id(one)) is not None), None)


def go_one_back(w: Transaction) -> IndexRow:
    """Make the previous default index the default again, and forget the present one.

    Raises
    ------
    TwinlensError
        If there is none to go back to.
    """
    before = row_before(w)
    if before is None:
        raise TwinlensError(
            Message("No earlier index than “{name}” is left.", name=default_row(w).name),
            Remedy("choose index"),
        )
    chosen = _chosen(w)
    w.settings.put(_SETTING, chosen[chosen.index(before.id) :])
    return before


def _chosen(r: Transaction) -> list[int]:
    found = r.settings.get(_SETTING, [])
    return [one for one in found if isinstance(one, int)] if isinstance(found, list) else []
