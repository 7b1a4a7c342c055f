"""Controllers of the indexes page and of the form of a new index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.gui.frame.window import WorkspaceServices
from app.gui.indexes.indexes_page import IndexesPage
from app.gui.indexes.new_index_page import NewIndexPage
from app.gui.process.job import Failure
from app.language.spoken import _, text
from core.progress import Progress

if TYPE_CHECKING:
    from app.indexes.results import IndexListResult
    from app.learn.metric_results import MetricListResult


class IndexesControl(QObject):
    """The page of the indexes."""

    def __init__(self, window: WorkspaceServices) -> None:
        self.view = IndexesPage()
        super().__init__(self.view)
        self._window, self._indexes = window, window.indexes
        page, adding = self.view, window.adding
        page.new_wanted.connect(window.new_index)
        page.rename_wanted.connect(self._on_rename)
        page.delete_wanted.connect(self._on_delete)
        page.default_wanted.connect(window.answer_by)
        page.closed.connect(lambda: window.show_view("lab"))
        self._indexes.listed.connect(self._show)
        window.shared.index_chosen.connect(self._on_default)
        adding.index_progressed.connect(self._on_progress)
        adding.index_made.connect(lambda name: page.set_progress(name, None))
        if self._indexes.result is not None:
            self._show(self._indexes.result)
        self.refresh()

    def focus(self) -> None:
        """Focus the page."""
        self.view.setFocus()

    def refresh(self) -> None:
        """List the indexes anew."""
        self._indexes.refresh()

    def state(self) -> dict[str, Any]:
        """Return nothing: the page shows what the library has."""
        return {}

    def _show(self, result: IndexListResult) -> None:
        from app.gui.forms.declaration_words import told
        from app.methods.catalogue import plain_words

        words = {one.name: told(plain_words(one.descriptor)) for one in result.indexes}
        self.view.set_indexes(result, self._window.shared.index, words)

    def _on_default(self, __: str) -> None:
        if self._indexes.result is not None:
            self._show(self._indexes.result)

    def _on_rename(self, old: str, new: str) -> None:
        self._indexes.rename(old, new)
        if old == self._window.shared.index:
            self._window.answer_by(new)

    def _on_delete(self, name: str) -> None:
        self._indexes.put_away(name)
        words = _("“{name}” was deleted.", name=name)
        self._window.undoing.offer(words, lambda: self._indexes.bring_back(name), lambda: self._indexes.put_away(name))

    def _on_progress(self, name: str, share: float, doing: str) -> None:
        if name not in self._indexes.names():
            self._indexes.refresh()
        self.view.set_progress(name, share, doing)


class NewIndexControl(QObject):
    """The form of a new index."""

    def __init__(self, window: WorkspaceServices) -> None:
        self.view = NewIndexPage()
        super().__init__(self.view)
        self._window, self._opened = window, window.opened
        self._estimating, self._metrics = window.jobs.latest(), window.jobs.latest()
        page, indexes = self.view, window.indexes
        page.create_wanted.connect(self._on_create)
        page.cancelled.connect(lambda: window.show_view("indexes"))
        page.estimate_wanted.connect(self._on_estimate_wanted)
        window.adding.index_failed.connect(page.set_error)
        indexes.listed.connect(lambda __: page.set_taken(indexes.names()))
        page.set_taken(indexes.names())
        self._on_estimate_wanted(*page.texts())

    def focus(self) -> None:
        """Focus the form, with the metrics that there are now."""
        self._list_metrics()
        self.view.setFocus()

    def refresh(self) -> None:
        """Reckon anew what the index would cost."""
        self._on_estimate_wanted(*self.view.texts())

    def state(self) -> dict[str, Any]:
        """Return nothing: a form is begun anew."""
        return {}

    def _list_metrics(self) -> None:
        opened, page = self._opened, self.view

        def work(__: Progress) -> MetricListResult:
            from app.learn.metrics import list_metrics

            return list_metrics(opened.library)

        self._metrics.begin(work).then(lambda result: page.set_metrics(result.metrics))

    def _on_estimate_wanted(self, descriptor: str, metric: str, method: str, search: str) -> None:
        opened = self._opened

        def work(__: Progress) -> str:
            from app.indexes.indexes import estimate_index

            return text(estimate_index(opened.library, descriptor, method, search, metric))

        self._estimating.begin(work).then(self.view.set_estimate).failed(self._on_failed)

    def _on_failed(self, failure: Failure) -> None:
        self.view.set_estimate("")
        self.view.set_error(failure.words())

    def _on_create(self, descriptor: str, metric: str, method: str, search: str, name: str) -> None:
        self._window.indexes.delete_put_away(name)
        self._window.adding.create_index(descriptor, metric, method, search, name)
        self.view.set_name("")  # the next one is called something else
        self._window.show_view("indexes")
