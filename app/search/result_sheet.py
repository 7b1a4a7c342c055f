"""Search results as one picture: a row for each query and index, with the query at the left."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, ImageOps

from core.files.untrusted_input import plain

_TILE = 168
_GAP = 16
_CAPTION = 30
_HEAD = 30
_PAPER, _WELL, _INK, _QUIET, _ACCENT = "#ffffff", "#eeeeeb", "#1c1c1a", "#73736d", "#0f766e"


@dataclass(frozen=True)
class Answer:
    """One row of the sheet.

    Attributes
    ----------
    title, timing : str
        The query and index; the line of timing.
    query : bytes
        JPEG of the query.
    hits : tuple of (bytes, float)
        JPEG and similarity of each result, best first.
    """

    title: str
    timing: str
    query: bytes
    hits: tuple[tuple[bytes, float], ...]


def draw(answers: Sequence[Answer], file: Path) -> None:
    """Draw the sheet as a PNG.

    Parameters
    ----------
    answers : sequence of Answer
        At least one.
    file : Path
        Written whole or not at all.
    """
    columns = 1 + max(len(answer.hits) for answer in answers)
    row = _HEAD + _TILE + _CAPTION + _GAP
    width = _GAP + columns * (_TILE + _GAP) + _GAP
    sheet = Image.new("RGB", (width, 2 * _GAP + row * len(answers)), _PAPER)
    pen = ImageDraw.Draw(sheet)
    bold, small = ImageFont.load_default(15), ImageFont.load_default(12)
    for number, answer in enumerate(answers):
        top = _GAP + number * row
        pen.text((_GAP, top), plain(answer.title), _INK, bold)
        pen.text((width - _GAP, top + 3), answer.timing, _QUIET, small, anchor="ra")
        top += _HEAD
        _tile(sheet, answer.query, _GAP, top)
        pen.rectangle((_GAP - 3, top - 3, _GAP + _TILE + 2, top + _TILE + 2), outline=_ACCENT, width=2)
        for rank, (jpeg, similarity) in enumerate(answer.hits, 1):
            left = 2 * _GAP + rank * (_TILE + _GAP)
            _tile(sheet, jpeg, left, top)
            pen.text((left, top + _TILE + 5), str(rank), _INK, small)
            pen.text((left + _TILE, top + _TILE + 5), f"{similarity:.2f}", _QUIET, small, anchor="ra")
            line = top + _TILE + 24
            pen.line((left, line, left + _TILE, line), _WELL, 3)
            pen.line((left, line, left + round(_TILE * similarity), line), _ACCENT, 3)
    partial = file.with_name(file.name + ".part")
    sheet.save(partial, "PNG")
    partial.replace(file)


def _tile(sheet: Image.Image, jpeg: bytes, left: int, top: int) -> None:
    """Draw a whole photograph into its square."""
    well = Image.new("RGB", (_TILE, _TILE), _WELL)
    photograph = ImageOps.contain(Image.open(io.BytesIO(jpeg)).convert("RGB"), (_TILE, _TILE))
    well.paste(photograph, ((_TILE - photograph.width) // 2, (_TILE - photograph.height) // 2))
    sheet.paste(well, (left, top))
