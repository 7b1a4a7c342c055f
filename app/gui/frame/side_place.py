"""Place of folders and filters: beside the library, beside results where there is room, or nowhere."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.gui.frame.desk import WorkspaceCommands

_ROOMY = 1200  # narrower than that, results have no room between two panels
_BESIDE = ("library", "search", "compare")


class SidePanelPlace:
    """Shows or hides the side panel of a workspace.

    Parameters
    ----------
    desk : Desk
    """

    def __init__(self, desk: WorkspaceCommands) -> None:
        self._desk = desk
        self._by_columns = False  # compared columns want all the room there is
        self._wanted: bool | None = None  # by the person; None: where there is room

    def show(self, shown: bool) -> None:
        """Show it beside library and search, or beside columns, or hide it."""
        if self._desk.view() == "compare":
            self._by_columns = shown
        else:
            self._wanted = shown
        self.place()

    def toggle(self) -> None:
        """Show it and put the keys on it, or hide it."""
        side = self._desk.side
        if self._desk.view() in _BESIDE:
            self.show(side.isHidden())
            if not side.isHidden():
                side.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def place(self) -> None:
        """Show it where it is wanted and there is room."""
        desk, side, view = self._desk, self._desk.side, self._desk.view()
        compares = view == "compare"
        asked = desk.comparing.question if compares else desk.searching.question if view == "search" else None
        here = (view == "library" or asked is not None) and not desk.browsing.is_empty()
        room = view == "library" or desk.widget.width() >= _ROOMY
        shown = here and (self._by_columns if compares else room if self._wanted is None else self._wanted)
        if not shown and side.isAncestorOf(desk.widget.window().focusWidget() or desk.widget):
            desk.views.part(view).focus()
        side.setVisible(shown)
        side.stand_beside(view == "library")
        desk.searching.view.steps.show_panel(shown, side.narrows())
        if compares:
            desk.comparing.view.head.show_panel(shown)
