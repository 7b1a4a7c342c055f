"""The searcher runs the steps of a search in a library: describe, rank, check; with a stopwatch for each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from twinlens.app.indexes.indexes import DEFAULT, named_index
from twinlens.app.indexes.loaded_index import CachedCodes, LoadedIndex, LoadedIndexes
from twinlens.app.library.library import Library
from twinlens.app.library.workers import decoders
from twinlens.app.methods import catalogue
from twinlens.app.search.confirmation import Confirmation, ConfirmationCache, confirm
from twinlens.app.search.query_descriptors import QueryDescriptors, describe_query, find_query_picture
from twinlens.app.search.query_distance import PictureViewCache, needs_variants
from twinlens.app.search.ranked_results import RankedResults, confirm_results, search_fused, search_index
from twinlens.app.search.search_options import Filters, SearchOptions
from twinlens.app.search.search_query import QuerySource, SearchQuery, with_marks
from twinlens.app.search.search_results import ConfidenceThreshold, SearchResult, SearchResults
from twinlens.app.search.search_space import Moment, SearchSpace, SearchSpaces
from twinlens.app.search.similarity_levels import NO_THRESHOLD, ConfidenceThresholds
from twinlens.app.search.words_and_colours import ConceptSearch, index_name_for, is_words_alone, with_words_as_filter
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import NOTHING, Message, verbatim
from twinlens.core.progress import Progress, part, silent
from twinlens.features.keypoints.geometric_check import SECONDS

_DEFAULTS = SearchOptions()


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
        self._views = PictureViewCache()
        self._checks = ConfirmationCache(check_seconds)
        self._thresholds = ConfidenceThresholds(library)
        self.concepts = ConceptSearch(library)
        """Its searches with words."""

    def search(
        self,
        query: QuerySource | SearchQuery,
        index: str = DEFAULT,
        options: SearchOptions = _DEFAULTS,
        progress: Progress = silent,
    ) -> SearchResult:
        """Search one index for photographs that resemble a picture, or several; see :meth:`search_indexes`."""
        (result,) = self.search_indexes(query, [index], options, progress)
        return result

    def search_indexes(
        self,
        query: QuerySource | SearchQuery,
        indexes: Sequence[str] = (DEFAULT,),
        options: SearchOptions = _DEFAULTS,
        progress: Progress = silent,
    ) -> list[SearchResult]:
        """Search and check: :meth:`find`, then :meth:`check` of each; parameters and errors are those of the former."""
        found = self.find(SearchQuery.of(query), indexes, options, part(progress, 0.0, 0.5))
        results = []
        for number, one in enumerate(found):
            step = part(progress, 0.5 + 0.5 * number / len(found), 0.5 + 0.5 * (number + 1) / len(found))
            result = self.check(one, step)
            results.append(result.noted(one.descriptors.query.marks_note()) if options.marks else result)
        return results

    def find(
        self,
        query: SearchQuery,
        indexes: Sequence[str] = (DEFAULT,),
        options: SearchOptions = _DEFAULTS,
        progress: Progress = silent,
    ) -> list[RankedResults]:
        """Rank the photographs that resemble the query's pictures, by each of some indexes or by all together.

        Parameters
        ----------
        indexes : sequence of str
            Names; the pictures are described once for all of them. By default the index that is searched when none is
            named; see :func:`twinlens.app.search.words_and_colours.index_name_for`.

        Returns
        -------
        list of RankedResults
            One of each index, or a single one of all where they are fused; not checked yet.

        Raises
        ------
        TwinlensError
            If the library is empty, there is no such index, picture or filter, a picture cannot be read, no picture of
            the query is liked, or the weights of the indexes do not fit.
        """
        if options.marks:
            query = with_marks(self._library, query)
        with self.moment() as moment:
            words, typed = self.concepts.read(moment.r, query, indexes), query
            if words is not None:
                if is_words_alone(words, query):
                    return [self.concepts.rank(moment, query, words, options)]
                query, indexes, options = with_words_as_filter(words, query, indexes, options)
            indexes = [index_name_for(moment.r, name, query) for name in indexes]
            self._warm_up(moment, query, indexes, options)
            loaded = [self.index(moment, name) for name in indexes]
            if all(len(index.ids) == 0 for index in loaded):
                raise TwinlensError("The library has no photos yet.", Remedy("add folder"))
            each = [options.for_descriptor(index.descriptor) for index in loaded]
            checked = any(one.check for one in each)
            spaces = [self.space(moment, index, options.filters) for index in loaded]
            descriptors = self.describe(moment, query, loaded, checked)
            if options.fusion is not None:
                fused = options.changed(check=checked)
                found = [search_fused(self._library, spaces, descriptors, fused, progress)]
            else:
                found = []
                for number, (space, one) in enumerate(zip(spaces, each, strict=True)):
                    progress(number, len(loaded), descriptors.name)
                    step = part(progress, number / len(loaded), (number + 1) / len(loaded))
                    threshold, uncertainty = self._threshold(moment, space.index, query, one)
                    found.append(search_index(self._library, space, descriptors, one, step, threshold, uncertainty))
        self._thresholds.keep()
        return found if words is None else [one.of_words(typed.words(), words.note()) for one in found]

    def check(self, ranked: RankedResults, progress: Progress = silent) -> SearchResult:
        """Compare candidates with the query; see :func:`twinlens.app.search.ranked_results.confirm_results`."""
        return confirm_results(self._library, ranked, self._checks, progress)

    def _threshold(
        self, moment: Moment, index: LoadedIndex, query: SearchQuery, options: SearchOptions
    ) -> tuple[ConfidenceThreshold | None, Message]:
        """Return the distance up to which results are certain, or why there is none, where one is needed."""
        if query.is_picture:
            threshold = self._thresholds.find(moment, index, options.wrong, patient=options.sure)
            lacking = NO_THRESHOLD
        else:
            threshold = None
            lacking = Message("Marks cannot say how certain these results are: they compare two whole photos.")
        return threshold, lacking if options.sure and threshold is None else NOTHING

    def _warm_up(self, moment: Moment, query: SearchQuery, indexes: Sequence[str], options: SearchOptions) -> None:
        """Start the process that describes pictures while indexes are loaded, if the query will need it."""
        if decoders.is_warm():
            return
        with suppress(TwinlensError):  # which is raised again when its turn comes
            declared = [catalogue.descriptor(named_index(moment.r, name).descriptor) for name in indexes]
            looks = any(options.for_descriptor(one).check and needs_variants(one) for one in declared)
            for example in query.examples:
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
        """Return an index, ready for searches; its name as in :func:`twinlens.app.indexes.indexes.named_index`."""
        return self._indexes.get(moment.r, moment.version, named_index(moment.r, name))

    @property
    def library(self) -> Library:
        """The library that is searched."""
        return self._library

    def space(self, moment: Moment, index: LoadedIndex, filters: Filters) -> SearchSpace:
        """Return the photographs of an index that pass filters; also of one that the library does not keep."""
        return self._spaces.get(moment, index, filters)

    def unchecked(
        self, space: SearchSpace, descriptors: QueryDescriptors, options: SearchOptions, progress: Progress = silent
    ) -> SearchResult:
        """Return the unchecked result of a described query, also in an index that the library does not keep."""
        return search_index(self._library, space, descriptors, options, progress, stacked=False).result

    def describe(
        self, moment: Moment, query: SearchQuery, indexes: Sequence[LoadedIndex], keypoints: bool = False
    ) -> QueryDescriptors:
        """Describe the pictures of a query; see :func:`twinlens.app.search.query_descriptors.describe_query`."""
        kinds = list({index.kind.id: index.kind for index in indexes}.values())
        return describe_query(self._library, moment.r, query, kinds, keypoints, self._views)

    def confirm(self, moment: Moment, descriptors: QueryDescriptors, photograph_id: int) -> Confirmation | None:
        """Return the check of one photograph; None if there is nothing to compare."""
        return confirm(moment.r, descriptors, [photograph_id], self._checks).found.get(photograph_id)


def search(
    library: Library,
    pictures: Sequence[QuerySource | SearchQuery],
    indexes: Sequence[str] = (DEFAULT,),
    options: SearchOptions = _DEFAULTS,
    progress: Progress = silent,
) -> SearchResults:
    """Search for each of some pictures, or queries of several pictures.

    Parameters
    ----------
    pictures : sequence of Path, int, bytes, Palette, Phrase or SearchQuery
        Each is a search by itself.
    indexes, options, progress
        As in :meth:`Searcher.search_indexes`.

    Raises
    ------
    TwinlensError
        As :meth:`Searcher.search_indexes`.
    """
    searcher = Searcher(library)
    results: list[SearchResult] = []
    for number, picture in enumerate(pictures):
        step = part(progress, number / len(pictures), (number + 1) / len(pictures))
        if isinstance(picture, int | Path):
            step(0, 1, verbatim(shown(str(picture).encode("utf-8", "surrogateescape"))))
        results += searcher.search_indexes(picture, indexes, options, step)
    return SearchResults(results=results)
