"""The map as a table: where each photograph lies."""

from __future__ import annotations

from app.machine.csv_table import CsvTable
from app.machine.output_file import OutputFile, table
from app.map.results import MapSummary

HEADING = ("id", "path", "x", "y", "cluster", "taken")
TABLE = table(HEADING)


def write_map_table(file: OutputFile, result: MapSummary) -> None:
    """Write id, path, x, y, cluster and date of every photograph.

    Raises
    ------
    TwinlensError
        If the file cannot be written, or must not be replaced.
    """
    with file.opened_text(TABLE) as out:
        writer = CsvTable(out)
        writer.writerow(HEADING)
        writer.writerows((one.id, one.path, one.x, one.y, one.cluster, one.taken) for one in result.points)
