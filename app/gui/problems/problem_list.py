"""The list of files that could not be read: three lines each, however many there are."""

from __future__ import annotations

import os
from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from app.gui.look.theme import theme
from app.language.spoken import _, text
from app.machine.places import told
from app.results import Problem
from core.files.untrusted_input import plain, plain_name

Place = QModelIndex | QPersistentModelIndex
_MARGIN = 24
_NOWHERE = QModelIndex()


class ProblemModel(QAbstractListModel):
    """The problems, as Qt asks for them."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[Problem] = []

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Take other problems."""
        self.beginResetModel()
        self.problems = list(problems)
        self.endResetModel()

    def rowCount(self, parent: Place = _NOWHERE) -> int:  # noqa: N802 (Qt's name)
        """Return their number."""
        return 0 if parent.isValid() else len(self.problems)

    def data(self, index: Place, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what is shown, what is spoken, and the whole of it as a tip."""
        problem = self.problems[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return plain_name(problem.path)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{plain_name(problem.path)}: {text(problem.reason)} {text(problem.next_step)}".strip()
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{told(problem.path)}\n{text(problem.reason)}\n{text(problem.next_step)}".strip()
        return None


class ProblemDelegate(QStyledItemDelegate):
    """Draws a problem: name and folder, the reason, what to do."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Place) -> QSize:  # noqa: N802 (Qt's name)
        """Return three lines and some air."""
        return QSize(200, 3 * _line_px(option.font) + 24)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Place) -> None:
        """Draw one."""
        model = index.model()
        assert isinstance(model, ProblemModel)
        problem, now = model.problems[index.row()], theme()
        painter.save()
        rect = QRect(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(rect, QColor(now.well))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), QColor(now.accent))
        painter.setPen(QPen(QColor(now.line), 1))
        painter.drawLine(rect.left() + _MARGIN, rect.bottom(), rect.right() - _MARGIN, rect.bottom())
        if problem.ignored:
            painter.setOpacity(0.55)
        line = _line_px(option.font)
        at = rect.adjusted(_MARGIN, 12, -_MARGIN, 0)
        at.setHeight(line)
        self._first_line(painter, option.font, at, problem)
        _write(painter, option.font, at.translated(0, line), text(problem.reason), now.ink)
        tail = f"{text(problem.next_step)}  {_since(problem)}".strip() if problem.next_step else _since(problem)
        _write(painter, option.font, at.translated(0, 2 * line), tail, now.quiet)
        painter.restore()

    def _first_line(self, painter: QPainter, font: QFont, at: QRect, problem: Problem) -> None:
        bold = QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        folder, name = os.path.split(plain(problem.path))
        width = min(QFontMetrics(bold).horizontalAdvance(name) + 4, at.width())
        _write(painter, bold, QRect(at.left(), at.top(), width, at.height()), name, theme().ink)
        aside = _("set aside") if problem.ignored else ""
        behind = f"{folder}  ·  {aside}" if aside else folder
        rest = at.adjusted(width + 12, 0, 0, 0)
        _write(painter, font, rest, behind, theme().quiet, Qt.TextElideMode.ElideMiddle)


class ProblemList(QListView):
    """The list.

    Signals
    -------
    chosen_changed
        Other rows are chosen.
    """

    chosen_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._model = ProblemModel()
        self.setModel(self._model)
        self.setItemDelegate(ProblemDelegate(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setProperty("role", "list")
        self.setAccessibleName(_("Files that could not be read"))
        self.selectionModel().selectionChanged.connect(self.chosen_changed)

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show problems; what was chosen stays so, by path."""
        chosen = set(self.chosen_paths())
        current = self.current_path()
        self._model.show_problems(problems)
        selection = self.selectionModel()
        for row, problem in enumerate(problems):
            if problem.path in chosen:
                selection.select(self._model.index(row), selection.SelectionFlag.Select)
            if problem.path == current:
                selection.setCurrentIndex(self._model.index(row), selection.SelectionFlag.NoUpdate)
        if problems and not self.currentIndex().isValid():
            selection.setCurrentIndex(self._model.index(0), selection.SelectionFlag.NoUpdate)
        self.chosen_changed.emit()

    def problems(self) -> list[Problem]:
        """Return all that are shown."""
        return self._model.problems

    def chosen(self) -> list[Problem]:
        """Return those that are chosen; where none is, the current one."""
        rows = sorted(index.row() for index in self.selectedIndexes()) or [self.currentIndex().row()]
        return [self._model.problems[row] for row in rows if 0 <= row < len(self._model.problems)]

    def chosen_paths(self) -> list[str]:
        """Return the paths of those that are chosen."""
        return [self._model.problems[index.row()].path for index in self.selectedIndexes()]

    def current_path(self) -> str:
        """Return the path of the row that has the keys."""
        row = self.currentIndex().row()
        return self._model.problems[row].path if 0 <= row < len(self._model.problems) else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Let Escape and letters through to the page: one does not look for a file by its first letters here."""
        if event.text().isalpha() or event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)


def _line_px(font: QFont) -> int:
    return QFontMetrics(font).lineSpacing() + 3


def _since(problem: Problem) -> str:
    return problem.since[:10] and f"({problem.since[:10]})"


def _write(
    painter: QPainter,
    font: QFont,
    at: QRect,
    text: str,
    colour: str,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    painter.setFont(font)
    painter.setPen(QColor(colour))
    cut = QFontMetrics(font).elidedText(text, elide, at.width())
    painter.drawText(at, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, cut)
