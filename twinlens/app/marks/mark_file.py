"""Files of marks: exported from a library and imported, by content, so that paths and machines do not matter."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.marks.mark_filters import EVERY_MARK, MarkFilters
from twinlens.app.marks.mark_results import MarkResult, MarksFileResult, MarkStatus
from twinlens.app.marks.marks import MarkedPictures, NamedPicture, keep_marks, list_marks
from twinlens.app.marks.pair_file import NamedPair, read_pairs, write_pairs
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message, counted
from twinlens.storage.marks import NewMark

_CONTENT = re.compile("[0-9a-f]{64}")


def export_marks(library: Library, file: OutputFile, filters: MarkFilters = EVERY_MARK) -> MarksFileResult:
    """Write marks into a file for :func:`import_marks`, including those that wait or are contradicted.

    Parameters
    ----------
    file : OutputFile
        ``.csv`` or ``.json``.

    Raises
    ------
    TwinlensError
        If it must not be replaced, has another ending, or cannot be written.
    """
    return write_marks(list_marks(library, filters).marks, file)


def write_marks(marks: Sequence[MarkStatus], file: OutputFile) -> MarksFileResult:
    """Write marks that were listed or removed into a file; see :func:`export_marks`."""
    pairs = [
        NamedPair(
            line, one.first, one.second, one.similar, one.first_content, one.second_content, one.origin, one.created
        )
        for line, one in enumerate(marks, start=1)
    ]
    write_pairs(pairs, file)
    return MarksFileResult(file=shown(os.fsencode(file.path.absolute())), marks=len(pairs), bytes=file.size)


def import_marks(library: Library, file: Path) -> MarkResult:
    """Import marks from a file into the library.

    A picture is identified by its content where the file has it, whatever has become of the path; a mark of a content
    that the library does not have yet is kept and waits for it. Else the picture is identified by its path or id.

    Parameters
    ----------
    file : Path
        See :func:`twinlens.app.marks.pair_file.read_pairs`; an export, or three columns of one's own.

    Returns
    -------
    MarkResult
        A pair that cannot be marked is refused in a sentence, the others are marked.

    Raises
    ------
    TwinlensError
        If the file cannot be read or holds no pairs.
    """
    pairs = read_pairs(file)
    origin = f"import:{shown(os.fsencode(file.name))}"
    new: list[NewMark] = []
    refused: list[Message] = []
    notes: list[Message] = []
    with library.store.reading() as r:
        pictures = MarkedPictures(library, r)
        for one in pairs:
            first = _picture(pictures, one.first, one.first_content)
            second = _picture(pictures, one.second, one.second_content)
            refused += [
                Message("Pair {line}: {why}", line=one.line, why=why)
                for why in (first, second)
                if isinstance(why, Message)
            ]
            if isinstance(first, Message) or isinstance(second, Message):
                continue
            if first[0] == second[0]:
                refused.append(
                    Message(
                        "Pair {line}: {first} and {second} are the same, byte for byte.",
                        line=one.line,
                        first=first[1],
                        second=second[1],
                    )
                )
                continue
            created = _moment(one.created)
            if one.created and not created:
                notes.append(
                    Message(
                        "Pair {line}: “{created}” is no time, so that of the import is kept.",
                        line=one.line,
                        created=one.created,
                    )
                )
            new.append(NewMark(first[0], second[0], first[1], second[1], one.similar, one.origin or origin, created))
    result = keep_marks(library, new, refused, notes)
    waiting = sum(one.missing for one in result.added)
    if waiting:
        away = counted(
            "{count} of the marks waits for photos that are not there yet.",
            "{count} of the marks wait for photos that are not there yet.",
            waiting,
        )
        result = result.model_copy(update={"notes": [*result.notes, away]})
    return result


def _picture(pictures: MarkedPictures, word: str, content: str) -> tuple[bytes, str] | Message:
    """Return content and name of a picture, or why it is none."""
    if content:
        known = content.lower()
        if _CONTENT.fullmatch(known):
            return bytes.fromhex(known), word
        return Message("“{content}” is no SHA-256 of a file.", content=content)
    found = pictures.find(int(word) if word.isdecimal() else Path(word))
    return (found.content, found.name) if isinstance(found, NamedPicture) else found


def _moment(text: str) -> str:
    """Write a moment as UTC, as marks keep it; empty where it is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return ""
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
