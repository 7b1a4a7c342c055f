"""The metrics that are kept, side by side: what each was learned from, how it stands, and which one search uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.gui.look.page_parts import bind, button, label, scrolling, surface
from app.gui.look.renamable_card import RenamableCard
from app.language.spoken import _, text
from app.learn.metric_results import MetricStatus
from app.learn.metric_use_results import MetricComparison, MetricJudged


@dataclass(frozen=True)
class Metrics:
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
        """Say how a metric stands; nothing where that is not known."""
        judged = () if self.compared is None else self.compared.metrics
        return next((standing(one) for one in judged if one.name == name), "")


def standing(one: MetricJudged) -> str:
    """Say how a metric stands in a few figures."""
    accuracy = None if one.held_out is None else one.held_out.accuracy
    if accuracy is None:
        return _("Marks of other photos would tell how it stands.") if one.seen else ""
    return _(
        "Pair accuracy {accuracy:.0%} (± {off}) on marks it has not seen",
        accuracy=accuracy.mean,
        off=max(1, round(100 * max(accuracy.high - accuracy.mean, accuracy.mean - accuracy.low))),
    )


class MetricCard(RenamableCard):
    """One metric; Enter uses it, F2 renames it, Del deletes it.

    Signals
    -------
    use_wanted, delete_wanted : str
    """

    use_wanted = Signal(str)
    delete_wanted = Signal(str)

    def __init__(self, metric: MetricStatus | None, used: bool, standing: str = "") -> None:
        name = _("No metric") if metric is None else metric.name
        super().__init__(name, ((_("used now"), "badge"),) if used else ())
        self.used, self._plain = used, metric is None
        about = _("Ranked as the index measures it.") if metric is None else text(metric.note) or metric.descriptor
        self.column.setContentsMargins(14, 12, 14, 10)
        self.column.setSpacing(2)
        for words in filter(None, (about, standing)):
            self.column.addWidget(label(words, "quiet", wrap=True))
        self._add_buttons()
        told = (self.name, _("used now") if used else "", about, standing)
        self.setAccessibleName(". ".join(part for part in told if part))

    def _add_buttons(self) -> None:
        name, row = self.name, QHBoxLayout()
        row.setSpacing(4)
        if not self.used:
            use = button(_("Use"), _("Search by {name}", name=name), "Return", "link")
            use.clicked.connect(lambda: self.use_wanted.emit(name))
            row.addWidget(use)
        if not self._plain:
            rename = button(_("Rename"), _("Rename {name}", name=name), "F2", "link")
            rename.clicked.connect(self.begin_rename)
            bind(self, "F2", self.begin_rename)
            delete = button(_("Delete"), _("Delete {name}", name=name), "Del", "link")
            delete.clicked.connect(lambda: self.delete_wanted.emit(name))
            row.addWidget(rename)
            row.addWidget(delete)
        row.addStretch()
        if row.count() > 1:
            self.column.addLayout(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Use, or delete; not while a name is typed, whose keys those are."""
        here = self.hasFocus() and not event.modifiers()
        if here and event.key() == Qt.Key.Key_Delete and not self._plain:
            self.delete_wanted.emit(self.name)
        elif here and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.used:
            self.use_wanted.emit(self.name)
        elif here and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            (self.focusNextChild if event.key() == Qt.Key.Key_Down else self.focusPreviousChild)()
        else:
            super().keyPressEvent(event)


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
        self._shown: Metrics | None = None
        self._cards: list[MetricCard] = []
        self._back = button("", _("Search by what was used before"), "", "link")
        self._back.clicked.connect(self.back_wanted)
        sheet = QWidget()
        surface(sheet, "ground")
        self._column = QVBoxLayout(sheet)
        self._column.setContentsMargins(0, 0, 14, 0)
        self._column.setSpacing(8)
        self._column.addWidget(self._back, alignment=Qt.AlignmentFlag.AlignLeft)
        self._column.addStretch()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scrolling(sheet, _("Metrics")))
        self.show_metrics(Metrics())

    def show_metrics(self, metrics: Metrics) -> None:
        """Show them; a name that is being typed stays."""
        if metrics == self._shown:
            return
        self._shown = metrics
        focused = next((card.name for card in self._cards if card.has_focus()), None)
        typed = {card.name: name for card in self._cards if (name := card.new_name()) is not None}
        for card in self._cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        used = metrics.used
        kept = (MetricCard(one, one.name == used, metrics.standing(one.name)) for one in metrics.kept)
        self._cards = [MetricCard(None, not used), *kept]
        for place, card in enumerate(self._cards):
            card.use_wanted.connect(lambda name, plain=place == 0: self.use_wanted.emit("" if plain else name))
            card.rename_wanted.connect(self.rename_wanted)
            card.delete_wanted.connect(self.delete_wanted)
            self._column.insertWidget(place, card)
            if card.name == focused:
                card.setFocus()
            if card.name in typed:
                card.rename(typed[card.name])
        self._back.setVisible(bool(metrics.before))
        if metrics.before:
            self._back.setText(_("Go back to “{before}”", before=metrics.before))

    def cards(self) -> list[MetricCard]:
        """Return what is shown, in order."""
        return list(self._cards)
