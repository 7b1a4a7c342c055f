"""Decisions about groups: each is written at once, one after another, and undone the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from twinlens.app.duplicates.decisions import best_of_series, keeping, leaving_folder, of_sort, only_shot, shots_of
from twinlens.app.duplicates.groups import COPIES, CopySort, PhotoGroup
from twinlens.app.duplicates.keeper_rules import Fate, Fates, KeeperRules
from twinlens.app.gui.duplicates.arranged_group import ArrangedGroup
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, _n
from twinlens.core.files.untrusted_input import plain
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.duplicates.decisions import Choices, Refused

_EQUALLY_SHARP = 0.95  # of the sharpest: a smaller difference is not seen


class GroupDecisions:
    """Writes decisions about groups, and lets them be undone.

    Parameters
    ----------
    changed : callable
        Called when a decision is written.
    """

    def __init__(self, window: Workspace, changed: Callable[[], None]) -> None:
        self._window, self._library, self._changed = window, window.opened.library, changed
        self._measuring = window.jobs.latest()

    # --- one photograph ----------------------------------------------------------------------------------------------

    def keep(self, group: ArrangedGroup, place: int, decided: Fates) -> None:
        """Keep a photograph in place of the one that is kept, whatever it is."""
        if place < len(group.ids):
            self._choose(keeping(group.group, group.ids[place], decided), _("This photo is kept now."))

    def turn(self, group: ArrangedGroup, place: int) -> None:
        """Mark a photograph for removal, or unmark it; the last one that stays cannot go."""
        goes = group.goes(place)
        if not goes and group.staying < 2:
            self._window.status.show_message(_("One photo of the group has to stay."))
        elif not goes and group.photographs[place].stays:
            self._window.status.show_message(_("It lies in a protected folder, so it stays."))
        else:
            words = _("This photo will be kept.") if goes else _("This photo will be removed.")
            self._choose({group.ids[place]: Fate.STAYS if goes else Fate.GOES}, words)

    def turn_copies_of(self, group: ArrangedGroup, place: int) -> None:
        """Mark all copies of the picture of a photograph for removal, or none where all are marked."""
        one = group.ids[place]
        files = next(files for each in _groups([group]) for files in each.pictures if one in [f.id for f in files])
        self._turn([file.id for file in files if file.id != one and not file.stays], [group])

    # --- groups ------------------------------------------------------------------------------------------------------

    def turn_copies(self, groups: Sequence[ArrangedGroup]) -> None:
        """Mark all copies of groups for removal, or none where all are marked."""
        copies = [one for each in _groups(groups) for one in each.members if one.kind in COPIES]
        self._turn([one.photograph.id for one in copies if not one.photograph.stays], groups)

    def _turn(self, copies: Sequence[int], groups: Sequence[ArrangedGroup]) -> None:
        if not copies:
            self._window.status.show_message(_("There are no copies in this group."))
            return
        going = {one.photograph.id for each in _groups(groups) for one in each.going}
        stay = going.issuperset(copies)
        words = (
            _n("{count} copy will be kept.", "{count} copies will be kept.", len(copies))
            if stay
            else _n("{count} copy will be removed.", "{count} copies will be removed.", len(copies))
        )
        self._choose(dict.fromkeys(copies, Fate.STAYS if stay else Fate.GOES), words)

    def by_rules(self, groups: Sequence[ArrangedGroup]) -> None:
        """Leave groups to the rules again."""
        choices = dict.fromkeys([one for each in groups for one in each.ids])
        self._choose(choices, _("The rules decide this group again."))

    def in_folder(self, groups: Sequence[ArrangedGroup], folder: bytes) -> None:
        """Mark what lies in a folder for removal where another copy stays."""
        choices = leaving_folder(_groups(groups), folder)
        if choices:
            words = _n(
                "{count} copy in “{folder}” will be removed.",
                "{count} copies in “{folder}” will be removed.",
                len(choices),
                folder=_name(folder),
            )
            self._choose(choices, words)
        else:
            words = _("No other copy of a photo in “{folder}” stays elsewhere.", folder=_name(folder))
            self._window.status.show_message(words)

    def of_sort(self, groups: Sequence[ArrangedGroup], sort: CopySort, fate: Fate) -> None:
        """Decide for all of a sort that are probably the same picture as another file."""
        copies = of_sort(_groups(groups), sort)
        words = (
            _n("{count} copy will be removed.", "{count} copies will be removed.", len(copies))
            if fate is Fate.GOES
            else _n("{count} copy will be kept.", "{count} copies will be kept.", len(copies))
        )
        self._choose(dict.fromkeys(copies, fate), words)

    # --- best of a series --------------------------------------------------------------------------------------------

    def keep_only(self, group: ArrangedGroup, place: int) -> None:
        """Keep a shot of a series, and mark the others for removal."""
        choices = only_shot(group.group, group.ids[place])
        if choices:
            going = list(choices.values()).count(Fate.GOES)
            self._choose(choices, _n("{count} photo will be removed.", "{count} photos will be removed.", going))
        else:
            self._window.status.show_message(_("This photo is no shot of a series."))

    def keep_sharpest(self, group: ArrangedGroup) -> None:
        """Measure the shots of a series, keep the sharpest, and mark the others for removal."""
        library, series = self._library, group.group
        shots = shots_of(series)
        if not shots:
            self._window.status.show_message(_("This group has no series."))
            return
        self._window.status.show_message(_("Measuring how sharp the shots are."))

        def work(__: Progress) -> dict[int, float]:
            from twinlens.app.duplicates.side_by_side import sharpness

            return sharpness(library, shots)

        self._measuring.begin(work).then(lambda measured: self._on_measured(series, measured))

    def _on_measured(self, series: PhotoGroup, measured: dict[int, float]) -> None:
        choices = best_of_series(series, measured)
        if not choices:
            self._window.status.show_message(_("The shots cannot be read now, so none was chosen."))
            return
        first, second, *_others = sorted(measured.values(), reverse=True)
        words = (
            _n("The sharpest of {count} shot is kept.", "The sharpest of {count} shots is kept.", len(measured))
            if second < _EQUALLY_SHARP * first
            else _("The shots are about equally sharp. The sharpest is kept: look at it.")
        )
        self._choose(choices, words)

    # --- no duplicates -----------------------------------------------------------------------------------------------

    def refuse(self, groups: Sequence[ArrangedGroup]) -> None:
        """Note that the photographs of groups are no duplicates."""
        library, some = self._library, _groups(groups)

        def work(__: Progress) -> Refused:
            from twinlens.app.duplicates.decisions import refuse_groups

            return [row for one in some for row in refuse_groups(library, one)]

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
            from twinlens.app.duplicates.decisions import take_back_refusals

            take_back_refusals(self._library, rows)

        self._window.changes.do(work, lambda __: self._changed())

    def _refuse_again(self, rows: Refused) -> None:
        def work(__: Progress) -> None:
            from twinlens.app.duplicates.decisions import refuse_again

            refuse_again(self._library, rows)

        self._window.changes.do(work, lambda __: self._changed())

    # --- rules -------------------------------------------------------------------------------------------------------

    def use_rules(self, rules: KeeperRules, before: KeeperRules, words: str) -> None:
        """Keep other rules in the library."""
        if rules != before:
            self._keep_rules(rules)
            self._window.undoing.offer(words, partial(self._keep_rules, before), partial(self._keep_rules, rules))

    def _keep_rules(self, rules: KeeperRules) -> None:
        def work(__: Progress) -> None:
            from twinlens.app.duplicates.keeper_rules import keep_rules

            keep_rules(self._library, rules)

        self._window.changes.do(work, lambda __: self._changed())

    # --- writing -----------------------------------------------------------------------------------------------------

    def _choose(self, choices: Choices, words: str) -> None:
        def then(before: Choices) -> None:
            self._changed()
            self._window.undoing.offer(words, partial(self._write, before), partial(self._write, choices))

        self._window.changes.do(partial(self._work, choices), then)

    def _write(self, choices: Choices) -> None:
        self._window.changes.do(partial(self._work, choices), lambda __: self._changed())

    def _work(self, choices: Choices, __: Progress) -> Choices:
        from twinlens.app.duplicates.decisions import keep_choices

        return keep_choices(self._library, choices)


def _groups(some: Sequence[ArrangedGroup]) -> list[PhotoGroup]:
    """Return the groups as they are decided now."""
    return [each for one in some for each in one.now]


def _name(folder: bytes) -> str:
    return plain(folder.rpartition(b"/")[2].decode("utf-8", "replace"))
