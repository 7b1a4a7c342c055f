"""The controller of the duplicates compares new photographs, shows groups as they come, and keeps decisions.

Decisions about groups are written one after another and undone the same way. The rules by which one photograph of each
group is kept are an order of criteria, and folders whose copies go first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.duplicates.duplicates import choices
from app.duplicates.groups import COPIES, PhotoGroup
from app.duplicates.keeper_rules import CRITERIA, Fate, KeeperRules
from app.gui.actions.action import attach
from app.gui.actions.declared_actions import duplicate_actions
from app.gui.duplicates.disposal import Disposal
from app.gui.duplicates.duplicates_page import DuplicatesPage
from app.gui.duplicates.group_model import badge, member_at
from app.gui.look.page_parts import label
from app.gui.pictures.small_pictures import PictureFeed
from app.gui.process.outside_files import ask_for_output
from app.gui.services.services import WorkspaceServices
from app.gui.viewer.side_by_side import ShownGroup
from app.language.texts import _, _n, text
from app.machine.output_file import OutputFile
from core.progress import Progress

if TYPE_CHECKING:
    from app.duplicates.decisions import Choices, Refused
    from app.duplicates.disposal_plan import DisposalChoice
    from app.duplicates.duplicates import Duplicates
    from app.duplicates.groups import PhotoGroup


class DuplicatesControl(QObject):
    """Controller of the page of duplicates."""

    def __init__(self, window: WorkspaceServices) -> None:
        page = self.view = DuplicatesPage()
        super().__init__(page)
        self._window, self._opened = window, window.opened
        self._reading = window.jobs.latest()
        self._feed = PictureFeed(page.list.pictures, window.opened, window.jobs)
        self._found: Duplicates | None = None
        self._stale = True  # the page is older than the results
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

    # --- a part of the window ----------------------------------------------------------------------------------------

    def focus(self) -> None:
        """Focus the groups."""
        self.view.setFocus()

    def refresh(self) -> None:
        """Show the present groups, and compare new photographs at once."""
        library, self._stale = self._opened.library, True
        self.view.list.pictures.retry()

        def work(progress: Progress) -> tuple[Duplicates, int]:
            from app.duplicates.comparison import waiting_pictures
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
        """Show the groups after a decision; no photographs are compared."""
        library, known = self._opened.library, self._found
        if known is None or self._stale:
            self.refresh()
            return

        def work(__: Progress) -> Duplicates:
            from app.duplicates.duplicates import decided_again

            return decided_again(library, known)

        self._reading.begin(work).then(lambda found: self._show(found, self._left))

    def state(self) -> dict[str, Any]:
        """Return the shown kind, to be saved."""
        return {"kind": self.view.kind()}

    def _on_found(self) -> None:
        if not self._reading.running:
            self.refresh()

    # --- decisions ---------------------------------------------------------------------------------------------------

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
        """Move away the marked copies of the visible groups."""
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

    # --- side by side ------------------------------------------------------------------------------------------------

    def _on_looked_at(self, photograph_id: int) -> None:
        self._window.viewing.show(self.view.list, photograph_id)

    def _on_menu(self, photograph_id: int, place: QPoint) -> None:
        self._window.show_menu(photograph_id, place)

    def _on_open(self) -> None:
        """Show the kept photograph beside the current one, or beside the first members."""
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
        """Keep a photograph of the side-by-side view."""
        self.view.list.set_current(photograph_id)
        self._on_keep(self._tile())

    def _on_step(self, by: int) -> None:
        """Show the next or the previous group side by side."""
        if self._window.view() == "duplicates" and 0 <= self.view.list.row() + by < len(self.view.seen()):
            self.view.list.go_to_group(self.view.list.row() + by)
            self._on_open()

    def _on_map(self, group: PhotoGroup) -> None:
        self._window.show_on_map([one.id for one in group.photographs])

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
        library, known, seen = self._opened.library, self._found, self.view.seen()
        if known is None:
            return

        def work(__: Progress) -> None:
            from app.duplicates.duplicate_results import write_groups_sheet, write_groups_table
            from app.duplicates.duplicates import result_of

            found = result_of(known, seen)
            if sheet:
                write_groups_sheet(library, found, file, text)
            else:
                write_groups_table(found, file)

        self._window.jobs.begin(work).then(
            lambda __: self._window.status.show_message(_("Saved: {file}", file=file.path.name))
        )


class GroupDecisions:
    """Writes decisions about groups, and lets them be undone.

    Parameters
    ----------
    changed : callable
        Called when a decision is written.
    """

    def __init__(self, window: WorkspaceServices, changed: Callable[[], None]) -> None:
        self._window, self._library, self._changed = window, window.opened.library, changed

    def keep(self, group: PhotoGroup, tile: int) -> None:
        """Keep a photograph in place of the present one."""
        shown = member_at(group, tile) if tile <= len(group.members) else None
        if shown is None or shown.kind not in COPIES:
            if tile <= len(group.members):
                self._window.status.show_message(_("This photo is not a copy, so it stays anyway."))
            return
        others = [one.photograph.id for one in group.members if one.of is shown.of and one.kind in COPIES]
        chosen: dict[int, Fate | None] = dict.fromkeys([shown.of.id, *others])
        chosen[shown.photograph.id] = Fate.BEST
        self._choose(chosen, _("This photo is kept now."))

    def turn(self, group: PhotoGroup, tile: int) -> None:
        """Mark a photograph for removal, or unmark it."""
        shown = member_at(group, tile)
        if shown is None:
            self._window.status.show_message(_("This is the photo to keep. Choose another one to keep first."))
            return
        words = _("This photo will be kept.") if shown.goes else _("This photo will be removed.")
        self._choose({shown.photograph.id: Fate.STAYS if shown.goes else Fate.GOES}, words)

    def turn_copies(self, group: PhotoGroup) -> None:
        """Mark all copies for removal, or none where all are marked."""
        copies = [one for one in group.members if one.kind in COPIES]
        if not copies:
            self._window.status.show_message(_("There are no copies in this group."))
            return
        stay = all(one.goes for one in copies)
        words = (
            _n("{count} copy will be kept.", "{count} copies will be kept.", len(copies))
            if stay
            else _n("{count} copy will be removed.", "{count} copies will be removed.", len(copies))
        )
        self._choose(dict.fromkeys([one.photograph.id for one in copies], Fate.STAYS if stay else Fate.GOES), words)

    def by_rules(self, group: PhotoGroup) -> None:
        """Leave a group to the rules again."""
        self._choose({one.id: None for one in group.photographs}, _("The rules decide this group again."))

    def refuse(self, group: PhotoGroup) -> None:
        """Note that the photographs of a group are no duplicates."""
        library = self._library

        def work(__: Progress) -> Refused:
            from app.duplicates.decisions import refuse_groups

            return refuse_groups(library, group)

        def then(rows: Refused) -> None:
            self._changed()
            if not rows:
                self._window.status.show_message(_("Identical files are always duplicates."))
                return
            words = _("Marked as not duplicates.")
            self._window.undoing.offer(words, partial(self._take_back, rows), partial(self._refuse_again, rows))

        self._window.changes.do(work, then)

    def _take_back(self, rows: Refused) -> None:
        def work(__: Progress) -> None:
            from app.duplicates.decisions import take_back_refusals

            take_back_refusals(self._library, rows)

        self._window.changes.do(work, lambda __: self._changed())

    def _refuse_again(self, rows: Refused) -> None:
        def work(__: Progress) -> None:
            from app.duplicates.decisions import refuse_again

            refuse_again(self._library, rows)

        self._window.changes.do(work, lambda __: self._changed())

    def _choose(self, choices: Choices, words: str) -> None:
        def then(before: Choices) -> None:
            self._changed()
            self._window.undoing.offer(words, partial(self._write, before), partial(self._write, choices))

        self._window.changes.do(partial(self._work, choices), then)

    def _write(self, choices: Choices) -> None:
        self._window.changes.do(partial(self._work, choices), lambda __: self._changed())

    def _work(self, choices: Choices, __: Progress) -> Choices:
        from app.duplicates.decisions import keep_choices

        return keep_choices(self._library, choices)


_KEY = Qt.ItemDataRole.UserRole


class RulesDialog(QDialog):
    """The dialog in which a person orders the rules of keeping."""

    def __init__(self, rules: KeeperRules, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Rules: which photo to keep"))
        self._list = _Criteria()
        titles = {one.key: text(one.title) for one in CRITERIA}
        for key in (*rules.order, *(one for one in titles if one not in rules.order)):
            item = QListWidgetItem(titles[key])
            item.setData(_KEY, key)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if key in rules.order else Qt.CheckState.Unchecked)
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        self._last = QLineEdit("; ".join(rules.last))
        self._last.setPlaceholderText(_("Backup; Downloads"))
        self._last.setAccessibleName(_("Folders to remove copies from first"))
        keys = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        keys.accepted.connect(self.accept)
        keys.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(8)
        said = _("Of several copies, the first rule that makes a difference decides which one is kept.")
        column.addWidget(label(said, wrap=True))
        column.addWidget(self._list, 1)
        column.addWidget(label(_("Drag a rule, or move it with Alt and the arrows."), "quiet", wrap=True))
        column.addWidget(label(_("Folders to remove copies from first")))
        column.addWidget(self._last)
        column.addWidget(keys)
        self.resize(420, 460)

    def rules(self) -> KeeperRules:
        """Return the chosen rules."""
        items = [self._list.item(row) for row in range(self._list.count())]
        order = tuple(str(one.data(_KEY)) for one in items if one.checkState() is Qt.CheckState.Checked)
        last = tuple(name for name in (one.strip() for one in self._last.text().split(";")) if name)
        return KeeperRules(order or KeeperRules().order, last)


class _Criteria(QListWidget):
    """A list of rules that are moved by dragging, or by Alt and the arrows."""

    def __init__(self) -> None:
        super().__init__()
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setProperty("role", "list")
        self.setAccessibleName(_("Rules, the first counts most"))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move a rule with Alt and the arrows."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        step = steps.get(Qt.Key(event.key()))
        row = self.currentRow()
        if step is None or not event.modifiers() & Qt.KeyboardModifier.AltModifier:
            super().keyPressEvent(event)
        elif 0 <= row + step < self.count():
            item = self.takeItem(row)
            self.insertItem(row + step, item)
            self.setCurrentRow(row + step)
