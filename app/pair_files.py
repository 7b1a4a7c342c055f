"""Files of pairs that a person judged: CSV or JSON, two pictures and a word on each line."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.results import shown
from core.errors import TwinlensError

COLUMNS = ("first", "second", "judgement")

_SIMILAR = frozenset({"similar", "same", "s", "+", "1", "true", "yes"})
_DIFFERENT = frozenset({"different", "d", "-", "-1", "0", "false", "no"})
_FORM = f"Give a CSV file with the columns {', '.join(COLUMNS)}, or a JSON list of objects with these keys."


@dataclass(frozen=True)
class NamedPair:
    """Two pictures, as they are named, and what was said of them.

    Attributes
    ----------
    line : int
        Counted from 1, without the header: for sentences.
    first, second : str
        A path, or the id of a photograph.
    similar : bool
    """

    line: int
    first: str
    second: str
    similar: bool


def read_pairs(file: Path) -> list[NamedPair]:
    """Read pairs.

    Parameters
    ----------
    file : Path
        ``.csv`` with the columns first, second and judgement; or ``.json``, a list of objects with these keys. A
        judgement is ``similar`` or ``different``.

    Raises
    ------
    TwinlensError
        If there is no such file, it cannot be read, or a line is no pair (says which).
    """
    name = shown(os.fsencode(file))
    try:
        text = file.expanduser().read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise TwinlensError(f"There is no file {name}.", "Check the spelling.") from None
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise TwinlensError(f"{name} cannot be read: {why}.", _FORM) from None
    rows = _json(text, name) if file.suffix.lower() == ".json" else _csv(text, name)
    pairs = [_pair(number, row, name) for number, row in enumerate(rows, start=1)]
    if not pairs:
        raise TwinlensError(f"{name} holds no pairs.", _FORM)
    return pairs


def _csv(text: str, name: str) -> Iterable[Mapping[str, object]]:
    reader = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    if not set(COLUMNS) <= set(reader.fieldnames or ()):
        raise TwinlensError(f"{name} has not the columns {', '.join(COLUMNS)}.", _FORM)
    return reader


def _json(text: str, name: str) -> Iterable[Mapping[str, object]]:
    try:
        rows = json.loads(text)
    except json.JSONDecodeError as error:
        raise TwinlensError(f"{name} is no JSON: {error.msg} in line {error.lineno}.", _FORM) from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise TwinlensError(f"{name} holds no list of pairs.", _FORM)
    return rows


def _pair(number: int, row: Mapping[str, object], name: str) -> NamedPair:
    first, second, judgement = (_word(row.get(column)) for column in COLUMNS)
    if not first or not second:
        raise TwinlensError(f"Pair {number:,} of {name} does not name two pictures.", _FORM)
    if judgement.lower() not in _SIMILAR | _DIFFERENT:
        raise TwinlensError(f"Pair {number:,} of {name} is neither similar nor different: “{judgement}”.", _FORM)
    return NamedPair(number, first, second, judgement.lower() in _SIMILAR)


def _word(value: object) -> str:
    return "" if value is None else str(value).strip()
