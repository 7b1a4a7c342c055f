"""The model of the groups of duplicates for Qt's lists, and the texts about a group and its photographs."""

from __future__ import annotations

import os
from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.duplicates.duplicates import reason, warning
from app.duplicates.groups import COPIES, KIND_NAMES, DuplicateKind, GroupMember, PhotoGroup
from app.duplicates.keeper_rules import KeeperCandidate
from app.duplicates.side_by_side import difference_words
from app.gui.pictures.photograph import written_date
from app.language.texts import _, _n, number, text
from core.files.untrusted_input import plain, plain_name
from core.message import size

TilePlace = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class GroupModel(QAbstractListModel):
    """The model of the groups, with the focused tile of the current one."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: list[PhotoGroup] = []
        self.tile = 0

    def show_groups(self, groups: Sequence[PhotoGroup]) -> None:
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
        if role == Qt.ItemDataRole.DisplayRole:
            return ", ".join(group_headings(group))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ". ".join(
                [
                    *group_headings(group),
                    keeping_reason(group),
                    loss_warning(group),
                    photograph_sentence(group, min(self.tile, len(group.members))),
                ]
            )
        return None


def member_at(group: PhotoGroup, tile: int) -> GroupMember | None:
    """Return the member that a tile shows; None for the kept photograph."""
    return group.members[tile - 1] if tile else None


def kind_words(kind: DuplicateKind) -> str:
    """Return the plural name of a kind."""
    return _("Edited versions") if kind is DuplicateKind.EDITED else text(KIND_NAMES[kind])


def badge(member: GroupMember | None, group: PhotoGroup) -> str:
    """Return the fate of a photograph in one word; None is the one to keep."""
    if member is None:
        return _("Undecided") if group.undecided else _("Keep")
    if member.goes:
        return _("Remove")
    if member.kind in COPIES:
        return _("Kept") if member.photograph.stays or member.chosen or member.held else _("Undecided")
    return text(KIND_NAMES[member.kind])


def group_headings(group: PhotoGroup) -> list[str]:
    """Return the counts of a group's photographs by kind, a line each."""
    counts = {kind: sum(one.kind is kind for one in group.members) for kind in DuplicateKind}
    lines = []
    if counts[DuplicateKind.IDENTICAL] and not counts[DuplicateKind.SAME]:
        lines.append(_n("Identical, {count} file", "Identical, {count} files", counts[DuplicateKind.IDENTICAL] + 1))
    elif counts[DuplicateKind.IDENTICAL] or counts[DuplicateKind.SAME]:
        copies = counts[DuplicateKind.IDENTICAL] + counts[DuplicateKind.SAME] + 1
        lines.append(_n("Same picture, {count} file", "Same picture, {count} files", copies))
    if counts[DuplicateKind.DAMAGED]:
        lines.append(_n("{count} damaged copy", "{count} damaged copies", counts[DuplicateKind.DAMAGED]))
    if counts[DuplicateKind.EDITED]:
        lines.append(_n("{count} edited version", "{count} edited versions", counts[DuplicateKind.EDITED]))
    if counts[DuplicateKind.SERIES]:
        lines.append(_n("Series, {count} photo", "Series, {count} photos", counts[DuplicateKind.SERIES] + 1))
    if counts[DuplicateKind.RAW]:
        lines.append(_("RAW + JPEG"))
    return lines


def keeping_reason(group: PhotoGroup) -> str:
    """Return why the photograph to keep is kept."""
    return text(reason(group))


def loss_warning(group: PhotoGroup) -> str:
    """Return a warning of the metadata that is lost with the copies to remove."""
    return text(warning(group))


def key_hints(group: PhotoGroup) -> list[tuple[str, str]]:
    """Return the keys of a group, each with its effect."""
    hints = [(_("Enter"), _("side by side"))]
    if any(one.kind in COPIES for one in group.members):
        hints.append((f"1-{min(9, len(group.members) + 1)}", _("choose what to keep")))
        hints.append((_("Del"), _("remove the copies, or none")))
    return [*hints, ("X", _("remove this one, or keep it")), ("N", _("not duplicates"))]


def size_words(one: KeeperCandidate) -> str:
    """Return the size of a photograph as text."""
    return f"{number(one.width)} × {number(one.height)} · {text(size(one.bytes))}"


def place_words(one: KeeperCandidate, member: GroupMember | None) -> str:
    """Return the difference and the folder of a photograph, or its folder and date."""
    said = ", ".join(text(each) for each in difference_words(member.relation)) if member is not None else ""
    folder = plain(os.path.basename(os.path.dirname(os.fsdecode(one.path))))
    told = (said, folder) if said else (folder, written_date(one.taken) if one.taken else "")
    return " · ".join(each for each in told if each)


def photograph_sentence(group: PhotoGroup, at: int) -> str:
    """Return the full description of a photograph, for screen readers and tooltips."""
    member = group.members[at - 1] if at else None
    one = group.keeper if member is None else member.photograph
    path = plain(os.fsdecode(one.path).encode("utf-8", "replace").decode())
    return f"{badge(member, group)}: {file_name(one)}\n{size_words(one)}\n{place_words(one, member)}\n{path}"


def file_name(one: KeeperCandidate) -> str:
    """Return the name of a photograph's file."""
    return plain_name(os.fsdecode(one.path).encode("utf-8", "replace").decode())
