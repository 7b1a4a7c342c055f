"""The order of the library by the measure of an index and by what was learned, asked again and again in jobs."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.gui.learn.learn_facts import MarkedPair, Ranked, Rankings
from app.gui.learn.learn_jobs import pictures
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.opened import Opened
    from app.learn.before_after import BeforeAfter
    from app.learn.before_after_results import RankedBothWays
    from app.learn.learning import Proposal

Distances = dict[int, tuple[float | None, float | None]]
_DISTANCES = 5_000  # more marks than that nobody scrolls through, and measuring them takes long


class Compared:
    """One index, and one metric or none; a job that has been superseded may still be at it when the next one asks.

    Parameters
    ----------
    opened : Opened
    metric : Proposal, str or None
    index : str
    names : tuple of str
        By what is ranked before and after, for people.
    """

    def __init__(self, opened: Opened, metric: Proposal | str | None, index: str, names: tuple[str, str]) -> None:
        self._opened = opened
        self._metric = metric
        self._index = index
        self._names = names
        self._asked = threading.Lock()
        self._both: BeforeAfter | None = None

    @property
    def has_metric(self) -> bool:
        """Whether there is something to compare with."""
        return self._metric is not None

    def _prepared(self, progress: Progress) -> BeforeAfter | None:
        if self._both is None and self._metric is not None:
            from app.learn.before_after import BeforeAfter

            made = BeforeAfter(self._opened.library, self._metric, self._index)
            made.prepare(progress)
            self._both = made
        return self._both

    def rankings(self, photograph: int | None, count: int, progress: Progress) -> Rankings | None:
        """Rank by a photograph, or by one that is worth showing; nothing where there is none."""
        with self._asked:
            both = self._prepared(progress)
            if both is None:
                return None if photograph is None else self._as_it_is(photograph, count, progress)
            chosen = both.best_query() if photograph is None else photograph
            if chosen is None:
                return None
            result = both.ask(chosen, count, progress)
        known = pictures(self._opened.library, {one.id for one in (*result.before, *result.after)})
        if result.query not in known:
            return None

        def ranked(some: Sequence[RankedBothWays]) -> tuple[Ranked, ...]:
            return tuple(
                Ranked(
                    known[one.id],
                    0 if one.query else one.rank,
                    0 if one.query else one.other_rank,
                    {"similar": True, "different": False}.get(one.judged or ""),
                )
                for one in some
                if one.id in known
            )

        before = tuple(Ranked(one.picture, one.rank, 0, one.judged) for one in ranked(result.before))
        return Rankings(known[result.query], before, ranked(result.after), *self._names)

    def _as_it_is(self, photograph: int, count: int, progress: Progress) -> Rankings | None:
        from app.marks.visible_marks import marks_of
        from app.search.wanted import Wanted

        library = self._opened.library
        result = self._opened.searcher.search(photograph, self._index, Wanted(count + 1, check=False), progress)
        known = pictures(library, {photograph, *(hit.id for hit in result.hits)})
        if photograph not in known:
            return None
        with library.store.reading() as r:
            judged = {one.second: one.similar for one in marks_of(r, photograph)}
        others = [hit.id for hit in result.hits if hit.id != photograph and hit.id in known][:count]
        ranked = [Ranked(known[one], rank, judged=judged.get(one)) for rank, one in enumerate(others, 2)]
        return Rankings(known[photograph], (Ranked(known[photograph], 0), *ranked), (), self._names[0])

    def distances(self, marks: Sequence[MarkedPair], progress: Progress) -> Distances:
        """Measure the pairs of marks; those whose photographs are there."""
        there = [one for one in marks if not one.missing and one.first.id >= 0 and one.second.id >= 0][:_DISTANCES]
        with self._asked:
            both = self._prepared(progress)
            if both is None or not there:
                return {}
            told = both.distances([(one.first.id, one.second.id) for one in there])
        return {one.id: (pair.before, pair.comparable) for one, pair in zip(there, told, strict=True)}
