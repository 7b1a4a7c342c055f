"""Controller of metrics: keep, search with, go back, rename, delete and restore."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from twinlens.app.gui.learn.learned_metrics import KeptMetrics, MetricColumn
from twinlens.app.gui.process.jobs import Failure
from twinlens.app.gui.search.search_controller import SearchControl
from twinlens.app.language.texts import _, text
from twinlens.core.errors import TwinlensError
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.learn.learn_results import MetricComparison, MetricSwitch
    from twinlens.app.learn.learning import Proposal
    from twinlens.app.learn.metrics import DeletedMetric


class MetricControl(QObject):
    """Controller of the kept metrics: keeps and lists them, and switches search between them."""

    listed = Signal(object)
    """A :class:`KeptMetrics`."""
    ready = Signal(str)
    """An index under a metric is fitted and encoded."""

    def __init__(self, column: MetricColumn, window: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._opened, self._jobs = window, window.opened, window.jobs
        self._judging = self._jobs.latest()
        self._listing = self._jobs.latest()
        self._changes, self._undoing = window.changes, window.undoing
        self._index = ""
        self._plain = ""
        column.bind(self.use)
        column.list.renamed.connect(self.rename)
        column.list.remove_wanted.connect(self.delete)

    def plain_index(self, index: str) -> str:
        """Return the index without a learned metric, with which a metric is compared."""
        return self._plain or index

    def look(self, index: str) -> None:
        """List the metrics; their states on the present marks follow."""
        opened = self._opened
        self._index = index

        def work(__: Progress) -> tuple[KeptMetrics, str]:
            from twinlens.app.learn.metrics import can_go_back, list_metrics, plain_index

            kept, before = list_metrics(opened.library).metrics, can_go_back(opened.library)
            return KeptMetrics(kept, index, before), plain_index(opened.library, index)

        def judge(progress: Progress) -> MetricComparison | None:
            from twinlens.app.learn.metric_comparison import compare_metrics

            try:
                return compare_metrics(opened.library, index, progress=progress)
            except TwinlensError:
                return None  # there are too few marks

        def on_listed(told: tuple[KeptMetrics, str]) -> None:
            metrics, self._plain = told
            self.listed.emit(metrics)
            if metrics.kept:
                self._judging.begin(judge).then(lambda compared: self.listed.emit(replace(metrics, compared=compared)))

        self._listing.begin(work).then(on_listed)

    def keep(self, proposal: Proposal, then: Callable[[str, str, bool], None]) -> None:
        """Keep what was learned, and search by it.

        ``then`` gets the name of the metric, empty where bits were learned, that of the index, and whether that is
        ready.
        """
        if proposal.metric is None:
            self._keep_codes(proposal, then)
            return
        opened = self._opened

        def work(__: Progress) -> tuple[str, MetricSwitch]:
            from twinlens.app.learn.learning import keep_metric
            from twinlens.app.learn.metrics import search_by_metric

            name = keep_metric(opened.library, proposal)
            return name, search_by_metric(opened.library, name, like=proposal.result.index)

        def on_kept(told: tuple[str, MetricSwitch]) -> None:
            name, switched = told
            then(name, switched.index, not switched.waiting)
            self._take_switched(switched)

        self._changes.do(work, on_kept)

    def _keep_codes(self, proposal: Proposal, then: Callable[[str, str, bool], None]) -> None:
        opened = self._opened

        def work(progress: Progress) -> str:
            from twinlens.app.indexes.indexes import set_default
            from twinlens.app.learn.learning import keep_codes

            index = keep_codes(opened.library, proposal, progress=progress)
            set_default(opened.library, index)
            return index

        def on_kept(index: str) -> None:
            then("", index, True)
            self._search_with(index)

        self._window.work.run(_("Making an index of what was learned…"), work).then(on_kept)

    def use(self, name: str) -> None:
        """Search by a kept metric from now on, or by none."""
        opened, plain = self._opened, self._plain or self._index

        def work(__: Progress) -> MetricSwitch | str:
            from twinlens.app.indexes.indexes import set_default
            from twinlens.app.learn.metrics import search_by_metric

            if name:
                return search_by_metric(opened.library, name)
            set_default(opened.library, plain)
            return plain

        self._changes.do(work, self._on_used)

    def _on_used(self, told: MetricSwitch | str) -> None:
        if isinstance(told, str):
            self._window.status.show_message(_("Search ranks without a metric now."))
            self._search_with(told)
        else:
            self._window.status.show_message(text(told.sentence))
            self._take_switched(told)

    def _search_with(self, index: str) -> None:
        self._window.views.get("search", SearchControl).use_index(index)
        self.look(index)

    def go_back(self) -> None:
        """Search by the former index again."""
        opened = self._opened

        def work(__: Progress) -> MetricSwitch:
            from twinlens.app.learn.metrics import go_back

            return go_back(opened.library)

        self._changes.do(work, self._on_used)

    def _take_switched(self, told: MetricSwitch) -> None:
        self._search_with(told.index)
        if told.waiting:
            self._finish(told.index)

    def _finish(self, index: str) -> None:
        """Fit and encode an index in the queue of long work."""
        opened = self._opened

        def work(progress: Progress) -> object:
            from twinlens.app.learn.metrics import finish_index

            finish_index(opened.library, index, progress)
            return None

        words = _("Making “{index}” fast; it answers exactly meanwhile…", index=index)
        self._window.work.run(words, work).then(lambda __: self._on_finished(index))

    def _on_finished(self, index: str) -> None:
        self._window.status.show_message(_("“{index}” is ready.", index=index))
        self.ready.emit(index)

    def rename(self, old: str, new: str) -> None:
        """Rename a metric."""
        opened = self._opened

        def give_name(before: str, after: str) -> None:
            def work(__: Progress) -> object:
                from twinlens.app.learn.metrics import rename_metric

                return rename_metric(opened.library, before, after)

            self._changes.do(work, lambda __: self.look(self._index), refused)

        def refused(failure: Failure) -> None:
            step.withdraw()
            self._window.status.show_message(failure.words())
            self.look(self._index)

        words = _("“{old}” is named “{new}” now.", old=old, new=new)
        step = self._undoing.offer(words, lambda: give_name(new, old), lambda: give_name(old, new))
        give_name(old, new)

    def delete(self, names: list[str]) -> None:
        """Delete metrics with their indexes."""
        for name in names:
            self._delete(name)

    def _delete(self, name: str) -> None:
        opened = self._opened
        deleted: list[DeletedMetric] = []

        def work(__: Progress) -> object:
            from twinlens.app.indexes.indexes import default_index
            from twinlens.app.learn.metrics import delete_metric_and_indexes

            return delete_metric_and_indexes(opened.library, name), default_index(opened.library)

        def restore() -> None:
            def bring_back(__: Progress) -> MetricSwitch | None:
                from twinlens.app.learn.metrics import restore_metric

                return restore_metric(opened.library, deleted[0])

            self._changes.do(bring_back, on_restored)

        def on_restored(switched: MetricSwitch | None) -> None:
            self._search_with(self._index if switched is None else switched.index)
            for one in deleted[0].indexes:
                self._finish(one.name)

        def on_deleted(told: tuple[DeletedMetric, str]) -> None:
            deleted.append(told[0])
            words = _("“{names}” is deleted.", names=name)
            self._undoing.offer(words, restore)
            gone = self._index in {one.name for one in told[0].indexes}
            self._search_with(told[1] if gone else self._index)

        self._changes.do(work, on_deleted)
