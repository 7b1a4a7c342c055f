"""Suggestions about the automatic index: to improve it, to learn a vocabulary, and to keep that if it is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.gui.look.page_parts import PromptBar
from app.gui.process.jobs import Jobs
from app.gui.process.open_library import OpenLibrary
from app.gui.services.long_work import LongWork
from app.language.texts import _, text
from core.progress import Progress

if TYPE_CHECKING:
    from app.indexes.index_results import IndexListResult, IndexSuggestion
    from app.vocabulary.learned_vocabularies import VocabularyListResult


class IndexSuggestions(QObject):
    """Suggests in a line above the views; a declined suggestion is not repeated while the window is open."""

    def __init__(self, notice: PromptBar, adding: LongWork, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._notice = notice
        self._adding = adding
        self._jobs = jobs
        self._looking = self._jobs.latest()
        self._asked: IndexSuggestion | None = None
        self._put_off: set[tuple[str, str]] = set()
        notice.agreed.connect(self._on_agreed)
        notice.declined.connect(self._on_declined)
        adding.changed.connect(self.look)
        self.look()

    def look(self) -> None:
        """Look for a suggestion, unless work is under way."""
        opened = self._opened
        if self._adding.busy() or self._notice.isVisible() or not opened.library.store.writable:
            return

        def work(__: Progress) -> IndexSuggestion | None:
            from app.indexes.indexes import improvement_suggestion
            from app.vocabulary.vocabularies import vocabulary_suggestion

            return improvement_suggestion(opened.library) or vocabulary_suggestion(opened.library)

        self._looking.begin(work).then(lambda found: self._on_found(opened, found))

    def _on_found(self, opened: OpenLibrary, found: IndexSuggestion | None) -> None:
        if found is None or opened is not self._opened or self._adding.busy():
            return
        if (found.step, found.name) in self._put_off:
            return
        self._asked = found
        words = {"improve": _("Improve"), "learn": _("Learn"), "decide": _("Keep"), "finish": _("Go on")}
        self._notice.ask(text(found.sentence), words[found.step], _("Not now"), focus=False)

    def _on_declined(self) -> None:
        if self._asked is not None:
            self._put_off.add((self._asked.step, self._asked.name))

    def _on_agreed(self) -> None:
        asked, opened = self._asked, self._opened
        if asked is None:
            return
        if asked.step == "improve":

            def improve(progress: Progress) -> IndexListResult:
                from app.indexes.indexes import improve_index

                return improve_index(opened.library, progress)

            self._adding.run(_("Improving the automatic index…"), improve, self._on_improved)
        elif asked.step == "learn":

            def learn(progress: Progress) -> VocabularyListResult:
                from app.vocabulary.vocabularies import learn_vocabulary

                return learn_vocabulary(opened.library, progress=progress)

            self._adding.run(_("Learning a vocabulary…"), learn, self._on_done)
        else:

            def keep(progress: Progress) -> VocabularyListResult:
                from app.vocabulary.vocabularies import keep_vocabulary

                return keep_vocabulary(opened.library, asked.name, progress)

            self._adding.run(_("Describing photos with the new vocabulary…"), keep, self._on_done)

    def _on_improved(self, __: IndexListResult) -> None:
        self._adding.tell(_("Searches now find photos of the same thing, too."))

    def _on_done(self, result: VocabularyListResult) -> None:
        newest = result.vocabularies[-1] if result.vocabularies else None
        if newest is not None and newest.quality is not None:
            self._adding.tell(text(newest.quality.sentence))
