"""Groups of duplicates as a table: a line for each photograph."""

from __future__ import annotations

from pathlib import Path

from app.duplicates.results import DuplicateMember, DuplicatesResult, KeptPhotograph
from app.machine.csv_table import Table
from core.errors import TwinlensError
from core.message import Message

HEADINGS = ("group", "kind", "remove", "path", "width", "height", "bytes", "format", "taken", "camera", "differs")


def write_table(found: DuplicatesResult, file: Path) -> None:
    """Write groups as CSV.

    Raises
    ------
    TwinlensError
        If the file cannot be written.
    """
    try:
        with file.open("w", newline="", encoding="utf-8") as out:
            table = Table(out)
            table.writerow(HEADINGS)
            for number, group in enumerate(found.groups, 1):
                table.writerow(_row(number, "keep", group.keeper))
                for one in group.members:
                    table.writerow(_row(number, one.kind, one, one.goes, "; ".join(map(str, one.differs))))
    except OSError as error:
        raise TwinlensError(
            Message("{file} cannot be written: {strerror}.", file=file, strerror=error.strerror),
            Message("Name another file."),
        ) from None


def _row(
    number: int, kind: str, one: KeptPhotograph | DuplicateMember, goes: bool = False, differs: str = ""
) -> tuple[object, ...]:
    facts = (one.path, one.width, one.height, one.bytes, one.format, one.taken or "", one.camera or "")
    return (number, kind, int(goes), *facts, differs)
