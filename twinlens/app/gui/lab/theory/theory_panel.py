"""Panel under the curves of an experiment, with the results of theory in numbers and charts.

Switches at the charts show and hide the curves of theory that lie over them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QSizePolicy, QWidget

from twinlens.app.gui.actions.action import offer
from twinlens.app.gui.actions.lab_actions import lab_actions, theory_actions
from twinlens.app.gui.charts.chart import ChartBoard
from twinlens.app.gui.lab.theory.theory_options import KINDS, TheoryOptions, theory_topic
from twinlens.app.gui.look.flow_layout import Flow
from twinlens.app.gui.look.labels import ElidedLine
from twinlens.app.gui.look.page_parts import (
    PageCard,
    ThinBar,
    column_of,
    command_button,
    label,
    row_of,
    set_role,
    surface,
)
from twinlens.app.gui.process.jobs import DrawingTurns
from twinlens.app.lab.figures.figure import Dash, Figure
from twinlens.app.language.texts import _, text, translate
from twinlens.app.methods import catalogue
from twinlens.core.message import Message

if TYPE_CHECKING:
    from twinlens.app.lab.experiments.lab_results import LabRun
    from twinlens.app.lab.figures.figure import Figure
    from twinlens.app.lab.theory.theory_results import Theory


_CHARTS = {"rank": 3, "hamming": 3, "bounds": 2, "rotation": 4, "metric": 3}


class TheoryPanel(QWidget):
    """Panel of theory.

    Signals
    -------
    kind_wanted : str
        Another topic is chosen.
    """

    kind_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Theory"))
        self.kind = KINDS[0]
        self.knobs, self.board, self.finding = TheoryOptions(), ChartBoard(), FindingBox()
        self.title, self.line, self._bar, self._kinds = label("", "title"), ElidedLine("quiet"), ThinBar(), Flow(6)
        self._line = ""
        self._turns = DrawingTurns(self)
        self.again = command_button(_("Compute"), theory_actions()["again"])
        self.cancel = command_button(_("Cancel"), theory_actions()["cancel"])
        self.export = command_button(_("Export all"), theory_actions()["export"])
        self._hide = command_button("×", lab_actions()["theory"], "link")
        self._lay_out()
        offer(self, theory_actions(), {"export": self._show_export})
        self.hide()

    def _lay_out(self) -> None:
        card = PageCard(_("Theory"))
        self.title.setWordWrap(True)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = row_of((self.title, 1), gap=8)
        for made in (self.cancel, self.again, self.export, self._hide):
            row.addWidget(made, 0, Qt.AlignmentFlag.AlignTop)
        card.column.addLayout(row)
        for widget in (self._kinds, self.knobs, self._bar, self.line, self.finding):
            card.column.addWidget(widget)
        self.line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column_of(column_of(card, margins=(16, 0, 16, 0)), self.board, on=self, gap=0, margins=0)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_kinds(self, kinds: Sequence[str]) -> None:
        """Set the topics that explain a curve."""
        buttons: list[QWidget] = []
        for kind in kinds:
            made = QPushButton(theory_topic(kind).short)
            made.setObjectName("small")
            made.setCheckable(True)
            made.setChecked(kind == self.kind)
            made.clicked.connect(partial(self._want, kind))
            buttons.append(made)
        self._kinds.set_widgets(buttons)
        self._kinds.setVisible(len(kinds) > 1)

    def _want(self, kind: str, *__: object) -> None:
        self.kind_wanted.emit(kind)

    def show_kind(self, kind: str) -> None:
        """Show the heading and the options of a topic; its result follows by `show_theory`."""
        self.kind = kind
        self.title.setText(theory_topic(kind).heading)
        self.knobs.show_kind(kind)
        for made in self._kinds.findChildren(QPushButton):
            made.setChecked(made.text() == theory_topic(kind).short)

    def show_theory(self, found: Theory, stale: bool = False) -> None:
        """Show a result; stale: the library has changed since."""
        self.finding.say(text(found.answer), theory_topic(self.kind).background)
        self._turns.begin(*self.board.turns(found.figures))
        line = f"{text(found.sample).rstrip('.')} · {found.declaration}"
        since = _("The library has changed since")
        self._line = f"{since} · {line}" if stale else line
        self.export.setEnabled(True)
        self.show_idle()

    def show_nothing_yet(self, words: str) -> None:
        """Reserve room for the coming result."""
        self.finding.say(words, theory_topic(self.kind).background, quiet=True)
        self.board.show_waiting("", _CHARTS[self.kind])
        self._line = ""
        self.export.setEnabled(False)

    def show_failure(self, sentence: str, next_step: str) -> None:
        """Show an error, and its remedy."""
        self._turns.begin()
        self.finding.say(f"{sentence} {next_step}", theory_topic(self.kind).background)
        self.board.show([])
        self._line = ""
        self.export.setEnabled(False)
        self.show_idle()

    def show_progress(self, share: float, words: str) -> None:
        """Show the progress; the visible result stays until the new one is ready."""
        self._bar.show_share(share)
        if words:
            self.line.say(_("Computing: {doing}, {share:.0%}", doing=words, share=share))
        else:
            self.line.say(_("Computing: {share:.0%}", share=share))
        self.cancel.setVisible(True)
        self.again.setVisible(False)

    def show_idle(self) -> None:
        """Show that no job is running."""
        self._bar.show_share(-1.0)
        self.line.say(self._line)
        self.cancel.setVisible(False)
        self.again.setVisible(True)

    def is_drawn(self) -> bool:
        """Return whether every chart is drawn."""
        return self._turns.are_over()

    def export_menu(self) -> QMenu:
        """Make the menu of export formats for all charts."""
        menu = QMenu(self)
        for how, words in (
            ("png", _("All charts as PNG…")),
            ("svg", _("All charts as SVG…")),
            ("csv", _("All points as CSV…")),
        ):
            action = menu.addAction(words)
            action.triggered.connect(lambda __=False, how=how: self.board.save_wanted.emit(self.board.figures, how))
        return menu

    def _show_export(self) -> None:
        menu = self.export_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.export.mapToGlobal(QPoint(0, self.export.height() + 2)))


class FindingBox(QFrame):
    """Card with an accent line at its left."""

    def __init__(self) -> None:
        super().__init__()
        surface(self, "answer")
        self.finding, self.more, self.background = (label(wrap=True) for __ in range(3))
        set_role(self.background, "quiet")
        column = column_of(on=self, gap=6, margins=(20, 14, 20, 14))
        for one, pixels in ((self.finding, 15), (self.more, 13), (self.background, 12)):
            one.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            font = one.font()
            font.setPixelSize(pixels)
            one.setFont(font)
            column.addWidget(one)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def words(self) -> str:
        """The whole text."""
        return " ".join(filter(None, [self.finding.text(), self.more.text()]))

    def say(self, finding: str, background: str, quiet: bool = False) -> None:
        """Show a text, paler while there is no result."""
        first, _, rest = finding.partition(". ")
        self.finding.setText(f"{first}." if rest else finding)
        self.more.setText(rest)
        self.more.setVisible(bool(rest))
        self.background.setText(background)
        for one in (self.finding, self.more):
            set_role(one, "quiet" if quiet else "")


class ChartLayers(QObject):
    """Switches of theory at charts.

    Parameters
    ----------
    switched : str, bool
        Name of a figure, and whether theory is to be laid over it.
    changed
        The charts are to be drawn anew.
    told : str
        Why theory cannot be laid over any.
    """

    switched = Signal(str, bool)
    changed = Signal()
    told = Signal(str)

    def __init__(self, board: ChartBoard, parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self.over = ""
        """Name of the figure that theory is laid over; empty for none."""
        self._found: Theory | None = None
        self._kinds: Mapping[str, tuple[str, ...]] = {}
        board.layer_switched.connect(self.switched)

    def show(self, kinds: Mapping[str, tuple[str, ...]]) -> None:
        """Show switches at some figures, by their names, with the topics of each."""
        self._kinds = kinds
        self.offer()

    def offer(self) -> None:
        """Add a switch to each chart that theory explains."""
        for chart in self._board.charts:
            name = "" if chart.figure is None else chart.figure.name
            kinds = self._kinds.get(name, ())
            words = (_("Theory") if _has_its_axes(name, kinds[0]) else _("Theory below")) if kinds else ""
            chart.offer_layer(words, theory_topic(kinds[0]).heading if kinds else "", name == self.over)

    def lay(self, figure: str, found: Theory | None = None) -> None:
        """Draw theory over a figure; an empty name hides it."""
        self.over, self._found = figure, found
        self.changed.emit()

    def press(self) -> None:
        """Draw theory over the first figure that it explains, or hide it."""
        known = [one.name for one in self._board.figures if self._kinds.get(one.name)]
        first = next((name for name in known if name.endswith("-rank")), known[0] if known else "")
        if self.over or first:
            self.switched.emit(self.over or first, not self.over)
        elif names := ", ".join(translate(one.title) for one in self._board.figures):
            self.told.emit(_("Theory says nothing about {figures}.", figures=names))

    def drawn(self, figure: Figure) -> Figure:
        """Return a figure with theory along its axes, if it is drawn over it."""
        return figure if self._found is None or figure.name != self.over else laid_over(figure, self._found)


_OF_METHODS = {
    "rank": ("klsh", "preimage-klsh", "kpca-lsh", "nystrom-lsh", "kpca-itq"),
    "hamming": ("sik", "bilinear-sik"),
    "rotation": ("itq", "bilinear-itq", "kpca-itq"),
}
"""Kinds of theory, and the hash methods whose ranking they explain."""


def kinds_of(figure: Figure, runs: Sequence[LabRun], metrics: bool) -> tuple[str, ...]:
    """Return the kinds of theory that explain a curve, the closest first.

    Parameters
    ----------
    runs : sequence of LabRun
        That it draws.
    metrics : bool
        Whether the library has learned metrics.
    """
    if not runs or not all(run.id > 0 and run.plan_names_index for run in runs):
        return ()  # theory is drawn over vectors of the library
    if figure.name.startswith("found"):
        return ("bounds",)
    used = {row.measured.method.partition(":")[0] for run in runs for row in run.rows}
    found = [kind for kind, keys in _OF_METHODS.items() if used & set(keys)]
    swept = figure.name.rpartition("-")[2]
    found.sort(key=lambda kind: kind != swept)
    return (*found, *(["metric"] if metrics else []))


def usual_of(run: LabRun) -> dict[str, str | int | float]:
    """Return the default options of theory for a run: its index, and kernel and sizes of its methods."""
    found: dict[str, str | int | float] = {"index": run.index}
    for row in run.rows:
        method = catalogue.method(row.measured.method)
        found.setdefault("bits", row.measured.bits)
        if hasattr(method, "landmarks") and hasattr(method, "kernel"):
            found |= {"kernel": method.kernel.key, "landmarks": method.landmarks, "bits": row.measured.bits}
            break
    return found


def _has_its_axes(figure: str, kind: str) -> bool:
    """Return whether a kind of theory has curves along the axes of a figure; else it is drawn below alone."""
    return kind == "rank" and figure.endswith("-rank")


def laid_over(figure: Figure, found: Theory) -> Figure:
    """Return a figure with theory along the same axes: held-out recall, and the best rank."""
    if not _has_its_axes(figure.name, found.kind):
        return figure
    trade_off = found.figures[0]
    series = list(figure.series)
    if figure.name == "recall-rank":
        held_out = trade_off.series[0]
        series.append(
            replace(held_out, name=Message("theory: held-out recall@10"), place=-1, dash=Dash.DASHED, points=())
        )
    return replace(figure, series=series, markers=[*figure.markers, *trade_off.markers])
