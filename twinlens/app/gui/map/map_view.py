"""Page of the map: its choices above, the map with legend and photograph card, and the bar of the selection below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStackedWidget, QWidget

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
    from twinlens.app.library.browsing.photographs import Photograph
    from twinlens.app.map.map_results import MapFacts, MapResult
    from twinlens.app.map.map_settings import LayoutKind


SAMPLES = (None, 2_000, 10_000, 50_000)
_SIDE_PX = 248
KINDS: tuple[LayoutKind, ...] = ("neighbours", "pca")
COLOURINGS = (ColourBy.CLUSTER, ColourBy.FOLDER, ColourBy.DATE, ColourBy.MARK, ColourBy.LIKENESS)


class MapView(QWidget):
    """Page of the map.

    Signals
    -------
    shown()
        It comes into view.

    Attributes
    ----------
    index, kind, colour : Chooser
        By which index photographs are alike, how they are laid out, and what colours mean.
    more : QPushButton
        Opens the menu of the map.
    sheet : QWidget
        The map with all around it.
    empty, waiting, fault : EmptyState
        Stand in its place.
    """

    shown = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Map"))
        self._names: list[str] = []
        self._coloured: Colouring | None = None
        self.canvas, self.legend, self.card, self.bar = MapCanvas(), Legend(), PhotographCard(), SelectionBar()
        self.canvas.setAccessibleName(_("Photos on the map"))
        self._make_head()
        self._make_side()
        body = row_of((self.canvas, 1), self._side, gap=0)
        sheet = QWidget()
        column_of(self._head, (body, 1), self.bar, on=sheet, gap=0, margins=0)
        self.empty = EmptyState(
            _("The map puts photos that are alike beside each other. There are none yet: add a folder."),
            _("Add a folder…"),
            window_actions()["add"].keys[0],
        )
        self.waiting = EmptyState(_("Drawing the map…"), _("Cancel"), map_actions()["stop"].keys[0])
        self.fault = EmptyState(_("There is no map."), _("Try again"))
        self.sheet = sheet
        self._pages = QStackedWidget()
        for page in (sheet, self.empty, self.waiting, self.fault):
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
        self.index, self.kind = Chooser(), Chooser()
        self.index.setAccessibleName(_("Index by whose measure photos are alike"))
        self.index.setToolTip(_("By which index photos are alike (I for the next)"))
        self.index.setSizeAdjustPolicy(Chooser.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.index.setMinimumContentsLength(12)
        self.kind.addItem(_("neighbours together"))
        self.kind.addItem(_("main directions"))
        self.kind.setAccessibleName(_("How photos are laid out"))
        self.kind.setToolTip(
            _(
                "Neighbours together: t-SNE keeps those together that are most alike. Main directions: principal "
                "components, at once (P for the other)"
            )
        )
        self._lasso = command_button(_("Lasso"), map_actions()["lasso"])
        self._lasso.setCheckable(True)
        self._fit = command_button(_("Fit"), map_actions()["whole"])
        self.more = command_button(_("More"), map_actions()["more"])
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
        for widget in (about, self.index, self.kind, self._lasso, self._fit, self.more):
            row.addWidget(widget)

    def _make_side(self) -> None:
        self.colour = Chooser()
        for name in (
            _("cluster"),
            _("folder"),
            _("date"),
            _("mark"),
            _("likeness to one"),
        ):
            self.colour.addItem(name)
        self.colour.setAccessibleName(_("What colours mean"))
        self.colour.setToolTip(_("What colours mean (1 cluster, 2 folder, 3 date, 4 mark, 5 likeness to one)"))
        side = QWidget()
        self._side = scrolling(side, _("Colour"))
        self._side.setObjectName("facts")
        self._side.setFixedWidth(grown(_SIDE_PX))
        column_of(
            Heading(_("Colour")),
            self.colour,
            self.legend,
            (STRETCH, 1),
            (self.card, 20),
            on=side,
            gap=8,
            margins=(16, 14, 14, 14),
        )

    def _connect(self) -> None:
        canvas = self.canvas
        self._lasso.clicked.connect(self._on_lasso)
        canvas.tool_changed.connect(self._lasso.setChecked)
        self._fit.clicked.connect(canvas.fit)
        canvas.selection_changed.connect(self.bar.show_count)
        canvas.encircled.connect(self.bar.show_encircled)
        self.bar.clear.clicked.connect(self._on_cleared)
        self.legend.lit.connect(canvas.light)
        self.legend.only.connect(canvas.show_only)
        canvas.pictures.came.connect(self._picture_legend)

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
        self.kind.setCurrentIndex(KINDS.index(found.kind))
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
        self.colour.setCurrentIndex(COLOURINGS.index(coloured.by))
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
            self.index.clear()
            self.index.addItems(self._names)
        self.index.setCurrentIndex(self._names.index(current) if current in self._names else -1)

    def show_kind(self, kind: LayoutKind) -> None:
        """Show the chosen layout of the photographs."""
        self.kind.setCurrentIndex(KINDS.index(kind))

    def show_empty(self) -> None:
        """Show that there is no photograph."""
        self.canvas.show_nothing()
        self._show_page(1)

    def show_waiting(self) -> None:
        """Show that the map is being laid out."""
        self._show_page(2)

    def show_fault(self, sentence: str) -> None:
        """Show why there is no map."""
        self.fault.set_sentence(sentence)
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
        shown = (self.canvas, self.empty, self.waiting, self.fault)[page]
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
    """Bar of the selection, of fixed height, so the map never moves: its size, and the buttons of its actions."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT)
        self._words = QLabel()
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._plain = self._words.font()
        self._count, self._encircled = 0, -1
        self.library = command_button(_("Show in the library"), map_actions()["in library"])
        self.library.setObjectName("main")
        self.alike = command_button(_("These are alike"), photograph_actions()["alike"])
        self.export = command_button(_("Export…"), map_actions()["export"])
        self.clear = command_button(_("Clear"), map_actions()["clear"])
        row = row_of((self._words, 1), on=self, gap=8, margins=(20, 0, 16, 0))
        for made in (self.library, self.alike, self.export, self.clear):
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

    def words(self) -> str:
        """Return the visible text."""
        return self._words.toolTip()

    def _say(self) -> None:
        acts = self._count > 0 and self._encircled < 0
        for one in (self.library, self.export, self.clear):
            one.setVisible(acts)
        self.alike.setVisible(acts and self._count > 1)
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
