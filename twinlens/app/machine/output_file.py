"""Output files that a person names, from tables to backups: none replaces a file that Twinlens did not make.

A file is recognised by its beginning (:data:`Kind`). Tables are CSV for spreadsheets, which run a cell that begins as a
formula does, so text from outside gets an apostrophe.
"""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from twinlens.app.results import Result
from twinlens.core.errors import TwinlensError
from twinlens.core.files.unfinished_copies import clear, take_name, unfinished_copy
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message

Kind = re.Pattern[bytes]
"""The pattern of the beginning of outputs of one kind."""

MADE_BY = "Twinlens"
PAGE_MARK = f'<meta name="generator" content="{MADE_BY}">'
_MARK = re.escape(PAGE_MARK.encode())
PAGE = re.compile(b"<!doctype html>.{,200}?" + _MARK, re.DOTALL | re.IGNORECASE)
DRAWING = re.compile(
    rb"\x89PNG\r\n\x1a\n.{,400}?tEXtSoftware\0Twinlens|<\?xml.{,1500}?<dc:title>Twinlens</dc:title>"
    rb"|\xff\xd8\xff.{,100}?\xff\xfe\0\x0aTwinlens|%PDF.{,40}?/Producer\(Twinlens\)",
    re.DOTALL,
)
"""PNG, SVG, JPEG or PDF."""

DOCUMENT = re.compile(rb'\{\s*"generator": "Twinlens"')
"""JSON, see :func:`document`."""

EXPERIMENT = re.compile(rb"PK\x03\x04.{26}experiment\.json", re.DOTALL)
ONLY_COPY = re.compile(rb"(?!)")
"""Marks, metrics, vectors, codes, plans: perhaps the only copy or edited by hand, so replaced only with --overwrite."""

BACKUP = re.compile(rb"(?!SQLite)(?=SQLite)")
"""A backup of a library, the only output that may replace a database, with --overwrite."""

_DATABASE = b"SQLite format 3\0"
_LOOKED_AT = 1 << 20  # bytes from the beginning; kinds and formats are recognised by a few thousand
_IN_MEMORY = 1 << 24
_DESCRIPTORS = re.compile(r"/dev/fd|/proc/(\d+)/fd")
_MOST_LINKS = 40
ANOTHER = Message("Name another file.")


def table(heading: Sequence[str]) -> Kind:
    r"""Return the kind of the tables with some heading.

    Examples
    --------
    >>> bool(table(("id", "path")).match(b"id,path\r\n1,a.jpg\r\n"))
    True
    """
    return re.compile(re.escape(",".join(map(defused, heading)).encode()) + rb"\r?\n")


def document(result: Result) -> str:
    """Return a result as JSON that names its generator."""
    return f'{{\n  "generator": "{MADE_BY}",' + result.model_dump_json(indent=2).removeprefix("{") + "\n"


def nobodys(file: Path, own: bool) -> bool:
    """Return False: without a library no file is protected."""
    return False


@dataclass(frozen=True)
class OutputFile:
    """A file that a person has named for an output.

    Attributes
    ----------
    overwrite : bool
        Whether the person permits replacing an existing file.
    is_protected : callable
        Takes a path without links, and whether it is a picture by Twinlens; returns whether it belongs to the
        library, see :func:`twinlens.app.library.library.is_protected`.
    """

    path: Path
    overwrite: bool = False
    is_protected: Callable[[Path, bool], bool] = nobodys

    def __str__(self) -> str:
        return shown(os.fsencode(self.path))

    @property
    def ending(self) -> str:
        """The ending of its name in small letters, such as ``.csv``."""
        return self.path.suffix.lower()

    @property
    def size(self) -> int:
        """The bytes that were written; 0 of a pipe."""
        return self.path.stat().st_size

    def beside(self, path: Path) -> OutputFile:
        """Return another output under the same conditions."""
        return OutputFile(path, self.overwrite, self.is_protected)

    def check(self, kind: Kind) -> None:
        """Refuse a file that must not be replaced or cannot be written, before the work begins; nothing is changed.

        Raises
        ------
        TwinlensError
            With what is there, and what to do.
        """
        with self._in_sentences():
            place = self._look(kind)
            if not place.flows:
                with unfinished_copy(place.path, "writing a file") as part, part.open("xb"):
                    pass

    @contextmanager
    def opened(self, kind: Kind) -> Iterator[IO[bytes]]:
        """Open the file for writing; it is there when the block ends well, and as before when it does not.

        Raises
        ------
        TwinlensError
            As :meth:`check`; also if something came there in the meantime.
        """
        with self._in_sentences():
            place = self._look(kind)
            if place.flows:
                with TemporaryFile() as made:
                    yield made
                    self._pour(made, place)
                return
            with self.made(kind) as part, part.open("w+b") as file:
                yield file
                file.flush()

    @contextmanager
    def opened_text(self, kind: Kind) -> Iterator[IO[str]]:
        """Open the file for writing text in UTF-8, with line ends as they are; see :meth:`opened`."""
        with self.opened(kind) as file:
            text = io.TextIOWrapper(file, "utf-8", errors="replace", newline="")
            try:
                yield text
            finally:
                text.detach()

    def write(self, data: bytes | str, kind: Kind) -> None:
        """Write the whole content; see :meth:`opened`."""
        with self.opened(kind) as file:
            file.write(data.encode("utf-8", "replace") if isinstance(data, str) else data)

    @contextmanager
    def made(self, kind: Kind) -> Iterator[Path]:
        """Yield a new, empty file under a hidden name, which takes the place of the output when the block ends well.

        Raises
        ------
        TwinlensError
            As :meth:`opened`; also where it is a pipe or a device.
        """
        with self._in_sentences():
            place = self._look(kind)
            if place.flows:
                raise TwinlensError("{file} is a device or a pipe, not a file.", ANOTHER, file=str(self))
            clear(place.path.parent)
            with unfinished_copy(place.path, "writing a file") as part:
                with part.open("xb"):
                    pass
                if place.status is not None:
                    shutil.copymode(place.path, part)  # its owner has chosen the permissions
                yield part
                with part.open("rb+") as file:
                    os.fsync(file.fileno())
                self._put(part, kind, place)

    def _put(self, part: Path, kind: Kind, place: _Place) -> None:
        """Rename the finished file to its name, if what is there now may be replaced, too."""
        now = self._look(kind)
        if now.path != place.path or now.flows:
            raise self._exists()
        if now.status is not None:
            part.replace(now.path)
            return
        try:
            take_name(part, now.path)
        except FileExistsError:
            raise self._exists() from None

    def _pour(self, made: IO[bytes], place: _Place) -> None:
        """Write the finished output into a pipe, a device or an open file."""
        made.seek(0)
        target = self.path if place.descriptor is None else os.dup(place.descriptor)
        with open(target, "wb") as file:
            shutil.copyfileobj(made, file)

    def _look(self, kind: Kind) -> _Place:
        """Return the place of the output, or refuse it."""
        path, descriptor = Path(os.path.realpath(self.path)), _descriptor(self.path)
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return _Place(path, None)
        mode = status.st_mode
        if stat.S_ISREG(mode):
            self._refuse(path if descriptor is None else self.path, kind, descriptor is not None)
            return _Place(path, status, descriptor is not None, descriptor)
        if stat.S_ISDIR(mode):
            raise TwinlensError("{file} is a folder.", ANOTHER, file=str(self))
        if stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
            raise TwinlensError("{file} is a disk or a socket.", ANOTHER, file=str(self))
        return _Place(path, status, True, descriptor)

    def _refuse(self, path: Path, kind: Kind, flows: bool) -> None:
        """Refuse to replace a file, by its content."""
        head = _beginning(path)
        own, drawn = kind.match(head) is not None, DRAWING.match(head) is not None
        if own and not drawn:
            return
        _refuse_original(self.path, head)
        if head.startswith(_DATABASE) and kind is not BACKUP:
            raise TwinlensError("{file} is a library or another database.", ANOTHER, file=str(self))
        if flows:
            return
        if not (own or self.overwrite) and head:
            raise self._exists(kind)
        if self.is_protected(path, drawn):
            raise TwinlensError(
                "{file} belongs to the photos of the library.",
                "Name another file: such a file is never replaced.",
                file=str(self),
            )

    def _exists(self, kind: Kind = ONLY_COPY) -> TwinlensError:
        message = (
            Message("{file} exists already.", file=str(self))
            if kind in {ONLY_COPY, BACKUP}
            else Message("{file} exists and was not made by Twinlens.", file=str(self))
        )
        return TwinlensError(message, "Name another file, or repeat with --overwrite.")

    @contextmanager
    def _in_sentences(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise TwinlensError(
                "{file} cannot be written: {reason}.", ANOTHER, file=str(self), reason=error.strerror or str(error)
            ) from error


class _Place(NamedTuple):
    """The place of an output.

    Attributes
    ----------
    path : Path
        Without links.
    status : os.stat_result, optional
        Of what is there.
    flows : bool
        Whether it is a pipe, a device or an open file of this process: written into, never replaced.
    descriptor : int, optional
        Of the open file.
    """

    path: Path
    status: os.stat_result | None
    flows: bool = False
    descriptor: int | None = None


def _descriptor(path: Path) -> int | None:
    """Return the open file of this process behind a path such as /dev/stdout, also through links; None for none."""
    for _ in range(_MOST_LINKS):
        found = _DESCRIPTORS.fullmatch(os.path.realpath(path.parent))
        if found is not None:
            own = found[1] in {None, str(os.getpid())}
            return int(path.name) if own and path.name.isdecimal() else None
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    return None


def _beginning(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(_LOOKED_AT)


def _refuse_original(file: Path, head: bytes) -> None:
    from twinlens.features.formats.picture_or_film import is_picture_or_film  # takes Pillow

    if DRAWING.match(head) is None and is_picture_or_film(head, file.name):
        raise TwinlensError(
            "{file} is a picture or a film that Twinlens did not make.",
            "Name another file: such a file is never replaced.",
            file=shown(os.fsencode(file)),
        )


def refuse_original(file: Path) -> None:
    """Refuse to replace a picture or a film that Twinlens did not make; there may be no file.

    Raises
    ------
    TwinlensError
    """
    if file.is_file():
        _refuse_original(file, _beginning(file))


class CsvTable:
    """A writer of CSV rows into an open file.

    Parameters
    ----------
    out : text file
        Opened with ``newline=""``.
    """

    def __init__(self, out: IO[str], lineterminator: str = "\r\n") -> None:
        self._writer = csv.writer(out, lineterminator=lineterminator)

    def writerow(self, row: Iterable[object]) -> None:
        """Write a row; only text is defused."""
        self._writer.writerow([defused(cell) if isinstance(cell, str) else cell for cell in row])

    def writerows(self, rows: Iterable[Iterable[object]]) -> None:
        """Write rows."""
        for row in rows:
            self.writerow(row)


_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|nan)")


def defused(text: str) -> str:
    """Write a text so that no spreadsheet takes it for a formula.

    Examples
    --------
    >>> defused("=HYPERLINK(1)"), defused("-0.5"), defused("a.jpg"), defused("-a.jpg")
    ("'=HYPERLINK(1)", '-0.5', 'a.jpg', "'-a.jpg")
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def read_table(data: bytes) -> tuple[Sequence[str], list[dict[str, str]]]:
    r"""Return the headings and rows of a table, as Twinlens or a spreadsheet program wrote it, cells as they were.

    Columns are separated by commas, semicolons or tabs, as the first line shows. Text is UTF-8, else UTF-16 with its
    mark, else that of Windows in the west, which programs write where nobody has chosen.

    Examples
    --------
    >>> read_table("path;remove\r\nä.jpg;1\r\n".encode("utf-16"))
    (['path', 'remove'], [{'path': 'ä.jpg', 'remove': '1'}])
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252")
    first, _, _ = text.partition("\n")
    rows = csv.DictReader(
        io.StringIO(text, newline=""),
        delimiter=max(",;\t", key=first.count),
        restkey="",
        restval="",
        skipinitialspace=True,
    )
    return rows.fieldnames or (), [
        {name: original(cell) for name, cell in row.items() if isinstance(cell, str)} for row in rows
    ]


YES = frozenset({"1", "true", "yes", "wahr", "ja"})
"""What a cell says that holds; spreadsheet programs translate true and false."""

NO = frozenset({"0", "false", "no", "falsch", "nein"})


def original(text: str) -> str:
    """Return the text of a cell that :func:`defused` may have written.

    Examples
    --------
    >>> original(defused("=a.jpg")), original(defused("'=a.jpg")), original("'a.jpg")
    ('=a.jpg', "'=a.jpg", "'a.jpg")
    """
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
