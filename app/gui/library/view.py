"""The library: the grid of photographs, what filters it as one types, and its empty state."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSlider,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.gui.library.listing_rows import ListingRows
from app.gui.look.elided_line import ElidedLine
from app.gui.look.empty_state import EmptyState
from app.gui.look.flow_layout import FlowLayout
from app.gui.photo_grid.grid import STEP, PhotoGrid
from app.gui.photo_grid.grid_sheet import LARGEST, SMALLEST
from app.gui.process.outlived import outlived
from app.language.spoken import _, _n

_TYPED_MS = 180  # a pause in typing
_HEAD = 76
_SLIDER = 104


class LibraryView(QWidget):
    """Shows a listing; says what the person wants by signals.

    Parameters
    ----------
    on_this_machine : bool
        Whether the library is a file.
    """

    add_wanted = Signal()
    filter_typed = Signal()
    order_chosen = Signal(str)
    names_chosen = Signal(bool)
    """Names and dates are to stand under the photographs, or not."""
    cleared = Signal()
    """Everything is to be shown again: the filters in the side panel too."""
    continue_wanted = Signal()
    """Photographs that were to be added are to be read now."""
    only_cleared = Signal()
    """What was chosen on the map is not to be shown alone any more."""

    def __init__(self, on_this_machine: bool = True) -> None:
        super().__init__()
        self.grid = PhotoGrid()
        self._count = self._of = 0
        self._title = QLabel()
        self._title.setObjectName("title")
        self._about = ElidedLine("quiet")
        self._filter = self._make_filter()
        self._only = QPushButton()
        self._only.setObjectName("small")
        self._only.setToolTip(_("Shown alone, as chosen on the map; click to show all again (Esc)"))
        self._only.clicked.connect(self.only_cleared)
        self._only.hide()
        self._orders = {
            "date": self._order("date", _("By date"), _("Newest first, by month (Ctrl+D)")),
            "folder": self._order("folder", _("By folder"), _("By folder and name (Ctrl+Shift+D)")),
        }
        self._names = QPushButton(_("Names"))
        self._names.setCheckable(True)
        self._names.setAccessibleName(_("Names and dates under the photos"))
        self._names.setToolTip(_("Names and dates under the photos (Ctrl+Shift+N)"))
        self._names.clicked.connect(self.names_chosen)
        self._size = self._make_size()
        stays = _("Drop a folder of photos here. They stay where they are, and nothing leaves this machine.")
        goes = _("Drop a folder of photos here. They stay where they are. What is known of them goes to the server.")
        self._empty = EmptyState(
            stays if on_this_machine else goes,
            _("Add a folder…"),
            "Ctrl+O",
        )
        self._empty.wanted.connect(self.add_wanted)
        self._nothing = EmptyState(_("No photo fits what you chose."), _("Show all"))
        self._nothing.wanted.connect(self.clear_filter)
        self._pending = EmptyState("…", _("Continue"))
        self._pending.wanted.connect(self.continue_wanted)
        self._reading = EmptyState(_("The first photos appear here in a moment."))
        self._unread: QWidget | None = None  # what stands here where nothing was read yet
        self._views = QStackedWidget()
        for view in (self.grid, self._empty, self._nothing, QWidget(), self._pending, self._reading):
            self._views.addWidget(view)
        self._views.setCurrentIndex(3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._top = self._head()
        column.addWidget(self._top)
        column.addWidget(self._views, 1)
        for watched in (self.grid, self._filter):
            watched.installEventFilter(self)
        self.grid.selection_changed.connect(self._on_selection)
        self.show_order("date")

    def _make_filter(self) -> QLineEdit:
        made = QLineEdit()
        made.setObjectName("filter")
        made.setPlaceholderText(_("Type to filter"))
        made.setAccessibleName(_("Filter by name, folder, camera or date"))
        made.setToolTip(_("Filter by name, folder, camera or date (Ctrl+F, or just type)"))
        made.setClearButtonEnabled(True)
        made.setMinimumWidth(160)
        made.setMaximumWidth(320)
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.setInterval(_TYPED_MS)
        self._typed.timeout.connect(self.filter_typed)
        made.textChanged.connect(self._on_text)
        return made

    def _make_size(self) -> QSlider:
        made = QSlider(Qt.Orientation.Horizontal)
        made.setRange(SMALLEST, LARGEST)
        made.setSingleStep(STEP)
        made.setFixedWidth(_SLIDER)
        made.setValue(self.grid.tile_side)
        made.setAccessibleName(_("Size of the thumbnails"))
        made.setToolTip(_("Size of the thumbnails (Ctrl+wheel, Ctrl++, Ctrl+−)"))
        made.valueChanged.connect(self._on_size)
        self.grid.tile_side_changed.connect(made.setValue)
        return made

    def _on_size(self, side: int) -> None:
        self.grid.tile_side = side

    def _head(self) -> QWidget:
        adding = QPushButton(_("Add a folder…"))
        adding.setToolTip(_("Add a folder of photos (Ctrl+O); or drop one anywhere"))
        adding.clicked.connect(self.add_wanted)
        words = QWidget()
        lines = QVBoxLayout(words)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(4)
        lines.addWidget(self._title)
        lines.addWidget(self._about)
        words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        head = QWidget()
        head.setObjectName("head")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head.setMinimumHeight(_HEAD)
        row = FlowLayout()
        row.setContentsMargins(20, _HEAD // 6, 16, _HEAD // 6)
        for widget in (words, self._only, self._filter, *self._orders.values(), self._names, self._size, adding):
            row.addWidget(widget)
        head.setLayout(row)
        return head

    def _order(self, name: str, text: str, help_text: str) -> QPushButton:
        button = QPushButton(text)
        button.setCheckable(True)
        button.setToolTip(help_text)
        button.clicked.connect(lambda: self.order_chosen.emit(name))
        return button

    def show_order(self, name: str) -> None:
        """Mark the order in which photographs are shown."""
        for own, button in self._orders.items():
            button.setChecked(own == name)

    def show_names(self, shown: bool) -> None:
        """Mark whether names stand under the photographs."""
        self._names.setChecked(shown)

    def names(self) -> bool:
        """Return whether they do."""
        return self._names.isChecked()

    def words(self) -> str:
        """Return what was typed to filter."""
        return self._filter.text().strip()

    def set_words(self, words: str) -> None:
        """Filter by some words, as the window was left."""
        self._filter.setText(words)
        self._typed.stop()  # nobody typed; its signals are not blocked, for the cross that clears it hears them too

    def focus_filter(self) -> None:
        """Focus the filter."""
        self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filter.selectAll()

    def show_only(self, count: int) -> None:
        """Show that so many photographs are shown alone, as they were chosen on the map; 0 for none."""
        self._only.setText(_("{value} from the map  ✕", value=count))
        self._only.setAccessibleName(_("{value} from the map: show all again", value=count))
        if not count and self._only.hasFocus():
            self.grid.setFocus(Qt.FocusReason.OtherFocusReason)
        self._only.setVisible(count > 0)

    def is_narrowed(self) -> bool:
        """Return whether Esc shows more again."""
        return bool(self.words()) or not self._only.isHidden()

    def clear_filter(self) -> None:
        """Show everything again."""
        self.only_cleared.emit()
        self.set_words("")
        self.cleared.emit()

    def show_listing(self, rows: ListingRows, total: int, keep: bool = True) -> None:
        """Show photographs.

        Parameters
        ----------
        rows : ListingRows
        total : int
            How many the library has, also those that the filters leave out.
        keep : bool
            Whether current photograph, selection and place stay.
        """
        self._count = rows.count
        self.grid.show_rows(rows, keep=keep)
        self._of = total
        self._show_page(self.grid if self._count else self._nothing if total else self._unread or self._empty)
        self._on_selection(len(self.grid.selected_ids()))

    def show_pending(self, count: int, runs: bool) -> None:
        """Show how many photographs are still to be read, and whether they are being read now."""
        self._pending.set_sentence(_n("{count} photo still to be added.", "{count} photos still to be added.", count))
        self._unread = (self._reading if runs else self._pending) if count else None
        if self._views.currentWidget() in (self._empty, self._pending, self._reading):
            self._show_page(self._unread or self._empty)

    def _show_page(self, page: QWidget) -> None:
        """Show the grid or what stands in for it; keys that were on the one go on at the other, never into nothing."""
        if page is self._views.currentWidget():
            return
        held = self.window().focusWidget()
        held_here = held is None or self._views.isAncestorOf(held)
        self._top.setVisible(page is not self._empty)
        self._views.setCurrentWidget(page)
        if held_here and self.isVisible():
            self.focus_content()

    def focus_content(self) -> None:
        """Focus the photographs, or on what there is to do where there are none."""
        page = self._views.currentWidget()
        assert page is not None
        page.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_selection(self, count: int) -> None:
        if count > 1:
            self._title.setText(_("{value} of {of} selected", value=count, of=self._count))
        elif self._count == self._of:
            self._title.setText(_n("{count} photo", "{count} photos", self._count))
        else:
            self._title.setText(_("{value} of {of} photos", value=self._count, of=self._of))
        self._about.say(_("Enter finds look-alikes · Space shows it large") if self._count else "")

    def _on_text(self) -> None:
        self._typed.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Send what is typed on the grid into the filter, and Down or Esc from there back to the grid."""
        if outlived(self):
            return False
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        if watched is self._filter and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Escape):
            if event.key() == Qt.Key.Key_Escape:
                self._filter.clear()
            self.grid.setFocus(Qt.FocusReason.TabFocusReason)
            return True
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if watched is self.grid and plain and event.text().isalnum():
            self._filter.setFocus(Qt.FocusReason.OtherFocusReason)
            self._filter.insert(event.text())
            return True
        return super().eventFilter(watched, event)
