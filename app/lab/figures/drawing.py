"""Drawing of figures into picture files by matplotlib, and of their points into tables.

matplotlib is slow to import, so it is imported only when something is drawn.
"""

from __future__ import annotations

import io
import logging
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from app.lab.figures.axes import (
    Span,
    bar_width,
    equal_extent,
    extent,
    log_ticks,
    measured_at,
    plain_number,
    scaled,
    unscaled,
)
from app.lab.figures.figure import (
    Axis,
    Dash,
    Figure,
    FigureColours,
    FigureKind,
    Marker,
    Series,
    figure_colours,
    is_crowded,
    marker_of,
    series_colour,
    series_dash,
)
from app.lab.figures.label_places import folded_label, place_labels, spread_labels
from app.machine import app_folders as places
from app.machine.output_file import DRAWING, MADE_BY, CsvTable, OutputFile, table
from core.errors import TwinlensError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Format = Literal["png", "svg"]
_SIZE, _SQUARE_SIZE = (8.4, 4.8), (8.4, 6.6)  # inches
_LEFT, _BOTTOM, _HEIGHT = 0.085, 0.165, 0.6  # of the plot, as shares of the picture
_LETTER = 0.078  # width in inches
_NO_XML = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")  # names may hold them, XML must not
_DPI = 160
_DASHES: dict[Dash, Any] = {
    Dash.SOLID: "-", Dash.DASHED: (0, (5, 2.2)), Dash.DOTTED: (0, (1.2, 1.8)), Dash.DASH_DOT: (0, (6, 2, 1.2, 2)),
}  # fmt: skip
_NEAR = 0.85  # from where a curve's end is near its name
_SQUARE = 1.5  # of the height, the width of a plot of equal units
_APART = 0.03  # between ends, as a share of the plot's height, so that they tell names apart
_NAME, _LEADING = 8.6, 1.22  # points of the letters of names, and how much higher their lines are
_LINE_OF_WORDS = 0.033  # height, as a share of the picture's
_NAMES_AT = 1.115
_MARK, _SMALL, _POINT = 6.2, 5.4, 4.2
_WORDS, _WORDS_LINE = 8.0, 11.5  # points: of letters in the plot, and of their lines


def draw_figure(
    figure: Figure,
    format: Format = "svg",  # noqa: A002
    dark: bool = False,
    size: tuple[float, float] | None = None,
) -> bytes:
    """Draw a figure.

    Parameters
    ----------
    dark : bool
        Light on dark.
    size : (float, float), optional
        Width and height in inches; of PNG 160 pixels each.
    """
    # What it knows of fonts lies in our cache; where that cannot be written it looks anew, and need not say so.
    os.environ.setdefault("MPLCONFIGDIR", str(places.cache_folder() / "matplotlib"))
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Picture

    size = size or (_SQUARE_SIZE if figure.equal else _SIZE)
    settings: Any = {
        "svg.hashsalt": "twinlens", "svg.fonttype": "path", "font.family": "DejaVu Sans", "axes.unicode_minus": True,
        "axes.formatter.use_mathtext": False, "path.simplify": False, "text.parse_math": False,
    }  # fmt: skip
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # a sign that the font lacks is a box
        picture = Picture(figsize=size, dpi=_DPI)
        ink = figure_colours(dark)
        picture.patch.set_facecolor(ink.ground)
        axes = picture.add_axes(_box(figure, size))
        _frame(axes, figure, ink)
        if figure.density is not None:
            _density(axes, figure, dark)
        ends = [_series(axes, one, figure, dark, 3.0 - 0.01 * place) for place, one in enumerate(figure.series)]
        spans = _limits(axes, figure, size)
        _ticks(axes, figure.x, "x", measured_at(figure))
        _ticks(axes, figure.y, "y")
        for marker in figure.markers:
            _marker(axes, marker, dark)
        _names(axes, figure.series, ends, dark, _points(axes, size)[1])
        _placed_words(axes, figure, spans, size, dark)
        _words(picture, figure, ink, size)
        out = io.BytesIO()
        if format == "svg":
            svg: Any = FigureCanvasSVG(picture)
            svg.print_svg(out, metadata={"Date": None, "Creator": MADE_BY})
            return _NO_XML.sub(b"", out.getvalue())
        png: Any = FigureCanvasAgg(picture)
        png.print_png(out, metadata={"Software": MADE_BY})
        return out.getvalue()


def write_figure(figure: Figure, file: OutputFile, dark: bool = False) -> None:
    """Draw a figure into a .png or .svg.

    Raises
    ------
    TwinlensError
        If it cannot be written, must not be replaced, or has another ending.
    """
    form = _format(file)
    file.write(draw_figure(figure, form, dark), DRAWING)


def check_figure_file(file: OutputFile) -> None:
    """Refuse a file that no figure can be drawn into; see :meth:`app.machine.output_file.OutputFile.check`."""
    _format(file)
    file.check(DRAWING)


def _format(file: OutputFile) -> Format:
    if file.ending not in {".png", ".svg"}:
        raise TwinlensError(
            "A figure cannot be drawn as {name}.", "Name a file that ends in .png or .svg.", name=file.path.name
        )
    return "svg" if file.ending == ".svg" else "png"


def _box(figure: Figure, size: tuple[float, float]) -> tuple[float, float, float, float]:
    """Place the plot so that the names have just enough room at the right."""
    longest = max((len(line) for one in figure.series for line in folded_label(str(one.name)).split("\n")), default=0)
    room = (0.15 + _LETTER * longest) / size[0] if longest else 0.0
    width = (1 - _LEFT - room) / (_NAMES_AT if longest else 1.02)
    above = _LINE_OF_WORDS * _wrapped(str(figure.reading), _letters(size)).count("\n")
    below = _LINE_OF_WORDS * _wrapped(str(figure.note), _small_letters(size)).count("\n")
    if figure.equal:  # a wide plot of equal units is mostly empty
        width = min(width, _SQUARE * (_HEIGHT - above - below) * size[1] / size[0])
    return _LEFT, _BOTTOM + below, width, _HEIGHT - above - below


# --- the frame --------------------------------------------------------------------------------------------------------
def _frame(axes: Axes, figure: Figure, ink: FigureColours) -> None:
    axes.set_facecolor(ink.ground)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(ink.grid)
    axes.grid(True, axis="y", color=ink.grid, linewidth=0.8)
    if figure.kind is FigureKind.POINTS or figure.equal or figure.density is not None:
        axes.grid(True, axis="x", color=ink.grid, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=ink.quiet, labelsize=8.5, length=0, pad=5, which="both")
    if figure.x.log:
        axes.set_xscale("log")
    if figure.y.log:
        axes.set_yscale("log")
    axes.set_xlabel(figure.x.words, fontsize=9, color=ink.quiet, labelpad=7)
    axes.text(
        0.0, 1.035, figure.y.words, transform=axes.transAxes, fontsize=9, color=ink.quiet, ha="left", va="bottom",
    )  # fmt: skip


def _limits(axes: Axes, figure: Figure, size: tuple[float, float]) -> tuple[Span, Span]:
    """Set the limits of the axes as in every drawing of the figure."""
    spans = extent(figure)
    if figure.equal:
        spans = equal_extent(spans, *_points(axes, size))
    axes.set_xlim(*(unscaled(one, figure.x) for one in spans[0]))
    axes.set_ylim(*(unscaled(one, figure.y) for one in spans[1]))
    return spans


def _points(axes: Axes, size: tuple[float, float]) -> tuple[float, float]:
    """Return width and height of the plot in typographic points."""
    box = axes.get_position()
    return 72 * size[0] * float(box.width), 72 * size[1] * float(box.height)


def _ticks(axes: Axes, axis: Axis, which: Literal["x", "y"], at: Sequence[float] = ()) -> None:
    """Set few ticks, with plain numbers."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

    one = axes.xaxis if which == "x" else axes.yaxis
    if at:
        one.set_major_locator(FixedLocator(list(at)))
        one.set_minor_locator(NullLocator())
    elif axis.log:
        low, high = one.get_view_interval()
        one.set_major_locator(FixedLocator(log_ticks(float(low), float(high))))
        one.set_minor_locator(NullLocator())
    else:
        one.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    one.set_major_formatter(FuncFormatter(lambda value, _: plain_number(float(value))))


# --- what is drawn ----------------------------------------------------------------------------------------------------
def _series(axes: Axes, one: Series, figure: Figure, dark: bool, front: float) -> tuple[float, float]:
    """Draw a series, and return its end, where its name belongs."""
    ink = series_colour(one.place, dark)
    x, y = np.asarray(one.x, float), np.asarray(one.y, float)
    if one.kind is FigureKind.BARS:
        half, middle = bar_width(one, figure.x) / 2, scaled(x, figure.x)
        left, right = (np.array([unscaled(float(at), figure.x) for at in middle + off]) for off in (-half, half))
        axes.bar(left, y, width=right - left, align="edge", color=ink, linewidth=0, zorder=front)
    else:
        joined = one.kind is FigureKind.LINES and len(x) > 1
        crowded = not joined and is_crowded(figure)
        axes.plot(
            x, y, color=ink, linewidth=1.9 if joined else 0, linestyle=_DASHES[series_dash(one)], zorder=front,
            solid_capstyle="round", dash_capstyle="butt",
            marker=marker_of(one.place) if one.marked or not joined else None,
            markersize=(_POINT if crowded else _MARK) * _grown(one), markeredgecolor=figure_colours(dark).ground,
            markeredgewidth=0 if crowded else 0.9, alpha=0.7 if crowded else None,
        )  # fmt: skip
    if len(one.low) and one.kind is not FigureKind.BARS:
        low, high = np.asarray(one.low, float), np.asarray(one.high, float)
        if one.marked:
            axes.errorbar(
                x, y, yerr=(np.maximum(y - low, 0), np.maximum(high - y, 0)), fmt="none", ecolor=ink, elinewidth=1.1,
                capsize=2.6, capthick=1.1, alpha=0.75, zorder=front - 0.5,
            )  # fmt: skip
        else:
            axes.fill_between(x, low, high, color=ink, alpha=0.13, linewidth=0, zorder=2)
    if not len(x):
        return float("nan"), float("nan")
    last = int(np.argmax(x))
    return float(x[last]), float(y[last])


def _grown(one: Series) -> float:
    """Enlarge thin marks until they look as heavy as the others."""
    return 1.3 if marker_of(one.place) in {"P", "X"} else 1.0


def _density(axes: Axes, figure: Figure, dark: bool) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    assert figure.density is not None
    weight = np.ma.masked_less_equal(np.asarray(figure.density.weight, float), 0)
    ink = figure_colours(dark)
    ramp = LinearSegmentedColormap.from_list("density", [ink.grid, series_colour(0, dark)])
    most = float(weight.max()) if weight.count() else 0.0
    axes.pcolormesh(
        figure.density.x, figure.density.y, np.sqrt(weight), cmap=ramp, vmin=0, vmax=max(most, 1e-300) ** 0.5,
        rasterized=True, zorder=1.5, linewidth=0,
    )  # fmt: skip
    if not most:
        return
    least = float(weight.min())
    words: dict[str, Any] = {"transform": axes.transAxes, "fontsize": 8, "color": ink.quiet, "va": "center"}
    last = axes.text(1.0, 1.065, f"{plain_number(most)} {figure.density.unit}".strip(), ha="right", **words)
    left = 0.985 - _LETTER * 0.85 * len(last.get_text()) / 5.2
    shades = np.sqrt(np.linspace(least, most, 60))
    scale = axes.inset_axes((left - 0.12, 1.05, 0.12, 0.03))
    scale.imshow(shades[None], cmap=ramp, vmin=0, vmax=most**0.5, aspect="auto", interpolation="nearest")
    scale.set_axis_off()
    axes.text(left - 0.13, 1.065, plain_number(least), ha="right", **words)


def _marker(axes: Axes, one: Marker, dark: bool) -> None:
    style: dict[str, Any] = {"color": series_colour(one.place, dark), "linewidth": 1.1, "linestyle": (0, (3, 2))}
    (axes.axvline if one.vertical else axes.axhline)(one.at, **style, zorder=2.5)


def _placed_words(axes: Axes, figure: Figure, spans: tuple[Span, Span], size: tuple[float, float], dark: bool) -> None:
    """Write the labels of lines and points on a veil, where they cover least."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(family="DejaVu Sans", size=_WORDS)

    def measure(words: str) -> float:
        return float(TextPath((0, 0), words, prop=font).get_extents().width) + 2 if words else 0.0

    width, height = _points(axes, size)
    veil = {"facecolor": figure_colours(dark).ground, "alpha": 0.8, "linewidth": 0, "pad": 0.6}
    lines, labels = place_labels(figure, spans, (width, height), measure, _WORDS_LINE)
    for one in (*lines, *labels):
        if one.lead is not None:
            axes.plot(
                [one.lead.x / width, one.lead.to_x / width], [1 - one.lead.y / height, 1 - one.lead.to_y / height],
                transform=axes.transAxes, color=series_colour(one.place, dark), linewidth=0.6, alpha=0.45, zorder=3.9,
            )  # fmt: skip
        axes.text(
            (one.box.left + one.box.width / 2) / width, 1 - (one.box.top + one.box.height / 2) / height, one.words,
            transform=axes.transAxes, fontsize=_WORDS, color=series_colour(one.place, dark), ha="center",
            va="center_baseline", zorder=4, bbox=veil,
        )  # fmt: skip


def _names(
    axes: Axes, series: Sequence[Series], ends: Sequence[tuple[float, float]], dark: bool, height: float
) -> None:
    """Write the names beside the plot, with a thin line from a distant curve's end."""
    named: list[tuple[Series, tuple[float, float]]] = [
        (one, _place(axes, end)) for one, end in zip(series, ends, strict=True) if one.name and np.isfinite(end).all()
    ]
    if not named:
        return
    away = [bool(place[0] < _NEAR) for _, place in named]
    heights_of_ends = [float(place[1]) for _, place in named]
    clouds = any(one.kind is not FigureKind.LINES for one, _ in named)
    close = clouds or (len(named) > 1 and max(heights_of_ends) - min(heights_of_ends) < _APART * len(named))
    if close:  # the ends tell nothing apart: names in the order of the curves, from above
        named = [(one, (place[0], 1.0)) for one, place in named]
        named.sort(key=lambda pair: (-float(np.mean(pair[0].y)), pair[0].place))
    else:
        named.sort(key=lambda pair: (-float(pair[1][1]), pair[0].place))
    texts = [folded_label(str(one.name)) for one, _ in named]
    lines = [text.count("\n") + 1 for text in texts]
    each = _NAME * _LEADING / height  # of a line, as a share of the plot's height
    size = _NAME * min(1.0, max(0.58, 1.1 / (sum(lines) * each)))
    heights = [count * each * size / _NAME for count in lines]
    places = spread_labels([float(place[1]) for _, place in named], heights, 0.0, 1.04)
    for (one, (x, y)), text, at in zip(named, texts, places, strict=True):
        ink = series_colour(one.place, dark)
        if not close and not any(away):
            axes.plot(
                [min(x, 1.0) + 0.008, 1.03, 1.045], [y, at, at], transform=axes.transAxes, color=ink, linewidth=0.6,
                alpha=0.45, clip_on=False, zorder=1.8, solid_capstyle="round",
            )  # fmt: skip
        _swatch(axes, one, at, dark)
        axes.text(
            _NAMES_AT, at, text, transform=axes.transAxes, fontsize=size, color=ink, va="center", ha="left",
            linespacing=1.15,
        )  # fmt: skip


def _place(axes: Axes, at: tuple[float, float]) -> tuple[float, float]:
    """Return a position in the data as shares of the plot."""
    x, y = axes.transAxes.inverted().transform(axes.transData.transform(at))
    return float(x), min(max(float(y), 0.0), 1.0)  # one that ends out of sight is named where it leaves the plot


def _swatch(axes: Axes, one: Series, at: float, dark: bool) -> None:
    """Draw the dash and the mark of a series before its name."""
    joined = one.kind is FigureKind.LINES and len(one.x) > 1
    axes.plot(
        [1.055, 1.078, 1.101], [at, at, at], transform=axes.transAxes, color=series_colour(one.place, dark),
        linewidth=1.9 if joined else 0, linestyle=_DASHES[series_dash(one)], clip_on=False, markevery=[1],
        marker=(marker_of(one.place) if one.kind is not FigureKind.BARS else "s") if one.marked or not joined else None,
        markersize=_SMALL * _grown(one), markeredgecolor=figure_colours(dark).ground, markeredgewidth=0.7,
    )  # fmt: skip


def _words(picture: Any, figure: Figure, ink: FigureColours, size: tuple[float, float]) -> None:
    left = _LEFT - 0.045
    picture.text(left, 0.955, str(figure.title), fontsize=13, weight="bold", color=ink.words, ha="left", va="top")
    picture.text(
        left,
        0.9,
        _wrapped(str(figure.reading), _letters(size)),
        fontsize=9,
        color=ink.quiet,
        ha="left",
        va="top",
        linespacing=1.3,
    )
    if figure.note:
        picture.text(
            left, 0.02, _wrapped(str(figure.note), _small_letters(size)), fontsize=7.3, color=ink.quiet, ha="left",
            va="bottom", linespacing=1.25,
        )  # fmt: skip


def _letters(size: tuple[float, float]) -> int:
    return round(15 * size[0])


def _small_letters(size: tuple[float, float]) -> int:
    return round(18 * size[0])


def _wrapped(text: str, letters: int) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(text, letters))


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
