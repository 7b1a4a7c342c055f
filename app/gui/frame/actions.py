"""All actions that are declared."""

from __future__ import annotations

from app.gui.actions.action import Action
from app.gui.actions.everywhere import window_actions
from app.gui.compare.actions import compare_actions
from app.gui.duplicates.actions import duplicate_actions
from app.gui.indexes.actions import index_actions
from app.gui.lab.actions import every_lab_action
from app.gui.learn.actions import learn_actions
from app.gui.library.actions import library_actions, photograph_actions
from app.gui.map.actions import map_actions
from app.gui.problems.actions import problem_actions
from app.gui.search.actions import search_actions
from app.gui.viewer.actions import viewer_actions


def every_action() -> list[Action]:
    """Return all that can be done, in the order in which the sheet of keys has it."""
    declared = (
        window_actions,
        photograph_actions,
        library_actions,
        search_actions,
        viewer_actions,
        duplicate_actions,
        map_actions,
        compare_actions,
        learn_actions,
        every_lab_action,
        index_actions,
        problem_actions,
    )
    return [one for actions in declared for one in actions().values()]
