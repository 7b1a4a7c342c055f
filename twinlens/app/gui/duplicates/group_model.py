"""The model of the groups of duplicates for Qt's lists, and the texts about a group and its photographs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from twinlens.app.duplicates.groups import COPIES, KIND_NAMES, CopySort, DuplicateKind, GroupMember, reason, warning
from twinlens.app.duplicates.keeper_rules import KeeperCandidate
from twinlens.app.duplicates.side_by_side import difference_words, shows_other
from twinlens.app.gui.duplicates.arranged_group import ArrangedGroup, GroupSection, SectionKind
from twinlens.app.gui.pictures.photograph import written_date
from twinlens.app.language.texts import _, _n, number, text
from twinlens.core.files.untrusted_input import plain, plain_name
from twinlens.core.message import size

TilePlace = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class GroupModel(QAbstractListModel):
    """The model of the groups, with the focused tile of the current one."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: list[ArrangedGroup] = []
        self.tile = 0

    def show_groups(self, groups: Sequence[ArrangedGroup]) -> None:
        """Replace the groups."""
        self.beginResetModel()
        self.groups = list(groups)
        self.endResetModel()

    def rowCount(self, parent: TilePlace = _NOWHERE) -> int:  # noqa: N802 (Qt's name)
        """Return the number of groups."""
        return 0 if parent.isValid() else len(self.groups)

    def data(self, index: TilePlace, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a group for screen readers."""
        group = self.groups[index.row()]
        headings = [section_heading(group, one) for one in group.sections]
        if role == Qt.ItemDataRole.DisplayRole:
            return ", ".join(headings)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            here = photograph_sentence(group, min(self.tile, len(group.ids) - 1))
            return ". ".join([*headings, keeping_reason(group), loss_warning(group), here])
        return None


class GroupShape(NamedTuple):
    """What the height of a group depends on.

    Attributes
    ----------
    counts : tuple of int
        Tiles of each `SectionKind`, 0 where it has no such section.
    headings : tuple of str
        The longest heading that each section may get; empty without it.
    sentences : tuple of str
        Why its photograph is kept, and a warning; each may be empty.
    linked : bool
        Whether there is a link that decides for all copies of a sort.
    """

    counts: tuple[int, ...]
    headings: tuple[str, ...]
    sentences: tuple[str, str]
    linked: bool


def group_shape(group: ArrangedGroup) -> GroupShape:
    """Return the shape of a group."""
    sections = {one.kind: one for one in group.sections}
    return GroupShape(
        tuple(sections[kind].count if kind in sections else 0 for kind in SectionKind),
        tuple(widest_heading(group, sections[kind]) if kind in sections else "" for kind in SectionKind),
        (keeping_reason(group), loss_warning(group)),
        likely_copy(group) is not None,
    )


class GroupShapes:
    """The shapes of groups, each made once; they may be made in another thread before the groups are shown."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[ArrangedGroup, GroupShape]] = {}  # by identity: groups are values

    def of(self, group: ArrangedGroup) -> GroupShape:
        """Return the shape of a group."""
        kept = self._kept.get(id(group))
        if kept is None:
            kept = self._kept[id(group)] = group, group_shape(group)
        return kept[1]

    def forget_others(self, groups: Iterable[ArrangedGroup]) -> None:
        """Forget all but the shapes of some groups."""
        kept = self._kept
        self._kept = {id(one): kept[id(one)] for one in groups if id(one) in kept}


def kind_words(kind: DuplicateKind) -> str:
    """Return the name of the tab of a kind."""
    names = {
        DuplicateKind.IDENTICAL: _("Byte for byte"),
        DuplicateKind.LIKELY: _("Probably the same"),
        DuplicateKind.EDITED: _("Edited"),
    }
    return names.get(kind, text(KIND_NAMES[kind]))


def badge(group: ArrangedGroup, place: int) -> str:
    """Return the fate of a photograph in a word or two."""
    member = group.member(place)
    if member is None:
        return _("Undecided") if group.group.undecided and group.keeps(place) else _("Keep")
    if member.goes:
        return _("Remove")
    if member.chosen or member.photograph.stays or member.held:
        return _("Keep")
    return _("Undecided") if member.kind in COPIES else kind_words(member.kind)


def section_heading(group: ArrangedGroup, section: GroupSection) -> str:
    """Return what the photographs of a section are, how many, and how many of them go."""
    going = sum(group.goes(place) for place in section.places) + (section.kind is SectionKind.SAME and group.goes(0))
    return _heading(group, section, going)


def widest_heading(group: ArrangedGroup, section: GroupSection) -> str:
    """Return the longest heading that a section may get, whatever is decided."""
    return _heading(group, section, section.count)


def _heading(group: ArrangedGroup, section: GroupSection, going: int) -> str:
    if section.kind is SectionKind.SAME:
        name = _n("The same picture · {count} file", "The same picture · {count} files", section.count + 1)
        return name if not going else f"{name}, " + _n("{count} goes", "{count} go", going)
    if section.kind is SectionKind.RAW:
        name = _("RAW and JPEG of one shot")
    elif section.kind is SectionKind.MADE and (group.led_by_choice or _shows_other(group, section)):
        name = _("Other versions · {count}", count=number(section.count))
    elif section.kind is SectionKind.MADE:
        name = _("Made from it · {count}", count=number(section.count))
    else:
        name = _series_heading(group, section)
    named = section.count + (section.kind is SectionKind.SERIES)  # a series is named with the shot that leads it
    return f"{name}, " + (_n("{count} goes", "{count} go", going) if going else _n("stays", "stay", named))


def _shows_other(group: ArrangedGroup, section: GroupSection) -> bool:
    """Return whether an edited version of a section shows something that the picture it belongs to does not."""
    members = (group.member(place) for place in section.places)
    return any(one is not None and one.kind is DuplicateKind.EDITED and shows_other(one.relation) for one in members)


def _series_heading(group: ArrangedGroup, section: GroupSection) -> str:
    """Return what a series has: its shots, and the files that belong to one of these."""
    again = [one for one in section.places if (each := group.member(one)) is None or each.kind is DuplicateKind.SERIES]
    times = [_moment(group.photographs[place].taken) for place in (0, *again)]
    known = [one for one in times if one is not None]
    shots = len(again) + 1
    seconds = round((max(known) - min(known)).total_seconds()) if len(known) == shots else -1
    if 0 < seconds < 100:
        within = _n("{count} second", "{count} seconds", seconds)
        name = _n("Series · {count} shot in {time}", "Series · {count} shots in {time}", shots, time=within)
    else:
        name = _n("Series · {count} shot", "Series · {count} shots", shots)
    others = section.count - len(again)
    return f"{name}, " + _n("{count} other version", "{count} other versions", others) if others else name


def _moment(taken: str | None) -> datetime | None:
    try:
        return None if taken is None else datetime.fromisoformat(taken).replace(tzinfo=None)
    except ValueError:
        return None


def keeping_reason(group: ArrangedGroup) -> str:
    """Return why the photograph to keep is kept."""
    return text(reason(group.group))


def loss_warning(group: ArrangedGroup) -> str:
    """Return a warning of the metadata that is lost with the copies to remove."""
    return text(warning(group.group))


def likely_copy(group: ArrangedGroup) -> GroupMember | None:
    """Return a photograph that is probably the same picture, and is not decided yet."""
    every = (group.member(place) for place in range(len(group.ids)))
    return next((one for one in every if one and one.kind is DuplicateKind.LIKELY and not one.chosen), None)


def sort_words(sort: CopySort) -> str:
    """Offer to decide for all photographs of a sort that are probably the same picture as another file."""
    if sort.program:
        return _("Decide for all {format} copies by {program}…", format=sort.format, program=plain(sort.program))
    if sort.coding:
        return _("Decide for all {format} copies saved in this way…", format=sort.format)
    return _("Decide for all {format} copies…", format=sort.format)


def key_hints(group: ArrangedGroup) -> list[tuple[str, str]]:
    """Return the keys of a group, each with its effect."""
    hints = [(f"1-{min(9, len(group.ids))}", _("keep another")), ("X", _("remove or keep")), ("N", _("not the same"))]
    if any(one.kind is SectionKind.SERIES for one in group.sections):
        hints.append(("B", _("keep the sharpest")))
    return [*hints, (_("Enter"), _("side by side")), ("↓", _("next"))]


def size_words(one: KeeperCandidate) -> str:
    """Return the size of a photograph as text."""
    return f"{number(one.width)} × {number(one.height)} · {text(size(one.bytes))}"


def what_it_is(one: KeeperCandidate, member: GroupMember | None) -> str:
    """Return what tells a photograph from the kept one: its difference, its time, or its size."""
    if member is None:
        return size_words(one)
    if member.linked:
        return _("takes no space of its own")
    if member.kind is DuplicateKind.IDENTICAL:
        return _("byte for byte the same")
    if member.kind is DuplicateKind.SERIES and one.taken:
        return one.taken[11:19] or size_words(one)
    said = ", ".join(text(each) for each in difference_words(member.relation))
    if said:
        return said
    if (one.width, one.height) == (member.of.width, member.of.height):
        return f"{one.format} · {text(size(one.bytes))}"
    return size_words(one)


def taken_words(one: KeeperCandidate) -> str:
    """Return date and camera of a photograph."""
    return " · ".join(filter(None, [written_date(one.taken) if one.taken else "", plain(one.camera or "")]))


def folder_words(one: KeeperCandidate) -> str:
    """Return the folder of a photograph with the one around it."""
    return "/".join(plain(each) for each in _text(os.path.dirname(one.path)).split("/")[-2:])


def photograph_sentence(group: ArrangedGroup, place: int) -> str:
    """Return the full description of a photograph, for screen readers and tooltips."""
    member, one = group.member(place), group.photographs[place]
    facts = [size_words(one), taken_words(one)]
    if member is not None:
        facts.insert(0, what_it_is(one, member))
    lines = [f"{badge(group, place)}: {file_name(one)}", *filter(None, dict.fromkeys(facts)), plain(_text(one.path))]
    return "\n".join(lines)


def file_name(one: KeeperCandidate) -> str:
    """Return the name of a photograph's file."""
    return plain_name(_text(one.path))


def _text(path: bytes) -> str:
    return os.fsdecode(path).encode("utf-8", "replace").decode()
