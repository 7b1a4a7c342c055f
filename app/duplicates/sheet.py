"""Groups of duplicates as one HTML file with their pictures, to look at, print or hand on."""

from __future__ import annotations

import base64
from collections.abc import Callable
from html import escape
from pathlib import Path

from app.duplicates.results import DuplicateMember, DuplicatesResult, KeptPhotograph
from app.library.library import Library
from app.library.pictures import thumbnails
from core.amounts import size
from core.errors import TwinlensError
from core.message import Message

Words = Callable[[Message], str]

_AT_ONCE = 128
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: #1c1c1a }
section { border-top: 1px solid #deded9; padding: 1rem 0; display: flex; flex-wrap: wrap; gap: 1rem }
h2 { font-size: 1rem; width: 100%; margin: 0 }
figure { margin: 0; width: 12rem } img { max-width: 100%; max-height: 9rem; border-radius: 4px }
figcaption { font-size: .85rem; color: #73736d; overflow-wrap: anywhere }
.keep img { outline: 3px solid #0f766e } .goes img { outline: 2px dashed #c2410c; opacity: .75 }
"""


def write_sheet(library: Library, found: DuplicatesResult, file: Path, words: Words = str) -> None:
    """Write a sheet that needs no other file.

    Parameters
    ----------
    library : Library
        Where thumbnails come from.
    found : DuplicatesResult
    file : Path
    words : callable
        Writes a message in a person's language.

    Raises
    ------
    TwinlensError
        If the file cannot be written.
    """
    shown = [one for group in found.groups for one in (group.keeper.id, *(member.id for member in group.members))]
    jpegs = _jpegs(library, shown)
    parts = ["<!doctype html><meta charset=utf-8><title>Twinlens</title>", f"<style>{_STYLE}</style>"]
    for group in found.groups:
        parts.append(f"<section><h2>{escape(words(group.reason))}</h2>")
        parts.append(_figure(group.keeper, "keep", "", jpegs))
        for one in group.members:
            said = ", ".join(words(each) for each in one.differs) or one.sort
            parts.append(_figure(one, "goes" if one.goes else "", said, jpegs))
        parts.append("</section>")
    try:
        file.write_text("\n".join(parts), encoding="utf-8")
    except OSError as error:
        raise TwinlensError(
            Message("{file} cannot be written: {strerror}.", file=file, strerror=error.strerror),
            Message("Name another file."),
        ) from None


def _jpegs(library: Library, ids: list[int]) -> dict[int, bytes]:
    """Return thumbnails by the ids of photographs."""
    with library.store.reading() as r:
        contents = {row.id: row.content_hash or b"" for row in r.photographs.by_id(ids)}
    found: dict[bytes, bytes] = {}
    wanted = list(dict.fromkeys(contents.values()))
    for start in range(0, len(wanted), _AT_ONCE):
        found |= thumbnails(library, wanted[start : start + _AT_ONCE])
    return {one: found.get(content, b"") for one, content in contents.items()}


def _figure(one: KeptPhotograph | DuplicateMember, role: str, said: str, jpegs: dict[int, bytes]) -> str:
    picture = base64.b64encode(jpegs.get(one.id, b"")).decode()
    facts = f"{one.width} × {one.height} · {size(one.bytes)}"
    return (
        f'<figure class="{role}"><img alt="" src="data:image/jpeg;base64,{picture}">'
        f"<figcaption><b>{escape(one.path)}</b><br>{escape(facts)}<br>{escape(said)}</figcaption></figure>"
    )
