"""Quiet tables: no lines but under the heading, numbers to the right; and the console that prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from app.cli.terminal_text import plain
from app.indexes.index_results import IndexStatus
from app.language.texts import _, number, text
from core.amounts import size
from core.message import Message, counted, joined

_WIDEST = 72
"""Characters of a column; longer texts go on in the next line."""


def plain_table(heading: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> Table:
    """Make a table; ``numbers`` are the columns that are set to the right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(heading):
        justify: JustifyMethod = "right" if place in numbers else "left"
        table.add_column(Text(plain(name)), justify=justify, overflow="fold", max_width=_WIDEST)
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    return table


def plain_index_table(indexes: Iterable[IndexStatus]) -> Table:
    """Make a table of what each index compares, for a person who has chosen none."""
    from app.methods.catalogue import plain_words  # which imports every descriptor

    rows = [
        (
            index.name,
            _(plain_words(index.descriptor)),
            number(index.photographs),
            text(size(index.bytes)),
            _("answers searches") if index.default else "",
        )
        for index in indexes
    ]
    return plain_table((_("index"), _("compares"), _("photos"), _("size"), ""), rows, numbers=(2, 3))


def index_table(indexes: Iterable[IndexStatus]) -> Table:
    """Make the table of indexes with all that they are made of."""
    rows = []
    for index in indexes:
        state = index.note
        if index.fitted_on is None and index.bits is not None:
            state = Message("answers exactly until it is fitted")
        elif not state and index.waiting:
            state = counted("{count} photo waits", "{count} photos wait", index.waiting)
        if index.default:
            state = joined([Message("answers where none is named"), state], "; ")
        bits = "" if index.bits is None else number(index.bits)
        photographs = number(index.photographs)
        rows.append((index.name, index.text, bits, photographs, text(size(index.bytes)), text(state)))
    heading = (_("index"), _("is"), _("bits"), _("photos"), _("size"), "")
    return plain_table(heading, rows, numbers=(2, 3, 4))


class Terminal(Console):
    """A console that takes every text as it is: one line, no markup. Tables come from :func:`app.cli.tables`."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print lines of text and tables."""
        super().print(*(Text(plain(one)) if isinstance(one, str) else one for one in objects), **options)

    def on_broken_pipe(self) -> None:
        """Leave it to the command line how to end, where rich itself would end the program as if something failed."""
        raise  # noqa: PLE0704 (what it is called about)
