"""Commands on photographs: what each does, where its keys hold, and the menu of a photograph, which is made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from twinlens.app.gui.actions.action import Action, BoundAction, attach
from twinlens.app.gui.actions.declared_actions import (
    album_actions,
    note_actions,
    note_actions_by,
    photograph_actions,
    search_actions,
)
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.look.keyed_menu import KeyedMenu
from twinlens.app.gui.photo_grid.photo_grid import PhotoGrid
from twinlens.app.language.texts import _


def _always(one: int, ids: list[int]) -> bool:
    return True


class PhotographCommand(NamedTuple):
    """A command on a photograph, or on the selection that it is in.

    Attributes
    ----------
    act : callable
        Does it, with the photograph and the selection.
    applies : callable
        Whether the menu offers it for them.
    """

    action: Action
    act: Callable[[int, list[int]], object]
    applies: Callable[[int, list[int]], bool] = _always


class PhotographCommands(QObject):
    """The commands on photographs of a workspace, by their keys and by the menu."""

    def __init__(self, workspace: LibraryWorkspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._sections = [
            self._searching(),
            self._marking(),
            self._showing(),
            self._of_file(),
            self._keeping(),
            self._removing(),
        ]
        self._acts = {one.action.name: partial(self._on_key, one) for section in self._sections for one in section}
        workspace.menu_wanted.connect(self.show_menu)
        self._bind()

    # --- what they do ------------------------------------------------------------------------------------------------

    def _searching(self) -> list[PhotographCommand]:
        workspace, own, search = self._workspace, photograph_actions(), search_actions()
        in_search = partial(self._in_views, ("search",))

        def add(ids: list[int], like: bool) -> None:
            workspace.searching.add_examples(ids, like)

        return [
            PhotographCommand(own["search"], lambda __, ids: workspace.show_photographs("search", ids)),
            PhotographCommand(own["compare"], lambda __, ids: workspace.show_photographs("compare", ids)),
            PhotographCommand(search["compare"], lambda *__: workspace.compare_query(), in_search),
            PhotographCommand(search["more like"], lambda __, ids: add(ids, True), in_search),
            PhotographCommand(search["not like"], lambda __, ids: add(ids, False), in_search),
        ]

    def _marking(self) -> list[PhotographCommand]:
        workspace, own, search = self._workspace, photograph_actions(), search_actions()
        in_search = partial(self._in_views, ("search",))

        def several(__: int, ids: list[int]) -> bool:
            return workspace.view() in ("library", "map") and len(ids) > 1

        def mark(similar: bool, ids: list[int]) -> None:
            workspace.searching.marks.mark_results(ids, similar)

        return [
            PhotographCommand(search["similar"], lambda __, ids: mark(True, ids), in_search),
            PhotographCommand(search["different"], lambda __, ids: mark(False, ids), in_search),
            PhotographCommand(
                search["confirmed"],
                lambda *__: workspace.searching.marks.mark_confirmed(),
                lambda *__: workspace.view() == "search" and bool(workspace.searching.marks.confirmed()),
            ),
            PhotographCommand(own["alike"], lambda __, ids: workspace.shared.alike_wanted.emit(ids, True), several),
            PhotographCommand(
                own["different"],
                lambda __, ids: workspace.shared.alike_wanted.emit(ids, False),
                lambda one, ids: several(one, ids) and len(ids) == 2,
            ),
        ]

    def _showing(self) -> list[PhotographCommand]:
        workspace, own = self._workspace, photograph_actions()

        def show(view: str, ids: list[int]) -> None:
            workspace.show_photographs(view, [one for one in ids if one >= 0])

        def show_large(one: int, __: list[int]) -> None:
            part = workspace.views.choosing(workspace.view())
            if part is not None and one >= 0:
                workspace.viewing.show(part.looked_through(), one)

        def is_chosen_from(*__: object) -> bool:
            return workspace.views.choosing(workspace.view()) is not None

        def beside_others(__: int, ids: list[int]) -> bool:
            return len({*ids, *workspace.views.query_photographs(workspace.view())}) > 1

        return [
            PhotographCommand(own["large"], show_large, is_chosen_from),
            PhotographCommand(own["slideshow"], lambda __, ids: workspace.begin_slideshow(ids), is_chosen_from),
            PhotographCommand(own["side by side"], lambda __, ids: workspace.look_side_by_side(ids), beside_others),
            PhotographCommand(
                own["in library"], lambda __, ids: show("library", ids), partial(self._in_views, ("map",))
            ),
            PhotographCommand(own["map"], lambda __, ids: show("map", ids), lambda *__: workspace.view() != "map"),
            PhotographCommand(
                own["in duplicates"],
                lambda one, __: show("duplicates", [one]),
                lambda *__: workspace.view() != "duplicates",
            ),
            PhotographCommand(own["explore"], lambda one, __: show("lab", [one])),
            PhotographCommand(
                own["near"],
                lambda one, __: workspace.side.narrow_to_place(one),
                partial(self._in_views, ("library", "search")),
            ),
        ]

    def _of_file(self) -> list[PhotographCommand]:
        actions, own = self._workspace.actions_, photograph_actions()
        return [
            PhotographCommand(own["open"], lambda one, __: actions.open(one)),
            PhotographCommand(own["open with"], lambda one, __: actions.open_with(one)),
            PhotographCommand(own["reveal"], lambda one, __: actions.reveal(one)),
            PhotographCommand(own["copy"], lambda __, ids: actions.copy(ids)),
        ]

    def _keeping(self) -> list[PhotographCommand]:
        workspace, own, actions = self._workspace, photograph_actions(), self._workspace.actions_

        def in_album(*__: object) -> bool:
            return workspace.view() == "library" and workspace.side.albums.is_by_hand()

        return [
            PhotographCommand(note_actions()["favourite"], lambda __, ids: workspace.note("favourite", ids)),
            PhotographCommand(own["album"], lambda __, ids: workspace.albums.ask(ids)),
            PhotographCommand(album_actions()["remove"], lambda __, ids: workspace.albums.remove(ids), in_album),
            PhotographCommand(own["export"], lambda __, ids: actions.export(ids, "copy")),
            PhotographCommand(own["export links"], lambda __, ids: actions.export(ids, "link")),
            PhotographCommand(own["export table"], lambda __, ids: actions.export(ids, "csv")),
            PhotographCommand(own["write notes"], lambda __, ids: actions.write_notes(ids)),
        ]

    def _removing(self) -> list[PhotographCommand]:
        workspace = self._workspace
        return [
            PhotographCommand(
                photograph_actions()["remove"],
                lambda __, ids: workspace.remove(ids),
                lambda *__: workspace.view() != "duplicates",  # which has its own ways
            )
        ]

    def _in_views(self, views: tuple[str, ...], *__: object) -> bool:
        return self._workspace.view() in views

    # --- their keys --------------------------------------------------------------------------------------------------

    def _bind(self) -> None:
        workspace, own = self._workspace, photograph_actions()
        library = workspace.browsing.grid
        anywhere = self._attach(
            workspace,
            own,
            (
                *("open", "open with", "reveal", "map", "slideshow", "side by side", "in library", "in duplicates"),
                *("explore", "export", "export links", "export table", "write notes", "near"),
            ),
            whole_window=True,
        )
        with_alt = self._attach_notes(workspace, alt=True, whole_window=True)
        workspace.photograph_actions = [*anywhere.values(), *with_alt.values()]
        self._attach(workspace.browsing.view, album_actions(), ["remove"])
        self._bind_to_grid(library)
        # In the library letters and digits filter, unless several photographs are selected.
        typed = self._attach_notes(library, alt=False) | self._attach(library, own, ("alike", "different"))
        for one in typed.values():
            self._follow_selection(library, one)

    def _bind_to_grid(self, grid: PhotoGrid) -> None:
        self._attach(grid, photograph_actions(), ("copy", "compare", "album", "remove"))

    def bind_to_results(self, grid: PhotoGrid) -> None:
        """Bind the actions on results, which notes and marks have by a single key."""
        self._bind_to_grid(grid)
        self._attach_notes(grid, alt=False)
        marks = ("similar", "different", "confirmed")
        self._attach(grid, search_actions(), ("more like", "not like", "compare", *marks))

    def _attach_notes(self, widget: QWidget, alt: bool, whole_window: bool = False) -> dict[str, BoundAction]:
        noting = {name: partial(self._note, name) for name in note_actions()}
        return attach(widget, note_actions_by(alt), noting, whole_window)

    def _attach(
        self, widget: QWidget, actions: Mapping[str, Action], names: Iterable[str], whole_window: bool = False
    ) -> dict[str, BoundAction]:
        return attach(widget, actions, {name: self._acts[actions[name].name] for name in names}, whole_window)

    def _follow_selection(self, grid: PhotoGrid, action: BoundAction) -> None:
        """Enable an action while several photographs are selected."""
        action.setEnabled(grid.selection.count > 1)
        grid.selection_changed.connect(lambda count: action.setEnabled(count > 1))

    def _on_key(self, command: PhotographCommand) -> None:
        command.act(self._workspace.current(), self._workspace.chosen())

    def _note(self, what: str) -> None:
        self._workspace.note(what, self._workspace.noted_photographs())

    # --- their menu --------------------------------------------------------------------------------------------------

    def show_menu(self, photograph_id: int, place: QPoint, own: Sequence[QAction | QMenu | None] = ()) -> None:
        """Show the menu of a photograph, or of the whole selection if it is selected.

        Parameters
        ----------
        own : sequence of QAction, QMenu or None
            What the view does with it, shown first; None is a separator.
        """
        ids = self._workspace.chosen()
        if photograph_id not in ids:
            ids = [photograph_id]
        menu = KeyedMenu(self._workspace)
        offered = {one.objectName() for one in own if isinstance(one, QAction)}
        for one in own:
            if isinstance(one, QMenu):
                menu.addMenu(one)
            elif one is not None:
                menu.addAction(one)
            else:
                menu.addSeparator()
        for section in self.offered(photograph_id, ids):
            for command in section:
                action = command.action
                if action.name not in offered:
                    # The key is shown only: it is bound where it holds; a view with actions of its own has other keys.
                    key = "" if own else action.keys_text()
                    menu.addAction(f"{action.words}\t{key}", partial(command.act, photograph_id, ids))
                if action.name == "note.favourite":
                    self.add_notes(menu, ids)
            menu.addSeparator()
        menu.exec(place)

    def offered(self, one: int, ids: list[int]) -> list[list[PhotographCommand]]:
        """Return what the menu offers for a photograph and for the selection that it is in, by section."""
        return [[command for command in section if command.applies(one, ids)] for section in self._sections]

    def add_notes(self, menu: QMenu, ids: list[int]) -> None:
        """Add the menu of stars and picks."""
        notes = KeyedMenu(_("Stars, pick or reject"), menu)
        menu.addMenu(notes)
        for name, action in note_actions().items():
            if name != "favourite":
                notes.addAction(f"{action.words}\t{action.keys[0]}", partial(self._workspace.note, name, ids))
