"""Commands of the window: the handlers of its actions and of those of its grids, and the ways to find an action.

The command palette offers every action by its name, the guide lists all keys, and the list of undo steps undoes several
at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QUndoStack
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QMenu,
    QTreeWidget,
    QTreeWidgetItem,
    QUndoView,
    QVBoxLayout,
    QWidget,
)

from app.gui.actions.action import Action, attach, available, is_withheld
from app.gui.actions.declared_actions import library_actions, photograph_actions, search_actions, window_actions
from app.gui.look.page_parts import bind, label
from app.gui.photo_grid.photo_grid import PhotoGrid
from app.gui.process.jobs import outlived
from app.gui.services.services import WorkspaceServices
from app.language.texts import _, current_language

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from app.gui.compare.compare_controller import CompareControl
    from app.gui.frame.views import Views
    from app.gui.library.library_page import LibraryControl
    from app.gui.search.marking import MarksControl
    from app.gui.search.search_controller import SearchControl
    from app.gui.services.services import ViewHistory


def show_guide(desk: WorkspaceCommands, page: str = "") -> None:
    """Show a page of the guide, by default the one about the visible view."""
    from app.gui.actions.declared_actions import every_action
    from app.gui.guide.guide_window import GuideWindow
    from app.guide import read_pages

    pages = read_pages(current_language())
    about = next((one.name for one in pages if desk.view() in one.views), pages[0].name)
    guide = desk.widget.findChild(GuideWindow)
    if guide is None:
        guide = GuideWindow(pages, [one for one in every_action() if not is_withheld(desk.widget, one)], desk.widget)
    guide.show_page(page or about)
    guide.show()
    guide.raise_()
    guide.activateWindow()


def show_notices(desk: WorkspaceCommands) -> None:
    """Show the parts of the program with their licences."""
    from app.gui.guide.notices_window import NoticesWindow

    NoticesWindow(desk.jobs, desk.widget).show()


def show_palette(desk: WorkspaceCommands) -> None:
    """Offer every action by its name: all of other views, and the available ones of this view."""
    from app.gui.actions.declared_actions import every_action

    held = desk.widget.window().focusWidget()

    def is_offered(action: Action) -> bool:
        elsewhere = action.view not in ("", desk.view())
        return not action.keys_only and (elsewhere or available(desk.widget, action, held) is not None)

    palette = CommandPalette(desk.widget, [one for one in every_action() if is_offered(one)])
    palette.chosen.connect(lambda action: _do(desk, action, held))
    palette.open()


def _do(desk: WorkspaceCommands, action: Action, held: QWidget | None) -> None:
    """Do an action in the view to which it belongs."""
    if action.view not in ("", desk.view()):
        desk.show_view(action.view)
        held = desk.widget.window().focusWidget()
    act = available(desk.widget, action, held)
    if act is not None:
        act()
    else:
        desk.status.show_message(_("“{action}” cannot be done just now.", action=action.words))


def show_done(desk: WorkspaceCommands) -> None:
    """Show the undo steps."""
    UndoStepList(desk.undoing.stack, desk.widget).open()


_CHOOSING = ("library", "search", "compare", "map")
"""Views in which photographs are chosen."""


def bind_all(desk: WorkspaceCommands) -> None:
    """Bind the actions of the whole window, of the library and of the search; other views bind their own."""
    views = ("library", "search", "duplicates", "map", "learn", "lab", "compare", "indexes", "problems", "settings")
    attach(
        desk.widget,
        window_actions(),
        {
            **{name: partial(desk.show_view, name) for name in views},
            "back": desk.history.go_back,
            "forward": desk.history.go_forward,
            "palette": partial(show_palette, desk),
            "guide": desk.show_guide,
            "keys": partial(desk.show_guide, "keys"),
            "about": partial(show_notices, desk),
            "undo": desk.undoing.undo,
            "redo": desk.undoing.redo,
            "history": partial(show_done, desk),
            "add": desk.taking.choose_folder,
            "rescan": desk.adding.rescan,
            "pause": desk.status.toggle_pause,
            "cancel": desk.status.cancel,
            "side": desk.toggle_side,
            "full screen": desk.toggle_full_screen,
            "new index": desk.new_index,
            "open library": desk.choose_library,
            "open server": desk.choose_server,
            "colours": desk.ask_with_colours,
            "add colours": desk.add_colours,
            "paste": desk.taking.paste,
            "quit": desk.close_window,
        },
        whole_window=True,
    )
    attach(
        desk.widget,
        library_actions(),
        {
            "filter": desk.browsing.filter,
            "by date": lambda: desk.browsing.order_by("date"),
            "names": desk.browsing.toggle_names,
            "by folder": lambda: desk.browsing.order_by("folder"),
        },
        whole_window=True,
    )
    actions = desk.actions_
    made = attach(
        desk.widget,
        photograph_actions(),
        {
            "open": lambda: actions.open(desk.current()),
            "reveal": lambda: actions.reveal(desk.current()),
            "map": lambda: desk.show_on_map(desk.chosen()),
            "side by side": lambda: desk.look_side_by_side(desk.chosen()),
            "in library": lambda: desk.show_in_library(tuple(desk.chosen())),
            "explore": lambda: desk.explore(desk.current()),
            "export": lambda: actions.export(desk.chosen(), "copy"),
            "export links": lambda: actions.export(desk.chosen(), "link"),
            "export table": lambda: actions.export(desk.chosen(), "csv"),
        },
        whole_window=True,
    )
    desk.shown.connect(partial(_enable, list(made.values())))
    bind_to_grid(desk, desk.browsing.view.grid)
    bind_to_grid(desk, desk.searching.view.grid)
    _bind_results(desk)
    _bind_library_marks(desk)


def _enable(made: list[QAction], view: str) -> None:
    """Enable these actions only in views where photographs are chosen; elsewhere the view has their keys."""
    for one in made:
        one.setEnabled(view in _CHOOSING)


def _bind_results(desk: WorkspaceCommands) -> None:
    searching, marking = desk.searching, desk.marking
    made = attach(
        searching.view.grid,
        search_actions(),
        {
            "more like": lambda: searching.add_examples(list(desk.chosen()), True),
            "not like": lambda: searching.add_examples(list(desk.chosen()), False),
            "similar": lambda: marking.mark_results(desk.chosen(), True),
            "different": lambda: marking.mark_results(desk.chosen(), False),
            "confirmed": marking.mark_confirmed,
            "stack": lambda: searching.view.toggle_stack(searching.view.grid.current_id()),
            "compare result": lambda: desk.compare_with(desk.chosen()),
            "compare": desk.compare_question,
        },
    )
    for name in ("similar", "different"):
        made[name].setAutoRepeat(False)  # a key held down judges one photograph, not all
    attach(searching.view, search_actions(), {"history": searching.view.history_wanted.emit})


def _bind_library_marks(desk: WorkspaceCommands) -> None:
    """Bind S and D in the library: they mark only if several photographs are selected, else letters filter."""
    grid, marking = desk.browsing.view.grid, desk.marking
    acts: dict[str, Callable[[], object]] = {
        "alike": lambda: marking.mark_selection(desk.chosen(), True),
        "different": lambda: marking.mark_selection(desk.chosen(), False),
    }

    def follow(made: QAction, count: int) -> None:
        made.setEnabled(count > 1)

    for one in attach(grid, photograph_actions(), acts).values():
        one.setAutoRepeat(False)
        one.setEnabled(grid.selection.count > 1)
        grid.selection_changed.connect(partial(follow, one))


def bind_to_grid(desk: WorkspaceCommands, grid: PhotoGrid) -> None:
    """Bind the actions that apply while a grid has the focus."""
    attach(
        grid,
        photograph_actions(),
        {
            "copy": lambda: desk.actions_.copy(desk.chosen()),
            "compare": lambda: desk.compare_with(desk.chosen()),
            "menu": grid.ask_for_menu,
        },
    )
    bind(grid, "Esc", desk.leave)


_WIDTH, _HEIGHT, _TOP = 560, 420, 72
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class CommandPalette(QDialog):
    """The command palette: a field, and the actions that match its text.

    Parameters
    ----------
    over : QWidget
        Widget over which the palette opens.
    actions : sequence of Action
        All actions to offer.
    """

    chosen = Signal(object)
    """The chosen `Action`."""

    def __init__(self, over: QWidget, actions: Sequence[Action]) -> None:
        super().__init__(over, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(_("What do you want to do?"))
        self.setProperty("role", "sheet")
        self._actions = list(actions)
        self._typed = QLineEdit()
        self._typed.setPlaceholderText(_("What do you want to do?"))
        self._typed.setAccessibleName(_("What do you want to do?"))
        self._typed.textChanged.connect(self._show)
        self._typed.installEventFilter(self)
        self._list = QTreeWidget()
        self._list.setObjectName("choices")
        self._list.setAccessibleName(_("What can be done"))
        self._list.setHeaderHidden(True)
        self._list.setRootIsDecorated(False)
        self._list.setColumnCount(3)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.header().setStretchLastSection(False)
        self._list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for place in (1, 2):
            self._list.header().setSectionResizeMode(place, QHeaderView.ResizeMode.ResizeToContents)
        self._list.itemClicked.connect(lambda __, ___: self._choose())
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self._typed)
        column.addWidget(self._list, 1)
        window = over.window()
        width, height = min(_WIDTH, window.width() - 32), min(_HEIGHT, window.height() - 2 * _TOP)
        self.resize(width, height)
        self.move(
            window.mapToGlobal(window.rect().topLeft()).x() + (window.width() - width) // 2,
            window.mapToGlobal(window.rect().topLeft()).y() + _TOP,
        )
        self._show("")

    def offered(self) -> list[Action]:
        """Return the actions that match the text, those that begin with it first."""
        words = self._typed.text().casefold().split()
        fitting = [one for one in self._actions if all(w in f"{one.words} {one.heading}".casefold() for w in words)]
        if not words:
            return fitting
        return sorted(fitting, key=lambda one: not one.words.casefold().startswith(words[0]))

    def _show(self, __: str) -> None:
        self._list.clear()
        for action in self.offered():
            item = QTreeWidgetItem([action.words, action.heading, action.keys_text()])
            item.setForeground(1, self.palette().placeholderText())
            item.setData(0, Qt.ItemDataRole.UserRole, action)
            self._list.addTopLevelItem(item)
        if first := self._list.topLevelItem(0):
            self._list.setCurrentItem(first)

    def _choose(self) -> None:
        item = self._list.currentItem()
        if item is not None:
            action = item.data(0, Qt.ItemDataRole.UserRole)
            self.close()
            self.chosen.emit(action)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Step through the list by keys that the field does not need."""
        if outlived(self):
            return False
        if watched is self._typed and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if Qt.Key(event.key()) in _MOVES:
                self._list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose()
                return True
        return super().eventFilter(watched, event)


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
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 20)
        column.setSpacing(12)
        column.addWidget(label(_("What was done"), "title"))
        column.addWidget(label(_("Click a step to go back to it."), "quiet"))
        column.addWidget(steps, 1)
        self.resize(min(520, parent.width() - 48), min(420, parent.height() - 48))


class WorkspaceCommands(WorkspaceServices, Protocol):
    """The interface of a workspace for the commands of its window."""

    views: Views
    history: ViewHistory
    browsing: LibraryControl
    searching: SearchControl
    marking: MarksControl

    @property
    def comparing(self) -> CompareControl:
        """Return the controller of the comparison, made when first needed."""

    @property
    def shown(self) -> SignalInstance:
        """Return the signal that another view is shown."""

    def chosen(self) -> list[int]:
        """Return the ids of the selected photographs, or of the current one."""

    def current(self) -> int:
        """Return the id of the current photograph, or -1."""

    def show_on_map(self, ids: list[int]) -> None:
        """Show photographs on the map."""

    def compare_question(self) -> None:
        """Search with the present query in several indexes, side by side."""

    def ask_with_colours(self) -> None:
        """Open or close the panel of colours."""

    def add_colours(self) -> None:
        """Open the panel of colours to add them to the query."""

    def toggle_side(self) -> None:
        """Show or hide folders and filters."""

    def toggle_full_screen(self) -> None:
        """Enter or leave full screen."""

    def close_window(self) -> None:
        """Close the window."""


class MenuEntry(NamedTuple):
    """An entry of a menu; without an action, a separator."""

    action: Action | None = None
    act: Callable[[], object] | None = None


class PhotographMenu(QObject):
    """The context menu of photographs."""

    def __init__(self, desk: WorkspaceCommands) -> None:
        super().__init__(desk.widget)
        self._desk = desk

    def show(self, photograph_id: int, place: QPoint) -> None:
        """Show the menu of a photograph, or of the whole selection if it is selected."""
        ids = self._desk.chosen()
        if photograph_id not in ids:
            ids = [photograph_id]
        menu = QMenu(self._desk.widget)
        for action, act in self.things(photograph_id, ids):
            if action is None or act is None:
                menu.addSeparator()
            else:
                # The key is shown only: it is bound once, for the whole window.
                menu.addAction(f"{action.words}\t{action.keys_text()}", act)
        menu.exec(place)

    def things(self, one: int, ids: list[int]) -> list[MenuEntry]:
        """Return the entries for one photograph, and for the selection it is in."""
        return [*self._to_search(one, ids), MenuEntry(), *self._to_do(one, ids)]

    def _to_search(self, one: int, ids: list[int]) -> list[MenuEntry]:
        desk, own, asking = self._desk, photograph_actions(), search_actions()
        things = [
            MenuEntry(own["search"], lambda: desk.search_with(ids)),
            MenuEntry(own["compare"], lambda: desk.compare_with(ids)),
        ]
        if desk.view() == "search":
            things += [
                MenuEntry(asking["compare"], desk.compare_question),
                MenuEntry(asking["more like"], lambda: desk.searching.add_examples(list(ids), True)),
                MenuEntry(asking["not like"], lambda: desk.searching.add_examples(list(ids), False)),
            ]
        things += self._to_mark(ids)
        part = desk.views.choosing(desk.view())
        if part is not None:
            held = part.looked_through()
            things.append(MenuEntry(own["large"], lambda: desk.viewing.show(held, one)))
        if len({*ids, *desk.query_photographs()}) > 1:
            things.append(MenuEntry(own["side by side"], lambda: desk.look_side_by_side(ids)))
        if desk.view() == "map":
            things.append(MenuEntry(own["in library"], lambda: desk.show_in_library(tuple(ids))))
        else:
            things.append(MenuEntry(own["map"], lambda: desk.show_on_map(list(ids))))
        things.append(MenuEntry(own["explore"], lambda: desk.explore(one)))
        return things

    def _to_mark(self, ids: list[int]) -> list[MenuEntry]:
        marking = self._desk.marking
        if self._desk.view() == "search":
            asking = search_actions()
            things = [
                MenuEntry(),
                MenuEntry(asking["similar"], lambda: marking.mark_results(ids, True)),
                MenuEntry(asking["different"], lambda: marking.mark_results(ids, False)),
            ]
            if marking.confirmed():
                things.append(MenuEntry(asking["confirmed"], marking.mark_confirmed))
            return [*things, MenuEntry()]
        if self._desk.view() not in ("library", "map") or len(ids) < 2:
            return []
        own = photograph_actions()
        things = [MenuEntry(), MenuEntry(own["alike"], lambda: marking.mark_selection(ids, True))]
        if len(ids) == 2:
            things.append(MenuEntry(own["different"], lambda: marking.mark_selection(ids, False)))
        return [*things, MenuEntry()]

    def _to_do(self, one: int, ids: list[int]) -> list[MenuEntry]:
        actions, own = self._desk.actions_, photograph_actions()
        return [
            MenuEntry(own["open"], lambda: actions.open(one)),
            MenuEntry(own["reveal"], lambda: actions.reveal(one)),
            MenuEntry(own["copy"], lambda: actions.copy(ids)),
            MenuEntry(),
            MenuEntry(own["export"], lambda: actions.export(ids, "copy")),
            MenuEntry(own["export links"], lambda: actions.export(ids, "link")),
            MenuEntry(own["export table"], lambda: actions.export(ids, "csv")),
        ]
