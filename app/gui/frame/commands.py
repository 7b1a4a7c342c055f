"""What helps a person along: the palette of actions, the guide with all keys, and the steps that were done."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.gui.actions.action import Action, available, is_withheld
from app.gui.frame.desk import WorkspaceCommands
from app.language.spoken import _, current_language


def show_guide(desk: WorkspaceCommands, page: str = "") -> None:
    """Show the guide: a page by its name, by default the one about the view that is seen."""
    from app.gui.frame.actions import every_action
    from app.gui.guide.guide_window import GuideWindow
    from app.guide.pages import read_pages

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
    """Show what the program is made of, with the licences."""
    from app.gui.notices.notices_window import NoticesWindow

    NoticesWindow(desk.jobs, desk.widget).show()


def show_palette(desk: WorkspaceCommands) -> None:
    """Offer every action by its name: those of other views, and of this one what can be done."""
    from app.gui.frame.actions import every_action
    from app.gui.frame.palette import CommandPalette

    held = desk.widget.window().focusWidget()

    def is_offered(action: Action) -> bool:
        elsewhere = action.view not in ("", desk.view())
        return not action.keys_only and (elsewhere or available(desk.widget, action, held) is not None)

    palette = CommandPalette(desk.widget, [one for one in every_action() if is_offered(one)])
    palette.chosen.connect(lambda action: _do(desk, action, held))
    palette.open()


def _do(desk: WorkspaceCommands, action: Action, held: QWidget | None) -> None:
    """Do an action, in the view to which it belongs."""
    if action.view not in ("", desk.view()):
        desk.show_view(action.view)
        held = desk.widget.window().focusWidget()
    act = available(desk.widget, action, held)
    if act is not None:
        act()
    else:
        desk.status.show_message(_("“{action}” cannot be done just now.", action=action.words))


def show_done(desk: WorkspaceCommands) -> None:
    """Show what was done, step by step."""
    from app.gui.frame.done_list import UndoStepList

    UndoStepList(desk.undoing.stack, desk.widget).open()
