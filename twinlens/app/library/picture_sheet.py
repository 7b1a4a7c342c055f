"""A sheet of pictures: one HTML file that needs no other file, no script and no network.

It is light or dark like the system. Search results, groups of duplicates and the demo are written so.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from twinlens.app.library.library import Library
from twinlens.app.library.pictures import all_thumbnails
from twinlens.app.machine.output_file import PAGE, PAGE_MARK, OutputFile
from twinlens.core.files.untrusted_input import plain
from twinlens.core.message import Message

Words = Callable[[Message], str]
"""A function that writes a message in a person's language."""

_STYLE = """
:root { color-scheme: light dark; --paper: #fbfbf9; --ink: #1c1c1a; --quiet: #6b6b65; --line: #deded9; --well: #eeeeeb;
  --accent: #0f766e; --warn: #c2410c }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1c1b; --ink: #ececea; --quiet: #a3a39c; --line: #383937;
  --well: #272827; --accent: #2dd4bf; --warn: #fb923c } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 84rem; padding: 1.5rem; color: var(--ink);
  background: var(--paper) }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.15rem; margin: 0 }
p { margin: .25rem 0; color: var(--quiet) }
section { border-top: 1px solid var(--line); padding: 1rem 0; margin-top: 1rem }
.row { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 1rem }
.row + .row { margin-top: 1rem }
figure { margin: 0 } figure > div { background: var(--well); border-radius: 4px; aspect-ratio: 1; display: flex }
img { max-width: 100%; max-height: 100%; margin: auto; border-radius: 4px }
figcaption { font-size: .85rem; color: var(--quiet); overflow-wrap: anywhere; margin-top: .3rem }
figcaption b { color: var(--ink); font-weight: 600 }
.keep > div { outline: 3px solid var(--accent) }
.goes > div { outline: 2px dashed var(--warn) } .goes img { opacity: .75 }
summary { cursor: pointer; color: var(--quiet); margin: 1rem 0 .5rem } summary b { color: var(--ink) }
table { border-collapse: collapse; font-size: .85rem } td, th { padding: .15rem .9rem .15rem 0; text-align: left }
"""


@dataclass(frozen=True)
class SheetFigure:
    """A picture and the words below it.

    Attributes
    ----------
    picture : int or bytes
        The id of a photograph, or a JPEG or PNG.
    words : tuple of str
        A line each.
    role : str
        ``keep`` for a frame, ``goes`` for a dashed one.
    """

    picture: int | bytes
    name: str
    words: tuple[str, ...] = ()
    role: Literal["", "keep", "goes"] = ""


@dataclass(frozen=True)
class SheetBand:
    """Figures below one heading; folded ones are shown with a click."""

    heading: str
    figures: tuple[SheetFigure, ...]
    folded: bool = False


@dataclass(frozen=True)
class FoldedTable:
    """Numbers and paragraphs on them, shown with a click on their heading."""

    heading: str
    words: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SheetSection:
    """A part of a sheet.

    Attributes
    ----------
    words : tuple of str
        A paragraph each.
    bands : tuple of SheetBand
        Those without figures are left out.
    """

    heading: str
    words: tuple[str, ...] = ()
    bands: tuple[SheetBand, ...] = ()
    numbers: FoldedTable | None = None


def write_sheet(
    library: Library, sections: Sequence[SheetSection], file: OutputFile, heading: str = "Twinlens"
) -> None:
    """Write a sheet, whole or not at all.

    Parameters
    ----------
    library : Library
        Where the thumbnails of photographs come from.

    Raises
    ------
    TwinlensError
        If the file cannot be written, or must not be replaced.
    """
    shown = [one.picture for section in sections for band in section.bands for one in band.figures]
    jpegs = _thumbnails(library, [one for one in shown if isinstance(one, int)])
    lines = [
        '<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        PAGE_MARK,
        f"<title>{_safe(heading)}</title><style>{_STYLE}</style></head><body><h1>{_safe(heading)}</h1>",
    ]
    for section in sections:
        lines += _section(section, jpegs)
    lines.append("</body></html>\n")
    file.write("\n".join(lines), PAGE)


def _thumbnails(library: Library, ids: Sequence[int]) -> dict[int, bytes]:
    """Return the thumbnails of photographs by id; those that the cache has lost are made again."""
    with library.store.reading() as r:
        contents = {row.id: row.content_hash for row in r.photographs.by_id(list(dict.fromkeys(ids)))}
    found = all_thumbnails(library, [one for one in contents.values() if one is not None])
    return {one: found[content] for one, content in contents.items() if content is not None}


def _safe(words: str) -> str:
    """Escape text from outside for a page."""
    return escape(plain(words), quote=True)


def _section(section: SheetSection, jpegs: dict[int, bytes]) -> Iterable[str]:
    yield f"<section><h2>{_safe(section.heading)}</h2>"
    yield from (f"<p>{_safe(one)}</p>" for one in section.words if one)
    for band in section.bands:
        if not band.figures:
            continue
        row = ['<div class="row">', *(_figure(one, jpegs) for one in band.figures), "</div>"]
        if band.folded:
            yield from (f"<details><summary><b>{_safe(band.heading)}</b></summary>", *row, "</details>")
        else:
            yield from ([f"<h3>{_safe(band.heading)}</h3>", *row] if band.heading else row)
    if section.numbers is not None and section.numbers.rows:
        yield from _table(section.numbers)
    yield "</section>"


def _figure(one: SheetFigure, jpegs: dict[int, bytes]) -> str:
    data = jpegs.get(one.picture, b"") if isinstance(one.picture, int) else one.picture
    kind = "png" if data.startswith(b"\x89PNG") else "jpeg"
    picture = f'<img alt="{_safe(one.name)}" src="data:image/{kind};base64,{base64.b64encode(data).decode()}">'
    caption = "<br>".join([f"<b>{_safe(one.name)}</b>", *(_safe(words) for words in one.words if words)])
    role = f' class="{one.role}"' if one.role else ""
    return f"<figure{role}><div>{picture if data else ''}</div><figcaption>{caption}</figcaption></figure>"


def _table(table: FoldedTable) -> Iterable[str]:
    yield f"<details><summary>{_safe(table.heading)}</summary>"
    yield from (f"<p>{_safe(one)}</p>" for one in table.words if one)
    yield "<table><tr>" + "".join(f"<th>{_safe(one)}</th>" for one in table.columns) + "</tr>"
    for row in table.rows:
        yield "<tr>" + "".join(f"<td>{_safe(one)}</td>" for one in row) + "</tr>"
    yield "</table></details>"
