"""The page of the library: a bar to filter and order by, and the grid of photographs or the empty page."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSlider,
    QStackedWidget,
    QWidget,
)

from twinlens.app.gui.actions.declared_actions import library_actions, orders, window_actions
from twinlens.app.gui.library.library_listing import ListingRows
from twinlens.app.gui.library.timeline import Timeline
from twinlens.app.gui.look.buttons import ChoicePill
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import ElidedLine
from twinlens.app.gui.look.page_parts import EmptyState, column_of, command_button
from twinlens.app.gui.photo_grid.grid_sheet import LARGEST, SMALLEST
from twinlens.app.gui.photo_grid.photo_grid import STEP, PhotoGrid
from twinlens.app.language.texts import _, _n, text
from twinlens.core.message import size

_TYPED_MS = 180  # a pause in typing
_HEAD = 76
_SLIDER = 104


class LibraryView(QWidget):
    """The library view; signals tell the person's wishes."""

    add_wanted = Signal()
    empty_wanted = Signal()
    """The library has no photographs: its page is wanted."""
    filter_typed = Signal()
    order_chosen = Signal(str)
    names_chosen = Signal(bool)
    """Whether names and dates are to be shown under the photographs."""
    cleared = Signal()
    """All filters are to be cleared, also those of the side panel."""
    continue_wanted = Signal()
    """Pending photographs are to be read now."""
    selection_rests = Signal()
    """The selection has not changed for a moment."""
    only_cleared = Signal()
    """Photographs chosen on the map are no longer to be shown alone."""

    def __init__(self) -> None:
        super().__init__()
        self._timeline = Timeline()
        self.grid = PhotoGrid(bar=self._timeline)
        self._timeline.pointed.connect(self.grid.point_at)
        self.grid.laid_out.connect(lambda: self._timeline.follow(self.grid.layout_now))
        self._count = self._of = 0
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_TYPED_MS)
        self._rest.timeout.connect(self.selection_rests)
        self._title = QLabel()
        self._title.setObjectName("title")
        self._about = ElidedLine("quiet")
        self._filter = self._make_filter()
        self._only = QPushButton()
        self._only.setObjectName("small")
        self._only.setToolTip(_("Shown alone, as chosen on the map; click to show all again (Esc)"))
        self._only.clicked.connect(self.only_cleared)
        self._only.hide()
        actions = library_actions()
        self._order = ChoicePill(_("The order of the photos"), orders())
        self._order.chosen.connect(self.order_chosen)
        self._names = command_button(_("Names"), actions["names"])
        self._names.setCheckable(True)
        self._names.clicked.connect(self.names_chosen)
        self._size = self._make_size()
        self._empty = QWidget()  # until the library is found to be empty
        self._nothing = EmptyState(_("No photos match these filters."), _("Show all"))
        self._nothing.wanted.connect(self.clear_filter)
        self._pending = EmptyState("…", _("Continue"))
        self._pending.wanted.connect(self.continue_wanted)
        self._reading = EmptyState(_("The first photos appear here in a moment."))
        self._unread: QWidget | None = None  # page of a library in which nothing was read yet
        self._views = QStackedWidget()
        for view in (self.grid, self._empty, self._nothing, QWidget(), self._pending, self._reading):
            self._views.addWidget(view)
        self._views.setCurrentIndex(3)
        self._top = self._head()
        column_of(self._top, (self._views, 1), on=self, gap=0, margins=0)
        self.grid.selection_changed.connect(self._on_selection)

    def _make_filter(self) -> QLineEdit:
        made = QLineEdit()
        made.setObjectName("filter")
        made.setPlaceholderText(_("Type to filter"))
        made.setAccessibleName(_("Filter by name, folder, camera, date or keyword"))
        made.setToolTip(_("Filter by name, folder, camera, date or keyword (Ctrl+F, or just type)"))
        made.setClearButtonEnabled(True)
        made.setMinimumWidth(160)
        made.setMaximumWidth(320)
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.setInterval(_TYPED_MS)
        self._typed.timeout.connect(self.filter_typed)
        made.textChanged.connect(self._on_text)
        made.returnPressed.connect(self._focus_grid)
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
        adding = command_button(_("Add a folder…"), window_actions()["add"])
        adding.clicked.connect(self.add_wanted)
        words = QWidget()
        column_of(self._title, self._about, on=words, gap=4, margins=0)
        words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        head = QWidget()
        head.setObjectName("head")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        head.setMinimumHeight(_HEAD)
        row = FlowLayout()
        row.setContentsMargins(20, _HEAD // 6, 16, _HEAD // 6)
        for widget in (words, self._only, self._filter, self._order, self._names, self._size, adding):
            row.addWidget(widget)
        head.setLayout(row)
        return head

    def show_order(self, name: str) -> None:
        """Show the order of the photographs."""
        self._order.show_choice(name)

    def show_names(self, shown: bool) -> None:
        """Show whether names are shown under the photographs."""
        self._names.setChecked(shown)

    def names(self) -> bool:
        """Return whether names are shown."""
        return self._names.isChecked()

    def words(self) -> str:
        """Return the typed filter."""
        return self._filter.text().strip()

    def set_words(self, words: str) -> None:
        """Restore a typed filter."""
        self._filter.setText(words)
        self._typed.stop()  # not typed by a person; signals are not blocked, since the clear button needs them

    def focus_filter(self) -> None:
        """Focus the filter."""
        self._filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._filter.selectAll()

    def show_only(self, count: int) -> None:
        """Show that only ``count`` photographs chosen on the map are listed; 0 for all."""
        self._only.setText(_("{value} from the map  ✕", value=count))
        self._only.setAccessibleName(_("{value} from the map: show all again", value=count))
        if not count and self._only.hasFocus():
            self.grid.setFocus(Qt.FocusReason.OtherFocusReason)
        self._only.setVisible(count > 0)

    def is_narrowed(self) -> bool:
        """Return whether any filter is set that Esc clears."""
        return bool(self.words()) or not self._only.isHidden()

    def clear_filter(self) -> None:
        """Clear the typed filter and show all photographs."""
        self.only_cleared.emit()
        self.set_words("")
        self.cleared.emit()

    def show_listing(self, rows: ListingRows, total: int, keep: bool = True) -> None:
        """Show photographs.

        Parameters
        ----------
        total : int
            Number of photographs of the library, filtered or not.
        keep : bool
            Whether current photograph, selection and scroll position stay.
        """
        self._count = rows.count
        self.grid.show_rows(rows, keep=keep)
        self._timeline.show_dates(rows.dates, self.grid.layout_now)
        self._of = total
        self._show_page(self.grid if self._count else self._nothing if total else self._unread or self._empty)
        self._on_selection(len(self.grid.selected_ids()))

    def show_pending(self, count: int, runs: bool) -> None:
        """Show the number of pending photographs, and whether they are being read now."""
        self._pending.set_sentence(_n("{count} photo still to be added.", "{count} photos still to be added.", count))
        self._unread = (self._reading if runs else self._pending) if count else None
        if self._views.currentWidget() in (self._empty, self._pending, self._reading):
            self._show_page(self._unread or self._empty)

    def set_empty(self, page: QWidget) -> None:
        """Set the page of an empty library."""
        self._views.removeWidget(self._empty)
        self._views.insertWidget(1, page)
        self._empty.deleteLater()
        self._empty = page
        self._views.setCurrentWidget(page)

    def _show_page(self, page: QWidget) -> None:
        """Show the grid or a page in its place; the focus moves along."""
        if page is self._views.currentWidget():
            return
        held = self.window().focusWidget()
        held_here = held is None or self._views.isAncestorOf(held)
        self._top.setVisible(page is not self._empty)
        self._views.setCurrentWidget(page)
        if page is self._empty:
            self.empty_wanted.emit()
        if held_here and self.isVisible():
            self.focus_content()

    def focus_content(self) -> None:
        """Focus the photographs, or the button of the empty state."""
        page = self._views.currentWidget()
        assert page is not None
        page.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_selected_bytes(self, count: int) -> None:
        """Show how many bytes the selected photographs have."""
        selected = self.grid.selection.count
        if selected > 1:
            self._title.setText(
                _("{value} of {of} selected ({size})", value=selected, of=self._count, size=text(size(count)))
            )

    def _on_selection(self, count: int) -> None:
        self._rest.start()
        if count > 1:
            self._title.setText(_("{value} of {of} selected", value=count, of=self._count))
        elif self._count == self._of:
            self._title.setText(_n("{count} photo", "{count} photos", self._count))
        else:
            self._title.setText(_("{value} of {of} photos", value=self._count, of=self._of))
        self._about.say(_("Enter finds look-alikes · Space shows it large") if self._count else "")

    def _on_text(self) -> None:
        self._typed.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Lead from the filter back to the grid by Down or Esc."""
        if self._filter.hasFocus() and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Escape):
            if event.key() == Qt.Key.Key_Escape:
                self._filter.clear()
            self._focus_grid()
        else:
            super().keyPressEvent(event)  # letters go to the filter wherever they are typed

    def take_letter(self, event: QKeyEvent) -> bool:
        """Send a letter that nobody else wants to the filter; return whether it is one and there is a filter."""
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if not (plain and event.text().isalnum() and self._filter.isVisible()):
            return False
        self._filter.setFocus(Qt.FocusReason.OtherFocusReason)
        self._filter.insert(event.text())
        return True

    def _focus_grid(self) -> None:
        self.grid.setFocus(Qt.FocusReason.TabFocusReason)
