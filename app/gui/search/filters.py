"""The filters of the window: date, camera, shape, marks and folder."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.gui.actions.action import give_key
from app.gui.look.choice_list import ChoiceList, ListChoice
from app.gui.look.elided_line import ElidedLine
from app.gui.look.icons import Sign
from app.gui.look.outside_text import on_button
from app.gui.look.page_parts import set_role
from app.gui.look.quiet_button import QuietButton
from app.gui.look.sentences import Heading, Link
from app.gui.search.actions import search_actions
from app.gui.search.dates import DatePopup, InputField
from app.language.spoken import _
from app.library.camera_names import NO_CAMERA

_FILTER_KEYS = ("since", "until", "camera", "orientation", "marked", "folder")
_ROW = 32
_SOON_MS = 250


class FilterPanel(QWidget):
    """Form of the filters; empty ones do not count.

    Parameters
    ----------
    parent : QWidget, optional
    with_folder : bool
        Offer a line for a folder's path, where no tree of folders stands beside it.

    Signals
    -------
    changed(dict)
        Of ``since``, ``until``, ``camera``, ``orientation``, ``marked`` and ``folder`` those that are set, all text.
    """

    changed = Signal(dict)

    def __init__(self, parent: QWidget | None = None, with_folder: bool = False) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setAccessibleName(_("Narrow down"))
        self._set: dict[str, str] = {}
        self._cameras: list[tuple[str, int]] = []
        self._years: list[str] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._on_folder)
        self._clear = Link(_("clear"))
        self._clear.setAccessibleName(_("Clear all filters"))
        give_key(self._clear, search_actions()["all"])
        self._clear.setToolTip(_("Clear all filters (Ctrl+Shift+Backspace)"))
        self._clear.clicked.connect(self.clear)
        self._date = ChoiceRow()
        self._camera = ChoiceRow()
        self._orientation = ChoiceRow()
        self._marked = ChoiceRow()
        self._folder = InputField(_("Any folder"), _("Folder"))
        self._date.clicked.connect(self._open_dates)
        self._camera.clicked.connect(self._open_cameras)
        self._orientation.clicked.connect(self._open_orientations)
        self._marked.clicked.connect(lambda: self._open(self._marked, "marked", self._marks()))
        self._folder.textEdited.connect(lambda __: self._soon.start())
        self._folder.editingFinished.connect(self._on_folder)
        heading = Heading(_("Narrow down"))
        heading.setWordWrap(False)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 0, 0)
        top.addWidget(heading, 1)
        top.addWidget(self._clear)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addSpacing(4)
        for row in (self._date, self._camera, self._orientation, self._marked):
            column.addWidget(row)
        column.addSpacing(4)
        column.addWidget(self._folder)
        self._folder.setVisible(with_folder)
        self._write()

    # --- what is shown -----------------------------------------------------------------------------------------------

    def set_cameras(self, cameras: Sequence[tuple[str, int]]) -> None:
        """Offer cameras with their numbers of photographs."""
        self._cameras = list(cameras)

    def set_years(self, years: Sequence[str]) -> None:
        """Offer years."""
        self._years = list(years)

    def filters(self) -> dict[str, str]:
        """Return the filters that are set."""
        return dict(self._set)

    def set_filters(self, filters: dict[str, str]) -> None:
        """Show filters without a signal."""
        self._set = {key: filters[key] for key in _FILTER_KEYS if filters.get(key)}
        self._write()

    def clear(self) -> None:
        """Clear all filters."""
        self._change(dict.fromkeys(_FILTER_KEYS, ""))

    def _change(self, to: dict[str, str]) -> None:
        before = self._set
        self._set = {key: value for key in _FILTER_KEYS if (value := {**before, **to}.get(key, ""))}
        self._write()
        if self._set != before:
            self.changed.emit(self.filters())

    def _write(self) -> None:
        since, until = self._set.get("since", ""), self._set.get("until", "")
        date = _("Any date")
        if since and until:
            date = since if since == until else f"{since} – {until}"
        elif since:
            date = _("Since {date}", date=since)
        elif until:
            date = _("Until {date}", date=until)
        self._date.show_choice(date, bool(since or until), _("Date"))
        camera = self._set.get("camera", "")
        self._camera.show_choice(camera_words(camera) or _("Any camera"), bool(camera), _("Camera"))
        orientation = self._set.get("orientation", "")
        shown = self._orientations().get(orientation, orientation)
        self._orientation.show_choice(shown, bool(orientation), _("Orientation"))
        marked = self._set.get("marked", "")
        self._marked.show_choice(self._marks().get(marked, marked), bool(marked), _("Marks"))
        if self._folder.text().strip() != self._set.get("folder", ""):
            self._folder.setText(self._set.get("folder", ""))
        # Its place stays: nothing jumps when the first filter is set.
        self._clear.setEnabled(bool(self._set))
        policy = self._clear.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._clear.setSizePolicy(policy)
        self._clear.setVisible(bool(self._set))

    def _orientations(self) -> dict[str, str]:
        return {
            "": _("Any shape"),
            "landscape": _("Landscape only"),
            "portrait": _("Portrait only"),
            "square": _("Square only"),
        }

    def _marks(self) -> dict[str, str]:
        return {
            "": _("Marked or not"),
            "any": _("Marked only"),
            "similar": _("Marked similar only"),
            "different": _("Marked different only"),
        }

    # --- choosing ----------------------------------------------------------------------------------------------------

    def _open_cameras(self) -> None:
        each = [ListChoice(name, camera_words(name), count) for name, count in self._cameras]
        offered = [ListChoice("", _("Any camera")), *each]
        popup = ChoiceList(_("Camera"), offered, self._set.get("camera", ""), self)
        popup.chosen.connect(lambda camera: self._change({"camera": camera}))
        popup.open(self._camera)

    def _open_orientations(self) -> None:
        self._open(self._orientation, "orientation", self._orientations())

    def _open(self, row: ChoiceRow, key: str, offered: dict[str, str]) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = QActionGroup(menu)
        for value, words in offered.items():
            action = menu.addAction(on_button(words))
            action.setCheckable(True)
            action.setChecked(value == self._set.get(key, ""))
            group.addAction(action)
            action.triggered.connect(lambda __=False, value=value: self._change({key: value}))
            if action.isChecked():
                menu.setActiveAction(action)
        menu.setMinimumWidth(row.width())
        menu.popup(row.mapToGlobal(QPoint(0, row.height() + 2)))

    def _open_dates(self) -> None:
        popup = DatePopup(self._set.get("since", ""), self._set.get("until", ""), self._years, self)
        popup.dates_chosen.connect(lambda since, until: self._change({"since": since, "until": until}))
        popup.move(self._date.mapToGlobal(QPoint(0, self._date.height() + 2)))
        popup.show()
        popup.since.setFocus()

    def _on_folder(self) -> None:
        self._soon.stop()
        self._change({"folder": self._folder.text().strip()})


def camera_words(camera: str) -> str:
    """Return the shown name of a camera."""
    return _("Unknown camera") if camera == NO_CAMERA else camera


class ChoiceRow(QuietButton):
    """A flat row that shows a choice and opens it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(role="row", parent=parent)
        self._words = ElidedLine()
        self._words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        inner = QHBoxLayout(self)
        inner.setContentsMargins(8, 0, 10, 0)
        inner.addWidget(self._words, 1)
        inner.addWidget(Sign("opens", 14))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_choice(self, words: str, chosen: bool, name: str) -> None:
        """Show a choice; ``name`` is what it chooses."""
        self.setText(words)
        self._words.setText(words)
        set_role(self._words, "chosen" if chosen else "")
        self.setAccessibleName(f"{name}: {words}")
        self.setToolTip(f"{name}: {words}")

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """One row."""
        return QSize(160, _ROW)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Open with Down too."""
        if event.key() == Qt.Key.Key_Down:
            self.click()
        else:
            super().keyPressEvent(event)
