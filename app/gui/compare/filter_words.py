"""The filters of a comparison as text."""

from __future__ import annotations

import os
from collections.abc import Mapping

from app.gui.search.filters import camera_words
from app.language.spoken import _
from core.files.untrusted_input import plain


def filters_text(filters: Mapping[str, str]) -> str:
    """Return the filters as text: ``in monuments, since 2022``; empty without filters."""
    words = []
    folder, since, until = (filters.get(name, "") for name in ("folder", "since", "until"))
    if folder:
        name = plain(os.path.basename(folder.rstrip("/\\")) or folder)
        words.append(_("in {folder}", folder=name))
    if since and since == until:
        words.append(_("of {date}", date=since))
    elif since and until:
        words.append(_("from {since} to {until}", since=since, until=until))
    elif since:
        words.append(_("since {date}", date=since))
    elif until:
        words.append(_("until {date}", date=until))
    if filters.get("camera"):
        words.append(_("by {camera}", camera=camera_words(filters["camera"])))
    named = _named()
    others = [(name, filters[name]) for name in ("orientation", "marked") if filters.get(name)]
    words += [named.get(one, one[1]) for one in others]
    return ", ".join(words)


def _named() -> dict[tuple[str, str], str]:
    return {
        ("orientation", "landscape"): _("landscape"),
        ("orientation", "portrait"): _("portrait"),
        ("orientation", "square"): _("square"),
        ("marked", "any"): _("marked"),
        ("marked", "similar"): _("marked similar"),
        ("marked", "different"): _("marked different"),
    }
