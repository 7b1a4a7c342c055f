"""Decisions about groups, written one after another and undone the same way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from app.duplicates.groups import PhotoGroup
from app.duplicates.keeper_rules import Fate
from app.duplicates.kinds import COPIES
from app.gui.duplicates.group_model import member_at
from app.gui.frame.window import WorkspaceServices
from app.language.spoken import _, _n
from core.progress import Progress

if TYPE_CHECKING:
    from app.duplicates.decisions import Choices, Refused


class GroupDecisions:
    """Writes decisions.

    Parameters
    ----------
    window : Window
    changed : callable
        Called when one is written.
    """

    def __init__(self, window: WorkspaceServices, changed: Callable[[], None]) -> None:
        self._window, self._library, self._changed = window, window.opened.library, changed

    def keep(self, group: PhotoGroup, tile: int) -> None:
        """Keep a photograph in place of the one that is kept now."""
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
        """Let a photograph go, or keep it after all."""
        shown = member_at(group, tile)
        if shown is None:
            self._window.status.show_message(_("This is the photo to keep. Choose another one to keep first."))
            return
        words = _("This photo will be kept.") if shown.goes else _("This photo will be removed.")
        self._choose({shown.photograph.id: Fate.STAYS if shown.goes else Fate.GOES}, words)

    def turn_copies(self, group: PhotoGroup) -> None:
        """Let all copies go, or none where all go already."""
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
