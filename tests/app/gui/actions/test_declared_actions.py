"""The tables of actions: names, views and keys."""

from __future__ import annotations

import pytest

from twinlens.app.gui.actions.action import declare
from twinlens.app.gui.actions.declared_actions import every_action, window_actions
from twinlens.app.gui.frame.rail import VIEWS


def test_no_two_actions_have_one_name() -> None:
    names = [one.name for one in every_action()]
    assert len(names) == len(set(names))


def test_every_view_is_shown_by_an_action_and_every_action_is_of_a_view() -> None:
    views = {view.name for view in VIEWS}
    assert views <= set(window_actions())
    assert {one.view for one in every_action()} <= {"", *views}


@pytest.mark.parametrize(
    ("keys", "bound", "text"),
    [
        ("", [], ""),
        ("+ / =", ["+", "="], "+ / ="),
        ("Alt+1 … 3", ["Alt+1", "Alt+2", "Alt+3"], "Alt+1 … 3"),
        ("Ctrl+Return", ["Ctrl+Return", "Ctrl+Enter"], "Ctrl+Return"),
        ("Space / Enter", ["Space", "Return", "Enter"], "Space / Enter"),
    ],
)
def test_keys_are_bound_and_told_as_they_are_declared(keys: str, bound: list[str], text: str) -> None:
    action = declare("map", "Map", {"closer": ("Closer", keys)})["closer"]
    assert [key.toString() for key in action.sequences()] == bound
    assert action.keys_text() == text
    assert action.numbered is ("…" in keys)
