"""Searching: query, descriptors, codes, exact ranking, then the check of the first; with a stopwatch for each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from app.indexes.indexes import DEFAULT, named_index
from app.indexes.loaded_index import CachedCodes, LoadedIndex, LoadedIndexes
from app.library.library import Library
from app.library.workers import decoders
from app.methods import catalogue
from app.results import shown
from app.search.confirmation import Confirmation, ConfirmationCache, confirm
from app.search.error_rate import NO_THRESHOLD, ConfidenceThresholds
from app.search.index_choice import index_name_for
from app.search.query_descriptors import QueryDescriptors, encode_query, find_query_picture
from app.search.query_distance import PictureViewCache, needs_variants
from app.search.ranked_results import RankedResults, confirm_results, search_fused, search_index
from app.search.search_query import QuerySource, SearchOptions, SearchQuery, with_marks
from app.search.search_results import SearchResult, SearchResults, together
from app.search.search_space import Filters, Moment, SearchSpace, SearchSpaces
from core.errors import Remedy, TwinlensError
from core.message import NOTHING, Message, verbatim
from core.progress import Progress, part, silent
from features.keypoints.geometric_check import SECONDS

_ANY = SearchOptions()


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
        cached = None if library.address.is_file else CachedCodes(library.store.id)
        self._indexes = LoadedIndexes(build_aside, cached)
        self._spaces = SearchSpaces(library)
        self._described = PictureViewCache()
        self._checks = ConfirmationCache(check_seconds)
        self._sure = ConfidenceThresholds(library)

    def search(
        self,
        question: QuerySource | SearchQuery,
        index: str = DEFAULT,
        wanted: SearchOptions = _ANY,
        progress: Progress = silent,
    ) -> SearchResult:
        """Find what is like a picture, or like some and unlike others, by one index; see :meth:`ask`."""
        (result,) = self.ask(question, [index], wanted, progress)
        return result

    def ask(
        self,
        question: QuerySource | SearchQuery,
        indexes: Sequence[str] = (DEFAULT,),
        wanted: SearchOptions = _ANY,
        progress: Progress = silent,
    ) -> list[SearchResult]:
        """Search and check: :meth:`find`, then :meth:`check` of each; parameters and errors are those of the former."""
        found = self.find(question, indexes, wanted, part(progress, 0.0, 0.5))
        results = []
        for number, one in enumerate(found):
            step = part(progress, 0.5 + 0.5 * number / len(found), 0.5 + 0.5 * (number + 1) / len(found))
            result = self.check(one, step).result
            results.append(result if one.feedback is None else result.noted(one.feedback.sentence()))
        return results

    def find(
        self,
        question: QuerySource | SearchQuery,
        indexes: Sequence[str] = (DEFAULT,),
        wanted: SearchOptions = _ANY,
        progress: Progress = silent,
    ) -> list[RankedResults]:
        """Find what is like a picture, or like some and unlike others, by each of some indexes or by all together.

        Parameters
        ----------
        question : Path, int, bytes, Palette, Phrase or SearchQuery
            A file anywhere, the id of a photograph, the bytes of a picture, a palette, words, or several of these
            with weights.
        indexes : sequence of str
            Names; the pictures are read once for all of them. By default the one that answers when none is named; see
            :func:`app.search.index_choice.index_name_for`.

        Returns
        -------
        list of RankedResults
            One of each index, or a single one of all where they are fused; not checked yet.

        Raises
        ------
        TwinlensError
            If the library is empty, there is no such index, picture or filter, a picture cannot be read, the question
            says only what the answers shall not be like, or the weights of the indexes do not fit.
        """
        feedback = with_marks(self._library, question) if wanted.marks else None
        asked = SearchQuery.of(question) if feedback is None else feedback.question
        with self.moment() as moment:
            indexes = [index_name_for(moment.r, name, asked) for name in indexes]
            self._expect(moment, asked, indexes, wanted)
            loaded = [self.index(moment, name) for name in indexes]
            if all(len(index.ids) == 0 for index in loaded):
                raise TwinlensError("The library has no photos yet.", Remedy("add folder"))
            each = [wanted.of(index.descriptor) for index in loaded]
            checked = any(one.check for one in each)
            spaces = [self.space(moment, index, wanted.filters) for index in loaded]
            described = self.describe(moment, asked, loaded, checked)
            if wanted.fusing is not None:
                fused = replace(wanted, check=checked)
                found = [search_fused(self._library, spaces, described, fused, progress)]
            else:
                found = []
                for number, (space, one) in enumerate(zip(spaces, each, strict=True)):
                    progress(number, len(loaded), described.name)
                    step = part(progress, number / len(loaded), (number + 1) / len(loaded))
                    answered = search_index(self._library, space, described, one, step)
                    found.append(self._with_threshold(moment, space.index, asked, answered))
            found = [replace(one, together=together(moment.r, one.contents()), feedback=feedback) for one in found]
        self._sure.keep()
        return found

    def check(self, found: RankedResults, progress: Progress = silent) -> RankedResults:
        """Compare candidates with the query; see :func:`app.search.ranked_results.confirm_results`."""
        return confirm_results(self._library, found, self._checks, progress)

    def _with_threshold(
        self, moment: Moment, index: LoadedIndex, question: SearchQuery, found: RankedResults
    ) -> RankedResults:
        """Add the distance up to which results are certain, or why there is none; marks may tell the words' limits."""
        wanted, distance, lacking = found.wanted, None, NO_THRESHOLD
        if question.is_picture:
            distance = self._sure.find(moment, index, wanted.wrong, patient=wanted.sure)
        else:
            lacking = Message("Marks cannot say how certain these results are: they compare two whole photos.")
        if distance is None:
            return replace(found, certainty=lacking if wanted.sure else NOTHING)
        likeness = distance.likeness or found.unchecked.likeness
        return replace(
            found, unchecked=found.unchecked.model_copy(update={"threshold": distance, "likeness": likeness})
        )

    def _expect(self, moment: Moment, question: SearchQuery, indexes: Sequence[str], wanted: SearchOptions) -> None:
        """Start the process that describes pictures while indexes are loaded, if the query will need it."""
        if decoders.is_warm():
            return
        with suppress(TwinlensError):  # which is raised again when its turn comes
            declared = [catalogue.descriptor(named_index(moment.r, name).descriptor) for name in indexes]
            looks = any(wanted.of(one).check and needs_variants(one) for one in declared)
            for example in question.examples:
                if find_query_picture(self._library, moment.r, example).needs_a_process(looks):
                    decoders.warm()
                    return

    @contextmanager
    def moment(self) -> Iterator[Moment]:
        """Open the library as it is now; others may go on writing."""
        store = self._library.store
        before = store.data_version()
        with store.reading() as r:
            # The number comes over another connection: only one that is equal before and after is that of this moment.
            yield Moment(r, before if store.data_version() == before else None)

    def index(self, moment: Moment, name: str) -> LoadedIndex:
        """Return an index, ready for searches; its name as in :func:`app.indexes.indexes.named_index`."""
        return self._indexes.get(moment.r, moment.version, named_index(moment.r, name))

    @property
    def library(self) -> Library:
        """The library that is searched."""
        return self._library

    def space(self, moment: Moment, index: LoadedIndex, filters: Filters) -> SearchSpace:
        """Return the photographs of an index that pass filters; also of one that the library does not keep."""
        return self._spaces.get(moment, index, filters)

    def answered(
        self, space: SearchSpace, described: QueryDescriptors, wanted: SearchOptions, progress: Progress = silent
    ) -> SearchResult:
        """Return the unchecked result of a described query, also in an index that the library does not keep."""
        return search_index(self._library, space, described, wanted, progress).result

    def describe(
        self, moment: Moment, question: SearchQuery, indexes: Sequence[LoadedIndex], keypoints: bool = False
    ) -> QueryDescriptors:
        """Find and describe the pictures of a query; see :func:`app.search.query_descriptors.encode_query`."""
        kinds = list({index.kind.id: index.kind for index in indexes}.values())
        return encode_query(self._library, moment.r, question, kinds, keypoints, self._described)

    def confirm(self, moment: Moment, described: QueryDescriptors, photograph_id: int) -> Confirmation | None:
        """Return the check of one photograph; None if there is nothing to compare."""
        return confirm(moment.r, described, [photograph_id], self._checks).found.get(photograph_id)


def search(
    library: Library,
    pictures: Sequence[QuerySource | SearchQuery],
    indexes: Sequence[str] = (DEFAULT,),
    wanted: SearchOptions = _ANY,
    progress: Progress = silent,
) -> SearchResults:
    """Search for each of some pictures, or queries of several pictures.

    Parameters
    ----------
    pictures : sequence of Path, int, bytes, Palette, Phrase or SearchQuery
        Each is answered by itself.
    indexes, wanted, progress
        As in :meth:`Searcher.ask`; each index answers each picture, or all together.

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
        results += searcher.ask(picture, indexes, wanted, step)
    return SearchResults(results=results)
