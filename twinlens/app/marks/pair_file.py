"""Files of pairs: a line names two pictures and their judgement. They take exported marks, and teach metrics."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from twinlens.app.machine.output_file import NO, ONLY_COPY, YES, CsvTable, OutputFile, read_table
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import expanded, parse_json, read_bytes, reading, shown
from twinlens.core.message import Message

COLUMNS = ("first", "second", "judgement")
FURTHER = ("first_content", "second_content", "origin", "created")
"""Columns that a file may have besides: SHA-256 of both files, where the mark was made, and when (UTC)."""


@dataclass(frozen=True)
class NamedPair:
    """Two named pictures and the judgement of the pair.

    Attributes
    ----------
    line : int
        Counted from 1, without the header: for sentences.
    first, second : str
        A path, or the id of a photograph.
    first_content, second_content, origin, created : str
        As in the file, empty where it has none.
    """

    line: int
    first: str
    second: str
    similar: bool
    first_content: str = ""
    second_content: str = ""
    origin: str = ""
    created: str = ""


_MOST = 1 << 28  # bytes: a mark takes 300


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
        data = read_bytes(expanded(file), _MOST)
        is_json = file.suffix.lower() == ".json"
        rows = list(_json(data.decode("utf-8-sig"), name) if is_json else _csv(data, name))
    pairs = [_pair(number, row, name) for number, row in enumerate(rows, start=1)]
    if not pairs:
        raise TwinlensError("{name} holds no pairs.", _FORM, name=name)
    return pairs


def _json(text: str, name: str) -> Iterable[Mapping[str, object]]:
    rows = parse_json(text)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise TwinlensError("{name} holds no list of pairs.", _FORM, name=name)
    return rows


def _csv(data: bytes, name: str) -> Iterable[Mapping[str, object]]:
    headings, rows = read_table(data)
    if not set(COLUMNS) <= set(headings):
        raise TwinlensError("{name} has not the columns {columns}.", _FORM, name=name, columns=", ".join(COLUMNS))
    return rows


_SIMILAR = YES | {"similar", "same", "s", "+"}
_DIFFERENT = NO | {"different", "d", "-", "-1"}


def _pair(number: int, row: Mapping[str, object], name: str) -> NamedPair:
    first, second, judgement = (_word(row.get(column)) for column in COLUMNS)
    if not first or not second:
        raise TwinlensError("Pair {number} of {name} does not name two pictures.", _FORM, number=number, name=name)
    if judgement.lower() not in _SIMILAR | _DIFFERENT:
        raise TwinlensError(
            "Pair {number} of {name} is neither similar nor different: “{judgement}”.",
            _FORM,
            number=number,
            name=name,
            judgement=judgement,
        )
    return NamedPair(
        number, first, second, judgement.lower() in _SIMILAR, *(_word(row.get(column)) for column in FURTHER)
    )


def _word(value: object) -> str:
    return "" if value is None else str(value).strip()


_WORDS = {True: "similar", False: "different"}


def write_pairs(pairs: Iterable[NamedPair], file: OutputFile) -> None:
    """Write pairs with all columns, as :func:`read_pairs` reads them.

    Parameters
    ----------
    file : OutputFile
        ``.csv`` or ``.json``.

    Raises
    ------
    TwinlensError
        If it is there already, has another ending, or cannot be written.
    """
    _ending(file)
    rows = [
        dict(zip((*COLUMNS, *FURTHER), (one.first, one.second, _WORDS[one.similar], *_further(one)), strict=True))
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


def _ending(file: OutputFile) -> None:
    if file.ending not in {".csv", ".json"}:
        raise TwinlensError("{name} is neither a .csv nor a .json.", "Choose one of these endings.", name=str(file))


def _further(pair: NamedPair) -> tuple[str, ...]:
    """Return the values of the further columns."""
    return pair.first_content, pair.second_content, pair.origin, pair.created


def check_pairs_file(file: OutputFile) -> None:
    """Refuse a file that cannot take pairs; see :meth:`twinlens.app.machine.output_file.OutputFile.check`."""
    _ending(file)
    file.check(ONLY_COPY)


_FORM = Message(
    "Give a CSV file with the columns {columns}, or a JSON list of objects with these keys.", columns=COLUMNS
)
