"""Drawing of figures into files, and of their points into tables."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Literal

from twinlens.app.lab.figures.axes import extent
from twinlens.app.lab.figures.chart_plan import plan_chart
from twinlens.app.lab.figures.figure import Figure, figure_colours
from twinlens.app.lab.figures.file_pens import FilePen, PngPen, SvgPen, wrapped, write_lines
from twinlens.app.lab.figures.label_places import LabelBox
from twinlens.app.lab.figures.painting import paint_axes, paint_data, paint_labels, paint_names
from twinlens.app.lab.figures.pdf_pen import PdfPen
from twinlens.app.machine.output_file import DRAWING, CsvTable, OutputFile, table
from twinlens.core.errors import TwinlensError

Format = Literal["pdf", "png", "svg"]
_WIDTH, _HEIGHT, _SQUARE_HEIGHT = 840.0, 480.0, 660.0  # pixels
_LEFT, _TOP, _RIGHT, _BOTTOM = 30.0, 16.0, 18.0, 10.0  # margins
_TITLE, _READING, _NOTE = 17.5, 12.0, 9.8  # sizes of letters
_TITLE_LINE, _READING_LINE, _NOTE_LINE = 28.0, 17.0, 13.0
_GAP = 14.0  # between words and chart


_PENS: dict[Format, type[PdfPen | PngPen | SvgPen]] = {"pdf": PdfPen, "png": PngPen, "svg": SvgPen}


def draw_figure(figure: Figure, format: Format = "svg", dark: bool = False) -> bytes:  # noqa: A002
    """Draw a figure.

    Parameters
    ----------
    dark : bool
        Light on dark.
    """
    height = _SQUARE_HEIGHT if figure.equal else _HEIGHT
    pen = _PENS[format](_WIDTH, height, dark)
    _draw(pen, figure, height)
    return pen.content()


def _draw(pen: FilePen, figure: Figure, height: float) -> None:
    """Draw the title, how to read the figure, its chart, and the note at the bottom."""
    ink, width = figure_colours(pen.dark), _WIDTH - _LEFT - _RIGHT
    pen.origin = _LEFT, _TOP
    pen.words(LabelBox(0, 0, width, _TITLE_LINE), str(figure.title), ink.words, bold=True, size=_TITLE)
    reading = wrapped(str(figure.reading), width, _READING, pen)
    write_lines(pen, reading, _TITLE_LINE, ink.quiet, _READING, _READING_LINE)
    note = wrapped(str(figure.note), width, _NOTE, pen)
    bottom = height - _BOTTOM - len(note) * _NOTE_LINE
    write_lines(pen, note, bottom - _TOP, ink.quiet, _NOTE, _NOTE_LINE)
    top = _TOP + _TITLE_LINE + len(reading) * _READING_LINE + _GAP
    pen.origin = _LEFT, top
    made = plan_chart(figure, extent(figure), (width, bottom - top - (_GAP if note else 0)), pen.width_of)
    paint_axes(pen, made)
    paint_data(pen, made)
    paint_labels(pen, made)
    paint_names(pen, made)


def write_figure(figure: Figure, file: OutputFile, dark: bool = False) -> None:
    """Draw a figure into a .pdf, .png or .svg.

    Raises
    ------
    TwinlensError
        If it cannot be written, must not be replaced, or has another ending.
    """
    form = _format(file)
    file.write(draw_figure(figure, form, dark), DRAWING)


def check_figure_file(file: OutputFile) -> None:
    """Refuse a file that no figure can be drawn into; see :meth:`twinlens.app.machine.output_file.OutputFile.check`."""
    _format(file)
    file.check(DRAWING)


def _format(file: OutputFile) -> Format:
    for form in _PENS:
        if file.ending == f".{form}":
            return form
    raise TwinlensError(
        "A figure cannot be drawn as {name}.", "Name a file that ends in .svg, .pdf or .png.", name=file.path.name
    )


HEADING = ("figure", "series", "x", "y", "low", "high", "weight")
TABLE = table(HEADING)


def figure_points(figures: Sequence[Figure]) -> str:
    """Return the points of all series as CSV, with intervals of y, and the cells of densities.

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
