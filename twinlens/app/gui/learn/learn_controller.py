"""Controller of the Learn view: marks, learning, and the ranking before and after, all in jobs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from twinlens.app.gui.learn.before_after import MOST, BeforeAfterOrder
from twinlens.app.gui.learn.learn_view import LearnView
from twinlens.app.gui.learn.learned_metrics import KeptMetrics
from twinlens.app.gui.learn.mark_column import Distances, MarkChanges, chosen_mark_filters
from twinlens.app.gui.learn.metric_controller import MetricControl
from twinlens.app.gui.learn.next_pair import NextPairControl
from twinlens.app.gui.pictures.small_pictures import PictureFeed
from twinlens.app.gui.process.jobs import Failure
from twinlens.app.gui.process.outside_files import ask_for_output
from twinlens.app.gui.services.work_queue import QueuedJob
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, text
from twinlens.app.machine.remaining_time import time_left
from twinlens.app.marks.mark_results import NO_MARKS, MarksResult
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.learn.learn_results import BeforeAfterResult, MetricMeaning
    from twinlens.app.learn.learning import Proposal
    from twinlens.app.library.browsing.photographs import Photograph
    from twinlens.app.marks.mark_results import MarkStatus


_REST_MS = 250  # marks come fast: lists follow when the hand rests
_LEFT_AFTER_S = 1.0


class LearnControl(QObject):
    """Controller of the Learn view."""

    def __init__(self, window: Workspace) -> None:
        super().__init__(window)
        opened, jobs = window.opened, window.jobs
        view = self.view = LearnView()
        self._window, self._opened, self._jobs = window, opened, jobs
        self._marking = self._jobs.latest()
        self._learning: QueuedJob | None = None
        self._meaning = self._jobs.latest()
        self._ranking = self._jobs.latest()
        self._feed = PictureFeed(view.thumbnails, opened, jobs)
        self._shown = False
        self._count = NO_MARKS
        self._learned_from = NO_MARKS
        self._filter = "all"
        self._chosen: int | None = None  # by the person, to rank by
        self._asked: int | None = None  # that is ranked by now
        self._proposal: Proposal | None = None
        self._metrics = KeptMetrics()
        self._compared: BeforeAfterOrder | None = None
        self._listed: list[MarkStatus] = []
        self._began = 0.0
        self._stale = True
        self._seen_index = ""
        self._kept = ("", "")  # what was kept last: a metric, if it was one, and its index
        self._says_ready = True
        self.offers = NextPairControl(view.pair, view.thumbnails, window, self)
        self.kept = MetricControl(view.metrics, window, self)
        self._changes = MarkChanges(view.marks, window)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._list_marks)
        self._connect()
        view.show_counts(self._count, self._metrics)
        self._say_ready()

    def _connect(self) -> None:
        view, window = self.view, self._window
        view.bind(
            {
                "similar": lambda: self.offers.judge(True),
                "different": lambda: self.offers.judge(False),
                "skip": self.offers.skip,
                "take back": window.undoing.undo,
                "learn": self.learn,
                "keep": self._on_keep,
                "leave": self._on_not_now,
                "go back": self.kept.go_back,
                "another": self._on_another,
                "cancel": self._cancel,
            },
            window.left.emit,
        )
        view.empty.wanted.connect(lambda: window.show_view("library"))
        window.shared.counted.connect(lambda counts: self.show_photographs(counts.listed))
        if window.shared.photographs is not None:
            self.show_photographs(window.shared.photographs)

        def large(one: int) -> None:
            window.viewing.show(view, one)

        view.seen.connect(self._on_seen)
        view.marks.bind(self._on_export, self._on_import)
        view.marks.filter_chosen.connect(self._on_filter)
        view.marks.list.remove_wanted.connect(self._changes.remove)
        view.marks.list.query_photographs.connect(self.rank_by)
        for strip in (view.strips.before, view.strips.after):
            strip.clicked.connect(self.rank_by)
            strip.asked.connect(lambda one: window.show_photographs("search", [one]))
            strip.looked_at.connect(large)
        view.pair.pictures.query_photographs.connect(self.rank_by)
        view.pair.pictures.large_wanted.connect(large)
        window.shared.marks_changed.connect(self._on_marks_changed)
        self.offers.shown.connect(self._on_pair_shown)
        self.kept.listed.connect(self._on_metrics)
        self.kept.ready.connect(self._on_index_ready)

    # --- the library -------------------------------------------------------------------------------------------------

    def _on_seen(self, seen: bool) -> None:
        (self.show if seen else self.hide)()

    def show(self) -> None:
        """Update the view, since it is visible."""
        self._shown = True
        if not self.view.shows_photographs():
            return
        self._list_marks()
        if self._stale or self._index() != self._seen_index:
            self._stale, self._seen_index = False, self._index()
            self.kept.look(self._index())
            self.offers.renew(self._index(), self._learned())
            self._compare()
        elif self._last_asked() is not None and self._chosen is None:
            self._rank(anew=True)

    def hide(self) -> None:
        """Pause, since the view is hidden."""
        self._shown = False

    def refresh(self) -> None:
        """Read the library again, or marks that were made elsewhere."""
        self._stale = True
        self.view.thumbnails.retry()
        if self._shown:
            self.show()

    def focus(self) -> None:
        """Focus the pair or the outcome of learning."""
        self.view.focus_content()

    def waits(self) -> bool:
        """Return whether the lists do not show the last mark yet."""
        return self._rest.isActive()

    def chosen(self) -> list[int]:
        """Return the current photograph."""
        return [] if self.current() < 0 else [self.current()]

    def current(self) -> int:
        """Return the photograph of the rankings, or -1."""
        return -1 if self._asked is None else self._asked

    def query_photographs(self) -> list[int]:
        """Return the photographs of the pair to mark."""
        pair = self.offers.current()
        return [] if pair is None else [pair.first_id, pair.second_id]

    def looked_through(self) -> LearnView:
        """Return the photographs that the viewer steps through."""
        return self.view

    def state(self) -> dict[str, Any]:
        """Return nothing: the view shows what the library has."""
        return {}

    def show_photographs(self, count: int) -> None:
        """Show the number of photographs in the library."""
        there = self.view.shows_photographs()
        self.view.show_photographs(count > 0)
        if self._shown and count and not there:
            self.show()

    def _learned(self) -> Proposal | str | None:
        """Return the last metric: the proposal, else the one that search uses."""
        if self._proposal is not None and self._proposal.metric is not None:
            return self._proposal
        return self._metrics.used or None

    def _index(self) -> str:
        return self._window.shared.index

    def _last_asked(self) -> int | None:
        """Return the photograph of the last search."""
        query = self._window.shared.query
        examples = () if query is None else query.examples
        return next((one.picture for one in examples if isinstance(one.picture, int)), None)

    # --- marks -------------------------------------------------------------------------------------------------------

    def _on_marks_changed(self) -> None:
        if self._shown:
            self._rest.start()
        else:
            self._stale = True

    def _on_filter(self, chosen: str) -> None:
        self._filter = chosen
        self._list_marks()

    def _list_marks(self) -> None:
        opened, chosen, compared = self._opened, self._filter, self._compared
        if not self._shown:
            return

        def work(progress: Progress) -> tuple[MarksResult, Distances]:
            from twinlens.app.marks.marks import list_marks

            listed = list_marks(opened.library, chosen_mark_filters(chosen))
            newest = list(reversed(listed.marks))
            return listed, {} if compared is None else compared.distances(newest, progress)

        self._marking.begin(work).then(lambda told: self._on_marks(*told))

    def _on_marks(self, count: MarksResult, distances: Distances) -> None:
        changed = count.counts() != self._count.counts()
        self._count, self._listed = count, list(reversed(count.marks))
        self.view.show_counts(count, self._metrics)
        self.view.marks.show_marks(self._listed, self._filter, distances)
        if self._says_ready or (changed and self._proposal is None and not self._is_learning()):
            self._say_ready()
        if self._proposal is not None and not self._is_learning():
            self.view.head.show_newer(count.counts() != self._learned_from.counts())
        if changed:
            self._rank()  # outlines follow the marks

    def _say_ready(self) -> None:
        self._says_ready = True
        self.view.head.show_ready(self._count)

    def _on_export(self) -> None:
        kinds = _("Table (*.csv);;JSON (*.json)")
        file = ask_for_output(self.view, _("Export marks"), "marks.csv", kinds, self._opened.library)
        if file is not None:
            self._changes.export(file, self._filter)

    def _on_import(self) -> None:
        name, __ = QFileDialog.getOpenFileName(
            self.view, _("Import marks"), "", _("Marks (*.csv *.json);;All files (*)")
        )
        if name:
            self._changes.bring_in(Path(name))

    # --- learning ----------------------------------------------------------------------------------------------------

    def learn(self) -> None:
        """Learn from all marks, in its turn among long work."""
        # A kept metric has seen the marks that it would be judged by: what is learned is held against none.
        opened, index, method = self._opened, self.kept.plain_index(self._index()), self.view.head.method()
        if self._is_learning() or not self._count.total:
            return

        def work(progress: Progress) -> Proposal:
            from twinlens.app.learn.learning import propose_codes, propose_metric
            from twinlens.app.learn.learning_settings import LearningSettings

            wanted = LearningSettings(index=index, method=method, anyway=True)
            return (propose_codes if method else propose_metric)(opened.library, wanted, progress)

        self._says_ready = False
        self._learned_from = self._count
        self.view.head.show_learning(self._count.total, 0.0, _("Waiting for other long work"))
        job = self._learning = self._window.work.run(_("Learning from marks…"), work)
        job.then(self._on_proposed).failed(self._on_failed).stopped(self._on_stopped).progressed(self._on_progressed)
        job.began(self._on_began)

    def _is_learning(self) -> bool:
        return self._learning is not None and self._learning.running

    def _cancel(self) -> None:
        if self._learning is not None:
            self._learning.cancel()

    def _on_began(self) -> None:
        self._began = time.monotonic()
        self.view.head.show_learning(self._count.total, 0.0)

    def _on_progressed(self, done: float, total: float, doing: Message) -> None:
        share, took = (done / total if total else 0.0), time.monotonic() - self._began
        left = time_left(max(1.0, took * (1 - share) / share)) if share > 0 and took > _LEFT_AFTER_S else ""
        self.view.head.show_learning(self._count.total, share, text(doing), left)

    def _on_proposed(self, proposal: Proposal) -> None:
        self._proposal = proposal
        self.view.head.show_judgement(proposal.result)
        if proposal.result.learned_by is None:
            self._proposal = None
        else:
            self.view.head.show_newer(self._count.counts() != self._learned_from.counts())
        self._compare()
        self.offers.renew(self._index(), self._learned())

    def _on_failed(self, failure: Failure) -> None:
        self._proposal = None
        self.view.head.show_failure(failure.sentence, failure.next_step)

    def _on_stopped(self) -> None:
        self._proposal = None
        self._say_ready()

    def _on_keep(self) -> None:
        proposal = self._proposal
        if proposal is None:
            return
        self.view.head.show_keeping()
        self.kept.keep(proposal, self._on_kept)

    def _on_kept(self, name: str, index: str, is_ready: bool) -> None:
        self._proposal, self._kept = None, (name, index)
        self.view.head.show_kept(name or index, is_ready)

    def _on_index_ready(self, index: str) -> None:
        if index == self._kept[1] and self.view.head.can("back"):
            self.view.head.show_kept(self._kept[0], True)

    def _on_not_now(self) -> None:
        self._proposal = None
        self._say_ready()
        self._compare()
        self.offers.renew(self._index(), self._learned())

    def _on_metrics(self, metrics: KeptMetrics) -> None:
        used = self._metrics.used
        self._metrics = metrics
        self.view.show_counts(self._count, metrics)
        self.view.metrics.show_metrics(metrics)
        self.view.head.show_back(bool(metrics.before and metrics.used))
        if self._says_ready and self._proposal is None and not self._is_learning():
            self._say_ready()
        elif self.view.head.can("back") and metrics.used != self._kept[0]:
            self._say_ready()  # what was kept is used no more
        if used != metrics.used and self._proposal is None:
            self._compare()
            self.offers.renew(self._index(), self._learned())

    # --- before and after --------------------------------------------------------------------------------------------

    def _compare(self) -> None:
        """Measure by the last metric from now on, and show its meaning."""
        opened = self._opened
        learned = self._learned()
        index = self.kept.plain_index(self._index())
        if self._proposal is not None and learned is self._proposal:
            index = self._proposal.result.index
        self._compared = BeforeAfterOrder(opened, learned, index)
        self._rank(anew=True)
        self._list_marks()
        if learned is None:
            self.view.meaning.show_meaning(None)
            return

        def work(progress: Progress) -> tuple[MetricMeaning | None, dict[int, Photograph]]:
            from twinlens.app.learn.metric_meaning import metric_meaning
            from twinlens.app.library.browsing.photographs import photographs

            try:
                told = metric_meaning(opened.library, learned, progress=progress)
            except TwinlensError:
                return None, {}  # there is no meaning to show
            return told, {one.id: one for one in photographs(opened.library, told.photographs())}

        self._meaning.begin(work).then(lambda told: self.view.meaning.show_meaning(*told)).failed(lambda __: None)

    def rank_by(self, photograph_id: int) -> None:
        """Rank by a photograph from now on."""
        if photograph_id >= 0:
            self._chosen = photograph_id
            self._rank()

    def _on_another(self) -> None:
        ids = (one for mark in self._listed for one in (mark.first_id, mark.second_id) if one is not None)
        marked = list(dict.fromkeys(ids))
        if not marked:
            pair = self.offers.current()
            marked = [] if pair is None else [pair.first_id, pair.second_id]
        if marked:
            place = marked.index(self._asked) if self._asked in marked else -1
            self.rank_by(marked[(place + 1) % len(marked)])

    def _rank(self, anew: bool = False) -> None:
        """Rank by the chosen photograph, or that of the last search; else ``anew`` by an interesting one."""
        compared = self._compared
        if compared is None or not self._shown:
            return
        asked = self._chosen if self._chosen is not None else self._last_asked()
        if asked is None and not anew:
            asked = self._asked  # the lists follow the marks, and stay those of one photograph
        if asked is None and not compared.has_metric:
            pair = self.offers.current()
            asked = next((mark.first_id for mark in self._listed if mark.first_id is not None), None)
            asked = pair.first_id if asked is None and pair is not None else asked

        def work(progress: Progress) -> BeforeAfterResult | None:
            return compared.rankings(asked, MOST, progress)

        self._ranking.begin(work).then(self._on_ranked).failed(lambda failure: self.view.strips.say(failure.sentence))

    def _on_pair_shown(self) -> None:
        if self._asked is None:
            self._rank()

    def _on_ranked(self, rankings: BeforeAfterResult | None) -> None:
        self.view.strips.show_rankings(rankings)
        if rankings is not None:
            self._asked = rankings.query
