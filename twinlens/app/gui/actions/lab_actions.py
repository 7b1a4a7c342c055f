"""The actions of the Lab and of its charts, each declared once."""

from __future__ import annotations

from twinlens.app.gui.actions.action import Action, declare
from twinlens.app.language.texts import _


def lab_actions() -> dict[str, Action]:
    """Return the actions on experiments."""
    return declare(
        "lab",
        _("Lab"),
        {
            "new": (_("Set up a new experiment"), "N"),
            "change": (_("New experiment from this one"), "E"),
            "resume": (_("Measure the missing steps"), "R"),
            "pause": (_("Pause the experiment"), "P"),
            "stop": (_("Stop and keep what was measured"), ""),
            "again": (_("Measure again and compare the figures"), "A"),
            "list": (_("Show the list of experiments, or hide it"), "L"),
            "table": (_("To the table"), "T"),
            "charts": (_("To the charts"), "F"),
            "theory": (_("Show what theory says, or hide it"), "Shift+T"),
            "hide": (_("Hide the row from the charts"), "H / Space"),
            "index": (_("Create this index in the background"), "I"),
            "name": (_("Name the index before it is built"), "F2"),
            "default": (_("Use this index for searches"), "U"),
            "compare": (_("Compare its results with your present index"), "C"),
            "back": (_("Show the proposed index again"), "B"),
            "turn": (_("Change a parameter of this line, and see what it does"), "V"),
            "figures": (_("Show or hide a figure"), "1 … 9"),
            "copy": (_("Copy the command"), "Y"),
            "export": (_("Save the table, figures or experiment"), "X"),
            "open": (_("Open an experiment file"), "O"),
            "keep": (_("Keep this experiment in the library"), "K"),
            "rename": (_("Rename the experiment"), "F2"),
            "delete": (_("Delete the experiment"), "Del"),
            "page": (_("To the experiment that is chosen in the list"), "Enter"),
        },
        keys_only=("hide", "index", "turn", "figures", "page"),
    )


def plan_actions() -> dict[str, Action]:
    """Return the actions on the form of a new experiment."""
    return declare(
        "lab",
        _("New experiment"),
        {
            "start": (_("Start measuring"), "Ctrl+Return"),
            "question": (_("Choose the question"), "Ctrl+Shift+1 … 6"),
            "leave": (_("Close without an experiment"), "Esc"),
        },
        place="plan",
        keys_only=("start", "question", "leave"),
    )


def chart_actions() -> dict[str, Action]:
    """Return the actions on a chart."""
    return declare(
        "lab",
        _("Charts"),
        {
            "point": (_("To the point before or after, or of the line above or below"), _("Arrow")),
            "ends": (_("To the first point of the line, or to the last"), "Home / End"),
            "choose": (_("Choose the point"), "Enter"),
            "closer": (_("Closer"), "+ / ="),
            "further": (_("Further"), "-"),
            "whole": (_("Show the whole chart"), "0"),
            "export": (_("Copy or save this chart"), "X"),
        },
        place="chart",
        keys_only=("choose", "closer", "further", "whole", "export"),
        moves=("point", "ends"),
    )


def theory_actions() -> dict[str, Action]:
    """Return the actions on the curves of theory."""
    return declare(
        "lab",
        _("Theory"),
        {
            "again": (_("Compute again"), "Shift+R"),
            "cancel": (_("Stop computing"), ""),
            "export": (_("Write all charts"), "Shift+X"),
        },
        place="theory",
        keys_only=("again", "export"),
    )


def explore_actions() -> dict[str, Action]:
    """Return the actions of the explorer."""
    return declare(
        "lab",
        _("Knobs"),
        {
            "another": (_("Search with another photo"), "N"),
            "begin": (_("Back to the index's own setting"), "R"),
            "pin": (_("Pin this setting to compare with it"), "P"),
            "swap": (_("Go to the pinned setting and back"), "A"),
            "order": (_("Order of the hits"), "O"),
            "index": (_("Make this setting an index"), "U"),
            "compare": (_("Make it a column of the comparison"), "Shift+C"),
            "leave": (_("Back to the experiment"), "Esc"),
            "turn": (_("Turn the knob"), _("Arrow")),
            "own": (_("The knob back to the index's own setting"), "Del / Backspace"),
        },
        place="knobs",
        keys_only=("leave", "own"),
        moves=("turn",),
    )


def advice_actions() -> dict[str, Action]:
    """Return the actions of advice."""
    return declare(
        "lab",
        _("Advice"),
        {
            "go": (_("Measure indexes for this time, and propose one"), "G"),
            "choices": (_("Choose the queries, and how long it may take"), "Alt+1 … 7"),
            "marks": (_("Add the pairs that you have marked"), "M"),
            "pairs": (_("Choose pairs of photos from the library"), "Shift+P"),
            "match": (_("These two should match"), "S"),
            "differ": (_("These two should not match"), "D"),
            "remove": (_("Take the pair away"), "Del / Backspace"),
        },
        place="advice",
        keys_only=("choices", "match", "differ", "remove"),
        once=("match", "differ"),
    )


def every_lab_action() -> dict[str, Action]:
    """Return all actions of the Lab."""
    found: dict[str, Action] = {}
    for actions in (lab_actions, plan_actions, chart_actions, theory_actions, explore_actions, advice_actions):
        found |= {one.name: one for one in actions().values()}
    return found
