"""Searching: query, descriptors, codes, candidates, exact ranking, results; with a stopwatch for each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from app.indexes.default_index import DEFAULT, named_index
from app.indexes.loaded_index import LoadedIndex, LoadedIndexes
from app.library import decoders
from app.library.library import Library
from app.methods import catalogue
from app.results import SearchResult, SearchResults, shown
from app.search.described_question import Described, describe_question
from app.search.error_rate import NO_THRESHOLD, WRONG, SureDistances
from app.search.feedback import with_marks
from app.search.filters import Filters
from app.search.geometric_check import SECONDS, Checks, Confirmation, confirm
from app.search.index_answer import answer
from app.search.query import find_query
from app.search.query_views import DescribedPictures, caps
from app.search.question import Pictured, Question
from app.search.rank_fusion import Fusing, answer_together
from app.search.scope import Scope, Scopes
from app.search.wanted import Wanted
from core.errors import Remedy, TwinlensError
from core.message import NOTHING, Message, verbatim
from core.progress import Progress, part, silent
from storage.transaction import Transaction

__all__ = ["Filters", "Moment", "Question", "Searcher", "search"]

_EVERYTHING = Filters()


@dataclass(frozen=True)
class Moment:
    """The library at one moment.

    Attributes
    ----------
    r : Transaction
    version : int or None
        Equal at two moments if nothing changed in between; None while something is changing.
    """

    r: Transaction
    version: int | None


class Searcher:
    """Searches in one library; safe to use from several threads.

    Codes and whatever else a search needed stay in memory for the next one until they change.

    Parameters
    ----------
    library : Library
        Open as long as the searcher is used.
    build_aside : bool
        Build slow search structures in a thread, for a program that stays; meanwhile every code is compared.
    check_seconds : float
        Time after which a geometric check leaves the rest unchecked; infinite, where results must not depend on how
        busy the machine is.
    """

    def __init__(self, library: Library, build_aside: bool = False, check_seconds: float = SECONDS) -> None:
        self._library = library
        self._indexes = LoadedIndexes(build_aside)
        self._scopes = Scopes(library)
        self._described = DescribedPictures()
        self._checks = Checks(check_seconds)
        self._sure = SureDistances(library)

    def search(
        self,
        question: Pictured | Question,
        index: str = DEFAULT,
        k: int = 20,
        exact: bool = False,
        compare_exact: bool = False,
        filters: Filters = _EVERYTHING,
        progress: Progress = silent,
        *,
        check: bool | None = None,
        confirmed_only: bool = False,
    ) -> SearchResult:
        """Search by one index; see :meth:`ask`."""
        (result,) = self.ask(
            question,
            [index],
            k,
            exact,
            compare_exact,
            filters,
            progress,
            check=check,
            confirmed_only=confirmed_only,
        )
        return result

    def ask(
        self,
        question: Pictured | Question,
        indexes: Sequence[str] = (DEFAULT,),
        k: int = 20,
        exact: bool = False,
        compare_exact: bool = False,
        filters: Filters = _EVERYTHING,
        progress: Progress = silent,
        *,
        check: bool | None = None,
        confirmed_only: bool = False,
        sure: bool = False,
        wrong: float = WRONG,
    ) -> list[SearchResult]:
        """Find photographs that resemble pictures, or differ from them, by each of some indexes.

        Parameters
        ----------
        question : Path, int, bytes, Palette or Question
            A file anywhere, the id of a photograph, the bytes of a picture, a palette, or several of these with
            weights.
        indexes : sequence of str
            Names; the pictures are read once for all of them. By default the one that answers when none is named.
        k : int
            How many hits.
        exact : bool
            Measure every photograph exactly instead of only the candidates.
        compare_exact : bool
            Say too which of the exact first k are among the hits and which were missed.
        filters : Filters
        progress : Progress
        check : bool, optional
            Whether the keypoints of the first answers are compared with those of the question's pictures, by which what
            shows the same comes first; the question is asked mirrored and in negative, too, then. By default where the
            index works on local features.
        confirmed_only : bool
            Leave out what was not found to show the same.
        sure : bool
            Leave out what lies beyond the distance up to which few are wrong, where marks tell that.
        wrong : float
            How many are: a share.

        Raises
        ------
        TwinlensError
            If the library is empty, there is no such index, picture or filter, a picture cannot be read, the question
            says only what the answers shall not be like, or only confirmed ones are wanted without a check.
        Cancelled
            If progress says so.
        """
        wanted = Wanted(k, exact, compare_exact, check, confirmed_only)
        with self.moment() as moment:
            self._expect(moment, question, indexes, wanted)
            loaded, scopes = self._opened(moment, indexes, filters)
            each = [wanted.of(index.descriptor) for index in loaded]
            described = self.describe(moment, Question.of(question), loaded, any(one.check for one in each))
            results = []
            for number, (index, scope, one) in enumerate(zip(loaded, scopes, each, strict=True)):
                progress(number, len(loaded), described.name)
                step = part(progress, number / len(loaded), (number + 1) / len(loaded))
                found = answer(self._library, moment.r, index, scope, described, one, self._checks, step)
                results.append(self._with_threshold(moment, index, Question.of(question), found, sure, wrong))
        self._sure.keep()
        return results

    def _with_threshold(
        self, moment: Moment, index: LoadedIndex, question: Question, found: SearchResult, sure: bool, wrong: float
    ) -> SearchResult:
        """Add the distance up to which results are certain, or leave out the others."""
        if not question.is_picture:
            unclear = Message("Marks cannot say how certain these results are: they compare two whole photos.")
            return found.noted(unclear if sure else NOTHING)
        distance = self._sure.find(moment.r, index, wrong, moment.version, patient=sure)
        if distance is None:
            return found.noted(NO_THRESHOLD if sure else NOTHING)
        told = found.model_copy(update={"threshold": distance})
        return told.sure_only() if sure else told

    def together(
        self,
        question: Pictured | Question,
        indexes: Sequence[str],
        fuse: str = "rrf",
        weights: Sequence[float] | None = None,
        k: int = 20,
        exact: bool = False,
        filters: Filters = _EVERYTHING,
        progress: Progress = silent,
        *,
        check: bool | None = None,
        confirmed_only: bool = False,
    ) -> SearchResult:
        """Search by several indexes together: their results are fused into one list.

        Parameters
        ----------
        question, indexes, k, exact, filters, progress, check, confirmed_only
            As in :meth:`ask`; by default it is checked where one of the indexes works on local features.
        fuse : str
            How: ``rrf``, ``borda`` or ``similarity``; see :mod:`core.search.late_fusion`.
        weights : sequence of float, optional
            What each index counts for.

        Raises
        ------
        TwinlensError
            As :meth:`ask`, and if there is no such way to fuse, or the weights do not fit.
        Cancelled
            If progress says so.
        """
        fusing = Fusing(fuse, None if weights is None else tuple(weights))
        wanted = Wanted(k, exact, False, check, confirmed_only)
        with self.moment() as moment:
            self._expect(moment, question, indexes, wanted)
            loaded, scopes = self._opened(moment, indexes, filters)
            checked = any(wanted.of(index.descriptor).check for index in loaded)
            described = self.describe(moment, Question.of(question), loaded, checked)
            return answer_together(
                self._library,
                moment.r,
                list(zip(loaded, scopes, strict=True)),
                described,
                replace(wanted, check=checked),
                fusing,
                self._checks,
                progress,
            )

    def _expect(self, moment: Moment, question: Pictured | Question, indexes: Sequence[str], wanted: Wanted) -> None:
        """Start the decoding process while indexes are loaded, if the query will need it."""
        if decoders.is_warm():
            return
        with suppress(TwinlensError):  # which is raised again when its turn comes
            declared = [catalogue.descriptor(named_index(moment.r, name).descriptor) for name in indexes]
            looks = any(wanted.of(one).check and caps(one) for one in declared)
            for example in Question.of(question).examples:
                if find_query(self._library, moment.r, example).will_be_decoded(looks):
                    decoders.warm()
                    return

    def _opened(
        self, moment: Moment, indexes: Sequence[str], filters: Filters
    ) -> tuple[list[LoadedIndex], list[Scope]]:
        loaded = [self.index(moment, name) for name in indexes]
        if all(len(index.ids) == 0 for index in loaded):
            raise TwinlensError(Message("The library has no photos yet."), Remedy("add folder"))
        return loaded, [self._scopes.get(moment.r, moment.version, index, filters) for index in loaded]

    @contextmanager
    def moment(self) -> Iterator[Moment]:
        """Open the library as it is now; others may go on writing."""
        store = self._library.store
        before = store.data_version()
        with store.reading() as r:
            # The number comes over another connection: only one that is equal before and after is that of this moment.
            yield Moment(r, before if store.data_version() == before else None)

    def index(self, moment: Moment, name: str) -> LoadedIndex:
        """Return an index, ready for searches; its name as in :func:`app.indexes.default_index.named_index`."""
        return self._indexes.get(moment.r, moment.version, named_index(moment.r, name))

    @property
    def library(self) -> Library:
        """The library that is searched."""
        return self._library

    def scope(self, moment: Moment, index: LoadedIndex, filters: Filters = _EVERYTHING) -> Scope:
        """Return the scope of filters in an index; also of one that the library does not keep."""
        return self._scopes.get(moment.r, moment.version, index, filters)

    def answered(
        self,
        moment: Moment,
        index: LoadedIndex,
        described: Described,
        wanted: Wanted,
        filters: Filters = _EVERYTHING,
        progress: Progress = silent,
    ) -> SearchResult:
        """Return the result of a described query in a loaded index; also in one that the library does not keep."""
        scope = self.scope(moment, index, filters)
        return answer(self._library, moment.r, index, scope, described, wanted, self._checks, progress)

    def describe(
        self, moment: Moment, question: Question, indexes: Sequence[LoadedIndex], keypoints: bool = False
    ) -> Described:
        """Find and describe the pictures of a query; see :func:`app.search.described_question.describe_question`."""
        kinds = list({index.kind.id: index.kind for index in indexes}.values())
        return describe_question(self._library, moment.r, question, kinds, self._described, keypoints)

    def confirm(self, moment: Moment, described: Described, photograph_id: int) -> Confirmation | None:
        """Return the check of one photograph; None if there is nothing to compare."""
        return confirm(moment.r, described, [photograph_id], self._checks).found.get(photograph_id)


def search(
    library: Library,
    pictures: Sequence[Pictured | Question],
    indexes: Sequence[str] = (DEFAULT,),
    k: int = 20,
    exact: bool = False,
    compare_exact: bool = False,
    filters: Filters = _EVERYTHING,
    progress: Progress = silent,
    *,
    check: bool | None = None,
    confirmed_only: bool = False,
    fuse: str | None = None,
    weights: Sequence[float] | None = None,
    sure: bool = False,
    wrong: float = WRONG,
    marks: bool = False,
) -> SearchResults:
    """Search for each of some pictures, or queries of several pictures.

    Parameters
    ----------
    library : Library
    pictures : sequence of Path, int, bytes, Palette or Question
        Each is answered by itself.
    indexes, k, exact, compare_exact, filters, progress, check, confirmed_only
        As in :meth:`Searcher.ask`; each index answers each picture.
    fuse, weights
        As in :meth:`Searcher.together`: all indexes answer each picture together, without ``compare_exact``.
    sure, wrong
        As in :meth:`Searcher.ask`; not with ``fuse``.
    marks : bool
        Ask with the marks of each picture too; see :func:`app.search.feedback.with_marks`.

    Raises
    ------
    TwinlensError
        As :meth:`Searcher.ask`.
    """
    searcher = Searcher(library)
    results: list[SearchResult] = []
    for number, picture in enumerate(pictures):
        step = part(progress, number / len(pictures), (number + 1) / len(pictures))
        if isinstance(picture, int | Path):
            step(0, 1, verbatim(shown(str(picture).encode("utf-8", "surrogateescape"))))
        feedback = with_marks(library, picture) if marks else None
        asked = picture if feedback is None else feedback.question
        if fuse is None:
            found = searcher.ask(
                asked, indexes, k, exact, compare_exact, filters, step,
                check=check, confirmed_only=confirmed_only, sure=sure, wrong=wrong,
            )  # fmt: skip
        else:
            one = searcher.together(
                asked, indexes, fuse, weights, k, exact, filters, step, check=check, confirmed_only=confirmed_only
            )
            found = [one]
        results += found if feedback is None else [feedback.noted(one) for one in found]
    return SearchResults(results=results)
