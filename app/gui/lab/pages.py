"""The pages of the Lab, in the order in which they stand along its top."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.gui.frame.late_views import LatePart
    from app.gui.frame.window import Window


def _experiments(window: Window) -> LatePart:
    from app.gui.lab.experiments.controller import make

    return make(window)


def _theory(window: Window) -> LatePart:
    from app.gui.lab.theory.controller import TheoryPart

    return TheoryPart(window)


def _explore(window: Window) -> LatePart:
    from app.gui.lab.explore.controller import ExploreControl

    return ExploreControl(window)


def _advice(window: Window) -> LatePart:
    from app.gui.lab.advice.controller import AdviceControl

    return AdviceControl(window)


PAGES: tuple[tuple[str, Callable[[Window], LatePart]], ...] = (
    ("experiments", _experiments),
    ("theory", _theory),
    ("explore", _explore),
    ("advice", _advice),
)
"""Name, and what makes the page; it imports what is slow when it is called."""
