"""The library in which ticks are measured: a thousand pictures made of free photographs, with marks."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

PHOTOGRAPHS = 1_000
INDEX = "Colours"


def prepare(photographs: int) -> Path:
    """Make the library once, and give a fresh copy of it with folders of its own for data and cache."""
    made = Path(tempfile.gettempdir()) / f"twinlens-ticks-{photographs}"
    if not (made / "done").exists():
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        _make(made, photographs)
        (made / "done").touch()
    place = Path(tempfile.mkdtemp(prefix="twinlens-ticks-run-"))
    return Path(shutil.copy(made / "made.twinlens", place / "made.twinlens"))


def own_folders(library: Path) -> None:
    """Keep data away from the person's, and the window from a screen; what was compiled stays."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["TWINLENS_DATA"] = str(library.parent / "data")
    from app.machine import preferences

    preferences.keep(preferences.load().model_copy(update={"rescan_on_start": False}))


def _make(place: Path, photographs: int) -> None:
    from app.demo.photographs import fetch_photographs
    from app.library.adding import add
    from app.library.library import Library
    from tools.portrait_library import mark_some, put_free, put_many

    os.environ["TWINLENS_DATA"] = str(place / "data")
    found = fetch_photographs()
    put_free(found, place / "Pictures")
    put_many(found, place / "Pictures", photographs)
    with Library.open(place / "made.twinlens", create=True) as library:
        add(library, [place / "Pictures"])
        mark_some(library)
