"""Imports of what late views need, while the window has nothing else to do."""

from __future__ import annotations

from importlib import import_module

from core.message import NOTHING
from core.progress import Progress

_SLOW = (
    "app.gui.lab.controller",
    "app.gui.map.controller",
    "app.lab.theory.theory",
    "app.lab.explore.explorer",
    "app.map.layout",
    "app.gui.settings.controller",
)


def import_ahead(progress: Progress) -> None:
    """Import what late views need, in a job, while the window has nothing else to do: then they show at once."""
    for place, name in enumerate(_SLOW):
        progress(place, len(_SLOW), NOTHING)
        import_module(name)
