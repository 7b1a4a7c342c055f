"""Offers for a comparison: other indexes of the library, and instructive changes of an index."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app.compare.columns import ComparisonColumn, column_row, proposed_columns, title_of
from app.indexes.index_names import find_index, text_parts
from app.indexes.usable import usable_indexes
from app.library.library import Library
from app.methods import catalogue
from core.message import Message
from storage.library.transaction import Transaction


@dataclass(frozen=True)
class ColumnOffer:
    """A column that can be added: its title, and the parts of its index in text form, the descriptor first."""

    column: ComparisonColumn
    title: Message
    parts: Sequence[str]


@dataclass(frozen=True)
class ChangeableIndex:
    """An index that can be changed: its name, and the text forms of its method and search structure."""

    name: str
    method: str
    search: str


@dataclass(frozen=True)
class ColumnOffers:
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

    kept: list[ColumnOffer]
    worth: list[ColumnOffer]
    bases: list[ChangeableIndex]
    base: str


def offers(
    library: Library, present: Sequence[ComparisonColumn], default: str, without: Collection[str] = ()
) -> ColumnOffers:
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
        return ColumnOffers(
            kept=[_offer(r, one) for one in (ComparisonColumn(row.name) for row in rows) if one not in present],
            worth=[_offer(r, one) for one in proposed_columns(r, base, there)],
            bases=[
                ChangeableIndex(
                    row.name, catalogue.method(row.method).text(), catalogue.search_structure(row.search).text()
                )
                for row in rows
            ],
            base=base,
        )


def _offer(r: Transaction, column: ComparisonColumn) -> ColumnOffer:
    return ColumnOffer(column, title_of(r, column), text_parts(column_row(r, column)))
