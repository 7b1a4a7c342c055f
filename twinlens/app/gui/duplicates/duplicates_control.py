"""The controller of the duplicates compares new photographs, shows groups as they come, and offers what can be done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QMenu

from twinlens.app.duplicates.groups import CopySort, DuplicateKind
from twinlens.app.duplicates.keeper_rules import Fate
from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import duplicate_actions, photograph_actions
from twinlens.app.gui.duplicates.arranged_group import ArrangedGroup, arrange
from twinlens.app.gui.duplicates.disposal import Disposal
from twinlens.app.gui.duplicates.duplicates_page import Arrangement, DuplicatesPage
from twinlens.app.gui.duplicates.group_decisions import GroupDecisions
from twinlens.app.gui.duplicates.group_filters import groups_by_folder
from twinlens.app.gui.duplicates.group_model import badge, likely_copy, sort_words
from twinlens.app.gui.duplicates.rules_dialog import RulesDialog
from twinlens.app.gui.look.labels import on_button
from twinlens.app.gui.pictures.small_pictures import PictureFeed
from twinlens.app.gui.process.outside_files import ask_for_output
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.gui.viewer.side_by_side import ShownGroup
from twinlens.app.language.texts import _, text
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.files.untrusted_input import plain
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.disposal.disposal_plan import DisposalChoice
    from twinlens.app.duplicates.duplicates import Duplicates
    from twinlens.app.duplicates.folder_comparison import FolderPairs
    from twinlens.app.library.browsing.listing import FolderNode

_BESIDE = 3  # photographs beside the kept one


class _Arranged(NamedTuple):
    """Groups as they are arranged after others, which stood then."""

    found: Duplicates
    groups: list[ArrangedGroup]
    standing: Arrangement


class DuplicatesControl(QObject):
    """Controller of the page of duplicates."""

    def __init__(self, window: Workspace) -> None:
        page = self.view = DuplicatesPage()
        super().__init__(page)
        self._window, self._opened = window, window.opened
        self._reading, self._asking = window.jobs.latest(), window.jobs.latest()
        self._feed = PictureFeed(page.list.pictures, window.opened, window.jobs)
        self._found: Duplicates | None = None
        self._stale = True  # the page is older than the results
        self._awaiting: Callable[[], None] | None = None  # what has to be shown when the groups under way are read
        self._wanted = -1  # a photograph whose group is to be shown
        self._left = 0  # photographs that are not compared yet
        self._nodes: list[FolderNode] = []
        self._beside_from = 1  # place in the group of the first photograph beside the kept one
        self.decisions = GroupDecisions(window, self._on_decided)
        self.cleaning = Disposal(window, page, self.refresh)
        page.find_wanted.connect(window.comparing_new.begin)
        page.folder_wanted.connect(window.taking.choose_folder)
        window.comparing_new.found.connect(lambda: self._when_read(self.refresh))
        window.watch.written.connect(lambda: self._when_read(self._show_decided_elsewhere))
        window.beside.step.connect(self._on_step)
        window.beside.decided.connect(self._on_decided_beside)
        page.clean_wanted.connect(lambda: self._clean(self.cleaning.to_trash))
        page.rules_wanted.connect(self._on_rules)
        page.failed_wanted.connect(self._on_failed)
        page.closed.connect(window.left)
        page.list.menu_wanted.connect(self._on_menu)
        page.list.opened.connect(self._on_open)
        page.list.toggled.connect(self._on_toggled)
        page.list.sort_clicked.connect(self._on_sort)
        self._acts = attach(
            page,
            duplicate_actions(),
            {
                "side by side": self._on_open,
                "keep": lambda: self._on_keep(page.list.current_place()),
                "keep number": lambda number: self._on_keep(number - 1),
                "let go": self._on_turn,
                "copies": lambda: self.decisions.turn_copies(page.list.selected_groups()),
                "copies of it": self._on_copies_of,
                "by rules": lambda: self.decisions.by_rules(page.list.selected_groups()),
                "refuse": lambda: self.decisions.refuse(page.list.selected_groups()),
                "sharpest": lambda: self._with_group(self.decisions.keep_sharpest),
                "only this": lambda: self._with_group(
                    lambda group: self.decisions.keep_only(group, page.list.current_place())
                ),
                "like this": self._on_like_this,
                "in folder": self._on_in_folder,
                "filter": page.type_words,
                "next undecided": self._on_next_undecided,
                "clean": lambda: self._clean(self.cleaning.to_trash),
                "move": lambda: self._clean(self.cleaning.to_folder),
                "link": lambda: self._clean(self.cleaning.to_links),
                "folders": self._on_folders,
                "protect": lambda: self.cleaning.show_folders(page.more),
                "log": self.cleaning.show_log,
                "find": window.comparing_new.begin,
                "map": lambda: self._with_group(self._on_map),
                "table": self._on_table,
                "sheet": self._on_sheet,
            },
        )
        self._acts |= attach(
            page,
            photograph_actions(),
            {
                "reveal": lambda: window.actions_.reveal(page.list.current_id()),
                "in library": lambda: self._with_group(lambda group: window.show_photographs("library", group.ids)),
            },
        )
        attach(page.list, photograph_actions(), {"large": self._on_large, "all": page.list.selectAll})
        for name in ("move", "link", "log", "", "folders", "protect", "next undecided", "find", "", "table", "sheet"):
            page.menu.addAction(self._acts[name]) if name else page.menu.addSeparator()
        state = window.opened.state.get("duplicates")
        self._place: dict[str, Any] = state if isinstance(state, dict) else {}
        page.set_kind(str(self._place.get("kind", "")))
        self.refresh()

    # --- a part of the window ----------------------------------------------------------------------------------------

    def focus(self) -> None:
        """Focus the groups."""
        self.view.setFocus()

    def refresh(self) -> None:
        """Show the present groups, and compare new photographs at once."""
        library, self._stale = self._opened.library, True
        self.view.list.pictures.retry()
        standing = self.view.arrangement

        def work(progress: Progress) -> tuple[_Arranged, int, list[FolderNode]]:
            from twinlens.app.duplicates.comparing.comparison import waiting_pictures
            from twinlens.app.duplicates.duplicates import known_duplicates
            from twinlens.app.library.browsing.listing import folder_tree

            found = known_duplicates(library, progress=progress, before=standing[0])
            return self._arranged(found, standing), waiting_pictures(library), folder_tree(library)

        def then(result: tuple[_Arranged, int, list[FolderNode]]) -> None:
            arranged, waiting, self._nodes = result
            self._stale = False
            self.view.show_folders(self._nodes)
            if waiting:
                self._window.comparing_new.begin_unless_stopped()
            self._show(arranged, waiting)
            self._go_on()

        self._reading.begin(work).then(then)

    def _arranged(self, found: Duplicates, standing: Arrangement) -> _Arranged:
        """Arrange groups beside the window's thread, and make what their heights and order depend on."""
        groups = arrange(found, *standing)
        for one in groups:
            self.view.list.shapes.of(one)
            _ = one.gain
        return _Arranged(found, groups, standing)

    def take_pictures(self, pictures: Sequence[int]) -> None:
        """Show the group of a photograph, as soon as the groups are known."""
        self._window.show_view("duplicates")
        self._wanted = pictures[0]
        if self._found is not None and not self._stale:
            self._show(_Arranged(self._found, self.view.arrangement[1], self.view.arrangement), self._left)

    def _go_to_wanted(self) -> None:
        wanted, self._wanted = self._wanted, -1
        if not self.view.go_to_photograph(wanted):
            self._window.status.show_message(_("Nothing like this photo was found in the library."))

    def _show(self, arranged: _Arranged, left: int) -> None:
        self._found, self._left = arranged.found, left
        stands = arranged.standing[1] is self.view.arrangement[1]
        groups = arranged.groups if stands else None
        self.view.show_duplicates(arranged.found, left, self._window.comparing_new.running, groups)
        if self._place and self.view.list.row() >= 0:
            self.view.list.return_to(self._place)
            self._place = {}
        if self._wanted >= 0:
            self._go_to_wanted()
        group = self.view.list.current_group()
        beside = self._window.beside
        if group is None and beside.view.in_group():
            beside.close()
        elif group is not None and beside.awaits_group:
            self._beside_from = 1
            self._show_beside(group, _BESIDE)
        elif group is not None and beside.view.in_group():
            beside.view.show_group(self._shown_beside(group))

    def _on_decided(self) -> None:
        """Show the groups after a decision; no photographs are compared."""
        library, known, standing = self._opened.library, self._found, self.view.arrangement
        if known is None or self._stale:
            self.refresh()
            return

        def work(__: Progress) -> _Arranged | None:
            from twinlens.app.duplicates.duplicates import decided_again

            found = decided_again(library, known)
            return None if found is known else self._arranged(found, standing)

        def then(arranged: _Arranged | None) -> None:
            if arranged is not None:
                self._show(arranged, self._left)
            self._go_on()

        self._reading.begin(work).then(then)

    def _show_decided_elsewhere(self) -> None:
        """Show what another program has decided, perhaps."""
        if self._found is not None and not self._stale:
            self._on_decided()

    def _when_read(self, show: Callable[[], None]) -> None:
        """Show something now, or when the groups under way are read: these may be older."""
        if not self._reading.running:
            show()
        elif self._awaiting != self.refresh:
            self._awaiting = show

    def _go_on(self) -> None:
        awaiting, self._awaiting = self._awaiting, None
        if awaiting is not None:
            awaiting()

    def state(self) -> dict[str, Any]:
        """Return the shown kind, and the place in the list, to be saved."""
        return {"kind": self.view.kind()} | (self._place or self.view.list.place())

    # --- decisions ---------------------------------------------------------------------------------------------------

    def _with_group(self, act: Callable[[ArrangedGroup], object]) -> None:
        group = self.view.list.current_group()
        if group is not None:
            act(group)

    def _on_keep(self, place: int) -> None:
        found = self._found
        if found is not None:
            self._with_group(lambda group: self.decisions.keep(group, place, found.decided.chosen))

    def _on_turn(self) -> None:
        self._with_group(lambda group: self.decisions.turn(group, self.view.list.current_place()))

    def _on_toggled(self, photograph_id: int) -> None:
        self.view.list.set_current(photograph_id)
        self._on_turn()

    def _on_copies_of(self) -> None:
        self._with_group(lambda group: self.decisions.turn_copies_of(group, self.view.list.current_place()))

    def _folder(self) -> bytes:
        one = self.view.list.current_tile()
        return b"" if one is None else one.path.rpartition(b"/")[0]

    def _on_in_folder(self) -> None:
        """Remove what lies in the folder of this photograph where another copy stays, in all groups that are shown."""
        if self._folder():
            self.decisions.in_folder(self.view.acted_on(), self._folder())

    def _on_like_this(self) -> None:
        """Keep what lies in the folder of this photograph, in all groups."""
        found, folder = self._found, self._folder().decode("utf-8", "replace")
        if found is not None and folder:
            others = tuple(one for one in found.rules.preferred if one != folder)
            words = _("Of copies, those in “{folder}” are kept.", folder=plain(folder.rpartition("/")[2]))
            self.decisions.use_rules(replace(found.rules, preferred=(folder, *others)), found.rules, words)

    def _on_sort(self) -> None:
        group = self.view.list.current_group()
        one = None if group is None else likely_copy(group)
        if one is not None:
            menu = self._sort_menu(one.sort)
            menu.exec(QCursor.pos())
            menu.deleteLater()

    def _sort_menu(self, sort: CopySort) -> QMenu:
        """Return the menu that decides for all of a sort that are probably the same picture as another file."""
        groups = self.view.seen()
        menu = QMenu(on_button(sort_words(sort)), self.view)
        for words, fate in ((_("Remove them"), Fate.GOES), (_("Keep them"), Fate.STAYS)):
            menu.addAction(words, partial(self.decisions.of_sort, groups, sort, fate))
        return menu

    def _on_next_undecided(self) -> None:
        if not self.view.go_to_undecided():
            self._window.status.show_message(_("No group is undecided."))

    def _clean(self, act: Callable[[Sequence[DisposalChoice]], None]) -> None:
        """Move away the marked copies of the visible groups."""
        going = self.view.going()
        if going:
            act(going)
        else:
            self._window.status.show_message(_("There are no copies to remove."))

    def _on_folders(self) -> None:
        """Show the folders that hold the same photographs; of two that are chosen the groups are shown."""
        library = self._opened.library

        def work(progress: Progress) -> FolderPairs:
            from twinlens.app.duplicates.folder_comparison import known_folder_pairs

            return known_folder_pairs(library, progress)

        def then(found: FolderPairs) -> None:
            from twinlens.app.gui.duplicates.folder_pairs_dialog import FolderPairsDialog

            dialog = FolderPairsDialog(found.pairs, self.view)
            dialog.chosen.connect(self._on_pair)
            dialog.rest_wanted.connect(self._on_rest)
            dialog.exec()
            dialog.deleteLater()

        self._asking.begin(work).then(then)

    def _on_pair(self, first: str, second: str) -> None:
        paths = groups_by_folder(self.view.groups())[1]
        self.view.show_pair(paths.get(first, b""), paths.get(second, b""))

    def _on_rest(self, first: str, second: str) -> None:
        """Show in the library what a folder has, and another one lacks."""
        library, paths = self._opened.library, groups_by_folder(self.view.groups())[1]

        def work(progress: Progress) -> list[int]:
            from twinlens.app.duplicates.folder_comparison import known_only_in

            return known_only_in(library, paths.get(first, b""), paths.get(second, b""), progress)

        def then(found: list[int]) -> None:
            if found:
                self._window.show_photographs("library", found)
            else:
                self._window.status.show_message(_("The other folder lacks nothing of it."))

        self._asking.begin(work).then(then)

    def _on_rules(self) -> None:
        if self._found is None:
            return
        dialog = RulesDialog(self._found.rules, self._nodes, self.view)
        dialog.protected_wanted.connect(self.cleaning.show_folders)
        if dialog.exec():
            self.decisions.use_rules(dialog.rules(), self._found.rules, _("Rules changed."))

    def _on_failed(self) -> None:
        from twinlens.app.gui.duplicates.failed_pairs_dialog import FailedPairsDialog

        if self._found is not None:
            dialog = FailedPairsDialog(self._found.failed, self.view)
            dialog.exec()
            dialog.deleteLater()

    # --- side by side ------------------------------------------------------------------------------------------------

    def _on_large(self) -> None:
        if self.view.list.current_id() >= 0:
            self._window.viewing.show(self.view.list, self.view.list.current_id())

    def _on_menu(self, photograph_id: int, place: QPoint) -> None:
        """Show the menu of a photograph: what the page does with it and its group, then what can be done anywhere."""
        group, at = self.view.list.current_group(), self.view.list.current_place()
        if group is None:
            return
        one, member = group.photographs[at], group.member(at)
        names = ["keep", "let go", "copies of it", "copies", "", "refuse", "by rules"]
        names += (
            ["only this", "sharpest"] if any(each.kind is DuplicateKind.SERIES for each in group.group.members) else []
        )
        own: list[QAction | QMenu | None] = [self._acts[name] if name else None for name in names]
        own += [None, self._acts["in folder"], self._acts["like this"]]
        folder = on_button(plain(one.folder))
        self._acts["in folder"].setText(_("Remove what lies in “{folder}” where another copy stays", folder=folder))
        self._acts["like this"].setText(_("Keep those in “{folder}” in all groups", folder=folder))
        if member is not None and member.kind is DuplicateKind.LIKELY:
            own.append(self._sort_menu(member.sort))
        own += [None, *(self._acts[name] for name in ("side by side", "map", "in library", "reveal")), None]
        self._window.show_menu(photograph_id, place, own)

    def _on_open(self) -> None:
        """Show the kept photograph beside the current one, or beside the first of the others."""
        group, place = self.view.list.current_group(), self.view.list.current_place()
        if group is not None:
            self._beside_from = place or 1
            self._show_beside(group, 1 if place else _BESIDE)

    def _show_beside(self, group: ArrangedGroup, count: int) -> None:
        others = group.ids[self._beside_from : self._beside_from + count]
        self._window.beside.show([group.ids[0], *others], self._shown_beside(group))

    def _shown_beside(self, group: ArrangedGroup) -> ShownGroup:
        badges = {one: badge(group, place) for place, one in enumerate(group.ids)}
        where = _("Group {number} of {count}", number=self.view.list.row() + 1, count=len(self.view.seen()))
        return ShownGroup(badges, -1 if group.group.undecided else group.group.keeper.id, where)

    def _on_decided_beside(self, photograph_id: int, key: str) -> None:
        """Decide about a photograph of the side-by-side view, or about its group."""
        self.view.list.set_current(photograph_id)
        if key == "refuse":
            self._window.beside.await_group()
        self._acts[key].trigger()

    def _on_step(self, by: int) -> None:
        """Show the next photographs of the group side by side, then the next group; or the previous one."""
        group, row = self.view.list.current_group(), self.view.list.row()
        if self._window.view() != "duplicates" or group is None:
            return
        following = self._beside_from + by * _BESIDE
        if (by > 0 and following < len(group.ids)) or (by < 0 and self._beside_from > 1):
            self._beside_from = max(1, following)
            self._show_beside(group, _BESIDE)
        elif 0 <= row + by < len(self.view.seen()):
            self.view.list.go_to_group(row + by)
            self._on_open()
        else:
            self._window.status.show_message(_("This is the last group.") if by > 0 else _("This is the first group."))

    def _on_map(self, group: ArrangedGroup) -> None:
        self._window.show_photographs("map", group.ids)

    # --- export ------------------------------------------------------------------------------------------------------

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
        """Write the visible groups."""
        library, known, kinds = self._opened.library, self._found, self.view.wanted().kinds
        seen = [group for one in self.view.seen() for group in one.now]
        if known is None:
            return

        def work(__: Progress) -> None:
            from twinlens.app.duplicates.decision_files import write_groups_table
            from twinlens.app.duplicates.duplicate_results import write_groups_sheet
            from twinlens.app.duplicates.duplicates import result_of

            found = result_of(known, seen, kinds)
            if sheet:
                write_groups_sheet(library, found, file, text)
            else:
                write_groups_table(found, file)

        self._window.jobs.begin(work).then(
            lambda __: self._window.status.show_message(_("Saved: {file}", file=file.path.name))
        )
