"""The views of a workspace by name, and what makes each; what is slow to import is imported when it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from app.gui.frame.views import ViewPart
from app.gui.frame.window import WorkspaceServices

LAB_VIEWS: Final = ("lab", "compare", "indexes", "new index")
"""The Lab, and the views that are reached from it."""


def _learn(window: WorkspaceServices) -> ViewPart:
    from app.gui.learn.controller import LearnControl

    return LearnControl(window)


def _compare(window: WorkspaceServices) -> ViewPart:
    from app.gui.compare.controller import CompareControl

    return CompareControl(window)


def _map(window: WorkspaceServices) -> ViewPart:
    from app.gui.map.controller import MapControl

    return MapControl(window)


def _duplicates(window: WorkspaceServices) -> ViewPart:
    from app.gui.duplicates.controller import DuplicatesControl

    return DuplicatesControl(window)


def _lab(window: WorkspaceServices) -> ViewPart:
    from app.gui.lab.controller import LabControl

    return LabControl(window)


def _indexes(window: WorkspaceServices) -> ViewPart:
    from app.gui.indexes.controller import IndexesControl

    return IndexesControl(window)


def _new_index(window: WorkspaceServices) -> ViewPart:
    from app.gui.indexes.controller import NewIndexControl

    return NewIndexControl(window)


def _problems(window: WorkspaceServices) -> ViewPart:
    from app.gui.problems.controller import ProblemsControl

    return ProblemsControl(window)


def _settings(window: WorkspaceServices) -> ViewPart:
    from app.gui.settings.controller import SettingsControl

    return SettingsControl(window)


VIEW_MAKERS: Final[Mapping[str, Callable[[WorkspaceServices], ViewPart]]] = {
    "duplicates": _duplicates,
    "map": _map,
    "learn": _learn,
    "compare": _compare,
    "lab": _lab,
    "indexes": _indexes,
    "new index": _new_index,
    "problems": _problems,
    "settings": _settings,
}
