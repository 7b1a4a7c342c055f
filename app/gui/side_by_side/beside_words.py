"""Texts of side by side: the facts under a photograph, what is better in bold and what is worse in orange, and keys."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from app.duplicates.beside import AlignedPhotograph
from app.gui.look.theme import DARK
from app.gui.pictures.photograph_facts import written_date
from app.language.spoken import _, number, text
from core.amounts import size
from core.files.untrusted_input import plain, plain_name

_WARNS = frozenset({"pixels", "taken", "camera"})
"""Facts that speak against a photograph where another is better; fewer bytes do not."""


def facts_text(one: AlignedPhotograph, badge: str = "", kept: bool = False) -> str:
    """Return the facts of a photograph as rich text.

    Parameters
    ----------
    one : Beside
    badge : str
        What becomes of it, where it is of a group of duplicates.
    kept : bool
        Whether it is the one that is kept.
    """
    name = f'<b style="color: {DARK.ink}">{escape(plain_name(one.path))}</b>'
    if badge:
        ground = DARK.accent if kept else DARK.line
        name += f' &nbsp;<span style="background: {ground}; color: {DARK.ground if kept else DARK.ink}">'
        name += f"&nbsp;{escape(badge)}&nbsp;</span>"
    form = one.format if one.quality is None else _("JPEG, quality {quality}", quality=one.quality)
    pixels = _fact(one, "pixels", f"{number(one.width)} × {number(one.height)}")
    saved = [_fact(one, "bytes", text(size(one.bytes))), _fact(one, "quality", form)]
    taken = _fact(one, "taken", written_date(one.taken) or _("no date"))
    camera = _fact(one, "camera", plain(one.camera or _("no camera")))
    differs = ", ".join(text(each) for each in one.differs)
    lines = [name, " · ".join([pixels, *saved]), f"{taken} · {camera}", escape(plain(one.path.rpartition("/")[0]))]
    return "<br>".join([*lines, *([_coloured(differs, DARK.warn)] if differs else [])])


def _fact(one: AlignedPhotograph, name: str, words: str) -> str:
    if name in one.better:
        return f'<b style="color: {DARK.ink}">{escape(words)}</b>'
    return _coloured(words, DARK.warn) if name in one.worse and name in _WARNS else escape(words)


def _coloured(words: str, colour: str) -> str:
    return f'<span style="color: {colour}">{escape(words)}</span>'


def keys_text(keys: Sequence[tuple[str, str]]) -> str:
    """Return keys and what each does as rich text."""
    return " &nbsp; ".join(
        f'<b style="color: {DARK.ink}">{escape(key)}</b>&nbsp;{_joined(words)}' for key, words in keys
    )


def _joined(words: str) -> str:
    return escape(words).replace(" ", "&nbsp;")
