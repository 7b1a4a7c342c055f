"""Files of pairs that a person judged: CSV or JSON, two pictures and a word on each line."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.machine.output_file import ONLY_COPY, CsvTable, OutputFile, original
from app.results import shown
from core.errors import TwinlensError
from core.files.untrusted_input import expanded, parse_json, read_bytes, reading
from core.message import Message

COLUMNS = ("first", "second", "judgement")
FURTHER = ("first_content", "second_content", "origin", "created")
"""Columns that a file may have besides: SHA-256 of both files, where the mark was made, and when (UTC)."""

_SIMILAR = frozenset({"similar", "same", "s", "+", "1", "true", "yes"})
_DIFFERENT = frozenset({"different", "d", "-", "-1", "0", "false", "no"})
_SAID = {True: "similar", False: "different"}
_MOST = 1 << 28  # bytes: a mark takes 300
_FORM = Message(
    "Give a CSV file with the columns {columns}, or a JSON list of objects with these keys.", columns=COLUMNS
)


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
    first_content, second_content, origin, created : str
        As in the file, empty where it does not say.
    """

    line: int
    first: str
    second: str
    similar: bool
    first_content: str = ""
    second_content: str = ""
    origin: str = ""
    created: str = ""


def read_pairs(file: Path) -> list[NamedPair]:
    """Read pairs.

    Parameters
    ----------
    file : Path
        ``.csv`` with the columns first, second and judgement; or ``.json``, a list of objects with these keys. A
        judgement is ``similar`` or ``different``. There may be further columns, of which `FURTHER` are read.

    Raises
    ------
    TwinlensError
        If there is no such file, it cannot be read, or a line is no pair (says which).
    """
    name = shown(os.fsencode(file))
    with reading(name, Message("{file} cannot be read", file=name), _FORM):
        text = read_bytes(expanded(file), _MOST).decode("utf-8-sig")
        rows = list(_json(text, name) if file.suffix.lower() == ".json" else _csv(text, name))
    pairs = [_pair(number, row, name) for number, row in enumerate(rows, start=1)]
    if not pairs:
        raise TwinlensError(Message("{name} holds no pairs.", name=name), _FORM)
    return pairs


def write_pairs(pairs: Iterable[NamedPair], file: OutputFile) -> None:
    """Write pairs with everything that is known of them, as :func:`read_pairs` reads them.

    Parameters
    ----------
    pairs : iterable of NamedPair
    file : OutputFile
        ``.csv`` or ``.json``.

    Raises
    ------
    TwinlensError
        If it is there already, has another ending, or cannot be written.
    """
    _ending(file)
    rows = [
        dict(zip((*COLUMNS, *FURTHER), (one.first, one.second, _SAID[one.similar], *_further(one)), strict=True))
        for one in pairs
    ]
    out = io.StringIO(newline="")
    if file.ending == ".json":
        json.dump(rows, out, indent=2, ensure_ascii=False)
        out.write("\n")
    else:
        table = CsvTable(out, "\n")
        table.writerow((*COLUMNS, *FURTHER))
        table.writerows(row.values() for row in rows)
    file.write(out.getvalue(), ONLY_COPY)


def check_pairs_file(file: OutputFile) -> None:
    """Refuse a file that pairs cannot be written into; see :meth:`app.machine.output_file.OutputFile.check`."""
    _ending(file)
    file.check(ONLY_COPY)


def _ending(file: OutputFile) -> None:
    if file.ending not in {".csv", ".json"}:
        raise TwinlensError(
            Message("{name} is neither a .csv nor a .json.", name=str(file)), Message("Choose one of these endings.")
        )


def _further(pair: NamedPair) -> tuple[str, ...]:
    """Return the values of the further columns."""
    return pair.first_content, pair.second_content, pair.origin, pair.created


def _csv(text: str, name: str) -> Iterable[Mapping[str, object]]:
    reader = csv.DictReader(io.StringIO(text), skipinitialspace=True)
    if not set(COLUMNS) <= set(reader.fieldnames or ()):
        raise TwinlensError(
            Message("{name} has not the columns {columns}.", name=name, columns=", ".join(COLUMNS)), _FORM
        )
    return [{name: original(cell) if isinstance(cell, str) else cell for name, cell in row.items()} for row in reader]


def _json(text: str, name: str) -> Iterable[Mapping[str, object]]:
    rows = parse_json(text)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise TwinlensError(Message("{name} holds no list of pairs.", name=name), _FORM)
    return rows


def _pair(number: int, row: Mapping[str, object], name: str) -> NamedPair:
    first, second, judgement = (_word(row.get(column)) for column in COLUMNS)
    if not first or not second:
        raise TwinlensError(
            Message("Pair {number} of {name} does not name two pictures.", number=number, name=name), _FORM
        )
    if judgement.lower() not in _SIMILAR | _DIFFERENT:
        raise TwinlensError(
            Message(
                "Pair {number} of {name} is neither similar nor different: “{judgement}”.",
                number=number,
                name=name,
                judgement=judgement,
            ),
            _FORM,
        )
    return NamedPair(
        number, first, second, judgement.lower() in _SIMILAR, *(_word(row.get(column)) for column in FURTHER)
    )


def _word(value: object) -> str:
    return "" if value is None else str(value).strip()
