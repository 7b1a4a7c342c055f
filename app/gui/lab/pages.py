"""The pages of the Lab, in the order in which they stand along its top."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.gui.frame.frame import Frame
    from app.gui.frame.late_views import LatePart


def _experiments(frame: Frame) -> LatePart:
    from app.gui.lab.experiments.controller import make

    return make(frame)


def _theory(frame: Frame) -> LatePart:
    from app.gui.lab.theory.controller import TheoryPart

    return TheoryPart(frame)


def _explore(frame: Frame) -> LatePart:
    from app.gui.lab.explore.controller import ExploreControl

    return ExploreControl(frame)


def _advice(frame: Frame) -> LatePart:
    from app.gui.lab.advice.controller import AdviceControl

    return AdviceControl(frame)


PAGES: tuple[tuple[str, Callable[[Frame], LatePart]], ...] = (
    ("experiments", _experiments),
    ("theory", _theory),
    ("explore", _explore),
    ("advice", _advice),
)
"""Name, and what makes the page; it imports what is slow when it is called."""
