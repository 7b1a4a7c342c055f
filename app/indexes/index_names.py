"""Names of indexes: an index is found by its name, or by its text, which says what it is made of."""

from __future__ import annotations

from app.indexes.index_metric import metric_text
from app.library.library import AUTOMATIC
from app.methods import catalogue
from core.errors import TwinlensError
from core.message import Message
from storage.indexes import IndexRow
from storage.transaction import Transaction


def find_index(r: Transaction, name: str) -> IndexRow:
    """Look an index up by its name, or by its text where that is unique; "Automatic" is found when renamed too.

    Raises
    ------
    TwinlensError
        If there is none; names those that there are.
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
            "There is no index “{name}”; there are {indexes}.",
            name=name,
            indexes=", ".join(f"“{index.name}”" for index in indexes),
        ),
        Message("See `twinlens index list`, or make one with `twinlens index create`."),
    )


def text_of(index: IndexRow) -> str:
    """Write an index as a person reads it: descriptor · metric · method · search, the metric where it has one."""
    metric = metric_text(index)
    parts = [catalogue.descriptor(index.descriptor).text(), *([metric] if metric else [])]
    structure = catalogue.search_structure(index.search)
    if structure.uses_codes:
        parts.append(catalogue.method(index.method).text())
    return " · ".join([*parts, structure.text()])
