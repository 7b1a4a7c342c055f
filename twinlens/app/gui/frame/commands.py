"""Commands of the window: the handlers of its actions and of those of its grids, and the ways to find an action.

The command palette offers every action by its name, the guide lists all keys, and the list of undo steps undoes several
at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QResizeEvent, QUndoStack
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLineEdit,
    QMenu,
    QUndoView,
    QWidget,
)

from twinlens.app.gui.actions.action import Action, attach, available
from twinlens.app.gui.actions.declared_actions import (
    album_actions,
    library_actions,
    note_actions,
    orders,
    photograph_actions,
    search_actions,
    window_actions,
)
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.lists.card_list import Card, CardLine
from twinlens.app.gui.lists.pick_list import PickList
from twinlens.app.gui.look.page_parts import OverWindow, bind, column_of, label, surface
from twinlens.app.gui.photo_grid.photo_grid import PhotoGrid
from twinlens.app.language.texts import _


class WorkspaceCommands(QObject):
    """The commands of a workspace: the handlers of the whole window's actions, of the library's and of the search's.

    Other views bind their own.
    """

    def __init__(self, workspace: LibraryWorkspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        workspace.menu_wanted.connect(PhotographMenu(workspace).show)
        self._bind_all()

    def _bind_all(self) -> None:
        """Bind the actions of the whole window, of the library and of the search; other views bind their own."""
        workspace = self._workspace
        views = [*("library", "search", "duplicates", "map", "learn", "lab", "compare", "indexes"), "problems"]
        views += ["settings", "libraries"]
        attach(
            workspace,
            window_actions(),
            {
                **{name: partial(workspace.show_view, name) for name in views},
                "back": workspace.history.go_back,
                "forward": workspace.history.go_forward,
                "palette": self.show_palette,
                "guide": workspace.show_guide,
                "keys": partial(workspace.show_guide, "keys"),
                "about": self.show_notices,
                "undo": workspace.undoing.undo,
                "redo": workspace.undoing.redo,
                "history": self.show_done,
                "add": workspace.taking.choose_folder,
                "rescan": workspace.adding.rescan,
                "pause": workspace.status.toggle_pause,
                "cancel": workspace.status.cancel,
                "side": workspace.toggle_side,
                "full screen": workspace.toggle_full_screen,
                "new index": partial(workspace.show_view, "new index"),
                "backup": partial(self._with_libraries, "back_up"),
                "restore": partial(self._with_libraries, "choose_backup"),
                "open server": workspace.server_wanted.emit,
                "colours": workspace.ask_with_colours,
                "add colours": workspace.add_colours,
                "paste": workspace.taking.paste,
                "quit": workspace.close_window,
            },
            whole_window=True,
        )
        attach(
            workspace,
            library_actions(),
            {
                "filter": workspace.browsing.filter,
                "names": workspace.browsing.toggle_names,
                **{f"by {order}": partial(workspace.browsing.order_by, order) for order in orders()},
            },
            whole_window=True,
        )
        attach(
            workspace.browsing.view,
            album_actions(),
            {
                "keep": workspace.albums.ask_to_keep,
                "remove": lambda: workspace.albums.remove(workspace.chosen()),
                "slideshow": workspace.begin_album_slideshow,
            },
        )
        actions = workspace.actions_
        made = attach(
            workspace,
            photograph_actions(),
            {
                "open": lambda: actions.open(workspace.current()),
                "open with": lambda: actions.open_with(workspace.current()),
                "reveal": lambda: actions.reveal(workspace.current()),
                "map": lambda: workspace.show_photographs("map", workspace.chosen()),
                "slideshow": lambda: workspace.begin_slideshow(workspace.chosen()),
                "side by side": lambda: workspace.look_side_by_side(workspace.chosen()),
                "in library": lambda: workspace.show_photographs("library", workspace.chosen()),
                "in duplicates": lambda: workspace.show_photographs("duplicates", [workspace.current()]),
                "explore": lambda: workspace.show_photographs("lab", [workspace.current()]),
                "export": lambda: actions.export(workspace.chosen(), "copy"),
                "export links": lambda: actions.export(workspace.chosen(), "link"),
                "export table": lambda: actions.export(workspace.chosen(), "csv"),
                "write notes": lambda: actions.write_notes(workspace.chosen()),
                "near": lambda: workspace.side.narrow_to_place(workspace.current()),
            },
            whole_window=True,
        )
        noting = attach(
            workspace,
            note_actions(),
            {name: partial(self._note, name) for name in note_actions()},
            whole_window=True,
        )
        for one in noting.values():
            one.setAutoRepeat(False)
        workspace.photograph_actions = [*made.values(), *noting.values()]
        self._bind_to_grid(workspace.browsing.view.grid)
        self._bind_to_grid(workspace.searching.view.grid)
        self._bind_results()
        self._bind_library_marks()

    def _with_libraries(self, what: str) -> None:
        self._workspace.show_view("libraries")
        getattr(self._workspace.views.part("libraries"), what)()

    def _bind_results(self) -> None:
        workspace = self._workspace
        searching, marking = workspace.searching, workspace.marking
        made = attach(
            searching.view.grid,
            search_actions(),
            {
                "more like": lambda: searching.add_examples(list(workspace.chosen()), True),
                "not like": lambda: searching.add_examples(list(workspace.chosen()), False),
                "similar": lambda: marking.mark_results(workspace.chosen(), True),
                "different": lambda: marking.mark_results(workspace.chosen(), False),
                "confirmed": marking.mark_confirmed,
                "stack": lambda: searching.view.toggle_stack(searching.view.grid.current_id()),
                "compare result": lambda: workspace.show_photographs("compare", workspace.chosen()),
                "compare": workspace.compare_question,
            },
        )
        for name in ("similar", "different"):
            made[name].setAutoRepeat(False)  # a key held down judges one photograph, not all
        attach(searching.view, search_actions(), {"history": searching.view.history_wanted.emit})

    def _bind_library_marks(self) -> None:
        """Bind S and D in the library: they mark only if several photographs are selected, else letters filter."""
        workspace = self._workspace
        grid, marking = workspace.browsing.view.grid, workspace.marking
        acts: dict[str, Callable[[], object]] = {
            "alike": lambda: marking.mark_selection(workspace.chosen(), True),
            "different": lambda: marking.mark_selection(workspace.chosen(), False),
        }

        def follow(made: QAction, count: int) -> None:
            made.setEnabled(count > 1)

        for one in attach(grid, photograph_actions(), acts).values():
            one.setAutoRepeat(False)
            one.setEnabled(grid.selection.count > 1)
            grid.selection_changed.connect(partial(follow, one))

    def _bind_to_grid(self, grid: PhotoGrid) -> None:
        """Bind the actions that apply while a grid has the focus."""
        workspace = self._workspace
        attach(
            grid,
            photograph_actions(),
            {
                "copy": lambda: workspace.actions_.copy(workspace.chosen()),
                "compare": lambda: workspace.show_photographs("compare", workspace.chosen()),
                "album": lambda: workspace.albums.ask(workspace.chosen()),
                "remove": lambda: workspace.remove(workspace.chosen()),
                "menu": grid.ask_for_menu,
                "group": grid.select_group,
                "group before": lambda: grid.go_to_group(-1),
                "next group": lambda: grid.go_to_group(1),
            },
        )
        bind(grid, "Esc", workspace.leave)
        typed = grid is workspace.browsing.view.grid  # there, letters and digits filter unless several are selected
        for name, action in note_actions().items():
            key = bind(grid, action.keys[0].removeprefix("Alt+"), partial(self._note, name))
            key.setAutoRepeat(False)
            if typed:
                key.setEnabled(grid.selection.count > 1)
                grid.selection_changed.connect(lambda count, key=key: key.setEnabled(count > 1))

    def _note(self, what: str) -> None:
        self._workspace.note(what, self._workspace.noted_photographs())

    def show_notices(self) -> None:
        """Show the parts of the program with their licences."""
        from twinlens.app.gui.guide.notices_window import NoticesWindow

        NoticesWindow(self._workspace.jobs, self._workspace).show()

    def show_palette(self) -> None:
        """Offer every action by its name: all of other views, and the available ones of this view."""
        from twinlens.app.gui.actions.declared_actions import every_action

        workspace = self._workspace
        held = workspace.window().focusWidget()

        def is_offered(action: Action) -> bool:
            elsewhere = action.view not in ("", workspace.view())
            return not action.keys_only and (elsewhere or available(workspace, action, held) is not None)

        palette = CommandPalette(workspace, [one for one in every_action() if is_offered(one)])
        palette.chosen.connect(lambda action: self._do(action, held))
        palette.open()

    def _do(self, action: Action, held: QWidget | None) -> None:
        """Do an action in the view to which it belongs."""
        workspace = self._workspace
        if action.view not in ("", workspace.view()):
            workspace.show_view(action.view)
            held = workspace.window().focusWidget()
        act = available(workspace, action, held)
        if act is not None:
            act()
        else:
            workspace.status.show_message(_("“{action}” cannot be done just now.", action=action.words))

    def show_done(self) -> None:
        """Show the undo steps."""
        UndoStepList(self._workspace.undoing.stack, self._workspace).open()


_WIDTH, _HEIGHT, _TOP = 560, 420, 72


class CommandPalette(OverWindow):
    """The command palette: a field, and the actions that match its text.

    It is a part of the window, so that it has the keys at once: a window of its own has them only when the system says
    so, and what is typed until then goes astray.

    Parameters
    ----------
    over : QWidget
        Widget over whose window the palette opens.
    actions : sequence of Action
        All actions to offer.
    """

    chosen = Signal(object)
    """The chosen `Action`."""

    def __init__(self, over: QWidget, actions: Sequence[Action]) -> None:
        super().__init__(over)
        self.setAccessibleName(_("What do you want to do?"))
        self._actions = list(actions)
        self._held: QWidget | None = None
        self._typed = QLineEdit()
        self._typed.setPlaceholderText(_("What do you want to do?"))
        self._typed.setAccessibleName(_("What do you want to do?"))
        self._typed.textChanged.connect(self._show)
        self._list: PickList[Action] = PickList(_("What can be done"), lambda one: one.name, _card)
        self._list.follow(self._typed)
        self._list.picked.connect(self._on_picked)
        self._nothing = label(_("Nothing is called so."), "quiet")
        self._sheet = QFrame(self)
        surface(self._sheet, "popup")
        column_of(self._typed, (self._list, 1), self._nothing, on=self._sheet, gap=8, margins=12)
        self.setFocusProxy(self._typed)
        self._show("")

    def open(self) -> None:
        """Show the palette; it has the keys when this returns."""
        self._held = self.window().focusWidget()
        self.cover()

    def close(self) -> bool:
        """Close the palette; the keys go back to where they were."""
        self.uncover()
        self.deleteLater()
        if self._held is not None:
            self._held.setFocus(Qt.FocusReason.PopupFocusReason)
        return True

    def offered(self) -> list[Action]:
        """Return the actions that match the text, those that begin with it first."""
        words = self._typed.text().casefold().split()
        fitting = [one for one in self._actions if all(w in f"{one.words} {one.heading}".casefold() for w in words)]
        if not words:
            return fitting
        return sorted(fitting, key=lambda one: not one.words.casefold().startswith(words[0]))

    def _show(self, __: str) -> None:
        offered = self.offered()
        self._list.show_rows(offered)
        self._list.go_to(0)
        self._list.setVisible(bool(offered))
        self._nothing.setVisible(not offered)
        self._fit()

    def _fit(self) -> None:
        """Be as high as what is offered."""
        width = min(_WIDTH, self.width() - 32)
        rest = self._typed.sizeHint().height() + 32
        content = self._list.height_of(len(self.offered())) if self.offered() else self._nothing.sizeHint().height()
        height = min(_HEIGHT, self.height() - 2 * _TOP, rest + content)
        self._sheet.setGeometry((self.width() - width) // 2, _TOP, width, height)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Stay in the middle."""
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Close with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Close with a click beside the palette."""
        super().mousePressEvent(event)
        if not self._sheet.geometry().contains(event.position().toPoint()):
            self.close()

    def _on_picked(self, action: Action) -> None:
        self.close()
        self.chosen.emit(action)


def _card(action: Action) -> Card:
    spoken = f"{action.words} {action.heading} {action.keys_text()}".strip()
    return Card(CardLine(action.words, "ink", action.heading), spoken, right=action.keys_text())


class UndoStepList(QDialog):
    """The list of the undo stack's steps, with the present one marked."""

    def __init__(self, stack: QUndoStack, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("What was done"))
        self.setAccessibleName(_("What was done"))
        self.setProperty("role", "sheet")
        steps = QUndoView(stack)
        steps.setEmptyLabel(_("As the library was opened"))
        steps.setAccessibleName(_("What was done"))
        column_of(
            label(_("What was done"), "title"),
            label(_("Click a step to go back to it."), "quiet"),
            (steps, 1),
            on=self,
            gap=12,
            margins=(24, 20, 24, 20),
        )
        self.resize(min(520, parent.width() - 48), min(420, parent.height() - 48))


class MenuEntry(NamedTuple):
    """An entry of a menu; without an action, a separator."""

    action: Action | None = None
    act: Callable[[], object] | None = None


class PhotographMenu(QObject):
    """The context menu of photographs."""

    def __init__(self, workspace: LibraryWorkspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace

    def show(self, photograph_id: int, place: QPoint, own: Sequence[QAction | QMenu | None] = ()) -> None:
        """Show the menu of a photograph, or of the whole selection if it is selected.

        Parameters
        ----------
        own : sequence of QAction, QMenu or None
            What the view does with it, shown first; None is a separator.
        """
        ids = self._workspace.chosen()
        if photograph_id not in ids:
            ids = [photograph_id]
        menu = QMenu(self._workspace)
        offered = {one.objectName() for one in own if isinstance(one, QAction)}
        for one in own:
            if isinstance(one, QMenu):
                menu.addMenu(one)
            elif one is not None:
                menu.addAction(one)
            else:
                menu.addSeparator()
        for action, act in self.things(photograph_id, ids):
            if action is None or act is None:
                menu.addSeparator()
            elif action.name not in offered:
                # The key is shown only: it is bound once, for the whole window; a view with actions of its own has
                # other keys.
                key = "" if own else action.keys_text()
                menu.addAction(f"{action.words}\t{key}", act)
                if action.name == "note.favourite":
                    self.add_notes(menu, ids)
        menu.exec(place)

    def add_notes(self, menu: QMenu, ids: list[int]) -> None:
        """Add the menu of stars and picks."""
        notes = menu.addMenu(_("Stars, pick or reject"))
        for name, action in note_actions().items():
            if name != "favourite":
                notes.addAction(f"{action.words}\t{action.keys[0]}", partial(self._workspace.note, name, ids))

    def things(self, one: int, ids: list[int]) -> list[MenuEntry]:
        """Return the entries for one photograph, and for the selection it is in."""
        return [*self._to_search(one, ids), MenuEntry(), *self._to_do(one, ids)]

    def _to_search(self, one: int, ids: list[int]) -> list[MenuEntry]:
        workspace, own, asking = self._workspace, photograph_actions(), search_actions()
        things = [
            MenuEntry(own["search"], lambda: workspace.show_photographs("search", ids)),
            MenuEntry(own["compare"], lambda: workspace.show_photographs("compare", ids)),
        ]
        if workspace.view() == "search":
            things += [
                MenuEntry(asking["compare"], workspace.compare_question),
                MenuEntry(asking["more like"], lambda: workspace.searching.add_examples(list(ids), True)),
                MenuEntry(asking["not like"], lambda: workspace.searching.add_examples(list(ids), False)),
            ]
        things += self._to_mark(ids)
        part = workspace.views.choosing(workspace.view())
        if part is not None:
            held = part.looked_through()
            things.append(MenuEntry(own["large"], lambda: workspace.viewing.show(held, one)))
            things.append(MenuEntry(own["slideshow"], lambda: workspace.begin_slideshow(ids)))
        if len({*ids, *workspace.views.query_photographs(workspace.view())}) > 1:
            things.append(MenuEntry(own["side by side"], lambda: workspace.look_side_by_side(ids)))
        if workspace.view() == "map":
            things.append(MenuEntry(own["in library"], lambda: workspace.show_photographs("library", ids)))
        else:
            things.append(MenuEntry(own["map"], lambda: workspace.show_photographs("map", ids)))
        if workspace.view() != "duplicates":
            things.append(MenuEntry(own["in duplicates"], lambda: workspace.show_photographs("duplicates", [one])))
        things.append(MenuEntry(own["explore"], lambda: workspace.show_photographs("lab", [one])))
        if workspace.view() in ("library", "search"):
            things.append(MenuEntry(own["near"], lambda: workspace.side.narrow_to_place(one)))
        return things

    def _to_mark(self, ids: list[int]) -> list[MenuEntry]:
        marking = self._workspace.marking
        if self._workspace.view() == "search":
            asking = search_actions()
            things = [
                MenuEntry(),
                MenuEntry(asking["similar"], lambda: marking.mark_results(ids, True)),
                MenuEntry(asking["different"], lambda: marking.mark_results(ids, False)),
            ]
            if marking.confirmed():
                things.append(MenuEntry(asking["confirmed"], marking.mark_confirmed))
            return [*things, MenuEntry()]
        if self._workspace.view() not in ("library", "map") or len(ids) < 2:
            return []
        own = photograph_actions()
        things = [MenuEntry(), MenuEntry(own["alike"], lambda: marking.mark_selection(ids, True))]
        if len(ids) == 2:
            things.append(MenuEntry(own["different"], lambda: marking.mark_selection(ids, False)))
        return [*things, MenuEntry()]

    def _from_album(self, ids: list[int]) -> list[MenuEntry]:
        workspace = self._workspace
        if workspace.view() != "library" or not workspace.side.albums.is_by_hand():
            return []
        return [MenuEntry(album_actions()["remove"], lambda: workspace.albums.remove(ids))]

    def _to_do(self, one: int, ids: list[int]) -> list[MenuEntry]:
        actions, own = self._workspace.actions_, photograph_actions()
        removes = self._workspace.view() != "duplicates"  # which has its own ways
        gone = [MenuEntry(), MenuEntry(own["remove"], lambda: self._workspace.remove(ids))] if removes else []
        return [
            MenuEntry(own["open"], lambda: actions.open(one)),
            MenuEntry(own["open with"], lambda: actions.open_with(one)),
            MenuEntry(own["reveal"], lambda: actions.reveal(one)),
            MenuEntry(own["copy"], lambda: actions.copy(ids)),
            MenuEntry(),
            MenuEntry(note_actions()["favourite"], lambda: self._workspace.note("favourite", ids)),
            MenuEntry(own["album"], lambda: self._workspace.albums.ask(ids)),
            *self._from_album(ids),
            MenuEntry(own["export"], lambda: actions.export(ids, "copy")),
            MenuEntry(own["export links"], lambda: actions.export(ids, "link")),
            MenuEntry(own["export table"], lambda: actions.export(ids, "csv")),
            MenuEntry(own["write notes"], lambda: actions.write_notes(ids)),
            *gone,
        ]
