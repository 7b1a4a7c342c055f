"""Layer of theory: jobs that compute it for an experiment, and the results that are kept and shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from twinlens.app.gui.actions.action import offer
from twinlens.app.gui.actions.lab_actions import theory_actions
from twinlens.app.gui.charts.chart_export import FiguresControl
from twinlens.app.gui.forms.parameter_controls import told
from twinlens.app.gui.lab.theory.theory_panel import kinds_of, usual_of
from twinlens.app.gui.process.jobs import DrawingTurns, Failure
from twinlens.app.language.texts import _, text
from twinlens.core.containers import RecentValues
from twinlens.core.message import Message
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.lab.sheet.sheet_view import SheetView
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.lab.experiments.lab_results import LabRun
    from twinlens.app.lab.figures.figure import Figure
    from twinlens.app.lab.theory.theory_data import TheoryChoices
    from twinlens.app.lab.theory.theory_results import Theory
    from twinlens.app.lab.theory.theory_settings import TheorySettings


_CALM_MS = 500  # after the last change, so that stepping through a number computes once
_KEPT = 40  # results


class TheoryLayer(QObject):
    """Controller of theory over the curves of an experiment."""

    def __init__(self, view: SheetView, window: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        panel = self.panel = view.theory
        self._view, self._opened = view, window.opened
        self._runs: Sequence[LabRun] = ()
        self._computing, self._offering = window.jobs.latest(), window.jobs.latest()
        self._offered: TheoryChoices | None = None
        self._kept: RecentValues[TheorySettings, Theory] = RecentValues(_KEPT)
        self._stale: set[TheorySettings] = set()
        self._asked: TheorySettings | None = None  # what is computed now
        self._meanwhile = False  # the library has changed since that was begun
        self._turns = DrawingTurns(self)
        self._files = FiguresControl(window, window.jobs, window.opened.library, window.status.show_message)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(_CALM_MS)
        self._calm.timeout.connect(self._ask)
        panel.kind_wanted.connect(self.choose)
        panel.knobs.changed.connect(self._on_changed)
        panel.board.save_wanted.connect(self._files.save)
        offer(panel, theory_actions(), {"again": self.again, "cancel": self.cancel})
        view.layers.switched.connect(self.switch)

    def refresh(self) -> None:
        """Mark results as outdated, since the library has changed."""
        self._stale = {asked for asked, _found in self._kept.items()}
        self._meanwhile = True
        self._offer()

    def state(self) -> dict[str, Any]:
        """Return the options of each topic to remember."""
        return {"knobs": self.panel.knobs.state()}

    def restore(self, kept: object) -> None:
        """Restore the remembered options."""
        self.panel.knobs.set_state(kept.get("knobs") if isinstance(kept, dict) else None)

    # --- over curves -------------------------------------------------------------------------------------------------

    def show_layers(self, runs: Sequence[LabRun]) -> None:
        """Show switches at the curves of some runs that theory explains."""
        self._runs = runs
        self._view.layers.show({one.name: self._kinds_of(one) for one in self._view.shown.figures})

    def _kinds_of(self, figure: Figure) -> tuple[str, ...]:
        metrics = self._offered is not None and bool(self._offered.metrics)
        return kinds_of(figure, self._runs, metrics)

    def switch(self, figure: str, shown: bool) -> None:
        """Draw theory over a curve, or hide it."""
        drawn = next((one for one in self._view.shown.figures if one.name == figure), None)
        kinds = () if drawn is None else self._kinds_of(drawn)
        if not shown or not kinds:
            self.close()
            return
        self._view.layers.lay(figure)
        self.panel.knobs.begin_with(usual_of(self._runs[0]))
        kind = self.panel.kind if self.panel.kind in kinds else kinds[0]
        self._turns.begin(
            partial(self.panel.show_kinds, kinds),
            partial(self.panel.show_kind, kind),
            partial(self.panel.show_nothing_yet, _("Computing…")),
            self.panel.show,
            self._ask,
        )
        self._view.reveal_theory()

    def close(self) -> None:
        """Hide theory."""
        self.cancel()
        self._calm.stop()
        self._turns.begin()
        self.panel.hide()
        self._view.layers.lay("")

    # --- asking ------------------------------------------------------------------------------------------------------

    def choose(self, kind: str) -> None:
        """Choose another topic."""
        self.cancel()
        self._calm.stop()
        self.panel.show_kind(kind)
        self.panel.show_nothing_yet(_("Computing…"))
        self._ask()

    def again(self) -> None:
        """Compute again, even if there is a kept result."""
        self._ask(anew=True)

    def is_shown(self) -> bool:
        """Return whether everything is drawn."""
        return self._turns.are_over() and self.panel.is_drawn()

    def is_computing(self) -> bool:
        """Return whether a job is running."""
        return self._computing.running

    def cancel(self) -> None:
        """Stop computing."""
        self._computing.cancel()
        self._asked = None

    def asked(self) -> TheorySettings:
        """Return the current settings."""
        from twinlens.app.lab.theory.theory_settings import TheorySettings

        values = self.panel.knobs.values()
        scale = float(values.get("scale", 0.0))
        return TheorySettings(
            kind=self.panel.kind,
            index=str(values.get("index", "")),
            kernel=str(values.get("kernel", "")),
            metric=str(values.get("metric", "")),
            landmarks=int(values.get("landmarks", 0)),
            bits=int(values.get("bits", 0)),
            size=int(values.get("size", 2_000)),
            seed=int(values.get("seed", 0)),
            scales=(scale,) if scale > 0 else (),
        )

    def _on_changed(self) -> None:
        if self.asked() in self._kept:
            self._ask()  # it is kept, and shown at once
        else:
            self._calm.start()

    def _ask(self, anew: bool = False) -> None:
        """Show the kept result of the current settings, or compute it."""
        opened = self._opened
        if self._offered is None:
            return
        asked = self.asked()
        if asked == self._asked and self._computing.running:
            return  # also where it is kept: it is computed anew
        found = None if anew else self._kept.get(asked)
        if found is not None:
            self._computing.cancel()
            self._asked = None
            self._show(found, asked in self._stale)
            return
        self._asked, self._meanwhile = asked, False
        self.panel.show_progress(0.0, "")

        def work(progress: Progress) -> Theory:
            from twinlens.app.lab.theory.theory import theory

            return theory(asked, opened.library, progress)

        self._computing.begin(work).then(lambda theory: self._on_found(asked, theory)).failed(self._on_failed).stopped(
            self._on_stopped
        ).progressed(self._on_progress)

    def _show(self, found: Theory, stale: bool) -> None:
        self.panel.show_theory(found, stale)
        self._view.layers.lay(self._view.layers.over, found)

    def _on_found(self, asked: TheorySettings, found: Theory) -> None:
        self._kept.keep(asked, found)
        (self._stale.add if self._meanwhile else self._stale.discard)(asked)
        self._asked = None
        if asked == self.asked() and not self.panel.isHidden():
            self._show(found, self._meanwhile)

    def _on_progress(self, done: float, total: float, words: Message) -> None:
        self.panel.show_progress(done / total if total else 0.0, text(words))

    def _on_failed(self, failure: Failure) -> None:
        self._asked = None
        self.panel.show_failure(failure.sentence, failure.next_step)
        self._view.layers.lay(self._view.layers.over)

    def _on_stopped(self) -> None:
        self._asked = None
        if not self.panel.board.figures:
            self.panel.show_nothing_yet(_("Stopped. Press Compute to go on."))
        self.panel.show_idle()

    # --- topics and options -------------------------------------------------------------------------------------------

    def _offer(self) -> None:
        opened = self._opened

        def work(__: Progress) -> TheoryChoices:
            import twinlens.app.lab.theory.theory  # noqa: F401 (what it imports is slow, and wanted on the window's thread next)
            from twinlens.app.lab.theory.theory_data import theory_choices

            return theory_choices(opened.library)

        self._offering.begin(work).then(self._on_offered)

    def _on_offered(self, found: TheoryChoices) -> None:
        self._offered = found
        self.panel.knobs.offer(_options(found))
        self.show_layers(self._runs)
        if not self.panel.isHidden():
            self._ask()


def _options(found: TheoryChoices) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return the options, as value and label."""
    from twinlens.app.lab.theory.theory_data import KERNEL_TITLES, KERNELS_OF

    own = ("", _("its own"))
    kernels = {
        f"kernel of {kind}": [own, *((one, told(KERNEL_TITLES[one])) for one in keys)]
        for kind, keys in KERNELS_OF.items()
    }
    return {
        "index": [(one.name, one.name) for one in found.indexes],
        "metric": [(one, one) for one in found.metrics],
        **kernels,
    }
