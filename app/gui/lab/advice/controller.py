"""Controller of advice, the first experiment of the Lab."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.gui.charts.chart_export import FiguresControl
from app.gui.lab.advice import advice_words, last_advice_words
from app.gui.lab.advice.advice_run import AdviceRun
from app.gui.lab.advice.pairs_controller import PairsControl
from app.gui.lab.advice.proposal_use import ProposalUse
from app.gui.lab.advice.view import AdviceView
from app.lab.advice.choice import choose
from app.lab.advice.figures import point_figures
from app.lab.advice.last_advice import KeptAdvice, last_advice, photographs
from app.lab.advice.questions import EDITS, PAIRS
from app.language.spoken import _, _n
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.window import Window
    from app.gui.lab.index_making import IndexMaking
    from app.lab.advice.results import AdvicePoint, AdviceResult


class _Standing:
    """State of the library: number of photographs, index names by text form, and the kept advice."""

    def __init__(self, count: int, names: dict[str, str], kept: KeptAdvice | None) -> None:
        self.count, self.names, self.kept = count, names, kept


class AdviceControl(QObject):
    """Asks for advice, and shows it.

    Parameters
    ----------
    window : Window
    making : IndexMaking
    parent : QObject

    Signals
    -------
    changed
        Another advice is found.
    line_changed
        Another index is selected.
    left
        Escape: the person goes back.
    """

    changed = Signal()
    line_changed = Signal()
    left = Signal()

    def __init__(self, window: Window, making: IndexMaking, parent: QObject) -> None:
        super().__init__(parent)
        self.view = AdviceView()
        self._window, self._jobs = window, window.jobs
        self._standing = self._jobs.latest()
        self._opened = window.opened
        self._count = -1
        self._kept: KeptAdvice | None = None
        self._chosen = ""  # instead of what is proposed
        self._why_not = ""  # there is no advice
        self.run = AdviceRun(window.opened, window.adding, self)
        self.pairs = PairsControl(self.view.pairs, window, self)
        self.making = ProposalUse(window, making, self)
        self._figures = FiguresControl(self.view, window.jobs, self)
        self._connect()
        self._look()

    def restore(self, kept: object) -> None:
        """Take what was remembered of the choices."""
        state: dict[str, Any] = kept if isinstance(kept, dict) else {}
        self.view.head.set_truth(str(state.get("truth", EDITS)))
        seconds = state.get("seconds")
        self.view.head.set_seconds(seconds if isinstance(seconds, int) else 60)
        self.view.show_truth(self.view.head.truth)
        self.pairs.restore(state.get("pairs"))

    def _connect(self) -> None:
        view, run, making = self.view, self.run, self.making
        view.head.go_wanted.connect(self.go)
        view.head.cancel_wanted.connect(self.cancel)
        view.head.truth_chosen.connect(self._on_truth)
        view.key_chosen.connect(self.choose)
        view.answer.build_wanted.connect(self.build)
        view.answer.default_wanted.connect(self.make_default)
        view.answer.compare_wanted.connect(self.compare)
        view.answer.back_wanted.connect(lambda: self.choose(""))
        view.left_out.copy_wanted.connect(self._on_copy)
        view.library_wanted.connect(lambda: self._window.show_view("library"))
        view.left.connect(self.left)
        view.save_wanted.connect(self._figures.save)
        self._figures.told.connect(self._window.status.show_message)
        self.pairs.changed.connect(self._say_ready)
        run.found_some.connect(self._on_found)
        run.done.connect(self._on_advice)
        run.ended.connect(self._on_ended)
        making.told.connect(self._show_answer)

    # --- the library -------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the library's state again."""
        self._look()

    def state(self) -> dict[str, Any]:
        """Return the choices, to be restored later."""
        return {"truth": self.view.head.truth, "seconds": self.view.head.seconds, "pairs": self.pairs.state()}

    def running(self) -> bool:
        """Return whether an advice is running."""
        return self.run.running

    def _look(self) -> None:
        opened, first = self._opened, self._count < 0

        def work(__: Progress) -> _Standing:
            from app.indexes.indexes import list_indexes

            listed = list_indexes(opened.library).indexes
            names = {one.text: one.name for one in listed if one.name not in opened.put_away}
            return _Standing(photographs(opened.library), names, last_advice(opened.library) if first else None)

        self._standing.begin(work).then(self._on_standing).failed(lambda __: None)

    def _on_standing(self, standing: _Standing) -> None:
        self._count, self.making.names = standing.count, standing.names
        self.view.show_photographs(standing.count)
        if standing.kept is not None:
            self._kept = standing.kept
            self.changed.emit()
        if self.running():
            return
        if standing.kept is not None:
            self._show_kept()
        elif self._kept is not None:
            self._show_answer()
        self._say_ready()

    # --- asking ------------------------------------------------------------------------------------------------------

    def go(self) -> None:
        """Measure for the chosen time."""
        head = self.view.head
        if self.running() or not self.view.shows_photographs():
            return
        truth = head.truth
        pairs = self.pairs.named() if truth == PAIRS else None
        if pairs is not None and not pairs.match:
            self._say_ready()
            return
        self._chosen = self._why_not = ""
        self.view.show_waiting(_("Nothing is measured yet."))
        self.run.start(truth, float(head.seconds), pairs)
        head.show_running(0)

    def cancel(self) -> None:
        """Stop, and use what was measured so far."""
        self.run.stop()

    def _on_found(self) -> None:
        points, truth = self.run.points, self.run.truth
        best = choose(points)
        self.view.head.show_running(len(points))
        self.view.show_measured(points, point_figures(points, truth))
        self.view.show_answer(advice_words.so_far(best, truth, points), best.key, "", "")

    def _on_ended(self, why: str) -> None:
        if self._kept is None:
            self.view.show_nothing()
        else:
            self._show_kept()
        self._why_not = why or _("Stopped before an index was measured.")
        self._say_ready()

    def _on_advice(self, kept: KeptAdvice) -> None:
        self._kept, self._chosen = kept, ""
        self._count = kept.ready
        self._show_kept()
        self._say_ready()
        self.view.to_answer()
        self.changed.emit()
        if not self.view.isVisible():
            self._window.status.show_message(_("The advice is ready in the Lab."))

    def _on_truth(self, __: str) -> None:
        self._why_not = ""
        self._say_ready()

    def _say_ready(self) -> None:
        if self.running():
            return
        why_not = self._why_not
        head, can = self.view.head, self._count >= 0
        if not why_not and head.truth == PAIRS and not self.pairs.named().match:
            can, why_not = False, _("Choose at least one pair of photos that should match.")
        head.show_ready(can, why_not)

    # --- the answer --------------------------------------------------------------------------------------------------

    @property
    def result(self) -> AdviceResult | None:
        """The shown advice."""
        return None if self._kept is None else self._kept.result

    def finding(self) -> str:
        """Return what the advice proposes, in one sentence; what it does where there is none."""
        result = self.result
        if result is None:
            return _("Measures indexes on your own photos, and proposes the best.")
        with_descriptor = advice_words.several(result.points)
        return advice_words.sentence(result.point(), result.truth, None, with_descriptor)

    def line(self) -> tuple[str, str, str]:
        """Return whose vectors, hash method and search structure the selected index has; empty for none."""
        point = None if self.running() else self.point()
        base = "" if point is None or point.exact else self.making.base(point)
        return ("", "", "") if point is None or not base else (base, point.method, point.search)

    def point(self) -> AdvicePoint | None:
        """Return the selected index: the proposed one, or another chosen instead."""
        result = self.result
        if result is None:
            return None
        return next((one for one in result.points if one.key == self._chosen), None) or result.point()

    def choose(self, key: str) -> None:
        """Select another index; an empty key selects the proposed one."""
        if self.running() or self.result is None:
            return
        self._chosen = "" if key == self.result.proposed else key
        self._show_answer()

    def _show_kept(self) -> None:
        kept, result = self._kept, self.result
        assert kept is not None
        assert result is not None
        self.view.show_advice(result, last_advice_words.command(kept, self._opened.path))
        self._show_answer()

    def _show_answer(self) -> None:
        point, kept, result = self.point(), self._kept, self.result
        if point is None or kept is None or result is None:
            return
        making = self.making
        shown = advice_words.answer(result, point.key, making.names.get(point.key, ""), self._window.shared.index)
        if shown.build:
            shown = replace(shown, name=making.free_name(point), taken=frozenset(making.names.values()))
        self.view.show_answer(shown, point.key, last_advice_words.about(kept), self._grown(kept))
        self.line_changed.emit()
        if said := making.building(point.key):
            self.view.answer.show_building(said)

    def _grown(self, kept: KeptAdvice) -> str:
        """Return how the library has changed since the advice; empty if it has not."""
        more = self._count - kept.ready
        if self._count < 0 or more == 0:
            return ""
        if more > 0:
            return _n(
                "The library has {count} more photo now. Measure again for current advice.",
                "The library has {count} more photos now. Measure again for current advice.",
                more,
            )
        return _n(
            "The library has {count} photo less now. Measure again for current advice.",
            "The library has {count} photos less now. Measure again for current advice.",
            -more,
        )

    def _on_copy(self, command: str) -> None:
        QGuiApplication.clipboard().setText(command)
        self._window.status.show_message(_("Command copied."))

    # --- what comes of it --------------------------------------------------------------------------------------------

    def build(self, name: str = "") -> None:
        """Create the selected index, under its proposed name if none is given."""
        point = self.point()
        if point is not None:
            self.making.build(point, name)

    def make_default(self) -> None:
        """Make the selected index the default."""
        point = self.point()
        if point is not None:
            self.making.make_default(point)

    def compare(self) -> None:
        """Compare the selected index side by side, with a photo of a pair if pairs are the truth."""
        point = self.point()
        if point is not None:
            pair = next((one.first.id for one in self.pairs.pairs if one.match), -1)
            self.making.compare(point, pair if self.view.head.truth == PAIRS else -1)
