"""Asks theory, in a job, and shows what it finds; what was found is kept, and shown at once when one comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from app.gui.charts.chart_export import FiguresControl
from app.gui.forms.declaration_words import told
from app.gui.frame.opened import Opened
from app.gui.lab.theory.theory_options import Value
from app.gui.lab.theory.theory_words import KINDS
from app.gui.lab.theory.view import TheoryView
from app.gui.process.job import Failure
from app.language.spoken import _, text
from core.message import Message
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.window import Window
    from app.lab.theory.choices import Offered
    from app.lab.theory.results import Theory
    from app.lab.theory.theory import Asked

_CALM_MS = 500  # after the last change, so that a number that is stepped through is asked once
_KEPT = 40  # answers


class TheoryPart(QObject):
    """The Theory page as a part of the window.

    Parameters
    ----------
    window : Window
    """

    def __init__(self, window: Window) -> None:
        self.view = TheoryView()
        super().__init__(self.view)
        self._window, self._jobs = window, window.jobs
        self._computing = self._jobs.latest()
        self._offering = self._jobs.latest()
        self._opened = window.opened
        self._offered: Offered | None = None
        self._kept: dict[tuple[str, Asked], Theory] = {}
        self._stale: set[tuple[str, Asked]] = set()
        self._asked: Asked | None = None  # what is computed now
        self._meanwhile = False  # the library has changed since that was begun
        self._files = FiguresControl(window.widget, window.jobs, self)
        self._files.told.connect(window.status.show_message)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(_CALM_MS)
        self._calm.timeout.connect(self._ask)
        view = self.view
        view.kind_wanted.connect(self.choose)
        view.changed.connect(self._on_changed)
        view.again_wanted.connect(self.again)
        view.cancel_wanted.connect(self.cancel)
        view.seen.connect(self._on_seen)
        view.save_wanted.connect(self._files.save)
        view.empty_wanted.connect(self._on_empty_wanted)
        state = self._opened.state.get("theory")
        kept: Mapping[str, Any] = state if isinstance(state, dict) else {}
        self.view.knobs.set_state(kept.get("knobs"))
        kind = kept.get("kind")
        self.view.show_kind(kind if kind in KINDS else KINDS[0])
        self.view.show_nothing_yet(_("Looking at the library…"))
        self._offer()

    # --- a part of the window ----------------------------------------------------------------------------------------

    def focus(self) -> None:
        """Focus the questions."""
        self.view.focus()

    def refresh(self) -> None:
        """Show that what was found is of before: the library has changed."""
        self._stale = set(self._kept)
        self._meanwhile = True
        self._offer()

    def state(self) -> dict[str, Any]:
        """Return the question and what is chosen of each."""
        return {"kind": self.view.kind, "knobs": self.view.knobs.state()}

    # --- asking ------------------------------------------------------------------------------------------------------

    def choose(self, kind: str) -> None:
        """Ask another question."""
        self.cancel()
        self._calm.stop()
        self.view.show_kind(kind)
        self._ask()

    def again(self) -> None:
        """Compute once more, also what is kept."""
        self._ask(anew=True)

    def cancel(self) -> None:
        """Stop computing."""
        self._computing.cancel()
        self._asked = None

    def asked(self) -> Asked:
        """Return what is asked now."""
        from app.lab.theory.theory import Asked

        values = self.view.knobs.values()
        scale = float(values.get("scale", 0.0))
        return Asked(
            self.view.kind,
            index=str(values.get("index", "")),
            kernel=str(values.get("kernel", "")),
            metric=str(values.get("metric", "")),
            landmarks=int(values.get("landmarks", 0)),
            bits=_bits(values),
            size=int(values.get("size", 2_000)),
            seed=int(values.get("seed", 0)),
            scales=(scale,) if scale > 0 else (),
        )

    def _on_changed(self) -> None:
        if self._found(self.asked()) is not None:
            self._ask()  # it is kept, and shown at once
        else:
            self._calm.start()

    def _on_seen(self) -> None:
        if self._asked is None:
            self._ask()

    def _found(self, asked: Asked) -> Theory | None:
        return self._kept.get((self.view.kind, asked))

    def _ask(self, anew: bool = False) -> None:
        """Show what is kept of what is asked, or compute it."""
        opened = self._opened
        if self._offered is None or self._tell_empty():
            return
        asked = self.asked()
        if asked == self._asked and self._computing.running:
            return  # also where it is kept: it is computed anew
        found = None if anew else self._found(asked)
        if found is not None:
            self._computing.cancel()
            self._asked = None
            self.view.show_theory(found, (asked.kind, asked) in self._stale)
            return
        if not self.view.isVisible():
            return  # it is computed when it is seen
        if not self.view.board.figures or self.view.board.figures != self._shown_of(asked.kind):
            self.view.show_nothing_yet(_("Computing…"))
        self._asked, self._meanwhile = asked, False
        self.view.show_progress(0.0, "")

        def work(progress: Progress) -> Theory:
            from app.lab.theory.theory import theory

            return theory(asked, opened.library, progress)

        self._computing.begin(work).then(lambda theory: self._on_found(asked, theory)).failed(self._on_failed).stopped(
            self._on_stopped
        ).progressed(self._on_progress)

    def _shown_of(self, kind: str) -> object:
        """Return the charts that are seen, if they are of this question: they stay until others come."""
        for found in self._kept.values():
            if found.kind == kind and list(found.figures) == self.view.board.figures:
                return self.view.board.figures
        return None

    def _on_found(self, asked: Asked, found: Theory) -> None:
        self._kept.pop((asked.kind, asked), None)
        self._kept[asked.kind, asked] = found
        (self._stale.add if self._meanwhile else self._stale.discard)((asked.kind, asked))
        while len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        self._asked = None
        if asked == self.asked():
            self.view.show_theory(found, self._meanwhile)

    def _on_progress(self, done: float, total: float, words: Message) -> None:
        self.view.show_progress(done / total if total else 0.0, text(words))

    def _on_failed(self, failure: Failure) -> None:
        self._asked = None
        self.view.show_failure(failure.sentence, failure.next_step)

    def _on_stopped(self) -> None:
        self._asked = None
        if not self.view.board.figures:
            self.view.show_nothing_yet(_("Stopped. Press Compute to go on."))
        self.view.show_idle()

    # --- what can be asked -------------------------------------------------------------------------------------------

    def _offer(self) -> None:
        opened = self._opened

        def work(__: Progress) -> Offered:
            import app.lab.theory.theory  # noqa: F401 (what it imports is slow, and wanted on the window's thread next)
            from app.lab.theory.choices import offered

            return offered(opened.library)

        self._offering.begin(work).then(lambda found: self._on_offered(opened, found))

    def _on_offered(self, opened: Opened, found: Offered) -> None:
        if opened is not self._opened:
            return
        self._offered = found
        self.view.knobs.offer(_options(found))
        if self.view.isVisible():
            self._ask()

    def _tell_empty(self) -> bool:
        """Return what is missing, where something is."""
        found = self._offered
        assert found is not None
        if not found.indexes:
            words = _("Theory is drawn over measurements of your own photographs, and there are too few of them yet.")
            self.view.show_empty(words, _("Add a folder…"))
            return True
        if self.view.kind == "metric" and not found.metrics:
            words = _("No metric has been learned from marks yet. Mark some photographs as similar and different.")
            self.view.show_empty(words, _("Learn from marks"))
            return True
        if self.view.is_empty:
            self.view.show_kind(self.view.kind)
        return False

    def _on_empty_wanted(self) -> None:
        if self._offered is not None and self._offered.indexes:
            self._window.show_view("learn")
        else:
            self._window.taking.choose_folder()


def _bits(values: Mapping[str, Value]) -> int:
    return int(values.get("bits", 0))


def _options(found: Offered) -> dict[str, list[tuple[str, str]]]:
    """Return what can be chosen, as value and words."""
    from app.lab.theory.choices import KERNEL_TITLES, KERNELS_OF

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
