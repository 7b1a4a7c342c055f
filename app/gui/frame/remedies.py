"""Remedies in the window: the words of the button for each, and what it does."""

from __future__ import annotations

from collections.abc import Callable

from app.gui.frame.window import WorkspaceServices
from app.language.spoken import _
from core.errors import Remedy

REMEDY_ACTIONS: dict[str, Callable[[WorkspaceServices], object]] = {
    "add folder": lambda window: window.taking.choose_folder(),
    "rescan": lambda window: window.adding.rescan(),
    "retry": lambda window: window.show_view("problems"),
    "show folders": lambda window: window.show_view("library"),
    "show problems": lambda window: window.show_view("problems"),
    "choose index": lambda window: window.show_view("indexes"),
    "create index": lambda window: window.new_index(),
    "list indexes": lambda window: window.show_view("indexes"),
    "list methods": lambda window: window.new_index(),
    "list metrics": lambda window: window.show_view("learn"),
    "list runs": lambda window: window.show_view("lab"),
    "resume run": lambda window: window.show_view("lab"),
    "measure photographs": lambda window: window.show_view("lab"),
    "export run": lambda window: window.show_view("lab"),
    "mark pairs": lambda window: window.show_view("learn"),
    "list marks": lambda window: window.show_view("learn"),
    "delete metric with indexes": lambda window: window.show_view("learn"),
    "learn metric": lambda window: window.show_view("learn"),
    "fit vocabulary": lambda window: window.show_view("indexes"),
    "list vocabularies": lambda window: window.show_view("indexes"),
    "repair library": lambda window: window.show_view("settings"),
    "restore backup": lambda window: window.choose_library(),
    "choose another library": lambda window: window.choose_library(),
    "connect disk": lambda window: window.adding.rescan(),
    "allow more memory": lambda window: window.show_view("settings"),
    "show help": lambda window: window.show_guide(),
}
"""By the names of remedies."""


def remedy_label(remedy: Remedy) -> str:
    """Return the words of the button."""
    return {
        "add folder": _("Add a folder…"),
        "rescan": _("Look for changes"),
        "retry": _("Show problems"),
        "show folders": _("Show the library"),
        "show problems": _("Show problems"),
        "choose index": _("Show indexes"),
        "create index": _("New index…"),
        "list indexes": _("Show indexes"),
        "list methods": _("New index…"),
        "list metrics": _("Open Learn"),
        "list runs": _("Open the Lab"),
        "resume run": _("Open the Lab"),
        "measure photographs": _("Open the Lab"),
        "export run": _("Open the Lab"),
        "mark pairs": _("Open Learn"),
        "list marks": _("Open Learn"),
        "delete metric with indexes": _("Open Learn"),
        "learn metric": _("Open Learn"),
        "fit vocabulary": _("Show indexes"),
        "list vocabularies": _("Show indexes"),
        "repair library": _("Check the library in Settings"),
        "restore backup": _("Open a backup…"),
        "choose another library": _("Open another library…"),
        "connect disk": _("Look again"),
        "allow more memory": _("Open Settings"),
        "show help": _("Open the guide"),
    }[remedy.name]


def remedy_advice(remedy: Remedy) -> str:
    """Return what to choose, for places without a button."""
    if remedy.name == "connect disk":
        return _("Connect the disk, then choose “{action}”.", action=remedy_label(remedy))
    return _("Choose “{action}”.", action=remedy_label(remedy))
