"""What drives the Learn view: marks, learning, the order before and after, the metrics that are kept."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from app.gui.frame.opened import Opened
from app.gui.frame.undo import Undoing
from app.gui.learn import learn_jobs
from app.gui.learn.before_after_strips import MOST
from app.gui.learn.changes import TOPIC as MARKING
from app.gui.learn.changes import Steps
from app.gui.learn.learn_facts import MarksCount, MetricList, Rankings
from app.gui.learn.mark_changes import MarkChanges
from app.gui.learn.metric_controller import Kept
from app.gui.learn.next_pair_controller import TOPIC as OFFERING
from app.gui.learn.next_pair_controller import Offers
from app.gui.learn.order_jobs import Compared
from app.gui.learn.view import LearnView
from app.gui.library.adding_controller import AddingControl
from app.gui.process.jobs import Jobs
from app.gui.search.controller import SearchControl
from app.language.spoken import _, text
from app.machine.durations import time_left
from core.message import Message
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.learn.learn_facts import MarkedPair, Meaning
    from app.learn.learning import Proposal
    from app.learn.metric_use_results import Switched

LEARNING = "learn"
_RANKING, _MARKS, _MEANING, _THUMBNAILS = "learn ranking", "learn listing", "learn meaning", "learn thumbnails"
TOLD_IN_VIEW = frozenset({LEARNING, OFFERING, MARKING, _RANKING, _MEANING, _THUMBNAILS})
"""Topics of jobs whose failure the view tells by itself."""

_REST_MS = 250  # marks come fast: lists follow when the hand rests
_THUMBNAILS_AT_ONCE = 48
_LEFT_AFTER_S = 1.0


class LearnControl(QObject):
    """Asks the use cases in jobs, and gives the view what comes.

    Parameters
    ----------
    view : LearnView
    adding : AddingControl
        Does what takes long, in the status line.
    undoing : Undoing
    jobs : Jobs
    parent : QObject
    searching : SearchControl
        Says which index searches now, and what was asked last.
    """

    told = Signal(str)
    marks_changed = Signal()
    undo_elsewhere = Signal()
    """Nothing that was done here is to be undone; what was marked in another view may be."""
    index_wanted = Signal(str)
    """Search is to go by this index from now on."""
    search_wanted = Signal(int)
    large_wanted = Signal(int)

    def __init__(
        self,
        view: LearnView,
        adding: AddingControl,
        undoing: Undoing,
        jobs: Jobs,
        parent: QObject,
        searching: SearchControl,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._jobs = jobs
        self._searching = searching
        self._opened: Opened | None = None
        self._shown = False
        self._count = MarksCount()
        self._learned_from = MarksCount()
        self._filter = "all"
        self._chosen: int | None = None  # by the person, to rank by
        self._asked: int | None = None  # that is ranked by now
        self._proposal: Proposal | None = None
        self._metrics = MetricList()
        self._compared: Compared | None = None
        self._listed: list[MarkedPair] = []
        self._began = 0.0
        self._stale = True
        self._seen_index = ""
        self._kept = ("", "")  # what was kept last: a metric and the index that measures by it
        self._says_ready = True
        self._wanted: list[bytes] = []
        self.steps = Steps(jobs, self)
        self.offers = Offers(view.pair, view.thumbnails, self.steps, jobs, self)
        self.kept = Kept(view, self.steps, adding, undoing, jobs, self)
        self._changes = MarkChanges(view.marks, self.steps, undoing, jobs, self)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._list_marks)
        self._connect()

    def _connect(self) -> None:
        view, jobs = self._view, self._jobs
        view.seen.connect(self._on_seen)
        view.thumbnails.wanted.connect(self._on_thumbnails_wanted)
        view.learn_wanted.connect(self.learn)
        view.cancel_wanted.connect(lambda: jobs.cancel(LEARNING))
        view.keep_wanted.connect(self._on_keep)
        view.not_now_wanted.connect(self._on_not_now)
        view.another_wanted.connect(self._on_another)
        view.undo_wanted.connect(self._on_undo)
        view.marks.filter_chosen.connect(self._on_filter)
        view.marks.export_wanted.connect(self._on_export)
        view.marks.import_wanted.connect(self._on_import)
        view.marks.asked_with.connect(self.rank_by)
        view.strips.asked_with.connect(self.rank_by)
        view.pair.pictures.asked_with.connect(self.rank_by)
        view.pair.pictures.large_wanted.connect(self.large_wanted)
        view.strips.search_wanted.connect(self.search_wanted)
        view.strips.large_wanted.connect(self.large_wanted)
        self.steps.changed.connect(self._on_undo_changed)
        self.steps.failed.connect(self.told)
        self.steps.written.connect(self._on_written)
        self.offers.shown.connect(self._on_pair_shown)
        self.offers.refused.connect(self.told)
        self._changes.told.connect(self.told)
        self.kept.listed.connect(self._on_metrics)
        self.kept.switched.connect(self.index_wanted)
        self.kept.told.connect(self.told)
        self.kept.ready.connect(self._on_index_ready)
        jobs.progressed.connect(self._on_progressed)
        jobs.failed.connect(self._on_failed)
        jobs.stopped.connect(self._on_stopped)

    # --- the library -------------------------------------------------------------------------------------------------

    def take(self, opened: Opened) -> None:
        """Learn from this library from now on."""
        self._opened = opened
        self._proposal, self._compared, self._chosen, self._asked = None, None, None, None
        self._count, self._metrics, self._listed = MarksCount(), MetricList(), []
        self._stale = True
        for part in (self.offers, self.kept, self._changes):
            part.take(opened)
        self.steps.clear()
        self._view.show_counts(self._count, self._metrics)
        self._say_ready()
        self._view.strips.show_rankings(None)
        self._view.meaning.show_meaning(None)
        if self._shown:
            self.show()

    def _on_seen(self, seen: bool) -> None:
        (self.show if seen else self.hide)()

    def show(self) -> None:
        """Bring what the view shows up to date: it is looked at."""
        self._shown = True
        if self._opened is None or not self._view.shows_photographs():
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
        """Rest: the view is left."""
        self._shown = False

    def refresh(self) -> None:
        """Look again: the library is another one, or marks were made elsewhere."""
        self._stale = True
        self._view.thumbnails.retry()
        if self._shown:
            self.show()

    def show_photographs(self, count: int) -> None:
        """Say how many photographs the library has."""
        there = self._view.shows_photographs()
        self._view.show_photographs(count > 0)
        if self._shown and count and not there:
            self.show()

    def _learned(self) -> Proposal | str | None:
        """Return what was learned last: what is proposed, else what search goes by."""
        if self._proposal is not None and self._proposal.metric is not None:
            return self._proposal
        return next((one.name for one in self._metrics.metrics if one.used), None)

    def _index(self) -> str:
        return self._searching.index

    def _last_asked(self) -> int | None:
        """Return the photograph that was searched with last."""
        question = self._searching.question
        examples = () if question is None else question.examples
        return next((one.picture for one in examples if isinstance(one.picture, int)), None)

    # --- marks -------------------------------------------------------------------------------------------------------

    def _on_written(self) -> None:
        self._rest.start()
        self.marks_changed.emit()

    def _on_undo(self) -> None:
        if not self.steps.undo():
            self.undo_elsewhere.emit()

    def _on_undo_changed(self) -> None:
        last = self.steps.last()
        self._view.pair.show_undo(last.words if last is not None and last.is_mark else "")

    def _on_filter(self, chosen: str) -> None:
        self._filter = chosen
        self._list_marks()

    def _list_marks(self) -> None:
        opened, chosen, compared = self._opened, self._filter, self._compared
        if opened is None or not self._shown:
            return

        def work(progress: Progress) -> tuple[MarksCount, list[MarkedPair]]:
            count, listed = learn_jobs.marks(opened.library, chosen)
            if compared is None:
                return count, listed
            return count, learn_jobs.with_distances(listed, compared.distances(listed, progress))

        self._jobs.start(_MARKS, work, lambda told: self._on_marks(*told))

    def _on_marks(self, count: MarksCount, listed: list[MarkedPair]) -> None:
        changed = count != self._count
        self._count, self._listed = count, listed
        self._view.show_counts(count, self._metrics)
        self._view.marks.show_marks(listed, self._filter)
        if self._says_ready or (changed and self._proposal is None and not self._jobs.is_running(LEARNING)):
            self._say_ready()
        if self._proposal is not None and not self._jobs.is_running(LEARNING):
            self._view.head.show_newer(count != self._learned_from)
        if changed:
            self._rank()  # outlines follow the marks

    def _say_ready(self) -> None:
        self._says_ready = True
        self._view.head.show_ready(self._count)

    def _on_export(self) -> None:
        name, __ = QFileDialog.getSaveFileName(
            self._view,
            _("Export marks"),
            "marks.csv",
            _("Table (*.csv);;JSON (*.json)"),
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        if name:
            self._changes.export(Path(name), self._filter)

    def _on_import(self) -> None:
        name, __ = QFileDialog.getOpenFileName(
            self._view, _("Import marks"), "", _("Marks (*.csv *.json);;All files (*)")
        )
        if name:
            self._changes.bring_in(Path(name))

    # --- learning ----------------------------------------------------------------------------------------------------

    def learn(self) -> None:
        """Learn from all marks."""
        # A kept metric has seen the marks that it would be judged by: what is learned is held against none.
        opened, index = self._opened, self.kept.plain_index(self._index())
        if opened is None or self._jobs.is_running(LEARNING) or not self._count.total:
            return

        def work(progress: Progress) -> Proposal:
            from app.learn.learning import LearningWanted, propose

            return propose(opened.library, LearningWanted(index=index, anyway=True), progress)

        self._began, self._says_ready = time.monotonic(), False
        self._learned_from = self._count
        self._view.head.show_learning(self._count.total, 0.0)
        self._jobs.start(LEARNING, work, self._on_proposed)

    def _on_progressed(self, topic: str, done: float, total: float, doing: Message) -> None:
        if topic != LEARNING or not self._jobs.is_running(LEARNING):
            return
        share, took = (done / total if total else 0.0), time.monotonic() - self._began
        left = time_left(max(1.0, took * (1 - share) / share)) if share > 0 and took > _LEFT_AFTER_S else ""
        self._view.head.show_learning(self._count.total, share, text(doing), left)

    def _on_proposed(self, proposal: Proposal) -> None:
        self._proposal = proposal
        made = learn_jobs.judgement(proposal.result, proposal.metric is not None)
        self._view.head.show_judgement(made)
        if proposal.metric is None:
            self._proposal = None
        else:
            self._view.head.show_newer(self._count != self._learned_from)
        self._compare()
        self.offers.renew(self._index(), self._learned())

    def _on_failed(self, topic: str, sentence: str, next_step: str) -> None:
        if topic == LEARNING:
            self._proposal = None
            self._view.head.show_failure(sentence, next_step)
        elif topic == _RANKING:
            self._view.strips.say(sentence)
        elif topic == _THUMBNAILS:
            self._wanted.clear()

    def _on_stopped(self, topic: str) -> None:
        if topic == LEARNING:
            self._proposal = None
            self._say_ready()

    def _on_keep(self) -> None:
        proposal = self._proposal
        if proposal is None:
            return
        self._view.head.show_keeping()
        self.kept.keep(proposal, self._on_kept)

    def _on_kept(self, name: str, switched: Switched) -> None:
        self._proposal, self._kept = None, (name, switched.index)
        self._view.head.show_kept(name, not switched.waiting)

    def _on_index_ready(self, index: str) -> None:
        if index == self._kept[1] and self._view.head.can("back"):
            self._view.head.show_kept(self._kept[0], True)

    def _on_not_now(self) -> None:
        self._proposal = None
        self._say_ready()
        self._compare()
        self.offers.renew(self._index(), self._learned())

    def _on_metrics(self, metrics: MetricList) -> None:
        used = [one.name for one in self._metrics.metrics if one.used]
        self._metrics = metrics
        self._view.show_counts(self._count, metrics)
        self._view.metrics.show_metrics(metrics)
        self._view.head.show_back(metrics.before is not None and not metrics.plain_used)
        if self._says_ready and self._proposal is None and not self._jobs.is_running(LEARNING):
            self._say_ready()
        elif self._view.head.can("back") and not any(one.used and one.name == self._kept[0] for one in metrics.metrics):
            self._say_ready()  # what was kept is used no more
        if used != [one.name for one in metrics.metrics if one.used] and self._proposal is None:
            self._compare()
            self.offers.renew(self._index(), self._learned())

    # --- before and after --------------------------------------------------------------------------------------------

    def _compare(self) -> None:
        """Measure by what was learned last from now on, and say what it weighs."""
        opened = self._opened
        if opened is None:
            return
        learned = self._learned()
        name = learned if isinstance(learned, str) else ""
        index = self.kept.plain_index(self._index())
        if self._proposal is not None and learned is self._proposal:
            index = self._proposal.result.index
        names = (_("as “{index}” measures", index=index), _("by “{name}”", name=name) if name else "")
        self._compared = Compared(opened, learned, index, names)
        self._rank(anew=True)
        self._list_marks()
        if learned is None:
            self._view.meaning.show_meaning(None)
            return

        def work(progress: Progress) -> Meaning | None:
            return learn_jobs.meaning(opened.library, learned, progress)

        self._jobs.start(_MEANING, work, self._view.meaning.show_meaning)

    def rank_by(self, photograph_id: int) -> None:
        """Rank by a photograph from now on."""
        if photograph_id >= 0:
            self._chosen = photograph_id
            self._rank()

    def _on_another(self) -> None:
        marked = list(
            dict.fromkeys(one.id for mark in self._listed for one in (mark.first, mark.second) if one.id >= 0)
        )
        if not marked:
            pair = self.offers.current()
            marked = [] if pair is None else [pair.first.id, pair.second.id]
        if marked:
            place = marked.index(self._asked) if self._asked in marked else -1
            self.rank_by(marked[(place + 1) % len(marked)])

    def _rank(self, anew: bool = False) -> None:
        """Rank by what the person has chosen, or searched with last; else ``anew`` by what is worth showing."""
        compared = self._compared
        if compared is None or not self._shown:
            return
        asked = self._chosen if self._chosen is not None else self._last_asked()
        if asked is None and not anew:
            asked = self._asked  # the lists follow the marks, and stay those of one photograph
        if asked is None and not compared.has_metric:
            pair = self.offers.current()
            asked = next((mark.first.id for mark in self._listed if mark.first.id >= 0), None)
            asked = pair.first.id if asked is None and pair is not None else asked

        def work(progress: Progress) -> Rankings | None:
            return compared.rankings(asked, MOST, progress)

        self._jobs.start(_RANKING, work, self._on_ranked)

    def _on_pair_shown(self) -> None:
        if self._asked is None:
            self._rank()

    def _on_ranked(self, rankings: Rankings | None) -> None:
        self._view.strips.show_rankings(rankings)
        if rankings is not None:
            self._asked = rankings.asked.id

    # --- thumbnails --------------------------------------------------------------------------------------------------

    def _on_thumbnails_wanted(self, contents: list[bytes]) -> None:
        self._wanted = [*contents, *(one for one in self._wanted if one not in contents)]  # the newest first
        self._next_thumbnails()

    def _next_thumbnails(self) -> None:
        opened, some = self._opened, self._wanted[:_THUMBNAILS_AT_ONCE]
        if opened is None or not some or self._jobs.is_running(_THUMBNAILS):
            return

        def work(__: Progress) -> dict[bytes, QImage]:
            return learn_jobs.small_images(opened.library, some)

        self._jobs.start(_THUMBNAILS, work, self._on_thumbnails)

    def _on_thumbnails(self, images: dict[bytes, QImage]) -> None:
        self._wanted = [one for one in self._wanted if one not in images]
        self._view.thumbnails.take(images)
        self._next_thumbnails()
