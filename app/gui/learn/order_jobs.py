"""The order of the library by the measure of an index and by what was learned, asked again and again in jobs."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.opened import OpenLibrary
    from app.learn.before_after import BeforeAfter
    from app.learn.before_after_results import BeforeAfterResult, MarkedPairDistances
    from app.learn.learning import Proposal
    from app.marks.results import MarkStatus

_DISTANCES = 5_000  # more marks than that nobody scrolls through, and measuring them takes long


class BeforeAfterOrder:
    """One index, and one metric or none; a job that has been superseded may still be at it when the next one asks.

    Parameters
    ----------
    opened : Opened
    metric : Proposal, str or None
    index : str
    """

    def __init__(self, opened: OpenLibrary, metric: Proposal | str | None, index: str) -> None:
        self._opened = opened
        self._metric = metric
        self._index = index
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

    def rankings(self, photograph: int | None, count: int, progress: Progress) -> BeforeAfterResult | None:
        """Rank by a photograph, or by one that is worth showing; nothing where there is none."""
        with self._asked:
            both = self._prepared(progress)
            if both is None:
                return None if photograph is None else self._as_it_is(photograph, count, progress)
            chosen = both.best_query() if photograph is None else photograph
            return None if chosen is None else both.ask(chosen, count, progress)

    def _as_it_is(self, photograph: int, count: int, progress: Progress) -> BeforeAfterResult | None:
        """Rank as search does, where nothing is learned yet; nothing where the photograph is gone."""
        from app.learn.before_after import judgement_of
        from app.learn.before_after_results import BeforeAfterResult, RankedBothWays
        from app.library.browsing import photographs
        from app.search.wanted import SearchOptions

        library = self._opened.library
        result = self._opened.searcher.search(photograph, self._index, SearchOptions(count + 1, check=False), progress)
        found = [hit for hit in result.hits if hit.id != photograph][:count]
        known = {one.id: one for one in photographs(library, [photograph, *(hit.id for hit in found)])}
        if photograph not in known:
            return None
        with library.store.reading() as r:
            said = judgement_of(r, photograph, list(known))
        near = {photograph: (0.0, 1.0)} | {hit.id: (hit.distance, hit.similarity) for hit in result.hits}
        ranked = [
            RankedBothWays(
                id=one.id,
                path=one.path,
                content=one.content_hash.hex(),
                rank=rank,
                distance=near[one.id][0],
                similarity=near[one.id][1],
                judged=said.get(one.id),
                query=one.id == photograph,
            )
            for rank, one in enumerate(known.values(), 1)
        ]
        return BeforeAfterResult(
            query=photograph,
            path=known[photograph].path,
            index=self._index,
            metric="",
            of=result.of,
            before=ranked,
            after=[],
            moved_up=0,
            seconds=result.seconds.total,
        )

    def distances(self, marks: Sequence[MarkStatus], progress: Progress) -> dict[int, MarkedPairDistances]:
        """Measure the pairs of marks, by mark; those whose photographs are there."""
        there = {one.id: (one.first_id, one.second_id) for one in marks if not one.missing}
        pairs = {mark: (a, b) for mark, (a, b) in there.items() if a is not None and b is not None}
        pairs = dict(islice(pairs.items(), _DISTANCES))
        with self._asked:
            both = self._prepared(progress)
            if both is None or not pairs:
                return {}
            return dict(zip(pairs, both.distances(list(pairs.values())), strict=True))
