"""Page of the map: its choices above, the map with legend and photograph card, and the bar of the selection below."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QImage, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QStackedWidget, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import map_actions, photograph_actions, window_actions
from twinlens.app.gui.forms.parameter_controls import Chooser
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import Heading, small
from twinlens.app.gui.look.page_parts import STRETCH, EmptyState, column_of, command_button, row_of, scrolling, surface
from twinlens.app.gui.look.theme import grown
from twinlens.app.gui.map import map_sheet
from twinlens.app.gui.map.colouring import ColourBy, Colouring
from twinlens.app.gui.map.legend import PICTURE, Legend, PhotographCard
from twinlens.app.gui.map.map_canvas import MapCanvas
from twinlens.app.gui.pictures.small_pictures import filling
from twinlens.app.language.texts import _, _n

if TYPE_CHECKING:
    from twinlens.app.library.browsing import Photograph
    from twinlens.app.map.map_results import MapFacts, MapResult
    from twinlens.app.map.map_settings import LayoutKind


SAMPLES = (None, 2_000, 10_000, 50_000)
_SIDE_PX = 248
_KINDS: tuple[LayoutKind, ...] = ("neighbours", "pca")
_ORDER = (ColourBy.CLUSTER, ColourBy.FOLDER, ColourBy.DATE, ColourBy.MARK, ColourBy.LIKENESS)


class MapView(QWidget):
    """Page of the map.

    Signals
    -------
    add_wanted()
        There is no photograph: a folder is to be added.
    index_chosen(str), kind_chosen(str), sample_chosen(object), colour_chosen(str)
        The map is to be another one.
    anew_wanted()
        It is to be made anew, with what came later.
    again_wanted()
        It is to be made after all.
    library_wanted(list)
        These photographs are to be seen in the library.
    export_wanted(str)
        ``copy``, ``link`` or ``csv`` of what is selected; ``png`` or ``table`` of the map.
    stop_wanted()
        It is no longer to be laid out.
    shown()
        It comes into view.
    """

    add_wanted = Signal()
    index_chosen = Signal(str)
    kind_chosen = Signal(str)
    sample_chosen = Signal(object)
    colour_chosen = Signal(str)
    anew_wanted = Signal()
    again_wanted = Signal()
    library_wanted = Signal()
    export_wanted = Signal(str)
    stop_wanted = Signal()
    shown = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Map"))
        self._names: list[str] = []
        self._sample: int | None = None
        self._coloured: Colouring | None = None
        self.canvas, self.legend, self.card, self.bar = MapCanvas(), Legend(), PhotographCard(), SelectionBar()
        self.canvas.setAccessibleName(_("Photos on the map"))
        self._make_head()
        self._make_side()
        body = row_of((self.canvas, 1), self._side, gap=0)
        sheet = QWidget()
        column_of(self._head, (body, 1), self.bar, on=sheet, gap=0, margins=0)
        self._empty = EmptyState(
            _("The map puts photos that are alike beside each other. There are none yet: add a folder."),
            _("Add a folder…"),
            window_actions()["add"].keys[0],
        )
        self._empty.wanted.connect(self.add_wanted)
        self._waiting = EmptyState(_("Drawing the map…"), _("Cancel"), map_actions()["stop"].keys[0])
        self._waiting.wanted.connect(self.stop_wanted)
        attach(self._waiting, map_actions(), {"stop": self.stop_wanted.emit})
        self._fault = EmptyState(_("There is no map."), _("Try again"))
        self._fault.wanted.connect(self.again_wanted)
        self._sheet = sheet
        self._pages = QStackedWidget()
        for page in (sheet, self._empty, self._waiting, self._fault):
            self._pages.addWidget(page)
        self._pages.setCurrentIndex(2)
        column_of(self._pages, on=self, margins=0)
        self._connect()

    def _make_head(self) -> None:
        self._title, self._sentence = QLabel(), QLabel()
        self._title.setObjectName("title")
        self._sentence.setFont(small(self._sentence.font(), 0.94))
        self._sentence.setObjectName("quiet")
        self._sentence.setWordWrap(True)
        self._index, self._kind = Chooser(), Chooser()
        self._index.setAccessibleName(_("Index by whose measure photos are alike"))
        self._index.setToolTip(_("By which index photos are alike (I for the next)"))
        self._index.setSizeAdjustPolicy(Chooser.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._index.setMinimumContentsLength(12)
        self._kind.addItem(_("neighbours together"))
        self._kind.addItem(_("main directions"))
        self._kind.setAccessibleName(_("How photos are laid out"))
        self._kind.setToolTip(
            _(
                "Neighbours together: t-SNE keeps those together that are most alike. Main directions: principal "
                "components, at once (P for the other)"
            )
        )
        self._lasso = command_button(_("Lasso"), map_actions()["lasso"])
        self._lasso.setCheckable(True)
        self._fit = command_button(_("Fit"), map_actions()["whole"])
        self._more = command_button(_("More"), map_actions()["more"])
        about = QWidget()
        about.setMinimumWidth(grown(360))
        about.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        column_of(self._title, self._sentence, on=about, gap=3, margins=0)
        self._head = QWidget()
        surface(self._head, "head")
        self._head.setMinimumHeight(84)
        row = FlowLayout()
        row.setContentsMargins(20, 8, 16, 8)
        self._head.setLayout(row)
        for widget in (about, self._index, self._kind, self._lasso, self._fit, self._more):
            row.addWidget(widget)

    def _make_side(self) -> None:
        self._colour = Chooser()
        for name in (
            _("cluster"),
            _("folder"),
            _("date"),
            _("mark"),
            _("likeness to one"),
        ):
            self._colour.addItem(name)
        self._colour.setAccessibleName(_("What colours mean"))
        self._colour.setToolTip(_("What colours mean (1 cluster, 2 folder, 3 date, 4 mark, 5 likeness to one)"))
        side = QWidget()
        self._side = scrolling(side, _("Colour"))
        self._side.setObjectName("facts")
        self._side.setFixedWidth(grown(_SIDE_PX))
        column_of(
            Heading(_("Colour")),
            self._colour,
            self.legend,
            (STRETCH, 1),
            (self.card, 20),
            on=side,
            gap=8,
            margins=(16, 14, 14, 14),
        )

    def _connect(self) -> None:
        canvas = self.canvas
        self._index.activated.connect(lambda place: self.index_chosen.emit(self._names[place]))
        self._kind.activated.connect(lambda place: self.kind_chosen.emit(_KINDS[place]))
        self._colour.activated.connect(lambda place: self.colour_chosen.emit(_ORDER[place]))
        self._lasso.clicked.connect(self._on_lasso)
        canvas.tool_changed.connect(self._lasso.setChecked)
        self._fit.clicked.connect(canvas.fit)
        self._more.clicked.connect(self.show_more)
        canvas.selection_changed.connect(self.bar.show_count)
        canvas.encircled.connect(self.bar.show_encircled)
        self.bar.cleared.connect(self._on_cleared)
        self.bar.library_wanted.connect(self.library_wanted)
        self.bar.export_wanted.connect(self.show_export)
        self.legend.lit.connect(canvas.light)
        self.legend.only.connect(canvas.show_only)
        canvas.pictures.came.connect(self._picture_legend)
        by = ("by cluster", "by folder", "by date", "by mark", "by likeness")
        attach(
            self._sheet,
            map_actions(),
            {
                "index": self._next_index,
                "layout": self._other_kind,
                "in library": self.library_wanted.emit,
                "export": self.show_export,
                "more": self.show_more,
                **{name: partial(self.colour_chosen.emit, one) for name, one in zip(by, _ORDER, strict=True)},
            },
        )

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_map(self, found: MapResult, facts: MapFacts, coloured: Colouring, measure: str) -> None:
        """Show a map.

        Parameters
        ----------
        measure : str
            What its index compares, in plain words.
        """
        self._title.setText(map_sheet.map_title(len(found.ids)))
        self._sentence.setText(map_sheet.reading_help(found, measure))
        self._sentence.setToolTip(self._sentence.text())
        self._kind.setCurrentIndex(_KINDS.index(found.kind))
        self._show_page(0 if len(found.ids) else 1)
        self.canvas.show_map(found, facts, coloured)
        self.bar.show_count(self.canvas.selection.count)
        self._show_legend(coloured)

    def reading(self, found: MapResult, measure: str) -> str:
        """Explain how to read a map."""
        return map_sheet.reading_help(found, measure)

    def show_making(self, words_: str) -> None:
        """Show that a better map is being made."""
        if self._pages.currentIndex() == 0:
            self._sentence.setText(words_)

    def show_colours(self, coloured: Colouring) -> None:
        """Show another colouring."""
        self.canvas.show_colours(coloured)
        self._show_legend(coloured)

    def _show_legend(self, coloured: Colouring) -> None:
        same = self._coloured is not None and self._coloured.groups == coloured.groups
        self._coloured = coloured
        self._colour.setCurrentIndex(_ORDER.index(coloured.by))
        if not same:
            self.legend.show_colours(coloured)
            self.canvas.show_only(())
        self._picture_legend()

    def _picture_legend(self) -> None:
        """Show typical photographs in the legend, and load missing ones."""
        found, facts, wanted = self.canvas.found, self.canvas.facts, []
        if found is None or facts is None:
            return
        make = filling(PICTURE, self.devicePixelRatioF())
        for one in self.legend.lacking():
            if one in found.rows:
                content_hash = facts.hashes[found.rows[one]].tobytes()
                picture = self.canvas.pictures.pixmap(content_hash, make)
                if picture is not None:
                    self.legend.show_picture(one, picture)
                elif not self.canvas.pictures.unreadable(content_hash):
                    wanted.append((content_hash, make))
        self.canvas.want_beside(tuple(wanted))

    def show_indexes(self, names: Sequence[str], current: str) -> None:
        """Show the indexes to choose from."""
        if list(names) != self._names:
            self._names = list(names)
            self._index.clear()
            self._index.addItems(self._names)
        self._index.setCurrentIndex(self._names.index(current) if current in self._names else -1)

    def show_kind(self, kind: LayoutKind) -> None:
        """Show the chosen layout of the photographs."""
        self._kind.setCurrentIndex(_KINDS.index(kind))

    def show_sample(self, sample: int | None) -> None:
        """Show the largest number of photographs to lay out."""
        self._sample = sample

    def show_empty(self) -> None:
        """Show that there is no photograph."""
        self.canvas.show_nothing()
        self._show_page(1)

    def show_waiting(self) -> None:
        """Show that the map is being laid out."""
        self._show_page(2)

    def show_fault(self, sentence: str) -> None:
        """Show why there is no map."""
        self._fault.set_sentence(sentence)
        self._show_page(3)

    def show_photograph(self, photograph: Photograph | None, image: QImage | None, beside: str = "") -> None:
        """Show one photograph and its facts."""
        self.card.show_image(image)
        self.card.show_photograph(photograph, beside)

    def _show_page(self, page: int) -> None:
        if page == self._pages.currentIndex():
            return
        held = self.window().focusWidget()
        here = held is None or self._pages.isAncestorOf(held)
        self._pages.setCurrentIndex(page)
        if here and self.isVisible():
            self.focus_content()

    def focus_content(self) -> None:
        """Focus the map, or the control in its place."""
        page = self._pages.currentIndex()
        shown = (self.canvas, self._empty, self._waiting, self._fault)[page]
        shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def is_shown(self) -> bool:
        """Return whether there is a map."""
        return self._pages.currentIndex() == 0

    def sentence(self) -> str:
        """Return the sentence about reading the map."""
        return self._sentence.text()

    # --- what a person does ------------------------------------------------------------------------------------------

    def _on_lasso(self, on: bool) -> None:
        self.canvas.set_lasso_tool(on)
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_cleared(self) -> None:
        self.canvas.clear_selection()
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _next_index(self) -> None:
        if self._names:
            self.index_chosen.emit(self._names[(self._index.currentIndex() + 1) % len(self._names)])

    def _other_kind(self) -> None:
        self.kind_chosen.emit(_KINDS[1 - self._kind.currentIndex()])

    def show_export(self) -> None:
        """Show the menu of exports of the selection."""
        if not self.canvas.selection.count:
            self.show_more()
            return
        menu = QMenu(self)
        for text, how in (
            (_("Copies of the files…"), "copy"),
            (_("Links to the files…"), "link"),
            (_("A table of them…"), "csv"),
        ):
            self._act(menu, text, how)
        place = self.bar.export_place()
        menu.exec(place.mapToGlobal(place.rect().topLeft()))

    def show_more(self) -> None:
        """Show the menu of the map."""
        self.more_menu().exec(self._more.mapToGlobal(self._more.rect().bottomLeft()))

    def more_menu(self) -> QMenu:
        """Make the menu of the map."""
        menu = QMenu(self)
        sample = menu.addMenu(_("Photos on the map"))
        for count in SAMPLES:
            text = _("all") if count is None else _("a sample of {value}", value=count)
            one = sample.addAction(text, partial(self.sample_chosen.emit, count))
            one.setCheckable(True)
            one.setChecked(count == self._sample)
        names = menu.addAction(_("Names of clusters") + "\tN")
        names.setCheckable(True)
        names.setChecked(self.canvas.names_shown)
        names.toggled.connect(self.canvas.show_names)
        overview = menu.addAction(_("Overview in the corner where only a part is seen") + "\tO")
        overview.setCheckable(True)
        overview.setChecked(self.canvas.minimap.wished)
        overview.toggled.connect(self.canvas.minimap.wish)
        menu.addAction(_("Select all that is seen") + "\tCtrl+A", self.canvas.select_seen)
        menu.addAction(_("Select all of this colour") + "\tK", self.canvas.select_group)
        menu.addSeparator()
        self._act(menu, _("Save the whole map as a picture…"), "png")
        self._act(menu, _("Save the places as a table…"), "table")
        menu.addSeparator()
        menu.addAction(_("Make the map anew"), self.anew_wanted.emit)
        return menu

    def _act(self, menu: QMenu, text: str, how: str) -> QAction:
        return menu.addAction(text, lambda: self.export_wanted.emit(how))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Report that the page is visible."""
        super().showEvent(event)
        self.shown.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit the panels to the width."""
        super().resizeEvent(event)
        self._side.setFixedWidth(grown(_SIDE_PX if self.width() >= 900 else _SIDE_PX - 40))
        self._side.setFixedWidth(min(self._side.width() + max(0, (self.width() - 1600) // 8), grown(340)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Fit a small screen."""
        return QSize(640, 440)


_HEIGHT = 48


class SelectionBar(QWidget):
    """Bar of the selection, of fixed height, so the map never moves.

    Signals
    -------
    library_wanted(), alike_wanted(), export_wanted(), cleared()
    """

    library_wanted = Signal()
    alike_wanted = Signal()
    export_wanted = Signal()
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT)
        self._words = QLabel()
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._plain = self._words.font()
        self._count, self._encircled = 0, -1
        self._library = command_button(_("Show in the library"), map_actions()["in library"])
        self._library.setObjectName("main")
        self._alike = command_button(_("These are alike"), photograph_actions()["alike"])
        self._export = command_button(_("Export…"), map_actions()["export"])
        self._clear = command_button(_("Clear"), map_actions()["clear"])
        row = row_of((self._words, 1), on=self, gap=8, margins=(20, 0, 16, 0))
        for made, signal in (
            (self._library, self.library_wanted),
            (self._alike, self.alike_wanted),
            (self._export, self.export_wanted),
            (self._clear, self.cleared),
        ):
            made.clicked.connect(signal)
            row.addWidget(made)
        self._say()

    def show_count(self, count: int) -> None:
        """Show the number of selected photographs."""
        self._count = count
        self._say()

    def show_encircled(self, count: int) -> None:
        """Show the number of photographs inside the lasso; below 0 for no lasso."""
        self._encircled = count
        self._say()

    def export_place(self) -> QWidget:
        """Return the button at which the export menu opens."""
        return self._export

    def words(self) -> str:
        """Return the visible text."""
        return self._words.toolTip()

    def _say(self) -> None:
        acts = self._count > 0 and self._encircled < 0
        for one in (self._library, self._export, self._clear):
            one.setVisible(acts)
        self._alike.setVisible(acts and self._count > 1)
        if self._encircled >= 0:
            words = _n("{count} photo inside", "{count} photos inside", self._encircled)
        elif self._count:
            words = _n("{count} photo selected", "{count} photos selected", self._count)
        else:
            words = _(
                "Drag moves · the wheel comes closer · Shift+drag or L selects · Enter finds look-alikes · F shows all"
            )
        loud = bool(self._count) or self._encircled >= 0
        self._words.setFont(self._plain if loud else small(self._plain, 0.95))
        self._words.setObjectName("title" if loud else "quiet")
        self._words.style().polish(self._words)
        self._words.setToolTip(words)
        self._words.setAccessibleName(words)
        self._fit()

    def _fit(self) -> None:
        room = max(80, self._words.width())
        self._words.setText(
            self._words.fontMetrics().elidedText(self._words.toolTip(), Qt.TextElideMode.ElideRight, room)
        )

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as much text as fits."""
        super().resizeEvent(event)
        self._fit()
