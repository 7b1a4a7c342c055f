"""Tables as CSV for spreadsheets, which run a cell that begins as a formula does: text from outside gets an apostrophe.

Numbers stay numbers, also negative ones.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import IO

_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|nan)")


class CsvTable:
    """Writes rows into an open file.

    Parameters
    ----------
    out : text file
        Opened with ``newline=""``.
    lineterminator : str
    """

    def __init__(self, out: IO[str], lineterminator: str = "\r\n") -> None:
        self._writer = csv.writer(out, lineterminator=lineterminator)

    def writerow(self, row: Iterable[object]) -> None:
        """Write a row; of its cells only text is ever changed."""
        self._writer.writerow([defused(cell) if isinstance(cell, str) else cell for cell in row])

    def writerows(self, rows: Iterable[Iterable[object]]) -> None:
        """Write rows."""
        for row in rows:
            self.writerow(row)


def defused(text: str) -> str:
    """Write a text so that no spreadsheet takes it for a formula.

    Examples
    --------
    >>> defused("=HYPERLINK(1)"), defused("-0.5"), defused("a.jpg"), defused("-a.jpg")
    ("'=HYPERLINK(1)", '-0.5', 'a.jpg', "'-a.jpg")
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def original(text: str) -> str:
    """Return the text of a cell that :func:`defused` may have written.

    Examples
    --------
    >>> original(defused("=a.jpg")), original(defused("'=a.jpg")), original("'a.jpg")
    ('=a.jpg', "'=a.jpg", "'a.jpg")
    """
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
