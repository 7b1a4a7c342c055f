"""Names of indexes: an index is found by its name, or by its text, which says what it is made of."""

from __future__ import annotations

from app.indexes.index_metric import metric_text
from app.indexes.usable import declared_text, uses_codes
from app.library.library import AUTOMATIC
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
