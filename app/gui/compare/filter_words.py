"""What columns are narrowed down to, in a few words."""

from __future__ import annotations

import os
from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from app.gui.search.filters import camera_words
from core.outside import plain


def narrowed_words(filters: Mapping[str, str]) -> str:
    """Say what photographs must be to be found: ``in monuments, since 2022``; empty where all may."""
    words = []
    folder, since, until = (filters.get(name, "") for name in ("folder", "since", "until"))
    if folder:
        name = plain(os.path.basename(folder.rstrip("/\\")) or folder)
        words.append(QCoreApplication.translate("Compare", "in {folder}").format(folder=name))
    if since and since == until:
        words.append(QCoreApplication.translate("Compare", "of {date}").format(date=since))
    elif since and until:
        words.append(QCoreApplication.translate("Compare", "from {since} to {until}").format(since=since, until=until))
    elif since:
        words.append(QCoreApplication.translate("Compare", "since {date}").format(date=since))
    elif until:
        words.append(QCoreApplication.translate("Compare", "until {date}").format(date=until))
    if filters.get("camera"):
        words.append(
            QCoreApplication.translate("Compare", "by {camera}").format(camera=camera_words(filters["camera"]))
        )
    named = _named()
    others = [(name, filters[name]) for name in ("orientation", "marked") if filters.get(name)]
    words += [named.get(one, one[1]) for one in others]
    return ", ".join(words)


def _named() -> dict[tuple[str, str], str]:
    return {
        ("orientation", "landscape"): QCoreApplication.translate("Compare", "landscape"),
        ("orientation", "portrait"): QCoreApplication.translate("Compare", "portrait"),
        ("orientation", "square"): QCoreApplication.translate("Compare", "square"),
        ("marked", "any"): QCoreApplication.translate("Compare", "marked"),
        ("marked", "similar"): QCoreApplication.translate("Compare", "marked similar"),
        ("marked", "different"): QCoreApplication.translate("Compare", "marked different"),
    }
