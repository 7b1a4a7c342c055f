"""The command that runs a module of Twinlens as a program of its own, from the sources, a wheel and a bundle alike."""

from __future__ import annotations

import os
import sys
from pathlib import Path

RUN = "--run-module"
"""Said to a bundle before the name of a module: there is no Python in it to ask."""

_ROOT = Path(__file__).resolve().parents[1]


def command(module: str, *arguments: str) -> list[str]:
    """Return the command; what it runs imports nothing from the current folder, where a person may have a core.py."""
    if getattr(sys, "frozen", False):
        return [sys.executable, RUN, module, *arguments]
    return [sys.executable, "-P", "-m", module, *arguments]


def environment() -> dict[str, str]:
    """Return the environment that it runs in: this one's, in which it finds the same Twinlens."""
    places = filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
