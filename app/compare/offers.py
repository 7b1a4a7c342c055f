"""Offers for a comparison: other indexes of the library, and instructive changes of an index."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app.compare.columns import Column, proposals, title_of, wanted_row
from app.indexes.index_names import find_index, text_parts
from app.indexes.usable import usable_indexes
from app.library.library import Library
from app.methods import catalogue
from core.message import Message
from storage.library.transaction import Transaction


@dataclass(frozen=True)
class Offer:
    """A column that can be added: its title, and the parts of its index in text form, the descriptor first."""

    column: Column
    title: Message
    parts: Sequence[str]


@dataclass(frozen=True)
class Base:
    """An index that can be changed: its name, and the text forms of its method and search structure."""

    name: str
    method: str
    search: str


@dataclass(frozen=True)
class Offers:
    """The columns that can be added.

    Attributes
    ----------
    kept, worth : list of Offer
        Indexes of the library that are not seen yet, and changes to one from which something is learned.
    bases : list of Base
        The indexes that can be changed.
    base : str
        The one that is changed unless another is chosen.
    """

    kept: list[Offer]
    worth: list[Offer]
    bases: list[Base]
    base: str


def offers(library: Library, present: Sequence[Column], default: str, without: Collection[str] = ()) -> Offers:
    """Return the columns beside those that are seen; changes are to the first of these, or to ``default``.

    Parameters
    ----------
    library : Library
    present : sequence of Column
    default : str
    without : collection of str
        Names of indexes that are not offered.
    """
    with library.store.reading() as r:
        rows = [row for row in usable_indexes(r) if row.kind_id is not None and row.name not in without]
        names = {row.name for row in rows}
        there = [one for one in present if one.index in names]
        base = find_index(r, there[0].index if there else default).name
        return Offers(
            kept=[_offer(r, one) for one in (Column(row.name) for row in rows) if one not in present],
            worth=[_offer(r, one) for one in proposals(r, base, there)],
            bases=[
                Base(row.name, catalogue.method(row.method).text(), catalogue.search_structure(row.search).text())
                for row in rows
            ],
            base=base,
        )


def _offer(r: Transaction, column: Column) -> Offer:
    return Offer(column, title_of(r, column), text_parts(wanted_row(r, column)))
