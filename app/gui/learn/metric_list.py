"""The metrics that are kept, side by side: what each was learned from, how it stands, and which one search uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QVBoxLayout, QWidget

from app.gui.look.card_list import CardList
from app.gui.look.card_painting import Card, CardLine, CardLook
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import button
from app.language.spoken import _, text
from app.learn.metric_results import MetricStatus
from app.learn.metric_use_results import JudgedMetric, MetricComparison


@dataclass(frozen=True)
class KeptMetrics:
    """The kept metrics, and by which of them search goes.

    Attributes
    ----------
    kept : sequence of MetricStatus
    index : str
        Answers now.
    before : str
        Index that answered before; empty where there is nothing to go back to.
    compared : MetricComparison or None
        How they stand on the marks there are now, once that is known.
    """

    kept: Sequence[MetricStatus] = ()
    index: str = ""
    before: str = ""
    compared: MetricComparison | None = None

    @property
    def used(self) -> str:
        """Name of the metric that search goes by; empty for none."""
        return next((one.name for one in self.kept if self.index in one.indexes), "")

    def standing(self, name: str) -> str:
        """Return the state of a metric as text; empty where unknown."""
        judged = () if self.compared is None else self.compared.metrics
        return next((metric_state(one) for one in judged if one.name == name), "")


def metric_state(one: JudgedMetric) -> str:
    """Return the state of a metric in a few figures."""
    accuracy = None if one.held_out is None else one.held_out.accuracy
    if accuracy is None:
        return _("Marks of other photos would tell how it stands.") if one.seen else ""
    return _(
        "Pair accuracy {accuracy:.0%} (± {off}) on marks it has not seen",
        accuracy=accuracy.mean,
        off=max(1, round(100 * max(accuracy.high - accuracy.mean, accuracy.mean - accuracy.low))),
    )


@dataclass(frozen=True)
class ShownMetric:
    """A metric of the list, or none.

    Attributes
    ----------
    name : str
        Empty: search without any.
    used : bool
        Search goes by it now.
    about, standing : str
        What it was learned from, and how it stands.
    """

    name: str
    used: bool
    about: str
    standing: str = ""


def metric_card(one: ShownMetric) -> Card:
    """Return how a metric is seen and spoken."""
    title, sign = one.name or _("No metric"), _("used now") if one.used else ""
    lines = tuple(filter(None, (one.about, one.standing)))
    return Card(
        title=CardLine(title, "ink", sign, "accent"),
        lines=tuple(map(CardLine, lines)),
        spoken=". ".join(filter(None, (title, sign, *lines))),
        removable=bool(one.name),
    )


class MetricColumn(QWidget):
    """Lists the metrics, and what search is without any.

    Signals
    -------
    use_wanted : str
        "" for none of them.
    rename_wanted : str, str
    delete_wanted : str
    back_wanted
    """

    use_wanted = Signal(str)
    rename_wanted = Signal(str, str)
    delete_wanted = Signal(str)
    back_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        look = CardLook(lines=4, margin=14, framed=True)
        self.list = CardList[ShownMetric](lambda one: one.name, metric_card, look, renamable=lambda one: bool(one.name))
        self.list.setAccessibleName(_("Metrics"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.chosen_changed.connect(self._on_chosen_changed)
        self.list.activated.connect(self._on_use)
        self.list.renamed.connect(self.rename_wanted.emit)
        self.list.remove_wanted.connect(self._on_delete)
        self._use = button(_("Use"), _("Search by the chosen metric"), "Return", "link")
        self._use.clicked.connect(self._on_use)
        self._rename = button(_("Rename"), _("Rename the chosen metric"), "F2", "link")
        self._rename.clicked.connect(self.list.rename)
        self._delete = button(_("Delete"), _("Delete the chosen metric"), "Del", "link")
        self._delete.clicked.connect(self.list.remove_chosen)
        self._back = button("", _("Search by what was used before"), "", "link")
        self._back.clicked.connect(self.back_wanted)
        row = FlowLayout(4)
        for made in (self._use, self._rename, self._delete, self._back):
            row.addWidget(made)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        self.setFocusProxy(self.list)
        self.show_metrics(KeptMetrics())

    def show_metrics(self, metrics: KeptMetrics) -> None:
        """Show them; a name that is being typed stays."""
        used = metrics.used
        kept = (
            ShownMetric(one.name, one.name == used, text(one.note) or one.descriptor, metrics.standing(one.name))
            for one in metrics.kept
        )
        self.list.show_rows([ShownMetric("", not used, _("Ranked as the index measures it.")), *kept])
        if not self.list.chosen():
            self.list.go_to(max(0, self.list.currentIndex().row()))
        self._on_chosen_changed()
        self._back.setVisible(bool(metrics.before))
        if metrics.before:
            self._back.setText(_("Go back to “{before}”", before=metrics.before))

    def _on_chosen_changed(self) -> None:
        one = self.list.current()
        self._use.setEnabled(one is not None and not one.used)
        for made in (self._rename, self._delete):
            made.setEnabled(one is not None and bool(one.name))

    def _on_use(self) -> None:
        one = self.list.current()
        if one is not None and not one.used:
            self.use_wanted.emit(one.name)

    def _on_delete(self, names: list[str]) -> None:
        for name in filter(None, names):
            self.delete_wanted.emit(name)
