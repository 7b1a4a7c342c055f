"""Controller of the pages for indexes, a new index, problems and settings; each is made when needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.gui.frame.opened import Opened
from app.gui.library.adding_controller import AddingControl
from app.gui.process.jobs import Jobs
from app.language.spoken import _, text
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.indexes.indexes_page import IndexesPage
    from app.gui.indexes.new_index_page import NewIndexPage
    from app.gui.problems.problems_page import ProblemsPage
    from app.gui.settings.settings_page import SettingsPage
    from app.learn.metric_results import MetricListResult
    from app.machine.preferences import Preferences
    from app.results import IndexListResult, ProblemsResult


ESTIMATE = "index estimate"
"""The job that says what an index would cost; why it cannot be made is told on its page."""


class PagesControl(QObject):
    """Makes the pages, fills them, and does what they want."""

    closed = Signal()
    indexes_listed = Signal(object)
    default_wanted = Signal(str)
    reveal_wanted = Signal(str)
    shortcuts_wanted = Signal()
    told = Signal(str)
    language_chosen = Signal(str)

    def __init__(self, views: QStackedWidget, adding: AddingControl, jobs: Jobs) -> None:
        super().__init__(views)
        self._views = views
        self._adding = adding
        self._jobs = jobs
        self._opened: Opened | None = None
        self._listed: IndexListResult | None = None
        self._default = ""
        self._with_ignored = False
        self._with_passed_over = False
        self._pages: dict[str, QWidget] = {}
        self._indexes: IndexesPage | None = None
        self._new: NewIndexPage | None = None
        self._problems: ProblemsPage | None = None
        self._settings: SettingsPage | None = None
        adding.index_progressed.connect(self._on_index_progressed)
        adding.index_made.connect(self._on_index_made)
        adding.index_failed.connect(self._on_index_failed)
        jobs.failed.connect(self._on_failed)

    def take(self, opened: Opened) -> None:
        """Work on this library from now on."""
        self._opened = opened
        self.list_indexes()

    def page(self, name: str) -> QWidget:
        """Return a page, made and filled."""
        if name not in self._pages:
            made = {
                "indexes": self._make_indexes,
                "new index": self._make_new,
                "problems": self._make_problems,
                "settings": self._make_settings,
            }[name]()
            self._pages[name] = made
            self._views.addWidget(made)
        if name == "indexes":
            self.list_indexes()
        elif name == "problems":
            self.list_problems()
        elif name == "settings":
            self._fill_settings()
        return self._pages[name]

    # --- indexes -----------------------------------------------------------------------------------------------------

    def list_indexes(self) -> None:
        """Look at the indexes again."""
        opened = self._opened
        if opened is None:
            return

        def work(__: Progress) -> IndexListResult:
            from app.indexes.indexes import list_indexes

            return list_indexes(opened.library)

        self._jobs.start("indexes", work, self._on_indexes)

    def take_waiting(self) -> str:
        """Return the index whose deletion could still be undone: the window closes, and it is to happen."""
        return "" if self._indexes is None else self._indexes.take_waiting()

    def show_default(self, name: str) -> None:
        """Set which index is searched where none is named."""
        self._default = name
        if self._indexes is not None and self._listed is not None:
            self._show_indexes(self._listed)

    def _on_indexes(self, result: IndexListResult) -> None:
        self._listed = result
        self.indexes_listed.emit(result)
        if self._indexes is not None:
            self._show_indexes(result)
        if self._new is not None:
            self._new.set_taken([one.name for one in result.indexes])

    def _show_indexes(self, result: IndexListResult) -> None:
        from app.gui.forms.declaration_words import told
        from app.methods.catalogue import plain_words

        assert self._indexes is not None
        words = {one.name: told(plain_words(one.descriptor)) for one in result.indexes}
        self._indexes.set_indexes(result, self._default, words)

    def _make_indexes(self) -> QWidget:
        from app.gui.indexes.indexes_page import IndexesPage

        page = self._indexes = IndexesPage()
        page.new_wanted.connect(self.new_index)
        page.rename_wanted.connect(self._on_rename)
        page.delete_wanted.connect(self._on_delete)
        page.default_wanted.connect(self.default_wanted)
        page.closed.connect(self.closed)
        return page

    def _on_rename(self, old: str, new: str) -> None:
        opened = self._opened
        if opened is None:
            return

        def work(__: Progress) -> IndexListResult:
            from app.indexes.indexes import list_indexes, rename_index

            rename_index(opened.library, old, new)
            return list_indexes(opened.library)

        self._jobs.start("indexes", work, self._on_indexes)
        if old == self._default:
            self.default_wanted.emit(new)

    def _on_delete(self, name: str) -> None:
        opened = self._opened
        if opened is None:
            return

        def work(__: Progress) -> IndexListResult:
            from app.indexes.indexes import delete_index

            return delete_index(opened.library, name)

        self._jobs.start("indexes", work, self._on_indexes)

    # --- a new index -------------------------------------------------------------------------------------------------

    def new_index(self) -> None:
        """Show the form of a new index."""
        page = self.page("new index")
        self._list_metrics()
        self._views.setCurrentWidget(page)
        page.setFocus()

    def _make_new(self) -> QWidget:
        from app.gui.indexes.new_index_page import NewIndexPage

        page = self._new = NewIndexPage()
        page.create_wanted.connect(self._on_create)
        page.cancelled.connect(self._on_new_cancelled)
        page.estimate_wanted.connect(self._on_estimate_wanted)
        if self._listed is not None:
            page.set_taken([one.name for one in self._listed.indexes])
        self._on_estimate_wanted(*page.texts())
        return page

    def _list_metrics(self) -> None:
        opened, page = self._opened, self._new
        if opened is None or page is None:
            return

        def work(__: Progress) -> MetricListResult:
            from app.learn.metrics import list_metrics

            return list_metrics(opened.library)

        self._jobs.start("metrics", work, lambda result: page.set_metrics(result.metrics))

    def _on_estimate_wanted(self, descriptor: str, metric: str, method: str, search: str) -> None:
        opened = self._opened
        if opened is None:
            return

        def work(__: Progress) -> str:
            from app.indexes.indexes import estimate_index

            return text(estimate_index(opened.library, descriptor, method, search, metric))

        self._jobs.start(ESTIMATE, work, self._on_estimate)

    def _on_estimate(self, sentence: str) -> None:
        if self._new is not None:
            self._new.set_estimate(sentence)

    def _on_failed(self, topic: str, sentence: str, next_step: str) -> None:
        if topic == ESTIMATE and self._new is not None:
            self._new.set_estimate("")
            self._new.set_error(f"{sentence} {next_step}".strip())

    def _on_new_cancelled(self) -> None:
        self._views.setCurrentWidget(self.page("indexes"))

    def _on_create(self, descriptor: str, metric: str, method: str, search: str, name: str) -> None:
        self._adding.create_index(descriptor, metric, method, search, name)
        if self._new is not None:
            self._new.set_name("")  # the next one is called something else
        self._views.setCurrentWidget(self.page("indexes"))

    def _on_index_progressed(self, name: str, share: float, text: str) -> None:
        if self._indexes is not None:
            known = self._listed is not None and any(one.name == name for one in self._listed.indexes)
            if not known:
                self.list_indexes()
            self._indexes.set_progress(name, share, text)

    def _on_index_made(self, name: str) -> None:
        if self._indexes is not None:
            self._indexes.set_progress(name, None)
        self.list_indexes()

    def _on_index_failed(self, sentence: str) -> None:
        if self._new is not None:
            self._new.set_error(sentence)
        self.list_indexes()

    # --- problems ----------------------------------------------------------------------------------------------------

    def list_problems(self) -> None:
        """Look at the problems again."""
        opened, ignored, passed_over = self._opened, self._with_ignored, self._with_passed_over
        if opened is None or self._problems is None:
            return

        def work(__: Progress) -> ProblemsResult:
            return opened.library.problems(ignored, passed_over)

        self._jobs.start("problems", work, self._problems.set_problems)

    def _make_problems(self) -> QWidget:
        from app.gui.problems.problems_page import ProblemsPage

        page = self._problems = ProblemsPage()
        page.retry_wanted.connect(self._adding.retry)
        page.retry_all_wanted.connect(lambda: self._adding.retry(None))
        page.ignore_wanted.connect(self._on_ignore)
        page.reveal_wanted.connect(self.reveal_wanted)
        page.show_ignored_wanted.connect(self._on_with_ignored)
        page.show_passed_over_wanted.connect(self._on_with_passed_over)
        page.closed.connect(self.closed)
        return page

    def _on_with_ignored(self, shown: bool) -> None:
        self._with_ignored = shown
        self.list_problems()

    def _on_with_passed_over(self, shown: bool) -> None:
        self._with_passed_over = shown
        self.list_problems()

    def _on_ignore(self, paths: list[str], ignored: bool) -> None:
        opened, with_ignored, passed_over = self._opened, self._with_ignored, self._with_passed_over
        if opened is None or self._problems is None:
            return

        def work(__: Progress) -> ProblemsResult:
            from app.library.problems import ignore_problem

            for path in paths:
                ignore_problem(opened.library, path, ignored)
            return opened.library.problems(with_ignored, passed_over)

        self._jobs.start("problems", work, self._problems.set_problems)

    # --- settings ----------------------------------------------------------------------------------------------------

    def _make_settings(self) -> QWidget:
        from app.gui.settings.library_check import LibraryCheck
        from app.gui.settings.settings_page import SettingsPage
        from app.machine import preferences

        page = self._settings = SettingsPage(preferences.load())
        page.changed.connect(self._on_preferences)
        page.open_wanted.connect(self.reveal_wanted)
        page.shortcuts_wanted.connect(self.shortcuts_wanted)
        page.closed.connect(self.closed)
        self._library_check = LibraryCheck(page.check_card, self._jobs, lambda: self._opened, self)
        return page

    def _on_preferences(self, chosen: Preferences) -> None:
        from app.library import decoders
        from app.machine import preferences
        from core.errors import TwinlensError

        before = preferences.load()
        try:
            preferences.keep(chosen)
            decoders.follow_preferences()
        except TwinlensError as error:
            self.told.emit(text(error))
        opened = self._opened
        if chosen.thumbnail_cache < before.thumbnail_cache and opened is not None:
            self._jobs.start("pruning", lambda __: opened.library.prune_thumbnails(), lambda __: None)
        if chosen.language != before.language:
            self.language_chosen.emit(chosen.language)

    def _fill_settings(self) -> None:
        from app.gui.settings.settings_page import Place
        from app.machine import faults, places, preferences
        from app.machine.version import version_text

        assert self._settings is not None
        self._settings.set_preferences(preferences.load())
        library = self._opened.path if self._opened is not None else places.default_library()
        kept = [
            Place(_("Library"), str(library), _("what is known of your photographs, and your searches")),
            Place(_("Cache"), str(places.cache_folder()), _("thumbnails; may be deleted at any time")),
            Place(_("Log"), str(places.log_folder()), _("what went wrong")),
        ]
        self._settings.set_places(kept)
        self._settings.set_version(version_text())
        self._settings.set_log(faults.last_lines(200))
