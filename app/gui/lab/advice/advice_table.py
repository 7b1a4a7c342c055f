"""Columns of the table of measured indexes."""

from __future__ import annotations

from collections.abc import Sequence

from app.gui.lab.advice.advice_words import compared, milliseconds, notes, several, size_each
from app.gui.tables.sheet import Column, Sheet
from app.lab.advice.figures import places
from app.lab.advice.results import AdvicePoint
from app.language.spoken import _, _n, text


def advice_sheet(rows: Sequence[AdvicePoint], proposed: str = "", present: str = "") -> Sheet[AdvicePoint]:
    """Return the columns that some indexes need; one of them is proposed, and one in use."""
    apart, wrong, dots = several(rows), any(one.wrong is not None for one in rows), places(rows)

    def said(one: AdvicePoint) -> list[str]:
        return notes(one, proposed, present)

    def about(one: AdvicePoint) -> str:
        named = " · ".join(filter(None, [_method(one), _search(one), _compares(one) if apart else ""]))
        asked = _n("{count} query", "{count} queries", one.questions)
        return "\n".join([named, asked, _("Click to choose this index")])

    columns: list[Column[AdvicePoint]] = [
        Column(_("Method"), _method),
        Column(_("Search"), _search),
        *([Column(_("Compares"), _compares)] if apart else []),
        Column(_("Finds"), lambda one: _share(one.recall), lambda one: one.recall, number=True),
        *([Column(_("Wrong"), lambda one: _share(one.wrong), lambda one: one.wrong, number=True)] if wrong else []),
        Column(_("Exact results"), lambda one: _share(one.overlap), lambda one: one.overlap, number=True, lesser=True),
        Column(_("Query"), lambda one: milliseconds(one.seconds), lambda one: one.seconds, number=True),
        Column(
            _("Per photo"),
            lambda one: size_each(one.bytes_per_photograph),
            lambda one: one.bytes_per_photograph,
            number=True,
        ),
        Column(
            _("Query at 10×"),
            lambda one: milliseconds(one.seconds_tenfold),
            lambda one: one.seconds_tenfold,
            number=True,
            lesser=True,
        ),
        Column("", lambda one: " · ".join(said(one)), lambda one: -len(said(one))),
    ]
    return Sheet(
        columns,
        rows,
        dot=lambda one: dots[one.key],
        about=about,
        quiet=lambda one: not one.frontier and not said(one),
    )


def _method(one: AdvicePoint) -> str:
    return one.method or _("exact search")


def _search(one: AdvicePoint) -> str:
    return "" if one.exact else one.search


def _compares(one: AdvicePoint) -> str:
    return text(compared(one))


def _share(share: float | None) -> str:
    return "" if share is None else _("{share:.1%}", share=share)
