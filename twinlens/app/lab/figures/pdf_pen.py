"""The pen that draws charts as PDF, which papers take: lines, areas and words, with the letters that it uses embedded.

The letters are glyphs of the font that comes along, by which words are measured (ISO 32000-1, 9.7: a composite font
whose codes are numbers of glyphs). Of the font file only these glyphs stay; the others become empty, so that their
numbers hold.
"""

from __future__ import annotations

import itertools
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from twinlens import resources
from twinlens.app.lab.figures.figure import series_colour
from twinlens.app.lab.figures.file_pens import BORDER, SMALL, FilePen
from twinlens.app.lab.figures.label_places import LabelBox
from twinlens.app.lab.figures.painting import THROUGH, Align, LineStyle, mark_corners, rgb
from twinlens.app.machine.output_file import MADE_BY
from twinlens.core.arrays import Float64Values

_POINTS = 0.75  # of a printer in a pixel
_ROUND = 0.5523  # handle of a quarter circle as a curve of Bézier, in radii


class PdfPen(FilePen):
    """A pen that writes PDF."""

    def __init__(self, width: float, height: float, dark: bool) -> None:
        super().__init__(dark)
        self._size = width, height
        self._parts = [f"{_num(_POINTS)} 0 0 {_num(-_POINTS)} 0 {_num(height * _POINTS)} cm 1 j"]
        self._shares: dict[float, str] = {}
        self._images: list[npt.NDArray[np.uint8]] = []
        self._fonts = {False: _Glyphs("fonts/DejaVuSans.ttf"), True: _Glyphs("fonts/DejaVuSans-Bold.ttf")}
        self._parts.append(f"{_colour(self.ground)} rg 0 0 {_num(width)} {_num(height)} re f")

    @contextmanager
    def within(self, box: LabelBox) -> Iterator[None]:
        """Cut off what is drawn outside of a box."""
        self._parts.append(f"q {self._point(box.left, box.top)} {_num(box.width)} {_num(box.height)} re W n")
        yield
        self._parts.append("Q")

    def line(self, corners: Float64Values, style: LineStyle) -> None:
        """Draw a line through corners, one in a row."""
        dashes = " ".join(_num(one * style.width) for one in style.dashes)
        look = f"{self._share(style.share)} {_colour(style.colour)} RG {_num(style.width)} w {int(style.round)} J"
        self._parts.append(f"q {look} [{dashes}] 0 d {self._path(corners)} S Q")

    def area(self, corners: Float64Values, colour: str, share: float = 1.0) -> None:
        """Fill the polygon of corners, one in a row."""
        self._parts.append(f"q {self._share(share)} {_colour(colour)} rg {self._path(corners)} h f Q")

    def marks(self, points: Float64Values, place: int, size: float) -> None:
        """Draw the mark of a palette slot at each point, with a border of the ground's colour."""
        self._marks(points, place, size, f"{_colour(self.ground)} RG {_num(BORDER)} w", "B")

    def many_marks(self, points: Float64Values, place: int, size: float, plot: LabelBox) -> None:
        """Draw a translucent mark at each of very many points."""
        inside = ((points >= plot[:2]) & (points <= np.add(plot[:2], plot[2:]))).all(axis=1)
        self._marks(points[inside], place, size, self._share(THROUGH), "f")

    def _marks(self, points: Float64Values, place: int, size: float, look: str, paint: str) -> None:
        corners = mark_corners(place, size)
        self._parts.append(f"q {look} {_colour(series_colour(place, self.dark))} rg")
        for x, y in points.tolist():
            path = self._circle(x, y, size / 2) if corners is None else self._path(corners + np.array((x, y)))
            self._parts.append(f"{path} h {paint}")
        self._parts.append("Q")

    def cells(self, box: LabelBox, colours: npt.NDArray[np.uint8]) -> None:
        """Fill a box with cells."""
        self._images.append(colours)
        place = self._point(box.left, box.top + box.height)
        self._parts.append(f"q {_num(box.width)} 0 0 {_num(-box.height)} {place} cm /I{len(self._images)} Do Q")

    def words(
        self, box: LabelBox, words: str, colour: str, align: Align = "left", bold: bool = False, size: float = SMALL
    ) -> None:
        """Write words in the middle of a box's height."""
        plain_words = "".join(one for one in words if one >= " ")
        if plain_words:
            left, base = self._stand(box, align, size)
            left -= {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * self.width_of(plain_words, size, bold)
            codes = "".join(f"{one:04x}" for one in self._fonts[bold].of(plain_words))
            look = f"BT {_colour(colour)} rg /F{int(bold)} {_num(size)} Tf 1 0 0 -1 {self._point(left, base)} Tm"
            self._parts.append(f"{look} <{codes}> Tj ET")

    def content(self) -> bytes:
        """Return the drawing."""
        out = _Objects()
        out.add(f"<</Producer({MADE_BY})>>".encode())
        fonts = {f"F{int(bold)}": out.font(font) for bold, font in self._fonts.items() if font.used}
        images = {f"I{number}": out.image(one) for number, one in enumerate(self._images, start=1)}
        shares = {
            name: out.add(f"<</Type/ExtGState/CA {_num(share)}/ca {_num(share)}>>".encode())
            for share, name in self._shares.items()
        }
        content = out.stream("\n".join(self._parts).encode())
        width, height = (_num(one * _POINTS) for one in self._size)
        lists = (("Font", fonts), ("XObject", images), ("ExtGState", shares))
        found = "".join(f"/{kind}<<{_references(named)}>>" for kind, named in lists if named)
        pages = out.next + 1
        page = out.add(
            f"<</Type/Page/Parent {pages} 0 R/MediaBox[0 0 {width} {height}]/Contents {content} 0 R"
            f"/Resources<<{found}>>>>".encode()
        )
        out.add(f"<</Type/Pages/Kids[{page} 0 R]/Count 1>>".encode())
        return out.file(out.add(f"<</Type/Catalog/Pages {pages} 0 R>>".encode()))

    def _share(self, share: float) -> str:
        """Return the operator of a share of opacity; nothing for all of it."""
        return "" if share >= 1 else f"/{self._shares.setdefault(share, f'G{len(self._shares)}')} gs"

    def _point(self, x: float, y: float) -> str:
        return f"{_num(self.origin[0] + x)} {_num(self.origin[1] + y)}"

    def _path(self, corners: Float64Values) -> str:
        first, *others = (self._point(x, y) for x, y in corners.tolist())
        return " ".join([f"{first} m", *(f"{one} l" for one in others)])

    def _circle(self, x: float, y: float, radius: float) -> str:
        ends = np.array([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)], float)
        parts = [f"{self._point(x + radius, y)} m"]
        for start, end in itertools.pairwise(ends):
            curve = (start + _ROUND * end, end + _ROUND * start, end)
            parts.append(" ".join(self._point(*(radius * one + (x, y)).tolist()) for one in curve) + " c")
        return " ".join(parts)


class _Objects:
    """The objects of a PDF, numbered from 1."""

    def __init__(self) -> None:
        self._objects: list[bytes] = []

    @property
    def next(self) -> int:
        """The number of the next object."""
        return len(self._objects) + 1

    def add(self, content: bytes) -> int:
        """Add an object, and return its number."""
        self._objects.append(content)
        return len(self._objects)

    def stream(self, content: bytes, about: str = "") -> int:
        """Add an object of bytes, compressed."""
        packed = zlib.compress(content, 9)
        head = f"<</Length {len(packed)}/Filter/FlateDecode{about}>>stream\n".encode()
        return self.add(head + packed + b"\nendstream")

    def image(self, colours: npt.NDArray[np.uint8]) -> int:
        """Add a picture, (h, w, 4), whose last channel is its opacity."""
        size = f"/Type/XObject/Subtype/Image/Width {colours.shape[1]}/Height {colours.shape[0]}/BitsPerComponent 8"
        mask = self.stream(np.ascontiguousarray(colours[..., 3]).tobytes(), f"{size}/ColorSpace/DeviceGray")
        plain = np.ascontiguousarray(colours[..., :3]).tobytes()
        return self.stream(plain, f"{size}/ColorSpace/DeviceRGB/SMask {mask} 0 R")

    def font(self, font: _Glyphs) -> int:
        """Add a font with the glyphs that are used, and what they stand for."""
        file, name = font.file(), f"/TWINLN+{font.name}"
        data = self.stream(file, f"/Length1 {len(file)}")
        descriptor = self.add(
            f"<</Type/FontDescriptor/FontName{name}/Flags 4/FontBBox[{' '.join(map(str, font.box))}]/ItalicAngle 0"
            f"/Ascent {font.box[3]}/Descent {font.box[1]}/CapHeight 729/StemV 80/FontFile2 {data} 0 R>>".encode()
        )
        widths = "".join(f"{glyph}[{font.width(glyph)}]" for glyph in sorted(font.used))
        inner = self.add(
            f"<</Type/Font/Subtype/CIDFontType2/BaseFont{name}/CIDToGIDMap/Identity/FontDescriptor {descriptor} 0 R"
            f"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/W[{widths}]>>".encode()
        )
        meanings = [f"<{glyph:04x}> <{_utf16(one)}>" for glyph, one in sorted(font.used.items())]
        blocks = [meanings[start : start + 100] for start in range(0, len(meanings), 100)]  # as many as one may hold
        text = "\n".join(f"{len(some)} beginbfchar\n" + "\n".join(some) + "\nendbfchar" for some in blocks)
        unicode = self.stream(
            f"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def\n"
            f"1 begincodespacerange <0000> <ffff> endcodespacerange\n{text}\nendcmap end end".encode()
        )
        return self.add(
            f"<</Type/Font/Subtype/Type0/BaseFont{name}/Encoding/Identity-H/DescendantFonts[{inner} 0 R]"
            f"/ToUnicode {unicode} 0 R>>".encode()
        )

    def file(self, root: int) -> bytes:
        """Return the file; the first object says who made it."""
        made = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        places = []
        for number, content in enumerate(self._objects, start=1):
            places.append(len(made))
            made += f"{number} 0 obj".encode() + content + b"\nendobj\n"
        start = len(made)
        made += f"xref\n0 {self.next}\n0000000000 65535 f \n".encode()
        made += "".join(f"{place:010d} 00000 n \n" for place in places).encode()
        made += f"trailer<</Size {self.next}/Root {root} 0 R/Info 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()
        return bytes(made)


_KEPT = ("cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep")
_MISSING = "\ufffd"


class _Glyphs:
    """A TrueType font and those of its glyphs that are used.

    Attributes
    ----------
    used : dict of int to str
        Numbers of glyphs, with the characters that they stand for.
    box : sequence of int
        Left, bottom, right and top of all glyphs, in thousandths of the size.
    """

    def __init__(self, resource: str) -> None:
        data = resources.read_bytes(resource)
        count = struct.unpack_from(">H", data, 4)[0]
        tables = (struct.unpack_from(">4s4xII", data, 12 + 16 * number) for number in range(count))
        self._tables = {name.decode(): data[start : start + length] for name, start, length in tables}
        self.name = resource.rpartition("/")[2].removesuffix(".ttf")
        self.used: dict[int, str] = {}
        self._units = struct.unpack_from(">H", self._tables["head"], 18)[0]
        self.box = [one * 1000 // self._units for one in struct.unpack_from(">4h", self._tables["head"], 36)]
        self._glyph_of = _characters(self._tables["cmap"])
        long = struct.unpack_from(">h", self._tables["head"], 50)[0] == 1
        places = np.frombuffer(self._tables["loca"], ">u4" if long else ">u2").astype(np.int64)
        self._offsets = places if long else 2 * places

    def of(self, words: str) -> list[int]:
        """Return the glyphs of words, which are used from now on."""
        found = [self._glyph_of.get(ord(one)) or self._glyph_of[ord(_MISSING)] for one in words]
        self.used |= dict(zip(found, words, strict=True))
        return found

    def width(self, glyph: int) -> int:
        """Return how far a glyph reaches, in thousandths of the size."""
        measured = struct.unpack_from(">H", self._tables["hhea"], 34)[0]
        return int(struct.unpack_from(">H", self._tables["hmtx"], 4 * min(glyph, measured - 1))[0] * 1000 / self._units)

    def file(self) -> bytes:
        """Return the font with the used glyphs alone."""
        kept, waiting = {0}, list(self.used)
        while waiting:
            glyph = waiting.pop()
            if glyph not in kept:
                kept.add(glyph)
                waiting += _components(self._outline(glyph))
        outlines = [self._outline(glyph) if glyph in kept else b"" for glyph in range(len(self._offsets) - 1)]
        padded = [one + b"\0" * (-len(one) % 4) for one in outlines]
        places = np.concatenate([[0], np.cumsum([len(one) for one in padded])]).astype(">u4")
        head = bytearray(self._tables["head"])
        struct.pack_into(">h", head, 50, 1)  # places take four bytes
        new = {"glyf": b"".join(padded), "loca": places.tobytes(), "head": bytes(head)}
        return _font_file({name: new.get(name, self._tables[name]) for name in _KEPT if name in self._tables})

    def _outline(self, glyph: int) -> bytes:
        return self._tables["glyf"][self._offsets[glyph] : self._offsets[glyph + 1]]


def _characters(table: bytes) -> dict[int, int]:
    """Return the glyphs of a font by their characters, from its table of format 4 (of the first plane)."""
    count = struct.unpack_from(">H", table, 2)[0]
    starts = [struct.unpack_from(">I", table, 8 + 8 * number)[0] for number in range(count)]
    at = next(start for start in starts if struct.unpack_from(">H", table, start)[0] == 4)
    segments = struct.unpack_from(">H", table, at + 6)[0] // 2
    columns = np.frombuffer(table, ">u2", 4 * segments + 1, at + 14).astype(np.int64)
    ends, begins = columns[:segments], columns[segments + 1 : 2 * segments + 1]
    deltas, offsets = columns[2 * segments + 1 : 3 * segments + 1], columns[3 * segments + 1 :]
    found: dict[int, int] = {}
    for number in range(segments):
        for code in range(begins[number], min(int(ends[number]), 0xFFFE) + 1):
            glyph = code
            if offsets[number]:
                place = at + 16 + 2 * (3 * segments + number) + int(offsets[number]) + 2 * (code - int(begins[number]))
                glyph = struct.unpack_from(">H", table, place)[0]
            if glyph or not offsets[number]:
                found[code] = (glyph + int(deltas[number])) & 0xFFFF
    return found


_WORDS, _SCALE, _MORE, _TWO_SCALES, _FOUR_SCALES = 0x1, 0x8, 0x20, 0x40, 0x80


def _components(outline: bytes) -> Iterator[int]:
    """Yield the glyphs that a glyph is put together from; none of one with an outline of its own."""
    if not outline or struct.unpack_from(">h", outline)[0] >= 0:
        return
    place, flags = 10, _MORE
    while flags & _MORE:
        flags, glyph = struct.unpack_from(">HH", outline, place)
        yield glyph
        place += 8 if flags & _WORDS else 6
        place += 2 if flags & _SCALE else 4 if flags & _TWO_SCALES else 8 if flags & _FOUR_SCALES else 0


def _font_file(tables: Mapping[str, bytes]) -> bytes:
    """Return a TrueType file of some tables."""
    power = 1 << (len(tables).bit_length() - 1)
    head = struct.pack(">IHHHH", 0x10000, len(tables), 16 * power, power.bit_length() - 1, 16 * (len(tables) - power))
    listing, body, start = b"", b"", 12 + 16 * len(tables)
    for name, content in sorted(tables.items()):
        padded = content + b"\0" * (-len(content) % 4)
        check = int(np.frombuffer(padded, ">u4").sum(dtype=np.uint64)) & 0xFFFFFFFF
        listing += struct.pack(">4sIII", name.encode(), check, start + len(body), len(content))
        body += padded
    return head + listing + body


def _references(named: Mapping[str, int]) -> str:
    return "".join(f"/{name} {number} 0 R" for name, number in named.items())


def _utf16(character: str) -> str:
    return character.encode("utf-16-be").hex()


def _colour(colour: str) -> str:
    """Return the three shares of a colour."""
    parts: Sequence[float] = [one / 255 for one in rgb(colour)]
    return " ".join(f"{one:.3f}".rstrip("0").rstrip(".") for one in parts)


def _num(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
