"""The pens that draw charts into files: as SVG, which has its words as words, and as PNG, of which Pillow fills pixels.

Both measure words by the font that comes along, so that a figure is laid out the same on every machine. An SVG names
this font first; others that a reader may have instead are narrower.
"""

from __future__ import annotations

import io
from abc import abstractmethod
from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from html import escape

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

from twinlens import resources
from twinlens.app.lab.figures.figure import figure_colours, series_colour
from twinlens.app.lab.figures.label_places import LabelBox
from twinlens.app.lab.figures.painting import THROUGH, Align, FigurePen, LineStyle, dashed_parts, mark_corners, rgb
from twinlens.app.machine.output_file import MADE_BY
from twinlens.core.arrays import Float64Values

SMALL = 11.5
"""Usual size of letters, in pixels."""

BORDER = 1.0
"""Width of the border of marks, in pixels."""

_BASE = 0.346  # of the size of letters, from the middle of a line down to where they stand
_FAMILY = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"


@cache
def _font(size: float, bold: bool) -> ImageFont.FreeTypeFont:
    name = "fonts/DejaVuSans-Bold.ttf" if bold else "fonts/DejaVuSans.ttf"
    return ImageFont.truetype(io.BytesIO(resources.read_bytes(name)), size, layout_engine=ImageFont.Layout.BASIC)


class FilePen(FigurePen):
    """A pen that fills the content of a file.

    Attributes
    ----------
    origin : (float, float)
        Where what it draws is counted from, in pixels.
    """

    def __init__(self, dark: bool) -> None:
        self.dark = dark
        self.ground = figure_colours(dark).ground
        self.origin = (0.0, 0.0)

    def width_of(self, words: str, size: float = SMALL, bold: bool = False) -> float:
        """Return the width of words."""
        return _font(100, bold).getlength(words) * size / 100

    @abstractmethod
    def words(
        self, box: LabelBox, words: str, colour: str, align: Align = "left", bold: bool = False, size: float = SMALL
    ) -> None:
        """Write words in the middle of a box's height."""

    @abstractmethod
    def content(self) -> bytes:
        """Return the content of the file."""

    def _stand(self, box: LabelBox, align: Align, size: float) -> tuple[float, float]:
        """Return where a line of words is held, and how high it stands."""
        share = {"left": 0.0, "middle": 0.5, "right": 1.0}[align]
        return box.left + share * box.width, box.top + box.height / 2 + _BASE * size


class SvgPen(FilePen):
    """A pen that writes SVG."""

    def __init__(self, width: float, height: float, dark: bool) -> None:
        super().__init__(dark)
        self._size = width, height
        self._parts: list[str] = []

    @contextmanager
    def within(self, box: LabelBox) -> Iterator[None]:
        """Cut off what is drawn outside of a box."""
        numbers = [_num(one) for one in (*self._at(box.left, box.top), box.width, box.height)]
        name = "-".join(["cut", *numbers])  # in a page of several drawings, too, a name stands for one box
        look = " ".join(f'{key}="{one}"' for key, one in zip(("x", "y", "width", "height"), numbers, strict=True))
        self._parts.append(f'<defs><clipPath id="{name}"><rect {look}/></clipPath></defs><g clip-path="url(#{name})">')
        yield
        self._parts.append("</g>")

    def line(self, corners: Float64Values, style: LineStyle) -> None:
        """Draw a line through corners, one in a row."""
        look = f'fill="none" stroke="{style.colour}" stroke-width="{_num(style.width)}" stroke-linejoin="round"'
        look += ' stroke-linecap="round"' if style.round else ""
        look += f' stroke-opacity="{_num(style.share)}"' if style.share < 1 else ""
        if style.dashes:
            look += f' stroke-dasharray="{" ".join(_num(one * style.width) for one in style.dashes)}"'
        self._parts.append(f'<polyline points="{self._points(corners)}" {look}/>')

    def area(self, corners: Float64Values, colour: str, share: float = 1.0) -> None:
        """Fill the polygon of corners, one in a row."""
        look = f' fill-opacity="{_num(share)}"' if share < 1 else ""
        self._parts.append(f'<polygon points="{self._points(corners)}" fill="{colour}"{look}/>')

    def marks(self, points: Float64Values, place: int, size: float) -> None:
        """Draw the mark of a palette slot at each point, with a border of the ground's colour."""
        self._marks(points, place, size, f'stroke="{self.ground}" stroke-width="{_num(BORDER)}"')

    def many_marks(self, points: Float64Values, place: int, size: float, plot: LabelBox) -> None:
        """Draw a translucent mark at each of very many points."""
        inside = ((points >= plot[:2]) & (points <= np.add(plot[:2], plot[2:]))).all(axis=1)
        self._marks(points[inside], place, size, f'fill-opacity="{_num(THROUGH)}"')

    def _marks(self, points: Float64Values, place: int, size: float, look: str) -> None:
        corners = mark_corners(place, size)
        self._parts.append(f'<g fill="{series_colour(place, self.dark)}" {look}>')
        for x, y in points.tolist():
            if corners is None:
                across, down = self._at(x, y)
                self._parts.append(f'<circle cx="{_num(across)}" cy="{_num(down)}" r="{_num(size / 2)}"/>')
            else:
                self._parts.append(f'<polygon points="{self._points(corners + np.array((x, y)))}"/>')
        self._parts.append("</g>")

    def cells(self, box: LabelBox, colours: npt.NDArray[np.uint8]) -> None:
        """Fill a box with cells."""
        out = io.BytesIO()
        Image.fromarray(colours).save(out, "PNG")
        left, top = self._at(box.left, box.top)
        self._parts.append(
            f'<image x="{_num(left)}" y="{_num(top)}" width="{_num(box.width)}" height="{_num(box.height)}" '
            'preserveAspectRatio="none" style="image-rendering:pixelated" '
            f'xlink:href="data:image/png;base64,{b64encode(out.getvalue()).decode()}"/>'
        )

    def words(
        self, box: LabelBox, words: str, colour: str, align: Align = "left", bold: bool = False, size: float = SMALL
    ) -> None:
        """Write words in the middle of a box's height."""
        if words:
            across, base = self._at(*self._stand(box, align, size))
            look = "" if align == "left" else f' text-anchor="{"middle" if align == "middle" else "end"}"'
            look += "" if size == SMALL else f' font-size="{_num(size)}"'
            look += ' font-weight="bold"' if bold else ""
            # Characters that XML cannot hold, which names of files may have, are left out.
            shown = "".join(one for one in words if one >= " ")
            self._parts.append(
                f'<text x="{_num(across)}" y="{_num(base)}" fill="{colour}"{look}>{escape(shown, quote=False)}</text>'
            )

    def content(self) -> bytes:
        """Return the drawing."""
        width, height = (_num(one) for one in self._size)
        head = (
            '<?xml version="1.0" encoding="utf-8"?>\n'
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" '
            f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'font-family="{_FAMILY}" font-size="{_num(SMALL)}">\n'
            '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description rdf:about="">'
            f"<dc:title>{MADE_BY}</dc:title></rdf:Description></rdf:RDF></metadata>\n"
            f'<rect width="{width}" height="{height}" fill="{self.ground}"/>\n'
        )
        return (head + "\n".join(self._parts) + "\n</svg>\n").encode()

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return self.origin[0] + x, self.origin[1] + y

    def _points(self, corners: Float64Values) -> str:
        return " ".join(f"{_num(x)},{_num(y)}" for x, y in (corners + self.origin).tolist())


def _num(value: float) -> str:
    """Return a number of an SVG, to a hundredth of a pixel."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


class PngPen(FilePen):
    """A pen that fills a picture, first many times as large, so that edges are smooth.

    Parameters
    ----------
    scale : float
        Pixels of the picture in a pixel of the plan.
    """

    _FINER = 3

    def __init__(self, width: float, height: float, dark: bool, scale: float = 1.6) -> None:
        super().__init__(dark)
        self._scale = scale * self._FINER
        size = (self._FINER * round(width * scale), self._FINER * round(height * scale))
        self._use(Image.new("RGB", size, self.ground))

    def _use(self, picture: Image.Image) -> None:
        self._picture = picture
        self._draw = ImageDraw.Draw(picture, "RGBA")

    @contextmanager
    def within(self, box: LabelBox) -> Iterator[None]:
        """Cut off what is drawn outside of a box."""
        below = self._picture
        self._use(below.copy())
        yield
        left, top, right, bottom = (round(one) for one in self._pixels(_ends(box)).ravel().tolist())
        below.paste(self._picture.crop((left, top, right, bottom)), (left, top))
        self._use(below)

    def line(self, corners: Float64Values, style: LineStyle) -> None:
        """Draw a line through corners, one in a row."""
        points, width = self._pixels(corners), style.width * self._scale
        ink = _ink(style.colour, style.share)
        if style.dashes or style.share < 1:  # what lets through what is behind must not lie on itself
            for part in dashed_parts(points, [one * width for one in style.dashes]).tolist():
                self._draw.line(part, ink, round(width))
            return
        self._draw.line(_flat(points), ink, round(width), "curve")
        if style.round:
            for end in (points[0], points[-1]):
                self._draw.circle(end.tolist(), width / 2, ink)

    def area(self, corners: Float64Values, colour: str, share: float = 1.0) -> None:
        """Fill the polygon of corners, one in a row."""
        self._draw.polygon(_flat(self._pixels(corners)), _ink(colour, share))

    def marks(self, points: Float64Values, place: int, size: float) -> None:
        """Draw the mark of a palette slot at each point, with a border of the ground's colour."""
        for point in points:
            self._mark(point, place, size + BORDER, _ink(self.ground, 1.0))
            self._mark(point, place, size - BORDER, _ink(series_colour(place, self.dark), 1.0))

    def many_marks(self, points: Float64Values, place: int, size: float, plot: LabelBox) -> None:
        """Draw a translucent mark at each of very many points."""
        for point in points:
            self._mark(point, place, size, _ink(series_colour(place, self.dark), THROUGH))

    def _mark(self, point: Float64Values, place: int, size: float, ink: tuple[int, ...]) -> None:
        corners = mark_corners(place, size)
        if corners is None:
            self._draw.circle(self._pixels(point).tolist(), size / 2 * self._scale, ink)
        else:
            self._draw.polygon(_flat(self._pixels(corners + point)), ink)

    def cells(self, box: LabelBox, colours: npt.NDArray[np.uint8]) -> None:
        """Fill a box with cells."""
        left, top, right, bottom = (round(one) for one in self._pixels(_ends(box)).ravel().tolist())
        cells = Image.fromarray(colours).resize((max(1, right - left), max(1, bottom - top)), Image.Resampling.NEAREST)
        self._picture.paste(cells, (left, top), cells)

    def words(
        self, box: LabelBox, words: str, colour: str, align: Align = "left", bold: bool = False, size: float = SMALL
    ) -> None:
        """Write words in the middle of a box's height."""
        at = self._pixels(np.array(self._stand(box, align, size))).tolist()
        anchor = {"left": "ls", "middle": "ms", "right": "rs"}[align]
        self._draw.text(at, words, _ink(colour, 1.0), _font(size * self._scale, bold), anchor)

    def content(self) -> bytes:
        """Return the picture."""
        made, out = PngInfo(), io.BytesIO()
        made.add_text("Software", MADE_BY)
        self._picture.reduce(self._FINER).save(out, "PNG", pnginfo=made)
        return out.getvalue()

    def _pixels(self, places: Float64Values) -> Float64Values:
        return (places + self.origin) * self._scale


def _ends(box: LabelBox) -> Float64Values:
    return np.array([(box.left, box.top), (box.left + box.width, box.top + box.height)])


def _flat(points: Float64Values) -> list[float]:
    found: list[float] = points.ravel().tolist()
    return found


def _ink(colour: str, share: float) -> tuple[int, ...]:
    return (*rgb(colour), round(255 * share))


def wrapped(words: str, width: float, size: float, pen: FilePen) -> list[str]:
    """Break words into lines of some width."""
    lines: list[str] = []
    for word in words.split():
        if lines and pen.width_of(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def write_lines(pen: FilePen, lines: Iterable[str], top: float, colour: str, size: float, leading: float) -> None:
    """Write lines of words below each other."""
    for number, line in enumerate(lines):
        pen.words(LabelBox(0, top + number * leading, 0, leading), line, colour, size=size)
