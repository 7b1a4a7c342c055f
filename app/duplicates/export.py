"""Groups of duplicates as a table: a line for each photograph."""

from __future__ import annotations

from app.duplicates.results import DuplicateMember, DuplicatesResult, KeptPhotograph
from app.machine.csv_table import CsvTable
from app.machine.output_file import OutputFile, table

HEADINGS = ("group", "kind", "remove", "path", "width", "height", "bytes", "format", "taken", "camera", "differs")
TABLE = table(HEADINGS)


def write_groups_table(found: DuplicatesResult, file: OutputFile) -> None:
    """Write groups as CSV.

    Raises
    ------
    TwinlensError
        If the file cannot be written, or must not be replaced.
    """
    with file.opened_text(TABLE) as out:
        rows = CsvTable(out)
        rows.writerow(HEADINGS)
        for number, group in enumerate(found.groups, 1):
            rows.writerow(_row(number, "keep", group.keeper))
            for one in group.members:
                rows.writerow(_row(number, one.kind, one, one.goes, "; ".join(map(str, one.differs))))


def _row(
    number: int, kind: str, one: KeptPhotograph | DuplicateMember, goes: bool = False, differs: str = ""
) -> tuple[object, ...]:
    facts = (one.path, one.width, one.height, one.bytes, one.format, one.taken or "", one.camera or "")
    return (number, kind, int(goes), *facts, differs)
