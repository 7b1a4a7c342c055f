"""Actions of the Lab."""

from __future__ import annotations

from app.gui.actions.action import Action, declare
from app.language.spoken import _


def lab_actions() -> dict[str, Action]:
    """Declare what can be done with experiments."""
    return declare(
        "lab",
        _("Lab"),
        {
            "new": (_("New experiment"), "N"),
            "change": (_("An experiment made from this one"), "E"),
            "resume": (_("Go on with the experiment"), "R"),
            "pause": (_("Pause the experiment"), "P"),
            "again": (_("Run the experiment again"), "A"),
            "list": (_("To the list of experiments, or hide it"), "L"),
            "table": (_("To the table"), "T"),
            "charts": (_("To the charts"), "F"),
            "theory": (_("Show what theory says, or hide it"), "Shift+T"),
            "hide": (_("Hide the row from the charts"), "H"),
            "index": (_("Make the row an index"), "I"),
            "name": (_("Name the index before it is built"), "F2"),
            "default": (_("Make it the index that is searched"), "U"),
            "compare": (_("Compare it"), "C"),
            "back": (_("Back to what is proposed"), "B"),
            "turn": (_("Turn a knob of the row"), "V"),
            "figures": (_("Show or hide a figure"), "1 … 9"),
            "copy": (_("Copy the command"), "Y"),
            "export": (_("Export"), "X"),
            "open": (_("Open an experiment file"), "O"),
            "keep": (_("Keep the experiment of a file"), "K"),
            "rename": (_("Rename the experiment"), "F2"),
            "delete": (_("Delete the experiment"), "Del"),
        },
        keys_only=("hide", "index", "turn", "figures"),
    )


def theory_actions() -> dict[str, Action]:
    """Declare what can be done with theory's curves."""
    return declare(
        "lab",
        _("Theory"),
        {
            "again": (_("Compute again"), "Shift+R"),
            "export": (_("Export"), "Shift+X"),
        },
        place="theory",
        keys_only=("again", "export"),
    )


def explore_actions() -> dict[str, Action]:
    """Declare what can be done while knobs are turned."""
    return declare(
        "lab",
        _("Knobs"),
        {
            "another": (_("Another photo"), "N"),
            "begin": (_("Back to the index's own setting"), "R"),
            "pin": (_("Pin this setting"), "P"),
            "swap": (_("Swap with the pinned one"), "A"),
            "order": (_("Order of the hits"), "O"),
            "index": (_("Make this setting an index"), "U"),
            "compare": (_("Compare this setting"), "Shift+C"),
        },
        place="knobs",
    )


def advice_actions() -> dict[str, Action]:
    """Declare what can be done with advice."""
    return declare(
        "lab",
        _("Advice"),
        {
            "go": (_("Measure"), "G"),
            "choices": (_("Choose what is asked, and for how long"), "Alt+1 … 7"),
            "marks": (_("Take marked pairs"), "M"),
            "pairs": (_("Choose pairs"), "Shift+P"),
        },
        place="advice",
        keys_only=("choices",),
    )


def every_lab_action() -> dict[str, Action]:
    """Return all that can be done in the Lab."""
    found: dict[str, Action] = {}
    for actions in (lab_actions, theory_actions, explore_actions, advice_actions):
        found |= {one.name: one for one in actions().values()}
    return found
