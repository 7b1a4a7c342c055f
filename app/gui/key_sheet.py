"""The list of every key of the window, in groups, for people."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.gui.shortcuts import Shortcut

translate = QCoreApplication.translate


def sheet() -> list[Shortcut]:
    """List every key, in groups, for people."""
    views, photographs = translate("Keys", "Views"), translate("Keys", "Photographs")
    pages, learning = translate("Keys", "Pages"), translate("Keys", "Learn")
    comparing, lab = translate("Keys", "Compare"), translate("Keys", "Lab")
    searching, large = translate("Keys", "Search"), translate("Keys", "Large photograph")
    return [
        Shortcut("Ctrl+1", translate("Keys", "Library"), views),
        Shortcut("Ctrl+2", translate("Keys", "Search"), views),
        Shortcut("Ctrl+6", translate("Keys", "Compare"), views),
        Shortcut("Ctrl+3", translate("Keys", "Indexes"), views),
        Shortcut("Ctrl+4", translate("Keys", "Problems"), views),
        Shortcut("Ctrl+5", translate("Keys", "Learn"), views),
        Shortcut("Ctrl+7", translate("Keys", "Lab"), views),
        Shortcut("Ctrl+8", translate("Keys", "Map"), views),
        Shortcut("Ctrl+,", translate("Keys", "Settings"), views),
        Shortcut("Ctrl+O", translate("Keys", "Add a folder"), views),
        Shortcut("F5", translate("Keys", "Look for new and changed photographs"), views),
        Shortcut("Ctrl+P / Ctrl+.", translate("Keys", "Pause or go on, cancel what runs"), views),
        Shortcut("Del", translate("Keys", "Forget the chosen folder; its files are untouched"), views),
        Shortcut("F9", translate("Keys", "Folders and filters at the left, or none"), views),
        Shortcut("Esc", translate("Keys", "Back to the library"), views),
        Shortcut("F1", translate("Keys", "These keys"), views),
        Shortcut("Ctrl+Q", translate("Keys", "Close"), views),
        Shortcut("Enter", translate("Keys", "Find look-alikes; of several together"), photographs),
        Shortcut("Space", translate("Keys", "Show large"), photographs),
        Shortcut("Ctrl+F", translate("Keys", "Filter; or just type"), photographs),
        Shortcut("Ctrl+D / Ctrl+Shift+D", translate("Keys", "By date, by folder"), photographs),
        Shortcut("Ctrl++ / Ctrl+-", translate("Keys", "Larger, smaller"), photographs),
        Shortcut("Ctrl+A", translate("Keys", "Select all"), photographs),
        Shortcut(
            translate("Keys", "Shift+Arrow"),  # no sequence that Qt could translate
            translate("Keys", "Select up to there"),
            photographs,
        ),
        Shortcut("Ctrl+Space", translate("Keys", "Select one more, or one less"), photographs),
        Shortcut(
            "S / D",
            translate("Keys", "Several selected: mark as alike; two: as different"),
            photographs,
        ),
        Shortcut("Ctrl+Z", translate("Keys", "Undo the last mark, and those before it"), photographs),
        Shortcut("Ctrl+C", translate("Keys", "Copy"), photographs),
        Shortcut("Ctrl+Shift+E", translate("Keys", "Export copies"), photographs),
        Shortcut("Ctrl+Enter", translate("Keys", "Open in another program"), photographs),
        Shortcut("Ctrl+Shift+R", translate("Keys", "Show in the file manager"), photographs),
        Shortcut("Menu / Shift+F10", translate("Keys", "Everything that can be done with it"), photographs),
        Shortcut("Ctrl+V", translate("Keys", "Search with the picture or path on the clipboard"), searching),
        Shortcut("+ / -", translate("Keys", "More like this, not like this"), searching),
        Shortcut(
            "S / D",
            translate("Keys", "Mark as similar to what was asked, or different; again: take back"),
            searching,
        ),
        Shortcut("Ctrl+Shift+S", translate("Keys", "Mark all that is confirmed as similar"), searching),
        Shortcut("Ctrl+L / Ctrl+Shift+L", translate("Keys", "Add a picture file: like, not like"), searching),
        Shortcut("Ctrl+R", translate("Keys", "Search with a part of the picture"), searching),
        Shortcut("Ctrl+K", translate("Keys", "Ask with colours or a sketch"), searching),
        Shortcut("Ctrl+U", translate("Keys", "Ask with its marks too, or without"), searching),
        Shortcut("Ctrl+I", translate("Keys", "Choose the index"), searching),
        Shortcut(
            "Ctrl+G / Ctrl+Shift+G",
            translate("Keys", "Check for the same picture, show only what is confirmed"),
            searching,
        ),
        Shortcut(
            "Ctrl+E / Ctrl+M",
            translate("Keys", "Compare with exact search, show what is missed"),
            searching,
        ),
        Shortcut("Alt+Left / Alt+Right", translate("Keys", "The search before, the next one"), searching),
        Shortcut("Ctrl+H", translate("Keys", "Earlier and saved searches"), searching),
        Shortcut("Ctrl+Shift+C", translate("Keys", "Compare indexes by what is chosen"), photographs),
        Shortcut(
            "C / Shift+C",
            translate("Keys", "Compare indexes by this result, by what is asked"),
            searching,
        ),
        Shortcut("Enter", translate("Keys", "Ask with this photograph"), comparing),
        Shortcut("N", translate("Keys", "Ask with another photograph, by chance"), comparing),
        Shortcut("Alt+Left / Alt+Right", translate("Keys", "The photograph before, the next one"), comparing),
        Shortcut("A / E / Del", translate("Keys", "Add a column, change it, take it away"), comparing),
        Shortcut("Ctrl+Left / Ctrl+Right", translate("Keys", "Move the column"), comparing),
        Shortcut("P / Ctrl+S", translate("Keys", "Pin the column, keep it as an index"), comparing),
        Shortcut("R", translate("Keys", "What all are held against"), comparing),
        Shortcut("Alt+Down", translate("Keys", "What can be done with the column"), comparing),
        Shortcut("Ctrl+Z", translate("Keys", "Bring back the column that was taken away"), comparing),
        Shortcut("Shift+F", translate("Keys", "Find in all photographs again"), comparing),
        Shortcut("M / Shift+M", translate("Keys", "More, fewer photographs"), comparing),
        Shortcut("X", translate("Keys", "Export picture or numbers"), comparing),
        Shortcut("S / D / Space", translate("Keys", "The pair is similar, different; leave it"), learning),
        Shortcut("1 / 2", translate("Keys", "The left one, the right one large"), learning),
        Shortcut("Backspace / Ctrl+Z", translate("Keys", "Take the last mark back"), learning),
        Shortcut("L / Ctrl+Enter", translate("Keys", "Learn from the marks"), learning),
        Shortcut("K / N", translate("Keys", "Keep what was learned, leave it"), learning),
        Shortcut("B", translate("Keys", "Go back to what was used before"), learning),
        Shortcut("A", translate("Keys", "Rank by another photograph"), learning),
        Shortcut("M", translate("Keys", "Marks and metrics, where the window is narrow"), learning),
        Shortcut("Alt+1 … Alt+4", translate("Keys", "Experiments, theory, explorer, advice"), lab),
        Shortcut("N / E", translate("Keys", "New experiment, one from this one"), lab),
        Shortcut("R / P / A", translate("Keys", "Experiment: go on, pause, run again"), lab),
        Shortcut("L / T", translate("Keys", "Experiments: to the list, to the table"), lab),
        Shortcut("H / I", translate("Keys", "Row: hide from the charts, make it an index"), lab),
        Shortcut("1 … 9", translate("Keys", "Figures: show, hide"), lab),
        Shortcut("X / O / K", translate("Keys", "Export, open an experiment file, keep it"), lab),
        Shortcut("F2 / Del", translate("Keys", "Rename, delete an experiment"), lab),
        Shortcut("G / Esc", translate("Keys", "Advice: measure, stop"), lab),
        Shortcut("B / U / C", translate("Keys", "Advice: build it, make it the default, compare it"), lab),
        Shortcut("F / T", translate("Keys", "Advice: to the charts, to the table"), lab),
        Shortcut("Ctrl+N", translate("Keys", "New index"), pages),
        Shortcut(
            "F2 / Del / Ctrl+M",
            translate("Keys", "Rename, delete an index, make it the default"),
            pages,
        ),
        Shortcut("Ctrl+Z", translate("Keys", "Undo a deletion"), pages),
        Shortcut("Ctrl+S", translate("Keys", "Create the index"), pages),
        Shortcut("R / Shift+R", translate("Keys", "Read again what could not be read; all of it"), pages),
        Shortcut("I", translate("Keys", "Set a problem aside"), pages),
        Shortcut("Left / Right", translate("Keys", "The photograph before, the next one"), large),
        Shortcut("+ / - / 0 / 1", translate("Keys", "Larger, smaller, whole, pixel for pixel"), large),
        Shortcut("S / D", translate("Keys", "Similar to what was asked, or different"), large),
        Shortcut("R", translate("Keys", "Search with a part of it"), large),
        Shortcut("Esc / Space", translate("Keys", "Close"), large),
    ]
