"""Marking of photographs, from results, selections and folders, in the order of the keys, with undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from twinlens.app.gui.marks.mark_controls import Verdict, count_of_marks
from twinlens.app.gui.process.jobs import Failure
from twinlens.app.gui.search.search_controller import SearchControl
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, _n, text
from twinlens.core.progress import Progress, silent

if TYPE_CHECKING:
    from twinlens.app.library.library import Library
    from twinlens.app.marks.judgement import JudgementChange, ResultMarks
    from twinlens.app.search.search_query import SearchQuery


class MarksControl(QObject):
    """Marks photographs; keys pressed fast are done one after another, and none is lost."""

    def __init__(self, searching: SearchControl, window: Workspace) -> None:
        super().__init__(window)
        self._opened, self._jobs = window.opened, window.jobs
        self._searching, self._viewing, self._shared = searching, window.viewing, window.shared
        self._undoing, self._queue, self._changes = window.undoing, window.work, window.changes
        self._looking = window.jobs.latest()
        viewing = window.viewing
        view = self._view = searching.view
        self._known: ResultMarks | None = None
        searching.results_changed.connect(self.look)
        window.shared.query_changed.connect(self._forget)
        view.grid.current_changed.connect(lambda __: self._show_marks())
        view.why.marks.judged.connect(lambda similar: self.mark_results(self._current(), similar))
        view.why.marks.remove_wanted.connect(self._remove)
        viewing.viewer.judged.connect(self._on_viewer)
        viewing.shown.connect(lambda __: self._show_marks())
        window.shared.marks_changed.connect(self.look)
        self._status = window.status

    # --- results -----------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Show the present marks between the query's photographs and the results."""
        opened, query = self._opened, self._searching.query
        if query is None:
            return
        ids: list[int] = self._view.grid.rows().ids.tolist()

        def work(__: Progress) -> tuple[ResultMarks, SearchQuery]:
            from twinlens.app.marks.judgement import result_marks
            from twinlens.app.search.search_query import with_marks

            return result_marks(opened.library, query, ids), with_marks(opened.library, query)

        def then(found: tuple[ResultMarks, SearchQuery]) -> None:
            known, marked_query = found
            if query is self._searching.query and not self._changes.running:
                self._known = known
                self._show_count(marked_query)
                self._view.grid.show_verdicts(self._verdicts(known))
                self._show_marks()

        self._looking.begin(work).then(then)

    def _show_count(self, now: SearchQuery) -> None:
        """Show how many marks the query has now, and whether the visible results include them."""
        used, uses = self._searching.query_with_marks(), self._searching.uses_marks
        stale = uses and used is not None and used != now
        self._view.bar.show_marks(*now.mark_counts(), uses, stale)

    def _verdicts(self, known: ResultMarks) -> dict[int, Verdict]:
        found = {one: Verdict.of(row.similar for row in rows) for one, rows in known.of.items()}
        return {one: verdict for one, verdict in found.items() if verdict is not None}

    def _forget(self) -> None:
        self._known = None
        self._view.bar.show_marks(0, 0)
        self._view.grid.show_verdicts({})
        self._show_marks()

    def _current(self) -> list[int]:
        one = self._view.grid.current_id()
        return [one] if one >= 0 else []

    def mark_results(self, ids: list[int], similar: bool) -> None:
        """Mark results as similar to the query's photographs, or different; take it back if all are marked so already.

        The current one alone makes way for the next one, unless it was taken back.
        """
        known, grid = self._known, self._view.grid
        if known is None or not ids:
            return  # there is no query, or the results have only just come
        if not known.examples:
            self._status.show_message(self._why_not())
            return
        results = [one for one in ids if one not in known.examples]
        if not results:
            self._status.show_message(_("This is the searched photo: it cannot be marked with itself."))
            self._go_on(ids)
            return
        verdicts, verdict_wanted = grid.verdicts(), Verdict.that(similar)
        again = all(verdicts.get(one) is verdict_wanted for one in results) and self._all_marked(results)
        to = None if again else similar
        pairs = [(of_query, one) for one in results for of_query in known.examples]

        def work(library: Library) -> JudgementChange:
            from twinlens.app.marks.judgement import judge_pairs

            return judge_pairs(library, pairs, to, "results")

        shown = {one: verdict for one, verdict in verdicts.items() if one not in results}
        grid.show_verdicts(shown if again else shown | dict.fromkeys(results, verdict_wanted))
        self._known = replace(known, of={one: rows for one, rows in known.of.items() if one not in results})
        self._act(work, self._marked(to, results, known.whole))
        if not again:
            self._go_on(ids)
        self._show_marks()

    def _all_marked(self, results: list[int]) -> bool:
        """Return whether results are marked with every photograph of the query, as far as that is known."""
        known = self._known
        if known is None:
            return False
        # What was just pressed is not among these: it was marked with all of them.
        return all(one in known.full for one in results if one in known.of)

    def mark_confirmed(self) -> None:
        """Mark every match as similar."""
        ids = self.confirmed()
        if ids and self._known is not None:
            verdicts = self._view.grid.verdicts()
            self.mark_results([one for one in ids if verdicts.get(one) is not Verdict.SIMILAR] or ids, True)

    def confirmed(self) -> list[int]:
        """Return the matches."""
        return self._view.confirmed_ids()

    def _go_on(self, ids: list[int]) -> None:
        """Go to the next result, where the current one alone was judged."""
        grid = self._view.grid
        row, rows = grid.current_row(), grid.rows()
        if len(ids) != 1 or row < 0 or ids[0] != grid.current_id() or grid.selection.count > 1:
            return
        if self._viewing.is_open():
            self._viewing.step(1)
        elif row + 1 < rows.count:
            grid.set_current(int(rows.ids[row + 1]))

    def _marked(self, similar: bool | None, ids: list[int], whole: bool = True) -> str:
        name = self._view.name_of(ids[0]) if len(ids) == 1 else _("{passing} photos", passing=len(ids))
        if similar is None:
            return _("Taken back: {name}.", name=name)
        words = _("Marked similar: {name}.", name=name) if similar else _("Marked different: {name}.", name=name)
        rest = "" if whole else " " + _("A mark is of whole photos, also where you searched with a part.")
        return words + rest

    def _why_not(self) -> str:
        query = self._searching.query
        files = [one.picture for one in query.examples if isinstance(one.picture, Path)] if query else []
        if files:
            return _(
                "{name} is not in the library: add its folder first, then its results can be marked.",
                name=files[0].name,
            )
        return _("This picture is not in the library: save it, add its folder, and search with it from there.")

    def _on_viewer(self, similar: bool) -> None:
        if self._viewing.shows(self._view.grid):
            self.mark_results(self._current(), similar)

    def _show_marks(self) -> None:
        """Show the marks of the current photograph, in the panel and under the large picture."""
        known, one = self._known, self._view.grid.current_id()
        verdict = self._view.grid.verdicts().get(one)
        markable = known is not None and bool(known.examples) and one >= 0 and one not in known.examples
        rows = known.of.get(one, ()) if known is not None else ()
        if not rows and verdict is not None:
            self._view.why.marks.expect(markable, verdict)  # it is being written
        else:
            self._view.why.marks.show_marks(markable, rows)
        if self._viewing.shows(self._view.grid):
            self._viewing.viewer.show_verdict(markable, verdict)
        elif self._viewing.is_open():
            self._viewing.viewer.show_verdict(False, None)

    def _remove(self, mark: int) -> None:
        def work(library: Library) -> JudgementChange:
            from twinlens.app.marks.judgement import remove_judgements

            return remove_judgements(library, [mark])

        self._act(work, _("The mark is removed."))

    # --- selections and folders --------------------------------------------------------------------------------------

    def mark_selection(self, ids: list[int], similar: bool) -> None:
        """Mark selected photographs as alike, all of them; or two of them as different."""
        from twinlens.app.marks.judgement import MOST_ALIKE

        count = len(ids)
        if count < 2:
            self._status.show_message(_("Select two photos or more, then S marks them as alike, D two as different."))
        elif not similar and count > 2:
            self._status.show_message(
                _("D marks two photos as different from each other; {selected} are selected.", selected=count)
            )
        elif count > MOST_ALIKE:
            self._status.show_message(
                _(
                    "{selected} photos are too many to be marked as alike at once: select {most} at most.",
                    selected=count,
                    most=MOST_ALIKE,
                )
            )
        elif similar:
            words = _n("Marked as alike: {count} photo.", "Marked as alike: {count} photos.", count)
            self._act(lambda library: _alike(library, ids), words)
        else:
            self._act(lambda library: _different(library, ids), _("Marked as different from each other."))

    def mark_folder(self, folder: str) -> None:
        """Mark all photographs of a folder as alike, in its turn among long work; stopped, what is marked stays."""
        opened, name = self._opened, Path(folder).name
        words = _("Marked as alike: the photos in {name}.", name=name)

        def mark(library: Library, progress: Progress = silent) -> JudgementChange:
            from twinlens.app.marks.judgement import judge_folder

            return judge_folder(library, Path(folder), progress)

        def then(judged: JudgementChange) -> None:
            self._on_done(mark, judged, words)
            self._shared.marks_changed.emit()

        doing = _("Marking the photos in {name} as alike …", name=name)
        self._queue.run(doing, lambda progress: mark(opened.library, progress)).then(then)

    # --- doing and undoing -------------------------------------------------------------------------------------------

    def _act(self, work: Callable[[Library], JudgementChange], words: str) -> None:
        """Write something when all before it is written, and let it be undone."""
        library = self._opened.library
        self._changes.do(lambda __: work(library), lambda done: self._on_done(work, done, words), self._on_failed)

    def _on_done(self, work: Callable[[Library], JudgementChange], judged: JudgementChange, words: str) -> None:
        sentence = _outcome_text(judged, words)
        if not (judged.added or judged.removed):
            self._status.show_message(sentence)
            return
        library, newest = self._opened.library, [judged]

        def undo() -> None:
            from twinlens.app.marks.judgement import undo_judgement

            self._changes.do(lambda __: undo_judgement(library, newest[-1]), self._on_undone, self._on_failed)

        def redo() -> None:
            self._changes.do(lambda __: work(library), newest.append, self._on_failed)

        self._undoing.offer(sentence, undo, redo)

    def _on_undone(self, total: int) -> None:
        self._status.show_message(f"{_('Undone.')} {count_of_marks(total)}.")

    def _on_failed(self, failure: Failure) -> None:
        self._status.show_message(failure.words())


def _outcome_text(judged: JudgementChange, words: str) -> str:
    """Return the outcome of a judgement, in sentences."""
    changed = bool(judged.added or judged.removed)
    parts = [words] if changed else [] if judged.refused else [_("It was marked so before.")]
    if changed and not judged.added and all(row.similar for row in judged.removed) and len(judged.removed) > 1:
        parts = [_n("{count} mark taken back.", "{count} marks taken back.", len(judged.removed))]
    parts += map(text, (*judged.refused[:2], *judged.notes))
    return " ".join([*parts, f"{count_of_marks(judged.total)}."])


def _alike(library: Library, ids: list[int]) -> JudgementChange:
    from twinlens.app.marks.judgement import judge_alike

    return judge_alike(library, ids)


def _different(library: Library, ids: list[int]) -> JudgementChange:
    from twinlens.app.marks.judgement import judge_pairs
    from twinlens.app.marks.marked_pairs import marks_among

    with library.store.reading() as r:
        again = any(pair.similar is False for pair in marks_among(r, ids))
    return judge_pairs(library, [(ids[0], ids[1])], None if again else False, "selection")
