"""Controller of the duplicates: compares what is new, shows groups as they come, and keeps what is decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint

from app.duplicates.duplicates import choices
from app.gui.actions.action import attach
from app.gui.duplicates.actions import duplicate_actions
from app.gui.duplicates.cleaning import Disposal
from app.gui.duplicates.decisions import GroupDecisions
from app.gui.duplicates.duplicates_page import DuplicatesPage
from app.gui.duplicates.group_model import member_at
from app.gui.duplicates.group_words import badge
from app.gui.duplicates.rules_dialog import RulesDialog
from app.gui.frame.save_dialog import ask_for_output
from app.gui.frame.window import WorkspaceServices
from app.gui.pictures.picture_feed import PictureFeed
from app.gui.side_by_side.side_by_side import ShownGroup
from app.language.spoken import _, text
from app.machine.output_file import OutputFile
from core.progress import Progress

if TYPE_CHECKING:
    from app.duplicates.disposal_plan import DisposalChoice
    from app.duplicates.duplicates import Duplicates
    from app.duplicates.groups import PhotoGroup


class DuplicatesControl(QObject):
    """The page of duplicates.

    Parameters
    ----------
    window : Window
    """

    def __init__(self, window: WorkspaceServices) -> None:
        page = self.view = DuplicatesPage()
        super().__init__(page)
        self._window, self._opened = window, window.opened
        self._reading = window.jobs.latest()
        self._feed = PictureFeed(page.list.pictures, window.opened, window.jobs)
        self._found: Duplicates | None = None
        self._stale = True  # more is known than is shown
        self._left = 0  # photographs that are not compared yet
        self.decisions = GroupDecisions(window, self._on_decided)
        self.cleaning = Disposal(window, page, self.refresh)
        page.find_wanted.connect(window.comparing_new.begin)
        window.comparing_new.found.connect(self._on_found)
        window.beside.step.connect(self._on_step)
        window.beside.keep_wanted.connect(self._on_keep_beside)
        page.clean_wanted.connect(lambda: self._clean(self.cleaning.to_trash))
        page.folders_wanted.connect(lambda: self.cleaning.show_folders(page.folders))
        page.rules_wanted.connect(self._on_rules)
        page.closed.connect(window.leave)
        page.list.looked_at.connect(self._on_looked_at)
        page.list.menu_wanted.connect(self._on_menu)
        page.list.number_pressed.connect(lambda number: self._on_keep(number - 1))
        page.list.opened.connect(self._on_open)
        self._acts = attach(
            page,
            duplicate_actions(),
            {
                "side by side": self._on_open,
                "keep": lambda: self._on_keep(self._tile()),
                "let go": lambda: self._with_group(lambda group: self.decisions.turn(group, self._tile())),
                "copies": lambda: self._with_group(self.decisions.turn_copies),
                "by rules": lambda: self._with_group(self.decisions.by_rules),
                "refuse": lambda: self._with_group(self.decisions.refuse),
                "next undecided": self._on_next_undecided,
                "clean": lambda: self._clean(self.cleaning.to_trash),
                "move": lambda: self._clean(self.cleaning.to_folder),
                "log": self.cleaning.show_log,
                "find": window.comparing_new.begin,
                "map": lambda: self._with_group(self._on_map),
                "table": self._on_table,
                "sheet": self._on_sheet,
            },
        )
        state = window.opened.state.get("duplicates")
        page.set_kind(str(state.get("kind", "")) if isinstance(state, dict) else "")
        self.refresh()

    # --- what every part has -----------------------------------------------------------------------------------------

    def focus(self) -> None:
        """Put the keys on the groups."""
        self.view.setFocus()

    def refresh(self) -> None:
        """Show what is known by now; what is new is compared at once."""
        library, self._stale = self._opened.library, True
        self.view.list.pictures.retry()

        def work(progress: Progress) -> tuple[Duplicates, int]:
            from app.duplicates.comparing import waiting_pictures
            from app.duplicates.duplicates import known_duplicates

            return known_duplicates(library, progress=progress), waiting_pictures(library)

        def then(result: tuple[Duplicates, int]) -> None:
            self._stale = False
            if result[1]:
                self._window.comparing_new.begin_unless_stopped()
            self._show(*result)

        self._reading.begin(work).then(then)

    def _show(self, found: Duplicates, left: int) -> None:
        self._found, self._left = found, left
        self.view.show_duplicates(found, left, self._window.comparing_new.running)
        group = self.view.list.current_group()
        if group is not None and self._window.beside.view.in_group():
            self._window.beside.view.show_group(self._shown_beside(group))

    def _on_decided(self) -> None:
        """Show what follows from a decision; what was compared is as before."""
        library, known = self._opened.library, self._found
        if known is None or self._stale:
            self.refresh()
            return

        def work(__: Progress) -> Duplicates:
            from app.duplicates.duplicates import decided_again

            return decided_again(library, known)

        self._reading.begin(work).then(lambda found: self._show(found, self._left))

    def state(self) -> dict[str, Any]:
        """Return which kind is shown."""
        return {"kind": self.view.kind()}

    def _on_found(self) -> None:
        if not self._reading.running:
            self.refresh()

    # --- what is decided ---------------------------------------------------------------------------------------------

    def _tile(self) -> int:
        group, one = self.view.list.current_group(), self.view.list.current_tile()
        return 0 if group is None or one is None else group.photographs.index(one)

    def _with_group(self, act: Any) -> None:
        group = self.view.list.current_group()
        if group is not None:
            act(group)

    def _on_keep(self, tile: int) -> None:
        self._with_group(lambda group: self.decisions.keep(group, tile))

    def _on_next_undecided(self) -> None:
        if not self.view.go_to_undecided():
            self._window.status.show_message(_("No group is undecided."))

    def _clean(self, act: Callable[[Sequence[DisposalChoice]], None]) -> None:
        """Move away what goes of the groups that are seen."""
        going = choices(self.view.seen())
        if going:
            act(going)
        else:
            self._window.status.show_message(_("There are no copies to remove."))

    def _on_rules(self) -> None:
        if self._found is None:
            return
        dialog = RulesDialog(self._found.rules, self.view)
        if not dialog.exec():
            return
        before, rules = self._found.rules, dialog.rules()
        if rules != before:
            self._keep_rules(rules)
            self._window.undoing.offer(
                _("Rules changed."), lambda: self._keep_rules(before), lambda: self._keep_rules(rules)
            )

    def _keep_rules(self, rules: Any) -> None:
        library = self._opened.library

        def work(__: Progress) -> None:
            from app.duplicates.keeper_rules import keep_rules

            keep_rules(library, rules)

        self._window.changes.do(work, lambda __: self._on_decided())

    # --- looking -----------------------------------------------------------------------------------------------------

    def _on_looked_at(self, photograph_id: int) -> None:
        self._window.viewing.show(self.view.list, photograph_id)

    def _on_menu(self, photograph_id: int, place: QPoint) -> None:
        self._window.show_menu(photograph_id, place)

    def _on_open(self) -> None:
        """See the one that is kept beside the current one, or beside the first that belong to it."""
        group, tile = self.view.list.current_group(), self._tile()
        if group is not None:
            shown = group.photographs
            others = [shown[tile]] if tile else shown[1:4]
            self._window.beside.show([one.id for one in (shown[0], *others)], self._shown_beside(group))

    def _shown_beside(self, group: PhotoGroup) -> ShownGroup:
        badges = {one.id: badge(member_at(group, at), group) for at, one in enumerate(group.photographs)}
        where = _("Group {number} of {count}", number=self.view.list.row() + 1, count=len(self.view.seen()))
        return ShownGroup(badges, -1 if group.undecided else group.keeper.id, where)

    def _on_keep_beside(self, photograph_id: int) -> None:
        """Keep a photograph that is seen side by side."""
        self.view.list.set_current(photograph_id)
        self._on_keep(self._tile())

    def _on_step(self, by: int) -> None:
        """See the next or the previous group side by side."""
        if self._window.view() == "duplicates" and 0 <= self.view.list.row() + by < len(self.view.seen()):
            self.view.list.go_to_group(self.view.list.row() + by)
            self._on_open()

    def _on_map(self, group: PhotoGroup) -> None:
        self._window.show_on_map([one.id for one in group.photographs])

    # --- lists -------------------------------------------------------------------------------------------------------

    def _on_table(self) -> None:
        library = self._opened.library
        file = ask_for_output(self.view, _("Save the list as a table"), "duplicates.csv", "CSV (*.csv)", library)
        if file is not None:
            self._write(file, sheet=False)

    def _on_sheet(self) -> None:
        library = self._opened.library
        file = ask_for_output(self.view, _("Save the list as a page"), "duplicates.html", "HTML (*.html)", library)
        if file is not None:
            self._write(file, sheet=True)

    def _write(self, file: OutputFile, *, sheet: bool) -> None:
        """Write the groups that are seen."""
        library, known, seen = self._opened.library, self._found, self.view.seen()
        if known is None:
            return

        def work(__: Progress) -> None:
            from app.duplicates.duplicates import result_of
            from app.duplicates.export import write_groups_table
            from app.duplicates.sheet import write_groups_sheet

            found = result_of(known, seen)
            if sheet:
                write_groups_sheet(library, found, file, text)
            else:
                write_groups_table(found, file)

        self._window.jobs.begin(work).then(
            lambda __: self._window.status.show_message(_("Saved: {file}", file=file.path.name))
        )
