"""Knobs of the explorer: index, method and search structure, a row for each parameter, and the readings beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QVBoxLayout, QWidget

from twinlens.app.gui.forms.parameter_controls import Chooser, told
from twinlens.app.gui.lab.explore.explore_figures import moved_words
from twinlens.app.gui.lab.explore.explore_jobs import SettingReading
from twinlens.app.gui.lab.explore.knob_row import KnobRow
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import Heading, Sentence, plain_sentence
from twinlens.app.gui.look.page_parts import column_of, label, scrolling
from twinlens.app.gui.process.jobs import DrawingTurns
from twinlens.app.language.texts import _

if TYPE_CHECKING:
    from twinlens.app.lab.explore.explorer import ExplorerReading
    from twinlens.app.lab.explore.knobs import Knob, KnobSetting


SAMPLES = (500, 1_000, 2_000)
_LAID_OUT_MS = 60


class KnobPanel(QWidget):
    """Panel of the choices of the explorer and the parameters of its setting.

    Signals
    -------
    index_chosen(str), sample_chosen(int)
    method_chosen(str), search_chosen(str)
        By their keys.
    turned(str, object), typed(str, str)
        The path of a parameter, and the value that is wanted.
    held(bool)
        A slider is being dragged now, or no longer.
    made
        Every knob has its row.
    """

    index_chosen = Signal(str)
    sample_chosen = Signal(int)
    method_chosen = Signal(str)
    search_chosen = Signal(str)
    turned = Signal(str, object)
    typed = Signal(str, str)
    held = Signal(bool)
    made = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._index, self._sample = Chooser(), Chooser()
        self._method, self._search = Chooser(), Chooser()
        for chooser, name in (
            (self._index, _("Index whose vectors are examined")),
            (self._sample, _("Photos in the sample")),
            (self._method, _("Hash method")),
            (self._search, _("Search structure")),
        ):
            chooser.setAccessibleName(name)
            chooser.setToolTip(name)
            chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            chooser.setMinimumContentsLength(8)
        self.show_sample(SAMPLES[-1], SAMPLES[-1])
        self._index.activated.connect(lambda at: self.index_chosen.emit(self._index.itemText(at)))
        self._sample.activated.connect(lambda at: self.sample_chosen.emit(self._sample.itemData(at)))
        self._method.activated.connect(lambda at: self.method_chosen.emit(self._method.itemData(at)))
        self._search.activated.connect(lambda at: self.search_chosen.emit(self._search.itemData(at)))
        self._rows: dict[str, KnobRow] = {}
        self._values: dict[str, tuple[Knob, Any]] = {}
        self._turns = DrawingTurns(self)
        self._about, self._told = Sentence(), ""
        self._about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()

    def _lay_out(self) -> None:
        body = self._body = QWidget()
        self._column = column_of(on=body, gap=6, margins=(16, 12, 14, 12))
        top = FlowLayout()
        self._index.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        top.addWidget(self._index)
        top.addWidget(self._sample)
        self._column.addWidget(Heading(_("Vectors of")))
        self._column.addLayout(top)
        self._column.addSpacing(8)
        self._column.addWidget(Heading(_("How they become bits")))
        self._column.addWidget(self._method)
        self._method_rows, self._search_rows = QVBoxLayout(), QVBoxLayout()
        for rows in (self._method_rows, self._search_rows):
            rows.setSpacing(2)
        self._column.addLayout(self._method_rows)
        self._column.addSpacing(8)
        self._column.addWidget(Heading(_("How the bits are searched")))
        self._column.addWidget(self._search)
        self._column.addLayout(self._search_rows)
        self._column.addStretch()
        self._about.setContentsMargins(16, 8, 16, 8)
        self._area = scrolling(body, _("Parameters"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 1, 0)  # of the line at its right
        column.setSpacing(0)
        column.addWidget(self._area, 1)
        line = label()
        line.setFixedHeight(1)
        line.setProperty("role", "line")
        column.addWidget(line)
        column.addWidget(self._about)

    def rows(self) -> Mapping[str, KnobRow]:
        """Return the rows, by path."""
        return self._rows

    def show_indexes(self, names: Sequence[str], now: str) -> None:
        """Show the indexes to choose from."""
        self._index.clear()
        self._index.addItems(list(names))
        self._index.setCurrentIndex(max(0, list(names).index(now) if now in names else 0))

    def show_sample(self, count: int, library: int) -> None:
        """Show the size of the sample and of the library."""
        self._sample.clear()
        for some in SAMPLES:
            if some < library:
                self._sample.addItem(_("{some} drawn", some=some), some)
            else:
                self._sample.addItem(_("all {library}", library=library), some)
                break
        places = [self._sample.itemData(place) for place in range(self._sample.count())]
        self._sample.setCurrentIndex(
            next((place for place, some in enumerate(places) if some >= count), len(places) - 1)
        )

    def show_families(
        self, methods: Sequence[tuple[str, str, str]], searches: Sequence[tuple[str, str, str]]
    ) -> None:  # fmt: skip
        """Show methods and search structures: key, title, and their summary or why they are impossible."""
        for chooser, options in ((self._method, methods), (self._search, searches)):
            chooser.clear()
            for at, (key, title, about) in enumerate(options):
                chooser.addItem(told(title), key)
                chooser.setItemData(at, told(about), Qt.ItemDataRole.ToolTipRole)

    def show_setting(self, setting: KnobSetting, knobs: Sequence[Knob]) -> None:
        """Show a row for each knob; existing rows keep their places."""
        self._method.setCurrentIndex(self._method.findData(setting.method.key))
        self._search.setCurrentIndex(self._search.findData(setting.search.key))
        paths = [knob.path for knob in knobs]
        kinds = [knob.slides for knob in knobs]
        if paths != list(self._rows) or kinds != [row.knob.slides for row in self._rows.values()]:
            self._make_rows(knobs)
        self._values = {knob.path: (knob, setting.value(knob.path)) for knob in knobs}
        for path, row in self._rows.items():
            row.set_knob(*self._values[path])

    def are_rows_made(self) -> bool:
        """Return whether every knob has its row."""
        return self._turns.are_over()

    def _make_rows(self, knobs: Sequence[Knob]) -> None:
        """Make rows one after the other: many widgets at once would block the window."""
        focused = next((path for path, row in self._rows.items() if row.isAncestorOf(self.focusWidget() or self)), "")
        for row in self._rows.values():
            row.hide()
            row.deleteLater()
        self._rows = {}
        self._turns.begin(*(partial(self._make_row, knob, knob.path == focused) for knob in knobs), self._on_made)

    def _make_row(self, knob: Knob, focused: bool) -> None:
        row = self._rows[knob.path] = KnobRow(knob)
        row.turned.connect(self.turned)
        row.typed.connect(self.typed)
        row.held.connect(self.held)
        row.looked_at.connect(self.tell_about)
        (self._method_rows if knob.path.startswith("method.") else self._search_rows).addWidget(row)
        row.set_knob(*self._values[knob.path])
        if focused:
            row.slider.setFocus()

    def _on_made(self) -> None:
        self._keep_room()
        self.made.emit()

    def _keep_room(self) -> None:
        """Reserve the height of the longest help of a parameter, so that nothing moves."""
        metrics = QFontMetrics(self._about.font())
        room, wrapped = QRect(0, 0, max(1, self.width() - 34), 10_000), int(Qt.TextFlag.TextWordWrap)
        every = [
            metrics.boundingRect(room, wrapped, plain_sentence(_about(row))).height() for row in self._rows.values()
        ]
        self._about.setFixedHeight(max([4 * metrics.lineSpacing(), *every]) + metrics.lineSpacing() + 16)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Measure again."""
        super().resizeEvent(event)
        self._keep_room()

    def tell_about(self, path: str) -> None:
        """Show the help of a parameter, from its declaration."""
        row = self._rows.get(path)
        if row is not None:
            self._told = path
            self._about.say(_about(row))

    def focus_last(self) -> None:
        """Focus the slider whose help was shown last."""
        self.focus(self._told)

    def focus(self, path: str = "") -> None:
        """Focus a slider, or the first one."""
        sliders = {own: row.slider for own, row in self._rows.items() if row.knob.slides}
        held = sliders.get(path, next(iter(sliders.values()), None))
        if held is None:
            self._index.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        held.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reveal(path)

    def reveal(self, path: str) -> None:
        """Scroll until a parameter is visible."""
        row = self._rows.get(path)
        if row is not None:
            # Rows that were made just now are laid out when Qt comes to it.
            QTimer.singleShot(
                _LAID_OUT_MS, row, lambda: self._area.ensureWidgetVisible(row, 0, self._area.height() // 3)
            )


def _about(row: KnobRow) -> str:
    return f"**{told(row.knob.name)}** · {told(row.knob.about.help)}"


class KnobReadings(QObject):
    """Readings in a panel of knobs."""

    def __init__(self, panel: KnobPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._panel = panel
        self.path = "method.bits"
        """Of the knob that is turned."""
        self.shown = False
        """Whether knobs are seen."""
        self._new = True  # a sample or method that was not seen before
        self._read: SettingReading | None = None  # the last with its knobs
        self._pinned: KnobSetting | None = None
        panel.made.connect(self._on_made)

    def begin(self, path: str) -> None:
        """Begin with a knob of a new sample or method."""
        self.path, self._new = path, True

    def show(self, read: SettingReading, whole: bool, pinned: ExplorerReading | None) -> None:
        """Show a reading, and its knobs unless the person has moved on meanwhile."""
        self._pinned = None if pinned is None else pinned.setting
        if whole and read.knobs:
            self._read = read
            if self.shown:
                self._show_knobs(read)
        self.show_points(read)
        self._show_kept(read.reading)

    def come(self, setting: KnobSetting | None) -> None:
        """Show the knobs, at once if they are known."""
        self.shown = True
        if self._read is not None and setting == self._read.reading.setting:
            self._show_knobs(self._read)

    def say_moved(self, before: KnobSetting, was: ExplorerReading, reading: ExplorerReading) -> None:
        """Show the effect of turning a knob."""
        row = self._panel.rows().get(self.path)
        if row is not None and before != reading.setting:
            row.say(moved_words(row.knob, before, reading.setting, was, reading))

    def show_points(self, read: SettingReading) -> None:
        """Show the known points along the sliders, and the pinned setting."""
        rows, pinned = self._panel.rows(), self._pinned
        for path, points in read.points.items():
            if path in rows:
                there = pinned is not None and pinned.method.key == read.reading.setting.method.key
                try:
                    value = pinned.value(path) if pinned is not None and there else None
                except AttributeError:  # of another search structure or kernel
                    value, there = None, False
                rows[path].set_points(points, value, there)

    def _show_knobs(self, read: SettingReading) -> None:
        self._panel.show_setting(read.reading.setting, read.knobs)
        if self._new and self._panel.are_rows_made():
            self._on_made()

    def _on_made(self) -> None:
        if self._read is not None:
            self.show_points(self._read)
            self._show_kept(self._read.reading)
        if self._new:
            self._new = False
            self._panel.reveal(self.path)
            self._panel.tell_about(self.path)

    def _show_kept(self, reading: ExplorerReading) -> None:
        """Show the share of the spectrum that the rank keeps."""
        ranked = self._panel.rows().get("method.rank")
        if ranked is not None and reading.captured is not None:
            ranked.set_beside(_("{captured} % kept", captured=f"{100 * reading.captured:.0f}"))
