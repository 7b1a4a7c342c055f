"""View of the sheet of any experiment: finding, curves, table, pictures of the current row, and notes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QSizePolicy, QVBoxLayout, QWidget

from twinlens.app.gui.actions.action import attach, offer
from twinlens.app.gui.actions.lab_actions import lab_actions
from twinlens.app.gui.charts.chart import ChartBoard, FigureChips
from twinlens.app.gui.lab.experiment_list import new_menu
from twinlens.app.gui.lab.sheet.line_pictures import LinePictures
from twinlens.app.gui.lab.sheet.sheet_export import export_kinds
from twinlens.app.gui.lab.sheet.sheet_head import ExperimentState, FindingCard, SheetHead
from twinlens.app.gui.lab.theory.theory_panel import ChartLayers, TheoryPanel
from twinlens.app.gui.lists.table import TableView
from twinlens.app.gui.lists.table_model import TableColumn, TableSheet
from twinlens.app.gui.look.page_parts import PageCard, column_of, command_button, label, row_of, scrolling, surface
from twinlens.app.gui.process.jobs import DrawingTurns
from twinlens.app.lab.lab_sheet import LabSheet, SheetColumn, SheetRow
from twinlens.app.language.texts import _, text, translate

_GAP = 16
_LAID_OUT_MS = 60


class SheetView(QWidget):
    """View of a sheet.

    Signals
    -------
    export_wanted : str
        Ending of the file; with " vectors" behind it for an experiment with its vectors.
    figures_changed
        Other figures or rows are to be seen in the charts.
    keep_wanted : str, str
        Key of a row that is to become an index, and its name, empty for the proposed one.
    line_changed
        The keys or a click went to another row.
    """

    export_wanted = Signal(str)
    figures_changed = Signal()
    keep_wanted = Signal(str, str)
    line_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown, self._doing = LabSheet(), ExperimentState("several")
        self._can_keep: Callable[[SheetRow], bool] = lambda row: row.index is not None
        self._turns = DrawingTurns(self)
        self._form: QWidget = QWidget(self)
        self._focus_form: Callable[[], object] = self._form.setFocus
        self._follows = True  # the current row is the one that is proposed, whichever it will be
        self.head, self.finding, self.chips, self.board = SheetHead(), FindingCard(), FigureChips(), ChartBoard()
        self.layers = ChartLayers(self.board, self)
        self.board.hint = _("Click to choose this line")
        self.theory, self.table, self.line, self.notes = TheoryPanel(), SheetTable(), LinePictures(), NotesCard()
        self._card = PageCard()
        self._card.column.setContentsMargins(8, 4, 8, 8)
        self._card.column.addWidget(self.table)
        for hidden in (self.finding, self.chips, self.board, self._card):
            hidden.hide()  # until there is something in it: what is not seen is not laid out
        sheet = QWidget()
        surface(sheet, "ground")
        self._scroll = scrolling(sheet, _("Results"))
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # so that no chart jumps
        column_of(self.head, (self._scroll, 1), on=self, gap=0, margins=0)
        self._column = column_of(on=sheet, gap=0, margins=0)
        self._above = self._add_cards(self.finding)
        for one in (self.chips, self.board, self.theory):
            self._column.addWidget(one)
        self._add_cards(self._card, self.line, self.notes)
        self._column.addSpacing(_GAP)
        self._column.addStretch()
        self.show_doing(self._doing)
        self._connect()

    def _add_cards(self, *cards: QWidget) -> QVBoxLayout:
        around = column_of(*cards, gap=_GAP, margins=(_GAP, _GAP, _GAP, 0))
        self._column.addLayout(around)
        return around

    def add_form(self, focus: Callable[[], object], *widgets: QWidget) -> None:
        """Add a form above the finding, with its focus function."""
        self._form, self._focus_form = widgets[0], focus
        for place, one in enumerate(widgets):
            self._above.insertWidget(place, one)

    def has_form(self) -> bool:
        """Return whether the form is shown."""
        return not self._form.isHidden()

    def focus(self) -> None:
        """Focus the form, or the table."""
        (self._focus_form if self.has_form() else self.focus_table)()

    def bind(self, acts: Mapping[str, Callable[[], object]], parts: Collection[QWidget] = ()) -> None:
        """Bind what is done with an experiment and its row to the buttons, and to keys here and in other parts.

        Parameters
        ----------
        acts : mapping of str to callable
            By the names of the actions: resume, again, keep, change, stop, default, compare, turn and copy.
        """
        actions, parts = lab_actions(), (*parts, self)
        own: dict[str, Callable[[], object]] = {
            "index": lambda: self.keep_wanted.emit(self.key(), self.finding.name.name),
            "back": lambda: self.choose(self._shown.proposed),
        }
        offer(self, actions, {**acts, **own}, parts)
        # A chart has its own menu at X.
        beside = (*parts[:-1], self.head, self.finding, self.chips, self.table)
        offer(self.theory, actions, {"theory": self.layers.press}, ())
        offer(self.head, actions, {"export": self.open_export}, beside)
        always: dict[str, Callable[..., object]] = {
            "table": self.focus_table,
            "charts": self.focus_charts,
            "theory": self.layers.press,
            "figures": self.chips.press,
        }
        for part in parts:
            attach(part, actions, always)
        attach(self, actions, {"name": self.finding.to_name})  # F2 beside it renames the experiment

    def _connect(self) -> None:
        table, board = self.table, self.board
        self.chips.changed.connect(self._on_chips)
        table.hidden_changed.connect(self.figures_changed)
        table.lit.connect(self._light)
        table.chosen.connect(self._on_kept)
        table.selectionModel().currentRowChanged.connect(lambda *__: self._on_line())
        board.point_hovered.connect(lambda key: self._light(key or ""))
        board.point_clicked.connect(self.choose)
        self.layers.changed.connect(self._on_layers)

    # --- what is shown -----------------------------------------------------------------------------------------------

    @property
    def shown(self) -> LabSheet:
        """The shown sheet."""
        return self._shown

    def show_sheet(self, shown: LabSheet, doing: ExperimentState, can_keep: Callable[[SheetRow], bool]) -> None:
        """Show a sheet part by part, so that the window stays responsive; existing charts only draw anew."""
        self._follows = self._follows or self.key() == self._shown.proposed
        self._shown, self._can_keep = shown, can_keep
        self.head.show_of(translate(shown.title), text(shown.about))
        self.notes.show_notes([text(one) for one in shown.notes], shown.command)
        self.show_doing(doing)
        self._turns.begin(self._show_table, self._show_chips, self._draw)

    def _show_table(self) -> None:
        self.table.set_hidden(self._shown.hidden)
        self.table.show_sheet(sheet_table(self._shown, self._can_keep))
        self._card.setVisible(bool(self._shown.rows))
        row = self._shown.row("" if self._follows else self.table.current_key())
        self._follows = False
        if row is not None and row.key != self.table.current_key():
            self.table.setCurrentIndex(self.table.rows.index(self.table.rows.place(row.key), 0))
        else:
            self._on_line()

    def _show_chips(self) -> None:
        self.chips.show_figures(self._shown.figures)
        self.chips.setVisible(len(self._shown.figures) > len(self.chips.seen()))

    def show_doing(self, doing: ExperimentState) -> None:
        """Show the state of the experiment."""
        self._doing = doing
        self.head.show_doing(doing, bool(self._shown.rows))

    def is_drawn(self) -> bool:
        """Return whether everything is drawn."""
        return self._turns.are_over()

    def _draw(self) -> None:
        self.board.show()
        seen = self.chips.seen()
        drawn = [self.layers.drawn(one) for one in self._shown.figures if one.name in seen]
        if drawn:
            self._turns.begin(*self.board.turns(drawn), self.layers.offer, self.board.place, self._relight)
        elif self._shown.figures:
            self.board.show_nothing(_("Choose a figure above."))
        elif self._shown.rows:
            words = _("All rows are hidden. Press H on a row of the table to show it.")
            self.board.show_nothing(words)
        elif self._doing.busy:
            self.board.show_waiting(_("The first curves appear after the first step."))
        else:
            self.board.show_nothing(_("Nothing is measured yet."))

    # --- the current row ---------------------------------------------------------------------------------------------

    def current_row(self) -> SheetRow | None:
        """Return the row of the keys or the last click, or the proposed one."""
        return self._shown.row(self.table.current_key())

    def key(self) -> str:
        """Return the key of the current row; empty for none."""
        row = self.current_row()
        return "" if row is None else row.key

    def choose(self, key: str) -> None:
        """Go to a row."""
        self.table.go_to(key)

    def forget_row(self) -> None:
        """Go to the row that the next sheet proposes."""
        self._follows = True

    def focus_table(self) -> None:
        """Focus the table."""
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._scroll.ensureWidgetVisible(self.table)

    def focus_charts(self) -> None:
        """Focus the first chart."""
        self.board.charts[0].setFocus(Qt.FocusReason.OtherFocusReason)
        self._scroll.ensureWidgetVisible(self.board.charts[0])

    def to_top(self) -> None:
        """Scroll to the beginning."""
        self._scroll.verticalScrollBar().setValue(0)

    def reveal_finding(self) -> None:
        """Scroll the finding into view."""
        self._scroll.ensureWidgetVisible(self.finding)

    def _on_line(self) -> None:
        shown, row = self._shown, self.current_row()
        instead = row if row is not None and row.sentence else None
        badge = _("Chosen instead") if instead else text(shown.badge)
        sentence = instead.sentence if instead else shown.finding
        reasons = [text(one) for one in (instead or shown).reasons]
        self.finding.show_finding(badge, text(sentence), reasons, text(shown.warning))
        self._light("")
        self.line_changed.emit()

    def _on_kept(self, key: str) -> None:
        current = key == self.key() and not self.finding.name.isHidden()
        self.choose(key)
        self.keep_wanted.emit(key, self.finding.name.name if current else "")

    def _light(self, key: str) -> None:
        """Highlight the row under the pointer in charts and table, else the current row in the table."""
        current = self.key()
        self.table.light(key, current)
        self.board.highlight(key or (current if self._shown.badge else None))

    def _relight(self) -> None:
        self._light("")

    def reveal_theory(self) -> None:
        """Scroll theory into view."""
        QTimer.singleShot(_LAID_OUT_MS, self, lambda: self._scroll.ensureWidgetVisible(self.theory.title, 0, 120))

    def _on_layers(self) -> None:
        if self._turns.are_over():
            self._draw()

    def _on_chips(self) -> None:
        self._turns.begin(self._show_chips, self._draw)
        self.figures_changed.emit()

    # --- export ------------------------------------------------------------------------------------------------------

    def open_export(self) -> None:
        """Show the menu of exports."""
        if not self._shown.rows:
            return
        menu = new_menu(self)
        for ending, words in export_kinds(self._doing.state).items():
            menu.addAction(words).triggered.connect(lambda __=False, ending=ending: self.export_wanted.emit(ending))
        menu.popup(self.head.under("export"))


_ROWS_SEEN = 14


def sheet_table(shown: LabSheet, can_keep: Callable[[SheetRow], bool]) -> TableSheet[SheetRow]:
    """Return the table of a sheet, with a link in each row that can become an index."""
    link: TableColumn[SheetRow] = TableColumn(
        "",
        lambda row: _("create index") if can_keep(row) else "",
        number=True,
        help=_("Create an index with this method and search structure (I)"),
        link=True,
    )
    return TableSheet(
        [*(_column(one, shown.rows) for one in shown.columns), link],
        shown.rows,
        dot=lambda row: row.place,
        about=lambda row: text(row.about),
        quiet=lambda row: row.quiet,
    )


def _column(one: SheetColumn, rows: Sequence[SheetRow]) -> TableColumn[SheetRow]:
    number = any(isinstance(one.of(row.values), float) for row in rows)
    value = (lambda row: one.of(row.values)) if number else None
    return TableColumn(
        translate(one.heading),
        lambda row: text(one.words(row)),
        value,
        number=number,
        help=text(one.help),
        lesser=one.lesser,
    )


class SheetTable(TableView[SheetRow]):
    """Table of rows; a row is hidden from the charts by H, and kept as an index by Enter.

    Signals
    -------
    plan_wanted : str
        Key of a row whose method a new experiment is to have.
    turn_wanted
        The knobs of the current row are to be turned.
    """

    plan_wanted = Signal(str)
    turn_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(_("Measured indexes"), hides=True, seen=_ROWS_SEEN)

    def fill_menu(self, menu: QMenu, row: SheetRow) -> None:
        """Fill the menu of a row with its actions."""
        make = menu.addAction(_("Create index") + "\tI", partial(self.chosen.emit, row.key))
        make.setEnabled(self.rows.sheet.chooses(row))
        words = _("Show in the charts") if row.key in self.hidden() else _("Hide from the charts")
        menu.addAction(words + "\tH", partial(self.hide_or_show, row.key))
        turn = menu.addAction(_("Explore settings") + "\tV", self.turn_wanted.emit)
        turn.setEnabled(row.index is not None and any(row.index.line))
        menu.addAction(_("New experiment with this method"), partial(self.plan_wanted.emit, row.key))


class NotesCard(PageCard):
    """Notes, small, below everything else."""

    def __init__(self) -> None:
        super().__init__(_("Notes"))
        self._notes, self._command = label("", "quiet", wrap=True), label("", "mono", wrap=True)
        for one in (self._notes, self._command):
            one.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            one.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        copy = command_button(_("Copy the command  Y"), lab_actions()["copy"], "link")
        self._same = QWidget()
        row_of(label(_("In a terminal:"), "quiet"), (self._command, 1), copy, on=self._same, gap=12, margins=0)
        self.column.addWidget(self._notes)
        self.column.addWidget(self._same)
        self.hide()

    def show_notes(self, notes: Sequence[str], command: str) -> None:
        """Show notes and the command."""
        self._notes.setText("\n".join(f"· {one}" for one in notes))
        self._notes.setVisible(bool(notes))
        self._command.setText(command)
        self._same.setVisible(bool(command))
        self.setVisible(bool(notes or command))

    def words(self) -> tuple[str, str]:
        """Return the notes and the command."""
        return self._notes.text(), self._command.text()
