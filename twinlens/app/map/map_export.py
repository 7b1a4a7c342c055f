"""Export of a map: one picture of thumbnails at their places, or a table of the place of each photograph.

Thumbnails are larger where there is room, and dots where there is none.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import DRAWING, MADE_BY, CsvTable, OutputFile, table
from twinlens.app.map.colourings import map_facts
from twinlens.app.map.map_results import MapResult, MapSummary
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent

_BACK, _INK, _PAPER = (24, 25, 28), (236, 236, 238), (24, 25, 28)
_COLOURS = (
    (86, 180, 233), (230, 159, 0), (0, 158, 115), (240, 228, 66), (204, 121, 167), (213, 94, 0), (148, 168, 255),
)  # fmt: skip
_OTHER = (120, 122, 128)
"""Okabe and Ito's colours, which colour-blind people tell apart, for clusters; grey for none."""

_SIDES = (2.2, 1.5, 1.0, 0.7)
"""Sides of thumbnails, tried in turn, relative to the side at which all would fit, spread evenly."""

_BORDER = 0.03
_AT_ONCE = 400
_NAMED = 14


@dataclass(frozen=True)
class MapPicture:
    """The size and the names of a picture of a map.

    Attributes
    ----------
    side : int
        In pixels.
    labels : bool
        Whether clusters are named.
    """

    side: int = 3000
    labels: bool = True


def draw_map(
    library: Library,
    found: MapResult,
    file: OutputFile,
    picture: MapPicture = MapPicture(),
    progress: Progress = silent,
) -> None:
    """Draw a map into a file, its format by its ending.

    Raises
    ------
    TwinlensError
        If the file cannot be written, must not be replaced, or has another ending.
    """
    form = _format(file)
    canvas = Image.new("RGB", (picture.side, picture.side), _BACK)
    places = picture.side * (_BORDER + (1 - 2 * _BORDER) * found.xy.astype(np.float64))
    _dots(canvas, places, found)
    _thumbnails(library, canvas, places, found, progress)
    if picture.labels:
        _names(canvas, places, found)
    texts = PngInfo()
    texts.add_text("Software", MADE_BY)
    made = io.BytesIO()
    canvas.save(made, form, **({"pnginfo": texts} if form == "PNG" else {"comment": MADE_BY}))
    file.write(made.getvalue(), DRAWING)


def _format(file: OutputFile) -> str:
    form = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}.get(file.ending)
    if form is None:
        raise TwinlensError(
            "A map cannot be drawn as {name}.", "Name another file, ending in .png or .jpg.", name=file.path.name
        )
    return form


def _dots(canvas: Image.Image, places: npt.NDArray[np.float64], found: MapResult) -> None:
    """Draw a dot at the place of each photograph."""
    pen = ImageDraw.Draw(canvas)
    radius = max(1.0, canvas.width / 900)
    for (x, y), cluster in zip(places.tolist(), found.cluster.tolist(), strict=True):
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=_colour(cluster))


def _colour(cluster: int) -> tuple[int, int, int]:
    return _OTHER if cluster < 0 else _COLOURS[cluster % len(_COLOURS)]


def _thumbnails(
    library: Library, canvas: Image.Image, places: npt.NDArray[np.float64], found: MapResult, progress: Progress
) -> None:
    """Paste thumbnails without overlap: first large ones where they have room, then smaller ones between them."""
    hashes = map_facts(library, found.ids).hashes
    free = np.ones((canvas.width // 4 + 1,) * 2, np.bool_)
    waiting = np.argsort(-found.shown_at, kind="stable")
    least, most = 1 / 70, 1 / 8
    for level, times in enumerate(_SIDES):
        share = min(max(times * 0.7 / max(len(found.ids), 1) ** 0.5, least), most)
        box = int(canvas.width * share)
        left = []
        for start in range(0, len(waiting), _AT_ONCE):
            progress(level + start / len(waiting), len(_SIDES), Message("Drawing the map"))
            some = waiting[start : start + _AT_ONCE]
            # Only photographs that stand alone are large: in a crowd, all are shown before one is large.
            fits = [row for row in some.tolist() if level == len(_SIDES) - 1 or found.shown_at[row] >= share * 0.9]
            jpegs = library.thumbnails.get_many([hashes[row].tobytes() for row in fits])
            done = {row for row in fits if _pasted(canvas, free, places[row], box, jpegs.get(hashes[row].tobytes()))}
            left += [row for row in some.tolist() if row not in done]
        waiting = np.array(left, np.int64)


def _pasted(
    canvas: Image.Image, free: npt.NDArray[np.bool_], place: npt.NDArray[np.float64], box: int, jpeg: bytes | None
) -> bool:
    """Paste a thumbnail centred at a place, if nothing is there yet; return whether it was."""
    if jpeg is None:
        return False
    with Image.open(io.BytesIO(jpeg)) as opened:
        width, height = opened.size
        scale = box / max(width, height)
        size = max(1, round(width * scale)), max(1, round(height * scale))
        x, y = (int(np.clip(place[axis] - size[axis] / 2, 0, canvas.width - size[axis])) for axis in (0, 1))
        taken = (slice(y // 4, (y + size[1] + 7) // 4), slice(x // 4, (x + size[0] + 7) // 4))
        if not free[taken].all():
            return False
        canvas.paste(opened.convert("RGB").resize(size, Image.Resampling.LANCZOS), (x, y))
    free[taken] = False
    return True


def _names(canvas: Image.Image, places: npt.NDArray[np.float64], found: MapResult) -> None:
    """Write the names of the largest clusters above them, each word once and without overlap."""
    pen = ImageDraw.Draw(canvas)
    font = ImageFont.load_default(canvas.width / 85)
    pad = canvas.width / 300
    written: list[tuple[float, float, float, float]] = []
    named = [(n, one) for n, one in enumerate(found.clusters) if one.word]
    for number, one in named[:_NAMED]:
        own = places[found.cluster == number]
        text = one.word
        left, top, right, bottom = pen.textbbox((0, 0), text, font=font)
        width, height = right - left + 2 * pad, bottom - top + 2 * pad
        x = float(np.clip(np.median(own[:, 0]) - width / 2, 0, canvas.width - width))
        y = float(np.clip(own[:, 1].min() - height, 0, canvas.height - height))
        box = (x, y, x + width, y + height)
        while any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in written):
            box = (box[0], box[1] + height / 2, box[2], box[3] + height / 2)
        written.append(box)
        pen.rounded_rectangle(box, radius=height / 3, fill=_PAPER, outline=_colour(number), width=max(1, int(pad / 3)))
        pen.text((box[0] + pad - left, box[1] + pad - top), text, font=font, fill=_INK)


def check_map_file(file: OutputFile) -> None:
    """Refuse a file that a map cannot be drawn into; see :meth:`twinlens.app.machine.output_file.OutputFile.check`."""
    _format(file)
    file.check(DRAWING)


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
