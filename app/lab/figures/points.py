"""The points of figures as a table."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence

from app.lab.figures.figure import Figure
from app.machine.csv_table import CsvTable
from app.machine.output_file import OutputFile, table

HEADING = ("figure", "series", "x", "y", "low", "high", "weight")
TABLE = table(HEADING)


def figure_points(figures: Sequence[Figure]) -> str:
    """Write the points of all series as CSV, with from where to where y goes; and the cells of densities.

    A cell of a density is a row without a series, at its middle, with its weight; empty cells are left out.
    """
    out = io.StringIO()
    write = CsvTable(out, lineterminator="\n")
    write.writerow(HEADING)
    for figure in figures:
        write.writerows(_of_series(figure))
        write.writerows(_of_density(figure))
    return out.getvalue()


def write_points(figures: Sequence[Figure], file: OutputFile) -> None:
    """Write the points into a file.

    Raises
    ------
    TwinlensError
        If it cannot be written, or must not be replaced.
    """
    file.write(figure_points(figures), TABLE)


def _of_series(figure: Figure) -> Iterator[tuple[str, ...]]:
    for one in figure.series:
        for place, (x, y) in enumerate(zip(one.x, one.y, strict=True)):
            ends = [_number(some[place]) if len(some) else "" for some in (one.low, one.high)]
            yield figure.name, str(one.name), _number(x), _number(y), *ends, ""


def _of_density(figure: Figure) -> Iterator[tuple[str, ...]]:
    found = figure.density
    if found is None:
        return
    for row, weights in enumerate(found.weight):
        for column, weight in enumerate(weights):
            if weight > 0:
                x, y = (found.x[column] + found.x[column + 1]) / 2, (found.y[row] + found.y[row + 1]) / 2
                yield figure.name, "", _number(x), _number(y), "", "", _number(weight)


def _number(value: float) -> str:
    return f"{value:.9g}"
