"""The list before anything moves: what goes and what stays in its place, with pictures, each line with a tick."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from twinlens.app.disposal.disposal_plan import DisposalPlan, PlannedFile
from twinlens.app.duplicates.groups import DuplicateKind, are_in, lost_with, names_of
from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import rule_actions
from twinlens.app.gui.duplicates.group_filters import PathWordsField
from twinlens.app.gui.duplicates.group_model import kind_words
from twinlens.app.gui.lists.card import Card, CardIndex, CardLine, CardLook
from twinlens.app.gui.lists.card_list import CardList
from twinlens.app.gui.look.buttons import QuietButton
from twinlens.app.gui.look.labels import small, strong
from twinlens.app.gui.look.page_parts import button, column_of, dialog_keys, label, row_of
from twinlens.app.gui.look.theme import grown, icon, theme
from twinlens.app.gui.pictures.small_pictures import PictureFeed, PictureStyle, SmallPictures
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.language.text_folding import folded
from twinlens.app.language.texts import _, _n, text
from twinlens.core.files.untrusted_input import plain, plain_name, shown
from twinlens.core.message import size

TAKE_ALONG = 2
"""Result of the dialog when sidecar files are to be taken along, by a new plan."""


@dataclass(frozen=True)
class PlanLine:
    """A line of the list: a photograph that goes, and the one that stays in its place."""

    file: PlannedFile

    @property
    def id(self) -> int:
        """The id of the photograph that goes."""
        return self.file.choice.photograph

    @property
    def goes(self) -> tuple[str, str]:
        """Name and folder of what goes."""
        return _parts(self.file.path)

    @property
    def kept(self) -> tuple[str, str, str]:
        """The photograph that stays: name, size and folder; or the note that none does."""
        row = self.file.kept
        if row is None:
            return _("No copy of it stays."), "", ""
        name, folder = _parts(self.file.kept_path)
        sides = f"{row.width or 0} × {row.height or 0} · {text(size(row.size))}"
        return _("Kept: {name}", name=name), sides, folder

    @property
    def facts(self) -> str:
        """The kind of the photograph, and its size."""
        row, kind = self.file.row, self.file.choice.kind
        facts = f"{row.width or 0} × {row.height or 0} · {text(size(row.size))}"
        return f"{kind_words(DuplicateKind(kind))} · {facts}" if kind else facts

    @property
    def along(self) -> str:
        """The files that go with it, and what moves to the one that stays, or is written beside it."""
        away = [plain_name(shown(one.path)) for one in self.file.companions if one.moves_to is None]
        moved = [plain_name(shown(one.moves_to)) for one in self.file.companions if one.moves_to is not None]
        said = [_("Goes with it: {names}", names=", ".join(away))] if away else []
        if moved:
            said.append(_("Moves to the photo kept: {names}", names=", ".join(moved)))
        if (carried := self.file.carried) is not None:
            notes = ", ".join(map(text, names_of(carried.notes)))
            said.append(_("Written into {name}: {notes}", name=plain_name(shown(carried.path)), notes=notes))
        return " · ".join(said)

    @property
    def lost(self) -> str:
        """The notes that only its file has, and that are lost with it."""
        carried = self.file.carried
        return text(lost_with(self.file.choice.only_here - (carried.notes if carried is not None else frozenset())))

    def spoken(self, ticked: bool) -> str:
        """Return the line for screen readers."""
        fate = _("ticked") if ticked else _("not ticked")
        parts = [f"{self.goes[0]}: {fate}", self.facts, self.goes[1], *self.kept, self.along, self.lost]
        return ". ".join(filter(None, parts))


def _parts(path: bytes) -> tuple[str, str]:
    folder, name = os.path.split(shown(path))
    return plain_name(name), "/".join(plain(one) for one in folder.split("/")[-3:])


class PlanList(CardList[PlanLine]):
    """The list of the lines, those that contain some words, and their ticks, which a click or Space turns.

    Signals
    -------
    ticks_changed
    """

    ticks_changed = Signal()

    def __init__(self, lines: Sequence[PlanLine], opened: OpenLibrary, jobs: Jobs) -> None:
        super().__init__(lambda one: one.id, self._card, CardLook(lines=3))
        self.every, self.ticked = list(lines), {one.id for one in lines}
        self.pictures = SmallPictures(self, looks=2)  # in selected lines and in others
        self.feed = PictureFeed(self.pictures, opened, jobs)
        self.setItemDelegate(_LineDelegate(self))
        self.setAccessibleName(_("Photos to move"))
        attach(self, rule_actions(), {"turn": self._turn_selected})
        self.pictures.came.connect(self.viewport().update)
        self.show_rows(self.every)

    def filter(self, words: str) -> None:
        """Show the lines whose name, folder or date contains words."""
        wanted = folded(words).split()
        self.show_rows([one for one in self.every if are_in(wanted, one.file.path, one.file.row.noted)])

    def tick(self, lines: Sequence[PlanLine], ticked: bool) -> None:
        """Tick lines, or remove their ticks."""
        ids = {one.id for one in lines}
        self.ticked = self.ticked | ids if ticked else self.ticked - ids
        self.show_rows(self.rows())
        self.ticks_changed.emit()

    def _card(self, one: PlanLine) -> Card:
        tip = f"{shown(one.file.path)}\n{shown(one.file.kept_path)}"
        return Card(CardLine(one.goes[0]), one.spoken(one.id in self.ticked), tip=tip)

    def _turn_selected(self) -> None:
        one = self.current()
        self._turn(self.chosen() or ([one] if one is not None else []))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Turn the tick of a clicked line."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and not event.modifiers():
            self._turn([self.rows()[index.row()]])

    def _turn(self, lines: Sequence[PlanLine]) -> None:
        if lines:
            self.tick(lines, any(one.id not in self.ticked for one in lines))


_ROW, _PICTURE, _PAD = 78, QSize(90, 62), 8
_TICK = 18  # side of a tick, px
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip  # the dots of Ü stand above a font's own height


class _LineDelegate(QStyledItemDelegate):
    """The delegate that paints the lines."""

    def __init__(self, lines: PlanList) -> None:
        super().__init__(lines)
        self._lines = lines

    def sizeHint(self, __: QStyleOptionViewItem, ___: CardIndex) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of a line."""
        return QSize(300, grown(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: CardIndex) -> None:
        """Paint a line: its tick, what goes, what stays, and what is lost."""
        now, rect, one = theme(), QRect(option.rect), self._lines.rows()[index.row()]
        ticked = one.id in self._lines.ticked
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        ground = now.well if chosen else now.paper
        painter.fillRect(rect, QColor(ground))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), QColor(now.line))
        tick = QRect(rect.left() + _PAD, rect.center().y() - _TICK // 2, _TICK, _TICK)
        ratio = painter.device().devicePixelRatio()
        icon("on" if ticked else "off", now.accent if ticked else now.quiet, _TICK, ratio).paint(painter, tick)
        left = tick.right() + 12
        half = (rect.right() - left) * 11 // 20
        away = QRect(left, rect.top() + _PAD, half - 12, rect.height() - 2 * _PAD)
        kept = QRect(left + half, away.top(), rect.right() - left - half - _PAD, away.height())
        painter.setOpacity(1.0 if ticked else 0.5)
        self._picture(painter, away, one.file.row.content_hash or b"", ground)
        lines = [(one.goes[0], now.ink), (one.facts, now.quiet), (one.goes[1], now.quiet)]
        if one.lost or one.along:
            lines.append((" · ".join(filter(None, [one.lost, one.along])), now.warn if one.lost else now.quiet))
        self._words(painter, option, away, lines)
        painter.setOpacity(1.0)
        heading, sides, folder = one.kept
        colour = now.warn
        if one.file.kept is not None:
            colour = now.accent
            self._picture(painter, kept, one.file.kept.content_hash or b"", ground)
        self._words(painter, option, kept, [(heading, colour), (sides, now.quiet), (folder, now.quiet)])
        painter.restore()

    def _picture(self, painter: QPainter, box: QRect, content: bytes, ground: str) -> None:
        ratio = painter.device().devicePixelRatio()
        style = PictureStyle(
            round(_PICTURE.width() * ratio), round(_PICTURE.height() * ratio), ratio, theme().well, ground
        )
        pixmap = self._lines.pictures.pixmap(content, style)
        place = QRect(box.topLeft(), _PICTURE)
        if pixmap is None:
            painter.fillRect(place, QColor(theme().well))
        else:
            drawn = pixmap.deviceIndependentSize().toSize()
            place = QStyle.alignedRect(Qt.LayoutDirection.LeftToRight, Qt.AlignmentFlag.AlignCenter, drawn, place)
            painter.drawPixmap(place.topLeft(), pixmap)

    def _words(
        self, painter: QPainter, option: QStyleOptionViewItem, box: QRect, lines: Sequence[tuple[str, str]]
    ) -> None:
        room = box.adjusted(_PICTURE.width() + 10, -2, 0, 0)
        for at, (words, colour) in enumerate(lines):
            font = strong(small(option.font, 0.92)) if at == 0 else small(option.font, 0.85)
            metrics = QFontMetrics(font)
            painter.setFont(font)
            painter.setPen(QColor(colour))
            cut = Qt.TextElideMode.ElideLeft if at == 2 else Qt.TextElideMode.ElideRight
            line = QRect(room.left(), room.top(), room.width(), metrics.lineSpacing())
            painter.drawText(line, _LEFT, metrics.elidedText(words, cut, room.width()))
            room.setTop(room.top() + metrics.lineSpacing())


class PlanDialog(QDialog):
    """The dialog of the photographs to be moved away and those that stay; its result may be `TAKE_ALONG`."""

    def __init__(self, plan: DisposalPlan, opened: OpenLibrary, jobs: Jobs, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Photos to move"))
        self._disposal = plan
        self.list = PlanList([PlanLine(one) for one in plan.files], opened, jobs)
        self._said = label("", wrap=True)
        self.words = PathWordsField()
        self.words.textChanged.connect(self.list.filter)
        self.words.left.connect(self.list.setFocus)
        head = row_of(self.words)
        for words, ticked in ((_("Tick all shown"), True), (_("Untick all shown"), False)):
            made = QuietButton(words, "words")
            made.setAccessibleName(words)
            made.clicked.connect(partial(self._tick_shown, ticked))
            head.addWidget(made)
        head.addStretch()
        notes = [f"{plain_name(one.path)}: {text(one.reason)}" for one in plan.refused[:_NAMED]]
        if len(plan.refused) > _NAMED:
            more = len(plan.refused) - _NAMED
            notes.append(_n("{count} more stays.", "{count} more stay.", more))
        refused = label("\n".join([*_beside(plan), *notes]), "quiet", wrap=True)
        refused.setVisible(bool(refused.text()))
        others = []
        said = sum(bool(one.lost) for one in self.list.every) if not plan.takes_along else 0
        if plan.held or said:
            words = (
                _n("Also move {count} photo and its files…", "Also move {count} photos and their files…", plan.held)
                if plan.held
                else _n("Carry over what {count} photo says…", "Carry over what {count} photos say…", said)
            )
            also = button(words, words)
            others.append(also)
            also.setToolTip(
                _(
                    "Files beside it move to the photo that is kept, and its keywords, rating, caption, place and date "
                    "are written into a file there. You see the list again first."
                )
            )
            also.clicked.connect(lambda: self.done(TAKE_ALONG))
        leave = button(_("Cancel"), _("Cancel"))
        leave.clicked.connect(self.reject)
        move = _("Move to the trash") if plan.destination is None else _("Move")
        if plan.links:
            move = _("Replace by links")
        self._move = button(move, move, role="primary")
        self._move.clicked.connect(self.accept)
        self._move.setDefault(True)
        keys = dialog_keys(leave, self._move, *others)
        column_of(self._said, head, (self.list, 1), refused, keys, on=self, gap=10, margins=(20, 16, 20, 16))
        self.list.ticks_changed.connect(self._show_ticked)
        self._show_ticked()
        self.resize(980, 640)
        self._move.setFocus()

    def done(self, result: int) -> None:
        """Close the dialog; its pictures are not waited for."""
        self.list.feed.stop()
        super().done(result)

    def unticked(self) -> set[int]:
        """Return the ids of the photographs that are not to move after all."""
        return {one.id for one in self.list.every} - self.list.ticked

    def _show_ticked(self) -> None:
        """Show how many photographs move, and how many bytes."""
        files = [one.file for one in self.list.every if one.id in self.list.ticked]
        destination = self._disposal.destination
        where = _("to the trash") if destination is None else _("to {folder}", folder=plain(shown(destination)))
        freed = text(size(sum(one.bytes for one in files)))
        if self._disposal.links:
            said = _n(
                "{count} copy becomes a link to the photo kept ({size} freed).",
                "{count} copies become links to the photos kept ({size} freed).",
                len(files),
                size=freed,
            )
            undone = _(
                "Where the disk cannot share blocks, both names stand for one file: a change of one changes both. "
                "You can undo this later: each becomes a file of its own again."
            )
        else:
            said = _n(
                "{count} photo moves {where} ({size}).",
                "{count} photos move {where} ({size}).",
                len(files),
                where=where,
                size=freed,
            )
            undone = (
                _("You can undo this later: the files come back, with their marks.")
                if self._disposal.undoable
                else _("Twinlens cannot undo this. To get a photo back, restore it in the trash.")
            )
        self._said.setText(f"{said} {undone}")
        self._move.setEnabled(bool(files))

    def _tick_shown(self, ticked: bool) -> None:
        self.list.tick(self.list.rows(), ticked)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the lines in the present colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.list.viewport().update()


_NAMED = 6  # photographs that stay, by name


def _beside(plan: DisposalPlan) -> list[str]:
    """Describe the files that move with the photographs, and those that move to the kept ones."""
    every = [one for file in plan.files for one in file.companions]
    along = [shown(one.moves_to) for one in every if one.moves_to is not None]
    away = len(every) - len(along)
    said = []
    if away:
        said.append(
            _n("{count} sidecar file or film moves with them.", "{count} sidecar files or films move with them.", away)
        )
    if along:
        said.append(
            _n(
                "{count} file beside them moves to the photo that is kept: {name}",
                "{count} files beside them move to the photos that are kept: {name}, …",
                len(along),
                name=plain_name(along[0]),
            )
        )
    return said
