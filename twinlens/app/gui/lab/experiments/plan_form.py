"""Form of a plan, filled in for a common question, with the experiment's name and the forecast of its time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QPushButton, QWidget

from twinlens.app.bench.experiment import Experiment
from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.lab_actions import plan_actions
from twinlens.app.gui.forms.parameter_controls import Chooser
from twinlens.app.gui.lab.experiment_list import truth_words
from twinlens.app.gui.lab.experiments.sweep_list import ChoiceCards, Options, SweepList
from twinlens.app.gui.look.flow_layout import Flow
from twinlens.app.gui.look.page_parts import PageCard, TitledPage, column_of, command_button, label, tip_with_key
from twinlens.app.gui.look.theme import grown
from twinlens.app.lab.experiments.run_sheet import question_title, question_with_title
from twinlens.app.language.texts import _, _n, text, translate
from twinlens.app.machine.remaining_time import time_left

if TYPE_CHECKING:
    from twinlens.app.lab.experiments.forecast import Forecast


_ASK_MS = 250  # without changes, before the forecast is made
_ASIDE_PX = 264
_LABELS_PX = 132
_TRUTHS = ("", "folders", "concepts", "marks", "edits")


class PlanForm(TitledPage):
    """Form of a plan.

    Parameters
    ----------
    question_wanted : str, str
        Name of a question and of the index that it is asked of: :meth:`show_plan` answers.
    reckoning_wanted : object
        An `Experiment`, some time after it was changed last: :meth:`show_reckoning` answers.
    start_wanted : object, str
        The `Experiment`, and the name of the run, which may be empty.
    left
        The person has left.
    """

    question_wanted = Signal(str, str)
    reckoning_wanted = Signal(object)
    start_wanted = Signal(object, str)
    left = Signal()

    def __init__(self, methods: Options, searches: Options) -> None:
        super().__init__(_("New experiment"), widest=820)
        self.set_line(_("Choose a question or set up your own plan."))
        self._base = Experiment()  # what the form does not show stays as it came
        self._reckoned: Forecast | str | None = None
        leave = self.add_button(command_button(_("Cancel"), plan_actions()["leave"]))
        leave.clicked.connect(self.left)
        self._start = self.add_button(command_button(_("Start"), plan_actions()["start"], "primary"))
        self._start.clicked.connect(self._on_start)
        attach(self, plan_actions(), {"leave": self.left.emit, "start": self._start.click})
        attach(self, plan_actions(), {"question": self._press_question})
        self._ask_soon = QTimer(self)
        self._ask_soon.setSingleShot(True)
        self._ask_soon.setInterval(_ASK_MS)
        self._ask_soon.timeout.connect(self._on_ask)
        self._add_question()
        self._add_photographs()
        self._methods = SweepList(methods, _("method"))
        self._add_list(_("Methods"), self._methods, self._bits_row())
        self._searches = SweepList(searches, _("search structure"))
        self._add_list(_("How codes are searched"), self._searches, self._seeds_row())
        self.body.addStretch(1)
        self._aside = PlanAside()
        self._aside.name_changed.connect(self._check)
        column = self.add_aside(_ASIDE_PX)
        column.addWidget(self._aside)
        column.addStretch(1)
        self.setFocusProxy(next(iter(self._questions.cards.values())))

    # --- parts -------------------------------------------------------------------------------------------------------

    def _add_question(self) -> None:
        card = PageCard(_("Question"))
        questions = {name: (name, text(asked), text(hint)) for name, (asked, hint) in question_title().items()}
        self._questions = ChoiceCards(list(questions.values()))
        self._questions.pressed.connect(self._on_question)
        for key, (name, made) in zip(plan_actions()["question"].keys, self._questions.cards.items(), strict=False):
            made.setToolTip(tip_with_key(questions[name][2], key))
        self._question = self._edit(_("Question"))
        self._question.setPlaceholderText(_("Question that the experiment answers"))
        card.column.addWidget(self._questions)
        card.column.addWidget(self._question)
        self.body.addWidget(card)

    def _press_question(self, number: int) -> None:
        for card in list(self._questions.cards.values())[number - 1 : number]:
            card.click()

    def _add_photographs(self) -> None:
        card = PageCard(_("Photos"))
        grid = QGridLayout()
        grid.setColumnMinimumWidth(0, _LABELS_PX)
        grid.setColumnStretch(1, 1)
        grid.setVerticalSpacing(8)
        self._index, self._truth, self._metric = Chooser(), Chooser(), Chooser()
        for truth in _TRUTHS:
            self._truth.addItem(truth_words(truth)[:1].upper() + truth_words(truth)[1:], truth)
        self._count = self._edit(_("Number of queries"))
        self._count.setFixedWidth(grown(112))
        self._edits = Flow(6)
        self._edit_buttons: dict[str, QPushButton] = {}
        for row, (words, widget) in enumerate(
            (
                (_("Vectors of"), self._index),
                (_("Right results"), self._truth),
                (_("Edits"), self._edits),
                (_("Metric"), self._metric),
                (_("Queries"), self._count),
            )
        ):
            name = label(words)
            name.setMinimumHeight(28)
            name.setBuddy(widget)
            widget.setAccessibleName(words)
            grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(
                widget, row, 1, Qt.AlignmentFlag.AlignLeft if widget is not self._edits else Qt.AlignmentFlag(0)
            )
            if widget is self._edits:
                self._edits_label = name
            if widget is self._metric:
                self._metric_label = name
        card.column.addLayout(grid)
        for chooser in (self._index, self._truth, self._metric):
            chooser.activated.connect(self._on_changed)
        self.body.addWidget(card)

    def _add_list(self, heading: str, made: SweepList, below: QWidget) -> None:
        card = PageCard(heading)
        card.column.addWidget(made)
        card.column.addWidget(below)
        made.changed.connect(self._on_changed)
        self.body.addWidget(card)

    def _bits_row(self) -> QWidget:
        self._bits = self._edit(_("Bits of every method"))
        self._bits.setPlaceholderText(_("as each method says, or for all: 32, 64, 128"))
        return _row(_("Bits"), self._bits)

    def _seeds_row(self) -> QWidget:
        self._seeds = self._edit(_("Seeds"))
        self._seeds.setToolTip(_("Every method is measured once per seed, and ± is their deviation"))
        return _row(_("Seeds"), self._seeds)

    def _edit(self, name: str) -> QLineEdit:
        made = QLineEdit()
        made.setAccessibleName(name)
        made.textEdited.connect(self._on_changed)
        return made

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_choices(
        self, indexes: Sequence[str], metrics: Sequence[str], edits: Sequence[str], taken: Collection[str]
    ) -> None:
        """Show the names of indexes, metrics and edits, and refuse names of existing runs."""
        chosen = self._index.currentText()
        self._index.clear()
        self._index.addItems(indexes)
        if chosen in indexes:
            self._index.setCurrentText(chosen)
        metric = self._metric.currentData()
        self._metric.clear()
        self._metric.addItem(_("That of the index"), "")
        for name in metrics:
            self._metric.addItem(name, name)
        self._metric.setCurrentIndex(max(0, self._metric.findData(metric)))
        for widget in (self._metric, self._metric_label):
            widget.setVisible(bool(metrics))
        if list(self._edit_buttons) != list(edits):
            self._edit_buttons = {name: self._edit_button(name) for name in edits}
            self._edits.set_widgets(list(self._edit_buttons.values()))
        self._aside.refuse(taken)

    def show_plan(self, plan: Experiment, question: str = "") -> None:
        """Show a plan, perhaps of a common question."""
        self._base = plan
        self._questions.check({question})
        self._question.setText(translate(question_with_title(plan.question)))
        if self._index.findText(plan.index) >= 0:
            self._index.setCurrentText(plan.index)
        truth = self._truth.findData(plan.truth)
        if truth < 0:  # by a measure of its own
            self._truth.addItem(truth_words(plan.truth), plan.truth)
            truth = self._truth.count() - 1
        self._truth.setCurrentIndex(truth)
        self._metric.setCurrentIndex(max(0, self._metric.findData(plan.metric)))
        self._count.setText(str(plan.query_count) if plan.query_count else "")
        for name, made in self._edit_buttons.items():
            made.setChecked(name in plan.edits)
        self._methods.set_texts(plan.methods)
        self._searches.set_texts(plan.search or ("scan",))
        self._bits.setText(", ".join(map(str, plan.bits)))
        self._seeds.setText(", ".join(map(str, plan.seeds)))
        self._aside.name.setText("")
        self._on_changed()

    def plan(self) -> Experiment | None:
        """Return the plan; None if a number in it is wrong."""
        bits, seeds, count = _numbers(self._bits.text()), _numbers(self._seeds.text()), _numbers(self._count.text())
        if bits is None or not seeds or count is None or len(count) > 1:
            return None
        truth = self._truth.currentData()
        return self._base.changed(
            index=self._index.currentText(),
            question=self._question.text().strip(),
            name="",
            methods=tuple(self._methods.texts()),
            search=tuple(self._searches.texts()),
            bits=bits,
            seeds=seeds,
            truth=truth,
            metric=self._metric.currentData() or "",
            edits=tuple(name for name, made in self._edit_buttons.items() if made.isChecked())
            if truth == "edits"
            else (),
            query_count=count[0] if count else 0,
        )

    def show_reckoning(self, found: Forecast | str) -> None:
        """Show the forecast of the plan, or why it cannot be run."""
        self._reckoned = found
        if isinstance(found, str):
            self._aside.show_fault(found)
        else:
            self._aside.show_reckoning(found)
        self._check()

    # --- what the person does ----------------------------------------------------------------------------------------

    def _edit_button(self, name: str) -> QPushButton:
        made = QPushButton(name)
        made.setObjectName("small")
        made.setCheckable(True)
        made.setAutoDefault(False)
        made.setAccessibleName(_("Edit: {name}", name=name))
        made.clicked.connect(self._on_changed)
        return made

    def _on_question(self, name: str, *__: object) -> None:
        self._questions.check({name})
        self.question_wanted.emit(name, self._index.currentText())

    def _on_changed(self, *__: object) -> None:
        edits = self._truth.currentData() == "edits"
        for widget in (self._edits, self._edits_label):
            widget.setVisible(edits)
        usual = "20" if edits else "100"
        self._count.setPlaceholderText(usual)
        self._reckoned = None
        self._check()
        if not self._fault_here():
            self._ask_soon.start()

    def _fault_here(self) -> str:
        """Return the first fault in the form; empty for none."""
        if not self._methods.is_valid() or not self._searches.is_valid():
            return _("Correct the settings marked in red first.")
        if self.plan() is None:
            return _("Bits, seeds and queries are whole numbers, separated by commas.")
        return ""

    def _check(self) -> None:
        fault = self._fault_here()
        if fault:
            self._ask_soon.stop()
        if fault or self._reckoned is None:
            self._aside.show_fault(fault)
        self._start.setEnabled(not fault and self._aside.is_free() and not isinstance(self._reckoned, str))

    def _on_ask(self) -> None:
        plan = self.plan()
        if plan is not None:
            self.reckoning_wanted.emit(plan)

    def _on_start(self) -> None:
        plan = self.plan()
        if plan is not None and self._start.isEnabled():
            self.start_wanted.emit(plan, self._aside.name.text().strip())


def _row(words: str, widget: QWidget) -> QWidget:
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 4, 0, 0)
    grid.setColumnMinimumWidth(0, _LABELS_PX)
    grid.setColumnStretch(1, 1)
    name = label(words)
    name.setBuddy(widget)
    grid.addWidget(name, 0, 0)
    grid.addWidget(widget, 0, 1)
    return made


def _numbers(text: str) -> tuple[int, ...] | None:
    """Return whole numbers separated by commas; None if one is wrong."""
    words: Sequence[str] = [one.strip() for one in text.split(",") if one.strip()]
    return tuple(int(one) for one in words) if all(one.isdigit() for one in words) else None


class PlanAside(QWidget):
    """Two cards beside the form: the name of the experiment, and the forecast.

    Signals
    -------
    name_changed
    """

    name_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._taken: Collection[str] = ()
        self.name = QLineEdit()
        self.name.setAccessibleName(_("Name of the experiment"))
        self.name.setPlaceholderText(_("as the question"))
        self.name.textEdited.connect(self._on_name)
        self._name_fault, self._fault = label("", "error", wrap=True), label("", "error", wrap=True)
        self._name_fault.hide()
        self._cost = label("…", wrap=True)
        self._cost.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._cost.setMinimumHeight(7 * self._cost.fontMetrics().lineSpacing())
        column = column_of(on=self, gap=16, margins=0)
        for heading, widgets in (
            (_("Name"), (self.name, self._name_fault)),
            (_("Time and steps"), (self._cost, self._fault)),
        ):
            card = PageCard(heading)
            for widget in widgets:
                card.column.addWidget(widget)
            column.addWidget(card)

    def refuse(self, taken: Collection[str]) -> None:
        """Refuse the names of other experiments."""
        self._taken = taken
        self._on_name()

    def is_free(self) -> bool:
        """Return whether no other experiment has the name."""
        return self.name.text().strip() not in self._taken

    def _on_name(self, *__: object) -> None:
        self._name_fault.setText("" if self.is_free() else _("An experiment with this name exists already."))
        self._name_fault.setVisible(not self.is_free())
        self.name_changed.emit()

    def show_fault(self, fault: str) -> None:
        """Show why the plan cannot be run; without a fault keep the forecast."""
        self._fault.setText(fault)
        if fault:
            self._cost.setText("")

    def show_reckoning(self, found: Forecast) -> None:
        """Show the forecast of the plan."""
        self.show_fault("")
        lines = [
            _("About {time_left} on this computer.", time_left=time_left(_round(found.seconds))),
            "",
            _n(
                "{count} step, one for each method, search structure and seed",
                "{count} steps, one for each method, search structure and seed",
                found.steps,
            ),
            _(
                "{photos} photos with {dimensions} dimensions, {queries} queries",
                photos=found.photographs,
                dimensions=found.dimensions,
                queries=found.queries,
            ),
        ]
        self._cost.setText("\n".join(lines))


def _round(seconds: float) -> float:
    """Round an estimate to its certain digits."""
    for step in (5, 10, 30, 60, 300):
        if seconds <= 12 * step:
            return step * max(1, round(seconds / step))
    return 600 * round(seconds / 600)
