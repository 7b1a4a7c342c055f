"""Commands of the window: the handlers of its actions and of those of its grids, and the ways to find an action.

The command palette offers every action by its name, the guide lists all keys, and the list of undo steps undoes several
at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent, QUndoStack
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLineEdit,
    QUndoView,
    QWidget,
)

from twinlens.app.gui.actions.action import Action, attach, available
from twinlens.app.gui.actions.declared_actions import (
    album_actions,
    library_actions,
    orders,
    photograph_actions,
    window_actions,
)
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.frame.photograph_commands import PhotographCommands
from twinlens.app.gui.frame.rail import VIEWS
from twinlens.app.gui.lists.card import Card, CardLine
from twinlens.app.gui.lists.pick_list import PickList
from twinlens.app.gui.look.page_parts import OverWindow, column_of, label, surface
from twinlens.app.gui.photo_grid.photo_grid import PhotoGrid
from twinlens.app.language.texts import _


class WorkspaceCommands(QObject):
    """The commands of a workspace: the handlers of the whole window's actions, of the library's and of photographs."""

    def __init__(self, workspace: LibraryWorkspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self._photographs = PhotographCommands(workspace)
        self._bind()
        workspace.views.part_made.connect(self._on_part_made)

    def _bind(self) -> None:
        """Bind the actions of the whole window and of the library; other views bind their own."""
        workspace = self._workspace
        bound = attach(
            workspace,
            window_actions(),
            {
                **{view.name: partial(workspace.show_view, view.name) for view in VIEWS},
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
                "backup": partial(self._with_libraries, "back_up"),
                "restore": partial(self._with_libraries, "choose_backup"),
                "open server": workspace.server_wanted.emit,
                "colours": workspace.ask_with_colours,
                "add colours": workspace.add_colours,
                "words": workspace.ask_with_words,
                "paste": workspace.taking.paste,
                "quit": workspace.close_window,
            },
            whole_window=True,
        )
        bound["words"].setVisible(False)
        workspace.indexes.listed.connect(lambda result: bound["words"].setVisible(result.knows_words))
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
                "slideshow": workspace.begin_album_slideshow,
            },
        )
        self._bind_to_grid(workspace.browsing.grid)

    def _on_part_made(self, name: str) -> None:
        if name == "search":
            self._bind_to_grid(self._workspace.searching.grid)
            self._photographs.bind_to_results(self._workspace.searching.grid)

    def _bind_to_grid(self, grid: PhotoGrid) -> None:
        """Bind the actions that apply while a grid has the focus."""
        attach(
            grid,
            photograph_actions(),
            {
                "menu": grid.ask_for_menu,
                "group": grid.select_group,
                "group before": lambda: grid.go_to_group(-1),
                "next group": lambda: grid.go_to_group(1),
            },
        )
        attach(grid, window_actions(), {"leave": self._workspace.leave})

    def _with_libraries(self, what: str) -> None:
        self._workspace.show_view("libraries")
        getattr(self._workspace.views.part("libraries"), what)()

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
            return not action.keys_only and (elsewhere or available(workspace.window(), action, held) is not None)

        palette = CommandPalette(workspace, [one for one in every_action() if is_offered(one)])
        palette.chosen.connect(lambda action: self._do(action, held))
        palette.open()

    def _do(self, action: Action, held: QWidget | None) -> None:
        """Do an action in the view to which it belongs."""
        workspace = self._workspace
        if action.view not in ("", workspace.view()):
            workspace.show_view(action.view)
            held = workspace.window().focusWidget()
        act = available(workspace.window(), action, held)
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
        attach(self, window_actions(), {"leave": self.close})
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
