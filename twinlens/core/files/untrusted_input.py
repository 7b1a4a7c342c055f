"""Files, paths and texts from outside, which nobody vouches for: read and parsed within limits of size and depth.

A file that a person names, or that another program sends, comes in here (bytes, JSON, TOML) or through
:mod:`twinlens.app.bench.vector_files` (arrays). Whatever such a file holds, :func:`reading` makes one sentence of what
is wrong with it.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from twinlens.core.errors import InvalidError, TwinlensError
from twinlens.core.message import NOTHING, Message, size, verbatim

DEEPEST = 32
"""Levels of lists and objects in a JSON or TOML text."""

MOST_TOML = 1 << 18
"""Characters of a TOML text."""

_OF_THE_KERNEL = 1 << 16  # bytes of a file that says it has none
_MOST_DOTS = 1000  # in one line of TOML: tomllib takes quadratic time for a key of many parts
_HALF = re.compile("[\ud800-\udfff]")

# C0 and C1 control characters, line and paragraph separators, marks and overrides of direction, half characters.
_OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@contextmanager
def reading(file: Path | str, failure: Message, next_step: Message = NOTHING) -> Iterator[None]:
    """Turn every error of reading and parsing a file from outside into a sentence.

    Parameters
    ----------
    file : Path or str
        Its name, for the sentence.
    failure : Message
        Says that the file is not what it should be, without a full stop: the reason is put behind it.

    Raises
    ------
    TwinlensError
        In place of any error of reading, decoding or validating.

    Examples
    --------
    >>> with reading("a.json", Message("a.json is no list of pairs"), Message("Write it again.")):
    ...     parse_json("[1, 2")
    Traceback (most recent call last):
        ...
    twinlens.core.errors.TwinlensError: a.json is no list of pairs: line 1 is no JSON. Write it again.
    """
    try:
        yield
    except TwinlensError:
        raise
    except FileNotFoundError:
        raise TwinlensError("There is no file {file}.", "Check the spelling.", file=file) from None
    except MemoryError:
        raise TwinlensError(
            "{file} needs more memory than this computer has.", "Give a smaller file.", file=file
        ) from None
    except RecursionError:
        raise TwinlensError("{failure}: it is nested too deeply.", next_step, failure=failure) from None
    except OSError as error:
        raise TwinlensError(
            "{file} cannot be read: {reason}.", next_step, file=file, reason=error.strerror or error
        ) from None
    # A reader of a damaged file fails in as many ways as it has steps; that the file is damaged is all a person can do
    # something about.
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise TwinlensError("{failure}: {reason}.", next_step, failure=failure, reason=_reason(error)) from None


def _reason(error: Exception) -> Message:
    if isinstance(error, InvalidError):
        return error.message
    if isinstance(error, UnicodeDecodeError):
        return Message("it is not text in UTF-8")
    if isinstance(error, KeyError):
        return Message("it has no {name}", name=_shortened(str(error)))
    return verbatim(_shortened(str(error))) or Message("it is damaged")


def _shortened(foreign: str) -> str:
    """Return the text of another library's error as one line of at most 200 characters."""
    line = " ".join(foreign.split()).rstrip(".")
    return line if len(line) <= 200 else f"{line[:200]}…"


def read_bytes(file: Path, most: int) -> bytes:
    """Read a file of at most so many bytes.

    Raises
    ------
    OSError
        If it is missing, or cannot be read.
    ValueError
        If it is a folder, a pipe or a device, or larger.
    """
    status = file.stat()
    check_kind(status)
    if status.st_size > most:
        _too_large(most)
    with file.open("rb") as opened:
        data = opened.read(status.st_size or min(most, _OF_THE_KERNEL))
        if opened.read(1):
            raise InvalidError("it grows while it is read")
    return data


def check_kind(status: os.stat_result) -> None:
    """Refuse what is no regular file: a pipe never answers, a device never ends.

    Raises
    ------
    ValueError
    """
    if stat.S_ISDIR(status.st_mode):
        raise InvalidError("it is a folder")
    if not stat.S_ISREG(status.st_mode):
        raise InvalidError("it is a device or a pipe, not a file")


def _too_large(most: int) -> NoReturn:
    raise InvalidError("it is larger than {size}, the limit for this kind of file", size=size(most))


def parse_json(text: str | bytes) -> Any:
    """Parse a JSON text that is nested no deeper than `DEEPEST`.

    Half characters, which JSON can write and no file or library keeps, are replaced.

    Raises
    ------
    ValueError
        If it is none.
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidError("line {line:d} is no JSON", line=error.lineno) from None
    except UnicodeDecodeError:
        raise InvalidError("it is not text in UTF-8") from None
    except RecursionError:
        raise InvalidError("it is nested too deeply") from None
    return _checked(value)


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML text of at most `MOST_TOML` characters that is nested no deeper than `DEEPEST`.

    Raises
    ------
    ValueError
        If it is none.
    """
    if len(text) > MOST_TOML:
        _too_large(MOST_TOML)
    if any(line.count(".") > _MOST_DOTS for line in text.split("\n")):
        raise InvalidError("it is nested too deeply")
    try:
        values = tomllib.loads(text)
    except RecursionError:
        raise InvalidError("it is nested too deeply") from None
    checked: dict[str, Any] = _checked(values)
    return checked


def _checked(value: Any, depth: int = 0) -> Any:
    """Return a parsed value whose depth is checked, without half characters."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, dict | list) and depth >= DEEPEST:
        raise InvalidError("it is nested too deeply")
    if isinstance(value, dict):
        return {whole(name): _checked(one, depth + 1) for name, one in value.items()}
    if isinstance(value, list):
        return [_checked(one, depth + 1) for one in value]
    return value


def whole(text: str) -> str:
    r"""Replace half characters: bytes of a name that are no text, as Python keeps them, or halves written in JSON.

    Examples
    --------
    >>> whole("caf\udce9")
    'caf�'
    """
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def shown(path: bytes) -> str:
    """Write a path so that every terminal and JSON reader can take it."""
    return whole(os.fsdecode(path))


def plain(text: str) -> str:
    r"""Write a text as one line without control characters: these are shown as escapes.

    Examples
    --------
    >>> plain("a\x1b[31m\n\u202egpj.exe")
    'a\\x1b[31m\\n\\u202egpj.exe'
    """
    return _OBEYED.sub(_escaped, text)


def plain_name(path: str) -> str:
    r"""Write the name of a file as :func:`plain` does.

    Examples
    --------
    >>> plain_name("/pictures/a\n.jpg")
    'a\\n.jpg'
    """
    return plain(Path(path).name)


def _escaped(found: re.Match[str]) -> str:
    sign = found[0]
    if sign >= "\ud800":
        return "\ufffd"
    return sign.encode("unicode_escape").decode()


def expanded(path: Path | str) -> Path:
    """Return a path with its ``~`` written out; where there is no such home folder it stays, as a shell leaves it.

    Examples
    --------
    >>> expanded("~nobody of that name/a.jpg").parts
    ('~nobody of that name', 'a.jpg')
    """
    return Path(os.path.expanduser(path))  # noqa: PTH111 (which raises where there is none)
