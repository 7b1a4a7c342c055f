"""Painting of a chart by its plan: densities, bands, bars, curves and points, and the axes and names around them.

A curve is painted with as few corners as the eye can tell apart. Few marks of points are painted one by one; thousands
are painted at once, as a picture of how densely they cover each other.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from app.gui.charts.chart_plan import LINE, SWATCH, ChartPlan, CurveName, tick_text
from app.gui.look.theme import DARK, theme
from app.lab.figures.axes import bar_width
from app.lab.figures.figure import (
    CROWDED,
    Dash,
    Density,
    FigureKind,
    Series,
    figure_colours,
    is_crowded,
    marker_of,
    series_colour,
    series_dash,
)
from app.lab.figures.label_places import LabelBox, PlacedLabel
from core.arrays import Float64Values

_LINE = 1.9
_MARK = 8.0
_POINT = 6.0
_DASHES: dict[Dash, list[float]] = {
    Dash.SOLID: [], Dash.DASHED: [4.4, 2.6], Dash.DOTTED: [1.2, 2.0], Dash.DASH_DOT: [5.4, 2.2, 1.2, 2.2],
}  # fmt: skip
_CELLS = 512  # steps of a density with unequal cells
_BAND, _BAND_DARK = 0.13, 0.2  # opacity of a band
_BAR = 0.75  # opacity of the bars of a measurement
_CAP = 3.0  # half the stroke at the ends of such bars
_OVER = 4.0  # pixels by which curves and marks at the edge may leave the plot


def is_dark() -> bool:
    """Return whether the window is dark."""
    return theme() is DARK


def ink_of(place: int, share: float = 1.0) -> QColor:
    """Return the colour at a place of the palette, with some opacity."""
    ink = QColor(series_colour(place, is_dark()))
    ink.setAlphaF(share)
    return ink


def pen_of(one: Series) -> QPen:
    """Return the pen of a series' line."""
    pen = QPen(ink_of(one.place), _LINE)
    pattern = _DASHES[series_dash(one)]
    pen.setCapStyle(Qt.PenCapStyle.FlatCap if pattern else Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if pattern:
        pen.setDashPattern(pattern)
    return pen


def is_joined(one: Series) -> bool:
    """Return whether a series is a line."""
    return one.kind is FigureKind.LINES and len(one.x) > 1


def is_marked(one: Series) -> bool:
    """Return whether the points of a series are visible."""
    return one.kind is not FigureKind.BARS and (one.marked or not is_joined(one))


def paint_data(painter: QPainter, made: ChartPlan) -> None:
    """Paint the data of a figure from back to front, important data last."""
    figure, plot = made.figure, QRectF(*made.plot)
    behind_first = list(reversed(list(enumerate(figure.series))))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(plot)
    if figure.density is not None:
        _density(painter, figure.density, made)
    for number, one in enumerate(figure.series):
        if len(one.low) and not one.marked and one.kind is not FigureKind.BARS:
            _band(painter, number, made)
    for number, one in behind_first:
        if one.kind is FigureKind.BARS:
            _bars(painter, number, made)
    over = _OVER if made.whole else 0.0
    painter.setClipRect(plot.adjusted(-over, -over, over, over))
    for number, one in enumerate(figure.series):
        if len(one.low) and one.marked and one.kind is not FigureKind.BARS:
            _measured(painter, number, made)
    for number, one in behind_first:
        if one.kind is not FigureKind.BARS:
            _points(painter, number, made)
    painter.restore()


def _points(painter: QPainter, series: int, made: ChartPlan) -> None:
    one, (x, y) = made.figure.series[series], made.points[series]
    if is_joined(one):
        paint_curve(painter, x, y, pen_of(one), made.plot)
    if is_marked(one):
        good = np.isfinite(x) & np.isfinite(y)
        path = mark_path(one.place, _MARK if one.marked else _POINT)
        if len(x) > CROWDED or (not is_joined(one) and is_crowded(made.figure)):
            paint_many(painter, x[good], y[good], path, ink_of(one.place), made.plot)
        else:
            paint_marks(painter, x[good], y[good], path, ink_of(one.place), QPen(QColor(theme().paper), 1.0))


def _band(painter: QPainter, series: int, made: ChartPlan) -> None:
    x, *edges = _spans(series, made)
    if len(x) > 1:
        there, back = (thinned_corners(np.stack([x, edge], 1)).tolist() for edge in edges)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink_of(made.figure.series[series].place, _BAND_DARK if is_dark() else _BAND))
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in (*there, *reversed(back))]))


def _spans(series: int, made: ChartPlan) -> tuple[Float64Values, Float64Values, Float64Values]:
    """Return the intervals of a series' points in pixels: position across, low end and high end."""
    one = made.figure.series[series]
    spans = np.stack([made.points[series][0], made.down(one.low), made.down(one.high)])
    x, low, high = spans[:, np.isfinite(spans).all(axis=0)]
    return x, low, high


def _measured(painter: QPainter, series: int, made: ChartPlan) -> None:
    """Paint the interval of each measured point as a bar with strokes at its ends."""
    painter.setPen(QPen(ink_of(made.figure.series[series].place, _BAR), 1.1))
    for at, *ends in np.stack(_spans(series, made), 1).tolist():
        painter.drawLine(QLineF(at, ends[0], at, ends[1]))
        painter.drawLines([QLineF(at - _CAP, end, at + _CAP, end) for end in ends])


def _bars(painter: QPainter, series: int, made: ChartPlan) -> None:
    one, (x, top) = made.figure.series[series], made.points[series]
    foot = made.plot.top + made.plot.height if made.figure.y.log else float(made.down(0.0))
    width = bar_width(one, made.figure.x) / (made.x[1] - made.x[0]) * made.plot.width
    good = np.isfinite(x) & np.isfinite(top)
    for at, end in zip(x[good].tolist(), top[good].tolist(), strict=True):
        painter.fillRect(QRectF(at - width / 2, end, width, foot - end).normalized(), ink_of(one.place))


def _density(painter: QPainter, density: Density, made: ChartPlan) -> None:
    columns, left, right = _regular(made.across(density.x))
    rows, bottom, top = _regular(-made.down(density.y))
    shades = density_ramp(np.asarray(density.weight, np.float64)[np.ix_(rows[::-1], columns)])
    image = QImage(shades.tobytes(), len(columns), len(rows), 4 * len(columns), QImage.Format.Format_RGBA8888)
    painter.drawImage(QRectF(left, -top, right - left, top - bottom), image)


def _regular(borders: Float64Values) -> tuple[npt.NDArray[np.int64], float, float]:
    """Return the cell at each of equal steps, many steps where the cells are unequal."""
    first = 0 if np.isfinite(borders[0]) else 1  # a logarithmic axis has no position for 0
    inside = borders[first:]
    steps = np.diff(inside)
    if np.allclose(steps, steps.mean(), rtol=1e-3):
        return np.arange(len(steps)) + first, float(inside[0]), float(inside[-1])
    at = inside[0] + (np.arange(_CELLS) + 0.5) / _CELLS * (inside[-1] - inside[0])
    cell = np.clip(np.searchsorted(inside, at, "right") - 1, 0, len(steps) - 1) + first
    return cell, float(inside[0]), float(inside[-1])


def density_ramp(weight: Float64Values) -> npt.NDArray[np.uint8]:
    """Return the colours of weights by the square root, from hardly any to all of the ink; 0 is transparent."""
    first, last = (_rgb(one) for one in (figure_colours(is_dark()).grid, series_colour(0, is_dark())))
    share = np.sqrt(np.maximum(weight, 0) / max(float(weight.max(initial=0)), 1e-300))
    found = np.empty((*weight.shape, 4), np.uint8)
    found[..., :3] = np.rint(first + share[..., None] * (last - first)).astype(np.uint8)
    found[..., 3] = np.where(weight > 0, 255, 0)
    return found


def _rgb(name: str) -> Float64Values:
    ink = QColor(name)
    return np.array([ink.red(), ink.green(), ink.blue()], np.float64)


_SMALL = 11  # size of letters, px
_RAMP = 60.0  # width of the colour scale of a density, px
_RING = 7.5
_LEGEND_MARK = 7.5
_BARS = 5.0  # half the square that represents bars
_LEADING = 0.45  # opacity of leader lines
_VEIL = 0.8  # opacity of the paper behind words
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_CENTRE = Qt.AlignmentFlag.AlignCenter


class FramePainting:
    """Painter of the axes, names and labels of a chart.

    Parameters
    ----------
    font : QFont
        Font of the window.
    """

    def __init__(self, font: QFont) -> None:
        self._font = QFont(font)
        self._font.setPixelSize(_SMALL)
        self._metrics = QFontMetricsF(self._font)

    def width_of(self, words: str) -> float:
        """Return the width of words."""
        return self._metrics.horizontalAdvance(words)

    def words_alone(self, painter: QPainter, where: QRectF, words: str) -> None:
        """Show why there is no chart."""
        painter.setFont(self._font)
        painter.setPen(QColor(theme().quiet))
        painter.drawText(where.adjusted(20, 0, -20, 0), _CENTRE | Qt.TextFlag.TextWordWrap, words)

    def axes(self, painter: QPainter, made: ChartPlan, width: float) -> None:
        """Paint the grid, the ticks and the titles of the axes."""
        figure, ink = made.figure, figure_colours(is_dark())
        grid, quiet = QPen(QColor(ink.grid), 1), QColor(ink.quiet)
        box = QRectF(*made.plot)
        left, right, top, bottom = (round(one) for one in (box.left(), box.right(), box.top(), box.bottom()))
        painter.setFont(self._font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(grid)
        painter.drawLine(left, bottom, right, bottom)
        crossed = figure.kind is FigureKind.POINTS or figure.equal or figure.density is not None
        for tick in made.x_ticks:
            painter.drawLine(round(tick.at), bottom + 3, round(tick.at), top if crossed else bottom)
        for tick in made.y_ticks:
            painter.drawLine(left, round(tick.at), right, round(tick.at))
        painter.setPen(quiet)
        for tick in made.x_ticks:
            painter.drawText(QRectF(tick.at - 60, bottom + 5, 120, LINE), _CENTRE, tick.words)
        for tick in made.y_ticks:
            painter.drawText(QRectF(0, tick.at - LINE / 2, box.left() - 8, LINE), _RIGHT, tick.words)
        words = self._metrics.elidedText(figure.x.words, Qt.TextElideMode.ElideRight, width - 8)
        wide = self.width_of(words)
        across = min(max(box.center().x() - wide / 2, 2), width - wide - 2)
        painter.drawText(QRectF(across, bottom + LINE + 8, wide + 4, LINE), _LEFT, words)
        words = self._metrics.elidedText(figure.y.words, Qt.TextElideMode.ElideRight, width - 4)
        painter.drawText(QRectF(2, 0, width - 4, LINE), _LEFT, words)

    def words(self, painter: QPainter, made: ChartPlan) -> None:
        """Paint reference lines, their labels and those of points, and the colour scale of a density."""
        painter.setFont(self._font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._lines(painter, made)
        if made.figure.density is not None:
            self._scale(painter, made, made.figure.density)
        for words in (*made.lines, *made.labels):
            self._words(painter, words)

    def names(self, painter: QPainter, made: ChartPlan, pointed: int | None) -> None:
        """Paint the names of series, the pointed one bold."""
        for name in made.names:
            self._name(painter, name, made, name.series == pointed)

    def ring(self, painter: QPainter, where: QPointF, place: int, width: float) -> None:
        """Paint a ring around a point."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen in (QPen(QColor(theme().paper), width + 2), QPen(ink_of(place), width)):
            painter.setPen(pen)
            painter.drawEllipse(where, _RING, _RING)

    def _lines(self, painter: QPainter, made: ChartPlan) -> None:
        box = QRectF(*made.plot)
        for marker in made.figure.markers:
            pen = QPen(ink_of(marker.place), 1.1)
            pen.setDashPattern([3, 2.4])
            painter.setPen(pen)
            if marker.vertical:
                at = float(made.across(marker.at))
                line = QLineF(at, box.top(), at, box.bottom())
            else:
                at = float(made.down(marker.at))
                line = QLineF(box.left(), at, box.right(), at)
            if box.adjusted(-0.5, -0.5, 0.5, 0.5).contains(line.p1()):
                painter.drawLine(line)

    def _scale(self, painter: QPainter, made: ChartPlan, density: Density) -> None:
        """Paint the colour scale of a density, above the plot at its right."""
        weight = np.asarray(density.weight, np.float64)
        most = float(weight.max(initial=0))
        if most <= 0:
            return
        least = float(weight[weight > 0].min())
        words = f"{tick_text(most)} {density.unit}".strip()
        right = made.plot.left + made.plot.width
        wide, before = self.width_of(words), self.width_of(tick_text(least))
        left = right - wide - _RAMP - before - 10
        if left < self.width_of(made.figure.y.words) + 16:
            return
        for step, shade in enumerate(density_ramp(np.linspace(least, most, int(_RAMP))).tolist()):
            painter.fillRect(QRectF(left + before + 5 + step, 4, 1.5, LINE - 7), QColor(*shade))
        painter.setPen(QColor(figure_colours(is_dark()).quiet))
        painter.drawText(QRectF(left, 0, before + 2, LINE), _LEFT, tick_text(least))
        painter.drawText(QRectF(right - wide, 0, wide + 2, LINE), _LEFT, words)

    def _words(self, painter: QPainter, words: PlacedLabel) -> None:
        veil = QColor(theme().paper)
        veil.setAlphaF(_VEIL)
        where = QRectF(*words.box)
        if words.lead is not None:
            painter.setPen(QPen(ink_of(words.place, _LEADING), 0.8))
            painter.drawLine(QPointF(words.lead.x, words.lead.y), QPointF(words.lead.to_x, words.lead.to_y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(veil)
        painter.drawRoundedRect(where.adjusted(-1, 1, 1, -1), 2, 2)
        painter.setPen(ink_of(words.place))
        painter.drawText(where, _CENTRE, words.words)

    def _name(self, painter: QPainter, name: CurveName, made: ChartPlan, pointed: bool) -> None:
        one = made.figure.series[name.series]
        middle, swatch = name.middle, QPointF(name.left + SWATCH / 2, name.middle)
        if name.end is not None:
            painter.setPen(QPen(ink_of(one.place, _LEADING), 0.8))
            start = min(name.end[0], made.plot.left + made.plot.width) + 4
            corners = [(start, name.end[1]), (name.left - 9, middle), (name.left - 4, middle)]
            painter.drawPolyline([QPointF(*corner) for corner in corners])
        if is_joined(one):
            painter.setPen(pen_of(one))
            painter.drawLine(QPointF(name.left, middle), QPointF(name.left + SWATCH, middle))
        if one.kind is FigureKind.BARS:
            painter.fillRect(QRectF(swatch.x() - _BARS, middle - _BARS, 2 * _BARS, 2 * _BARS), ink_of(one.place))
        elif is_marked(one):
            border = QPen(QColor(theme().paper), 1.0)
            x, y = np.array([swatch.x()]), np.array([middle])
            paint_marks(painter, x, y, mark_path(one.place, _LEGEND_MARK), ink_of(one.place), border)
        font = QFont(self._font)
        font.setBold(pointed)
        painter.setFont(font)
        painter.setPen(ink_of(one.place))
        top = middle - LINE * len(name.lines) / 2
        for number, line in enumerate(name.lines):
            painter.drawText(QRectF(name.left + SWATCH + 5, top + number * LINE, 4_000, LINE), _LEFT, line)


_EDGE = 8.0  # margin around the plot in which lines are kept, for the width of the pen, px
_LONG = 2.5  # length in diagonals of the plot from which Qt takes seconds to join the parts of a line
_ENDLESS = 200.0  # and from which dashes take seconds


def paint_curve(painter: QPainter, x: Float64Values, y: Float64Values, pen: QPen, plot: LabelBox) -> None:
    """Paint a curve through points in pixels; NaN breaks it."""
    diagonal = float(np.hypot(plot.width, plot.height))
    for run in seen_runs(x, y, plot):
        corners = thinned_corners(run)
        length = float(np.hypot(*np.diff(corners, axis=0).T).sum())
        if length <= _LONG * diagonal:
            painter.setPen(pen)
            painter.drawPolyline([QPointF(*one) for one in corners.tolist()])
            continue
        dashes = [one * pen.widthF() for one in pen.dashPattern()] if length <= _ENDLESS * diagonal else []
        flat = QPen(pen)
        flat.setStyle(Qt.PenStyle.SolidLine)
        flat.setCapStyle(Qt.PenCapStyle.FlatCap if dashes else Qt.PenCapStyle.SquareCap)
        painter.setPen(flat)
        painter.drawLines([QLineF(*one) for one in dashed_parts(corners, dashes).tolist()])


def seen_runs(x: Float64Values, y: Float64Values, plot: LabelBox) -> list[Float64Values]:
    """Return the corners of every stretch of a curve that may be visible, one row per corner."""
    right, bottom = plot.left + plot.width + _EDGE, plot.top + plot.height + _EDGE
    seen = np.ones(max(0, len(x) - 1), bool)
    for at, first, last in ((x, plot.left - _EDGE, right), (y, plot.top - _EDGE, bottom)):
        # Comparisons with NaN are false: points without a position are not visible.
        seen &= (np.maximum(at[:-1], at[1:]) >= first) & (np.minimum(at[:-1], at[1:]) <= last)
    turns = np.diff(np.concatenate([[0], seen, [0]]))
    corners = np.stack([x, y], 1)
    starts, ends = np.flatnonzero(turns == 1), np.flatnonzero(turns == -1)
    return [corners[start : end + 1] for start, end in zip(starts, ends, strict=True)]


def thinned_corners(corners: Float64Values) -> Float64Values:
    """Keep the first, last, highest and lowest of successive corners in one column of pixels."""
    column = np.concatenate([[0], np.cumsum(np.diff(np.floor(corners[:, 0])) != 0)])
    borders = np.flatnonzero(np.diff(column))
    starts, ends = np.concatenate([[0], borders + 1]), np.concatenate([borders, [len(column) - 1]])
    by_height: npt.NDArray[np.int64] = np.lexsort((corners[:, 1], column))
    kept = np.unique(np.concatenate([starts, ends, by_height[starts], by_height[ends]]))
    return np.asarray(corners[kept])


def dashed_parts(corners: Float64Values, dashes: list[float]) -> Float64Values:
    """Return the segments of a dashed line, one row per segment: start and end.

    Parameters
    ----------
    corners : ndarray of float64
        A row for each.
    dashes : list of float
        Pixels drawn, left out, drawn, and so on; empty for a solid line.
    """
    if not dashes:
        return np.concatenate([corners[:-1], corners[1:]], 1)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    ends = np.cumsum(dashes)
    turns = (np.arange(int(along[-1] / ends[-1]) + 1)[:, None] * ends[-1] + ends).ravel()
    at = np.union1d(along, turns[turns < along[-1]])
    places = np.stack([np.interp(at, along, one) for one in corners.T], 1)
    drawn = np.searchsorted(ends, (at[:-1] + at[1:]) / 2 % ends[-1], "right") % 2 == 0
    return np.asarray(np.concatenate([places[:-1], places[1:]], 1)[drawn])


_CORNERS = {
    "s": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "^": ((0, -1.1), (1.1, 0.9), (-1.1, 0.9)),
    "v": ((0, 1.1), (1.1, -0.9), (-1.1, -0.9)),
    "D": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    "P": (
        (-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4),
        (0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4),
    ),
}  # fmt: skip
_THROUGH = 0.59  # opacity of each of many points
_STEP = 64  # sizes of pictures are multiples of this: quick Fourier transforms


@cache
def mark_path(place: int, size: float) -> QPainterPath:
    """Return the outline of the mark at a place of the palette, around 0."""
    name = marker_of(place)
    path = QPainterPath()
    if name == "o":
        path.addEllipse(QPointF(0, 0), 1, 1)
    else:  # an X is a + that is turned
        path.addPolygon(QPolygonF([QPointF(*one) for one in _CORNERS["P" if name == "X" else name]]))
        path.closeSubpath()
    return QTransform().scale(size / 2, size / 2).rotate(45 if name == "X" else 0).map(path)


def paint_marks(
    painter: QPainter, x: Float64Values, y: Float64Values, path: QPainterPath, ink: QColor, border: QPen
) -> None:
    """Paint a mark at each of a few points."""
    painter.setPen(border)
    painter.setBrush(ink)
    for across, down in zip(x.tolist(), y.tolist(), strict=True):
        painter.drawPath(path.translated(across, down))


def paint_many(
    painter: QPainter, x: Float64Values, y: Float64Values, path: QPainterPath, ink: QColor, plot: LabelBox
) -> None:
    """Paint a translucent mark at each of very many points.

    The transparency of a pixel is the product of the transparencies of all marks on it: in logarithms a sum, which is
    the convolution of the counts of points per pixel with the mark.
    """
    ratio = painter.device().devicePixelRatioF()
    stamp = _stamp(path, ratio)
    half = stamp.shape[0] // 2
    left, top = int(plot.left * ratio) - half, int(plot.top * ratio) - half
    width, height = (-(-int(one * ratio + 4 * half) // _STEP) * _STEP for one in (plot.width, plot.height))
    column, row = np.floor(x * ratio).astype(np.int64) - left, np.floor(y * ratio).astype(np.int64) - top
    inside = (column >= 0) & (row >= 0) & (column < width - 2 * half) & (row < height - 2 * half)
    count = np.bincount(row[inside] * width + column[inside], minlength=width * height).astype(np.float32)
    kernel = np.zeros((height, width), np.float32)
    kernel[: stamp.shape[0], : stamp.shape[1]] = np.log1p(-_THROUGH * stamp)
    through = np.fft.irfft2(np.fft.rfft2(count.reshape(height, width)) * np.fft.rfft2(kernel), (height, width))
    cover = 1 - np.exp(np.minimum(through, 0))
    full = np.array([ink.red(), ink.green(), ink.blue(), 255], np.float32)
    colours = np.rint(cover[..., None] * full).astype(np.uint8)
    image = QImage(colours.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888_Premultiplied)
    image.setDevicePixelRatio(ratio)
    painter.drawImage(QPointF((left - half) / ratio, (top - half) / ratio), image)


def _stamp(path: QPainterPath, ratio: float) -> Float64Values:
    """Return the coverage of each device pixel by a mark, with the point in the middle."""
    half = int(np.ceil(path.boundingRect().width() / 2 * ratio)) + 1
    image = QImage(2 * half + 1, 2 * half + 1, QImage.Format.Format_Alpha8)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(half + 0.5, half + 0.5)
    painter.scale(ratio, ratio)
    painter.fillPath(path, Qt.GlobalColor.black)
    painter.end()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width()] / 255
