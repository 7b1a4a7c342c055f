"""Subjects of an advice: vectors of the library under a measure, and indexes over them by their declarations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from app.compare.columns import ComparisonColumn, column_row
from app.indexes.default_index import default_row
from app.indexes.index_metric import metric_text
from app.indexes.index_names import text_of
from app.indexes.loaded_index import LoadedIndex
from app.indexes.usable import usable_indexes
from app.lab.advice.results import IndexParts
from app.methods import catalogue
from app.search.searcher import Searcher
from core.errors import Remedy, TwinlensError
from core.exact_search.measure import Measure
from core.hashing.hash_method import HashMethod
from core.message import Message
from core.search.search_structure import Search
from core.tuning.candidate_values import drawn_candidates
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction

_TELLING = 1_000  # photographs by which values of parameters are drawn


@dataclass(frozen=True, eq=False)
class IndexSubject:
    """Vectors of the library under one measure: those of an index, and the method and structure of each over them."""

    base: LoadedIndex
    photographs: int
    own: list[tuple[str, str]] = field(default_factory=list)

    @property
    def measure(self) -> str:
        """The kernel's text form; empty for a metric."""
        return self.base.measure.kernel.text() if isinstance(self.base.measure, Measure) else ""

    def candidate(self, r: Transaction, method: str, search: str) -> IndexCandidate:
        """Return an index over these vectors; without a method it searches exactly.

        Raises
        ------
        TwinlensError
            If that can never be.
        """
        return IndexCandidate(self, column_row(r, ComparisonColumn(self.base.row.name, method, search)))

    def others(self, r: Transaction, method: HashMethod, seed: int) -> Iterator[str]:
        """Draw a hash method with other parameters, at its length."""
        stored, _ = r.descriptors.read(self.base.kind, r.descriptors.ids(self.base.kind)[:_TELLING])
        shape, rng = self.base.descriptor.matrix_shape, np.random.default_rng(seed)
        usual = getattr(method, "kernel", None)
        for one in drawn_candidates(method, [method.bits], stored.astype(np.float32), shape, rng):
            if getattr(one, "kernel", None) == usual:  # another kernel would rank by another measure
                yield one.text()


@dataclass(frozen=True, eq=False)
class IndexCandidate:
    """An index to try, whether the library has it or not."""

    subject: IndexSubject
    row: IndexRow

    @cached_property
    def search(self) -> Search:
        """Its search structure."""
        return catalogue.search_structure(self.row.search)

    @cached_property
    def method(self) -> HashMethod | None:
        """Its hash method; None for exact search."""
        return catalogue.method(self.row.method) if self.search.uses_codes else None

    @cached_property
    def parts(self) -> IndexParts:
        """Its declarations in text form."""
        return IndexParts(
            key=text_of(self.row),
            descriptor=catalogue.descriptor(self.row.descriptor).text(),
            metric=metric_text(self.row),
            method="" if self.method is None else self.method.text(),
            search=self.search.text(),
        )


def find_subjects(
    searcher: Searcher, wanted: Sequence[str] | None, one: bool
) -> tuple[list[IndexSubject], list[Message]]:
    """Return the vectors and measures of some descriptors or of all, those of the default index first, and notes."""
    texts = None if wanted is None else {catalogue.descriptor(text).text() for text in wanted}
    found: dict[tuple[str, str, str], IndexSubject] = {}
    notes = []
    with searcher.moment() as moment:
        first = default_row(moment.r)
        for row in sorted(usable_indexes(moment.r), key=lambda row: row.id != first.id):
            text = catalogue.descriptor(row.descriptor).text()
            if texts is not None and text not in texts:
                continue
            try:
                base = searcher.index(moment, row.name)
            except TwinlensError as error:
                notes.append(error.whole)
                continue
            subject = IndexSubject(base, moment.r.descriptors.count(base.kind))
            if subject.photographs > 1:
                subject = found.setdefault((text, metric_text(row), subject.measure), subject)
                if catalogue.search_structure(row.search).uses_codes:
                    own = catalogue.method(row.method).text(), catalogue.search_structure(row.search).text()
                    subject.own.append(own)
    lacking = (texts or set()) - {text for text, *_ in found}
    if lacking:
        raise TwinlensError(
            Message("The library has no vectors of {descriptors}.", descriptors=sorted(lacking)),
            Remedy("create index", {"descriptor": min(lacking)}),
        )
    if not found:
        raise TwinlensError(Message("The library has too few photos to compare."), Remedy("add folder"))
    subjects = list(found.values())
    if one and texts is None and len(subjects) > 1:
        notes.append(Message("Exact neighbours cannot compare descriptors, so that of the default index is used."))
        subjects = subjects[:1]
    return subjects, notes
