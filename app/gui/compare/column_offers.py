"""The columns that can be added to a comparison, gathered in a job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.gui.compare.add_panel import Base, Offer
from app.gui.compare.column_jobs import shortly
from app.gui.frame.opened import Opened
from app.language.spoken import text

if TYPE_CHECKING:
    from app.compare.columns import Column


@dataclass(frozen=True, eq=False)
class Offers:
    """The columns that the panel offers.

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


def gather_offers(opened: Opened, present: Sequence[Column], default: str) -> Offers:
    """Return the columns beside the visible ones; changes are to the first of these, or to ``default``."""
    from app.compare.columns import Column, proposals, title_of, wanted_row
    from app.indexes.index_names import find_index, text_parts
    from app.methods import catalogue

    with opened.library.store.reading() as r:
        rows = [row for row in r.indexes.all() if row.kind_id is not None and row.name not in opened.put_away]
        names = {row.name for row in rows}
        there = [one for one in present if one.index in names]
        base = find_index(r, there[0].index if there else default)
        kept = [one for one in (Column(row.name) for row in rows) if one not in present]
        bases = [
            Base(row.name, catalogue.method(row.method).text(), catalogue.search_structure(row.search).text())
            for row in rows
        ]
        offers = [
            [Offer(text(title_of(r, one)), shortly(text_parts(wanted_row(r, one))), one) for one in some]
            for some in (kept, proposals(r, base.name, there))
        ]
    return Offers(offers[0], offers[1], bases, base.name)
