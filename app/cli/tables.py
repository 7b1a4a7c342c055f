"""Quiet tables: no lines but under the heading, numbers to the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from app.cli.plain_text import plain
from app.language.spoken import _, number, text
from app.results import IndexStatus
from core.amounts import size
from core.message import Message, counted, joined


def plain_table(heading: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> Table:
    """Make a table; ``numbers`` are the columns that are set to the right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(heading):
        table.add_column(Text(plain(name)), justify="right" if place in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    return table


def index_table(indexes: Iterable[IndexStatus]) -> Table:
    """Make the table of indexes."""
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
    heading = (_("index"), _("is"), _("bits"), _("photographs"), _("size"), "")
    return plain_table(heading, rows, numbers=(2, 3, 4))
