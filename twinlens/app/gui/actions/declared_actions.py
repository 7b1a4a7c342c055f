"""Every action of the window, declared once: those of the whole window first, then view by view.

Menus, keys, tooltips, the sheet of keys and the command palette come from these tables; a view binds each action to a
function.
"""

from __future__ import annotations

from twinlens.app.gui.actions.action import Action, declare
from twinlens.app.gui.actions.lab_actions import every_lab_action
from twinlens.app.gui.actions.picture_actions import (
    crop_actions,
    match_actions,
    side_by_side_actions,
    slideshow_actions,
    viewer_actions,
)
from twinlens.app.language.texts import _


def every_action() -> list[Action]:
    """Return all actions, in the order of the sheet of keys."""
    declared = (
        window_actions,
        photograph_actions,
        note_actions,
        library_actions,
        album_actions,
        search_actions,
        match_actions,
        colour_actions,
        sketch_actions,
        viewer_actions,
        slideshow_actions,
        crop_actions,
        side_by_side_actions,
        duplicate_actions,
        rule_actions,
        map_actions,
        compare_actions,
        learn_actions,
        metric_actions,
        every_lab_action,
        index_actions,
        new_index_actions,
        problem_actions,
        dialog_actions,
    )
    return [one for actions in declared for one in actions().values()]


def window_actions() -> dict[str, Action]:
    """Return the actions that apply everywhere."""
    return declare(
        "",
        _("Everywhere"),
        {
            "library": (_("Library"), "Ctrl+1"),
            "search": (_("Search"), "Ctrl+2"),
            "duplicates": (_("Duplicates"), "Ctrl+3"),
            "map": (_("Map"), "Ctrl+4"),
            "learn": (_("Learn"), "Ctrl+5"),
            "lab": (_("Lab"), "Ctrl+6"),
            "compare": (_("Search with several indexes side by side"), "Ctrl+7"),
            "indexes": (_("Create, rename and delete indexes"), "Ctrl+8"),
            "problems": (_("Problems"), "Ctrl+9"),
            "settings": (_("Settings"), "Ctrl+,"),
            "back": (_("Back to the previous view or search"), "Alt+Left"),
            "forward": (_("Forward to the next view or search"), "Alt+Right"),
            "leave": (_("Leave this view, its selection or its filter"), "Esc"),
            "palette": (_("Command palette"), "Ctrl+Shift+P"),
            "guide": (_("Guide"), "F1"),
            "keys": (_("All keys"), "Ctrl+F1"),
            "about": (_("About Twinlens"), ""),
            "undo": (_("Undo"), "Ctrl+Z"),
            "redo": (_("Redo"), "Ctrl+Shift+Z / Ctrl+Y"),
            "history": (_("What was done, step by step"), "Ctrl+Alt+Z"),
            "add": (_("Add a folder of photos"), "Ctrl+O"),
            "rescan": (_("Look for new and changed photos"), "F5"),
            "pause": (_("Pause what runs, or continue it where it stopped"), "Ctrl+P"),
            "cancel": (_("Stop what runs, and keep what is done"), "Ctrl+."),
            "side": (_("Show folders and filters on the left, or hide them"), "F9"),
            "full screen": (_("Full screen, or back to the window"), "F11"),
            "new index": (_("New index"), ""),
            "libraries": (_("Libraries: open, new, recent, backup"), "Ctrl+Shift+O"),
            "open server": (_("Open a library on a server"), ""),
            "backup": (_("Back up the library"), ""),
            "restore": (_("Restore the library from a backup"), ""),
            "colours": (_("Search with colours or a sketch"), "Ctrl+K"),
            "add colours": (_("Add colours or a sketch to the search"), "Ctrl+Shift+K"),
            "words": (_("Search with words"), "Ctrl+T"),
            "paste": (_("Search with the picture or path on the clipboard"), "Ctrl+V"),
            "quit": (_("Close"), "Ctrl+Q"),
        },
        "window",
        keys_only=("leave",),
    )


def photograph_actions() -> dict[str, Action]:
    """Return the actions on the selected photographs, or on the current one."""
    return declare(
        "",
        _("Photos"),
        {
            "search": (_("Find photos like the selected ones"), "Enter"),
            "large": (_("Show large"), "Space"),
            "slideshow": (_("Slideshow of the selected photos, or of all"), "Shift+F5"),
            "side by side": (_("See two to four side by side"), "Ctrl+B"),
            "compare": (_("Compare indexes with the selected photos"), "Ctrl+Shift+C"),
            "map": (_("Show on the map"), "Ctrl+Shift+M"),
            "in library": (_("Show in the library"), ""),
            "in duplicates": (_("Open in Duplicates"), ""),
            "explore": (_("Open in the Lab"), ""),
            "alike": (_("Mark the selected photos as similar"), "S"),
            "different": (_("Mark the two selected photos as different"), "D"),
            "copy": (_("Copy"), "Ctrl+C"),
            "open": (_("Open in another program"), "Ctrl+Return"),
            "open with": (_("Open with…"), "Ctrl+Shift+Return"),
            "reveal": (_("Show in the file manager"), "Ctrl+Shift+R"),
            "export": (_("Export copies…"), "Ctrl+Shift+E"),
            "export links": (_("Export links…"), ""),
            "export table": (_("Export a table…"), ""),
            "write notes": (_("Write my notes into XMP files beside the photos"), ""),
            "near": (_("Photos taken near this one"), ""),
            "album": (_("Add to an album…"), "Ctrl+J"),
            "remove": (_("Move to the trash…"), "Del"),
            "menu": (_("Everything that can be done with it"), "Menu / Shift+F10"),
            "all": (_("Select all"), "Ctrl+A"),
            "group": (_("Select the photos under this heading, too"), "Ctrl+Shift+A"),
            "group before": (_("To the heading before"), "Alt+Up"),
            "next group": (_("To the next heading"), "Alt+Down"),
            "one more": (_("Select one more, or one less"), "Ctrl+Space"),
            "larger": (_("Larger thumbnails"), "Ctrl++ / Ctrl+="),
            "smaller": (_("Smaller thumbnails"), "Ctrl+- / Ctrl+_"),
            "usual size": (_("Thumbnails of the usual size"), "Ctrl+0"),
            "move": (_("To the photo that way"), _("Arrow")),
            "ends": (_("To the first photo, or to the last"), "Home / End"),
            "pages": (_("A page back, or on"), "PgUp / PgDown"),
            "reach": (_("Select up to the photo that way"), _("Shift+Arrow")),
            "go": (_("To the photo that way, without selecting it"), _("Ctrl+Arrow")),
        },
        "photograph",
        moves=("move", "ends", "pages", "reach", "go"),
        once=("alike", "different", "one more"),
    )


def note_actions() -> dict[str, Action]:
    """Return the actions that note something of the selected photographs, or of that in the viewer."""
    stars = {str(count): (_("Stars: {stars}", stars="★" * count), f"Alt+{count} / {count}") for count in range(1, 6)}
    rows = {
        "favourite": (_("Favourite, or no longer"), "Alt+F / F"),
        **stars,
        "0": (_("No stars"), "Alt+0 / 0"),
        "pick": (_("Pick, or no longer"), "Alt+P / P"),
        "reject": (_("Reject, or no longer"), "Alt+X / X"),
    }
    return declare("", _("Stars and favourites"), rows, "note", once=rows)


def note_actions_by(alt: bool) -> dict[str, Action]:
    """Return them with their keys with Alt only, which hold everywhere, or with those that hold beside photographs."""
    return {
        name: action.limited_to(key for key in action.keys if key.startswith("Alt+") is alt)
        for name, action in note_actions().items()
    }


def library_actions() -> dict[str, Action]:
    """Return the actions of the library."""
    return declare(
        "library",
        _("Library"),
        {
            "filter": (_("Filter; or just type"), "Ctrl+F"),
            "by date": (_("By date, newest first"), "Ctrl+D"),
            "by folder": (_("By folder and name"), "Ctrl+Shift+D"),
            "by oldest": (_("By date, oldest first"), ""),
            "by name": (_("By name of the file"), ""),
            "by size": (_("By size of the file, largest first"), ""),
            "by pixels": (_("By size of the picture, largest first"), ""),
            "by rating": (_("By stars, most first"), ""),
            "by added": (_("By when they were added, last first"), ""),
            "names": (_("Names and dates under the photos"), "Ctrl+Shift+N"),
            "forget": (_("Forget the chosen folder; its files are untouched"), "Del"),
        },
    )


def album_actions() -> dict[str, Action]:
    """Return the actions on the chosen album."""
    return declare(
        "library",
        _("Albums"),
        {
            "keep": (_("Keep these filters as an album…"), ""),
            "remove": (_("Remove the selected photos from the album"), "Backspace"),
            "slideshow": (_("Slideshow of the album"), ""),
            "rename": (_("Rename the album"), "F2"),
            "delete": (_("Delete the album; its photos stay"), "Del"),
        },
        place="album",
    )


def orders() -> dict[str, str]:
    """Return the words of each order of the library, by its key."""
    every = library_actions().items()
    return {name.removeprefix("by "): action.words for name, action in every if name.startswith("by ")}


def search_actions() -> dict[str, Action]:
    """Return the actions on a search and its results."""
    return declare(
        "search",
        _("Search"),
        {
            "more like": (_("More like this"), "+"),
            "not like": (_("Not like this"), "-"),
            "similar": (_("Mark as similar to the query, or remove the mark"), "S"),
            "different": (_("Mark as different from the query, or remove the mark"), "D"),
            "confirmed": (_("Mark all that is confirmed as similar"), "Ctrl+Shift+S"),
            "add like": (_("Add a picture file that results should be like"), "Ctrl+L"),
            "add unlike": (_("Add a picture file to keep away from"), "Ctrl+Shift+L"),
            "crop": (_("Search with a part of the picture"), "Ctrl+R"),
            "marks": (_("Use saved marks in this search (on/off)"), "Ctrl+U"),
            "index": (_("Choose what to compare"), "Ctrl+I"),
            "check": (_("Check for the same picture"), "Ctrl+G"),
            "only confirmed": (_("Show only results with the same picture"), "Ctrl+Shift+G"),
            "stack": (_("Open or close a stack of the same picture or series"), "O"),
            "how": (_("Show how this was found, or hide it"), "H"),
            "exact": (_("Compare every photo and count the missed ones"), "Ctrl+E"),
            "missed": (_("Show missed photos"), "Ctrl+M"),
            "history": (_("Earlier and saved searches"), "Ctrl+H"),
            "compare result": (_("Compare indexes by this result"), "C"),
            "compare": (_("Compare indexes with this search"), "Shift+C"),
            "all": (_("Clear all filters"), "Ctrl+Shift+Backspace"),
            "remove example": (_("Take this example out of the query"), "Del / Backspace"),
        },
        keys_only=("remove example",),
        once=("similar", "different"),
    )


def colour_actions() -> dict[str, Action]:
    """Return the actions on the colours of a search."""
    return declare(
        "search",
        _("Search with colours"),
        {
            "move": (_("To the colour that way"), _("Arrow")),
            "more": (_("More of the colour"), "+ / Up"),
            "less": (_("Less of the colour"), "- / Down"),
            "remove": (_("Take the colour out"), "Del / Backspace"),
            "pick": (_("Pick this colour"), "Enter / Space"),
        },
        place="colour",
        keys_only=("more", "less", "remove", "pick"),
        moves=("move",),
    )


def sketch_actions() -> dict[str, Action]:
    """Return the actions on a sketch to search with."""
    return declare(
        "search",
        _("Sketch"),
        {
            "brush": (_("Brush"), "B"),
            "eraser": (_("Eraser: erased areas can be anything"), "E"),
            "thin": (_("Thin"), "1"),
            "medium": (_("Medium"), "2"),
            "thick": (_("Thick"), "3"),
            "undo": (_("Undo"), "Ctrl+Z"),
            "redo": (_("Redo"), "Ctrl+Shift+Z"),
            "clear": (_("Clear everything"), "Ctrl+Backspace"),
            "move": (_("Move the brush"), _("Arrow")),
            "draw": (_("Draw a line"), _("Shift+Arrow")),
            "dot": (_("Paint a dot"), "Space / Enter"),
        },
        place="sketch",
        keys_only=("brush", "eraser", "thin", "medium", "thick", "undo", "redo", "clear", "dot"),
        moves=("move", "draw"),
    )


def duplicate_actions() -> dict[str, Action]:
    """Return the actions on groups of duplicates."""
    return declare(
        "duplicates",
        _("Duplicates"),
        {
            "side by side": (_("See the group side by side"), "Enter"),
            "keep": (_("Keep this photo instead"), "K"),
            "keep number": (_("Keep the photo of this number instead"), "1 … 9"),
            "let go": (_("Remove this photo, or keep it"), "X"),
            "copies of it": (_("Remove all copies of this photo, or none"), "Shift+Del"),
            "copies": (_("Remove all copies of the group, or none"), "Del"),
            "by rules": (_("Let the rules decide this group again"), "R"),
            "refuse": (_("These are not duplicates"), "N"),
            "sharpest": (_("Keep the sharpest of the series"), "B"),
            "only this": (_("Keep this shot of the series, and remove the others"), "Shift+K"),
            "like this": (_("Keep those in this folder in all groups"), ""),
            "in folder": (_("Remove what lies in this folder where another copy stays"), ""),
            "filter": (_("Find groups by name, folder or date"), "/"),
            "next undecided": (_("Next undecided group"), "U"),
            "clean": (_("Move the copies to the trash…"), "Ctrl+Return"),
            "move": (_("Move the copies to a folder…"), ""),
            "link": (_("Replace identical copies by links…"), ""),
            "map": (_("Show the group on the map"), "M"),
            "larger": (_("Larger pictures"), "Ctrl++ / Ctrl+="),
            "smaller": (_("Smaller pictures"), "Ctrl+- / Ctrl+_"),
            "folders": (_("Folders with the same photos…"), ""),
            "protect": (_("Protected folders…"), ""),
            "log": (_("Photos moved so far…"), ""),
            "find": (_("Compare new photos"), ""),
            "table": (_("Save the list as a table…"), ""),
            "sheet": (_("Save the list as a page with pictures…"), ""),
        },
        keys_only=(
            *("side by side", "keep", "keep number", "let go", "copies of it", "copies", "by rules", "refuse"),
            "sharpest",
            *("only this", "like this", "in folder", "filter", "map"),
        ),
    )


def rule_actions() -> dict[str, Action]:
    """Return the actions on lists in the dialogs of duplicates."""
    return declare(
        "",
        _("Rules and lists of duplicates"),
        {
            "up": (_("Move the row up"), "Alt+Up"),
            "down": (_("Move the row down"), "Alt+Down"),
            "remove": (_("Take the folder away"), "Del"),
            "turn": (_("Move the selected photos, or leave them"), "Space"),
        },
        "rules",
        keys_only=("up", "down", "remove", "turn"),
    )


def map_actions() -> dict[str, Action]:
    """Return the actions of the map."""
    return declare(
        "map",
        _("Map"),
        {
            "closer": (_("Closer"), "+ / ="),
            "further": (_("Further"), "- / _"),
            "whole": (_("Show all of the map, or all that is selected"), "F / 0 / Home"),
            "next": (_("The next photo that way"), _("Arrow")),
            "move": (_("Move the map"), _("Shift+Arrow")),
            "lasso": (_("Draw a line around photos to select them, or drag with Shift"), "L"),
            "clear": (_("Select nothing"), "Esc"),
            "colour": (_("Select all of this colour"), "K"),
            "seen": (_("Select all that is seen"), "Ctrl+A"),
            "in library": (_("Show what is selected in the library"), "G"),
            "compare": (_("Compare indexes with the selected photos"), "C"),
            "by cluster": (_("Colour by cluster"), "1"),
            "by folder": (_("Colour by folder"), "2"),
            "by date": (_("Colour by date"), "3"),
            "by mark": (_("Colour by mark"), "4"),
            "by likeness": (_("Colour by how like this photo others are"), "5 / Q"),
            "index": (_("The next index"), "I"),
            "layout": (_("The other layout"), "P"),
            "names": (_("Names of clusters, or none"), "N"),
            "more": (_("Sample, names, export of the map, make it anew"), "M"),
            "export": (_("Export what is selected: copies, links or a table"), "X"),
            "overview": (_("The overview in the corner of the map"), "O"),
            "stop": (_("Stop drawing the map"), "Esc"),
        },
        keys_only=("clear", "stop"),
        moves=("next", "move"),
    )


def compare_actions() -> dict[str, Action]:
    """Return the actions on the columns of a comparison."""
    return declare(
        "compare",
        _("Compare"),
        {
            "another": (_("Search with a random photo of the library"), "N"),
            "add": (_("Add a column"), "A"),
            "change": (_("Change the column"), "E"),
            "remove": (_("Take the column away"), "Del"),
            "left": (_("Move the column to the left"), "Ctrl+Left"),
            "right": (_("Move the column to the right"), "Ctrl+Right"),
            "pin": (_("Pin the column"), "P"),
            "keep": (_("Keep the column as an index"), "Ctrl+S"),
            "reference": (_("Choose the reference column"), "R"),
            "menu": (_("What can be done with the column"), "Alt+Down"),
            "all": (_("Find in all photos again"), "Shift+F"),
            "more": (_("More photos"), "M"),
            "fewer": (_("Fewer photos"), "Shift+M"),
            "larger": (_("Larger"), "Ctrl++ / Ctrl+="),
            "smaller": (_("Smaller"), "Ctrl+-"),
            "export": (_("Export picture or numbers"), "X"),
            "offer": (_("Add this column"), "Ctrl+S"),
        },
        keys_only=("offer",),
    )


def learn_actions() -> dict[str, Action]:
    """Return the actions of marking and learning."""
    return declare(
        "learn",
        _("Learn"),
        {
            "similar": (_("Mark the pair as similar"), "S"),
            "different": (_("Mark the pair as different"), "D"),
            "skip": (_("Leave these, and show others"), "Space"),
            "left large": (_("The left one large"), "1"),
            "right large": (_("The right one large"), "2"),
            "take back": (_("Take the last mark back"), "Backspace"),
            "learn": (_("Learn from the marks"), "L / Ctrl+Return"),
            "keep": (_("Keep what was learned, and search by it"), "K"),
            "leave": (_("Leave what was learned; the marks stay"), "N"),
            "go back": (_("Search again as before this was kept"), "B"),
            "another": (_("Rank by another photo"), "A"),
            "column": (_("Show marks and metrics"), "M"),
            "cancel": (_("Stop learning; the marks stay"), ""),
        },
        once=("similar", "different", "skip"),
    )


def metric_actions() -> dict[str, Action]:
    """Return the actions on marks and metrics in their lists."""
    return declare(
        "learn",
        _("Marks and metrics"),
        {
            "rank": (_("Rank by the first photo of the mark"), "Enter"),
            "forget": (_("Remove the chosen marks"), "Del"),
            "export": (_("Export marks…"), ""),
            "import": (_("Import marks…"), ""),
            "use": (_("Search by the chosen metric"), "Enter"),
            "rename": (_("Rename the chosen metric"), "F2"),
            "delete": (_("Delete the chosen metric"), "Del"),
        },
        place="metric",
        keys_only=("rank", "forget", "use", "rename", "delete"),
    )


def index_actions() -> dict[str, Action]:
    """Return the actions on indexes."""
    return declare(
        "indexes",
        _("Indexes"),
        {
            "new": (_("Create another index"), "Ctrl+N"),
            "rename": (_("Rename the chosen index"), "F2"),
            "delete": (_("Delete the chosen index"), "Del"),
            "copy": (_("Copy the text that describes the index"), "Ctrl+C"),
            "default": (_("Search in the chosen index by default"), "Ctrl+M"),
        },
    )


def new_index_actions() -> dict[str, Action]:
    """Return the actions on the form of a new index."""
    return declare(
        "new index",
        _("New index"),
        {
            "create": (_("Create the index"), "Ctrl+S"),
            "leave": (_("Close without creating an index"), "Esc"),
        },
    )


def problem_actions() -> dict[str, Action]:
    """Return the actions on files that could not be read."""
    return declare(
        "problems",
        _("Problems"),
        {
            "retry": (_("Read the chosen files again"), "R"),
            "retry all": (_("Read all these files again"), "Shift+R"),
            "ignore": (_("List the chosen files no longer"), "I"),
            "reveal": (_("Show the file in the file manager"), "Enter"),
        },
    )


def dialog_actions() -> dict[str, Action]:
    """Return the actions of the guide, of dialogs and of tables."""
    return declare(
        "",
        _("Guide, dialogs and tables"),
        {
            "find": (_("Search the guide"), "Ctrl+F"),
            "close guide": (_("Close the guide"), "F1"),
            "copy": (_("Copy the text"), "Ctrl+Shift+C"),
            "close": (_("Close this and go on"), "Esc"),
            "dates": (_("Apply these dates"), "Enter"),
            "choose": (_("Choose the row"), "Enter / Space"),
        },
        "dialog",
        keys_only=("find", "close guide", "copy", "close", "dates", "choose"),
    )
