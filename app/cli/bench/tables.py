"""Tables of ``bench``: a row for each thing that was measured, and a column for each figure that at least one has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.cli.tables import plain_table

if TYPE_CHECKING:
    from rich.console import Console

_LONGEST = 22  # letters of a method's name that leave room for the figures in 100 columns


def numbered(out: Console, texts: list[str]) -> list[str]:
    """Name rows by their texts, or by number, told first, where texts would take the room of the figures."""
    if max(map(len, texts)) <= _LONGEST:
        return texts
    numbers = [str(number) for number in range(1, len(texts) + 1)]
    for number, text in zip(numbers, texts, strict=True):
        out.print(f"{number:>3}  {text}")
    return numbers


def print_columns(out: Console, names: Sequence[str], rows: Sequence[dict[str, str]], first: str = "method") -> None:
    """Print the columns in which at least one method has a figure."""
    columns = [name for name in rows[0] if any(row.get(name) for row in rows)]
    cells = [(name, *(row.get(column, "") for column in columns)) for name, row in zip(names, rows, strict=True)]
    out.print(plain_table((first, *columns), cells, numbers=range(1, len(columns) + 1)))
