"""The map as a table: where each photograph lies."""

from __future__ import annotations

from pathlib import Path

from app.machine.csv_table import Table
from app.map.results import MapSummary
from core.errors import TwinlensError
from core.message import Message


def write_table(file: Path, result: MapSummary) -> None:
    """Write id, path, x, y, cluster and date of every photograph.

    Raises
    ------
    TwinlensError
        If the file cannot be written.
    """
    try:
        with file.open("w", newline="", encoding="utf-8") as out:
            writer = Table(out)
            writer.writerow(("id", "path", "x", "y", "cluster", "taken"))
            writer.writerows((one.id, one.path, one.x, one.y, one.cluster, one.taken) for one in result.points)
    except OSError as error:
        raise TwinlensError(
            Message("{file} cannot be written: {strerror}.", file=file, strerror=error.strerror),
            Message("Name another file."),
        ) from None
