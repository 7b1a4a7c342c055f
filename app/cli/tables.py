"""Quiet tables: no lines but under the heading, numbers to the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from app.cli.plain_text import plain
from app.language.spoken import text
from app.results import IndexStatus


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
        state = text(index.note) or (f"{index.waiting:,} wait" if index.waiting else "")
        if index.fitted_on is None and index.bits is not None:
            state = "answers exactly until it is fitted"
        if index.default:
            state = f"answers where none is named; {state}".removesuffix("; ")
        bits = "" if index.bits is None else f"{index.bits:,}"
        rows.append((index.name, index.text, bits, f"{index.photographs:,}", size(index.bytes), state))
    return plain_table(("index", "is", "bits", "photographs", "size", ""), rows, numbers=(2, 3, 4))


def size(count: int) -> str:
    """Write a number of bytes.

    Examples
    --------
    >>> size(0), size(2_400_000)
    ('0 B', '2.4 MB')
    """
    value, unit = float(count), "B"
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if value < 1000 or unit == "TB":
            break
        value /= 1000
    return f"{value:,.0f} {unit}" if unit == "B" or value >= 10 else f"{value:,.1f} {unit}"
